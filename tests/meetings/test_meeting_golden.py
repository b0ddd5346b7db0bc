"""Error rates of meetings equal the recorded ones of meeteval."""

import json
from pathlib import Path

import pytest

from tests.golden.make_meetings import SEEDS, case
from tests.meetings.generated import ALL_METRICS, settings
from tests.meetings.judge import comparable, scored

GOLDEN = json.loads(Path(__file__).parent.parent.joinpath("golden", "meetings.json").read_text())


@pytest.mark.parametrize("metric", ALL_METRICS)
def test_recorded(metric):
    assert GOLDEN["tool"]["meeteval"] == "0.4.3"
    compared = 0
    for seed in SEEDS:
        expected = GOLDEN["results"][metric][str(seed)]
        if expected is None:
            continue
        sides = case(seed)
        found = scored(metric, *sides, settings(seed, metric)[0])
        assert comparable(metric, found, *sides) == comparable(metric, expected, *sides), seed
        compared += 1
    assert compared > 80
