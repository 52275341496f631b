"""The manual page of the policy, made from the schemas of its files: codifica-guard-policy(5)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from codifica_guard.cli import roff
from codifica_guard.cli.manual_commands import MANUAL, VERSION
from codifica_guard.model.ids import NAME
from codifica_guard.policy.export import schemas

PAGE: Final = "codifica-guard-policy"

_READABLE: Final = re.compile(r"[A-Za-z:]+")

_SIGNERS: Final = (
    "OpenSSH's own format, a key a line: principals, options, the key. Principals are `human:NAME`, `agent:NAME` and `server:NAME`. The "
    "options `namespaces`, `valid-after` and `valid-before` count; times without `Z` are UTC."
)

_EXAMPLE: Final = (
    "{",
    '  "version": 1,',
    '  "repository": "0123456789abcdef0123456789abcdef",',
    '  "maintainers": ["human:alice"],',
    '  "coordination_branch": "main",',
    '  "writer_tokens": "required",',
    '  "self_approval": "refuse"',
    "}",
)


def policy_page() -> str:
    """The page in man(7)."""
    return "\n".join((*roff.title(PAGE, 5, VERSION, MANUAL), *_body())) + "\n"


def _body() -> Iterator[str]:
    told = {name: json.loads(text) for name, text in schemas().items()}
    guard, codifica = told["guard.schema.json"], told["codifica.schema.json"]
    yield from (roff.heading("NAME"), f"{roff.text(PAGE)} \\- {roff.text('who may do what in a guarded repository')}")
    yield roff.heading("SYNOPSIS")
    files = (".codifica/guard.json", ".codifica/allowed_signers", ".codifica/revoked_keys", "codifica.json")
    yield "\n.br\n".join(roff.italic(file) for file in files)
    yield roff.heading("DESCRIPTION")
    yield from roff.lines(
        roff.prose(
            "Text files on the coordination branch. `git codifica init` writes them; afterwards only a maintainer's signed commit changes "
            "them. A commit is judged under the policy of its parents, never its own."
        )
    )
    yield from roff.paragraph("A key that is not known is told, and refuses nothing.")
    yield roff.heading(".codifica/guard.json")
    yield from roff.lines(roff.prose("One JSON object."))
    yield from _keys(guard, guard)
    yield roff.heading(".codifica/allowed_signers")
    yield from roff.lines(roff.prose(_SIGNERS))
    yield roff.heading(".codifica/revoked_keys")
    yield from roff.lines(
        roff.prose("A public key a line, refused for good whatever else lists it. The file only grows.")
    )
    yield roff.heading("codifica.json")
    yield from roff.lines(roff.prose("One JSON object."))
    yield from _keys(codifica, codifica)
    yield roff.heading("EXAMPLES")
    yield from roff.lines(roff.prose("A small `guard.json`; what it leaves out has its default:"))
    yield from roff.example(_EXAMPLE)
    yield from roff.paragraph("A line of `allowed_signers`:")
    yield from roff.example(('human:alice namespaces="git,codifica-guard" ssh-ed25519 AAAA... alice@laptop',))
    yield roff.heading("SEE ALSO")
    pages = (("codifica-guard", 1), ("git-codifica", 1), ("ssh-keygen", 1))
    yield ",\n".join(f"{roff.bold(name)}({section})" for name, section in pages)


def _keys(shape: Mapping[str, Any], whole: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """The keys of an object, those of the objects in it right behind."""
    needed = shape.get("required", ())
    for name, key in shape["properties"].items():
        more = " ".join(row for row in (_values(key, whole), _default(name, key, needed)) if row)
        yield from roff.item(roff.bold(f"{above}{name}"), key["description"], more)
        for inner in _objects(key, whole):
            yield from _keys(inner, whole, f"{above}{name}.")


def _default(name: str, key: Mapping[str, Any], needed: object) -> str:
    if isinstance(needed, list) and name in needed:
        return "Has to be there."
    default = key.get("default")
    if isinstance(default, dict) and default:
        return ""  # an object's default is that of its keys
    return f"Default: `{json.dumps(default)}`."


def _values(key: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    """What a value may be, in words."""
    kinds = list(dict.fromkeys(_kinds(key, whole)))
    return f"Values: {', or '.join(kinds)}." if kinds else ""


def _kinds(key: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[str]:
    for part in key.get("anyOf", ()):
        yield from _kinds(part, whole)
    if "$ref" in key:
        yield "an object, with the keys below"
    elif "const" in key:
        yield f"`{json.dumps(key['const'])}`"
    elif "enum" in key:
        yield ", ".join(f"`{json.dumps(value)}`" for value in key["enum"])
    else:
        yield from _plain(key, whole)


def _plain(key: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[str]:
    match key.get("type"):
        case "string":
            form = _form(key.get("pattern", ""))
            yield f"`{form}`" if form else "a text"
        case "integer":
            bounds = [f"{word} {key[name]}" for word, name in (("from", "minimum"), ("to", "maximum")) if name in key]
            yield " ".join(("a whole number", *bounds))
        case "array":
            inner = ", or ".join(dict.fromkeys(_kinds(key["items"], whole)))
            yield f"a list{' that is not empty' if key.get('minItems') else ''} (each {inner})"
        case "object":
            inner = ", or ".join(dict.fromkeys(_kinds(key["additionalProperties"], whole)))
            yield f"an object (each value {inner})"
        case "null":
            yield "`null`"


def _objects(key: Mapping[str, Any], whole: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for part in (key, *key.get("anyOf", ())):
        if "$ref" in part:
            yield whole["$defs"][part["$ref"].removeprefix("#/$defs/")]


def _form(pattern: str) -> str:
    """What a pattern asks for, where people can read it: `human:NAME`; empty where they cannot."""
    form = pattern.removeprefix("^").removesuffix("$").replace(NAME.pattern, "NAME").replace("(?:agent:)?", "agent:")
    return form if _READABLE.fullmatch(form) else ""
