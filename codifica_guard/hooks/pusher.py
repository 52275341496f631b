"""Who pushes, as the server's own software says it. The admin's config names that software: outside of it the environment is the pusher's."""

from collections.abc import Iterator, Mapping
from typing import Final

from codifica_guard.git.config import Config
from codifica_guard.limits import VALUE_SHOWN
from codifica_guard.model.receipt import Pusher

PUSHER: Final = "codifica.pusher"
"""The setting that names it."""

_NAMES: Final = {
    "gitea": b"GITEA_PUSHER_NAME",
    "gitolite": b"GL_USER",
    "gitlab": b"GL_USERNAME",
    "http": b"REMOTE_USER",
}
"""Where each says the account."""

_GITEA_KEYS: Final = {
    b"GITEA_KEY_ID": "key",
    b"GITEA_ACTIONS_TASK_ID": "actions task",
    b"GITEA_PR_ID": "pull request id",
}
_WEB: Final = b"gitea-internal"
"""How Gitea says that it writes by itself: a web edit, its API, a merge."""


def pusher(config: Config, environ: Mapping[bytes, bytes]) -> Pusher:
    """Who pushes; nobody where the config trusts no source, or the source says nothing. Values are cleaned and cut."""
    by = (config.get(PUSHER) or "").strip().lower()
    variable = _NAMES.get(by)
    if variable is None:
        return Pusher()
    deployed = _number(environ, b"GITEA_DEPLOY_KEY_ID") if by == "gitea" else ""
    # With a deploy key Gitea names the owner of the repository, who need not know of the push.
    name = "" if deployed else _clean(environ.get(variable, b""))
    how = [f"deploy key {deployed}"] if deployed else []
    return Pusher(name=name, by=by, how=", ".join([*how, *_ways(by, environ)]))


def _ways(by: str, environ: Mapping[bytes, bytes]) -> Iterator[str]:
    """What else is said of how he came in."""
    if by == "gitea":
        for variable, what in _GITEA_KEYS.items():
            if number := _number(environ, variable):
                yield f"{what} {number}"
        if environ.get(b"SSH_ORIGINAL_COMMAND") == _WEB:
            yield "web"
    elif by == "gitlab":
        yield from filter(None, (_clean(environ.get(v, b"")) for v in (b"GL_ID", b"GL_PROTOCOL")))
    elif by == "http":
        yield from filter(None, (_clean(environ.get(b"AUTH_TYPE", b"")).lower(),))


def _number(environ: Mapping[bytes, bytes], variable: bytes) -> str:
    """An id; the empty text where there is none, which Gitea writes as 0."""
    text = _clean(environ.get(variable, b""))
    return "" if text.strip("0") == "" else text


def _clean(value: bytes) -> str:
    """A text on one line, without what could disturb who reads it."""
    text = value[: 4 * VALUE_SHOWN].decode("utf-8", "replace").strip()
    return "".join(c if c.isprintable() else "?" for c in text)[:VALUE_SHOWN]
