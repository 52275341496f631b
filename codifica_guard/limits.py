"""Every cap on pushed data, with its unit and its reason. A hostile push costs bounded time (rule GD102)."""

from typing import Final

DOCUMENT_BYTES: Final = 8 * 1024 * 1024
"""Bytes of one state document (ST107): ten thousand tasks of 800 bytes fit."""

BLOCK_BYTES: Final = 256 * 1024
"""Bytes of one task block (ST107): the strict YAML reader is linear, but slow."""

YAML_DEPTH: Final = 32
"""Levels of nesting in one block (ST107): no task needs ten."""

TASKS: Final = 100_000
"""Tasks over all state documents (ST107)."""

FRAME_LINES: Final = 100_000
"""Lines of one state document outside its task blocks (ST107): prose is read line by line."""

POLICY_BYTES: Final = 1024 * 1024
"""Bytes of one policy file."""

POLICY_DEPTH: Final = 32
"""Levels of nesting in one policy file: no policy needs five."""

POLICY_VALUES: Final = 50_000
"""Values in one policy file: they are read with their lines, by Python."""

PATTERNS: Final = 1_000
"""Glob patterns of one list, braces expanded: each path is held against them all."""

PATTERN_CHARACTERS: Final = 1_024
"""Characters of one glob pattern."""

PATTERN_SOURCE: Final = 256 * 1024
"""Characters of the regular expressions of one list: they are built and compiled for each new policy."""

COMMITS: Final = 100_000
"""New commits that one push may bring to judged branches."""

REFS: Final = 50_000
"""Ref updates in one push: a mirror of a large repository fits."""

REF_NAME_BYTES: Final = 4096
"""Bytes of one ref's name: longer ones no file system takes."""

INPUT_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a hook's standard input."""

CHANGED_PATHS: Final = 200_000
"""Paths that one commit may change against one parent."""

TREE_DEPTH: Final = 256
"""Levels of folders that are descended into."""

STATE_DOCUMENTS: Final = 1_000
"""State documents that one tree may hold."""

COMMIT_BYTES: Final = 1024 * 1024
"""Bytes of one commit object."""

TAG_DEPTH: Final = 16
"""Tags of tags that are peeled."""

SYMREF_DEPTH: Final = 5
"""Symbolic refs that point at symbolic refs, as Git follows them."""

ALTERNATE_DEPTH: Final = 5
"""Object stores that name object stores, as Git follows them."""

HISTORY_WALK: Final = 10_000
"""Commits that a search back in history (silence, introduction) may visit."""

SECRET_SCAN_BYTES: Final = 1024 * 1024
"""Bytes of each added blob that are searched for a writer token (ID108)."""

SECRET_SCAN_TOTAL: Final = 256 * 1024 * 1024
"""Bytes of all added blobs of a push that are searched for a writer token."""

AGENT_BRANCHES: Final = 200
"""New branches of agents in one push (CD408): the name of each is held against all tasks."""

MAKER_PROOFS: Final = 1_000
"""Signatures of one push that are looked at to tell whose a new branch is (CD408)."""

FINDINGS_SHOWN: Final = 10
"""Findings that a report prints in full."""

VALUE_SHOWN: Final = 120
"""Characters of a pushed value that a report repeats."""

SIGNATURE_BYTES: Final = 16 * 1024
"""Bytes of one SSH signature, decoded: RSA of 16,384 bits needs 4,300."""

WRITER_SIGNATURES: Final = 256
"""`Codifica-Writer` trailers of one commit: one for each task that it changes."""

SIGNER_PATTERNS: Final = 64
"""Principals, or namespaces, of one line of `allowed_signers`: some of them are held against each other."""

SIGNER_PATTERN_LENGTH: Final = 256
"""Characters of one of them: a principal has 70 at most."""

SIGNER_LINES: Final = 64
"""Lines of `allowed_signers` for one key: all of them are looked at for each signature by it."""

NETWORK_SECONDS: Final = 120
"""Seconds that one fetch or push of a verb may take."""

CI_SECONDS: Final = 900
"""Seconds that one fetch of a run of CI may take: a whole history may come with it."""

RETRY_SECONDS: Final = 30
"""Seconds in which a verb starts anew, as long as only others' tasks moved."""

RETRY_TRIES: Final = 20
"""Tries that a verb makes at least: so many others may be faster, however slow the machine is."""

KEY_USE_COMMITS: Final = 5_000
"""Commits that are looked at for the last use of a key."""

KEY_USE_PROOFS: Final = 20
"""Signatures of one key that are looked at for its last use, where the newest do not hold."""

RECEIPT_BYTES: Final = 16 * 1024 * 1024
"""Bytes of one receipt: a push of 50,000 transitions fits."""

RECEIPT_SECONDS: Final = 5
"""Seconds in which a server's hook tries to add its receipts to the chain while others do: the pusher waits for it."""

RECEIPT_TRIES: Final = 10
"""Tries that it makes at least, however slow the machine is."""

RECEIPTS_AT_ONCE: Final = 200
"""Receipts that one push writes, those of earlier pushes that got none included: the rest comes with the next push."""

RECEIPT_WARNINGS: Final = 1_000
"""Warnings that one receipt repeats."""

PENDING_FILES: Final = 10_000
"""Files of pushes without a receipt that one push looks at."""

RECEIPT_TEXT: Final = 200
"""Characters of a task's id or state that a receipt repeats."""

REASON_CHARACTERS: Final = 500
"""Characters of why an admin paused or moved the introduction: one line of each receipt."""
