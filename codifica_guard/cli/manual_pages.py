"""The manual pages in docs/man, made from the parsers and the schemas.

python -m codifica_guard.cli.manual_pages            writes docs/man/
python -m codifica_guard.cli.manual_pages --check    writes nothing, and fails where a page is not what it has to be
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from codifica_guard.cli.manual_commands import NAMES, command_page
from codifica_guard.cli.manual_policy import PAGE, policy_page
from codifica_guard.policy import schema_files

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "man"
"""Where they lie in a checkout."""


def pages() -> Mapping[str, str]:
    """File name to text, the same at every call and on every machine; ASCII."""
    return {**{f"{name}.1": command_page(name) for name in NAMES}, f"{PAGE}.5": policy_page()}


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """Write the pages, or with `--check` only compare them: 1 where they are not up to date, 2 for a wrong call."""
    return schema_files.main(arguments, folder, pages(), module="codifica_guard.cli.manual_pages", pattern="*.[0-9]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
