"""The page about tasks and the empty task list that `init` writes where a repository has none yet."""

from typing import Final

WORK: Final = """\
# Work

What is to be done here, one entry a task. How entries are written and who may change them: codifica-spec.md.

```yaml
```
"""

SPEC: Final = """\
# How tasks are kept here

People and agents share the tasks of this repository. `codifica.json` says where they lie, and this page how to read and
write them. The server looks at every push: what breaks these rules does not come in, and the answer names the rule and the
way out (`git codifica explain CODE` says more).

## A task

Tasks stand in `work.md`, in blocks that begin with a line of three backticks and the word `yaml`. A block is a list; each
entry is one task, its first line names it, and all its other lines are indented by two blanks at least:

    - id: SHOP-1
      type: build
      state: todo
      owner: unassigned
      title: Visitors can send a message
      priority: normal
      description: |
        A form with name, mail and text.
      acceptance:
        - A message reaches the shop's mailbox
      depends_on: []

`id`, `type`, `state`, `owner` and `title` have to be there. An id is made of letters, digits, `.`, `_` and `-`, is used once, and
stays. `type` is `build`, `test`, `review`, `investigate` or `followup`; a `build` needs `acceptance` before it is begun, and a
`followup` says in `derived_from` which task it came from. Put text with special characters in quotes, or below `|`. Anchors,
aliases and tags of YAML are not taken.

## States

- `todo`: waits to be taken
- `in_progress`: its owner works on it
- `to_be_tested`: handed in; somebody looks at it
- `done`: finished
- `blocked`: cannot go on; `blocked_reason` says why
- `rejected`: will not be done

## Who may move a task

| from | to | who |
| --- | --- | --- |
| `todo` | `in_progress` | an agent or a person, by taking it |
| `in_progress` | `to_be_tested` | its owner |
| `in_progress` | `done` | its owner, but never a `build` |
| `to_be_tested` | `done` | a person, or its owner |
| `to_be_tested` | `todo` | a person or its owner, with a reason |
| any but `blocked` | `blocked` | a person, with a reason |
| `blocked` | `todo`, `in_progress` | a person |
| `todo`, `in_progress`, `blocked` | `rejected` | a person, with a reason |
| `in_progress` | `todo` | a person who takes it back, with a reason |
| `done`, `rejected` | `todo` | a person, with a reason |

Each move adds one entry at the end of the task's `state_transitions`, which say `from`, `to`, `by`, `timestamp` and, where
one is asked for, `reason`. What stands there is never changed afterwards. Times look like `2026-11-30T09:14:00Z`.

## Taking a task

Whoever takes a task says so in one commit that does nothing else: `state: in_progress`, himself as `owner`, the time in
`claimed_at`, and the new entry. The first whose push arrives has it. All that it depends on has to be `done` before.
Where `.codifica/guard.json` requires writer tokens, an agent's entry names a fresh key of this session in `provenance`, as
`writer`, and its later commits on the task are signed with that key, too.

## Working

- Agents touch their own task alone, and of that one the state, `execution_notes`, `artifacts` and the like; what a task asks
  for is for people to change.
- Progress goes into `execution_notes`, each entry with `by`, `timestamp` and `note`; the last one before a task is handed in
  has a `summary` of one line.
- Files that belong to a task lie in `assets/`, in a folder named like the task.
- A review is recorded in `human_review` by the person who made it.
- Whoever moves a task signs the commit with the key that is listed for him in `.codifica/allowed_signers`.
"""
