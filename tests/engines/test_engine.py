"""The code that all engines share, tested with an engine that runs in this process."""

import pickle

import pyarrow as pa
import pytest

import refscore
from refscore.engines import engine
from tests.engines.contract import TABLE, EngineContract, check_corpus
from tests.frames.outside_metric import Surplus


class InProcess(engine.Engine):
    """Process the parts of a table, the last part first, and pickle everything that is sent."""

    def __init__(self, *, knows_columns=True):
        self.knows_columns = knows_columns

    def column_names(self, frame):
        return frame[0].column_names if self.knows_columns else None

    def empty_table(self, frame, job):
        return frame[0].slice(0, 0).select(job.columns)

    def add_scores(self, frame, job):
        return [engine.add_scores(job, part) for part in frame]

    def map_parts(self, frame, job, work):
        for index, part in enumerate(frame[::-1] if frame[0].num_rows else ()):
            with engine.in_part(f"part {index}"):
                yield pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(work))(iter(part.to_batches(7)))))


class TestInProcess(EngineContract):
    engine = InProcess()
    part = "part 0"
    outside_metrics = (Surplus(),)

    def frame(self, table, parts=5):
        size = max(1, -(-table.num_rows // parts))
        return [table.slice(begin, size) for begin in range(0, max(1, table.num_rows), size)]

    def table(self, frame):
        return pa.concat_tables(frame)


def test_columns_that_are_not_known_before():
    unknown, frame = InProcess(knows_columns=False), TestInProcess().frame(TABLE)
    for by in ([], ["lang"]):
        check_corpus(unknown.corpus(frame, "hyp", "ref", by=by), TABLE, "bleu", by=by)
    with pytest.raises(refscore.InputError, match="the frame is empty"):
        unknown.corpus([TABLE.slice(0, 0)], "hyp", "ref")


def test_other_refscores_on_workers_are_refused(monkeypatch):
    work = engine.in_this_version(engine.sum_table, engine.Job.parse("hyp", "ref", "wer"))
    assert work(TABLE).num_rows == 1
    monkeypatch.setattr(engine, "__version__", "0.0.1")
    with pytest.raises(refscore.SettingError, match=r"0\.0\.1"):
        work(TABLE)
