"""Where the cursor stands in a command line that is being typed: which option's value, which argument, or an option to come."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from codifica_guard.cli.anatomy import Form, Taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What the word at the cursor may be.

    Attributes:
        form: the command, or its action, that the words before come to.
        taken: the option or argument whose value it is; None where there is none.
        head: what of the word stands before the value: `--as=`; empty where all of it is value.
        options: the options that may stand here.
        actions: the actions that may stand here.
        given: the values of each option and argument before, by name.
    """

    form: Form
    taken: Taken | None = None
    head: str = ""
    options: tuple[Taken, ...] = ()
    actions: tuple[Form, ...] = ()
    given: dict[str, list[str]] = field(default_factory=dict)


def spot_of(form: Form, words: Sequence[str]) -> Spot | None:
    """Where the last of the words stands, which is being typed and may be empty; None where nothing can stand there.

    Args:
        form: the command.
        words: what follows the command's name; never empty.
    """
    *before, here = words
    walk = _Walk(form)
    for word in before:
        walk.past(word)
    return walk.at(here)


def unquoted(word: str) -> str:
    """A word as the shell will hand it over, where only quotes stand between; nothing in it is carried out."""
    try:
        parts = shlex.split(word)
    except ValueError:
        return word
    return parts[0] if len(parts) == 1 else word


class _Walk:
    """Reads word by word what argparse will read, as far as it matters for what may come next."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.open: Taken | None = None
        """The option whose values come next."""
        self.got = 0
        """How many of them there are."""
        self.bare = 0
        """How many arguments there are."""
        self.closed = False
        """Whether `--` was there: no option comes any more."""
        self.given: dict[str, list[str]] = {}

    def past(self, word: str) -> None:
        """Go on behind a word."""
        if self._wants(word):
            self._take(word)
        elif self.closed or word in {"", "-"} or not word.startswith("-"):
            self._argument(word)
        elif word == "--":
            self.closed, self.open = True, None
        else:
            self._option(word)

    def at(self, here: str) -> Spot | None:
        """What a word may be that comes now."""
        due = self.open is not None and self.got < self.open.least
        if self.open is not None and self._wants(here) and (due or not here.startswith("-")):
            return self._spot(self.open)
        if self.closed or not here.startswith("-"):
            return self._next(here)
        flag, equals, _ = here.partition("=")
        if equals:
            option = self._find(flag)
            return self._spot(option, head=f"{flag}=") if option is not None and option.value else None
        return Spot(form=self.form, options=self._options(), given=self.given)

    def _next(self, here: str) -> Spot | None:
        """What an argument may be; where none can be said, the options may be asked for."""
        if self.form.actions:
            return None if self.bare else Spot(form=self.form, actions=self.form.actions, given=self.given)
        taken = self._argument_at(self.bare)
        options = () if here or self.closed else self._options()
        if taken is None and not options:
            return None
        return Spot(form=self.form, taken=taken, options=options, given=self.given)

    def _spot(self, taken: Taken, head: str = "") -> Spot:
        return Spot(form=self.form, taken=taken, head=head, given=self.given)

    def _wants(self, word: str) -> bool:
        """Whether a word is one more value of the option before."""
        option = self.open
        if option is None or (option.most is not None and self.got >= option.most):
            return False
        return self.got < option.least or not word.startswith("-") or word == "-"

    def _take(self, word: str) -> None:
        assert self.open is not None  # noqa: S101 - asked before
        self.given.setdefault(self.open.dest, []).append(unquoted(word))
        self.got += 1

    def _argument(self, word: str) -> None:
        self.open = None
        action = next((inner for inner in self.form.actions if inner.words[-1] == word), None)
        taken = self._argument_at(self.bare)
        self.bare += 1
        if action is not None and self.bare == 1:
            self.form, self.bare = action, 0
        elif taken is not None:
            self.given.setdefault(taken.dest, []).append(unquoted(word))

    def _option(self, word: str) -> None:
        flag, equals, value = word.partition("=")
        option = self._find(word if word.startswith("--") else word[:2]) or self._find(flag)
        self.open = None
        if option is None:
            return
        values = self.given.setdefault(option.dest, [])
        attached = value if equals and word.startswith("--") else "" if word.startswith("--") else word[2:]
        if option.value and (equals or attached):
            values.append(unquoted(attached))
        elif option.value:
            self.open, self.got = option, 0

    def _find(self, flag: str) -> Taken | None:
        return next((option for option in (*self.form.options, *self.form.shared) if flag in option.flags), None)

    def _options(self) -> tuple[Taken, ...]:
        """The options that may still come."""
        every = (*self.form.options, *self.form.shared)
        return tuple(o for o in every if (o.repeats or o.dest not in self.given) and not o.rivals & self.given.keys())

    def _argument_at(self, number: int) -> Taken | None:
        """The argument that a bare word belongs to, by how many there were before."""
        for taken in self.form.arguments:
            if taken.most is None or number < taken.most:
                return taken
            number -= taken.most
        return None
