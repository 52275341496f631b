"""Frozen values that cost next to nothing to define.

`@dataclass(frozen=True, slots=True)` writes and compiles six methods for each class, which is a third of the hook's start-up. A value
compiles one, its `__init__`, and that when the first of its class is made; equality, hash and repr are the same functions for all.
Type checkers take it for a dataclass.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, TypeVar, dataclass_transform, overload

T = TypeVar("T")

EMPTY: Final[Mapping[Any, Any]] = MappingProxyType({})
"""A mapping without entries that nobody can change: a default for fields."""


class FrozenValueError(AttributeError):
    """A value was to be changed."""


@overload
def value(cls: type[T], /) -> type[T]: ...
@overload
def value(*, kw_only: bool = ..., slots: bool = ...) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, kw_only_default=True)
def value(cls: Any = None, /, *, kw_only: bool = True, slots: bool = True) -> Any:
    """Make a class a frozen value: its annotations are its fields, in order, with their defaults.

    Two values are equal if they are of one class and all fields are; they hash alike then. A default is shared by all
    values, so it has to be immutable. `__post_init__` runs where there is one.

    Args:
        cls: the class, where the decorator has no arguments.
        kw_only: whether fields are given by name only.
        slots: whether there is no `__dict__`; a class with cached properties needs one.
    """
    if cls is None:
        return lambda found: _make(found, kw_only=kw_only, slots=slots)
    return _make(cls, kw_only=kw_only, slots=slots)


def fields(of: object) -> tuple[str, ...]:
    """Names of a value's or a value class's fields, in order."""
    names: tuple[str, ...] = getattr(of, "__fields__")  # noqa: B009 - a protocol of one attribute would say no more
    return names


def replace(of: T, /, **changes: Any) -> T:
    """The same value with some fields changed."""
    kept = {name: getattr(of, name) for name in fields(of)}
    return type(of)(**{**kept, **changes})


def _make(cls: type[Any], *, kw_only: bool, slots: bool) -> type[Any]:
    names = tuple(cls.__annotations__)
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    body: dict[str, Any] = {k: v for k, v in cls.__dict__.items() if k not in {"__dict__", "__weakref__", *names}}
    body |= {"__fields__": names, "__setattr__": _frozen, "__delattr__": _frozen, "__repr__": _repr}
    body |= _comparing(names)
    if slots:
        body["__slots__"] = names
    metaclass: Any = type(cls)
    made: type[Any] = metaclass(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__

    def first(self: object, *args: Any, **kwargs: Any) -> None:
        # A hook loads many of these classes, and makes values of few.
        init = _init(names, defaults, kw_only=kw_only, more="__post_init__" in body)
        setattr(made, "__init__", init)  # noqa: B010 - the type checker would not have it otherwise
        init(self, *args, **kwargs)

    setattr(made, "__init__", first)  # noqa: B010 - as above
    return made


def _comparing(names: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    get: Callable[[object], Any] = attrgetter(*names) if names else _nothing

    def equal(self: object, other: object) -> bool:
        return bool(get(self) == get(other)) if type(other) is type(self) else NotImplemented

    def hashed(self: object) -> int:
        return hash(get(self))

    return {"__eq__": equal, "__hash__": hashed}


def _nothing(_: object) -> tuple[()]:
    return ()


def _init(names: tuple[str, ...], defaults: dict[str, Any], *, kw_only: bool, more: bool) -> Callable[..., None]:
    """The one method that is compiled: calls of it are the common case, so it has to be fast."""
    arguments = ", ".join(f"{name}=_defaults[{name!r}]" if name in defaults else name for name in names)
    lines = [f"    _set(self, {name!r}, {name})" for name in names] or ["    pass"]
    if more:
        lines.append("    self.__post_init__()")
    star = "*, " if kw_only and names else ""
    space: dict[str, Any] = {"_set": object.__setattr__, "_defaults": defaults}
    exec(f"def __init__(self, {star}{arguments}):\n" + "\n".join(lines), space)  # noqa: S102 - names of our own classes only
    made: Callable[..., None] = space["__init__"]
    return made


def _frozen(self: object, name: str, *_: object) -> None:
    raise FrozenValueError(f"{type(self).__name__}.{name} cannot be changed")


def _repr(self: object) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in fields(self))})"
