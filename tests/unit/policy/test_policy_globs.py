import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcmatch import glob

from codifica_guard import limits
from codifica_guard.errors import PolicyError
from codifica_guard.policy.globs import compile_globs, literal, scope_globs

MEANING = [
    # literal names
    ("work.md", "work.md", True),
    ("work.md", "Work.md", False),
    ("work.md", "a/work.md", False),
    ("work.md", "workxmd", False),
    ("./work.md", "work.md", True),
    ("././work.md", "work.md", True),
    ("work.md", "work.md\n", False),
    ("#a", "#a", True),
    ("a@b+c", "a@b+c", True),
    ("a)b]c}d|e", "a)b]c}d|e", True),
    # ** on its own
    ("**", "a", True),
    ("**", ".github/workflows/x.yml", True),
    ("**", "a\nb", True),
    ("**", "..\n", True),
    # ** at the end
    ("src/**", "src/a", True),
    ("src/**", "src/a/b", True),
    ("src/**", "src/.hidden/a", True),
    ("src/**", "src/..\n", True),
    ("src/**", "src", False),
    ("src/**", "srcs/a", False),
    ("src/**", "a/src/b", False),
    ("s*/**", "src/a/b", True),
    ("s*/**", "src", False),
    ("s*/**", "src/..\n", True),
    # ** at the beginning and in the middle
    ("**/x", "x", True),
    ("**/x", "a/x", True),
    ("**/x", "a/.b/x", True),
    ("**/x", "ax", False),
    ("**/x", "a/x/y", False),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/b", True),
    ("a/**/b", "a/x/.y/b", True),
    ("a/**/b", "ab", False),
    ("**/a/**/b/**", "x/a/y/b/z", True),
    ("**/a/**/b/**", "b/a/z", False),
    ("**/a*c/**/d", "ab/ac/d", True),
    ("**/*/**", "a/b", True),
    ("**/*/x", "x", False),
    # * stays inside one part
    ("*.key", "a.key", True),
    ("*.key", ".key", True),
    ("*.key", "a/b.key", False),
    ("*", "a", True),
    ("*", ".a", True),
    ("*", "a/b", False),
    ("src/*", "src/a", True),
    ("src/*", "src/a/b", False),
    ("a*c", "a\nc", True),
    ("a**b", "axb", True),
    ("a**b", "ax/b", False),
    ("*a*b", "xayb", True),
    ("*a*b", "xaybz", False),
    ("a/*/c", "a/b/c", True),
    ("a/*/c", "a/c", False),
    # ?
    ("?.md", "a.md", True),
    ("?.md", "é.md", True),
    ("?.md", "ab.md", False),
    ("a?b", "a/b", False),
    ("?x", ".x", True),
    # classes
    ("[ab]", "a", True),
    ("[ab]", "c", False),
    ("[!a]", "b", True),
    ("[!a]", "a", False),
    ("[^a]", "b", True),
    ("a[!b]c", "a/c", False),
    ("[a-c]x", "bx", True),
    ("[a-c]x", "Bx", False),
    ("[]a]", "]", True),
    ("[[:digit:]]", "7", True),
    ("[$]x", "$x", True),
    ("[a", "[a", True),
    # braces
    ("{a,b}.md", "b.md", True),
    ("{a,b}.md", "c.md", False),
    ("{a,{b,c}}/d", "c/d", True),
    ("{a,{b,c}}/d", "d", False),
    ("x{,y}", "x", True),
    ("x{,y}", "xy", True),
    ("{1..3}", "2", True),
    ("{1..3}", "4", False),
    ("{src,docs}/**", "docs/a", True),
    ("{a}", "{a}", True),
    ("{a", "{a", True),
    ("{,a}", "a", True),
    # extglob
    ("@(a|b)", "a", True),
    ("@(a|b)", "ab", False),
    ("a?(b)", "a", True),
    ("a?(b)", "abb", False),
    ("+(a|b)x", "abax", True),
    ("+(a|b)x", "x", False),
    ("*(a)b", "b", True),
    ("*(a)b", "aaab", True),
    ("x!(a)", "xb", True),
    ("x!(a)", "xa", False),
    ("src/!(vendor)/**", "src/a/b", True),
    ("src/!(vendor)/**", "src/vendors/b", True),
    ("src/!(vendor)/**", "src/vendor/b", False),
    ("**/*.@(js|ts)", "a/b.ts", True),
    ("**/*.@(js|ts)", "a/b.py", False),
    ("**/!(*.test).ts", "a/b.ts", True),
    ("**/!(*.test).ts", "a/b.test.ts", False),
    # escapes
    (r"\*.md", "*.md", True),
    (r"\*.md", "a.md", False),
    (r"\{a,b\}", "{a,b}", True),
    (r"a\$", "a$", True),
    (r"\!a", "!a", True),
    (r"@\(a", "@(a", True),
    # negation
    ("!a", "b", True),
    ("!a", "a", False),
    ("!**/*.md", "a/b.md", False),
    ("!!a", "a", True),
    ("!!a", "b", False),
    # names beyond ASCII, and no UTF-8
    ("é*", "ete", False),
    ("é*", "étage", True),
    ("日本/**", "日本/語", True),
    ("*.md", "\udcff.md", True),
    ("a?b", "a\udcffb", True),
    # a folder's slash and an absolute path match no file
    ("src/", "src", False),
    ("/a", "a", False),
    ("*/", "a", False),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), MEANING)
def test_a_pattern_means_what_minimatch_makes_of_it(pattern: str, path: str, *, expected: bool) -> None:
    globs = compile_globs([pattern])
    assert globs.match(path.encode("utf-8", "surrogateescape")) is expected
    assert globs.patterns == (pattern,)


def test_no_patterns_match_nothing() -> None:
    assert not compile_globs([]).match(b"a")


def test_a_negative_pattern_takes_away_wherever_it_stands() -> None:
    globs = compile_globs(["!src/gen/**", "src/**", "docs/**"])
    assert [globs.match(p) for p in (b"src/a", b"src/gen/a", b"docs/a", b"x")] == [True, False, True, False]


def test_exclude_wins_over_include() -> None:
    scope = scope_globs(["**", "!tmp/**"], ["*.key", "secret/**"])
    paths = (b"a", b"x.key", b"a/x.key", b"secret/a", b"tmp/a")
    assert [scope.match(p) for p in paths] == [True, False, True, False, False]
    assert scope.patterns == ("**", "!tmp/**", "!*.key", "!secret/**")


def test_a_negative_pattern_in_exclude_takes_away_from_what_is_excluded() -> None:
    scope = scope_globs(["**"], ["docs/**", "a*", "!docs/ok", "!ab"])
    paths = (b"docs/a", b"docs/ok", b"aa", b"ab", b"x")
    assert [scope.match(p) for p in paths] == [False, True, False, True, True]


def test_only_negative_patterns_in_exclude_leave_nothing_but_themselves() -> None:
    scope = scope_globs(["**"], ["!docs/**"])
    assert [scope.match(p) for p in (b"docs/a", b"x")] == [True, False]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "an empty pattern"),
        ("!", "an empty pattern"),
        ("./", "an empty pattern"),
        ("{,}", "an empty pattern"),
        ("a" * 1025, "longer than 1024"),
        ("{1..100000}", "limit of 1000"),
        ("{a,b}" * 20, "limit of 1000"),
        ("{" * 1000 + "*", "recursion"),
        ("!(a)", "two ways"),
        ("!!!(a)", "two ways"),
        ("@(a", "not closed"),
        ("+(a|+(b))", "in another group"),
        ("@(a/b)", "a / in a group"),
        ("+(a|aa)", "plain words"),
        ("*(*)", "plain words"),
        ("+(|a)", "plain words"),
        ("{@,+}(a|aa)", "plain words"),
        (r"+(\a|b)", "plain words"),
        ("*a*b*@(c|d)", "too many"),
        ("@(a|b)" * 7, "too many"),
        ("**/a/**/b/**/@(c|d)", "too many"),
        ("+(a)+(b)+(c)", "too many"),
    ],
)
def test_a_pattern_that_cannot_be_taken_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(PolicyError, match=re.escape(why)):
        compile_globs([pattern])


def test_a_long_pattern_is_shown_cut() -> None:
    with pytest.raises(PolicyError) as caught:
        compile_globs(["a" * 5000])
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("patterns", [["a"] * 1001, ["{1..600}", "{1..600}"], ["a", "!{1..1000}"]])
def test_more_patterns_than_the_limit_are_refused(patterns: list[str]) -> None:
    with pytest.raises(PolicyError, match=f"more than {limits.PATTERNS}"):
        compile_globs(patterns)


@pytest.mark.parametrize(
    "patterns",
    [
        [f"{n}" + "**/a/" * 200 for n in range(1000)],
        ["{1..1000}" + "*a" * 500],
        [f"!{n}" + "[ab]" * 200 for n in range(1000)],
    ],
)
def test_a_list_that_takes_long_to_compile_is_refused_early(patterns: list[str]) -> None:
    with pytest.raises(PolicyError, match="too intricate"):
        compile_globs(patterns)


def test_a_thousand_ordinary_patterns_are_taken() -> None:
    globs = compile_globs([f"services/area-{n}/*/src/**" for n in range(1000)])
    assert globs.match(b"services/area-999/a/src/x.py")


def test_as_many_patterns_as_the_limit_are_taken() -> None:
    assert len(compile_globs(["{1..1000}"]).include) == limits.PATTERNS


def test_the_library_still_writes_what_is_made_safe() -> None:
    (source,) = compile_globs(["**/a/**/b"]).include
    assert source.count("(?>") == 1
    assert "$" not in source


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**/a/" * 20 + "b", b"a/" * 500 + b"c"),
        ("*a" * 40 + "b", b"a" * 3000),
        ("**/*a*a*a*a*b/**/c", b"/".join([b"a" * 200] * 20)),
        ("**/*.+(a|b)x", b"a/" * 100 + b"." + b"ab" * 500),
        ("a?(a)?(a)?(a)?(a)?(a)b", b"a" * 3000),
    ],
)
def test_no_path_keeps_a_pattern_busy(pattern: str, path: bytes) -> None:
    globs = compile_globs([pattern])
    before = time.process_time()
    assert not globs.match(path)
    assert time.process_time() - before < 5  # without care these take from minutes to for ever


@pytest.mark.parametrize("patterns", [["**"], ["work.md", "src/**", "!docs/a"], ["./a b/c.md"]])
def test_plain_patterns_do_not_import_wcmatch(patterns: list[str]) -> None:
    code = f"import sys; from codifica_guard.policy.globs import compile_globs; compile_globs({patterns!r}); print([m for m in sys.modules if 'wcmatch' in m or 'bracex' in m])"
    assert (
        subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True).stdout == "[]\n"
    )


def test_a_literal_matches_itself_alone() -> None:
    assert re.fullmatch(literal("a.b{c}"), "a.b{c}")
    assert not re.fullmatch(literal("a.b"), "axb")


PARTS = st.sampled_from(["**", "*", "a", "b", "ab", "a*", "*b", "?", "[ab]", "a*b*", "{a,b}", ".a", "@(a|b)", "x?(b)"])
NAMES = st.sampled_from(["a", "b", "ab", "aab", "abab", ".a", "c", "xb", "x"])
FLAGS = glob.GLOBSTAR | glob.EXTGLOB | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX | glob.BRACE


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=6), st.lists(NAMES, min_size=1, max_size=6))
def test_the_safe_expression_matches_what_the_library_matches(parts: list[str], names: list[str]) -> None:
    pattern, path = "/".join(parts), "/".join(names)
    try:
        globs = compile_globs([pattern])
    except PolicyError:
        return
    assert globs.match(path.encode()) == glob.globmatch(path, pattern, flags=FLAGS)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab*?[]{}(),!+@|\\/.-^$\n", max_size=20), st.binary(max_size=10))
def test_any_pattern_is_taken_or_refused_in_words(pattern: str, path: bytes) -> None:
    try:
        globs = compile_globs([pattern])
    except PolicyError:
        return
    assert globs.match(path) in {True, False}
