"""Whose key it is: which commits listed it, how long it is valid, and whether it was revoked."""

from collections.abc import Iterator

from codifica_guard.identity.keys import public_line
from codifica_guard.model.ids import KeyBlob, short
from codifica_guard.model.policy import REVOKED_FILE, SIGNERS_FILE
from codifica_guard.model.times import show_time
from codifica_guard.verbs.evidence import Evidence
from codifica_guard.verbs.lineage import links, revoked_in
from codifica_guard.verbs.proof_case import Case, Told
from codifica_guard.verbs.sheet import Sheet, blob, holds_text, reached


def of_key(case: Case, sheet: Sheet) -> Told:
    """The fact about the key: the commit that listed it, the one that listed that one's key, back to the introduction."""
    key = case.evidence.attribution.key
    if key is None:
        return False, ["none is known"]
    lines: list[str] = []
    holder = case.evidence
    for number, link in enumerate(links(case.past, holder), start=1):
        lines.append(_link(case, sheet, holder, link, number))
        holder = link
    # The introduction is its own fact, and where everything has to come from.
    holds = holder.commit.id == case.introduction
    if not holds and holder.attribution.actor is not None:
        lines.append(f"the commit that listed {holder.attribution.actor}'s key is not found in this history")
    return holds, [*lines, *_validity(case), _revoked(case, sheet, key)]


def _link(case: Case, sheet: Sheet, holder: Evidence, link: Evidence, number: int) -> str:
    """One commit that listed a key."""
    whose, commit = f"{holder.attribution.actor}'s key", short(link.commit.id)
    name = link.name(sheet)
    key = holder.attribution.key
    if key is not None:
        sheet.test(f"{commit} lists {whose}", holds_text(blob(name, SIGNERS_FILE), _encoded(key)))
    if name != holder.name(sheet):
        sheet.test(f"{commit} came before", reached(name, holder.name(sheet)))
    if link.commit.id == case.introduction:
        return f"{whose} is listed since the introduction, {commit}"
    link.lay(sheet, f"listing{number}.")
    who = link.attribution.actor
    by = f"by {who}" if who is not None else "by nobody who is proven"
    return f"{whose} is listed since {commit}, {by}"


def _validity(case: Case) -> Iterator[str]:
    when = "the receipt's time" if case.witness is not None else "the commit's own time"
    for line in case.evidence.lines[:1]:
        since = "" if line.valid_after is None else f" from {show_time(line.valid_after)}"
        until = "" if line.valid_before is None else f" until {show_time(line.valid_before)}"
        yield f"valid{since}{until}, and so at {when}" if since or until else "valid without end"


def _revoked(case: Case, sheet: Sheet, key: KeyBlob) -> str:
    """Whether it was revoked since; what was signed before stands."""
    board = case.board
    if key not in board.policy.revoked:
        tip = sheet.names.of(board.tip, "tip")
        if case.world.trust_ids(board.tip)[3] is None:
            told = f'"$(git ls-tree --full-tree "{tip}" -- {REVOKED_FILE.decode("ascii")})"'
            sheet.test("no key is revoked", f"test -z {told}")
        else:
            sheet.test("it is not revoked", f'case "$({blob(tip, REVOKED_FILE)})" in *{_encoded(key)}*) false ;; esac')
        return f"not revoked at {board.ref} {short(board.tip)}"
    found = revoked_in(case.past, board.tip, key)
    if found is None:
        return f"revoked at {board.ref} {short(board.tip)}: what was there before stands"
    revoked, own = sheet.names.of(found, "revoked"), case.name(sheet)
    step = sheet.names.of(case.past.step(found).tip, "later")
    sheet.test("this commit was there when it was revoked", reached(own, step))
    sheet.test("and does not come after that", f"! {reached(revoked, own)}")
    return f"revoked later, in {short(found)}: what was there before stands"


def _encoded(key: KeyBlob) -> str:
    return public_line(key).split(" ")[1]
