"""What `init` tells people and programs about one introduction, before or after it is made."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.founding import ATTRIBUTES_FILE, Founding, unreadable
from codifica_guard.cli.key_files import KeyFile
from codifica_guard.clone.desk import Desk
from codifica_guard.errors import GuardError
from codifica_guard.identity.keys import fingerprint
from codifica_guard.identity.signing import Signer
from codifica_guard.install.plan import Action, Plan, apply
from codifica_guard.limits import FINDINGS_SHOWN
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import Principal, short, show_path
from codifica_guard.report.escape import escape, escape_words
from codifica_guard.report.printing import printable
from codifica_guard.report.terminal import place, verdict
from codifica_guard.verbs.own_commit import OwnCommit, preview

SUBJECT: Final = "codifica: introduce the guard"


@dataclass(frozen=True, kw_only=True)
class Story:
    """One introduction.

    Attributes:
        desk: the clone.
        own: the commit's files.
        founding: what they say.
        maintainer: who introduces the guard.
        signer: the key that signs.
        keys: key files of agents, made or kept.
        hooks: what is to be done to this clone's hooks; None: nothing.
    """

    desk: Desk
    own: OwnCommit
    founding: Founding
    maintainer: Principal
    signer: Signer
    keys: tuple[KeyFile, ...] = ()
    hooks: Plan | None = None

    @cached_property
    def faults(self) -> tuple[Finding, ...]:
        """What in the state documents cannot be read."""
        return tuple(unreadable(self.founding))

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
        lines += [
            f"keys     {file.path}   ({'0600, no passphrase' if file.text is not None else 'was there already'})"
            for file in self.keys
        ]
        who = f"{self.maintainer} {fingerprint(self.signer.key)}"
        lines.append(f"commit   {short(commit.id)}  {SUBJECT}   signed by {who}")
        if self.hooks is not None:
            lines += _labelled("hooks", _installed(self.hooks))
        branch = self.own.name
        steps = (
            f"git push {self.desk.remote} {branch}",
            "if that is not up to date: git pull --rebase, codifica-guard sign HEAD, and push again",
            "the server's admin, before that push: codifica-guard install REPOSITORY --maintainer KEY.pub",
            f"or after it: codifica-guard install REPOSITORY --introduction {short(commit.id)}",
            "here, once it is pushed: codifica-guard install   (pins the introduction)",
            *(f"{file.principal} works with: CODIFICA_SIGNING_KEY={file.path}" for file in self.keys),
        )
        lines += ["", *_labelled("next", steps)]
        spare = f"codifica-guard key add {self.maintainer} SPARE.pub"
        lines += _labelled(
            "note",
            (
                *self.founding.notes,
                "you are the only maintainer. if this key is lost, only the server's admin can help:",
                f"{spare}   (a second key, kept offline)",
            ),
        )
        return Outcome(
            lines=printable(lines),
            notes=tuple(verdict(judged, "commit", draft=True).splitlines()),
            findings=(*judged.findings, *self.faults),
            next=steps[:1],
            data=self._data(commit),
        )

    def _head(self) -> Iterator[str]:
        config, state = self.founding.codifica, self.founding.state
        tasks = sum(len(document.blocks) for document in state.documents.values())
        patterns = escape(", ".join(config.state.patterns))
        yield f"Codifica {config.version}: codifica.json, {patterns}, {tasks} task{'' if tasks == 1 else 's'}. No policy yet."
        yield ""
        guard = self.founding.policy.guard
        agents = [p for line in self.founding.policy.signers for p in line.principals if p.startswith("agent:")]
        yield f"  your name      {self.maintainer}"
        yield f"  your key       {fingerprint(self.signer.key)}  ({self.signer.source})"
        yield f"  agents         {' '.join(agents) or 'none'}"
        yield f"  branch         {self.own.name}"
        yield f"  mode           {guard.mode}; self-approval: {guard.self_approval}; resume after {guard.resume_after_minutes} minutes"
        for finding in self.faults[:FINDINGS_SHOWN]:
            yield f"  warning        {_brief(finding)}"
        if len(self.faults) > FINDINGS_SHOWN:
            yield f"  warning        and {len(self.faults) - FINDINGS_SHOWN} more that cannot be read"
        if self.faults:
            yield "                 they stay as they are, until somebody changes them"

    def _files(self) -> Iterator[str]:
        known = [path for path in self.own.files if path != ATTRIBUTES_FILE]
        yield f"wrote    {'  '.join(show_path(path) for path in known)}"
        if self.founding.attributes:
            yield f"changed  .gitattributes ({escape(', '.join(self.founding.attributes))})"

    def _data(self, commit: Commit | None) -> dict[str, Any]:
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
            "notes": list(self.founding.notes),
        }


def _installed(hooks: Plan) -> tuple[str, ...]:
    """Put the hooks in place; what a person has to know of it. The commit stands, so a failure is told and no more."""
    try:
        apply(hooks)
    except GuardError as error:
        return (f"not in place: {error}: codifica-guard install",)
    kept = (f"kept {step.subject}   {step.note}" for step in hooks.steps if step.action is Action.KEEP)
    return (*hooks.blocked, *kept, *hooks.after)


def _brief(finding: Finding) -> str:
    return f"{finding.code} {place(finding)} {escape_words(finding.found)}"


def _labelled(label: str, lines: tuple[str, ...]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{label if number == 0 else '':<8} {line}"
