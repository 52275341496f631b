from typing import Any

from codifica_guard.engine.joining import joined

BASE: dict[str, Any] = {"id": "T", "state": "todo", "owner": "unassigned", "title": "A", "labels": ["x"]}
ONE = {(0, 1): [BASE]}


def test_different_fields_join_and_the_same_change_is_one() -> None:
    assert joined([{**BASE, "title": "B"}, {**BASE, "priority": "low"}], ONE) == {
        **BASE,
        "title": "B",
        "priority": "low",
    }
    assert joined([{**BASE, "title": "B"}, {**BASE, "title": "B"}], ONE) == {**BASE, "title": "B"}


def test_a_field_that_one_side_took_out_goes() -> None:
    without = {k: v for k, v in BASE.items() if k != "labels"}
    assert joined([without, {**BASE, "title": "B"}], ONE) == {**without, "title": "B"}


def test_two_changes_of_one_field_conflict() -> None:
    assert joined([{**BASE, "title": "B"}, {**BASE, "title": "C"}], ONE) is None


def test_state_and_owner_of_two_sides_are_one_story() -> None:
    assert joined([{**BASE, "state": "in_progress"}, {**BASE, "owner": "human:a"}], ONE) is None
    claimed = {**BASE, "state": "in_progress", "owner": "agent:a"}
    assert joined([claimed, {**BASE, "title": "B"}], ONE) == {**claimed, "title": "B"}


def test_lists_that_are_not_only_longer_conflict() -> None:
    assert joined([{**BASE, "labels": ["y"]}, {**BASE, "labels": ["x", "z"]}], ONE) is None
    assert joined([{**BASE, "labels": ["x", "y"]}, {**BASE, "labels": ["x", "z"]}], ONE) == {
        **BASE,
        "labels": ["x", "y", "z"],
    }
    assert joined([{**BASE, "labels": "y"}, {**BASE, "labels": ["x", "z"]}], ONE) is None
    other = {**BASE, "labels": ["y"]}
    assert joined([{**BASE, "labels": ["x", "a"]}, {**BASE, "labels": ["y", "b"]}], {(0, 1): [BASE, other]}) is None


def test_a_value_of_two_crossed_bases_wins_against_nobody() -> None:
    bases = {(0, 1): [{**BASE, "title": "B"}, {**BASE, "title": "C"}]}
    assert joined([{**BASE, "title": "B"}, {**BASE, "title": "C"}], bases) is None


def test_what_only_sides_have_that_share_no_base_conflicts() -> None:
    assert joined([{**BASE, "title": "B"}, BASE], {(0, 1): [None]}) is None
