import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.install import shim

PATHS = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40).map(
    "/{}".format
)


@settings(max_examples=200)
@given(PATHS)
def test_any_path_of_an_interpreter_is_one_word_of_sh_and_is_read_back(path: str) -> None:
    data = shim.render("pre-receive", path)
    assert shim.interpreter_of(data) == path
    before, after = shim.source("pre-receive").split(b"@PYTHON@")
    assert data.startswith(before)
    assert data.endswith(after)
    word = data[len(before) : len(data) - len(after)].decode()
    assert shlex.split(word) == [path]
