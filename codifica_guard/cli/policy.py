"""`policy`: the policy that counts, and changes of `guard.json` by one signed commit."""

import argparse
from collections.abc import Callable

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.options import add_action, add_looking, add_writing


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the commands and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="show|set|upgrade", required=True)

    show = add_action(actions, "show", "every key with its value, who changed it last, and who has which role")
    add_looking(show, first=False)

    change = add_action(actions, "set", "give one key of guard.json another value, by one signed commit")
    change.add_argument("key", metavar="KEY", help="such as mode, self_approval, resume_after_minutes")
    change.add_argument(
        "value", metavar="VALUE", nargs="+", help="the value, as text or JSON; several for a key that takes a list"
    )
    add_writing(change)

    upgrade = add_action(actions, "upgrade", "spell out every key that is absent, by one signed commit")
    upgrade.add_argument(
        "--ruleset", metavar="N", type=int, help="also let the repository be judged by this set of rules"
    )
    add_writing(upgrade)


def run(options: argparse.Namespace) -> Outcome:
    """Do what the action says."""
    # Only here: what makes shapes of JSON is slow to load, and the list of commands needs none of it.
    from codifica_guard.cli import policy_change, policy_show  # noqa: PLC0415

    actions: dict[str, Callable[[argparse.Namespace], Outcome]] = {
        "show": policy_show.run,
        "set": policy_change.run_set,
        "upgrade": policy_change.run_upgrade,
    }
    return actions[options.action](options)


COMMAND = Command(
    name="policy",
    summary="the policy that counts: show, set, upgrade",
    configure=configure,
    run=run,
    text="The policy of the coordination branch: what .codifica/guard.json and codifica.json say, and who may do what. "
    "Maintainers change guard.json by one signed commit; --dry-run shows the lines, and they can be written by hand as well. "
    "codifica.json is changed by hand: git commit -S.",
)
