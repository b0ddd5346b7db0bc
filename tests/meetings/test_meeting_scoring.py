"""Sessions, degenerate input, errors, and rows in significance tests."""

import pickle
from decimal import Decimal
from functools import partial

import numpy as np
import pytest

import refscore
from refscore import _native, meetings
from refscore.errors import UnknownNameError
from refscore.meetings import CPWER, MEETING_METRICS, ORCWER, TCORCWER, TCPWER, Utterance
from refscore.significance import bootstrap, paired_bootstrap
from tests.meetings.generated import ALL_METRICS as METRICS, TIMED


def utterances(*texts, session="s", times=True):
    """One utterance per text, each of its own speaker."""
    return [Utterance(session, k, text, *((k, k + 1) if times else ())) for k, text in enumerate(texts)]


@pytest.mark.parametrize("name", METRICS)
def test_a_long_hypothesis_of_one_word(name):
    words = 20_000 if name in TIMED else 100_000
    result = meetings.score(utterances("a b " * 500, "c"), utterances("b " * words), name)
    assert result.total.insertions - result.total.deletions == words - 1001
    assert result.total.hits <= 500


@pytest.mark.parametrize("name", METRICS)
def test_sides_without_words(name):
    run = partial(meetings.score, metric=name)
    result = run(utterances("", " "), utterances("", "", ""))
    assert (result.errors, result.length, result.value) == (0, 0, 0)
    result = run(utterances("a b", "c"), utterances(""))
    assert (result.errors, result.total.deletions, result.value) == (3, 3, 1)
    result = run(utterances(""), utterances("a b", "c"))
    assert (result.errors, result.total.insertions, result.value) == (3, 3, 3)
    with pytest.warns(meetings.MeetingWarning, match="the hypothesis lacks 1 of 1 sessions, such as 's'"):
        result = run(utterances("a b", "c"), [], max_missing=1)
    assert (result.errors, result.total.deletions) == (3, 3)


def test_many_speakers():
    reference = utterances(*(f"w{k} x{k} y{k}" for k in range(30)))
    result = meetings.score(reference, reference[::-1])
    assert result.errors == 0 and result.total.scored_speakers == 30
    assert all(pair.reference == pair.hypothesis for pair in result["s"].pairs)
    assert meetings.score(reference, reference[::-1][:20], "tcpwer").total.missed_speakers == 10


def test_large_tables_are_refused():
    reference, hypothesis = utterances("a " * 1000), utterances(*["a " * 1000] * 4)
    with pytest.raises(refscore.InputError) as caught:
        meetings.score(reference, hypothesis, "orcwer")
    assert str(caught.value) == (
        "the session 's' needs more than 2,048 MiB for ORC-WER: its 4 streams have 1000, 1000, 1000, 1000 words: "
        "choose tcorcwer, which only compares words at similar times, split the session, or raise memory"
    )
    with pytest.raises(refscore.InputError, match="lower the collar"):
        meetings.score(reference, hypothesis, "tcorcwer")
    with pytest.raises(refscore.InputError, match="61 streams"):
        meetings.score(reference, utterances(*["a b c"] * 61), "orcwer")


def test_sessions_missing_on_one_side():
    reference = [*utterances("a"), *utterances("b", session="t")]
    with pytest.raises(refscore.InputError) as caught:
        meetings.score(reference, utterances("a"))
    assert str(caught.value).startswith("hypothesis lacks 1 of 2 sessions, such as 't': add them with empty words")
    with pytest.raises(
        refscore.InputError, match=r"hypothesis\[1\] is of the session 't', which the reference does not"
    ):
        meetings.score(utterances("a"), reference)
    assert meetings.score(utterances("a"), reference, partial=True).sessions[0].session_id == "s"
    with pytest.raises(refscore.InputError, match="reference has no utterances"):
        meetings.score([], reference)


def test_times_are_required():
    with pytest.raises(refscore.InputError, match=r"reference\[0\] has no times: tcpwer, tcorcwer and sort='segment'"):
        meetings.score(utterances("a", times=False), utterances("a"), "tcpwer")
    with pytest.raises(refscore.InputError, match=r"hypothesis\[0\] has no times"):
        meetings.score(utterances("a"), utterances("a", times=False), "tcorcwer")
    reference = [Utterance("s", "A", "b", 1, 2), Utterance("s", "A", "a", 0, 1)]
    assert meetings.score(reference, [Utterance("s", "A", "a b")]).errors == 0
    assert meetings.score(reference, [Utterance("s", "A", "a b")], reference_sort="none").errors == 2
    assert meetings.score(reference, [Utterance("s", "A", "a b")])["s"].hypothesis_self_overlap is None
    with pytest.raises(refscore.InputError, match="has 2 words: timing='none'"):
        meetings.score(utterances("a b"), utterances("a"), "tcpwer", reference_timing="none")
    assert meetings.score(utterances("a"), utterances("a"), "tcpwer", hypothesis_timing="none").errors == 0


def test_kinds_of_times():
    """Numbers of all kinds, also together."""
    for start, end in [(0, 1), (0.0, 1.0), (Decimal(0), 1.0), ("0", "1.0"), (np.float64(0), np.int64(1))]:
        reference = [Utterance("s", "A", "a b", start, end), Utterance("s", "A", "c", 2.5, 3)]
        for collar in (0, 1, 0.5, Decimal("0.5")):
            assert meetings.score(reference, reference, "tcpwer", collar=collar).errors == 0
    for wrong in (float("nan"), float("inf"), "x", True, 10**400, object()):
        with pytest.raises(refscore.InputError, match=r"reference\[0\] has .* as end_time"):
            meetings.score([Utterance("s", "A", "a", 0, wrong)], reference, "tcpwer")


def test_wrong_arguments():
    side = utterances("a")
    for wrong in (3, b"x", {"a": 1}, None):
        with pytest.raises(refscore.InputError, match="reference must be the name of a file or a list"):
            meetings.score(wrong, side)
    with pytest.raises(refscore.InputError, match=r"hypothesis\[0\] is of type int"):
        meetings.score(side, [3])
    for kind, settings, message in [
        (TCPWER, {"collar": -1}, "collar must be a number of seconds"),
        (TCPWER, {"collar": "5"}, "collar must be a number of seconds"),
        (TCPWER, {"collar": Decimal("nan")}, "collar must be a number of seconds"),
        (TCPWER, {"reference_timing": "x"}, "unknown reference_timing 'x'"),
        (CPWER, {"reference_sort": "word"}, "unknown reference_sort 'word'"),
        (TCORCWER, {"reference_sort": "word"}, "unknown reference_sort 'word'"),
        (CPWER, {"reference_sort": "x"}, "unknown reference_sort 'x'"),
        (CPWER, {"normalize": "x"}, "unknown normalizer 'x'"),
        (ORCWER, {"memory": 0}, "memory must be a whole number"),
        (CPWER, {"collar": 3}, "unknown setting of cpwer 'collar'"),
        (TCPWER, {"collars": 3}, "unknown setting of tcpwer 'collars'; did you mean 'collar'"),
    ]:
        with pytest.raises(refscore.SettingError, match=message):
            kind(**settings)
        with pytest.raises(refscore.SettingError, match=message):
            meetings.score(side, side, kind.name, **settings)
        with pytest.raises(refscore.SettingError, match=message):
            meetings.score(side, side, kind(), **settings)
    with pytest.raises(refscore.SettingError, match="unknown meeting metric 'wer'"):
        meetings.score(side, side, "wer")
    with pytest.raises(refscore.SettingError, match="max_missing must be a share"):
        meetings.score(side, side, max_missing=2)


SETTINGS = {
    "cpwer": {"lowercase": "ascii", "reference_sort": "none"},
    "orcwer": {"normalize": "NFKC", "hypothesis_sort": "segment"},
    "tcpwer": {"collar": 0.1234567890123, "reference_sort": "word", "hypothesis_timing": "full_segment"},
    "tcorcwer": {"collar": Decimal("0.25"), "lowercase": True, "reference_timing": "equidistant_points"},
    "greedy_orcwer": {"lowercase": True},
    "dicpwer": {"reference_sort": "none"},
    "greedy_tcorcwer": {"collar": 1, "hypothesis_sort": "none"},
    "ditcpwer": {"collar": 0},
    "mimower": {"normalize": "NFKC"},
}


@pytest.mark.parametrize("name", METRICS)
def test_signatures(name):
    kind = MEETING_METRICS[name]
    for metric in (kind(), kind(**SETTINGS[name])):
        assert refscore.from_signature(metric.signature) == metric
        assert pickle.loads(pickle.dumps(metric)) == metric and hash(metric) == hash(metric)
        assert {part.partition(":")[0] for part in metric.signature.split("|")[1:-1]} == {
            declared.key for declared in metric.settings().values() if declared.key
        }
        evaluation = refscore.Evaluation(metric)
        evaluation.add_rows([[3, 1, 0, 0, 0, 0, 1][: len(metric.columns)]])
        assert refscore.Evaluation.from_bytes(evaluation.to_bytes()).score().value == 0.25
    assert name not in refscore.metrics.METRICS
    with pytest.raises(refscore.errors.SignatureError, match="lacks the key"):
        refscore.from_signature(f"{name}|case:lc")
    with pytest.raises(refscore.SettingError, match="does not score text"):
        refscore.scores(["a"], ["a"], kind())


def test_scores():
    score = CPWER().score([8, 1, 1, 0, 0, 0, 2])
    assert (score.value, score.errors, score.length, score.hits) == (0.2, 2, 10, 8)
    assert score.details() == {
        "errors": 2,
        "length": 10,
        "hits": 8,
        "substitutions": 1,
        "deletions": 1,
        "insertions": 0,
    }
    assert str(score) == "cpWER = 20.00 (hits = 8 substitutions = 1 deletions = 1 insertions = 0)"
    assert score.signature == CPWER().signature and pickle.loads(pickle.dumps(score)) == score
    assert ORCWER().score([0, 0, 0, 3]).value == 3 and ORCWER().values([[0, 0, 0, 3]]).tolist() == [3]
    with pytest.raises(refscore.InputError, match="at least 0"):
        ORCWER().score([1, 0, 0, -1])


def test_normalization():
    reference, hypothesis = [Utterance("s", "A", "Ｈi You")], [Utterance("s", "A", ("hi", "you"))]
    assert meetings.score(reference, hypothesis).errors == 2
    assert meetings.score(reference, hypothesis, lowercase=True, normalize="NFKC").errors == 0


def test_rows_in_significance_tests():
    reference = [Utterance(f"s{k}", "A", "a b c d") for k in range(30)]
    texts = {"old": "a x c y", "new": "a b c y"}
    results = {
        name: meetings.score(reference, [Utterance(each.session_id, "1", text) for each in reference])
        for name, text in texts.items()
    }
    rows = {name: result.rows for name, result in results.items()}
    metric = results["old"].metric
    assert rows["old"].sum(0).tolist() == [60, 60, 0, 0, 0, 0, 30]
    assert metric.score(rows["old"].sum(0)) == results["old"].value == 0.5
    assert paired_bootstrap(metric, rows)["new"].difference == -0.25
    assert bootstrap(metric, rows["new"]).low == 0.25
    comparison = refscore.Evaluation.from_rows(metric, {"cpwer": rows}).compare()
    assert comparison.verdict("cpwer", "new") == "better"
    assert "cpWER" in str(comparison)
    with pytest.raises(refscore.InputError):
        metric.values([[1, 2]])


def test_systems_have_rows_of_the_same_sessions():
    reference = [Utterance(f"s{k}", "A", "a b c d", 0, 4) for k in range(30)]
    old = [Utterance(each.session_id, "1", "a x c y", 0, 4) for each in reference[::-1]]
    new = [Utterance(each.session_id, "1", "a b c y", 0, 4) for each in reference[1:]]  # s0 is silence
    seen = []
    with pytest.warns(meetings.MeetingWarning, match=r"systems\['new'\] lacks 1 of 30 sessions, such as 's0'"):
        evaluation = meetings.evaluate(
            {"old": old, "new": new},
            reference,
            {"cp": "cpwer", "tcp": TCPWER(collar=1)},
            progress=lambda *done: seen.append(done),
        )
    assert seen == [("scoring", k, 120) for k in range(1, 121)]
    assert evaluation.units == [f"s{k}" for k in range(30)]
    assert evaluation.metrics == {"cp": CPWER(), "tcp": TCPWER(collar=1)}
    assert evaluation.rows("cp", "old").tolist() == meetings.score(reference, old).rows.tolist()
    assert evaluation.rows("tcp", "new")[0].tolist() == [0, 0, 4, 0, 1, 0, 1]
    assert {label: score.errors for label, score in evaluation["old"].items()} == {"cp": 60, "tcp": 60}
    comparison = evaluation.compare()
    for label in ("cp", "tcp"):
        assert comparison.verdict(label, "new") == "better"
        assert comparison[label]["new"].difference == pytest.approx((33 - 60) / 120)
        assert comparison.to_dict()["metrics"][label]["signature"] == evaluation.metrics[label].signature


def test_evaluations_of_one_system():
    side = [*utterances("a b"), *utterances("c", session="t")]
    evaluation = meetings.evaluate(side, side, groups={"room": {"t": "large", "s": "small"}, "day": [1, 2]})
    assert (evaluation.systems, evaluation.units, evaluation.score().value) == (["system"], ["s", "t"], 0)
    assert evaluation.groups == {"room": ["small", "large"], "day": [1, 2]}
    assert evaluation.by("room")["large"].rows().tolist() == [[1, 0, 0, 0, 0, 0, 1]]
    with pytest.raises(refscore.InputError, match=r"groups\['room'\] has no label for the session 's'"):
        meetings.evaluate(side, side, groups={"room": {"t": 1}})


def test_systems_on_different_references_cannot_be_joined():
    """Words and times decide, however they are written."""
    first, second = utterances("a b"), utterances("a c")
    decimal = [Utterance("s", 0, ("a", "b"), Decimal("0.0"), "1")]
    old = meetings.evaluate({"old": second}, first)
    assert (old | meetings.evaluate({"new": first}, decimal))["new"]["cpwer"].value == 0
    for other in (second, utterances("a b", times=False), [Utterance("s", 1, "a b", 0, 1)]):
        with pytest.raises(refscore.InputError, match="different references"):
            old | meetings.evaluate({"new": first}, other)


def test_names_where_rows_are_enough():
    rows = {"old": [[1, 1, 0, 0, 0, 0, 1]] * 20, "new": [[2, 0, 0, 0, 0, 0, 1]] * 20}
    assert paired_bootstrap("cpwer", rows)["new"].difference == -0.5
    evaluation = refscore.Evaluation(["CPWER", "tcorcwer"])
    assert evaluation.metrics == {"cpwer": CPWER(), "tcorcwer": TCORCWER()}
    for use in (
        lambda: refscore.scores(["a"], ["a"], "cpwer"),
        lambda: refscore.evaluate(["a"], ["a"], ["bleu", "cpwer"]),
        lambda: evaluation.add(["a"], ["a"]),
        lambda: refscore.metrics.parse_metric("cpwer"),
    ):
        with pytest.raises(
            refscore.SettingError, match=r"cpWER does not score text: pass utterances to refscore\.meet"
        ):
            use()


def test_mistakes_in_systems():
    side = utterances("a")
    more = [*side, *utterances("b", session="t")]
    for systems, metrics, message in [
        ({"x": more}, "cpwer", r"systems\['x'\]\[1\] is of the session 't'"),
        ({"x": []}, "cpwer", r"systems\['x'\] lacks 1 of 1 sessions"),
        ({"x": [3]}, "cpwer", r"systems\['x'\]\[0\] is of type int"),
        ({}, "cpwer", "systems is empty"),
        (3, "cpwer", "systems must be the name of a file or a list"),
        ({"x": side}, ["cpwer", CPWER(lowercase=True)], "two metrics have the name 'cpwer'"),
        ({"x": side}, [], "metrics is empty"),
        ({"x": side}, refscore.WER(), "unknown meeting metric"),
        ({"x": side}, "wer", "unknown meeting metric 'wer'"),
        ({"x": side}, 3, "unknown meeting metric 3"),
    ]:
        with pytest.raises(refscore.RefscoreError, match=message):
            meetings.evaluate(systems, side, metrics)


def test_results():
    reference = [*utterances("a b"), *utterances("c", session="t")]
    seen = []
    result = meetings.score(reference, reference, "orcwer", progress=lambda *done: seen.append(done))
    assert seen == [("scoring", 1, 2), ("scoring", 2, 2)]
    assert len(result) == 2 and [each.session_id for each in result] == ["s", "t"] and float(result) == 0
    assert result.rows.shape == (2, 4)
    with pytest.raises(UnknownNameError, match="unknown session"):
        result["u"]
    copy = pickle.loads(pickle.dumps(result))
    assert copy.sessions == result.sessions and copy.metric == result.metric


def test_kernels_refuse_arrays_that_do_not_belong_together():
    words = np.array([1, 2], dtype=np.uint32)
    times = np.array([0.0, 1.0])
    make = _native.MeetingWords
    for ends, begins in [([3], times), ([1], times), ([2, 1], times), ([-1, 2], times), ([2], times[:1])]:
        with pytest.raises(ValueError, match=r"part|word"):
            make(words, np.array(ends), begins, times)
    with pytest.raises(ValueError, match="words are numbered from 1"):
        make(np.array([0, 1], dtype=np.uint32), np.array([2]), times, times)
    with pytest.raises(ValueError, match="times must be finite"):
        make(words, np.array([2]), np.array([np.nan, 0]), times)
    untimed, timed = make(words, np.array([2]), times[:0], times[:0]), make(words, np.array([2]), times, times)
    with pytest.raises(ValueError, match="needs times"):
        _native.assign_speakers(untimed, timed, True)
    with pytest.raises(ValueError, match="an utterance is empty"):
        _native.assign_utterances(make(words, np.array([0, 2]), times, times), timed, True, 1 << 20)


def test_warnings_name_the_line_of_the_caller():
    twice = [meetings.Utterance("s", "Ann", word, 0, 1) for word in "ab"]
    metric = meetings.TCPWER()
    for call in (partial(meetings.score, metric="tcpwer"), lambda *sides: meetings.score(*sides, metric)):
        with pytest.warns(meetings.MeetingWarning, match="overlap with themselves") as caught:
            call(twice, twice)
        assert {warning.filename for warning in caught} == {__file__}


def test_too_many_words_at_the_same_time_are_refused():
    """Time grows with the pairs of words that overlap."""

    def spoken(end):
        return [Utterance("s", "Ann", "w " * 50_000, 0, end)]

    for metric, other in (("tcpwer", "cpwer"), ("tcorcwer", "orcwer")):
        assert meetings.score(spoken(50_000), spoken(50_000), metric).errors == 0
        message = f"'s' needs 2,500,000,000 comparisons .* lower the collar, or choose {other}"
        with pytest.raises(refscore.InputError, match=message):
            meetings.score(spoken(5), spoken(5), metric)
    assert meetings.score(spoken(5), spoken(5), "cpwer").errors == 0


def test_large_greedy_assignments_are_refused():
    reference = [Utterance("s", "Ann", "w " * 100_001, 0, 5)]
    for metric, other in (("greedy_orcwer", "cpwer"), ("ditcpwer", "tcpwer")):
        message = f"'s' needs 10,000,200,001 comparisons .* split the session, or choose {other}"
        with pytest.raises(refscore.InputError, match=message):
            meetings.score(reference, reference, metric)
    with pytest.raises(refscore.InputError, match=r"needs more than 0 MiB for DI-cpWER: .* choose cpwer, split"):
        meetings.score(utterances("a b"), utterances("a b"), "dicpwer", memory=3)


def test_errors_by_source():
    reference = [Utterance("s", "Ann", "a b c d", 0, 4), Utterance("s", "Bob", "e f", 4, 6), Utterance("t", "Ann", "g")]
    hypothesis = [Utterance("s", 1, "a b x d", 0, 4), Utterance("s", 1, "e f", 4, 6), Utterance("t", 1, "g")]
    evaluation = meetings.evaluate({"new": hypothesis, "best": reference}, reference, ["cpwer", "dicpwer"])
    loaded = refscore.Evaluation.from_bytes(evaluation.to_bytes())
    for each in (evaluation, loaded):
        split = meetings.split_errors(each)
        assert [(part.session_id, part.errors, part.recognition, part.attribution) for part in split.sessions[:2]] == [
            ("s", 5, 1, 4),
            ("t", 0, 0, 0),
        ]
        assert [part.attribution for part in split.totals] == [4, 0]
        percent = split.totals[0].attribution_percent + split.totals[0].recognition_percent
        assert percent == pytest.approx(each["new"]["cpwer"].percent)
    with pytest.raises(refscore.SettingError, match="needs a metric such as dicpwer or orcwer"):
        meetings.split_errors(meetings.evaluate(hypothesis, reference, "cpwer"))
    evaluation = meetings.evaluate(hypothesis, reference, ["cpwer", meetings.DICPWER(lowercase=True)])
    with pytest.raises(refscore.SettingError, match="have different settings"):
        meetings.split_errors(evaluation)
