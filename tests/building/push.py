"""What a `git push` came to, and what a test may ask of it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self

CODE: Final = re.compile(r"\b(?:ST|CD|GT|GD|ID|OC|CX|AU)\d{3}\b")
FIRST_LINE: Final = re.compile(r"codifica-guard: push refused, (\d+) errors?: ((?:[A-Z]{2}\d{3} ?)+)")
SERVERS_OWN: Final = "refs/codifica/"


def _set(codes: str | Iterable[str]) -> frozenset[str]:
    return frozenset({codes}) if isinstance(codes, str) else frozenset(codes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A push that was made: what Git said, and where the server's refs were before and after.

    Attributes:
        code: exit code of `git push`.
        output: all that it printed.
        before: the server's refs before the push.
        after: the same after it.
        wanted: where the push wanted each ref to be; None for a ref that was to be deleted.
        guarded: False where the guard is left out, to see whether the test is well made: then plain Git has to take
            the push, whatever the test expects of the guard.
        undo: lets the server's refs stand where they stood before: what the guard was to refuse did not happen.
    """

    code: int
    output: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    wanted: Mapping[str, str | None] = field(default_factory=dict)
    guarded: bool = True
    undo: Callable[[], object] = bool

    @property
    def remote(self) -> str:
        """What the server said, line by line, without Git's prefix."""
        lines = [line.removeprefix("remote:") for line in self.output.splitlines() if line.startswith("remote:")]
        return "\n".join(line.removeprefix(" ").rstrip() for line in lines)

    @property
    def said(self) -> str:
        """The same with every run of white space as one blank: texts are found however they were wrapped."""
        return " ".join(self.remote.split())

    @property
    def codes(self) -> frozenset[str]:
        """The codes of rules that the server named, but for what it offers to explain."""
        shown = re.sub(r"explain [A-Z]{2}\d{3}", "", self.remote)
        return frozenset(CODE.findall(shown))

    @property
    def errors(self) -> frozenset[str]:
        """The codes of the line that says a push was refused."""
        match = FIRST_LINE.search(self.said)
        return frozenset(match[2].split()) if match else frozenset()

    @property
    def moved(self) -> dict[str, tuple[str | None, str | None]]:
        """The refs that are not where they were; the server's own only if the push was about them."""
        names = {
            name for name in {*self.before, *self.after} if name in self.wanted or not name.startswith(SERVERS_OWN)
        }
        pairs = {name: (self.before.get(name), self.after.get(name)) for name in names}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    def _was_taken(self) -> None:
        missed = {ref: oid for ref, oid in self.wanted.items() if self.after.get(ref) != oid}
        assert self.code == 0, f"git push failed with {self.code}:\n{self.output}"
        assert not missed, f"refs that did not arrive: {missed}\n{self.output}"

    def refused(self, codes: str | Iterable[str], *texts: str, without: str | Iterable[str] = ()) -> Self:
        """The guard refused, for one of `codes`, in these words, and no ref moved.

        Args:
            codes: a code, or several of which any will do.
            texts: what the server has to say, whatever the line breaks.
            without: codes that it must not name.
        """
        if not self.guarded:
            self._was_taken()
            self.undo()
            return self
        accepted = _set(codes)
        assert self.code != 0, f"the push was accepted, {sorted(accepted)} was due:\n{self.output}"
        assert not self.moved, f"a refused push moved {self.moved}:\n{self.output}"
        assert self.errors & accepted, f"refused for {sorted(self.errors)}, not for {sorted(accepted)}:\n{self.output}"
        assert not self.codes & (_set(without) | {"GD101"} - accepted), f"named too much:\n{self.output}"
        for text in texts:
            assert " ".join(text.split()) in self.said, f"does not say {text!r}:\n{self.output}"
        return self

    def accepted(
        self, *texts: str, warnings: str | Iterable[str] = (), perhaps: str | Iterable[str] = (), silent: bool = False
    ) -> Self:
        """The push arrived, with exactly these warnings.

        Args:
            texts: what the server has to say.
            warnings: codes that it has to name.
            perhaps: codes that it may name.
            silent: True if it must not print a line.
        """
        self._was_taken()
        if not self.guarded:
            return self
        shown, must = self.codes, _set(warnings)
        assert must <= shown, f"warnings that are missing: {sorted(must - shown)}\n{self.output}"
        extra = shown - must - _set(perhaps)
        assert not extra, f"warnings that nothing asks for: {sorted(extra)}\n{self.output}"
        assert not silent or not self.remote, f"not silent:\n{self.output}"
        for text in texts:
            assert " ".join(text.split()) in self.said, f"does not say {text!r}:\n{self.output}"
        return self

    def refused_by_git(self) -> Self:
        """The push was refused, by Git itself or by the guard, and no ref moved."""
        assert self.code != 0, f"the push was accepted:\n{self.output}"
        assert not self.moved, f"a refused push moved {self.moved}:\n{self.output}"
        return self
