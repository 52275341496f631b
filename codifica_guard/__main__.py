"""`python -m codifica_guard`: the same program as the console scripts."""

import sys

from codifica_guard.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
