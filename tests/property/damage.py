"""Damage: real bytes of some format with a few edits, which reach deeper into a reader than noise does."""

from collections.abc import Sequence

from hypothesis import strategies as st

ODD = (
    b"",
    b"\0",
    b"\n",
    b"\r\n",
    b" ",
    b"\t",
    b"\xff",
    b"\xc3",
    b"\xe2\x80\xa8",
    b"-1",
    b"0" * 40,
    b"9" * 30,
    b"%n",
    b'"',
    b"\\",
    b"{",
    b"]",
    b"=",
)
"""Bytes that readers take in their own ways."""


@st.composite
def damaged(draw: st.DrawFn, samples: Sequence[bytes], pieces: Sequence[bytes] = ()) -> bytes:
    """One of some samples with up to four edits, or any bytes at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=80))
    data = draw(st.sampled_from(samples))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        gone = draw(st.sampled_from((0, 0, 1, 1, 2, 7, 40)))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            new = draw(st.binary(max_size=4))
        elif kind == 1:
            new = data[at : at + draw(st.integers(0, 60))]  # something twice
        else:
            new = draw(st.sampled_from((*ODD, *pieces)))
        data = data[:at] + new + data[at + gone :]
    return data
