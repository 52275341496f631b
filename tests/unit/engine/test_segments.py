"""Steps whose base is older than the introduction."""

from codifica_guard.engine.segments import segments
from codifica_guard.model.ids import ObjectId
from tests.unit.engine.land import Land


def told(
    land: Land, intro: ObjectId, old: ObjectId, new: ObjectId
) -> list[tuple[ObjectId | None, set[ObjectId], set[ObjectId]]]:
    with land.store() as store:
        return [(s.base, set(s.new), set(s.with_base)) for s in segments(land.world(store, intro), old, new, old)]


def test_the_step_of_the_introduction_begins_at_its_own_parent(land: Land) -> None:
    old = land.begin()
    before = land.commit({"src/b.py": "b"}, old)
    intro = land.introduce(before)
    tip = land.commit({"src/c.py": "c"}, intro)
    assert told(land, intro, old, tip) == [(before, {intro}, {intro}), (intro, {tip}, {tip})]


def test_an_old_tip_that_came_in_from_the_side_is_seen_in_what_is_older_than_the_introduction(land: Land) -> None:
    old = land.begin()
    before = land.commit({"src/b.py": "b"}, old)
    intro = land.introduce(before)
    root = land.commit({"src/x": "x"})
    tip = land.commit({}, root, intro)
    assert told(land, intro, old, tip) == [(old, {root, intro, tip}, {intro, tip})]
