"""Metrics from other packages can be accumulated, merged, saved and loaded like built-in ones."""

import pickle

import pytest

import refscore
from refscore import Accumulator
from refscore.metrics.core import registry
from tests.accumulation.corpora import corpus, cut
from tests.frames.common_frames import exact_sum
from tests.frames.outside_metric import Surplus

HYPOTHESES, REFERENCES = corpus(120, references=2)
EXPECTED = Surplus().score(exact_sum(Surplus().stats(HYPOTHESES, REFERENCES)), references=(1, 2))


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    refscore.metrics.register(Surplus)


def filled(metrics, keep="sums"):
    parts = []
    for seed, batch in enumerate(cut((HYPOTHESES, REFERENCES), 7, 80)):
        parts.append(Accumulator(metrics, keep=keep, seed=seed))
        parts[-1].update(*batch)
    whole = parts.pop()
    for part in parts:
        whole.merge(part)
    return whole


@pytest.mark.parametrize("keep", ["sums", "rows", 30])
@pytest.mark.usefixtures("registered")
def test_saved_by_its_name(keep, tmp_path):
    accumulator = filled(["surplus", "bleu"], keep)
    accumulator.save(tmp_path / "surplus.refstats")
    loaded = Accumulator.load(tmp_path / "surplus.refstats")
    assert loaded.score("surplus").row.tobytes() == EXPECTED.row.tobytes()
    assert loaded.score("surplus").signature == EXPECTED.signature
    assert loaded.to_bytes() == accumulator.to_bytes()


def test_a_class_that_is_not_registered():
    accumulator = filled(Surplus())
    assert accumulator.score() == EXPECTED
    assert pickle.loads(pickle.dumps(accumulator)).score() == EXPECTED
    assert Accumulator.from_bytes(accumulator.to_bytes(), metrics=Surplus()).score() == EXPECTED
    with pytest.raises(refscore.InputError, match="import or register custom metrics first"):
        Accumulator.from_bytes(accumulator.to_bytes())
    with pytest.raises(refscore.InputError, match="has different settings for 'surplus'"):
        Accumulator.from_bytes(accumulator.to_bytes(), metrics=Surplus(lowercase=True))


@pytest.mark.usefixtures("registered")
def test_rows_in_an_arrow_file(tmp_path):
    import pyarrow  # noqa: F401

    from refscore.accumulation.arrow_rows import read_rows, row_writer

    metric = Surplus()
    with row_writer(tmp_path / "rows.arrow", {"mine": metric}, {}) as write:
        write({"mine": metric.stats(HYPOTHESES, REFERENCES)}, (1, 2))
    assert read_rows(tmp_path / "rows.arrow").score("mine").row.tobytes() == EXPECTED.row.tobytes()
