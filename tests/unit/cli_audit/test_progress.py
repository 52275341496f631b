"""The bar that tells how far long work is."""

import pytest

from codifica_guard.cli.progress import Progress, visible


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    monkeypatch.setenv("COLUMNS", "200")
    return Time()


def test_nothing_is_shown_before_a_second_has_passed(time: Time, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(shown=True, clock=time)
    time.now += 0.9
    progress.tell(9, 10)
    progress.clear()
    assert capsys.readouterr().err == ""


def test_the_bar_says_how_many_how_fast_and_how_long_still(time: Time, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(shown=True, clock=time)
    time.now += 2
    progress.tell(5000, 20_000)
    assert capsys.readouterr().err == (
        "\rjudging   [######------------------]  5,000 of 20,000 commits   2,500/s   6 s left"
    )


def test_the_bar_is_written_over_five_times_a_second_and_no_more(
    time: Time, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress(shown=True, clock=time, after=0)
    for done in range(1, 9):
        progress.tell(done, 10)
        time.now += 0.125
    assert capsys.readouterr().err.count("\r") == 4


def test_the_line_is_left_as_it_was(time: Time, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(shown=True, clock=time, after=0)
    time.now += 1
    progress.tell(1, 2)
    shown = capsys.readouterr().err
    progress.clear()
    assert capsys.readouterr().err == "\r" + " " * (len(shown) - 1) + "\r"
    progress.clear()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("done", "of", "seconds", "told"),
    [
        (0, 0, 5, "[########################]  0 of 0 commits"),
        (0, 10, 5, "[------------------------]  0 of 10 commits"),
        (10, 10, 5, "2/s   0 s left"),
        (12, 10, 5, "12 of 10 commits   2/s   0 s left"),
        (10, 10_000, 5, "2/s   83 min left"),
    ],
)
def test_odd_numbers_are_told_as_they_are(
    time: Time, capsys: pytest.CaptureFixture[str], done: int, of: int, seconds: int, told: str
) -> None:
    progress = Progress(shown=True, clock=time)
    time.now += seconds
    progress.tell(done, of)
    assert capsys.readouterr().err.endswith(told)


def test_a_line_is_never_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    time = Time()
    progress = Progress(shown=True, clock=time)
    time.now += 2
    progress.tell(5000, 20_000)
    assert len(capsys.readouterr().err) == 40


def test_who_is_no_terminal_is_told_nothing_unless_he_asks(time: Time, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(shown=visible(forced=False, quiet=False), clock=time, after=0)
    progress.tell(1, 2)
    progress.clear()
    assert capsys.readouterr().err == ""
    assert visible(forced=True, quiet=False)
    assert not visible(forced=True, quiet=True)


def test_work_goes_on_where_nobody_looks_any_more(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        asked = 0

        def write(self, _: str) -> None:
            self.asked += 1
            raise BrokenPipeError

    gone = Gone()
    monkeypatch.setattr("sys.stderr", gone)
    progress = Progress(shown=True, clock=time, after=0)
    for done in range(3):
        time.now += 1
        progress.tell(done, 3)
    progress.clear()
    assert gone.asked == 2
