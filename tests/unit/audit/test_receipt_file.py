"""The file of a receipt: the same bytes for the same receipt, read back as it was, and nothing else taken for one."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from codifica_guard.audit.receipt_file import SCHEMA, read_receipt, write_receipt
from codifica_guard.cli.export import receipt_schema
from codifica_guard.errors import MalformedReceipt
from codifica_guard.limits import RECEIPT_BYTES
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, PUSH, Line, Pusher, Receipt, Warned

OID: Any = st.sampled_from([ObjectId(b"a" * 40), ObjectId(b"0123456789abcdef" * 4)])
TEXT: Any = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
REF: Any = st.builds(lambda tail: RefName(b"refs/heads/" + tail), st.binary(max_size=10))
TIME: Any = st.integers(0, 253_402_300_799)
ANY: Any = st.builds(
    Receipt,
    number=st.integers(0, 2**53), kind=st.sampled_from([PUSH, PAUSE, INTRODUCTION]), repository=TEXT, server=TEXT, guard=TEXT,
    ruleset=st.integers(0, 9), time=TIME, introduction=st.none() | OID, push=TEXT, ref=st.none() | REF, old=st.none() | OID,
    new=st.none() | OID, coordination=st.none() | OID, coordinating=st.booleans(), pusher=st.builds(Pusher, name=TEXT, by=TEXT, how=TEXT),
    late=st.booleans(), paused=st.booleans(), until=st.none() | TIME, reason=TEXT, refused=st.lists(TEXT, max_size=2).map(tuple),
    warnings=st.lists(st.builds(Warned, code=TEXT, task=st.none() | TEXT, commit=st.none() | OID), max_size=2).map(tuple),
    lines=st.lists(
        st.builds(Line, record=TEXT, source=TEXT, target=TEXT, actor=st.none() | TEXT, key=st.none() | TEXT, proof=st.sampled_from("STHAU"), commit=OID),
        max_size=2,
    ).map(tuple),
    tips=st.dictionaries(REF, OID, max_size=3),
)  # fmt: skip


@given(ANY)
def test_any_receipt_comes_back_and_fits_the_schema(receipt: Receipt) -> None:
    data = write_receipt(receipt)
    assert read_receipt(data) == receipt
    assert write_receipt(read_receipt(data)) == data
    assert data.isascii()
    Draft202012Validator(receipt_schema(closed=True)).validate(json.loads(data))


@given(ANY, st.data())
def test_whatever_one_value_is_replaced_by_is_a_receipt_or_refused_as_such(receipt: Receipt, data: Any) -> None:
    value = json.loads(write_receipt(receipt))
    key = data.draw(st.sampled_from(sorted(value)))
    value[key] = data.draw(st.sampled_from([None, True, -1, 1.5, "x", "", [], {}, [1], {"a": 1}, "a" * 41, 10**400]))
    with suppress(MalformedReceipt):
        read_receipt(json.dumps(value).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{}", b"[]", b"7", b"null", b"\xff", b"{", b"[" * 100_000, b'{"schema": "codifica-guard/receipt@2"}',
        json.dumps({"schema": SCHEMA}).encode(), b" " * (RECEIPT_BYTES + 1),
    ],
)  # fmt: skip
def test_what_is_no_receipt_is_told(data: bytes) -> None:
    with pytest.raises(MalformedReceipt):
        read_receipt(data)


def test_keys_of_later_versions_are_passed_over() -> None:
    receipt = Receipt(number=1, kind=PUSH, repository="r", server="s", guard="g", ruleset=1, time=0)
    value = {**json.loads(write_receipt(receipt)), "later": [1]}
    assert read_receipt(json.dumps(value).encode()) == receipt
    Draft202012Validator(receipt_schema()).validate(value)


@pytest.mark.parametrize(
    "key",
    sorted(
        json.loads(write_receipt(Receipt(number=1, kind=PUSH, repository="", server="", guard="", ruleset=1, time=0)))
    ),
)
def test_no_key_may_be_missing(key: str) -> None:
    value = json.loads(
        write_receipt(Receipt(number=1, kind=PUSH, repository="", server="", guard="", ruleset=1, time=0))
    )
    del value[key]
    with pytest.raises(MalformedReceipt):
        read_receipt(json.dumps(value).encode())
