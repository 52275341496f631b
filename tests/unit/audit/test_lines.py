"""Acts as lines of receipts: transitions only, and no text longer than it need be."""

from codifica_guard.audit.lines import line_of
from codifica_guard.limits import RECEIPT_TEXT
from codifica_guard.model.act import Mark
from codifica_guard.model.receipt import Line
from tests.building.audits import ALICE, FINGERPRINTS, act, oid


def test_an_act_is_told_in_one_line() -> None:
    done = act("FEAT-1", "to_be_tested", "done", ALICE, 7, mark=Mark.TOUCHED)
    assert line_of(done) == Line(
        record="codifica/FEAT-1", source="to_be_tested", target="done", actor=ALICE, key=FINGERPRINTS[ALICE], proof="H",
        commit=oid(("FEAT-1", "to_be_tested", "done", 7)),
    )  # fmt: skip


def test_pushed_texts_are_cut() -> None:
    long = "x" * 100_000
    line = line_of(act(long, long, long, None, 7))
    assert (line.record, line.source, line.target) == (
        "codifica/" + "x" * RECEIPT_TEXT,
        "x" * RECEIPT_TEXT,
        "x" * RECEIPT_TEXT,
    )
