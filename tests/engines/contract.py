"""Behaviour of every engine: scores, columns and errors equal those of one process."""

import doctest

import pyarrow as pa
import pytest
import sacrebleu

import refscore
from refscore import frames
from refscore.engines import engine
from refscore.errors import Location
from tests.frames.common_frames import METRICS, columns
from tests.frames.outside_metric import Surplus

EVERY = ["bleu", "chrf", "ter", "ribes", "meteor", "rouge", "gleu", "wer", "cer"]
DATA = columns()
TABLE = pa.table(DATA)
BOTH = [[one, other] for one, other in zip(DATA["ref"], DATA["other"], strict=True)]
LAST_IS_EMPTY = pa.table({"hyp": ["a"] * 9, "ref": ["a"] * 8 + [""]})


class Defined(Surplus):
    """A class defined in a notebook, which workers cannot import."""


Defined.__module__ = "__main__"


def in_order(table, by):
    """Sort rows by groups, None last."""
    return sorted(table.to_pylist(), key=lambda row: [(row[name] is None, row[name]) for name in by])


def check_corpus(found, table, metrics, *, references="ref", **options):
    """Check that the scores equal those of one process, to the last bit."""
    wanted = frames.corpus(table, "hyp", references, metrics, **options)
    assert found.schema == wanted.schema
    assert found.to_pylist() == in_order(wanted, options.get("by", []))


class EngineContract:
    """Tests of an engine. Subclasses set `engine`, and `part`, the name of a frame's only part."""

    outside_metrics = (Surplus(), Defined())

    def frame(self, table, parts=5):
        """Return a frame of the engine with the rows of an Arrow table in this number of parts."""
        raise NotImplementedError

    def table(self, frame):
        """Return a frame as an Arrow table."""
        raise NotImplementedError

    @pytest.mark.parametrize("by", [[], ["lang"], ["domain", "lang"]])
    def test_corpus(self, by):
        check_corpus(self.engine.corpus(self.frame(TABLE), "hyp", "ref", EVERY, by=by), TABLE, EVERY, by=by)

    def test_sacrebleu(self):
        (found,) = self.engine.corpus(self.frame(TABLE), "hyp", "ref", ["bleu", "chrf", "ter"]).to_pylist()
        for label, metric in {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF(), "ter": sacrebleu.TER()}.items():
            wanted = metric.corpus_score(DATA["hyp"], [DATA["ref"]]).score
            assert 100 * found[label] == pytest.approx(wanted, rel=0, abs=1e-10)

    def test_totals(self):
        found = self.engine.totals(self.frame(TABLE, 100), "hyp", "ref", METRICS, by="lang")
        wanted = frames.totals(TABLE, "hyp", "ref", METRICS, by="lang")
        assert found.schema.equals(wanted.schema, check_metadata=True)
        assert found.to_pylist() == in_order(wanted, ["lang"])

    def test_evaluations(self):
        sums = self.engine.evaluate(self.frame(TABLE), "hyp", ["ref", "other"], METRICS)
        wanted = refscore.scores(DATA["hyp"], BOTH, METRICS)
        assert (sums.segments, sums.scores()) == (TABLE.num_rows, wanted)
        assert sums.score("bleu").signature == wanted["bleu"].signature

    def test_columns_of_scores(self):
        choices = {"b": "bleu", "w": "wer"}
        found = self.table(self.engine.with_scores(self.frame(TABLE), "hyp", ["ref", "other"], choices, threads=2))
        wanted = frames.with_scores(TABLE, "hyp", ["ref", "other"], choices)
        assert (found.schema.names, found.schema.types) == (wanted.schema.names, wanted.schema.types)
        assert sorted(found.to_pylist(), key=str) == sorted(wanted.to_pylist(), key=str)

    @pytest.mark.parametrize("kind", [pa.int32(), pa.int64(), pa.string()], ids=str)
    def test_lists(self, kind):
        lists = {"hyp": ["a b", "c"], "ref": [["x", "a b", None], ["c"]]}
        lists |= {name: pa.array([[1, 2, 3], [last]]).cast(pa.list_(kind)) for name, last in [("one", 4), ("two", 5)]}
        frame = self.frame(pa.table(lists), 2)
        assert self.engine.corpus(frame, "hyp", "ref", "wer")["wer"].to_pylist() == [0]
        assert self.engine.corpus(frame, "one", "two", "wer")["wer"].to_pylist() == [0.25]

    def test_fitted_and_outside_metrics(self):
        frame = self.frame(TABLE)
        for metric in (refscore.NIST.fit(DATA["ref"]), *self.outside_metrics):
            wanted = metric.corpus(DATA["hyp"], DATA["ref"])
            assert self.engine.corpus(frame, "hyp", "ref", metric)[metric.name].to_pylist() == [wanted.value]
            assert self.engine.evaluate(frame, "hyp", "ref", metric).score().row.tolist() == wanted.row.tolist()
        scored = self.table(self.engine.with_scores(frame, "hyp", "ref", Surplus()))["surplus"].to_pylist()
        assert sorted(scored) == sorted(Surplus().segments(DATA["hyp"], DATA["ref"]).tolist())

    def test_missing_segments(self):
        frame = self.frame(TABLE)
        present = [i for i, other in enumerate(DATA["other"]) if other is not None]
        hypotheses, references = ([DATA[name][i] for i in present] for name in ("hyp", "other"))
        found = self.engine.corpus(frame, "hyp", "other", "wer", missing="skip").to_pylist()
        assert found == [{"segments": len(present), "wer": refscore.wer(hypotheses, references).value}]
        check_corpus(
            self.engine.corpus(frame, "hyp", "other", "wer", by="lang", missing="skip"),
            *(TABLE, "wer"),
            references="other",
            by=["lang"],
            missing="skip",
        )
        sums = self.engine.evaluate(frame, "hyp", "other", "wer", missing="skip")
        assert (sums.segments, sums.score()) == (len(present), refscore.wer(hypotheses, references))
        scored = self.table(self.engine.with_scores(frame, "hyp", "other", "wer", missing="skip"))
        assert scored["wer"].null_count == len(DATA["hyp"]) - len(present)
        with pytest.raises(refscore.SettingError, match="missing='skip'"):
            self.engine.corpus(frame, "hyp", "ref", missing="nan")

    def test_no_rows(self):
        nothing = self.frame(TABLE.slice(0, 0))
        with pytest.raises(refscore.InputError, match="the frame is empty"):
            self.engine.corpus(nothing, "hyp", "ref")
        found = self.engine.corpus(nothing, "hyp", "ref", by="lang")
        assert found.to_pydict() == {"lang": [], "segments": [], "bleu": []}
        assert self.table(self.engine.with_scores(nothing, "hyp", "ref")).num_rows == 0

    def test_mistakes_before_the_work(self):
        frame = self.frame(TABLE)
        for way, arguments, options, error, named in [
            ("corpus", ("hpy", "ref"), {}, refscore.errors.UnknownNameError, "'hyp'"),
            ("corpus", ("hyp", []), {}, refscore.SettingError, "references"),
            ("corpus", ("hyp", "ref", "blue"), {}, refscore.errors.UnknownNameError, "'bleu'"),
            ("corpus", ("hyp", "ref"), {"threads": 0}, refscore.SettingError, "threads"),
            ("corpus", ("hyp", "ref", "nist"), {}, refscore.SettingError, "nist"),
            ("with_scores", ("hyp", "ref", "nist"), {}, refscore.SettingError, "nist"),
            ("with_scores", ("hyp", "ref", {"lang": "wer"}), {}, refscore.InputError, "lang"),
            *((way, ("domain", "ref"), {}, refscore.InputError, "domain") for way in ("evaluate", "with_scores")),
        ]:
            with pytest.raises(error, match=f"(?i){named}"):
                getattr(self.engine, way)(frame, *arguments, **options)

    def test_errors_have_their_class_and_location(self):
        frame = self.frame(LAST_IS_EMPTY, 1)
        for way, options in [("corpus", {}), ("corpus", {"by": "ref"}), ("totals", {}), ("evaluate", {})]:
            with pytest.raises(refscore.errors.EmptyReferenceError) as raised:
                getattr(self.engine, way)(frame, "hyp", "ref", "ribes", **options)
            assert raised.value.location == Location("ref", segment=8, file=self.part, line=9, field="ref")
            assert str(raised.value).startswith(f"ref in line 9 of {self.part} has no words")
            assert "\n" not in str(raised.value)

    def test_examples(self):
        frame = self.frame(pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]}))
        runner = doctest.DocTestRunner()
        for test in doctest.DocTestFinder().find(engine, globs={"engine": self.engine, "frame": frame}):
            runner.run(test)
        assert runner.failures == 0 and runner.tries > 4
