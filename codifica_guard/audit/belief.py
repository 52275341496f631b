"""Which receipts are believed: those up to the first one that is not the server's word, or does not follow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from codifica_guard.audit.faults import fault
from codifica_guard.audit.receipt_file import read_receipt
from codifica_guard.engine.world import World
from codifica_guard.errors import (
    CannotTell,
    LimitExceeded,
    MalformedObject,
    MalformedReceipt,
    MissingObject,
    SignatureError,
)
from codifica_guard.git.changes import entry_at
from codifica_guard.git.history import first_parents
from codifica_guard.identity import sshsig
from codifica_guard.identity.allowed_signers import matches, principals_of, valid_at
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.keys import fingerprint
from codifica_guard.identity.patterns import list_reaches
from codifica_guard.limits import RECEIPT_BYTES
from codifica_guard.model.audited import Noted
from codifica_guard.model.ids import KeyBlob, ObjectId, RefName, short
from codifica_guard.model.policy import SignerLine
from codifica_guard.model.receipt import PUSH, RECEIPT_FILE, Receipt
from codifica_guard.model.value import EMPTY, value
from codifica_guard.rules.audit_view import AuditView

CUT: Final = "the chain of receipts is cut at {}, so nobody can say what it holds"
UNSHALLOW: Final = "git fetch --unshallow"


@value
class Link:
    """One receipt that is believed.

    Attributes:
        commit: the commit that holds it.
        receipt: what it says.
        key: fingerprint of the server's key that signed it.
    """

    commit: ObjectId
    receipt: Receipt
    key: str


@value
class End:
    """Where belief has got to.

    Attributes:
        commit: the newest receipt that is believed; None where there is none.
        number: its number, 0 where there is none.
        tips: where it has every judged branch.
        time: its time, None where there is none.
    """

    commit: ObjectId | None = None
    number: int = 0
    tips: Mapping[RefName, ObjectId] = EMPTY
    time: int | None = None


@value
class Belief:
    """What is believed of a chain.

    Attributes:
        links: the receipts that are believed and are not known from before, oldest first.
        end: where belief ends.
        stop: the finding about the first one that is not believed; None where all are.
        claimed: where the receipts that are not believed have the branches; None where nobody can say, so that they may mean any.
    """

    links: tuple[Link, ...] = ()
    end: End = End()
    stop: Noted | None = None
    claimed: Mapping[RefName, ObjectId] | None = EMPTY


Lawful = Callable[[World, ObjectId], bool]
"""Whether a commit may list a server's key."""


class Servers:
    """The servers' keys that the policies of a history list."""

    def __init__(self, lines: Iterable[SignerLine] = ()) -> None:
        self.lines: dict[SignerLine, None] = dict.fromkeys(lines)

    def __bool__(self) -> bool:
        """Whether any server is listed."""
        return bool(self.lines)

    def learn(self, world: World, commits: Iterable[ObjectId], lawful: Lawful | None = None) -> None:
        """Take in what the policies of some commits list.

        Args:
            world: what is read.
            commits: the commits.
            lawful: whether a commit may list a key that none of its parents lists; None where all are taken at their word.
        """
        seen: set[tuple[bytes | None, ...]] = set()
        for oid in commits:
            ids = world.trust_ids(oid)
            if ids[0] is None or (lawful is None and ids in seen):
                continue
            seen.add(ids)
            own = lawful is None or oid == world.introduction  # the introduction is what everything stands on
            parents = () if own else world.store.commit(oid).parents
            if any(world.trust_ids(parent)[2] == ids[2] for parent in parents):
                continue
            new = _listed(world, oid).keys() - {line for parent in parents for line in _listed(world, parent)}
            if new - self.lines.keys() and (own or lawful is None or lawful(world, oid)):
                self.lines |= dict.fromkeys(line for line in _listed(world, oid) if line in new)

    def of(self, key: KeyBlob) -> tuple[SignerLine, ...]:
        """The lines of one key."""
        return tuple(line for line in self.lines if line.key == key)


def _listed(world: World, oid: ObjectId) -> dict[SignerLine, None]:
    """The lines of servers in a commit's own policy."""
    policy = world.own_policy(oid)
    lines = policy.signers if policy is not None else ()
    return {
        _unnumbered(line): None
        for line in lines
        if list_reaches(line.principals, "server") and principals_of((line,), line.key, GIT_NAMESPACE)
    }


def _unnumbered(line: SignerLine) -> SignerLine:
    """A line wherever it stands: a file that grows above it changes nothing."""
    return SignerLine(
        principals=line.principals,
        key=line.key,
        namespaces=line.namespaces,
        valid_after=line.valid_after,
        valid_before=line.valid_before,
        line=0,
    )


def chain_behind(
    world: World, tip: ObjectId, known: ObjectId | None, cuts: frozenset[ObjectId]
) -> tuple[list[ObjectId], bool]:
    """The commits of a chain, oldest first, and whether they begin behind the one that is known; one that cannot be read ends it.

    Raises:
        CannotTell: the chain is cut.
    """
    found: list[ObjectId] = []
    try:
        for oid in first_parents(world.store, tip):
            if oid == known:
                return found[::-1], True
            if world.store.commit(oid).faults:
                break
            found.append(oid)
            if oid in cuts:
                raise CannotTell(CUT.format(short(oid)), UNSHALLOW)
    except MalformedObject:
        pass
    except MissingObject as error:
        raise CannotTell(
            f"the chain of receipts is not whole here: {error}", "git fetch origin '+refs/codifica/*:refs/codifica/*'"
        ) from error
    return found[::-1], False


def believe(
    world: World,
    chain: Sequence[ObjectId],
    servers: Servers,
    coordination: RefName,
    repository: str,
    start: End,
    policy: ObjectId,
) -> Belief:
    """What is believed of a chain: every receipt up to the first one with a fault.

    Args:
        world: what is read.
        chain: its commits, oldest first, behind `start`.
        servers: the keys that count.
        coordination: the coordination branch, whose policy may have revoked a key.
        repository: the repository's id.
        start: where belief has got to before.
        policy: a commit whose policy is named to whoever checks by hand.
    """
    walk = _Walk(world, servers, coordination, repository, start)
    told = next((told for oid in chain if (told := walk.take(oid)) is not None), None)
    links = walk.links
    swapped = _swapped(links, start.tips)
    if swapped is not None:
        links, told = links[: swapped[0]], ("AU103", swapped[1], links[swapped[0]].receipt.number)
    end = _end(links[-1]) if links else start
    if told is None:
        return Belief(links=tuple(links), end=end)
    code, said, number = told
    wrong = chain[len(links)]
    view = AuditView(said=said, receipt=wrong, number=number)
    at = world.store.commit(wrong).committer_time
    return Belief(
        links=tuple(links), end=end, stop=fault(code, view, at, policy), claimed=_claimed(world, chain[len(links) :])
    )


def _swapped(links: Sequence[Link], tips: Mapping[RefName, ObjectId]) -> tuple[int, str] | None:
    """The first receipt that begins where later ones of its branch lead to, and words for it: they changed places.

    A branch that went back in a pause may come to a tip twice.
    """
    at = dict(tips)
    for place, link in enumerate(links):
        receipt = link.receipt
        if receipt.kind == PUSH and receipt.ref is not None:
            if receipt.old is not None and receipt.old != at.get(receipt.ref):
                other = _leading(links[place + 1 :], receipt.ref, at.get(receipt.ref), receipt.old)
                if other is not None:
                    return place, f"receipt {receipt.number} begins where receipt {other} ends, which comes behind it"
            at = dict(receipt.tips)
    return None


def _leading(links: Sequence[Link], ref: RefName, start: ObjectId | None, end: ObjectId) -> int | None:
    """The number of the receipt by which some receipts lead a branch from one tip to another; None where none do."""
    reached = {start}
    for link in links:
        receipt = link.receipt
        if receipt.ref != ref:
            continue
        if receipt.paused:
            break
        if receipt.old in reached and receipt.new is not None:
            reached.add(receipt.new)
            if receipt.new == end:
                return receipt.number
    return None


def _end(link: Link) -> End:
    receipt = link.receipt
    return End(commit=link.commit, number=receipt.number, tips=receipt.tips, time=receipt.time)


def _claimed(world: World, rest: Sequence[ObjectId]) -> Mapping[RefName, ObjectId] | None:
    """Where receipts that are not believed have the branches; None where the newest cannot be read."""
    try:
        return _receipt(world, rest[-1]).tips
    except (MalformedReceipt, LimitExceeded, MalformedObject):
        return None


class _Walk:
    """The receipts so far."""

    def __init__(self, world: World, servers: Servers, coordination: RefName, repository: str, start: End) -> None:
        self._world, self._servers = world, servers
        self._coordination, self._repository = coordination, repository
        self.end = start
        self.links: list[Link] = []
        self._lines: dict[KeyBlob, tuple[SignerLine, ...]] = {}

    def take(self, oid: ObjectId) -> tuple[str, str, int | None] | None:
        """Take one more receipt; or the rule's code, words and number that tell why it is not believed."""
        commit = self._world.store.commit(oid)
        try:
            receipt: Receipt | None = _receipt(self._world, oid)
            torn = ""
        except (MalformedReceipt, LimitExceeded, MalformedObject) as error:
            receipt, torn = None, str(error)
        number = receipt.number if receipt is not None else None
        try:
            blob = sshsig.dearmour(commit.signature or b"")
            key = sshsig.check(blob, commit.signed, GIT_NAMESPACE).key
        except SignatureError as error:
            return (
                "AU104",
                f"its signature does not hold: {error}" if commit.signature else "nobody has signed it",
                number,
            )
        unheard = self._unheard(key, receipt)
        if unheard:
            return "AU104", unheard, number
        if receipt is None:
            return "AU103", f"{short(oid)} is signed by the server and holds no receipt: {torn}", None
        apart = self._apart(receipt, len(commit.parents))
        if apart:
            return "AU103", apart, number
        self.links.append(Link(commit=oid, receipt=receipt, key=fingerprint(key)))
        self.end = _end(self.links[-1])
        return None

    def _unheard(self, key: KeyBlob, receipt: Receipt | None) -> str:
        """Why a key is no word of the server's; empty where it is."""
        if key not in self._lines:
            self._lines[key] = self._servers.of(key)
        lines, shown = self._lines[key], fingerprint(key)
        if not lines:
            return f"it is signed with {shown}, which no policy lists as a server's"
        if key in self._revoked():
            return f"it is signed with {shown}, which was revoked before"
        return self._foreign(receipt, lines, shown) if receipt is not None else ""

    def _foreign(self, receipt: Receipt, lines: tuple[SignerLine, ...], shown: str) -> str:
        """Why a receipt is not of this server and this repository; empty where it is."""
        lines = tuple(line for line in lines if receipt.server.startswith("server:") and matches(line, receipt.server))
        if not lines:
            return f"it says that it is {receipt.server[:80]!a}'s, and the key {shown} is not listed for that"
        if not any(valid_at(line, receipt.time) for line in lines):
            return f"the key {shown} of {receipt.server} was not valid at its time"
        if receipt.repository != self._repository:
            return f"it was made for another repository, {receipt.repository[:80]!a}"
        return ""

    def _revoked(self) -> frozenset[KeyBlob]:
        """The keys that the coordination branch had revoked where the receipts before have it."""
        tip = self.end.tips.get(self._coordination)
        if tip is None or not self._world.store.has(tip):
            return frozenset()
        policy = self._world.own_policy(tip)
        return policy.revoked if policy is not None else frozenset()

    def _apart(self, receipt: Receipt, parents: int) -> str:
        """Why a receipt does not follow from the one before; empty where it does."""
        before = self.end
        if parents > 1:
            return f"receipt {receipt.number} joins two chains"
        if receipt.number != before.number + 1:
            if before.number == 0:
                return f"the first receipt is number {receipt.number}, not 1"
            return f"behind receipt {before.number} comes number {receipt.number}"
        tips = dict(before.tips)
        if receipt.kind == PUSH and receipt.ref is not None:
            tips.pop(receipt.ref, None)
            if receipt.new is not None:
                tips[receipt.ref] = receipt.new
        if dict(receipt.tips) != tips:
            return f"receipt {receipt.number} has other tips of branches than follow from receipt {before.number}"
        return ""


def _receipt(world: World, oid: ObjectId) -> Receipt:
    entry = entry_at(world.store, world.store.commit(oid).tree, RECEIPT_FILE)
    if entry is None or not entry.is_file:
        raise MalformedReceipt("there is no receipt.json")
    return read_receipt(world.store.blob(entry.id, RECEIPT_BYTES))
