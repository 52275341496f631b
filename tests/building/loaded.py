"""The guard, loaded once: `python -I loaded.py FOLDER` reads process ids from FOLDER/requests and runs the guard in a fork for each.

Only `warm.py` starts it. Who asks is a shell that waits (see there). The fork takes over what that process was given: its
arguments, environment, folder, standard streams and umask. What a fork could not take over just as it is, is answered `cold`.
"""

import gc
import importlib
import io
import os
import pkgutil
import resource
import runpy
import select
import signal
import stat
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn, TextIO

_WRITE: Final = os.O_WRONLY | os.O_APPEND | os.O_NOCTTY

STREAMS: Final = ((7, 0, os.O_RDONLY | os.O_NOCTTY), (8, 1, _WRITE), (2, 2, _WRITE))
"""Where the one who asks holds a stream (what it redirects itself it keeps a copy of), what it is for the guard, and how it is opened."""

LATE: Final = (
    "dulwich.midx",
    "dulwich.object_store",
    "dulwich.repo",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.serialization.ssh",
    "ruamel.yaml",
    "wcmatch.glob",
)
"""What the guard imports only where it comes to use it."""

LIMITS: Final = (resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)


def load() -> None:
    """Import all of the guard; what cannot be imported is left to the one who needs it."""
    import codifica_guard  # noqa: PLC0415 - the parent of all that follows

    for there in pkgutil.walk_packages(codifica_guard.__path__, "codifica_guard."):
        if not there.name.endswith("__main__"):
            with suppress(Exception):
                importlib.import_module(there.name)
    for name in LATE:
        importlib.import_module(name)
    ours = [module for name, module in sys.modules.items() if name.startswith("codifica_guard.")]
    for module in ours:
        for found in list(vars(module).values()):
            if isinstance(found, type) and "__fields__" in vars(found):
                with suppress(Exception):
                    found()  # its constructor is compiled when it is first called
    gc.collect()
    gc.freeze()


def _anew(stream: TextIO) -> TextIO:
    """A standard stream over what its descriptor has become: whether one can seek in it is asked only once."""
    raw = os.fdopen(stream.fileno(), "rb" if stream.fileno() == 0 else "wb", closefd=False)
    return io.TextIOWrapper(raw, encoding=stream.encoding, errors=stream.errors, line_buffering=stream.fileno() == 2)


class Asked:
    """A process that asks for the guard."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.proc = Path(f"/proc/{pid}")
        self.words = [os.fsdecode(word) for word in self._zeros("cmdline")]
        self.environ = dict(pair.split(b"=", 1) for pair in self._zeros("environ") if b"=" in pair)

    def _zeros(self, name: str) -> list[bytes]:
        return (self.proc / name).read_bytes().split(b"\0")[:-1]

    def is_ordinary(self) -> bool:
        """Whether a fork can stand in: no terminal, nothing closed (raises OSError), no limits, nothing that Python itself listens to."""
        if any(name.startswith(b"PYTHON") for name in self.environ) or self.environ.get(b"LC_ALL") != b"C.UTF-8":
            return False
        if any(resource.prlimit(self.pid, kind) != resource.getrlimit(kind) for kind in LIMITS):
            return False
        return all(self._can_be_opened_again(held, how) for held, _, how in STREAMS)

    def _can_be_opened_again(self, held: int, how: int) -> bool:
        """Whether a stream is a pipe, a file or nothing, and open for what it is there for."""
        path = self.proc / "fd" / str(held)
        is_tty, kind = str(path.readlink()).startswith("/dev/pts/"), path.stat().st_mode
        known = stat.S_ISFIFO(kind) or stat.S_ISREG(kind) or (stat.S_ISCHR(kind) and not is_tty)
        if not known and not (is_tty and "__complete" in self.words):  # what TAB asks reads no terminal
            return False
        flags = int((self.proc / "fdinfo" / str(held)).read_text().partition("flags:")[2].split()[0], 8)
        return flags & os.O_ACCMODE in {how & os.O_ACCMODE, os.O_RDWR}

    def become(self) -> list[str]:
        """Take over all that the process was given; the guard's arguments."""
        os.umask(int((self.proc / "status").read_text().partition("Umask:")[2].split()[0], 8))
        for held, own, how in STREAMS:
            opened = os.open(self.proc / "fd" / str(held), how)
            os.dup2(opened, own)
            os.close(opened)
        sys.stdin, sys.stdout, sys.stderr = map(_anew, (sys.stdin, sys.stdout, sys.stderr))
        os.chdir((self.proc / "cwd").readlink())
        os.environ.clear()
        os.environb.update(self.environ)
        time.tzset()
        sys.executable = self.words[1]  # what the guard writes into hooks, so that they are as quick
        return self.words[self.words.index("codifica_guard") + 1 :]


def run(asked: Asked) -> NoReturn:
    """Be the guard, as `python -m codifica_guard` is, and end."""
    code = 1
    try:
        sys.argv = ["codifica_guard", *asked.become()]
        runpy.run_module("codifica_guard", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


class Server:
    """Answers those who ask, until whoever started it is gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._requests = os.open(folder / "requests", os.O_RDWR)
        self._answers: dict[int, int] = {}
        self._woken, wakes = os.pipe()
        os.set_blocking(wakes, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes)
        self._own = (self._requests, self._woken, wakes)

    def serve(self) -> None:
        """Answer, until standard input is closed."""
        while True:
            ready, _, _ = select.select([0, self._requests, self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._reap()
            if self._requests in ready:
                for pid in os.read(self._requests, 4096).split():  # lines shorter than a pipe's buffer come whole
                    self._take(int(pid))
            if 0 in ready and not os.read(0, 1):
                return

    def _take(self, pid: int) -> None:
        place = self._folder / str(pid)
        try:
            answer = os.open(place, os.O_RDWR)
            place.unlink()
        except OSError:
            return  # it has gone meanwhile
        try:
            asked = Asked(pid)
            ordinary = asked.is_ordinary()
        except OSError:
            ordinary = False
        if not ordinary:
            self._tell(answer, b"cold")
            return
        child = os.fork()
        if child:
            self._answers[child] = answer
            return
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for descriptor in (*self._own, answer, *self._answers.values()):
            os.close(descriptor)
        run(asked)

    def _reap(self) -> None:
        while self._answers:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return
            code = os.waitstatus_to_exitcode(status)
            self._tell(self._answers.pop(child), b"%d" % (code if code >= 0 else 128 - code))

    @staticmethod
    def _tell(answer: int, code: bytes) -> None:
        os.write(answer, code + b"\n")  # the one who asks has it open as well
        os.close(answer)


def main(argv: Sequence[str]) -> None:
    """Load the guard, say so, and serve."""
    load()
    server = Server(Path(argv[0]))
    os.write(1, b"ready\n")
    server.serve()


if __name__ == "__main__":
    main(sys.argv[1:])
