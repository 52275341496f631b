import pytest

from codifica_guard import limits
from codifica_guard.errors import LimitExceeded, UsageError
from codifica_guard.hooks.environment import git_dir, parse_updates

A, B, NULL = b"a" * 40, b"b" * 40, b"0" * 40
LONG = b"c" * 64


def test_each_line_is_an_update_and_null_ids_are_none() -> None:
    data = b"%s %s refs/heads/main\n%s %s refs/tags/v 1\n%s %s r\n" % (A, B, NULL, LONG[:40], A, NULL)
    found = parse_updates(data)
    assert [(u.ref, u.old, u.new) for u in found] == [
        (b"refs/heads/main", A, B), (b"refs/tags/v 1", None, b"c" * 40), (b"r", A, None),
    ]  # fmt: skip
    (update,) = parse_updates(b"%s %s refs/heads/x\n" % (LONG, b"0" * 64))
    assert (update.old, update.new) == (LONG, None)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b" \n", A + b" " + B + b" refs/heads/main", A + b" " + B + b"\n", A + b" " + B + b" \n", A + b" " + LONG + b" r\n",
        A.upper() + b" " + B + b" r\n", b"a" * 39 + b" " + b"b" * 39 + b" r\n", b"g" * 40 + b" " + B + b" r\n", b"\xff\xfe\n",
        A + b" " + B + b" r\n\n", A + b"  " + B + b" r\n", b"- - r\n",
    ],
)  # fmt: skip
def test_what_is_no_list_of_updates_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError):
        parse_updates(data)


def test_too_much_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    line = A + b" " + B + b" refs/heads/"
    with pytest.raises(LimitExceeded, match="70011 bytes"):
        parse_updates(line + b"x" * 70_000 + b"\n")
    assert parse_updates(line + b"x" * (limits.REF_NAME_BYTES - 11) + b"\n")
    monkeypatch.setattr("codifica_guard.hooks.environment.REFS", 3)
    with pytest.raises(LimitExceeded, match="3 ref updates"):
        parse_updates((line + b"x\n") * 4)
    monkeypatch.setattr("codifica_guard.hooks.environment.INPUT_BYTES", 100)
    with pytest.raises(LimitExceeded, match="100 bytes"):
        parse_updates((line + b"x\n") * 3)


def test_the_repository_is_what_git_says_else_the_folder() -> None:
    assert git_dir({b"GIT_DIR": b"x.git"}) == b"x.git"
    assert git_dir({b"GIT_DIR": b""}) == git_dir({}) == b"."
