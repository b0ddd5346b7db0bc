"""The GLEU of corrections: the numbers of the programs themselves, draws of references, and worked steps."""

import json
from pathlib import Path

import pytest

import refscore
from refscore import GECGLEU

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "gec_gleu.json").read_text(encoding="utf-8"))
TEXTS, REFERENCES, SOURCES = GOLDEN["hypotheses"], GOLDEN["references"], GOLDEN["sources"]


def test_the_official_program():
    draws = GECGLEU.preset("official").sampled(TEXTS, REFERENCES, sources=SOURCES)
    assert len(draws) == 500 and len({*draws}) > 100
    assert draws.mean() == pytest.approx(GOLDEN["official"]["corpus"], abs=1e-12)
    for r in range(2):
        scores = GECGLEU.preset("official-sentence").segments(TEXTS, [refs[r] for refs in REFERENCES], sources=SOURCES)
        assert scores.tolist() == pytest.approx([segment[r] for segment in GOLDEN["official"]["segments"]], abs=1e-12)


@pytest.mark.parametrize("preset", ["gec-metrics", "gec-metrics-official"])
def test_gec_metrics(preset):
    metric, expected = GECGLEU.preset(preset), GOLDEN[preset]
    draws = metric.sampled(TEXTS, REFERENCES, sources=SOURCES)
    assert draws.mean() == pytest.approx(expected["corpus"], abs=1e-12)
    first = [refs[0] for refs in REFERENCES]
    assert metric.corpus(TEXTS, first, sources=SOURCES).value == pytest.approx(expected["one"], abs=1e-12)
    assert metric.segments(TEXTS, first, sources=SOURCES).tolist() == pytest.approx(expected["segments"], abs=1e-12)


def test_the_mean_of_counts_is_close_to_the_mean_of_draws():
    score = GECGLEU().corpus(TEXTS, REFERENCES, sources=SOURCES)
    assert score.value == pytest.approx(GOLDEN["official"]["corpus"], abs=0.01)


def test_both_variants():
    """A repeated n-gram of the source counts against the hypothesis only in the formula of the paper."""
    case = "the the cat", "the cat"
    variants = [GECGLEU(max_order=1, penalty=penalty) for penalty in ("absent", "excess")]
    rows = [metric.stats(case[:1], case[1:], sources=["the the dog"])[0].tolist() for metric in variants]
    assert rows == [[2, 0, 3, 3, 2], [2, 1, 3, 3, 2]]
    assert [round(metric.score(row).value, 4) for metric, row in zip(variants, rows, strict=True)] == [0.6667, 0.3333]


def test_draws_need_as_many_references_in_each_segment():
    with pytest.raises(refscore.InputError, match=r"references\[1\] has 2 references, but the first segment has 1"):
        GECGLEU().sampled(["a", "b"], ["a", ["b", "c"]], sources=["a", "b"])
    assert (
        GECGLEU().sampled(TEXTS, [refs[0] for refs in REFERENCES], sources=SOURCES, draws=3).tolist()
        == [GECGLEU().corpus(TEXTS, [refs[0] for refs in REFERENCES], sources=SOURCES).value] * 3
    )


@pytest.mark.parametrize("metric", [GECGLEU(max_order=2), *map(GECGLEU.preset, GECGLEU.presets)])
def test_worked_steps(metric):
    for text, references, source in zip(TEXTS[:20], REFERENCES, SOURCES, strict=False):
        for refs in (references, references[:1], [""]):
            value = metric.segment(text, refs, source=source).value
            steps = metric.explain(text, refs, source=source)
            assert steps.result == f"GECGLEU = {value:.4f} ({100 * value:.2f} %)"
