"""F17, F21, T20: whatever reads from outside takes what it is given, or refuses it in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_engine.records import Unreadable
from tests.fuzz.messages import damaged
from tests.fuzz.readers import READERS, Reader

SECRETS = re.compile(r"[0-9a-f]{64}|(?:[CSHD][7-9QKTAJ][.]){9}")
"""A seed or a hand, as logs have them."""
JUNK = st.one_of(
    st.text(max_size=12).map(str.encode),
    st.sampled_from([b"null", b"[]", b"{}", b"-1", b"1e999", b'"', b"\\u0000", b"\n", b"9" * 30]),
)


def mixed(samples: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Samples with one word exchanged for another, from the samples or from nowhere."""
    words = sorted({word for sample in samples for word in re.findall(rb"[\w.]+", sample)})

    def exchanged(parts: tuple[bytes, float, bytes]) -> bytes:
        sample, where, other = parts
        places = list(re.finditer(rb"[\w.]+", sample))
        if not places:
            return other
        place = places[int(where * (len(places) - 1))]
        return sample[: place.start()] + other + sample[place.end() :]

    other = st.one_of(st.sampled_from(words or [b""]), JUNK)
    return st.tuples(st.sampled_from(samples), st.floats(0, 1), other).map(exchanged)


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_reader_reads_its_samples(reader: Reader) -> None:
    for sample in reader.samples():
        outcome = reader.read(sample)
        assert (
            not any(isinstance(one, Unreadable) for one in outcome or ())
            if isinstance(outcome, list)
            else True
        )


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_reader_refuses_in_order(reader: Reader) -> None:
    samples = reader.samples()
    whole = st.sampled_from(samples)

    @settings(max_examples=40, deadline=None)
    @given(st.one_of(mixed(samples), mixed(samples), damaged(whole), st.binary(max_size=60)))
    def read(data: bytes) -> None:
        refusal = ""
        try:
            reader.read(data)
        except reader.refuses_with as error:
            refusal = str(error)
        assert not (reader.is_logged and SECRETS.search(refusal))

    read()
