"""Diarization error rates equal those of pyannote.metrics, live."""

import pyannote.metrics.diarization
import pytest
from hypothesis import given, strategies as st

from refscore import meetings
from tests.meetings.turns import pyannote, turns


@pytest.mark.parametrize("name", ["der", "jer"])
@given(
    seed=st.integers(0, 10**9),
    decimals=st.sampled_from([3, 9]),
    overlaps_itself=st.booleans(),
    collar=st.sampled_from([0, 0.25, 0.5]),
    skip_overlap=st.booleans(),
)
def test_generated(name, seed, decimals, overlaps_itself, collar, skip_overlap):
    reference, hypothesis, regions = turns(seed, decimals=decimals, overlaps_itself=overlaps_itself)
    if not reference:
        return
    settings = {"collar": collar, "skip_overlap": skip_overlap}
    expected = pyannote(name, reference, hypothesis, regions, **settings)
    uem = None if regions is None else {"x": regions}
    result = meetings.score(reference, hypothesis, f"{name}:pyannote", uem=uem, max_missing=1, **settings)
    found = [*result.rows[0].tolist()[: len(expected) - 1], result.value]
    assert found == pytest.approx(expected, abs=1e-12)
