"""How to check the page without the guard: commands of git, ssh-keygen and the shell, with the names of this audit in them."""

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from codifica_guard.model.act import Act, Deed
from codifica_guard.model.audited import Audit
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import TASK_ID
from codifica_guard.report.html.text import for_shell, line

_GET: Final = """\
git clone URL audited && cd audited
git fetch -q origin '+refs/codifica/*:refs/codifica/*'
t=$(mktemp -d)
# who may sign, as of the tip
git show {tip}:.codifica/allowed_signers >$t/signers
# the branch has to hold the commit that this page was made for
git merge-base --is-ancestor {tip} {branch} && echo it does"""

_ANCHOR_GIT: Final = """\
git show {intro}:.codifica/allowed_signers >$t/first
# the keys: ask {by} by another way whether they are right
cat $t/first
git -c gpg.ssh.allowedSignersFile=$t/first verify-commit {intro}"""

_ANCHOR_TRAILER: Final = """\
c={intro} who={by}
sum() {{ git cat-file blob $1 | sha256sum | cut -d' ' -f1; }}
{{ printf 'codifica-guard-commit-v1\\nrepository %s\\nactor %s\\n' \\
    $(git show $c:.codifica/guard.json | sed -n 's/.*"repository": *"\\([0-9a-f]*\\)".*/\\1/p') $who
  {{ git rev-parse -q --verify $c^ | sed 's/^/parent /'
    git diff-tree --root -r --no-commit-id --no-renames $c | tr -d : | while read -r m n a b s path; do
      old="$m $a" was="$a"; [ $s != A ] || {{ old='- -' was=; }}
      echo "path $old $n $b \\"$path\\""
      case $path in .codifica/*|codifica.json)
        echo "trust $([ "$was" ] && sum $was || echo -) $(sum $b) \\"$path\\"";; esac
    done; }} | LC_ALL=C sort; }} >$t/payload
{{ echo '-----BEGIN SSH SIGNATURE-----'
  git show -s --format=%B $c | sed -n 's/^Codifica-Signature: *//p' | fold -w 70; echo
  echo '-----END SSH SIGNATURE-----'; }} >$t/signature
ssh-keygen -Y verify -n codifica-guard -f $t/first -I $who -s $t/signature <$t/payload"""

_RECEIPTS: Final = """\
# each line says: G {server} ... receipt N (U: by a key that is no longer listed)
git -c gpg.ssh.allowedSignersFile=$t/signers log --format='%G? %GS %h %s' refs/codifica/receipts
# {last}, or more since then, in one line without a fork
git rev-list --count refs/codifica/receipts
git rev-list --min-parents=2 refs/codifica/receipts
# the newest one: "tips" are where the branches have to be
git show refs/codifica/receipts:receipt.json"""

_ACT_GIT: Final = """\
git show {commit}
# whose keys counted then
git show {commit}^:.codifica/allowed_signers >$t/then
git -c gpg.ssh.allowedSignersFile=$t/then verify-commit {commit}"""

_ACT_TRAILER: Final = """\
c={commit} id={task} who={who}
git show $c
# whose keys counted then
git show $c^:.codifica/allowed_signers >$t/then
# the one file that it changes, and the task in it
doc=$(git diff --name-only $c^ $c)
block() {{ git show "$1:$doc" | sed 's/\\r$//' | awk -v id="- id: $id" '
  /^(- |```|~~~)/ {{ on = $0 == id; kept = "" }}
  on && /^(#.*|[ \\t]*)$/ {{ kept = kept $0 "\\n"; next }}
  on {{ print kept $0; kept = "" }}' | sha256sum | cut -d' ' -f1; }}
printf 'codifica-guard-commit-v1\\nrepository %s\\nactor %s\\nrecord codifica/%s %s %s\\n' \\
  $(git show $c^:.codifica/guard.json | sed -n 's/.*"repository": *"\\([0-9a-f]*\\)".*/\\1/p') \\
  $who $id $(block $c^) $(block $c) >$t/payload
{{ echo '-----BEGIN SSH SIGNATURE-----'
  git show -s --format=%B $c | sed -n 's/^Codifica-Signature: *//p' | fold -w 70; echo
  echo '-----END SSH SIGNATURE-----'; }} >$t/signature
ssh-keygen -Y verify -n codifica-guard -f $t/then -I $who -s $t/signature <$t/payload"""

_BARE: Final = re.compile(r"[A-Za-z0-9._:@+/-]+")

_TRAILED: Final = (
    "If Git says that the commit has no signature, it is signed by a trailer: then the second block builds the text that the "
    "trailer covers, and holds the signature against it."
)
_CUT: Final = "A chain that was cut or written again has another count, another letter than G, or tips that are not where the branches are."
_BUILT: Final = (
    "The block builds the text that the signature covers from the task before and after, and holds the signature against it. Any "
    "other transition is checked by its own commit, task and name; a commit that changes more than one task, or other files, has "
    "more lines."
)

_REVOKED: Final = """\
# who was shut out, when
git log --format='%h %ad %s' {tip} -- .codifica/revoked_keys
git show {tip}:.codifica/revoked_keys"""

_SAME: Final = """\
pipx run codifica-guard=={guard} audit{options} --html again.html && sha256sum again.html"""


def checks(audit: Audit) -> Iterator[str]:
    """The section: steps, each a command to paste."""
    yield (
        '<p class="lead">With git 2.34, ssh-keygen of OpenSSH 8.9, or newer, and a shell; nothing of the guard. Paste the steps '
        "in their order; only <code>URL</code> is yours to fill in.</p>"
    )
    yield '<ol class="steps">'
    for title, said, commands in _steps(audit):
        blocks = "".join(f"<pre>{escape(command, quote=False)}</pre>" for command in commands)
        yield f"<li><h3>{title}</h3><p>{said}</p>{blocks}</li>"
    yield "</ol>"


def _steps(audit: Audit) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    tip = audit.branches[0].tip.decode("ascii", "replace") if audit.branches else "TIP"
    intro = audit.anchor.commit.decode("ascii", "replace")
    by = for_shell(audit.anchor.by)
    yield (
        "Get all of it",
        "History, receipts, and the keys that count now.",
        (_GET.format(tip=tip, branch=_branch(audit)),),
    )
    yield (
        "The anchor",
        f"Everything stands on the introduction. {_TRAILED}",
        (_ANCHOR_GIT.format(intro=intro, by=by), _ANCHOR_TRAILER.format(intro=intro, by=by)),
    )
    if audit.chain.last:
        servers = [server for server, _ in audit.chain.servers]
        server = for_shell(servers[0] if servers else None)
        yield (
            "The receipts",
            f"What the server saw, when, and from whom. {_CUT}",
            (_RECEIPTS.format(server=server, last=audit.chain.last),),
        )
    yield from _examples(audit)
    yield (
        "Keys that no longer count",
        "A key stands for what was let in before the commit that revoked it, and for nothing after.",
        (_REVOKED.format(tip=tip),),
    )
    yield (
        "The same page again",
        "The same history, judged by the same version with the same trust, gives the same bytes: there is no clock in them.",
        (_SAME.format(guard=_word(audit.guard), options=_options(audit)),),
    )


def _examples(audit: Audit) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    signed, trailed = _example(audit, Proof.GIT), _example(audit, Proof.TRAILER)
    if trailed is not None or signed is None:
        yield (
            "One transition, signed by a trailer",
            f"{_what(trailed)} {_BUILT}",
            (_ACT_TRAILER.format(commit=_commit(trailed), task=_task(trailed), who=_who(trailed)),),
        )
    if signed is not None:
        yield (
            "One transition, signed by Git",
            f"{_what(signed)} Any other is checked by its own commit. Git says who signed; that he may, the table in section 3 says.",
            (_ACT_GIT.format(commit=_commit(signed)),),
        )


def _branch(audit: Audit) -> str:
    """The branch as a clone has it; its tip where its name is no word of a command."""
    name = audit.branches[0].ref.removeprefix(b"refs/heads/").decode("utf-8", "replace") if audit.branches else "main"
    return f"origin/{name}" if _BARE.fullmatch(name) else "origin/HEAD"


def _example(audit: Audit, proof: Proof) -> Act | None:
    """The newest approval with such a proof, else the newest transition."""
    fit = [
        act
        for act in audit.acts
        if act.proof is proof and act.is_transition and act.judged and TASK_ID.fullmatch(act.task)
    ]
    return next((act for act in reversed(fit) if act.deed is Deed.APPROVE), fit[-1] if fit else None)


def _what(act: Act | None) -> str:
    if act is None:
        return "Put in a commit, a task and a name from section 6."
    return f"Here: {act.deed.value} of {escape(act.task)} by {line(act.actor or '', 80)}."


def _commit(act: Act | None) -> str:
    return act.commit.decode("ascii", "replace") if act is not None else "COMMIT"


def _task(act: Act | None) -> str:
    return str(act.task) if act is not None else "TASK"


def _who(act: Act | None) -> str:
    return for_shell(act.actor) if act is not None else "NAME"


def _options(audit: Audit) -> str:
    """Options that made this audit what it is; one that could not be pasted safely is named only."""
    told = [f"{_word(option)} {_word(value) if value else ''}".strip() for option, value in audit.filters.items()]
    if audit.anchor.pinned:
        told.append(f"--introduction {audit.anchor.commit.decode('ascii', 'replace')}")
    return "".join(f" {word}" for word in told)


def _word(text: str) -> str:
    """A word of a command, if it is harmless; else a placeholder."""
    return text if _BARE.fullmatch(text) else "VALUE"
