"""What the manual pages say that no parser knows: exit codes, environment, settings, files, examples."""

from typing import Final

from codifica_guard.cli import command
from codifica_guard.cli.program import JSON_VARIABLE
from codifica_guard.clone.desk import REMOTE
from codifica_guard.clone.hand import SIGNING_KEY
from codifica_guard.git.config import COORDINATION, INTRODUCTION, PAUSE_REASON, PAUSED_UNTIL, RECEIPT_KEY, TRUST
from codifica_guard.git.config import SERVER as SERVER_NAME
from codifica_guard.identity.signing import KEY_VARIABLE
from codifica_guard.identity.tokens import TOKEN_VARIABLE

Rows = tuple[tuple[str, str], ...]
"""What is written, and what it means; backquotes hold what is to be typed."""

EXITS: Final[tuple[tuple[int, str], ...]] = (
    (command.OK, "Done, nothing wrong."),
    (command.REFUSED, "A rule is broken, here or on the server: what is printed says which, where, and what to do."),
    (command.USAGE, "Wrong usage, or a question had to be asked and there is no terminal."),
    (
        command.CANNOT_TELL,
        "It cannot be told: the guard failed, the history is cut, a format is not known. This never means that all is well.",
    ),
    (command.LOST, "Lost: somebody else was first. Nothing of yours was changed."),
    (command.NOTHING, "Nothing to do: no task is free for you."),
    (command.NEEDS_OTHER, "It needs a human, or another principal."),
    (command.LATER, "The remote is not reached, or refuses for a reason of its own: try again later."),
    (command.INTERRUPTED, "Interrupted."),
)

ENVIRONMENT: Final[Rows] = (
    (
        KEY_VARIABLE,
        "The private key that signs: a file, or the key itself. Else `codifica.signingKey` names it, else git's own `user.signingkey`.",
    ),
    ("CODIFICA_ACTOR", "Who acts, where the key is listed for several; goes before `codifica.actor`."),
    ("CODIFICA_SESSION", "A name for this run of an agent, told in every entry that it makes."),
    (TOKEN_VARIABLE, "Writer tokens themselves, blanks between them."),
    ("CODIFICA_TOKEN_DIR", "The folder of the writer tokens; each repository gets a folder in it."),
    ("CODIFICA_FETCH_TOKEN", "What lets `ci` fetch from a private repository, where git alone is not let in."),
    (JSON_VARIABLE, "If `1`, every command prints one JSON object, as with `--json`."),
)

CLONE: Final[Rows] = (
    (SIGNING_KEY, "The key that signs: a file, as in `user.signingKey`."),
    ("codifica.actor", "Who acts, where the key is listed for several."),
    (REMOTE, "The remote that is worked with; else `origin`, else the only one that there is."),
    (COORDINATION, "The branch that holds the tasks, where it is not the remote's main one."),
    (INTRODUCTION, "The commit that introduced the policy; written by `init` and `install`."),
    ("codifica.tokenDir", "The folder of the writer tokens; else `codifica-guard/tokens` in the repository."),
)

SERVER: Final[Rows] = (
    (TRUST, "The fingerprint of the key that may introduce the policy, or `first-push`."),
    (INTRODUCTION, "The commit from which on every commit is judged; written by the first push behind the policy."),
    (COORDINATION, "The branch that holds the tasks; written by the same push."),
    ("codifica.pusher", "What says who pushes: `none`, `http`, `gitolite`, `gitlab` or `gitea`."),
    (SERVER_NAME, "What the server is called in its receipts, `server:NAME`; else the machine's name."),
    (
        RECEIPT_KEY,
        "The private key that signs receipts: a path, from the repository's own folder; else `codifica-guard/receipt_ed25519`.",
    ),
    (PAUSED_UNTIL, "The end of a pause: RFC 3339, or seconds since the epoch; written by `pause`."),
    (PAUSE_REASON, "Why the admin paused; written by `pause`."),
    ("codifica.log", "The file to which errors of the guard itself are written; else `codifica-guard/errors.log`."),
    (
        "codifica.fsckObjectsBefore",
        "What `receive.fsckObjects` was before `install` set it; only told, for the day of the uninstall.",
    ),
)

FILES: Final[Rows] = (
    (".codifica/guard.json", "The guard's policy; see `codifica-guard-policy`(5)."),
    (".codifica/allowed_signers", "Who signs with which key, in OpenSSH's format."),
    (".codifica/revoked_keys", "Keys that are refused for good."),
    ("codifica.json", "Where the tasks are, and the protocol's own rules."),
    ("$GIT_COMMON_DIR/codifica-guard/tokens/", "Writer tokens: whoever has one may go on with its task."),
    (
        "$GIT_COMMON_DIR/codifica-guard/policies/",
        "Policies that were checked already; may be deleted at any time.",
    ),
    (
        "codifica-guard/receipt_ed25519",
        "On a server: the key that signs receipts, made by `install`; never written over.",
    ),
    ("~/.config/codifica-guard/", "Keys that `init` and `key new` made for agents."),
)

EXAMPLES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "A server's admin puts the hooks in, and looks whether they stand:",
        (
            "codifica-guard install /srv/git/shop.git --maintainer alice.pub",
            "codifica-guard doctor /srv/git/shop.git",
        ),
    ),
    (
        "The first maintainer introduces the policy from a clone:",
        (
            "git codifica init --yes --as alice --key ~/.ssh/id_ed25519 --agent builder",
            "git push",
        ),
    ),
    (
        "An agent takes the best task that is free for it, works on a branch, and hands in:",
        (
            "git codifica claim --next",
            "git switch -c build/FEAT-104 origin/main",
            "git push -u origin HEAD",
            'git codifica submit FEAT-104 --summary "Reset link, 1 h expiry"',
        ),
    ),
    (
        "A human looks at what waits, and decides:",
        (
            "git codifica status",
            'git codifica return FEAT-104 -m "the link also works twice"',
        ),
    ),
    (
        "An auditor proves who made every transition, standing on an introduction that he knows from elsewhere:",
        (
            "git codifica audit --introduction 3f2a91c0",
            "git codifica audit --since 30d --html audit.html",
        ),
    ),
    (
        "How one decision is known, with commands of git and ssh-keygen that repeat it; and the same as a folder with a script:",
        (
            "git codifica log FEAT-104 --proof",
            "git codifica log FEAT-104 --proof proof-of-104 && sh proof-of-104/check.sh",
        ),
    ),
    (
        "A shell is made to complete commands, options and ids, where install.sh has not done it:",
        ('eval "$(codifica-guard completion bash)"',),
    ),
)
