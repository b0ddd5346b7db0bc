"""Pictures of sessions: their seconds are those of the error rates."""

import json

import pytest

import refscore
from refscore import meetings
from refscore.meetings import Utterance
from refscore.tables import render
from tests.meetings.turns import turns

pytestmark = pytest.mark.filterwarnings("ignore::refscore.meetings.MeetingWarning")


def seconds(timeline, side, state):
    return sum(
        part.end - part.begin for row in timeline.rows if row.side == side for part in row.parts if part.state == state
    )


def test_seconds_are_those_of_der():
    compared = 0
    for seed in range(150):
        reference, hypothesis, regions = turns(f"picture {seed}")
        if not reference:
            continue
        settings = {
            "collar": seed % 3 / 4,
            "skip_overlap": seed % 2 == 0,
            "uem": None if regions is None else {"x": regions},
        }
        errors = meetings.score(reference, hypothesis, "der", max_missing=1, **settings)["x"]
        shown = meetings.timeline(reference, hypothesis, "x", **settings)
        assert seconds(shown, "reference", "missed") == pytest.approx(errors.missed)
        assert seconds(shown, "hypothesis", "false alarm") == pytest.approx(errors.false_alarm)
        for side in ("reference", "hypothesis"):
            assert seconds(shown, side, "wrong speaker") == pytest.approx(errors.confusion)
        right = seconds(shown, "reference", "right")
        assert right == pytest.approx(seconds(shown, "hypothesis", "right"))
        assert right + errors.missed + errors.confusion == pytest.approx(errors.scored)
        compared += 1
    assert compared > 100


def test_formats():
    reference = [Utterance("<b>", "Ann & <i>", "", 0, 4), Utterance("<b>", "Bob", "", 3600, 3700)]
    shown = meetings.timeline(reference, [Utterance("<b>", "\x1b[31m", "", 0, 5)])
    assert "<i>" not in shown.render("html").replace("<i class=", "") and "&lt;b&gt;" in shown.render("html")
    assert "\x1b" not in str(shown) and "0:00:00 to 1:01:40" in str(shown)
    assert json.loads(shown.render("json"))["rows"][0]["parts"][0] == {"begin": 0.0, "end": 4.0, "state": "right"}
    assert render(shown, "csv").splitlines()[0] == "speaker,side,begin,end,state"
    assert shown.table().rows[0].cells[2:] == ("4.00", "0.00", "0.00", "0.00", "0.00")


def test_long_sessions_have_small_pictures():
    reference = [Utterance("s", f"r{k % 20}", "", k / 2, k / 2 + 1) for k in range(70_000)]
    shown = meetings.timeline(reference, reference[::3])
    assert len(shown.render("html")) < 5_000_000 and len(str(shown)) < 10_000


def test_mistakes():
    side = [Utterance("s", "Ann", "a", 0, 4)]
    with pytest.raises(refscore.SettingError, match="a timeline shows der or jer, not cpwer"):
        meetings.timeline(side, side, metric="cpwer")
    with pytest.raises(refscore.SettingError, match="unknown session"):
        meetings.timeline(side, side, "t")
    silent = [Utterance("s", "Ann", "a", 0, 0)]
    assert "0:00:00 to 0:00:00" in str(meetings.timeline(silent, silent))
