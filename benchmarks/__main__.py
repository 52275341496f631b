"""`python -m benchmarks`: builds repositories, runs each pair in turn, prints medians and ratios."""

import argparse
import json
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from benchmarks.crowd import Crowd, start_up
from benchmarks.history import MORE, History
from benchmarks.measure import Row, compare, row
from benchmarks.shop import Shop

PROGRAM = [sys.executable, "-I", "-m", "codifica_guard", "hook", "pre-receive"]
IMPORT_REPO = [sys.executable, "-I", "-c", "import dulwich.repo"]
ROOT_TREE = [
    sys.executable,
    "-I",
    "-c",
    "import sys;from dulwich.object_store import DiskObjectStore;"
    "s=DiskObjectStore('objects');t=sys.argv[1].encode();c=s.get_raw(t)[1];s.get_raw(c[5:45])[1];s.close()",
]
RECEIPTS = [*PROGRAM[:-1], "post-receive"]
SH = ["sh", "-c", "cat >/dev/null"]


def rows(work: Path, rounds: int, tasks: tuple[int, int]) -> list[Row]:
    """Every row of the table."""
    plain = Shop(work / "plain", tasks=None)
    small, large = Shop(work / "small", tasks=tasks[0]), Shop(work / "large", tasks=tasks[1])
    found = []
    push = plain.code()
    found.append(
        compare(
            "no codifica.json: hook",
            plain.hook(PROGRAM, push),
            "dulwich reads the root tree",
            plain.hook([*ROOT_TREE, push.new], push),
            rounds,
        )
    )
    push = small.code()
    found.append(
        compare(
            "one code commit: hook",
            small.hook(PROGRAM, push),
            "import dulwich.repo",
            small.hook(IMPORT_REPO, push),
            rounds,
        )
    )
    found.append(compare("one code commit: hook", small.hook(PROGRAM, push), "sh hook", small.hook(SH, push), rounds))
    claim, big = small.claim(), large.claim()
    found.append(
        compare(
            f"one claim, {tasks[0]} tasks: hook",
            small.hook(PROGRAM, claim),
            "import dulwich.repo",
            small.hook(IMPORT_REPO, claim),
            rounds,
        )
    )
    found.append(
        compare(
            f"one claim, {tasks[1]:,} tasks: hook",
            large.hook(PROGRAM, big),
            f"{tasks[0]} tasks",
            small.hook(PROGRAM, claim),
            rounds,
        )
    )
    for name, shop, one in (
        ("no codifica.json", plain, plain.code()),
        ("one code commit", small, push),
        (f"one claim, {tasks[0]} tasks", small, claim),
    ):
        found.append(
            compare(f"{name}: git push", shop.push(one, PROGRAM), "git push, sh hook", shop.push(one, SH), rounds)
        )
    found.append(
        compare(
            "the same, with its receipt: git push",
            small.push(claim, PROGRAM, RECEIPTS),
            "git push, the guard without receipts",
            small.push(claim, PROGRAM),
            rounds,
        )
    )
    return found


def rows_of_history(work: Path, rounds: int, commits: int) -> list[Row]:
    """Audits of many commits that each change one of a hundred tasks."""
    past = History(work / "past", commits)
    cold, name = past.audit("--no-cache"), f"audit of {commits:,} signed commits, cold"
    found = [compare(name, cold, "git log --show-signature", past.show_signatures(), rounds)]
    again, before = past.audit_again()
    found.append(compare(f"audit again, {MORE} commits later", again, "cold", cold, rounds, before))
    return found


def rows_of_crowd(work: Path, rounds: int, clients: int, claims: int) -> list[Row]:
    """Claims that many clients push at once; for each that comes in, how long all of them waited for it."""
    crowd = Crowd(work / "crowd", clients, claims)
    seconds = start_up(crowd.shop, PROGRAM, crowd.shop.free())
    sleeping = ["sh", "-c", f"cat >/dev/null; sleep {seconds:.3f}"]
    times = [
        (crowd.run(PROGRAM, RECEIPTS), crowd.run(sleeping, None), crowd.run(IMPORT_REPO, None)) for _ in range(rounds)
    ]
    name = f"{clients} clients, {claims} claims each: a claim"
    return [
        row(name, f"sh hook that sleeps {seconds * 1000:.0f} ms", [(guard, sleep) for guard, sleep, _ in times]),
        row(name, "hook that does import dulwich.repo", [(guard, start) for guard, _, start in times]),
    ]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="runs of each side of a pair (15)")
    parser.add_argument(
        "--tasks",
        type=int,
        nargs=2,
        default=(10, 1000),
        metavar=("FEW", "MANY"),
        help="tasks in the document (10 1000)",
    )
    parser.add_argument(
        "--commits", type=int, default=1000, help="signed commits that are audited; 0 leaves these rows out (1000)"
    )
    parser.add_argument(
        "--audits", type=int, default=3, help="runs of each side of a pair about audits, and of the clients (3)"
    )
    parser.add_argument(
        "--clients",
        type=int,
        nargs=2,
        default=(16, 4),
        metavar=("CLIENTS", "CLAIMS"),
        help="clients that push at once and how much each claims; 0 0 leaves the row out (16 4)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codifica-bench-") as folder:
        found = rows(Path(folder), options.rounds, tuple(options.tasks))
        if options.commits:
            found += rows_of_history(Path(folder), options.audits, options.commits)
        if all(options.clients):
            found += rows_of_crowd(Path(folder), options.audits, *options.clients)
    machine = {
        "python": platform.python_version(),
        "machine": f"{platform.machine()} {platform.system()}",
        "dulwich": version("dulwich"),
        "guard": version("codifica-guard"),
        "rounds": options.rounds,
        "tasks": list(options.tasks),
        "audits": options.audits,
    }
    if options.json:
        print(json.dumps({"machine": machine, "rows": [row.plain() for row in found]}, indent=1))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()), end="\n\n")
    print("| what | median | against | median | ratio |\n| --- | ---: | --- | ---: | ---: |")
    for line in found:
        print(line.markdown())
    return 0


if __name__ == "__main__":
    sys.exit(main())
