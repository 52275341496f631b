"""What every scenario stands on: keys that are made once a run, and a repository for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.building.push", "tests.unit.packs_codifica.cases")

from tests.building import NewRepo, Repo, Workshop  # noqa: E402  # only after its asserts were registered


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say how the scenarios may be run."""
    parser.addoption(
        "--without-guard",
        action="store_true",
        help="leave the guard out: every push, the refused ones too, has to be one that plain Git takes",
    )
    parser.addoption(
        "--cold",
        action="store_true",
        help="start each of the guard's processes by itself, as Git does, instead of forking them from one that has the guard loaded",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the marks that scenarios use."""
    config.addinivalue_line("markers", "guard: makes no sense without the guard itself")
    config.addinivalue_line(
        "markers", "cold: the guard's processes are started by themselves, never forked from a loaded one"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without the guard, leave out what is about the guard's own commands."""
    if config.getoption("--without-guard"):
        out = [item for item in items if item.get_closest_marker("guard")]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


@pytest.fixture(scope="session")
def workshop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """Keys and templates of this run."""
    made = Workshop(
        tmp_path_factory.mktemp("workshop"),
        guarded=not request.config.getoption("--without-guard"),
        cold=request.config.getoption("--cold"),
    )
    yield made
    made.close()


@pytest.fixture
def new_repo(workshop: Workshop, tmp_path: Path, request: pytest.FixtureRequest) -> NewRepo:
    """Makes repositories: of another object format, or with another name."""
    made = iter(range(100))
    cold = request.node.get_closest_marker("cold") is not None

    def make(object_format: str = "sha1", name: str = "shop.git") -> Repo:
        root = tmp_path / f"site-{next(made)}"
        root.mkdir()
        return Repo(workshop, root, object_format=object_format, name=name, cold=cold)

    return make


@pytest.fixture
def repo(new_repo: NewRepo) -> Repo:
    """A repository with a policy of alice's; the test says which tasks are there."""
    made: Repo = new_repo()
    return made
