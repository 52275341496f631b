"""The admin's pause: pushes pass, receipts say so, and nobody but the admin has a say in it."""

from collections.abc import Mapping

import pytest

from codifica_guard.errors import LimitExceeded
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.times import show_time, stamp
from codifica_guard.rules.registry import Registry
from tests.unit.engine.land import NOW, Land, work
from tests.unit.hooks_server.served import MAIN, Served

UNTIL = NOW + 60
SERVERS_OWN = ("refs/codifica/receipts", "refs/codifica/x", "refs/replace/" + "a" * 40, "refs/heads/HEAD")


def pause(served: Served, until: str = str(UNTIL), reason: str | None = "the disk was full") -> None:
    served.land.config("codifica.pausedUntil", until)
    if reason is not None:
        served.land.config("codifica.pauseReason", reason)


def illegal(land: Land, parent: ObjectId) -> ObjectId:
    return land.commit({"work.md": work(FEAT_1="x")}, parent)


@pytest.mark.parametrize("until", [str(UNTIL), stamp(UNTIL), f" {UNTIL} ", "2999-01-01T00:00:00+01:00", "999999999999"])
def test_an_illegal_push_passes_and_its_receipt_says_so_until_the_minute_is_over(served: Served, until: str) -> None:
    intro = served.land.introduce()
    bad = illegal(served.land, intro)
    assert served.pre((intro, bad, MAIN))[0] == 1
    pause(served, until)
    told = served.push((intro, bad, MAIN))
    assert told.startswith("codifica-guard: paused until ")
    assert told.endswith("(the disk was full): let in; else refused: ID106")
    [receipt] = served.sound()
    assert (receipt.paused, receipt.reason, receipt.refused) == (True, "the disk was full", ("ID106",))
    assert receipt.until is not None
    assert receipt.until >= UNTIL
    assert [line.source for line in receipt.lines] == [] or all(line.proof == "U" for line in receipt.lines)


def test_in_the_second_of_its_end_it_is_over(served: Served) -> None:
    intro = served.land.introduce()
    bad = illegal(served.land, intro)
    pause(served)
    assert served.pre((intro, bad, MAIN), now=UNTIL - 1)[0] == 0
    assert served.pre((intro, bad, MAIN), now=UNTIL)[0] == 1
    assert served.pre((intro, bad, MAIN), now=UNTIL + 1)[0] == 1


@pytest.mark.parametrize(
    "until", ["", "soon", "-1", "1e12", "9" * 13, "2999-01-01", "2999-01-01T00:00:00", "\u0661" * 10]
)
def test_an_end_that_is_no_time_pauses_nothing(served: Served, until: str) -> None:
    intro = served.land.introduce()
    pause(served, until)
    assert served.pre((intro, illegal(served.land, intro), MAIN))[0] == 1


def test_a_legal_push_is_told_of_the_pause_and_has_nothing_against_it(served: Served) -> None:
    intro = served.land.introduce()
    pause(served, reason=None)
    new = served.land.commit({"src/b.py": "b"}, intro)
    assert served.push((intro, new, MAIN)) == f"codifica-guard: paused until {show_time(UNTIL)}: let in"
    [receipt] = served.sound()
    assert (receipt.paused, receipt.until, receipt.reason, receipt.refused) == (True, UNTIL, "", ())


def test_a_reason_is_shown_without_what_could_disturb(served: Served) -> None:
    intro = served.land.introduce()
    pause(served, reason="caf\u00e9 \x1b[31m" + "x" * 500)
    told = served.push((intro, served.land.commit({"src/b.py": "b"}, intro), MAIN))
    assert "caf\\u00e9 \\u001b[31mxxx" in told
    assert len(told) < 300


def test_rewinding_and_deleting_a_branch_pass_and_have_receipts(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    one = land.commit({"src/b.py": "b"}, intro)
    served.push((intro, one, MAIN))
    pause(served)
    served.push((one, intro, MAIN))
    served.push((intro, None, MAIN), killed=True)
    served.post()
    chain = served.sound()
    assert [(r.old, r.new, r.refused, r.late) for r in chain[1:]] == [
        (one, intro, ("GT101",), False),
        (intro, None, ("GT102",), True),
    ]
    assert chain[-1].tips == {}


@pytest.mark.parametrize("ref", SERVERS_OWN)
def test_what_is_the_servers_stays_the_servers(served: Served, ref: str) -> None:
    intro = served.land.introduce()
    bad = illegal(served.land, intro)
    pause(served)
    code, told = served.pre((None, intro, ref), (intro, bad, MAIN))
    assert code == 1
    assert "push refused, 1 error: GT103" in told
    assert served.pending == []


def test_a_symbolic_ref_does_not_lead_there_either(served: Served) -> None:
    intro = served.land.introduce()
    served.land.plain.git("symbolic-ref", "refs/heads/alias", "refs/codifica/receipts")
    pause(served)
    code, told = served.pre((None, intro, "refs/heads/alias"))
    assert (code, "GT103" in told) == (1, True)


@pytest.mark.parametrize("data", [b"", b"nonsense\n", b"x"])
def test_what_cannot_be_read_is_refused_in_a_pause_too(served: Served, data: bytes) -> None:
    served.land.introduce()
    pause(served)
    assert served.run("pre-receive", data=data)[0] == 1


def test_a_repository_that_has_no_policy_is_silent_in_a_pause_too(served: Served) -> None:
    first = served.land.begin()
    pause(served)
    assert served.push((None, first, MAIN)) == ""
    assert served.receipts() == []


def test_a_guard_that_fails_lets_in_and_the_receipts_say_that_it_failed(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    new = illegal(land, intro)
    land.config("codifica.introduction", "f" * 40)
    assert "GD101" in served.pre((intro, new, MAIN))[1]
    pause(served)
    told = served.push((intro, new, MAIN), (None, new, "refs/heads/topic"), (None, new, "refs/tags/t"))
    assert "let in; else refused: GD101; the guard itself failed, reference for the admin: " in told
    main, topic = served.sound()
    assert (main.refused, topic.refused) == (("GD101",), ("GD101",))
    assert (main.coordinating, topic.coordinating, main.coordination) == (True, False, intro)
    assert (main.introduction, main.repository, main.ruleset, main.lines) == (b"f" * 40, "", 0, ())
    land.config("codifica.introduction", intro.decode())
    served.push((new, land.commit({"src/b.py": "b"}, new), MAIN))
    assert served.sound()[-1].repository == "00112233445566778899aabbccddeeff"


def test_what_a_receipt_cannot_know_is_what_the_one_before_said(served: Served) -> None:
    land = served.land
    intro = land.introduce()
    one = land.commit({"src/b.py": "b"}, intro)
    served.push((intro, one, MAIN))
    land.config("codifica.introduction", "not an id")
    pause(served)
    served.push((one, land.commit({"src/c.py": "c"}, one), MAIN))
    first, second = served.sound()
    assert (second.repository, second.ruleset) == (first.repository, first.ruleset)
    assert second.introduction is None


def test_a_guard_that_fails_still_keeps_what_is_the_servers(served: Served) -> None:
    intro = served.land.introduce()
    served.land.config("codifica.introduction", "f" * 40)
    pause(served)
    assert served.pre((None, intro, "refs/codifica/receipts"))[0] == 1


@pytest.mark.parametrize("damage", ["extension", "head", "coordination"])
def test_whatever_else_is_broken_the_push_passes(served: Served, damage: str) -> None:
    land = served.land
    intro = land.introduce()
    pause(served)
    if damage == "extension":
        land.config("core.repositoryFormatVersion", "1")
        land.config("extensions.unheardOf", "true")
    elif damage == "head":
        land.plain.git("config", "--unset", "codifica.coordination")
        (served.git_dir / "HEAD").write_bytes(b"garbage\n")
    else:
        land.config("codifica.coordination", "a..b")
    code, told = served.pre((intro, illegal(land, intro), MAIN), (None, intro, "refs/heads/a..b"))
    assert (code, "else refused: GD101" in told) == (0, True)


def test_more_than_the_guard_can_take_is_told_by_its_own_code(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> None:
        raise LimitExceeded("more than can be")

    intro = served.land.introduce()
    monkeypatch.setattr(Registry, "under", endless)
    pause(served)
    assert "else refused: GD102" in served.push((intro, illegal(served.land, intro), MAIN))
    assert served.sound()[0].refused == ("GD102",)


def test_without_room_for_the_receipt_the_push_passes_and_is_told(served: Served) -> None:
    intro = served.land.introduce()
    pause(served)
    (served.git_dir / "codifica-guard" / "pending").write_text("in the way")
    code, told = served.pre((intro, illegal(served.land, intro), MAIN))
    assert code == 0
    assert "it will have no receipt, reference for the admin: " in told


def test_a_server_without_a_key_pauses_too(served: Served) -> None:
    served.key.unlink()
    intro = served.land.introduce()
    pause(served)
    assert "let in" in served.push((intro, illegal(served.land, intro), MAIN))
    assert served.receipts() == []


OTHERS: Mapping[str, str] = {
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "codifica.pausedUntil", "GIT_CONFIG_VALUE_0": str(UNTIL),
    "GIT_CONFIG_PARAMETERS": f"'codifica.pausedUntil={UNTIL}'", "CODIFICA_PAUSED_UNTIL": str(UNTIL), "codifica.pausedUntil": str(UNTIL),
    "GIT_PUSH_OPTION_COUNT": "1", "GIT_PUSH_OPTION_0": f"codifica.pausedUntil={UNTIL}",
}  # fmt: skip


def test_no_pusher_sets_a_pause(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    intro = served.land.introduce()
    for name, value in OTHERS.items():
        monkeypatch.setenv(name, value)
    config = served.git_dir.parent / "theirs"
    config.write_text(f"[codifica]\n\tpausedUntil = {UNTIL}\n")
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"):
        monkeypatch.setenv(name, str(config))
    assert served.pre((intro, illegal(served.land, intro), MAIN))[0] == 1


@pytest.mark.parametrize("value", ["0", "1", "999999999999"])
def test_no_pusher_extends_or_hides_one(served: Served, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    intro = served.land.introduce()
    bad = illegal(served.land, intro)
    pause(served)
    for name, set_ in OTHERS.items():
        monkeypatch.setenv(name, set_.replace(str(UNTIL), value))
    assert served.pre((intro, bad, MAIN), now=UNTIL)[0] == 1
    assert "let in; else refused: ID106" in served.push((intro, bad, MAIN))
    [receipt] = served.sound()
    assert (receipt.paused, receipt.until, receipt.refused) == (True, UNTIL, ("ID106",))


def test_a_fault_of_the_guards_own_code_is_no_different(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    intro = served.land.introduce()
    monkeypatch.setattr(Registry, "under", broken)
    pause(served)
    told = served.push((intro, illegal(served.land, intro), MAIN))
    assert ("else refused: GD101" in told, "secret" in told) == (True, False)
    assert "ZeroDivisionError: secret" in (served.git_dir / "codifica-guard" / "errors.log").read_text()
