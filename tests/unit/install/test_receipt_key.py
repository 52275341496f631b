"""The server's key: made once, whole, for its owner's eyes only; never written over, and taken away only where that is asked for."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.audit.server_key import KEY_FILE, default_server, server_principal
from codifica_guard.errors import GuardError, KeyUnavailable, UsageError
from codifica_guard.git.config import Config
from codifica_guard.identity.new_keys import new_private
from codifica_guard.install import bare as server
from codifica_guard.install import doctor, new_key, receipt_key
from codifica_guard.install.check import Level
from codifica_guard.install.plan import Action, Plan, Report, apply
from codifica_guard.install.proof import config_of
from codifica_guard.install.repository import Repository, open_bare
from codifica_guard.model.ids import KeyBlob, Principal
from codifica_guard.model.policy import SignerLine
from tests.unit.install.places import Git, Interpreter, key_line
from tests.unit.install.test_doctor import NOW, one, policy, probes

KEY = "codifica-guard/receipt_ed25519"
HOST = "git.example.org"
NAME = f"server:{HOST}"


def plan(bare: Path, python: Interpreter, **options: object) -> Plan:
    given = {"maintainer": key_line(), "server": HOST, "python": str(python.path)} | options
    return server.plan_bare(str(bare), verify_introduction=lambda _: "", **given)  # type: ignore[arg-type]


def installed(bare: Path, python: Interpreter) -> Repository:
    apply(plan(bare, python))
    return open_bare(str(bare))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def mends(bare: Path, python: Interpreter) -> tuple[Callable[[], Report], ...]:
    """The two calls that mend."""
    return lambda: doctor.fix(str(bare), NOW), lambda: apply(plan(bare, python))


def fingerprint(path: Path) -> str:
    return subprocess.run(["ssh-keygen", "-lf", path], capture_output=True, check=True, text=True).stdout.split()[1]


def listing(
    key: KeyBlob, *, principals: tuple[str, ...] = (NAME,), namespaces: tuple[str, ...] = ("git",)
) -> SignerLine:
    return SignerLine(principals=principals, key=key, namespaces=namespaces)


def key_of(repository: Repository) -> receipt_key.ReceiptKey:
    found = receipt_key.read_key(repository)
    assert found is not None
    return found


# -- made


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o000])
def test_the_key_is_one_that_openssh_reads_and_only_its_owner_can(
    bare: Path, python: Interpreter, umask: int, tmp_path: Path
) -> None:
    old = os.umask(umask)
    try:
        installed(bare, python)
    finally:
        os.umask(old)
    path = bare / KEY
    assert (mode(path), mode(bare / f"{KEY}.pub")) == (0o600, 0o644)
    assert (bare / f"{KEY}.pub").read_text().split()[0::2] == ["ssh-ed25519", NAME]
    assert fingerprint(path) == fingerprint(bare / f"{KEY}.pub")
    assert sorted(p.name for p in path.parent.iterdir()) == ["receipt_ed25519", "receipt_ed25519.pub"]
    (tmp_path / "text").write_text("x")
    sign = ["ssh-keygen", "-Y", "sign", "-n", "git", "-f", str(path), str(tmp_path / "text")]
    assert subprocess.run(sign, capture_output=True, check=False).returncode == 0


def test_where_the_key_is_and_what_the_server_is_called_stands_in_the_config(bare: Path, python: Interpreter) -> None:
    repository = installed(bare, python)
    assert repository.own("codifica.receiptKey") == KEY == KEY_FILE
    assert repository.own("codifica.server") == NAME
    assert server_principal(config_of(repository)) == NAME
    moved = bare.rename(bare.with_name("elsewhere.git"))
    assert key_of(open_bare(str(moved))).path == moved / KEY, "a repository that is moved keeps its key"


def test_a_key_is_never_made_twice_and_its_public_half_comes_back(bare: Path, python: Interpreter) -> None:
    installed(bare, python)
    before = (bare / KEY).read_bytes()
    public = (bare / f"{KEY}.pub").read_bytes()
    assert not plan(bare, python).changes
    (bare / f"{KEY}.pub").unlink()
    again = plan(bare, python)
    assert [(s.action, s.subject) for s in again.steps] == [(Action.MAKE, f"{KEY}.pub")]
    apply(again)
    assert ((bare / KEY).read_bytes(), (bare / f"{KEY}.pub").read_bytes()) == (before, public)


def test_two_installers_at_once_leave_one_key_and_its_own_public_half(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = new_private
    winner: list[bytes] = []

    def late() -> tuple[bytes, KeyBlob]:
        text, key = real()
        other, _ = real()
        (bare / KEY).write_bytes(other)
        winner.append(other)
        return text, key

    monkeypatch.setattr(new_key, "new_private", late)
    installed(bare, python)
    assert (bare / KEY).read_bytes() == winner[0]
    (bare / KEY).chmod(0o600)
    assert fingerprint(bare / KEY) == fingerprint(bare / f"{KEY}.pub")


@pytest.mark.parametrize("there", [False, True])
def test_where_the_file_system_has_no_hard_links_nothing_is_written_over_either(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch, *, there: bool
) -> None:
    def no_links(*_: object, **__: object) -> None:
        if there:
            (bare / KEY).write_text("somebody was faster")
        raise PermissionError(1, "Operation not permitted")

    wanted = plan(bare, python)
    monkeypatch.setattr(os, "link", no_links)
    if there:
        with pytest.raises(GuardError, match="is there already and stays as it is"):
            apply(wanted)
        assert (bare / KEY).read_text() == "somebody was faster"
    else:
        apply(wanted)
        assert mode(bare / KEY) == 0o600
        assert fingerprint(bare / KEY) == fingerprint(bare / f"{KEY}.pub")


def test_a_key_whose_private_half_is_gone_is_not_replaced_behind_its_back(bare: Path, python: Interpreter) -> None:
    installed(bare, python)
    (bare / KEY).unlink()
    with pytest.raises(UsageError, match="its private half is not: put that back"):
        plan(bare, python)


@pytest.mark.parametrize(
    ("data", "why"), [(b"", "is no OpenSSH private key"), (b"nonsense\xff", "is no OpenSSH private key")]
)
def test_what_is_no_key_is_left_alone(bare: Path, python: Interpreter, data: bytes, why: str) -> None:
    (bare / "codifica-guard").mkdir()
    (bare / KEY).write_bytes(data)
    with pytest.raises(UsageError, match=f"{why}.*move it away"):
        plan(bare, python)
    assert (bare / KEY).read_bytes() == data


def test_a_key_with_a_passphrase_cannot_sign_in_a_hook(bare: Path, python: Interpreter) -> None:
    (bare / "codifica-guard").mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", bare / KEY], check=True)
    with pytest.raises(UsageError, match="has a passphrase, which nobody can type in a hook"):
        plan(bare, python)


def test_a_key_in_hardware_cannot_sign_in_a_hook(
    bare: Path, monkeypatch: pytest.MonkeyPatch, python: Interpreter
) -> None:
    repository = installed(bare, python)
    monkeypatch.setattr(receipt_key, "is_hardware", lambda _: True)
    with pytest.raises(KeyUnavailable, match="nobody can touch it in a hook"):
        receipt_key.read_key(repository)


def test_a_key_that_cannot_be_read_is_told_by_the_system_s_own_words(bare: Path, python: Interpreter) -> None:
    repository = installed(bare, python)
    (bare / KEY).unlink()
    (bare / KEY).mkdir()
    with pytest.raises(KeyUnavailable, match=f"{KEY} cannot be read: Is a directory"):
        receipt_key.read_key(repository)
    assert "Is a directory" in one(doctor.examine(str(bare), probes()), "server key").text


def test_a_key_that_somebody_else_owns_is_his_to_look_at(
    bare: Path, python: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(bare, python)
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, how: str(path) != str(bare / KEY) and real(path, how))
    with pytest.raises(UsageError, match=r"only he may read it; do: sudo -u .* codifica-guard"):
        plan(bare, python)


def test_a_key_that_the_admin_keeps_elsewhere_is_made_there_and_never_purged(
    bare: Path, python: Interpreter, git: Git, tmp_path: Path
) -> None:
    place = tmp_path / "keys" / "of all"
    git("--git-dir", bare, "config", "codifica.receiptKey", place)
    tmp_path.joinpath("keys").mkdir()
    repository = installed(bare, python)
    assert key_of(repository).path == place
    assert not (bare / "codifica-guard").exists()
    lines = apply(server.plan_uninstall(str(bare), purge=True)).lines
    assert any(line.startswith("left") and "other repositories may use it" in line for line in lines)
    assert place.exists()


# -- called


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("git.example.org", NAME),
        ("GIT.Example.ORG", NAME),
        ("my server_1", "server:my-server_1"),
        ("-x-", "server:x-"),
        ("münchen", "server:m-nchen"),
        ("日本", "server:git"),
        ("", "server:git"),
        ("a" * 80, "server:" + "a" * 64),
    ],
)
def test_a_machines_name_becomes_one_that_a_principal_may_have(host: str, name: str) -> None:
    assert default_server(host) == name


def test_without_a_name_the_server_is_called_like_its_machine(bare: Path, python: Interpreter, git: Git) -> None:
    apply(plan(bare, python, server=None))
    assert open_bare(str(bare)).own("codifica.server") == default_server(os.uname().nodename)
    apply(plan(bare, python, server=NAME))
    assert not plan(bare, python, server=None).changes, "what was set stays"
    git("--git-dir", bare, "config", "codifica.server", "human:alice")
    assert server_principal(config_of(open_bare(str(bare)))) == default_server(os.uname().nodename)
    assert server_principal(Config()) == default_server(os.uname().nodename)


@pytest.mark.parametrize("name", ["", "human:alice", "UPPER", "a b", "server:", "a" * 65, "server:server:x"])
def test_no_server_is_called_like_that(bare: Path, python: Interpreter, name: str) -> None:
    with pytest.raises(UsageError, match=r"--server .*a name is of"):
        plan(bare, python, server=name)


def test_a_name_that_was_set_by_hand_and_is_none_is_told(bare: Path, python: Interpreter, git: Git) -> None:
    installed(bare, python)
    git("--git-dir", bare, "config", "codifica.server", "Git Server")
    with pytest.raises(UsageError, match=r"'Git Server'.*--server"):
        plan(bare, python, server=None)
    found = doctor.examine(str(bare), probes())
    assert "codifica.server is 'Git Server': no server can be called so" in [check.text for check in found]
    apply(plan(bare, python))
    assert open_bare(str(bare)).own("codifica.server") == NAME


# -- listed


def test_the_line_for_a_maintainer_is_told_as_long_as_the_policy_does_not_list_the_key(
    bare: Path, python: Interpreter
) -> None:
    repository = installed(bare, python)
    there = key_of(repository)
    line = (bare / f"{KEY}.pub").read_text().rpartition(" ")[0]
    add = f"git codifica key add {NAME} '{line}'"
    assert receipt_key.told(repository, None) == (
        f"server key  {line} {NAME}",
        f"            a maintainer, once the policy is in: {add}",
    )
    assert receipt_key.told(repository, policy())[1] == f"            human:alice: {add}"
    assert receipt_key.told(repository, policy(signers=(listing(there.key),))) == ()
    (bare / KEY).write_text("broken")
    assert receipt_key.told(repository, None) == ()
    (bare / KEY).unlink()
    assert receipt_key.told(repository, None) == ()


def test_a_key_is_listed_if_it_is_this_servers_and_may_sign_commits(bare: Path, python: Interpreter) -> None:
    there = key_of(installed(bare, python))
    for line, listed in [
        (listing(there.key), True),
        (listing(there.key, namespaces=()), True),
        (listing(there.key, principals=("server:*",)), True),
        (listing(there.key, principals=("server:other",)), False),
        (listing(there.key, namespaces=("codifica-guard",)), False),
        (listing(KeyBlob(b"another")), False),
    ]:
        assert there.listed(policy(signers=(line,))) is listed, line


# -- modes of a repository that a group shares


def test_in_a_shared_repository_all_may_write_down_their_pushes(bare: Path, python: Interpreter, git: Git) -> None:
    git("--git-dir", bare, "config", "core.sharedRepository", "group")
    bare.chmod(0o2775)
    installed(bare, python)
    assert (mode(bare / "codifica-guard"), mode(bare / KEY)) == (0o2775, 0o600)
    assert not plan(bare, python).changes


def test_a_folder_that_an_earlier_version_closed_to_the_group_is_opened(
    bare: Path, python: Interpreter, git: Git
) -> None:
    repository = installed(bare, python)
    folder = bare / "codifica-guard"
    git("--git-dir", bare, "config", "core.sharedRepository", "group")
    bare.chmod(0o2775)
    assert mode(folder) == 0o755
    check = next(c for c in doctor.examine(str(bare), probes()) if c.name == "server key")
    assert (check.level, check.text) == (
        Level.FAIL,
        "codifica-guard is 0755, and a group shares this repository: only its owner's pushes are written down",
    )
    assert any("mode 0755, now 2775" in line for line in doctor.fix(str(bare), NOW).lines)
    assert mode(folder) == 0o2775
    assert receipt_key.folder_mode(repository) is None


@pytest.mark.parametrize(
    ("value", "shared"),
    [
        ("umask", False),
        ("false", False),
        ("0", False),
        ("0640", False),
        ("0660", True),
        ("0770", True),
        ("1", True),
        ("2", True),
        ("group", True),
        ("True", True),
        ("all", True),
        ("everybody", True),
    ],
)
def test_what_git_takes_for_shared_is(bare: Path, git: Git, value: str, *, shared: bool) -> None:
    assert not receipt_key.is_shared(open_bare(str(bare)))
    git("--git-dir", bare, "config", "core.sharedRepository", value)
    assert receipt_key.is_shared(open_bare(str(bare))) is shared


# -- what doctor says


def test_a_key_that_others_can_read_fails_and_is_closed_by_fix_and_by_install(bare: Path, python: Interpreter) -> None:
    installed(bare, python)
    for mend in mends(bare, python):
        (bare / KEY).chmod(0o644)
        check = one(doctor.examine(str(bare), probes(policy=policy)), "server key", Level.FAIL)
        assert check.text == f"{KEY} is 0644, not 0600: others can sign in the server's name"
        assert check.do == (f"codifica-guard doctor --fix '{bare}'",)
        before = (bare / KEY).read_bytes()
        assert any("mode 0644, now 0600" in line for line in mend().lines)
        assert (mode(bare / KEY), (bare / KEY).read_bytes()) == (0o600, before)


def test_a_group_may_read_the_key_only_where_it_shares_the_repository(
    bare: Path, python: Interpreter, git: Git
) -> None:
    repository = installed(bare, python)
    signed = policy(signers=(listing(key_of(repository).key),))

    def look() -> list[tuple[Level, str]]:
        found = doctor.examine(str(bare), probes(policy=lambda: signed))
        return [(check.level, check.text) for check in found if check.name == "server key"]

    assert look() == [(Level.OK, f"{KEY} of {NAME}, listed by the policy")]
    (bare / KEY).chmod(0o640)
    assert look()[0][0] is Level.FAIL
    git("--git-dir", bare, "config", "core.sharedRepository", "group")
    (bare / "codifica-guard").chmod(0o2775)
    assert look() == [(Level.OK, f"{KEY} of {NAME}, listed by the policy; its group may sign in the server's name")]
    assert not plan(bare, python).changes
    (bare / KEY).chmod(0o600)
    ((level, text),) = look()
    assert level is Level.WARN
    assert "the receipts of others' pushes wait for the next push of" in text
    (bare / KEY).chmod(0o660)
    assert look()[0][0] is Level.FAIL


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_key_of_somebody_else_cannot_be_read_by_the_repositorys_hooks(bare: Path, python: Interpreter) -> None:
    installed(bare, python)
    os.chown(bare / KEY, 54321, -1)
    check = one(doctor.examine(str(bare), probes(policy=policy)), "server key", Level.FAIL)
    assert check.text == f"{KEY} belongs to 54321, the repository to root: its hooks cannot read the key".replace(
        "54321", "#54321"
    )
    assert check.do == (f"chown root '{bare / KEY}'",)


def test_how_the_policy_has_the_key_is_told(bare: Path, python: Interpreter) -> None:
    there = key_of(installed(bare, python))
    check = one(doctor.examine(str(bare), probes()), "server key")
    assert (check.level, check.do) == (Level.OK, (there.add,))
    check = one(doctor.examine(str(bare), probes(policy=policy)), "server key")
    assert (check.level, check.do) == (Level.WARN, (f"human:alice: {there.add}",))
    assert check.text == f"of {NAME} is not listed by the policy: no audit believes its receipts"
    signed = policy(signers=(listing(there.key),))
    assert one(doctor.examine(str(bare), probes(policy=lambda: signed)), "server key").level is Level.OK
    revoked = policy(signers=(listing(there.key),), revoked=frozenset({there.key}))
    check = one(doctor.examine(str(bare), probes(policy=lambda: revoked)), "server key")
    assert (check.level, check.text) == (
        Level.FAIL,
        f"of {NAME} is revoked: no receipt that it signs is believed",
    )


def test_a_repository_of_an_earlier_version_gets_what_is_missing(bare: Path, python: Interpreter, git: Git) -> None:
    for mend in mends(bare, python):
        installed(bare, python)
        for half in ("", ".pub"):
            (bare / f"{KEY}{half}").unlink()
        for key in ("receiptKey", "server"):
            git("--git-dir", bare, "config", "--unset", f"codifica.{key}")
        check = one(doctor.examine(str(bare), probes()), "server key")
        assert (check.level, check.text) == (Level.FAIL, f"{KEY} is missing: no receipts are written")
        assert check.do == (f"codifica-guard doctor --fix '{bare}'",)
        assert mend().changed
        repository = open_bare(str(bare))
        assert mode(bare / KEY) == 0o600
        assert repository.own("codifica.receiptKey") == KEY
        assert repository.own("codifica.server")
        (bare / KEY).unlink()
        (bare / f"{KEY}.pub").unlink()


def test_doctor_replaces_no_key_that_signed_receipts(bare: Path, clone: Path, python: Interpreter, git: Git) -> None:
    assert clone.exists()
    installed(bare, python)
    git("--git-dir", bare, "update-ref", "refs/codifica/receipts", "main")
    for half in ("", ".pub"):
        (bare / f"{KEY}{half}").unlink()
    check = one(doctor.examine(str(bare), probes()), "server key")
    assert check.level is Level.FAIL
    assert check.do == (
        "put it back from a backup: receipts were signed with it",
        f"or, for a new one, which a maintainer has to list: codifica-guard install '{bare}'",
    )
    lines = doctor.fix(str(bare), NOW).lines
    assert any("receipts were signed with it: put it back" in line for line in lines)
    assert not (bare / KEY).exists()
    apply(plan(bare, python))
    assert (bare / KEY).exists()


def test_what_is_no_key_fails_and_fix_keeps_its_hands_off(bare: Path, python: Interpreter) -> None:
    installed(bare, python)
    (bare / KEY).write_text("broken")
    check = one(doctor.examine(str(bare), probes()), "server key")
    assert check.level is Level.FAIL
    assert check.text.endswith("no receipts are written")
    assert any(
        line.startswith("left") and "is no OpenSSH private key" in line for line in doctor.fix(str(bare), NOW).lines
    )
    assert (bare / KEY).read_text() == "broken"
    assert Principal(NAME) == receipt_key.principal_of(open_bare(str(bare)))
