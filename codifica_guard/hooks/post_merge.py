"""`post-merge`: what a pull brought that concerns you; it cannot refuse."""

from codifica_guard.clone.desk import open_desk
from codifica_guard.git.refs import resolve
from codifica_guard.hooks.news import tell_news


def run(arguments: list[str], now: int) -> int:
    """Tell what the merge that just ended brought; always 0."""
    del arguments  # whether it was a squash changes nothing
    with open_desk(now) as desk:
        policy, head = desk.policy, desk.head
        before = resolve(desk.location, b"ORIG_HEAD")[1]
        if policy is not None and head is not None and before is not None:
            tell_news(desk, policy, before, head)
    return 0
