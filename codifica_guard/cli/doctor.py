"""`doctor`: whether the guard really stands, in a bare repository or a clone."""

import argparse
import os
import time
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.introduction import policy_at_head, verify_introduction
from codifica_guard.cli.key_doubts import key_doubts
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.hand import find_key, name_actor
from codifica_guard.identity.keys import fingerprint
from codifica_guard.install.check import Probes
from codifica_guard.install.doctor import examine, exit_code, fix, lines
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.server import DoctorData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("repository", nargs="?", default=".", help="a bare repository, or a clone (here)")
    parser.add_argument(
        "--fix",
        action="store_true",
        help="mend mode bits, missing or old hooks, a lost interpreter, a server key that is missing and never signed",
    )


def run(options: argparse.Namespace) -> Outcome:
    """Mend where that is asked for, then look at everything."""
    path: str = options.repository
    now = int(time.time())
    mended = fix(path, now) if options.fix else None
    found = examine(
        path,
        Probes(
            policy=lambda: policy_at_head(path),
            introduction=lambda commit: verify_introduction(path, commit),
            key=lambda: key_of(path),
            doubts=lambda: key_doubts(path),
            now=now,
        ),
    )
    said = mended.lines if mended is not None and not options.quiet else ()
    code = max(exit_code(found), mended.exit_code if mended is not None else 0)
    data: DoctorData = {
        "fixed": mended.changed if mended is not None else False,
        "checks": [
            {"level": check.level.value.lower(), "name": check.name, "text": check.text, "do": list(check.do)}
            for check in found
        ],
    }
    return Outcome(lines=printable((*said, *lines(found, quiet=options.quiet))), exit=code, data=data)


def key_of(path: str) -> str:
    """The key that a clone signs with, and whose it is.

    Raises:
        GuardError: there is none, or it is not listed for one principal.
    """
    with open_desk(int(time.time()), os.fsencode(path)) as desk:
        signer = find_key(desk, quiet=True)
        who = f"{name_actor(desk, desk.policy, signer)}  " if desk.policy is not None else ""
        return f"{who}{fingerprint(signer.key)}  ({signer.source})"


COMMAND = Command(
    name="doctor",
    summary="does the guard really stand",
    configure=configure,
    run=run,
    text="Look at the hooks, the interpreter, the policy and the introduction of a bare repository or a clone; with -q only failures are shown. On a server the installed hook is run with empty input, which it has to refuse; its key, its receipts and a pause are looked at, too.",
)
