"""A commit's signature, laid out for somebody who has git and ssh-keygen alone."""

from datetime import UTC, datetime
from typing import Final

from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.facts import Facts, deed_of
from codifica_guard.engine.world import World, state_files
from codifica_guard.errors import SignatureError
from codifica_guard.identity import sshsig
from codifica_guard.identity.allowed_signers import matches, principals_of, valid_at
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.keys import parse_public
from codifica_guard.identity.payload import NAMESPACE, WRITER_NAMESPACE
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.commit import SIGNATURE, WRITER, Commit
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import KeyBlob, ObjectId, Principal
from codifica_guard.model.policy import GUARD_FILE, SIGNERS_FILE, Policy, SignerLine
from codifica_guard.report.shell import word
from codifica_guard.rules.view import CommitView
from codifica_guard.verbs.history import History, Law
from codifica_guard.verbs.rebuilding import Rebuilding, runs_of
from codifica_guard.verbs.sheet import Sheet, Spans, blob, commit, cut, holds_text, span, spans

WRITER_NAME: Final = "writer"
"""Whom the list of signers of a writer key names."""

_FLAGS: Final = 5
"""Bytes at the end of a hardware key's signature: what the key saw, and its counter."""


class Evidence:
    """One commit, who is proven to have made it, and what proves that.

    Attributes:
        commit: the commit.
        law: the policy that counted; None where none did.
        at: the time that validity is held against, seconds since the epoch.
    """

    def __init__(self, past: History, oid: ObjectId, name: str) -> None:
        """Look at one commit.

        Args:
            past: the history.
            oid: the commit.
            name: what commands are to call it.
        """
        witness = past.witness(oid)
        self._name = name
        self._world = past.board.desk.world
        self.commit = self._world.store.commit(oid)
        self.law = past.law(oid)
        self._judged = past.view(oid)
        self.at = self.commit.committer_time if witness is None else witness.at

    @property
    def expansion(self) -> Expansion | None:
        """The commit, ready to be judged; None where no policy counted."""
        return None if self._judged is None else self._judged[0]

    @property
    def view(self) -> CommitView | None:
        """The same under that policy."""
        return None if self._judged is None else self._judged[1]

    @property
    def attribution(self) -> Attribution:
        """Who made it."""
        return Attribution() if self.view is None else self.view.attribution

    @property
    def namespace(self) -> str:
        """What the signature is made for."""
        return NAMESPACE if self.attribution.proof is Proof.TRAILER else GIT_NAMESPACE

    @property
    def lines(self) -> tuple[SignerLine, ...]:
        """The lines of the policy that list the key for whoever is proven."""
        if self.law is None or self.attribution.key is None or self.attribution.actor is None:
            return ()
        return listing(self.law.policy, self.attribution.key, self.attribution.actor, self.namespace)

    @property
    def payload(self) -> bytes:
        """What the signed trailers cover."""
        trailers = self._world.trailers(self.commit)
        facts = Facts(self._world, deed_of(self.commit), trailers, lambda: self._world.own_policy(self.commit.id))
        return facts.payload(self.attribution.actor or Principal("-"))

    # -- by hand

    def name(self, sheet: Sheet) -> str:
        """What commands call the commit."""
        return sheet.names.of(self.commit.id, self._name)

    def law_name(self, sheet: Sheet, law: Law) -> str:
        """What commands call the commit that holds the policy."""
        return sheet.names.of(law.commit, "base") if law.beside is None else f"{self.name(sheet)}{law.beside}"

    def lay(self, sheet: Sheet, name: str = "") -> None:
        """Put onto a sheet what shows that this commit is signed by whom it is proven to be.

        Args:
            sheet: the sheet.
            name: what the names of the files begin with.
        """
        actor, law = self.attribution.actor, self.law
        if actor is None or law is None:
            return
        own, there = self.name(sheet), self.law_name(sheet, law)
        signers = _signers_file(self._world, law)
        listed = sheet.file(
            f"{name}signers",
            f"the signers are those of {law.shown(self.commit.id)}",
            blob(there, SIGNERS_FILE),
            signers,
        )
        if self.attribution.proof is Proof.TRAILER:
            covered = self.lay_payload(sheet, name)
            value = self._world.trailers(self.commit).values(SIGNATURE)[0]
            signature = self._lay_trailer(sheet, f"{name}signature", SIGNATURE, value)
        else:
            covered, signature = lay_git(sheet, self.commit, own, self._world.store.raw(self.commit.id)[1], name)
        says = f"the signature is {actor}'s, over this"
        sheet.test(says, verify(self.namespace, listed, actor, signature, covered, self._moment))
        if self.attribution.proof is Proof.GIT and any(
            valid_at(line, self.commit.committer_time) for line in self.lines
        ):
            sheet.test("Git says the same", f'git -c gpg.ssh.allowedSignersFile={listed} verify-commit "{own}"')

    def lay_payload(self, sheet: Sheet, name: str = "") -> str:
        """Put what the signed trailers cover onto a sheet; how commands name the file."""
        payload = self.payload
        world = self._world
        policies = tuple(p for p in map(world.policy, self.commit.parents) if p is not None)
        repository = payload.split(b"\n")[1].removeprefix(b"repository ").decode("ascii")
        if self.law is not None and self.law.policy.guard.repository == repository:
            there = blob(self.law_name(sheet, self.law), GUARD_FILE)
            sheet.test("the repository is the one of the policy", holds_text(there, repository))
        script = Rebuilding(world, self.commit, self.name(sheet), state_files(policies)).script(payload)
        return sheet.file(f"{name}payload", "the payload says what the commit does", script, payload)

    def lay_writer(self, sheet: Sheet, line: str, covered: str) -> None:
        """Put the signature of the session that held the task onto a sheet.

        Args:
            sheet: the sheet.
            line: the public writer key.
            covered: how commands name the payload's file.
        """
        key = parse_public(line).blob
        for value in self._world.trailers(self.commit).values(WRITER):
            try:
                own = sshsig.key_of(sshsig.from_line(value)) == key
            except SignatureError:
                continue
            if own:
                known = sheet.file(
                    "writer.signers",
                    "whom it has to be signed by",
                    f"printf '%s\\n' {word(f'{WRITER_NAME} {line}')}",
                    f"{WRITER_NAME} {line}\n".encode(),
                )
                signature = self._lay_trailer(sheet, "writer.signature", WRITER, value)
                says = "the session that held the task signed it, too"
                sheet.test(says, verify(WRITER_NAMESPACE, known, WRITER_NAME, signature, covered, None))
                return

    def lay_touch(self, sheet: Sheet) -> None:
        """Put onto a sheet that the hardware key saw its user."""
        sheet.test(
            "the key's own flags say that its user was present",
            f"test $(( $({_joined('$d/signature')} | base64 -d | tail -c {_FLAGS} | head -c 1 | od -An -tu1) % 2 )) -eq 1",
        )

    def _lay_trailer(self, sheet: Sheet, name: str, key: bytes, value: bytes) -> str:
        """Put the signature of a trailer onto a sheet, in the form that ssh-keygen takes."""
        data = self._world.store.raw(self.commit.id)[1]
        number = next(n for n, text in enumerate(data.split(b"\n"), start=1) if _is_trailer(text, key, value))
        line = span(commit(self.name(sheet)), number, number)
        source = "\n".join(
            (
                f"{{ printf '%s\\n' {word(sshsig.BEGIN)}",
                f"  {line} | cut -d: -f2 | tr -d ' \\t' | fold -w {sshsig.WIDTH}",
                f"  printf '%s\\n' {word(sshsig.END)}; }}",
            )
        )
        says = f"the signature is the commit's {key.decode('ascii')}"
        return sheet.file(name, says, source, sshsig.armour(sshsig.from_line(value)).encode())

    @property
    def _moment(self) -> int | None:
        """When the key has to be valid; None where it always is."""
        dated = any(line.valid_after is not None or line.valid_before is not None for line in self.lines)
        return self.at if dated else None


def listing(policy: Policy, key: KeyBlob, principal: str, namespace: str) -> tuple[SignerLine, ...]:
    """The lines of a policy that list a key for a principal and a namespace."""
    return tuple(line for line in principals_of(policy.signers, key, namespace) if matches(line, principal))


def verify(namespace: str, signers: str, who: str, signature: str, covered: str, at: int | None) -> str:
    """The command that holds a signature against a list of signers; the files are named as commands name them."""
    moment = "" if at is None else f" -Overify-time={datetime.fromtimestamp(at, UTC):%Y%m%d%H%M%S}"
    return f"ssh-keygen -Y verify -n {namespace} -f {signers} -I {word(who)}{moment} -s {signature} < {covered}"


def lay_git(sheet: Sheet, commit_: Commit, variable: str, data: bytes, name: str = "") -> tuple[str, str]:
    """Put Git's own signature of a commit and what it covers onto a sheet; how commands name the two files.

    Args:
        sheet: the sheet.
        commit_: the commit.
        variable: what commands call it.
        data: its bytes.
        name: what the names of the files begin with.
    """
    own, header_name = commit(variable), b"gpgsig" if len(commit_.id) == 40 else b"gpgsig-sha256"
    around, inside = _signature_lines(data, header_name)
    signed = sheet.file(
        f"{name}signed", "what is signed is the commit without its signature", spans(own, around), cut(data, around)
    )
    header = span(own, *inside)
    text = (commit_.signature or b"").rstrip(b"\n") + b"\n"
    signature = sheet.file(f"{name}signature", "the signature is the commit's", f"{header} | cut -d' ' -f2-", text)
    return signed, signature


def _signature_lines(data: bytes, name: bytes) -> tuple[Spans, tuple[int, int]]:
    """The lines of a commit without all headers of signatures, and those of the header of one name."""
    lines = data.split(b"\n")
    head = lines.index(b"") if b"" in lines else len(lines)
    kept: list[int] = []
    own: list[int] = []
    block = b""
    for number, line in enumerate(lines[: len(lines) - (not lines[-1])], start=1):
        if number <= head and not line.startswith(b" "):
            block = line.partition(b" ")[0]
        inside = number <= head and block.startswith(b"gpgsig")
        (own if inside and block == name else [] if inside else kept).append(number)
    return runs_of(kept), (own[0], own[-1])


def _signers_file(world: World, law: Law) -> bytes:
    oid = world.trust_ids(law.commit)[2]
    return b"" if oid is None else world.store.blob(ObjectId(oid), POLICY_BYTES)


def _is_trailer(line: bytes, key: bytes, value: bytes) -> bool:
    name, colon, rest = line.partition(b":")
    return bool(colon) and name == key and rest.strip(b" \t\r") == value


def _joined(file: str) -> str:
    """The base64 text of an armoured signature on one line."""
    return f"tail -n +2 \"{file}\" | tr -d '\\n' | cut -d- -f1"
