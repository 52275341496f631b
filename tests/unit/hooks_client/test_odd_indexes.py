"""Indexes that are not one whole file: what is committed is judged and signed all the same."""

import pytest

from tests.building import Repo
from tests.unit.hooks_client.conftest import Hooked


@pytest.mark.parametrize("kind", ["sparse", "split", "submodule"])
def test_a_claim_is_signed_whatever_the_index_is_like(repo: Repo, hooked: Hooked, kind: str) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    builder = hooked("builder")
    if kind == "sparse":
        builder.git("sparse-checkout", "set", "--cone", "--sparse-index", "docs")
        assert not (builder.folder / "src").exists()
    elif kind == "split":
        builder.git("update-index", "--split-index")
        assert list((builder.folder / ".git").glob("sharedindex.*"))
    else:
        entry = f"160000,{builder.git('rev-parse', 'HEAD')},vendor/lib"
        builder.git("update-index", "--add", "--cacheinfo", entry)
        builder.git("commit", "-q", "--no-gpg-sign", "-m", "lib")
    builder.claim("FEAT-1").git("commit", "-q", "--no-gpg-sign", "-m", "FEAT-1: claim", "work.md")
    assert "Codifica-Signature" in builder.git("log", "-1", "--format=%B")
    builder.push().accepted()
