"""Every shape; the one place where the groups stand side by side."""

from collections.abc import Mapping
from typing import Any, Final

from codifica_guard.cli.shapes import agent, audit, ci, human, look, server, trust
from codifica_guard.cli.shapes import help as about

_GROUPS: Final[tuple[Mapping[str, Any], ...]] = (
    look.SHAPES,
    agent.SHAPES,
    human.SHAPES,
    trust.SHAPES,
    server.SHAPES,
    audit.SHAPES,
    ci.SHAPES,
    about.SHAPES,
)

SHAPES: Final[Mapping[str, Any]] = {name: shape for group in _GROUPS for name, shape in group.items()}
"""Command to what its envelope holds: a `TypedDict`, a union of them, or None where that is always null."""
