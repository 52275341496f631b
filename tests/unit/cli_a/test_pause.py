"""A pause: bounded, in the open, and nobody's but the admin's; whatever is cut short leaves a trace that the next call tells."""

import json
import time

import pytest

from codifica_guard.install import pausing
from codifica_guard.install.pausing import LONGEST, duration, span
from codifica_guard.model.times import parse_time
from tests.unit.cli_a.places import Clone
from tests.unit.cli_a.servers import config, pushed, receipts, snapshot, unset


@pytest.fixture
def server(shop: Clone) -> Clone:
    shop.install("--introduction", shop.head())
    return shop


def past(server: Clone, seconds: int = 1) -> None:
    """The pause ended so long ago."""
    config(server, "codifica.pausedUntil", str(int(time.time()) - seconds))


def state(server: Clone, *words: str) -> dict[str, object]:
    found = server.guard("pause", server.bare, *words, "--json").ok().json["data"]
    assert isinstance(found, dict)
    return found


# -- how long


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30s", 30),
        ("1m", 60),
        ("2h", 7200),
        ("1h30m", 5400),
        (" 90M ", 5400),
        ("24h", LONGEST),
        ("1d", LONGEST),
        ("0h5m", 300),
    ],
)
def test_a_time_is_read_as_people_write_it(text: str, seconds: int) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "2", "h", "0h", "2 h", "-5m", "1h-5m", "forever", "30m1h", "1.5h", "٣h", "9" * 400 + "h"]
)
def test_a_time_that_is_none_is_refused_with_one_that_is(server: Clone, text: str) -> None:
    server.guard("pause", server.bare, f"--for={text}", "-m", "why").misused("say how long, such as 30m, 2h or 1h30m")
    assert receipts(server) == []


@pytest.mark.parametrize("text", ["24h1s", "2d", "9999h", "7d12h"])
def test_a_long_time_is_refused_with_the_reason_and_two_ways_out(server: Clone, text: str) -> None:
    said = server.guard("pause", server.bare, "--for", text, "-m", "why")
    said.misused("at most 24h", "forgotten", "each extension has its receipt", "git codifica policy set mode report")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (5400, "1 h 30 min"),
        (7199, "1 h 59 min"),
        (86400, "1 d"),
        (90061, "1 d 1 h"),
    ],
)
def test_a_time_that_passes_is_told_in_two_units(seconds: int, text: str) -> None:
    assert span(seconds) == text


# -- set, extended, ended


def test_a_pause_is_set_told_extended_and_ended_each_with_its_receipt(server: Clone) -> None:
    assert server.guard("pause", server.bare).ok().out == "not paused\n"
    before = int(time.time())
    said = server.guard("pause", server.bare, "--for", "2h", "-m", 'the disk is #full, "again"').ok().out
    for word in ("paused   until", "2 h from now", "receipt  1;", f"codifica-guard pause {server.bare} --end"):
        assert word in said
    until = parse_time(config(server, "codifica.pausedUntil"))
    assert until is not None
    assert before + 7200 <= until <= time.time() + 7200
    assert config(server, "codifica.pauseReason") == 'the disk is #full, "again"'
    told = server.guard("pause", server.bare).ok().out
    assert 'why      the disk is #full, "again"' in told
    assert "note" not in told

    said = server.guard("pause", server.bare, "--for", "30m", "-m", "nearly").ok().out
    assert ", was until " in said
    assert state(server)["reason"] == "nearly"

    assert "the rules hold again" in server.guard("pause", server.bare, "--end", "-m", "disk replaced").ok().out
    assert (config(server, "codifica.pausedUntil"), config(server, "codifica.pauseReason")) == ("", "")
    assert server.guard("pause", server.bare).ok().out == "not paused\n"
    assert server.guard("pause", server.bare, "--end").ok().out == "not paused: nothing to do\n"
    first, second, third = receipts(server)
    assert [(r.number, r.kind, r.paused, r.reason) for r in (first, second, third)] == [
        (1, "pause", True, 'the disk is #full, "again"'),
        (2, "pause", True, "nearly"),
        (3, "pause", False, "disk replaced"),
    ]
    assert (first.until, third.until) == (int(until), None)
    assert first.repository == server.policy()["repository"]
    assert first.introduction == server.head().encode()
    assert len({r.push for r in (first, second, third)}) == 3
    assert third.ruleset == 1


def test_programs_read_the_same(server: Clone) -> None:
    set_ = state(server, "--for", "1h", "-m", "why")
    assert (set_["state"], set_["receipt"], set_["changed"], set_["reason"]) == ("on", 1, True, "why")
    assert set_["until"] == config(server, "codifica.pausedUntil")
    told = state(server)
    assert told == {**set_, "receipt": None, "changed": False, "lines": told["lines"]}
    past(server)
    assert state(server)["state"] == "over"
    ended = state(server, "--end")
    assert (ended["state"], ended["until"], ended["changed"]) == ("off", None, True)
    assert json.loads(server.guard("pause", server.bare, "--for", "1y", "--json").out)["exit"] == 2


def test_a_dry_run_changes_nothing(server: Clone) -> None:
    before = snapshot(server.bare)
    said = server.guard("pause", server.bare, "--for", "2h", "-m", "why", "--dry-run").ok().out
    assert [line.split()[:3] for line in said.splitlines()[1:-1]] == [
        ["would", "write", "receipt"],
        ["would", "set", "codifica.pauseReason"],
        ["would", "set", "codifica.pausedUntil"],
    ]
    assert said.endswith("nothing was changed\n")
    assert snapshot(server.bare) == before
    server.guard("pause", server.bare, "--for", "2h", "-m", "why").ok()
    before = snapshot(server.bare)
    said = server.guard("pause", server.bare, "--end", "--dry-run").ok().out
    assert [line.split()[:3] for line in said.splitlines()[1:-1]] == [
        ["would", "write", "receipt"],
        ["would", "unset", "codifica.pausedUntil"],
        ["would", "unset", "codifica.pauseReason"],
    ]
    assert snapshot(server.bare) == before


def test_a_pause_that_is_over_needs_no_receipt_of_its_end(server: Clone) -> None:
    server.guard("pause", server.bare, "--for", "2h", "-m", "why").ok()
    pushed(server, None, server.head())
    # As if all of it had been two hours earlier: what the receipts say of its end is over too.
    found = pausing.recorded_pause
    past(server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pausing, "recorded_pause", lambda repository, now: found(repository, now + 7200))
        said = server.guard("pause", server.bare).ok().out
        assert "not paused   over since" in said
        assert "would unset" in server.guard("pause", server.bare, "--end", "--dry-run").ok().out
        assert "it was over since" in server.guard("pause", server.bare, "--end").ok().out
    assert config(server, "codifica.pausedUntil") == ""
    assert len(receipts(server)) == 2


# -- cut short


def cut(server: Clone, patch: pytest.MonkeyPatch, *words: str) -> None:
    """A call that ends between its receipt and the config, whichever comes first."""

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    name = "apply" if "--for" in words else "write_down"
    with patch.context() as patched:
        patched.setattr(pausing, name, killed)
        assert server.guard("pause", server.bare, *words).code == 130


def test_a_pause_that_was_cut_short_is_in_the_receipts_and_told(server: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(server, monkeypatch, "--for", "2h", "-m", "why")
    assert config(server, "codifica.pausedUntil") == ""
    assert [r.paused for r in receipts(server)] == [True]
    said = server.guard("pause", server.bare).ok().out
    assert "not paused" in said
    assert "receipt 1 says until" in said
    assert f"codifica-guard pause {server.bare} --end" in said
    assert "receipt 1 says until" in server.guard("doctor", server.bare).ok().out
    server.guard("pause", server.bare, "--end").ok()
    assert [r.paused for r in receipts(server)] == [True, False]
    assert server.guard("pause", server.bare).ok().out == "not paused\n"
    assert "says until" not in server.guard("doctor", server.bare).ok().out


def test_an_end_that_was_cut_short_holds_and_the_next_call_writes_it(
    server: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.guard("pause", server.bare, "--for", "2h", "-m", "why").ok()
    cut(server, monkeypatch, "--end")
    assert config(server, "codifica.pausedUntil") == ""
    assert [r.paused for r in receipts(server)] == [True]
    assert "receipt 1 says until" in server.guard("pause", server.bare).ok().out
    server.guard("pause", server.bare, "--end").ok()
    assert [r.paused for r in receipts(server)] == [True, False]


def test_an_extension_that_was_cut_short_is_told(server: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    server.guard("pause", server.bare, "--for", "1h", "-m", "why").ok()
    cut(server, monkeypatch, "--for", "2h", "-m", "more")
    said = server.guard("pause", server.bare).ok().out
    assert "why      why" in said
    assert "note     receipt 2 says until" in said


def test_a_pause_that_was_set_by_hand_is_told_and_its_end_is_written_down(server: Clone) -> None:
    config(server, "codifica.pausedUntil", str(int(time.time()) + 3000))
    said = server.guard("pause", server.bare).ok().out
    assert "(no reason is given)" in said
    assert "no receipt tells of it" in said
    server.guard("pause", server.bare, "--end").ok()
    assert [(r.paused, r.reason) for r in receipts(server)] == [(False, "")]


@pytest.mark.parametrize("value", ["soon", "", "tomorrow 9:00", "-5", "9" * 20])
def test_an_end_that_is_no_time_pauses_nothing_and_is_told(server: Clone, value: str) -> None:
    config(server, "codifica.pausedUntil", value)
    assert "which is no time" in server.guard("pause", server.bare).ok().out
    assert "which is no time: nothing is paused" in server.guard("doctor", server.bare).ok().out
    server.guard("pause", server.bare, "--end").ok()
    assert receipts(server) == []
    assert server.guard("pause", server.bare).ok().out == "not paused\n"


def test_an_end_whose_receipt_cannot_be_written_holds_all_the_same(server: Clone) -> None:
    server.guard("pause", server.bare, "--for", "2h", "-m", "why").ok()
    key = server.bare / "codifica-guard" / "receipt_ed25519"
    away = key.rename(key.with_name("away"))
    said = server.guard("pause", server.bare, "--end")
    assert said.code == 3
    assert "the pause is over, and its receipt could not be written" in said.all
    assert config(server, "codifica.pausedUntil") == ""
    away.rename(key)
    server.guard("pause", server.bare, "--end").ok()
    assert [r.paused for r in receipts(server)] == [True, False]


def test_without_a_key_nothing_is_paused(server: Clone) -> None:
    key = server.bare / "codifica-guard" / "receipt_ed25519"
    key.unlink()
    said = server.guard("pause", server.bare, "--for", "2h", "-m", "why")
    assert said.code == 1
    assert "the server's key" in said.all
    assert config(server, "codifica.pausedUntil") == ""


# -- wrong calls


def test_a_pause_needs_a_reason_in_one_line(server: Clone) -> None:
    server.guard("pause", server.bare, "--for", "2h").misused("say why, for all who read the receipts: -m WHY")
    for reason, why in [
        ("", "needs words"),
        ("a\nb", "is one line"),
        ("x" * 501, "500 are allowed"),
        ("a\x1bb", "holds"),
    ]:
        server.guard("pause", server.bare, "--for", "2h", "-m", reason).misused(why)
    for words in (("-m", "why"), ("--dry-run",)):
        server.guard("pause", server.bare, *words).misused("say for how long, with --for 2h, or --end")
    server.guard("pause", server.bare, "--for", "2h", "--end", "-m", "x").misused("not allowed with")
    assert receipts(server) == []


def test_only_a_server_where_the_guard_is_at_work_is_paused(shop: Clone) -> None:
    call = ("pause", "--for", "2h", "-m", "why")
    shop.guard(*call).misused("is a clone with a work tree")
    shop.guard(*call, shop.home).misused("is no Git repository")
    shop.guard(*call, shop.bare).misused("the guard is not installed here; do: codifica-guard install")


def test_a_server_that_waits_for_its_policy_has_nothing_to_pause(plain: Clone) -> None:
    plain.install()
    plain.guard("pause", plain.bare, "--for", "2h", "-m", "why").misused("there is nothing to pause")
    assert plain.guard("pause", plain.bare).ok().out == "not paused\n"


def test_a_server_whose_policy_is_in_and_not_pinned_yet_is_paused(shop: Clone) -> None:
    shop.install("--introduction", shop.head())
    unset(shop, "codifica.introduction")
    config(shop, "codifica.trust", shop.fingerprint("alice"))
    shop.guard("pause", shop.bare, "--for", "2h", "-m", "why").ok()
    (receipt,) = receipts(shop)
    assert receipt.introduction is None
    assert receipt.repository == shop.policy()["repository"]


# -- doctor


def test_doctor_tells_a_pause_that_runs_and_mends_one_that_is_over(server: Clone) -> None:
    server.guard("pause", server.bare, "--for", "2h", "-m", "why").ok()
    said = server.guard("doctor", server.bare).ok().out
    assert "warn  pause          until" in said
    assert "pushes pass, whatever the rules say: why" in said
    assert "codifica.pausedUntil" not in server.guard("doctor", "--fix", server.bare).ok().out
    past(server)
    assert "and still in the config" in server.guard("doctor", server.bare).ok().out
    assert "unset     codifica.pausedUntil" in server.guard("doctor", "--fix", server.bare).ok().out
    assert config(server, "codifica.pauseReason") == ""


def test_chains_are_looked_through_only_as_far_back_as_a_pause_can_reach(
    server: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.guard("pause", server.bare, "--for", "24h", "-m", "why").ok()
    pushed(server, None, server.head())
    assert "no receipt tells of it" not in server.guard("pause", server.bare).ok().out
    monkeypatch.setattr(pausing, "LONGEST", -1000)
    assert "no receipt tells of it" in server.guard("pause", server.bare).ok().out
