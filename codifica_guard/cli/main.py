"""The program's entry: finds the command and runs it."""


def main() -> int:
    """Run the command that the arguments name; its exit code."""
    return 2
