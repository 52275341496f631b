"""The one place where an error inside the guard becomes an exit code."""

import os
import sys
import time
from collections.abc import Callable

from codifica_guard.errors import GuardError, LimitExceeded, UsageError


def tell(text: str) -> None:
    """Write to standard error; where nobody listens the verdict stays what it is."""
    try:
        sys.stderr.buffer.write(text.encode("ascii", "backslashreplace"))
        sys.stderr.flush()
    except (OSError, ValueError):
        _silence()


def _silence() -> None:
    """Let the interpreter's own flush at exit go nowhere, or it would change the exit code."""
    sys.stderr = open(os.devnull, "w", encoding="ascii")  # noqa: SIM115, PTH123 - it lives until the process ends


def closed(run: Callable[[], int], log: Callable[[], bytes | None]) -> int:
    """Run a server's hook; whatever goes wrong inside refuses the push (GD101, GD102).

    Args:
        run: the hook.
        log: where to write what went wrong; None where nowhere.
    """
    try:
        return run()
    except UsageError as error:
        tell(f"codifica-guard: push refused: {error}\n")
    except Exception as error:  # noqa: BLE001 - fail closed: any error refuses
        tell(_refusal(error, log))
    return 1


def _refusal(error: Exception, log: Callable[[], bytes | None]) -> str:
    from codifica_guard.model.finding import Finding, Verdict  # noqa: PLC0415 - only when something failed
    from codifica_guard.packs.core import gd101, gd102  # noqa: PLC0415
    from codifica_guard.report.terminal import verdict  # noqa: PLC0415

    rule = gd102 if isinstance(error, LimitExceeded) else gd101
    reference = "" if rule is gd102 else record(error, log)
    breaches = gd102.check(error) if rule is gd102 else gd101.check(error, reference)
    found = tuple(
        Finding(code=rule.CODE, name=rule.NAME, severity=rule.SEVERITY, found=b.found, expected=b.expected, do=b.do)
        for b in breaches
    )
    return verdict(Verdict(findings=found))


def record(error: Exception, log: Callable[[], bytes | None]) -> str:
    """Write an error with its trace to the guard's log; the reference that the pusher is told."""
    import traceback  # noqa: PLC0415 - only when something failed

    reference = f"{int(time.time()):x}-{os.getpid():x}"
    try:
        path = log()
        if path is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - paths of Git are bytes
            with open(path, "ab") as file:  # noqa: PTH123
                file.write(
                    f"[{reference}] {''.join(traceback.format_exception(error))}\n".encode("utf-8", "backslashreplace")
                )
    except (OSError, GuardError):
        return f"{reference} (the log could not be written)"
    return reference
