"""Evaluations of texts, and joining them: by segments (`+`), by systems (`|`), and into groups."""

import itertools
import pickle
import warnings
from collections import deque

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import Evaluation, InputError, SettingError
from refscore.errors import UnknownNameError
from refscore.evaluation.digests import Digest
from tests.derived_sources import sources_of
from tests.evaluation.corpora import corpus
from tests.examples import examples

SEGMENTS = 40
FIRST, REFERENCES = corpus(SEGMENTS, seed=8, references=2)
SECOND, THIRD = (corpus(SEGMENTS, seed=seed)[0] for seed in (9, 10))
METRICS = ["bleu", "wer"]


def evaluate(systems, chosen=slice(None), **options):
    outputs = {name: texts[chosen] for name, texts in systems.items()}
    return refscore.evaluate(outputs, REFERENCES[chosen], METRICS, **options)


BOTH = evaluate({"a": FIRST, "b": SECOND})


def same(one, other):
    """Whether two evaluations have the same systems, rows and scores."""
    return one.systems == other.systems and all(
        np.array_equal(one.rows(label, system), other.rows(label, system)) and one[system] == other[system]
        for label in one.metrics
        for system in one.systems
    )


class TestSegments:
    @given(places=st.lists(st.integers(0, SEGMENTS), max_size=4))
    @examples(15)
    def test_parts_add_up(self, places):
        ends = [0, *sorted(places), SEGMENTS]
        parts = [
            evaluate({"a": FIRST, "b": SECOND}, slice(begin, end))
            for begin, end in itertools.pairwise(ends)
            if begin < end
        ]
        whole = parts[0]
        for part in parts[1:]:
            whole = whole + part
        assert same(whole, BOTH)
        assert whole.references_digest == BOTH.references_digest
        assert all(whole[name] == BOTH[name] for name in "ab")

    def test_operands_stay_unchanged(self):
        one, other = evaluate({"a": FIRST}, slice(0, 9)), evaluate({"a": FIRST}, slice(9, None))
        before = one.to_bytes(), other.to_bytes()
        whole = one + other
        whole.add(FIRST[:2], REFERENCES[:2])
        assert (one.to_bytes(), other.to_bytes()) == before
        assert (one.segments, other.segments, whole.segments) == (9, SEGMENTS - 9, SEGMENTS + 2)

    def test_labels_are_joined_if_both_have_them(self):
        labels = [k % 3 for k in range(SEGMENTS)]

        def part(chosen, **options):
            given = {name: labels[chosen] if name == "units" else {"by": labels[chosen]} for name in options}
            return evaluate({"a": FIRST}, chosen, **given)

        whole = part(slice(0, 9), units=1, groups=1) + part(slice(9, None), units=1, groups=1)
        assert (whole.units, whole.groups) == (labels, {"by": labels})
        assert (part(slice(0, 9), units=1) + part(slice(9, None))).units is None
        with pytest.raises(InputError, match="same groups: this one has by, the other none"):
            part(slice(0, 9), groups=1) + part(slice(9, None))

    @pytest.mark.parametrize(
        ("other", "expected"),
        [
            (lambda: evaluate({"b": SECOND}), "same systems: this one has a, the other b"),
            (lambda: evaluate({"a": FIRST}, retain="sums"), "same retain: this one has 'rows', the other 'sums'"),
            (lambda: refscore.evaluate({"a": FIRST}, REFERENCES, ["bleu"]), "this one has bleu, wer, the other bleu"),
            (lambda: refscore.evaluate({"a": FIRST}, REFERENCES, ["bleu:nltk", "wer"]), "same metrics"),
        ],
    )
    def test_what_cannot_be_added(self, other, expected):
        with pytest.raises(InputError, match=expected):
            evaluate({"a": FIRST}) + other()
        with pytest.raises(TypeError):
            evaluate({"a": FIRST}) + 3


class TestSystems:
    def test_systems_stand_side_by_side(self):
        joined = evaluate({"a": FIRST}) | evaluate({"b": SECOND})
        assert joined.systems == ["a", "b"] and same(joined, BOTH)
        assert str(joined.compare("a", trials=50)) == str(BOTH.compare("a", trials=50))
        assert (joined | evaluate({"c": THIRD})).systems == ["a", "b", "c"]

    def test_different_references_are_refused(self):
        for references in (
            REFERENCES[::-1],
            [*REFERENCES[:-1], "another text"],
            [[*entry, "one more"] if k == 3 else entry for k, entry in enumerate(REFERENCES)],
        ):
            other = refscore.evaluate({"b": SECOND}, references, METRICS)
            with pytest.raises(InputError, match="different references"):
                evaluate({"a": FIRST}) | other

    def test_unknown_references_are_refused(self):
        rows = {label: {"b": BOTH.rows(label, "b")} for label in METRICS}
        other = Evaluation.from_rows(METRICS, rows)
        with pytest.raises(InputError, match="references of an evaluation are unknown"):
            evaluate({"a": FIRST}) | other
        assert same(evaluate({"a": FIRST}).beside(other), BOTH)

    def test_references_of_every_kind_have_the_same_digest(self):
        pyarrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
        texts = [entry[0] for entry in REFERENCES]
        whole = refscore.evaluate({"a": FIRST}, texts, METRICS)
        for references in (
            pyarrow.array(texts),
            pyarrow.array([[text] for text in texts]),
            pandas.Series(texts),
            np.array(texts),
            tuple(texts),
            deque(texts),
            (text for text in texts),
        ):
            other = refscore.evaluate({"b": SECOND}, references, METRICS)
            assert (whole | other).systems == ["a", "b"]
        prepared = refscore.evaluate({"b": SECOND}, refscore.BLEU().prepare(texts), "bleu")
        assert prepared.references_digest is None

    def test_digests_are_saved(self, tmp_path):
        evaluate({"b": SECOND}).save(tmp_path / "b.refscore")
        loaded = refscore.load(tmp_path / "b.refscore")
        assert loaded.references_digest == BOTH.references_digest
        assert same(evaluate({"a": FIRST}) | loaded, BOTH)

    def test_given_scores_need_no_references(self):
        comet = refscore.Given("comet")
        one, other = (
            Evaluation.from_rows(comet, {"comet": {name: comet.stats(values)}})
            for name, values in (("a", [0.1, 0.2]), ("b", [0.3, 0.5]))
        )
        assert [(one | other)[name]["comet"].value for name in "ab"] == [pytest.approx(0.15), 0.4]

    @pytest.mark.parametrize(
        ("other", "expected"),
        [
            (lambda: evaluate({"a": SECOND}), "both evaluations have a system 'a'"),
            (lambda: evaluate({"b": SECOND}, retain="sums"), "same retain"),
            (lambda: evaluate({"b": SECOND}, slice(0, 9)), "different references|same segments"),
            (lambda: refscore.evaluate({"b": SECOND}, REFERENCES, "bleu"), "same metrics"),
            (lambda: evaluate({"b": SECOND}, units=[k % 4 for k in range(SEGMENTS)]), "different units"),
        ],
    )
    def test_what_cannot_be_joined(self, other, expected):
        with pytest.raises(InputError, match=expected):
            evaluate({"a": FIRST}, units=[k % 3 for k in range(SEGMENTS)]) | other()
        with pytest.raises(TypeError):
            _ = BOTH | "text"

    def test_samples_are_of_the_same_segments(self):
        one, other = evaluate({"a": FIRST}, retain=10), evaluate({"b": SECOND}, retain=10)
        joined, expected = one | other, evaluate({"a": FIRST, "b": SECOND}, retain=10)
        assert same(joined, expected)
        different = Evaluation(METRICS, ["b"], retain=10, seed=3)
        different.add(SECOND, REFERENCES)
        with pytest.raises(InputError, match="samples of different segments"):
            one.beside(different)

    def test_sums(self):
        joined = evaluate({"a": FIRST}, retain="sums") | evaluate({"b": SECOND}, retain="sums")
        assert all(joined[name] == BOTH[name] for name in "ab")


@given(st.lists(st.sampled_from(["a", "b", "", ["a"], ["a", "b"], ["ab"], ["a", "", "b"]]), max_size=6), st.data())
@examples(60)
def test_digests_of_parts_are_those_of_the_whole(references, data):
    cut = data.draw(st.integers(0, len(references)))
    whole = Digest.compute(references)
    assert Digest.compute(references[:cut]) + Digest.compute(references[cut:]) == whole
    for other in (references[::-1], references[1:], [*references, "a"]):
        listed = [[entry] if isinstance(entry, str) else entry for entry in other]
        equal = listed == [[entry] if isinstance(entry, str) else entry for entry in references]
        assert (Digest.compute(other) == whole) == equal


class TestInputs:
    def test_runs(self):
        listed = evaluate_runs([FIRST, SECOND])
        named = evaluate_runs({"seed 1": FIRST, "seed 2": SECOND})
        assert listed.runs == named.runs == ("a", "b", "b") and listed.systems == ["a", "b"]
        assert [score.value for score in listed.run_scores("bleu", "b")] == [
            refscore.bleu(texts, REFERENCES).value for texts in (FIRST, SECOND)
        ]
        assert np.array_equal(listed.rows("bleu", "b", run=1), BOTH.rows("bleu", "b"))
        views = (
            lambda: listed["b"],
            lambda: listed.score("bleu", "b"),
            lambda: listed.segment_scores("bleu"),
            lambda: listed.errors("wer", "b"),
            lambda: listed.to_pandas(segments=True),
            lambda: listed.agreement(dict.fromkeys("ab", [1] * len(REFERENCES))),
        )
        for view in views:
            with pytest.raises(InputError, match="'b' has several runs: use run_scores"):
                view()
        mean = np.mean([score.value for score in listed.run_scores("bleu", "b")])
        assert listed.intervals(resamples=200)["b"]["bleu"].mean == pytest.approx(mean, abs=0.05)
        assert listed.compare("a", trials=20)["bleu"]["b"].score == pytest.approx(mean)

    def test_one_system_without_a_name(self):
        evaluation = refscore.evaluate(FIRST, REFERENCES, METRICS)
        assert evaluation.systems == ["system"]
        assert evaluation.scores() == BOTH["a"]
        assert evaluation.score("wer") == BOTH.score("wer", "a")

    @pytest.mark.parametrize("view", [lambda e: e.interval("wer", "a", units=[0]), lambda e: e.intervals(units=[0])])
    def test_units_of_an_interval(self, view):
        with pytest.raises(InputError, match="units belong to the whole evaluation: pass units to"):
            view(BOTH)

    def test_unknown_metric(self):
        for view in (lambda: BOTH["a"]["blue"], lambda: BOTH.score("blue", "a")):
            with pytest.raises(UnknownNameError, match="unknown metric 'blue'; did you mean 'bleu'"):
                view()
        assert BOTH["a"].get("blue") is None and pickle.loads(pickle.dumps(BOTH["a"])) == BOTH["a"]

    def test_groups_and_units(self):
        labels = [["x", "y", "z"][k % 3] for k in range(SEGMENTS)]
        evaluation = evaluate({"a": FIRST, "b": SECOND}, units=iter(labels), groups={"by": np.array(labels)})
        assert (evaluation.units, evaluation.groups) == (labels, {"by": labels})
        chosen = np.flatnonzero(np.array(labels) == "y")
        group = evaluation.by("by")["y"]
        assert np.array_equal(group.rows("wer", "b"), BOTH.rows("wer", "b")[chosen])
        assert same(evaluation.select(chosen), group)
        assert (group.units, group.groups) == (["y"] * len(chosen), {"by": ["y"] * len(chosen)})
        whole = None
        for part in evaluation.by("by").values():
            whole = part if whole is None else whole + part
        assert all(whole[name] == BOTH[name] for name in "ab")
        with pytest.raises(UnknownNameError, match="did you mean 'by'"):
            evaluation.by("bye")
        with pytest.raises(InputError, match="has no groups"):
            BOTH.by("by")

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            ({"units": ["x"]}, "units has 1 labels for 40 segments"),
            ({"groups": ["x"] * SEGMENTS}, "groups is not a mapping"),
            ({"groups": {"by": ["x"]}}, "by has 1 labels"),
            ({"groups": {"by": [None] * SEGMENTS}}, "missing"),
            ({"retain": "everything"}, "retain"),
            ({"rows": {"comet": []}}, "not among the metrics"),
        ],
    )
    def test_mistakes(self, options, expected):
        with pytest.raises(refscore.RefscoreError, match=expected):
            evaluate({"a": FIRST}, **options)

    def test_sources(self):
        sources = sources_of(REFERENCES)
        evaluation = refscore.evaluate({"a": FIRST}, REFERENCES, "sari", sources=iter(sources))
        assert evaluation["a"]["sari"] == refscore.sari(FIRST, REFERENCES, sources=sources)
        with pytest.raises(refscore.RefscoreError, match="source"):
            refscore.evaluate({"a": FIRST}, REFERENCES, "sari")

    def test_fitted_metrics(self):
        for references in (REFERENCES, iter(REFERENCES)):
            evaluation = refscore.evaluate({"a": FIRST, "b": SECOND}, references, ["nist", "cider"])
            for name, metric in {"nist": refscore.NIST, "cider": refscore.CIDER}.items():
                assert evaluation.metrics[name] == metric.fit(REFERENCES)
                assert evaluation["b"][name] == metric.fit(REFERENCES).corpus(SECOND, REFERENCES)

    def test_rows_beside_texts(self):
        comet = refscore.Given("comet")
        tables = {name: comet.stats(np.linspace(0, end, SEGMENTS)) for name, end in (("a", 1), ("b", 0.5))}
        evaluation = refscore.evaluate({"a": FIRST, "b": SECOND}, REFERENCES, [*METRICS, comet], rows={"comet": tables})
        assert [evaluation[name]["comet"].value for name in "ab"] == pytest.approx([0.5, 0.25])
        assert all(evaluation[name][label] == BOTH[name][label] for name in "ab" for label in METRICS)

    def test_rows_of_a_metric_of_texts_are_not_computed_again(self):
        rows = {"wer": {"a": [[1, 0, 0, 0]] * SEGMENTS}}
        evaluation = refscore.evaluate({"a": FIRST}, REFERENCES, METRICS, rows=rows)
        assert (evaluation["a"]["wer"].value, evaluation["a"]["bleu"]) == (0, BOTH["a"]["bleu"])

    def test_progress(self):
        calls = []
        refscore.evaluate({"a": FIRST, "b": SECOND}, REFERENCES, METRICS, progress=lambda *call: calls.append(call))
        assert calls == [("scoring", k, 4) for k in range(1, 5)]

    def test_choosing(self):
        assert [*BOTH] == ["a", "b"] and "a" in BOTH and "c" not in BOTH
        with pytest.raises(UnknownNameError, match="'c'"):
            BOTH["c"]
        with pytest.raises(SettingError, match="several systems: choose one of a, b"):
            BOTH.scores()
        with pytest.raises(SettingError, match="several metrics"):
            BOTH.segment_scores()

    @pytest.mark.parametrize(
        ("call", "expected"),
        [
            (lambda: Evaluation("bleu", []), "systems is not a list of names"),
            (lambda: Evaluation("bleu", "ab"), "systems is not a list of names"),
            (lambda: Evaluation("bleu", [""]), "systems has the name ''"),
            (lambda: Evaluation("bleu", [3]), "systems has the name 3"),
            (lambda: BOTH.rows("bleu", "a", run=1), "run must be"),
            (lambda: BOTH.select([0, SEGMENTS]), "segments has indexes outside of 0 to 39"),
            (lambda: BOTH + BOTH, "cannot be added to itself"),
        ],
    )
    def test_mistakes_after_evaluating(self, call, expected):
        with pytest.raises(refscore.RefscoreError, match=expected):
            call()


def evaluate_runs(runs):
    return refscore.evaluate({"a": FIRST, "b": runs}, REFERENCES, METRICS)


def test_warnings_are_issued_once():
    texts = [f"w{k} x{k} y{k} z{k}" for k in range(20)]
    with pytest.warns(refscore.data_warnings.IdenticalTextWarning) as caught:
        evaluation = refscore.evaluate({"a": texts, "b": texts[::-1]}, texts, METRICS)
    assert len([each for each in caught if each.category is refscore.data_warnings.IdenticalTextWarning]) == 1
    assert {each.filename for each in caught} == {__file__}
    kinds = [warning.kind for warning in evaluation.warnings]
    assert kinds.count("identical") == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluation.compare("a", trials=20, resamples=20)
        evaluation.summary(intervals=True, resamples=20)
        again = refscore.Evaluation.from_bytes(evaluation.to_bytes())
        assert [warning.kind for warning in again.warnings] == kinds
        assert [warning.kind for warning in (evaluation | renamed(evaluation)).warnings].count("identical") == 1
    evaluation.ignored_warnings = ("identical",)
    assert "identical" not in [warning.kind for warning in evaluation.warnings]
    assert all(entry["kind"] != "identical" for entry in evaluation.summary().to_dict().get("warnings", ()))


def renamed(evaluation):
    """Return the evaluation with different names of systems."""
    data = pickle.loads(pickle.dumps(evaluation))
    data.runs = tuple(f"other {name}" for name in data.runs)
    return data


@pytest.mark.parametrize("retain", ["rows", "sums", 12])
def test_retained_rows(retain, tmp_path):
    evaluation = evaluate({"a": FIRST, "b": SECOND}, retain=retain)
    assert evaluation.retain == retain and all(evaluation[name] == BOTH[name] for name in "ab")
    for again in (pickle.loads(pickle.dumps(evaluation)), Evaluation.from_bytes(evaluation.to_bytes())):
        assert again.to_bytes() == evaluation.to_bytes() and again.retain == retain
        assert again.titles == evaluation.titles and again.segment_metrics == evaluation.segment_metrics
    if retain == "sums":
        with pytest.raises(InputError, match="only their sums"):
            evaluation.intervals()
        return
    assert len(evaluation.rows("wer", "b")) == (SEGMENTS if retain == "rows" else 12)
    assert [*evaluation.intervals(resamples=20)] == ["a", "b"]
    if retain == 12:
        with pytest.raises(InputError, match="the rows of all segments are needed"):
            evaluation.select(np.arange(3))
