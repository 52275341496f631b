"""The pages of the rules, made from their docstrings: what `explain` prints, and what `docs/rules/` holds.

python -m codifica_guard.report.pages            writes docs/rules/
python -m codifica_guard.report.pages --check    writes nothing, and fails where a page is not what it has to be
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from codifica_guard.errors import GuardError
from codifica_guard.model.finding import Severity
from codifica_guard.packs.all import REGISTRY
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import About, Rule

PARTS: Final = ("Why", "Refused", "Accepted", "Do")
"""The parts of a rule's docstring behind its first sentence, in this order."""

FOLDER: Final = Path("docs/rules")
INDEX: Final = "README.md"


def sentence(rule: Rule) -> str:
    """The rule in one sentence: the first paragraph of its docstring."""
    return " ".join(rule.page.strip().split("\n\n", 1)[0].split())


def parts(rule: Rule) -> Mapping[str, str]:
    """The parts of a rule's docstring by their names; examples keep their indentation.

    Raises:
        GuardError: a part is missing, empty, double, or in another place.
    """
    found: dict[str, list[str]] = {}
    order: list[str] = []
    for line in rule.page.strip().split("\n")[1:]:
        name, colon, rest = line.partition(":")
        if colon and name in PARTS:
            order.append(name)
            found[name] = [rest.strip()]
        elif order:
            found[order[-1]].append(line.rstrip())
    texts = {name: "\n".join(lines).strip("\n") for name, lines in found.items()}
    if tuple(order) != PARTS or not all(text.strip() for text in texts.values()):
        raise GuardError(
            f"{rule.code}: the docstring has not the parts {', '.join(PARTS)}, each once and in this order"
        )
    return texts


def page(rule: Rule) -> str:
    """A rule's page in Markdown, fit for a terminal too."""
    lines = [f"# {rule.code} {rule.name}", "", sentence(rule), "", _standing(rule)]
    for name, text in parts(rule).items():
        lines += ["", f"## {name}", "", text[0].upper() + text[1:]]
    return "\n".join(lines) + "\n"


def index(registry: Registry) -> str:
    """The table of all rules in Markdown."""
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {_cell(sentence(rule))} | {rule.severity.value} | {_cell(rule.spec)} |"
        for rule in registry.all()
    ]
    head = ["# The rules", "", "`git codifica explain CODE` prints a page.", ""]
    return (
        "\n".join([*head, "| code | name | rule | severity | clause |", "| --- | --- | --- | --- | --- |", *rows])
        + "\n"
    )


def pages(registry: Registry) -> Mapping[str, str]:
    """Every file of `docs/rules/` by its name."""
    return {INDEX: index(registry), **{f"{rule.code}.md": page(rule) for rule in registry.all()}}


def drift(folder: Path, registry: Registry) -> tuple[str, ...]:
    """Names of pages in a folder that are missing, differ, or belong to no rule; sorted."""
    wanted = pages(registry)
    there = {path.name: path for path in folder.glob("*.md")}
    wrong = {name for name, text in wanted.items() if name not in there or there[name].read_bytes() != text.encode()}
    return tuple(sorted(wrong | (set(there) - set(wanted))))


def write(folder: Path, registry: Registry) -> tuple[str, ...]:
    """Bring a folder up to date; the names of the pages that were written or taken away."""
    wanted = pages(registry)
    changed = drift(folder, registry)
    folder.mkdir(parents=True, exist_ok=True)
    for name in changed:
        if name in wanted:
            (folder / name).write_bytes(wanted[name].encode())
        else:
            (folder / name).unlink()
    return changed


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """Write the pages, or with `--check` only compare them: 1 where they are not up to date, 2 for a wrong call."""
    if list(arguments) not in ([], ["--check"]):
        sys.stderr.write("usage: python -m codifica_guard.report.pages [--check]\n")
        return 2
    if not arguments:
        for name in write(folder, REGISTRY):
            sys.stdout.write(f"{folder / name}\n")
        return 0
    stale = drift(folder, REGISTRY)
    if stale:
        sys.stderr.write(f"not up to date: {' '.join(stale)}\ndo: python -m codifica_guard.report.pages\n")
    return 1 if stale else 0


def _standing(rule: Rule) -> str:
    """Whether the rule refuses, where it comes from, and what changes that."""
    said = [_severity(rule), f"From: {rule.spec}.", f"Since ruleset {rule.since}."]
    if rule.standing and rule.about is not About.AUDIT:
        said.append("Refuses in report mode too.")
    if rule.lifted:
        said.append("A maintainer's migration lifts it.")
    return " ".join(said)


def _severity(rule: Rule) -> str:
    if rule.about is About.AUDIT:
        return "Makes the audit fail." if rule.severity is Severity.ERROR else "Warns; the audit does not fail by it."
    return "Refuses the push." if rule.severity is Severity.ERROR else "Warns; the push is taken."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
