"""A decision that went through a real server is proven by git and ssh-keygen alone, receipt and all."""

from pathlib import Path

import pytest

from tests.building import NewRepo
from tests.building.shapes import check_envelope
from tests.unit.cli_proof.alone import Alone

pytestmark = pytest.mark.guard


def test_an_approval_is_proven_from_the_claim_to_the_servers_receipt(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = new_repo(object_format="sha256").policy(writer_tokens="required").task("FEAT-1")
    alice, builder, alone = repo.clone("alice"), repo.clone("builder"), Alone(tmp_path)
    key = " ".join((repo.bare / "codifica-guard" / "receipt_ed25519.pub").read_text().split()[:2])
    server = repo.on_server("config", "codifica.server").strip()
    assert alice.guard("key", "add", server, key, "--yes").code == 0
    assert builder.guard("claim", "FEAT-1", env={"CODIFICA_SESSION": "s-1"}).code == 0
    assert builder.guard("submit", "FEAT-1", "--summary", "Done").code == 0
    assert alice.guard("approve", "FEAT-1", "-m", "tried it").code == 0
    alice.git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/codifica/*:refs/codifica/*")
    log = check_envelope(alice.guard("log", "FEAT-1", "--json").out)["data"]
    assert [step["receipt"] for step in log["steps"]] == [None, 2, 3, 4]
    for step in log["steps"][1:]:
        folder = tmp_path / step["deed"]
        done = alice.guard("log", "FEAT-1", "--proof", folder, "--at", step["commit"], "--json")
        proof = check_envelope(done.out)["data"]
        assert done.code == 0
        assert proof["facts"][4]["lines"][0].startswith(f"receipt {step['receipt']} by {server}, ")
        assert alone.failing(proof, alice.folder) == []
        assert alone.check(folder, alice.folder) == (0, [])
        assert alone.check(folder, repo.bare) == (0, [])
        seen = alice.guard("payload", "--receipt", step["commit"]).text.strip()
        signers = folder / "receipt.signers"
        alice.git("-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", seen)
