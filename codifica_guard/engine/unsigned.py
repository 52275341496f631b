"""A repository without keys: `codifica.json` is its whole policy."""

import json
from typing import cast

from codifica_guard.engine.world import StateFiles, World
from codifica_guard.git.store import Store
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.model.policy import Policy
from codifica_guard.model.value import replace
from codifica_guard.policy.defaults import new_guard
from codifica_guard.policy.load import PolicyFiles, load_policy


class Claims(World):
    """A repository read as if `codifica.json` were its whole policy, in force from the commit on that brings it."""

    def __init__(self, store: Store) -> None:
        """Nothing is read before it is asked for, and nothing is ever written."""
        super().__init__(store, None)
        self._settings: dict[bytes, Policy] = {}
        self._listed: dict[StateFiles, tuple[ObjectId, dict[RepoPath, Entry]]] = {}

    def rooted(self, oid: ObjectId) -> bool:  # noqa: ARG002 - the judge's own question
        """There is no introduction: every commit counts."""
        return True

    def own_policy(self, oid: ObjectId) -> Policy | None:
        """What `codifica.json` in a commit's tree comes to; None where there is none."""
        blob = self.trust_ids(oid)[1]
        if blob is None:
            return None
        if blob not in self._settings:
            self._settings[blob] = settings_alone(self._file(blob) or b"", blob)
        return self._settings[blob]

    policy = own_policy

    def _entries(self, tree: ObjectId, files: StateFiles) -> tuple[tuple[RepoPath, Entry], ...]:
        """The state documents of a tree, from those of the tree before it: a history names thousands of alike trees."""
        before = self._listed.get(files) if files.literal() is None else None
        if before is None:
            found = dict(super()._entries(tree, files))
        else:
            changed = {path: sides[1] for path, sides in self.delta(before[0], tree).items() if path in files}
            found = {path: e for path, e in {**before[1], **changed}.items() if e is not None}
        self._listed[files] = tree, found
        return tuple(sorted(found.items()))


def settings_alone(codifica: bytes, blob: bytes | None = None) -> Policy:
    """The policy of a repository that has a `codifica.json` and no keys.

    Everything else is as `init` proposes it, with a human's word on what agents build: no writer keys are asked for, and nobody
    is a maintainer.

    Args:
        codifica: the file's bytes; more than `POLICY_BYTES` of them are a fault.
        blob: its object id, if it is one.
    """
    guard = json.dumps(new_guard("0" * 32, "human:nobody", self_approval="refuse", writer_tokens="optional")).encode()
    data = codifica if len(codifica) <= POLICY_BYTES else b"\0"
    files = PolicyFiles(guard=guard, codifica=data, signers=None, revoked=None, ids=(None,) * 4)
    found = cast("Policy", load_policy(files))  # there is a guard.json: this one
    faults = tuple(fault for fault in found.faults if fault.code == "CD110")
    return replace(found, key=(None, blob, None, None), faults=faults)
