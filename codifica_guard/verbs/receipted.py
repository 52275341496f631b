"""Who saw it, and when: the server's receipt."""

from codifica_guard.audit.witness import Witness
from codifica_guard.git.refs import resolve
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.policy import SIGNERS_FILE, Policy
from codifica_guard.model.receipt import RECEIPT_FILE, RECEIPTS, Receipt
from codifica_guard.model.times import show_time, stamp
from codifica_guard.report.plain import plain
from codifica_guard.verbs.evidence import lay_git, listing, verify
from codifica_guard.verbs.lineage import listed_in
from codifica_guard.verbs.proof_case import Case, Told, key_shown
from codifica_guard.verbs.sheet import Sheet, blob, holds_text, reached


def of_receipt(case: Case, sheet: Sheet) -> Told:
    """The fact about what the server saw; that it saw nothing speaks against nobody."""
    witness = case.witness
    if witness is None:
        return True, [_unseen(case)]
    receipt, pusher = witness.receipt, witness.receipt.pusher
    how = f", {plain(pusher.how)}" if pusher.how else ""
    who = f"pusher {plain(pusher.name)} ({plain(pusher.by)}{how})" if pusher.name else "the server knows no pusher"
    lines = [
        f"receipt {receipt.number} by {plain(receipt.server)}, {show_time(receipt.time, exact=True)}, {who}",
        f"signed with {key_shown(witness.key)}",
    ]
    if receipt.late:
        lines.append("written late: the push's own hook did not come to it")
    if receipt.paused:
        lines.append("it passed in a pause: no rule held it up")
    codes = sorted({plain(w.code) for w in receipt.warnings if w.commit == case.commit.id})
    if codes:
        lines.append(f"the pusher was warned: {', '.join(codes)}")
    _lay(case, sheet, witness)
    return True, lines


def _unseen(case: Case) -> str:
    if resolve(case.board.desk.location, RECEIPTS)[1] is not None:
        return "no receipt of a server that the policy lists saw it"
    remote = case.board.desk.remote
    return (
        f"no receipts are here; if the server keeps some: git fetch {plain(remote)} '+refs/codifica/*:refs/codifica/*'"
    )


def _lay(case: Case, sheet: Sheet, witness: Witness) -> None:
    receipt, store = witness.receipt, case.world.store
    name = sheet.names.of(witness.commit, "receipt")
    law, policy = _law(case, witness)
    listed = sheet.file(
        "receipt.signers",
        f"the servers are those of {short(law)}",
        blob(sheet.names.of(law, "tip"), SIGNERS_FILE),
        case.file(law, SIGNERS_FILE),
    )
    content = sheet.file(
        "receipt.json", "it says what is said here", blob(name, RECEIPT_FILE), case.file(witness.commit, RECEIPT_FILE)
    )
    covered, signature = lay_git(sheet, store.commit(witness.commit), name, store.raw(witness.commit)[1], "receipt.")
    lines = listing(policy, witness.key, receipt.server, "git")
    dated = any(line.valid_after is not None or line.valid_before is not None for line in lines)
    moment = receipt.time if dated else None
    says = f"the signature is {receipt.server}'s, over this"
    sheet.test(says, verify("git", listed, receipt.server, signature, covered, moment))
    if not dated:
        sheet.test("Git says the same", f'git -c gpg.ssh.allowedSignersFile={listed} verify-commit "{name}"')
    _lay_push(case, sheet, receipt, content)
    sheet.test("it is in the chain", reached(name, RECEIPTS.decode("ascii")))


def _lay_push(case: Case, sheet: Sheet, receipt: Receipt, content: str) -> None:
    """That the commit came with the push: the new tip has it, and the old one had not."""
    own = case.name(sheet)
    sheet.test("it says when", holds_text(f"cat {content}", f'"time": "{stamp(receipt.time)}"'))
    for label, tip in (("new", receipt.new), ("old", receipt.old)):
        if tip is None:
            continue
        name = sheet.names.of(tip, label)
        says = f'case "$(cat {content})" in *"\\"{label}\\": \\"{name}\\""*) ;; *) false ;; esac'
        sheet.test(f"it says that {label} is {short(tip)}", says)
        if label == "old":
            sheet.test("this commit was not there before", f"! {reached(own, name)}")
        elif name != own:
            sheet.test("this commit came with that", reached(own, name))


def _law(case: Case, witness: Witness) -> tuple[ObjectId, Policy]:
    """A commit whose policy lists the server's key: the branch's tip, else the newest one that began to."""
    tip, policy = case.board.tip, case.board.policy
    if listing(policy, witness.key, witness.receipt.server, "git"):
        return tip, policy
    found = listed_in(case.past, tip, witness.key, witness.receipt.server, "git")
    known = None if found is None else case.world.own_policy(found)
    return (found, known) if found is not None and known is not None else (tip, policy)
