"""Every metric by every part of the contract: presets, signatures, explain, frames, groups, records, gate, report."""

import pickle

import pandas
import pytest

import refscore
from refscore import frames, gate
from refscore.metrics import METRICS, from_signature
from refscore.report import Reporting
from tests.derived_sources import sources_of
from tests.evaluation.corpora import corpus

SEGMENTS = 8
OLD, REFERENCES = corpus(SEGMENTS, seed=5)
NEW = [text if k % 3 else reference for k, (text, reference) in enumerate(zip(OLD, REFERENCES, strict=True))]
SOURCES = sources_of(REFERENCES)
BY = ["news" if k % 2 else "talks" for k in range(SEGMENTS)]
VARIANTS = {
    "wer:sclite": refscore.WER.preset("sclite"),
    "wer:open-asr": refscore.WER.preset("open-asr"),
    "wer punctuation": refscore.WER(form="punctuation"),
    "wer case": refscore.WER(form="case"),
    "wer without empty references": refscore.WER(empty_reference="skip"),
}
CASES = {**{name: kind() for name, kind in METRICS.items()}, **VARIANTS}
every_metric = pytest.mark.parametrize("metric", CASES.values(), ids=CASES)


def evaluated(metric):
    sources = SOURCES if metric.needs_sources else None
    return refscore.evaluate({"old": OLD, "new": NEW}, REFERENCES, {"m": metric}, sources=sources, groups={"by": BY})


@every_metric
def test_views(metric, tmp_path):
    evaluation = evaluated(metric)
    value = evaluation["new"]["m"].value
    sources = {"sources": SOURCES} if metric.needs_sources else {}
    assert value == metric.corpus(NEW, REFERENCES, **sources).value
    assert [*evaluation.by("by")] == ["talks", "news"]
    evaluation.save(tmp_path / "m.refscore")
    loaded = refscore.load(tmp_path / "m.refscore")
    assert loaded["new"]["m"].value == value
    assert loaded.metrics["m"].signature == evaluation.metrics["m"].signature
    checked = gate.check(evaluation.choose(["new"]), evaluation.choose({"new": "old"}), resamples=20)
    assert checked.checks
    evaluation.report(tmp_path / "m.html", reporting=Reporting(resamples=20))
    assert f"{metric.name}|" in (tmp_path / "m.html").read_text(encoding="utf-8")
    assert evaluation.compare("old", resamples=20, trials=20).to_dict()
    assert pickle.loads(pickle.dumps(metric)) == metric


@every_metric
def test_explanations_and_signatures(metric):
    source = {"source": SOURCES[1]} if metric.needs_sources else {}
    fitted = metric.fit(REFERENCES) if metric.needs_fit else metric
    assert fitted.explain(NEW[1], REFERENCES[1], **source).result
    assert fitted.signature.startswith(metric.name)
    if not metric.needs_fit:
        assert from_signature(metric.signature) == metric


@every_metric
def test_frames(metric):
    frame = pandas.DataFrame({"old": OLD, "new": NEW, "ref": REFERENCES, "src": SOURCES})
    sources = {"sources": "src"} if metric.needs_sources else {}
    fitted = metric.fit(REFERENCES) if metric.needs_fit else metric
    found = frames.evaluate(frame, {"old": "old", "new": "new"}, "ref", {"m": fitted}, **sources)
    assert found["new"]["m"].value == evaluated(fitted)["new"]["m"].value
