"""What the keys of policy files mean: every key of the schemas, its default and its words."""

import json
from pathlib import Path

import pytest

from codifica_guard.policy.defaults import new_guard
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.policy.meaning import codifica_keys, fits, guard_keys, guard_wrong, lists

SCHEMAS = Path(__file__).resolve().parents[3] / "schemas"


def test_each_key_of_guard_json_is_there_with_words_in_the_order_that_init_writes() -> None:
    keys = guard_keys()
    assert [key.name for key in keys] == list(new_guard("0" * 32, "human:alice"))
    assert all(key.text for key in keys)
    assert {key.name for key in keys if key.required} == {"repository", "maintainers"}


def test_each_key_of_codifica_json_is_there_those_of_rules_spelt_out() -> None:
    schema = json.loads((SCHEMAS / "codifica.schema.json").read_text())
    top, rules, scope = (
        schema["properties"],
        schema["$defs"]["Rules"]["properties"],
        schema["$defs"]["FileScope"]["properties"],
    )
    wanted = {key for key in top if key != "rules"}
    wanted |= {f"rules.{key}" for key in rules if key != "file_scope"} | {f"rules.file_scope.{key}" for key in scope}
    assert {key.name for key in codifica_keys()} == wanted
    assert all(key.text for key in codifica_keys())


def test_a_default_spelt_out_means_what_its_absence_means() -> None:
    few = {"repository": "0" * 32, "maintainers": ["human:alice"], "coordination_branch": "main"}
    full = {**{key.name: key.default for key in guard_keys() if not key.required}, **few}
    policies = [
        load_policy(
            PolicyFiles(guard=json.dumps(g).encode(), codifica=None, signers=None, revoked=None, ids=(None,) * 4)
        )
        for g in (few, full)
    ]
    assert policies[0] is not None
    assert policies[1] is not None
    assert policies[0].guard == policies[1].guard


def test_what_takes_a_list_is_known() -> None:
    assert lists() == {"maintainers", "protected_branches"}


@pytest.mark.parametrize(
    ("key", "value", "taken"), [("mode", "report", True), ("mode", 1, False), ("maintainers", [], False)]
)
def test_a_value_fits_or_does_not(key: str, value: object, *, taken: bool) -> None:
    assert fits(key, value) is taken


def test_what_is_wrong_is_told_with_its_place() -> None:
    wrong = guard_wrong({"repository": "0" * 32, "maintainers": ["agent:x"]})
    assert [place for place, _ in wrong] == [("maintainers", 0)]
