"""What `init` asks a person at a terminal; each answer stands in for an option that was not given."""

import argparse
from collections.abc import Iterator

from codifica_guard.cli.person import name_from_git
from codifica_guard.cli.questions import ask, tell, yes_or_no
from codifica_guard.cli.signer_lines import principal_of
from codifica_guard.cli.survey import Mend, Survey
from codifica_guard.clone.desk import Desk
from codifica_guard.errors import UsageError
from codifica_guard.limits import FINDINGS_SHOWN
from codifica_guard.model.ids import Principal, is_agent, is_human, show_path
from codifica_guard.report.plain import plain, plain_words


def fill(desk: Desk, options: argparse.Namespace, ground: Survey) -> None:
    """Ask for what the options leave open.

    Args:
        desk: the clone.
        options: the options, which get the answers.
        ground: what stands in the repository.
    """
    tell(ground.headline, "Enter takes what stands in brackets.", "")
    if options.name is None:
        options.name = ask("your name", name_from_git(desk) or "", human_of)
    if not options.agent:
        known = [name.partition(":")[2] for name in ground.config.allowed_agents]
        options.agent = ask("agents, with blanks between", " ".join(known) or "none", _agents)
        if options.agent:
            options.keys_later = not yes_or_no("make their keys now? no: theirs are added later", default=True)
    if options.self_approval is None:
        closes = yes_or_no("may an agent close its own build task? no: a human approves", default=False)
        options.self_approval = "allow" if closes else "refuse"
    if options.resume_after is None:
        options.resume_after = ask(
            "minutes of silence, after which a session may take over its own claim", "60", _minutes
        )


def choose_mends(mends: tuple[Mend, ...]) -> tuple[Mend, ...]:
    """Ask which lines are to be put in quotes; a task counts where all its lines are agreed to.

    Many lines are one question, with the first of them shown.
    """
    lines = [row for mend in mends for row in _rows(mend)]
    if len(lines) > FINDINGS_SHOWN:
        tell("", *(text for row in lines[:FINDINGS_SHOWN] for text in row), f"  and {len(lines) - FINDINGS_SHOWN} more")
        return mends if yes_or_no(f"quote these {len(lines)} lines?", default=True) else ()
    return tuple(mend for mend in mends if all(_agreed(row) for row in _rows(mend)))


def human_of(text: str) -> Principal:
    """The human that somebody typed.

    Raises:
        UsageError: it is none.
    """
    principal = principal_of(text, "human")
    if not is_human(principal):
        raise UsageError(f"{principal} is no human: who introduces the guard?")
    return principal


def agent_of(text: str) -> Principal:
    """The agent that somebody typed.

    Raises:
        UsageError: it is none.
    """
    principal = principal_of(text, "agent")
    if not is_agent(principal):
        raise UsageError(f"{principal} is no agent")
    return principal


def _agents(text: str) -> list[str]:
    if text == "none":
        return []
    return list(dict.fromkeys(agent_of(name) for name in text.replace(",", " ").split()))


def _minutes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise UsageError("a number of minutes, such as 60")
    return int(text)


def _rows(mend: Mend) -> Iterator[tuple[str, ...]]:
    for quote in mend.quotes:
        where = f"{plain(show_path(mend.path))}:{quote.line}:{quote.fault.column or 1}"
        yield f"  {where:<15}  {quote.fault.code} {plain_words(quote.fault.found)}", f"    {quote.after.strip()}"


def _agreed(row: tuple[str, ...]) -> bool:
    tell("", *row)
    return yes_or_no("quote this one line?", default=True)
