"""Behaviour of all engines, tested with an engine that runs in this process."""

import doctest
import pickle

import pyarrow as pa
import pytest

import refscore
from refscore.engines import engine
from refscore.errors import Location
from refscore.frames import arrow
from tests.engines.examples import failed_examples
from tests.frames.common_frames import METRICS, columns, exact_sum
from tests.frames.outside_metric import Surplus

DATA = columns()
TABLE = pa.table(DATA)


class InProcess(engine.Engine):
    """Process tables in parts, the last part first, and pickle everything that is sent."""

    def __init__(self, rows=33, knows_columns=True):
        self.rows = rows
        self.knows_columns = knows_columns

    def column_names(self, frame):
        return frame.column_names if self.knows_columns else None

    def empty_table(self, frame, job):
        return frame.slice(0, 0).select(job.columns)

    def add_scores(self, frame, job):
        return pa.concat_tables(engine.score_batch(job, part) for part in self.parts(frame))

    def map_parts(self, frame, job, work):
        for index, part in enumerate(self.parts(frame)):
            with engine.in_part(f"part {index}"):
                yield pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(work))(iter(part.to_batches(7)))))

    def parts(self, frame):
        return [frame.slice(begin, self.rows) for begin in range(0, frame.num_rows, self.rows)][::-1]


IN_PROCESS = InProcess()


def in_order(table, by):
    """Sort rows by groups, None last."""
    return sorted(table.to_pylist(), key=lambda row: [(row[name] is None, row[name]) for name in by])


@pytest.mark.parametrize("knows_columns", [True, False])
@pytest.mark.parametrize("by", [[], ["lang"], ["domain", "lang"]])
def test_a_corpus_is_that_of_one_process(by, knows_columns):
    found = InProcess(knows_columns=knows_columns).corpus(TABLE, "hyp", "ref", METRICS, score_by=by)
    wanted = arrow.corpus(TABLE, "hyp", "ref", METRICS, score_by=by)
    assert found.schema == wanted.schema
    assert found.to_pylist() == in_order(wanted, by)


def test_totals_and_accumulators():
    found = IN_PROCESS.totals(TABLE, "hyp", "ref", METRICS, score_by="lang")
    wanted = arrow.totals(TABLE, "hyp", "ref", METRICS, score_by="lang")
    assert found.schema.equals(wanted.schema, check_metadata=True)
    assert found.to_pylist() == in_order(wanted, ["lang"])
    sums = IN_PROCESS.accumulate(TABLE, "hyp", ["ref", "other"], METRICS)
    references = [[one, other] for one, other in zip(DATA["ref"], DATA["other"], strict=True)]
    wanted = refscore.scores(DATA["hyp"], references, METRICS)
    assert sums.scores() == wanted
    assert sums.score("bleu").signature == wanted["bleu"].signature


def test_columns_of_scores():
    found = IN_PROCESS.with_scores(TABLE, "hyp", "ref", {"b": "bleu", "w": "wer"})
    wanted = arrow.with_scores(TABLE, "hyp", "ref", {"b": "bleu", "w": "wer"})
    assert sorted(found.to_pylist(), key=str) == sorted(wanted.to_pylist(), key=str)


def test_a_metric_from_outside():
    (found,) = IN_PROCESS.corpus(TABLE, "hyp", "ref", Surplus()).to_pylist()
    wanted = Surplus().value(exact_sum(Surplus().stats(DATA["hyp"], DATA["ref"])))
    assert found["surplus"] == wanted
    assert IN_PROCESS.accumulate(TABLE, "hyp", "ref", Surplus()).score().value == wanted


@pytest.mark.parametrize("knows_columns", [True, False])
def test_nothing(knows_columns):
    nothing = TABLE.slice(0, 0)
    with pytest.raises(refscore.InputError, match="the frame is empty: an empty corpus has no score"):
        InProcess(knows_columns=knows_columns).corpus(nothing, "hyp", "ref")
    found = IN_PROCESS.corpus(nothing, "hyp", "ref", score_by="lang")
    assert found.to_pydict() == {"lang": [], "segments": [], "bleu": []}


def test_mistakes_before_the_work():
    for call, error, message in [
        (lambda: IN_PROCESS.corpus(TABLE, "hpy", "ref"), refscore.UnknownNameError, "did you mean 'hyp'"),
        (lambda: IN_PROCESS.corpus(TABLE, "hyp", []), refscore.SettingError, "references is empty"),
        (lambda: IN_PROCESS.corpus(TABLE, "hyp", "ref", "blue"), refscore.UnknownNameError, "did you mean 'bleu'"),
        (lambda: IN_PROCESS.corpus(TABLE, "hyp", "ref", threads=0), refscore.SettingError, "threads must be"),
        (lambda: IN_PROCESS.corpus(TABLE, "hyp", "ref", "nist"), refscore.SettingError, "weights from references"),
        (lambda: IN_PROCESS.with_scores(TABLE, "hyp", "ref", "nist"), refscore.SettingError, "weights from references"),
        (lambda: IN_PROCESS.accumulate(TABLE, "domain", "ref"), refscore.InputError, "domain is a column of integers"),
        (lambda: IN_PROCESS.with_scores(TABLE, "domain", "ref"), refscore.InputError, "domain is a column of integers"),
        (lambda: IN_PROCESS.with_scores(TABLE, "hyp", "ref", {"lang": "wer"}), refscore.InputError, "lang is already"),
    ]:
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize("way", ["corpus", "totals", "accumulate"])
def test_errors_have_their_class_and_location(way):
    table = pa.table({"hyp": ["a"] * 50, "ref": ["a"] * 45 + [""] + ["a"] * 4})
    with pytest.raises(refscore.EmptyReferenceError) as raised:
        getattr(IN_PROCESS, way)(table, "hyp", "ref", "ribes")
    assert raised.value.location == Location("ref", segment=12, file="part 0", line=13, field="ref")
    assert str(raised.value).startswith("ref in line 13 of part 0 has no words")


def test_other_refscores_on_workers_are_refused(monkeypatch):
    work = engine.in_this_version(engine.total_batches, engine.Job.parse("hyp", "ref", "wer"))
    assert work(TABLE).num_rows == 1
    monkeypatch.setattr(engine, "__version__", "0.0.1")
    with pytest.raises(refscore.SettingError, match=r"a worker has refscore 0\.0\.1"):
        work(TABLE)


def test_examples():
    frame = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
    assert failed_examples(IN_PROCESS, frame) == 0
    assert doctest.testmod(engine, extraglobs={"engine": IN_PROCESS, "frame": frame}).failed == 0
