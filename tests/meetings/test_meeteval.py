"""Error rates of meetings equal those of meeteval, live."""

import meeteval
import pytest
from hypothesis import given, strategies as st

from refscore import meetings
from tests.golden.make_meetings import case
from tests.meetings.generated import ALL_METRICS, TIMED, settings
from tests.meetings.judge import NAMES, comparable, judged, scored


@pytest.mark.parametrize("metric", ALL_METRICS)
@given(seed=st.integers(1000, 10**9))
def test_generated(metric, seed):
    sides = case(seed)
    ours, theirs = settings(seed, metric)
    expected = judged(metric, *sides, theirs)
    if expected is not None:
        assert comparable(metric, scored(metric, *sides, ours), *sides) == comparable(metric, expected, *sides)


@pytest.mark.parametrize("metric", ALL_METRICS)
def test_files(metric, tmp_path):
    lines = {
        "ref.stm": ["m 1 A 0.1 2.3 a b c d", ";; comment", "m 1 B 2.3 5.1 e f", "t 1 A 0 1", "t 1 C 3 9.9 a a"],
        "hyp.stm": ["m 1 x 1.1 4.3 e f a", "m 1 y 0.3 1.1 a b c", "t 1 x 7 8 a", "", "m 1 x 9 10 b"],
    }
    for name, content in lines.items():
        tmp_path.joinpath(name).write_text("\n".join(content) + "\n")
    files = [tmp_path / "ref.stm", tmp_path / "hyp.stm"]
    collar = {"collar": 1} if metric in TIMED else {}
    theirs = getattr(meeteval.wer.api, NAMES.get(metric, metric))(*files, **collar)
    ours = meetings.score(*files, metric, **collar)
    assert {each.session_id: each.errors for each in ours} == {name: each.errors for name, each in theirs.items()}
    assert ours.value == sum(theirs.values()).error_rate
