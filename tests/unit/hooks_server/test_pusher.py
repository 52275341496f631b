"""Who pushes, as the software says that the admin's config names; what is in the environment without that is nobody's word."""

from collections.abc import Mapping

import pytest

from codifica_guard.git.config import Config
from codifica_guard.hooks.pusher import pusher
from codifica_guard.model.receipt import Pusher

ALL: Mapping[bytes, bytes] = {
    b"GITEA_PUSHER_NAME": b"alice",
    b"GL_USER": b"bob",
    b"GL_USERNAME": b"carol",
    b"GL_ID": b"key-7",
    b"GL_PROTOCOL": b"ssh",
    b"REMOTE_USER": b"dave",
    b"AUTH_TYPE": b"Basic",
}


def said(source: str | None, environ: Mapping[bytes, bytes]) -> Pusher:
    return pusher(Config({} if source is None else {"codifica.pusher": (source,)}), environ)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (None, Pusher()),
        ("none", Pusher()),
        ("", Pusher()),
        ("svn", Pusher()),
        ("gitea", Pusher(name="alice", by="gitea")),
        (" Gitea ", Pusher(name="alice", by="gitea")),
        ("gitolite", Pusher(name="bob", by="gitolite")),
        ("gitlab", Pusher(name="carol", by="gitlab", how="key-7, ssh")),
        ("http", Pusher(name="dave", by="http", how="basic")),
    ],
)
def test_only_the_source_that_the_config_names_is_believed(source: str | None, expected: Pusher) -> None:
    assert said(source, ALL) == expected


@pytest.mark.parametrize("source", ["gitea", "gitolite", "gitlab", "http"])
def test_a_source_that_says_nothing_names_nobody(source: str) -> None:
    assert said(source, {}) == Pusher(by=source)


@pytest.mark.parametrize(
    ("more", "name", "how"),
    [
        ({b"GITEA_KEY_ID": b"12"}, "alice", "key 12"),
        ({b"GITEA_KEY_ID": b"0", b"GITEA_DEPLOY_KEY_ID": b"0"}, "alice", ""),
        ({b"GITEA_DEPLOY_KEY_ID": b"5", b"GITEA_KEY_ID": b"9"}, "", "deploy key 5, key 9"),
        ({b"GITEA_ACTIONS_TASK_ID": b"3"}, "alice", "actions task 3"),
        ({b"GITEA_PR_ID": b"8", b"SSH_ORIGINAL_COMMAND": b"gitea-internal"}, "alice", "pull request id 8, web"),
        ({b"SSH_ORIGINAL_COMMAND": b"gitea-internal x"}, "alice", ""),
    ],
)
def test_gitea_says_by_which_key_and_a_deploy_key_is_nobodys(more: dict[bytes, bytes], name: str, how: str) -> None:
    assert said("gitea", {**ALL, **more}) == Pusher(name=name, by="gitea", how=how)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (b"a\nb\x1b[31m\x00", "a?b?[31m?"),
        ("j\u00fcrgen\u2028 \u202e".encode(), "j\u00fcrgen? ?"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"x" * 10_000_000, "x" * 120),
        (b"  alice \t", "alice"),
    ],
)
def test_what_is_said_is_cleaned_and_cut(value: bytes, shown: str) -> None:
    assert said("gitolite", {b"GL_USER": value}).name == shown
    assert said("gitlab", {b"GL_ID": value}).how == shown
