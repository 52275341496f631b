from functools import cached_property

import pytest

from codifica_guard.model.value import FrozenValueError, fields, replace, value


@value
class Point:
    """A point."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


@value(kw_only=False)
class Pair:
    first: int
    second: int = 0


@value(slots=False)
class Lazy:
    number: int

    @cached_property
    def double(self) -> int:
        return 2 * self.number


@value
class Nothing:
    pass


def test_fields_are_given_by_name_and_have_their_defaults() -> None:
    assert (Point(x=1).x, Point(x=1).y, Point(x=1, y=5).sum) == (1, 2, 6)
    with pytest.raises(TypeError):
        Point(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]
    assert Pair(1, 2).second == 2


def test_values_are_equal_by_class_and_fields() -> None:
    others: list[object] = [Point(x=2), Pair(1, 2), 1]
    assert Point(x=1) == Point(x=1, y=2)
    assert all(other != Point(x=1) for other in others)
    assert len({Point(x=1), Point(x=1), Point(x=2), Lazy(number=1), Lazy(number=1)}) == 3
    assert Nothing() == Nothing()


def test_values_are_frozen() -> None:
    point = Point(x=1)
    with pytest.raises(FrozenValueError, match=r"Point\.x cannot be changed"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenValueError):
        del point.x
    with pytest.raises(AttributeError):
        point.z = 1  # type: ignore[attr-defined]
    assert not hasattr(point, "__dict__")


def test_a_cached_property_is_computed_once() -> None:
    lazy = Lazy(number=2)
    assert (lazy.double, lazy.__dict__) == (4, {"number": 2, "double": 4})


def test_values_can_be_shown_and_replaced() -> None:
    assert repr(Point(x=1)) == "Point(x=1, y=2)"
    assert replace(Point(x=1), y=3) == Point(x=1, y=3)
    assert fields(Point) == fields(Point(x=1)) == ("x", "y")
    assert Point.__doc__ == "A point."
    assert Point.__qualname__ == "Point"
