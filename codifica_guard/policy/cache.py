"""Checked policies, kept by the ids of their files, so that an ordinary push checks nothing twice.

One file a policy: a line with the SHA-256 of what follows, then plain JSON. The name holds the ids and this package's version;
whatever is damaged, foreign or unreadable counts as absent. Only the owner of the folder can put a wrong one there, and he owns
the server anyway.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from codifica_guard import __version__
from codifica_guard.model.ids import KeyBlob, RepoPath
from codifica_guard.model.policy import CodificaConfig, Globs, GuardConfig, Policy, PolicyFault, SignerLine
from codifica_guard.model.value import fields

_FORMAT: Final = 2
_KEPT: Final = 64
_LARGEST: Final = 16 * 1024 * 1024
_MODE: Final = 0o600


class PolicyCache:
    """A folder of checked policies; never raises, at worst it keeps nothing."""

    def __init__(self, folder: bytes, *, keep: bool = True) -> None:
        """A cache in a folder, which is made when the first policy is kept.

        Args:
            folder: its path; at most 64 files are kept in it.
            keep: whether anything is; else it is only read.
        """
        self._folder = folder
        self._keep = keep

    def get(self, ids: tuple[bytes | None, ...]) -> Policy | None:
        """The policy that was kept for these files; None where there is none that can be relied on."""
        try:
            path = self._path(ids)
            if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST:  # noqa: PTH113, PTH202  as below; a pipe would never end
                return None
            with open(path, "rb") as file:  # noqa: PTH123  pathlib costs an import on the way of every push
                digest, _, body = file.read().partition(b"\n")
        except (OSError, ValueError):
            return None
        if digest != hashlib.sha256(body).hexdigest().encode():
            return None
        # Only here: a repository without policy needs no JSON.
        import json  # noqa: PLC0415

        try:
            return _policy(json.loads(body), ids)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None  # whole, but of another shape: written by other code of the same version

    def put(self, policy: Policy) -> None:
        """Keeps a policy, whole or not at all; the oldest go when there are too many."""
        if not self._keep:
            return
        # Only here, as above.
        import json  # noqa: PLC0415

        body = json.dumps(_plain(policy), separators=(",", ":")).encode()
        path = self._path(policy.key)
        draft = b"%s.%d" % (path, os.getpid())
        try:
            os.makedirs(self._folder, exist_ok=True)  # noqa: PTH103  as above
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, _MODE)
        except (OSError, ValueError):
            return
        try:
            with open(handle, "wb") as file:  # noqa: PTH123  as above
                file.write(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            os.replace(draft, path)  # noqa: PTH105  as above
            self._prune()
        except OSError:
            with suppress(OSError):
                os.unlink(draft)  # noqa: PTH108  as above

    def _path(self, ids: tuple[bytes | None, ...]) -> bytes:
        parts = (b"-" if oid is None else oid for oid in ids)
        key = b"\n".join((__version__.encode(), b"%d" % _FORMAT, *parts))
        return os.path.join(self._folder, b"policy-" + hashlib.sha256(key).hexdigest()[:40].encode())  # noqa: PTH118  as above

    def _prune(self) -> None:
        with os.scandir(self._folder) as entries:
            found = sorted(
                (e.stat(follow_symlinks=False).st_mtime, e.path) for e in entries if e.name.startswith(b"policy-")
            )
        for _, path in found[:-_KEPT]:
            os.unlink(path)  # noqa: PTH108  as above


def _plain(policy: Policy) -> dict[str, Any]:
    codifica = policy.codifica
    return {
        "guard": {**_fields(policy.guard), "protected_branches": _fields(policy.guard.protected_branches)},
        "codifica": codifica
        and {
            **_fields(codifica),
            "spec": codifica.spec.decode(),
            "assets": codifica.assets.decode(),
            "state": _fields(codifica.state),
            "scope": _fields(codifica.scope),
        },
        "signers": [{**_fields(line), "key": line.key.hex()} for line in policy.signers],
        "revoked": sorted(key.hex() for key in policy.revoked),
        "faults": [{**_fields(fault), "path": fault.path.decode()} for fault in policy.faults],
    }


def _fields(value: Any) -> dict[str, Any]:
    found = {name: getattr(value, name) for name in fields(value)}
    return {name: dict(field) if isinstance(field, Mapping) else field for name, field in found.items()}


def _policy(plain: dict[str, Any], ids: tuple[bytes | None, ...]) -> Policy:
    """The reverse of `_plain`; its input came from there, as the digest and the version say."""
    guard = _tuples(plain["guard"])
    codifica = None if plain["codifica"] is None else _tuples(plain["codifica"])
    return Policy(
        guard=GuardConfig(**{**guard, "protected_branches": Globs(**_tuples(guard["protected_branches"]))}),
        codifica=None
        if codifica is None
        else CodificaConfig(
            **{
                **codifica,
                "spec": RepoPath(codifica["spec"].encode()),
                "assets": RepoPath(codifica["assets"].encode()),
                "state": Globs(**_tuples(codifica["state"])),
                "scope": Globs(**_tuples(codifica["scope"])),
            }
        ),
        signers=tuple(SignerLine(**{**_tuples(s), "key": KeyBlob(bytes.fromhex(s["key"]))}) for s in plain["signers"]),
        revoked=frozenset(KeyBlob(bytes.fromhex(key)) for key in plain["revoked"]),
        key=ids,
        faults=tuple(PolicyFault(**{**f, "path": RepoPath(f["path"].encode())}) for f in plain["faults"]),
    )


def _tuples(plain: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
