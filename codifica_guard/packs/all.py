"""Every pack that the judge knows; the one place where packs stand side by side."""

from typing import Final

from codifica_guard.packs.audit.pack import PACK as AUDIT
from codifica_guard.packs.codifica.pack import FILE_PACK as CODIFICA_FILE
from codifica_guard.packs.codifica.pack import PACK as CODIFICA
from codifica_guard.packs.core.pack import PACK as CORE
from codifica_guard.rules.registry import Registry

REGISTRY: Final = Registry((CORE, CODIFICA_FILE, CODIFICA, AUDIT))
"""All rules."""
