"""Diarization error rates equal those of other tools and of counting every second."""

import json
import math
import pickle
import random
import time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import refscore
from refscore import _native, meetings
from refscore.meetings import DER, JER, Utterance
from tests.golden.make_diarization import SEEDS, SESSIONS, SETTINGS, case, of_session
from tests.reference import diarization as slow

GOLDEN = json.loads(Path(__file__).parent.parent.joinpath("golden", "diarization.json").read_text())
DER_PARTS = ("missed", "false_alarm", "confusion", "scored")

pytestmark = pytest.mark.filterwarnings("ignore::refscore.meetings.MeetingWarning")


def recorded(tool):
    """Each case's settings, turns, regions and values of a tool."""
    for seed in SEEDS:
        for collar, skip_overlap in SETTINGS:
            values = GOLDEN["results"][seed][f"{collar} {skip_overlap}"][tool]
            yield {"collar": collar, "skip_overlap": skip_overlap}, *case(seed), values


def turn(speaker, begin, end, session="s"):
    return Utterance(session, speaker, "", begin, end)


def parts(score):
    return [getattr(score, name) for name in DER_PARTS]


def test_versions():
    assert GOLDEN["tool"] == {"pyannote.metrics": "4.2.0", "dscore": "1.1.0", "md-eval": "22"}
    versions = {f"{preset.tool} {preset.version}" for kind in (DER, JER) for preset in kind.presets.values()}
    assert versions == {"pyannote.metrics 4.2.0", "md-eval.pl 22", "dscore 1.1.0"}


def test_pyannote():
    compared = 0
    for settings, reference, hypothesis, regions, values in recorded("pyannote"):
        for k in range(SESSIONS):
            spoken, heard, own = of_session(f"x{k}", reference, hypothesis, regions)
            if not spoken and own is None:
                continue  # a session needs a turn of the reference or a region
            uem = None if own is None else {f"x{k}": own}
            for name, expected in values[f"x{k}"].items():
                result = meetings.score(spoken, heard, f"{name}:pyannote", uem=uem, max_missing=1, **settings)
                row = result.rows[0].tolist()
                found = [*row[: len(expected) - 1], result.value]
                assert found == pytest.approx(expected, abs=1e-12), (name, settings)
                compared += 1
    assert compared > 700


def defective_sessions(settings, reference, regions):
    """md-eval.pl scores overlapping speech at the end of a region if other overlapping speech ends where it begins."""
    if regions is None or not settings["skip_overlap"]:
        return set()
    return {
        session
        for session, own in regions.items()
        for _, end in own
        if sum(turn.session_id == session and turn.start_time < end < turn.end_time for turn in reference) > 1
    }


def test_md_eval():
    """md-eval.pl prints microseconds."""
    compared = 0
    for settings, reference, hypothesis, regions, values in recorded("md-eval"):
        result = meetings.score(
            reference, hypothesis, "der:md-eval", uem=regions, max_missing=1, partial=True, **settings
        )
        excluded = defective_sessions(settings, reference, regions)
        for session in result:
            if session.session_id in values and session.session_id not in excluded:
                assert parts(session) == pytest.approx(values[session.session_id], abs=1e-6)
                compared += 1
        if "ALL" in values and not excluded:
            assert result.rows.sum(0) == pytest.approx(values["ALL"], abs=5e-6)
    assert compared > 300


def test_dscore():
    compared = 0
    for settings, reference, hypothesis, regions, values in recorded("dscore"):
        if values is None:
            continue
        defects = defective_sessions(settings, reference, regions)
        for place, (name, own) in enumerate({"der": settings, "jer": {}}.items()):
            result = meetings.score(
                reference, hypothesis, f"{name}:dscore", uem=regions, max_missing=1, partial=True, **own
            )
            tolerance = {"der": 2e-6, "jer": 1e-12}[name]  # dscore reads the microseconds that md-eval.pl prints
            for session, row in zip(result, result.rows, strict=True):
                expected = values[session.session_id][place] / 100
                if name == "der" and not session.speakers:
                    assert expected in (0, 1)  # dscore leaves the session out of the total
                    continue
                if name == "der" and session.session_id in defects:
                    continue
                assert result.metric.score(row).value == pytest.approx(expected, abs=tolerance)
                compared += 1
            if name == "jer" or not defects:
                assert result.value == pytest.approx(values["ALL"][place] / 100, abs=tolerance)
    assert compared > 600


def whole_turns(generator):
    side = [
        (generator.randrange(3), begin, begin + generator.randint(0, 9))
        for begin in (generator.randrange(20) for _ in range(generator.randint(1, 7)))
    ]
    return [turn(f"s{speaker}", begin, end) for speaker, begin, end in side]


def merged(side):
    """Turns without overlaps of one speaker, as one turn per second that somebody speaks, joined."""
    result = []
    for each in sorted(side, key=lambda turn: (turn.speaker, turn.start_time, turn.end_time)):
        if each.start_time == each.end_time:
            continue
        last = result[-1] if result else None
        if last is not None and last.speaker == each.speaker and each.start_time < last.end_time:
            result[-1] = turn(last.speaker, last.start_time, max(last.end_time, each.end_time))
        else:
            result.append(each)
    return result


def test_every_second():
    for seed in range(300):
        generator = random.Random(seed)
        reference, hypothesis = whole_turns(generator), whole_turns(generator)
        regions = [(0, 8), (11, 19)] if generator.random() < 0.5 else [(-3, 40)]
        settings = {"collar": generator.choice([0, 1, 2]), "skip_overlap": generator.random() < 0.5}
        found = meetings.score(reference, hypothesis, "der", uem={"s": regions}, **settings)
        own = merged(reference)
        assert parts(found["s"]) == slow.der(own, merged(hypothesis), regions, **settings), seed
        best = meetings.score(reference, hypothesis, JER(mapping="jaccard"), uem={"s": regions})
        expected = slow.jer(own, merged(hypothesis), regions)
        assert (best["s"].speaker_errors, best["s"].speakers) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["der", "jer", "der:pyannote", "der:md-eval", "der:dscore", "jer:dscore"])
def test_degenerate_sessions(name):
    def value(reference, hypothesis, **settings):
        return meetings.score(reference, hypothesis, name, max_missing=1, **settings).value

    ann = [turn("Ann", 0, 4)]
    assert value(ann, ann) == 0
    assert value(ann, []) == 1
    zero = [turn("Ann", 3, 3)]
    assert value(zero, []) == 0
    assert value([*ann, *zero], ann) == 0
    negative = [turn("Ann", -5, -1)]
    assert value(negative, negative, uem={"s": [(-9, 0)]}) == 0
    assert value([], [], uem={"s": [(0, 5)]}) == 0
    crowd = [turn(f"s{k}", 0, 10) for k in range(40)]
    assert value(crowd, [turn(f"t{k}", 0, 10) for k in range(40)]) == 0
    for wrong in (math.nan, math.inf, "x", None):
        with pytest.raises(refscore.InputError, match=r"reference\[0\]"):
            value([turn("Ann", 0, wrong)], ann)
    for begin, end in ((0, 1e300), (-1e12, 3), (0, 1e10)):
        with pytest.raises(refscore.InputError, match=r"hypothesis\[0\]"):
            value(ann, [turn("Ann", begin, end)])
    with pytest.raises(refscore.InputError, match=r"reference\[0\] has no times: der and jer need"):
        value([Utterance("s", "Ann", "a")], ann)


def test_silence_on_both_sides_is_an_error_of_pyannote():
    silent = {"uem": {"s": [(0, 5)]}}
    assert meetings.score([], [], "jer:pyannote", **silent).value == 1
    assert meetings.score([], [], "der:pyannote", **silent).value == 0
    false_alarm = [turn("x", 1, 2)]
    values = {
        name: meetings.score([], false_alarm, name, **silent).value
        for name in ("der", "jer", "der:dscore", "der:md-eval", "jer:dscore")
    }
    assert values == {"der": 1, "jer": 1, "der:dscore": 0, "der:md-eval": 0, "jer:dscore": 1}


def test_overlapping_turns_of_one_speaker():
    reference = [turn("Ann", 0, 6), turn("Ann", 4, 10), turn("Ann", 4, 10)]
    hypothesis = [turn("x", 0, 10)]
    for name, expected in (("der", [0, 0, 0, 10]), ("der:md-eval", [0, 0, 0, 10]), ("der:pyannote", [8, 0, 0, 18])):
        assert parts(meetings.score(reference, hypothesis, name)["s"]) == expected


@pytest.mark.parametrize("name", ["der", "der:pyannote", "der:md-eval", "der:dscore", "jer", "jer:dscore"])
def test_long_sessions_take_bounded_time(name):
    """Ten hours with 100,000 turns of 20 speakers, and turns that all overlap."""
    generator = random.Random(1)

    def side(prefix):
        begins = [round(generator.uniform(0, 36_000), 3) for _ in range(50_000)]
        return [turn(f"{prefix}{generator.randrange(20)}", begin, round(begin + 4, 3)) for begin in begins]

    nested = [turn("Ann", k / 1000, 36_000 - k / 1000) for k in range(20_000)]
    for reference, hypothesis in ((side("r"), side("h")), (nested, nested)):
        start = time.process_time()
        result = meetings.score(reference, hypothesis, name, collar=0 if name == "jer:dscore" else 0.1)
        assert 0 <= result.value <= 2
        assert time.process_time() - start < 20


def test_many_speakers_are_refused():
    def crowd(size):
        return [turn(k, k, k + 1) for k in range(size)]

    assert meetings.score(crowd(400), crowd(400), "der").value == 0
    with pytest.raises(refscore.InputError, match=r"reference\[0\] has 2,001 speakers in the session 's'"):
        meetings.score(crowd(2001), crowd(3), "der")


def test_equal_mappings_are_resolved_alike():
    """Labels that need several letters and digits are sorted as text, as in pyannote.core."""
    reference = [turn(f"r{k:02}", k, k + 1) for k in range(30)]
    hypothesis = [turn(f"h{k:02}", k + half / 2, k + (half + 1) / 2) for half in (0, 1) for k in range(30)]
    result = meetings.score(reference, hypothesis, "jer:pyannote")
    assert result.value == 0


class TestRegions:
    def test_files(self, tmp_path):
        (tmp_path / "a.uem").write_text("; comment\n# comment\n\nm 1 0 5\nm 1 7.5 9\nn 1 0 1e1\n")
        assert meetings.read_uem(tmp_path / "a.uem") == {"m": [(0, 5), (7.5, 9)], "n": [(0, 10)]}

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("m 1 0", "has 3 fields: UEM needs session, channel, begin and end"),
            ("m 1 0 x", "has no number where a time"),
            ("m 1 5 5", "has a region from 5 to 5: its end must be after its begin"),
            ("m 1 5 4", "ends before it begins"),
            ("m 1 0 nan", "has Decimal"),
        ],
    )
    def test_mistakes_in_files(self, tmp_path, line, message):
        (tmp_path / "a.uem").write_text(f"m 1 0 9\n{line}\n")
        with pytest.raises(refscore.InputError, match=f"line 2 of .*a.uem {message}"):
            meetings.read_uem(tmp_path / "a.uem")

    def test_sessions(self):
        side = [turn("Ann", 0, 4), turn("Ann", 0, 4, "t")]
        result = meetings.score(
            side, side, "der", uem={"t": [(1, 2)], "u": [(0, 3)], "s": [(0, 1), (0.5, 2)]}, max_missing=1
        )
        assert [each.session_id for each in result] == ["s", "t", "u"]
        assert result.rows[:, 3].tolist() == [2, 1, 0] and result["s"].regions == ((0, 2),)
        with pytest.raises(
            refscore.InputError, match=r"reference\[1\] is of the session 't', which the UEM file lacks"
        ):
            meetings.score(side, side, "der", uem={"s": [(0, 1)]})
        result = meetings.score(side, side, "der", uem={"s": [(0, 1)]}, partial=True)
        assert [each.session_id for each in result] == ["s"]
        for wrong in ({"s": [3]}, {"s": 3}, 3, {"s": [(2, 1)]}):
            with pytest.raises(refscore.InputError, match="uem"):
                meetings.score(side, side, "der", uem=wrong)
        with pytest.raises(refscore.SettingError, match="uem changes nothing in cpwer"):
            meetings.score(side, side, "cpwer", uem={"s": [(0, 1)]})

    def test_words_are_scored_in_the_same_sessions(self):
        side = [Utterance("s", "Ann", "a b", 0, 4)]
        evaluation = meetings.evaluate(
            {"x": side}, side, ["cpwer", "der"], uem={"s": [(0, 4)], "t": [(0, 4)]}, max_missing=1
        )
        assert evaluation.units == ["s", "t"]
        assert evaluation.rows("cpwer", "x")[:, 0].tolist() == [2, 0]


def test_signatures_and_rows():
    for metric in (
        DER(),
        JER(),
        DER(collar=0.25, skip_overlap=True),
        *(DER(**preset) for preset in DER.presets.values()),
    ):
        assert refscore.from_signature(metric.signature) == metric
        assert pickle.loads(pickle.dumps(metric)) == metric
    for metric, row, value in ((DER(), [1, 2, 1, 8], 0.5), (JER(), [0.5, 2, 3], 0.25)):
        evaluation = refscore.Evaluation(metric)
        evaluation.add_rows(np.array([row], dtype=np.float64))
        assert refscore.Evaluation.from_bytes(evaluation.to_bytes()).score().value == value
        score = metric.score(row)
        assert score.value == value and pickle.loads(pickle.dumps(score)) == score
        assert metric.values([row, [0.0] * len(row)]).tolist() == [value, 0]
    assert DER().values([[0, 1, 0, 0]]).tolist() == [1] and JER().values([[0, 0, 2]]).tolist() == [1]
    assert "der:pyannote" in refscore.Evaluation(["der:pyannote", "der"]).metrics
    for wrong in ("der:x", "derr"):
        with pytest.raises(refscore.SettingError, match="unknown"):
            meetings.score([turn("Ann", 0, 1)], [turn("Ann", 0, 1)], wrong)


def test_systems():
    reference = [turn("Ann", 0, 10, f"s{k}") for k in range(20)]
    systems = {
        name: [turn("x", 0, end, each.session_id) for each in reference] for name, end in (("old", 8), ("new", 9))
    }
    evaluation = meetings.evaluate(systems, reference, ["der", "der:pyannote", "jer"])
    assert list(evaluation.metrics) == ["der", "der:pyannote", "jer"]
    comparison = evaluation.compare("old")
    assert comparison.verdict("der", "new") == "better" == comparison.verdict("jer", "new")
    assert comparison["der"]["new"].difference == pytest.approx(-0.1)


def test_formats(tmp_path):
    (tmp_path / "a.rttm").write_text("SPEAKER s 1 0.5 2.5 <NA> <NA> Ann <NA> <NA>\n")
    (tmp_path / "a.stm").write_text("s 1 x 0.5 2 good morning\n")
    result = meetings.score(tmp_path / "a.rttm", tmp_path / "a.stm", "der")
    assert parts(result["s"]) == [1, 0, 0, 2.5]
    assert meetings.score(
        [{"session_id": "s", "speaker": 1, "start_time": 0, "end_time": "2"}], tmp_path / "a.stm", "der"
    )
    with pytest.raises(refscore.InputError, match="has speaker turns without words: choose der or jer"):
        meetings.score(tmp_path / "a.rttm", tmp_path / "a.stm", "cpwer")
    assert parts(meetings.score([turn("Ann", Decimal("0.1"), 3)], [turn("Ann", 0.1, 3.0)], "der")["s"])[:3] == [0] * 3


def test_kernels_refuse_arrays_that_do_not_belong_together():
    speakers, times = np.array([0, 1], dtype=np.uint32), np.array([0.0, 1.0])
    with pytest.raises(ValueError, match="each turn needs a speaker"):
        _native.SpeakerTurns(speakers[:1], times, times, 2)
    with pytest.raises(ValueError, match="each interval needs two times"):
        _native.SpeakerTurns(speakers, times, times[:1], 2)
    rules = {
        **{"collar": 0.0, "skip_overlap": False, "self_overlap": "merged", "trim": False},
        **{"map_all_speech": False, "map_jaccard": False, "step": 0.0},
    }
    for wrong, message in (
        (_native.SpeakerTurns(speakers, times, times + 1, 1), "numbered from 0"),
        (_native.SpeakerTurns(speakers, times, times + np.inf, 2), "finite"),
    ):
        with pytest.raises(ValueError, match=message):
            _native.score_turns(wrong, wrong, times, times + 1, **rules)
