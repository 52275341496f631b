"""What `init` tells people and programs about one introduction, before or after it is made."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.agents_page import PAGE
from codifica_guard.cli.command import Outcome
from codifica_guard.cli.founding import ATTRIBUTES_FILE, Founding
from codifica_guard.cli.key_files import KeyFile
from codifica_guard.cli.survey import Survey, warning
from codifica_guard.clone.desk import Desk
from codifica_guard.errors import GuardError
from codifica_guard.identity.keys import PublicKey, fingerprint
from codifica_guard.identity.signing import Signer
from codifica_guard.install.plan import Action, Plan, apply
from codifica_guard.limits import FINDINGS_SHOWN
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import Principal, RepoPath, short, show_path
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import printable
from codifica_guard.report.terminal import place, verdict
from codifica_guard.verbs.own_commit import OwnCommit, preview

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import InitData

SUBJECT: Final = "codifica: introduce the guard"

_CLOSES: Final = {"refuse": "no, a human approves", "warn": "yes, with a warning", "allow": "yes"}
_DEEP: Final = " " * 19
"""Where the second column of the choices begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent of the introduction.

    Attributes:
        principal: who it is.
        key: its public key; None where that is added later.
        file: its key file, made or kept here; None where its public key was given.
    """

    principal: Principal
    key: PublicKey | None = None
    file: KeyFile | None = None

    @property
    def name(self) -> str:
        """Its name alone."""
        return self.principal.partition(":")[2]


@dataclass(frozen=True, kw_only=True)
class Story:
    """One introduction.

    Attributes:
        desk: the clone.
        own: the commit's files.
        ground: what stood there before.
        founding: what the files say.
        maintainer: who introduces the guard.
        named_by: who said so.
        signer: the key that signs.
        agents: the agents.
        hooks: what is to be done to this clone's hooks; None: nothing.
        chosen: whether somebody has decided about lines that quotes mend.
    """

    desk: Desk
    own: OwnCommit
    ground: Survey
    founding: Founding
    maintainer: Principal
    named_by: str
    signer: Signer
    agents: tuple[Agent, ...] = ()
    hooks: Plan | None = None
    chosen: bool = False

    @property
    def keys(self) -> tuple[KeyFile, ...]:
        """Key files of agents, made or kept."""
        return tuple(agent.file for agent in self.agents if agent.file is not None)

    @cached_property
    def faults(self) -> tuple[Finding, ...]:
        """What in the state documents cannot be read, and stays so."""
        mended = {(mend.path, mend.task) for mend in self.founding.mends}
        return tuple(f for f in self.ground.unreadable if f.task is None or (f.path, f.task) not in mended)

    def foretold(self) -> Outcome:
        """A dry run: the head lines, and the diff."""
        lines = [*self._head(), "", *preview(self.desk, self.own)]
        lines[-1:-1] = [
            *(f"would write {file.path}" for file in self.keys if file.text is not None),
            *(self.hooks.preview().lines[1:-1] if self.hooks is not None else ()),
        ]
        return Outcome(lines=printable(lines), findings=self.faults, data=self._data(None))

    def told(self, commit: Commit, judged: Verdict) -> Outcome:
        """What was done, and what comes next; the hooks are put in place by it."""
        lines = [*self._head(), "", *self._files()]
        lines += _labelled(
            "keys",
            [
                f"{file.path}   ({'0600, no passphrase' if file.text is not None else 'was there already'})"
                for file in self.keys
            ],
        )
        lines.append(f"commit   {short(commit.id)}  {SUBJECT}   signed by {self.maintainer}")
        if self.hooks is not None:
            lines += _labelled("here", _installed(self.hooks))
        steps = self._steps(commit)
        lines += ["", *_labelled("next", steps), *_labelled("note", self._notes())]
        return Outcome(
            lines=printable(lines),
            notes=tuple(verdict(judged, "commit", draft=True).splitlines()),
            findings=(*judged.findings, *self.faults),
            next=steps[:1],
            data=self._data(commit),
        )

    def _steps(self, commit: Commit) -> tuple[str, ...]:
        """What is left to do, the push first."""
        return (
            f"git push {self.desk.remote} {self.own.name}",
            "if that is not up to date: git pull --rebase, git codifica sign HEAD, and push again",
            "server, before that push: codifica-guard install REPOSITORY --maintainer KEY.pub",
            f"or after it: codifica-guard install REPOSITORY --introduction {short(commit.id)}",
            "here, once it is pushed: codifica-guard install   (pins the introduction)",
            *(
                f"{agent.name}'s container: CODIFICA_SIGNING_KEY={agent.file.path}   (that file, nothing else)"
                for agent in self.agents
                if agent.file is not None
            ),
            *(
                f"{agent.name}'s key: git codifica key add {agent.principal} 'ssh-ed25519 ...'   (git codifica key new makes one)"
                for agent in self.agents
                if agent.key is None
            ),
        )

    def _notes(self) -> tuple[str, ...]:
        return (
            *self.founding.notes,
            "you are the only maintainer. If this key is lost, only the server's admin can help:",
            f"git codifica key add {self.maintainer} spare.pub       a second key, kept offline",
        )

    def _head(self) -> Iterator[str]:
        guard = self.founding.policy.guard
        after = "never" if guard.resume_after_minutes is None else f"after {guard.resume_after_minutes} minutes"
        yield self.ground.headline
        yield ""
        yield f"  {'your name':<15}  {self.maintainer:<37}  ({self.named_by})"
        yield f"  {'your key':<15}  {self.signer.source}  {fingerprint(self.signer.key)}"
        yield f"  {'agents':<15}  {' '.join(agent.name for agent in self.agents) or 'none'}"
        if self.agents:
            yield f"  {'their keys':<15}  {', '.join(dict.fromkeys(_key_of(agent) for agent in self.agents))}"
        yield f"  an agent may close its own build task       {_CLOSES[guard.self_approval]}"
        yield f"  a session may take over its silent claim    {after}"
        yield f"  {'branch':<15}  {self.own.name}"
        yield f"  {'mode':<15}  {guard.mode}"
        yield from self._unreadable()

    def _unreadable(self) -> Iterator[str]:
        """What cannot be read, line by line, and what was decided about it."""
        quoted = {(mend.path, quote.line) for mend in self.founding.mends for quote in mend.quotes}
        could = {(mend.path, quote.line) for mend in self.ground.mends for quote in mend.quotes}
        found = [*self._quoted_lines(), *self.faults]
        for finding in found[:FINDINGS_SHOWN]:
            yield ""
            yield f"  {place(finding):<15}  {finding.code} {plain_words(finding.found)}"
            spot = (finding.path, finding.line)
            if spot in could:
                yield f"{_DEEP}quote this one line?  {'yes' if spot in quoted else 'no' if self.chosen else '--quote does'}"
        if len(found) > FINDINGS_SHOWN:
            yield f"{_DEEP}and {len(found) - FINDINGS_SHOWN} more that cannot be read"
        if self.faults:
            yield f"{_DEEP}what cannot be read stays as it is, until somebody changes it"

    def _quoted_lines(self) -> Iterator[Finding]:
        """What could not be read, and can be with the quotes."""
        for mend in self.founding.mends:
            for quote in mend.quotes:
                yield warning(mend.path, quote.fault, quote.line, mend.task)

    def _files(self) -> Iterator[str]:
        groups = {"wrote": list[str](), "changed": list[str]()}
        for path in self.own.files:
            groups["wrote" if path in self.founding.new else "changed"].append(self._shown(path))
        for label, shown in groups.items():
            plain = [name for name in shown if " (" not in name]
            yield from _labelled(label, [*(["  ".join(plain)] if plain else []), *(n for n in shown if " (" in n)])

    def _shown(self, path: RepoPath) -> str:
        """A file, and what is new in it where that is not all of it."""
        name = plain(show_path(path))
        if path == ATTRIBUTES_FILE:
            return f"{name} ({plain(', '.join(self.founding.attributes))}: {self.founding.attributed})"
        if path == PAGE:
            return f"{name} (one marked section, {self.founding.section} lines: git codifica prime --section)"
        lines = sorted(q.line for mend in self.founding.mends if mend.path == path for q in mend.quotes)
        if lines:
            return f"{name} (line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}: in quotes)"
        return name

    def _data(self, commit: Commit | None) -> "InitData":
        return {
            "commit": None if commit is None else commit.id.decode(),
            "branch": self.own.name,
            "repository": self.founding.policy.guard.repository,
            "maintainer": self.maintainer,
            "fingerprint": fingerprint(self.signer.key),
            "files": [show_path(path) for path in self.own.files],
            "keys": [
                {
                    "principal": file.principal,
                    "path": str(file.path),
                    "public": file.line,
                    "made": file.text is not None,
                }
                for file in self.keys
            ],
            "hooks": self.hooks is not None and not self.hooks.blocked,
            "quoted": [
                {"path": show_path(mend.path), "line": q.line, "before": q.before, "after": q.after}
                for mend in self.founding.mends
                for q in mend.quotes
            ],
            "notes": list(self.founding.notes),
        }


def _key_of(agent: Agent) -> str:
    """Where an agent's key comes from."""
    if agent.file is not None:
        return "made now" if agent.file.text is not None else "there already"
    return "theirs, added later" if agent.key is None else "theirs, as given"


def _installed(hooks: Plan) -> tuple[str, ...]:
    """Put the hooks in place; what a person has to know of it. The commit stands, so a failure is told and no more."""
    try:
        apply(hooks)
    except GuardError as error:
        return (f"hooks not in place: {error}: codifica-guard install",)
    kept = (f"kept {step.subject}   {step.note}" for step in hooks.steps if step.action is Action.KEEP)
    return (*hooks.blocked, *(line.removeprefix("here: ") for line in hooks.after), *kept)


def _labelled(label: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{label if number == 0 else '':<8} {line}"
