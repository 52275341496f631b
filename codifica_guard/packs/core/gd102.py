"""A push stays within the guard's limits.

Why: everything that is pushed is read. Without limits one push could keep the server busy for hours.

Refused: more than 100,000 new commits, 50,000 refs, or a commit that changes more than 200,000 paths, in one push.

Accepted: any history, in parts.

Do: push in parts, oldest first:

    git push origin HEAD~50000:refs/heads/main
    git push origin main
"""

from collections.abc import Iterator

from codifica_guard.errors import LimitExceeded
from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "GD102", "limit-exceeded", "codifica-guard, limits"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.GUARD, True


def check(error: Exception) -> Iterator[Breach]:
    """Tell of a limit that pushed data went past."""
    if isinstance(error, LimitExceeded):
        yield Breach(
            found=str(error) or "a limit was exceeded",
            expected="a push that can be judged in bounded time",
            do=(
                "make what is too large smaller",
                "too many at once: push in parts, git push origin HEAD~1000:BRANCH, then git push",
            ),
        )
