"""The shapes of `codifica.json` and `.codifica/guard.json`; `schemas/` is generated from here.

Keys that nobody knows are kept apart (`unknown_keys`): they warn and never refuse, so that an older guard reads a newer file.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from codifica_guard.policy.json_text import Place

KNOWN_RULESETS: Final = frozenset({1})
"""The sets of rules that this guard can judge by."""

BUILT_IN_TYPES: Final = ("build", "test", "review", "investigate", "followup")
"""Task types of the protocol itself."""

_NAME: Final = r"[a-z0-9][a-z0-9._-]{0,63}"
_ERRORS: Final = 100  # of one file: nobody mends more at once
_HOURS: Final = 87_600  # ten years: what is added to a time stays a time
_BRANCH_LENGTH: Final = 255
_BRANCH_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|^[./-]|\.lock(?:/|$)|[./]$|^@$")
_RELATIVE: Final = r"^(?!/)(?!(.*/)?\.\.(/|$))[^\u0000-\u001f\u007f\\]+$"


def _path(text: str) -> str:
    parts = [p for p in text.split("/") if p not in {"", "."}]
    if not parts or text.startswith("/") or ".." in parts or re.search(r"[\x00-\x1f\x7f\\]", text):
        raise PydanticCustomError("path", "is to be a path inside the repository: relative, with / and without ..")
    return "/".join(parts)


def _pattern(text: str) -> str:
    bare = text.lstrip("!")
    signs = text[: len(text) - len(bare)]
    while bare.startswith("./"):  # says nothing, and no path in a tree begins so
        bare = bare[2:]
    if not bare or bare.startswith("/") or ".." in bare.split("/") or re.search(r"[\x00-\x1f\x7f]", bare):
        raise PydanticCustomError(
            "pattern", "is to be a path or glob inside the repository: relative, with / and without .."
        )
    return signs + bare


def _branch(text: str) -> str:
    if text.startswith("refs/"):
        raise PydanticCustomError("branch", "is to be the branch's name alone, such as main, without refs/heads/")
    if _BRANCH_FORBIDDEN.search(text) or len(text) > _BRANCH_LENGTH:
        raise PydanticCustomError("branch", "is to be a name that Git takes for a branch, such as main")
    return text


def _branch_glob(text: str) -> str:
    if not text.lstrip("!") or text.lstrip("!").startswith("refs/"):
        raise PydanticCustomError("branch", "is to be a branch or glob such as release/*, without refs/heads/")
    return text


def _custom_type(text: str) -> str:
    if text in BUILT_IN_TYPES:
        raise PydanticCustomError("custom_type", "is a type of the protocol itself already")
    return text


def _ruleset(number: int) -> int:
    if number not in KNOWN_RULESETS:
        known = ", ".join(map(str, sorted(KNOWN_RULESETS)))
        raise PydanticCustomError(
            "ruleset", "is not known to this guard, which knows {known}; a newer guard may", {"known": known}
        )
    return number


def _format(number: int) -> int:
    if number != 1:
        raise PydanticCustomError("format", "is not known to this guard, which knows 1; a newer guard may")
    return number


_Path = Annotated[str, AfterValidator(_path), Field(json_schema_extra={"pattern": _RELATIVE})]
_Pattern = Annotated[
    str,
    AfterValidator(_pattern),
    Field(json_schema_extra={"pattern": r"^!*(?![/!])(?!(.*/)?\.\.(/|$))[^\u0000-\u001f\u007f]+$"}),
]
_Human = Annotated[str, Field(pattern=rf"^human:{_NAME}$")]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="allow")

    def unknown_keys(self) -> Iterator[Place]:
        """Where keys stand that are not known, in order."""
        for key in self.model_extra or ():
            yield (key,)
        for name, field in type(self).model_fields.items():
            inner = getattr(self, name)
            if isinstance(inner, _Shape):
                yield from ((field.alias or name, *rest) for rest in inner.unknown_keys())


class FileScope(_Shape):
    """Where agents and unsigned commits may change files; state documents are always in scope."""

    include: list[_Pattern] = Field(default=["**"], description="Globs of what may be changed.")
    exclude: list[_Pattern] = Field(default=[], description="Globs of what may not; these win.")


class Rules(_Shape):
    """How the protocol is applied here."""

    mode: Literal["strict", "permissive"] = Field(
        default="strict", description="`permissive` tells what is wrong and lets it pass."
    )
    allowed_agents: list[Annotated[str, Field(pattern=rf"^(?:agent:)?{_NAME}$")]] = Field(
        default=[], description="The agents that may take tasks, such as `agent:builder`; none listed: all."
    )
    file_scope: FileScope = Field(default=FileScope(), description="Where agents may work.")
    custom_types: list[
        Annotated[
            str,
            Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$", json_schema_extra={"not": {"enum": list(BUILT_IN_TYPES)}}),
            AfterValidator(_custom_type),
        ]
    ] = Field(default=[], description="Further types of tasks; they follow the rules of `build`.")
    branch_pattern: str = Field(
        default="{type}/{id}-{slug}",
        min_length=1,
        max_length=_BRANCH_LENGTH,
        pattern=r"^[^\x00-\x20\x7f]+$",
        description="Names of agents' branches; `{type}`, `{id}` and `{slug}` are filled in.",
    )
    max_concurrent_tasks_per_agent: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Tasks that one agent may hold at once; null: any number."
    )
    stale_claim_hours: int = Field(
        default=24, ge=0, le=_HOURS, description="Hours of silence after which a claim is stale."
    )


class CodificaFile(_Shape):
    """`codifica.json`: where a repository keeps its tasks, and by which rules."""

    protocol: Literal["codifica"] = Field(description="Always `codifica`.")
    version: Literal["0.1", "0.2"] = Field(description="The version of the protocol.")
    spec: _Path = Field(description="The page that says how tasks are kept here.")
    state: _Pattern | Annotated[list[_Pattern], Field(min_length=1)] = Field(
        description="The state documents: a path, a glob, or a list of them."
    )
    assets: _Path = Field(default="assets/", description="The folder for files that belong to tasks.")
    rules: Literal["strict", "permissive"] | Rules = Field(default=Rules(), description="The mode alone, or all rules.")

    def full_rules(self) -> Rules:
        """The rules as an object, whichever way they were written."""
        return Rules(mode=self.rules) if isinstance(self.rules, str) else self.rules


class GuardFile(_Shape):
    """`.codifica/guard.json`: the guard's policy."""

    schema_: str | None = Field(default=None, alias="$schema", description="Where editors find this schema.")
    version: Annotated[int, AfterValidator(_format)] = Field(
        default=1, json_schema_extra={"enum": [1]}, description="The version of this file's format."
    )
    repository: str = Field(
        pattern=r"^[0-9a-f]{32}$", description="128 random bits in hex, made once; part of all that is signed."
    )
    coordination_branch: Annotated[str, Field(min_length=1), AfterValidator(_branch)] | None = Field(
        default=None, description="The branch that holds the tasks; null: the server's HEAD."
    )
    protected_branches: list[Annotated[str, Field(min_length=1), AfterValidator(_branch_glob)]] | None = Field(
        default=None, description="Globs of the branches that are judged; the coordination branch always is."
    )
    mode: Literal["enforce", "report"] = Field(
        default="enforce", description="`report` tells broken protocol rules and lets them pass."
    )
    maintainers: list[_Human] = Field(min_length=1, description="The people who may change the policy.")
    require_signatures: Literal["transitions", "all"] = Field(
        default="transitions", description="Whether only changes of tasks need a signature, or every commit does."
    )
    ruleset: Annotated[int, AfterValidator(_ruleset)] = Field(
        default=1,
        json_schema_extra={"enum": [*sorted(KNOWN_RULESETS)]},
        description="The set of rules that this repository is judged by.",
    )
    writer_tokens: Literal["required", "optional"] = Field(
        default="optional",
        description="Whether every claim has a writer key; optional: it is checked where the claim has one.",
    )
    resume_after_minutes: Annotated[int, Field(ge=0, le=_HOURS * 60)] | None = Field(
        default=None, description="Minutes of silence after which an agent may take over its own claim; null: never."
    )
    review_by: Literal["human-or-owner", "owner"] = Field(
        default="human-or-owner", description="Who may close or return a task that was handed in."
    )
    self_approval: Literal["allow", "warn", "refuse"] = Field(
        default="warn", description="What an agent gets that closes its own build task without a passed review."
    )
    human_proof: Literal["fresh-or-trailer", "trailer"] = Field(
        default="fresh-or-trailer",
        description="Whether Git's own signature on a commit just made proves a person's act.",
    )
    human_presence: Literal["any", "hardware-key"] = Field(
        default="any", description="Whether a person's act needs a hardware key that was touched."
    )
    web_edits: Literal["refuse", "reviews"] = Field(
        default="refuse", description="What may be done in the forge's editor; `reviews` rests on the server's word."
    )
    forge_accounts: dict[Annotated[str, Field(min_length=1)], _Human] = Field(
        default={}, description="Account on the forge to the person behind it."
    )
    openclaw: None = Field(default=None, description="Rules for OpenClaw's documents: not supported yet, always null.")
    codex_workflow: None = Field(default=None, description="Rules for Codex Workflow: not supported yet, always null.")


_WORDS: Final = {
    "missing": "is missing",
    "none_required": "is not supported yet: it is to be null",
    "string_type": "is to be a text",
    "list_type": "is to be a list",
    "dict_type": "is to be an object",
    "model_type": "is to be an object",
    "int_type": "is to be a whole number",
    "too_short": "is not to be empty",
    "string_too_short": "is not to be empty",
    "string_too_long": f"is to be at most {_BRANCH_LENGTH} characters long",
}


def check(shape: type[BaseModel], value: Any) -> tuple[Any, tuple[tuple[Place, str], ...]]:
    """A checked shape, or None and what is wrong: places and words; never raises on bad content."""
    try:
        return shape.model_validate(value), ()
    except ValidationError as error:
        return None, tuple(_wrong(error, value))


def _wrong(error: ValidationError, value: Any) -> Iterator[tuple[Place, str]]:
    """Places and words, one a place; of a place and what stands in it, only the inner one."""
    found: dict[Place, list[str]] = {}
    for detail in error.errors(include_url=False, include_input=False)[:_ERRORS]:
        place = _place(detail["loc"], value, missing=detail["type"] == "missing")
        found.setdefault(place, []).append(_words(detail))
    for place, words_there in found.items():
        if not any(len(other) > len(place) and other[: len(place)] == place for other in found):
            yield place, ", or ".join(words_there)


def _place(loc: tuple[int | str, ...], value: Any, *, missing: bool) -> Place:
    """The part of a place that is one in the file; pydantic names the branches of a choice too."""
    place: list[int | str] = []
    for step in loc:
        inside = isinstance(value, dict) and step in value
        if inside or (isinstance(value, list) and isinstance(step, int)):
            place.append(step)
            value = value[step]
        elif missing and step == loc[-1]:
            place.append(step)
    return tuple(place)


def _words(detail: Any) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    match kind:
        case "literal_error":
            return f"is to be {context['expected']}"
        case "string_pattern_mismatch":
            return f"is to have the form {context['pattern']}"
        case "greater_than_equal":
            return f"is to be at least {context['ge']}"
        case "less_than_equal":
            return f"is to be at most {context['le']}"
        case _:
            return _WORDS.get(kind, str(detail["msg"]))
