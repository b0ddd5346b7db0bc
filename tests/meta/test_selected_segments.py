"""Selected segments: utilities by plain definitions, by sacrebleu, and as subset2evaluate orders them."""

import math
import random
import statistics

import pytest

import refscore
from refscore.meta import Selection, select_diverse_segments, select_segments
from tests import corpora
from tests.cli.running import error_of, json_of, output_of
from tests.meta.scores import generate
from tests.meta.test_folder import fails
from tests.reference import meta as oracle


@pytest.mark.parametrize("levels", [None, 3])
def test_scores(levels):
    _, metrics = generate(4, 5, 40, levels=levels, metrics=1)
    scores = metrics["metric 0"]
    means = [math.fsum(row) / len(row) for row in scores]
    by_segment = [*zip(*scores, strict=True)]
    for by, expected in (
        ("variance", [statistics.pvariance(row) for row in by_segment]),
        ("consistency", [0.0 if math.isnan(tau := oracle.tau_c(means, list(row))) else tau for row in by_segment]),
    ):
        found = select_segments({str(k): row for k, row in enumerate(scores)}, 100, by)
        assert len(found) == 40
        for segment, utility in zip(found.segments, found.utilities, strict=True):
            assert utility == pytest.approx(expected[segment], abs=1e-12)
        # The most useful first, and equal ones in the order of segments.
        pairs = [*zip([-u for u in found.utilities], found.segments, strict=True)]
        assert pairs == sorted(pairs)
        assert select_segments(scores, 7, by).segments == found.segments[:7]


def texts_of_systems():
    random_ = random.Random(3)
    lines = [[f"w{random_.randrange(9)}" for _ in range(random_.randrange(1, 9))] for _ in range(30)]
    return {name: [" ".join(corpora.reordered(random_, words)) for words in lines] for name in "abcd"}


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_diversity(metric):
    """Minus the mean score of each output with each, itself included, as sacrebleu computes it."""
    sacrebleu = pytest.importorskip("sacrebleu")
    outputs = texts_of_systems()
    original = sacrebleu.BLEU(effective_order=True) if metric == "bleu" else sacrebleu.CHRF()
    found = select_diverse_segments(outputs, 30, metric)
    for segment, utility in zip(found.segments, found.utilities, strict=True):
        own = [texts[segment] for texts in outputs.values()]
        expected = statistics.fmean(original.sentence_score(one, [other]).score for one in own for other in own)
        assert -utility == pytest.approx(expected, rel=1e-12)


def test_subset2evaluate():
    methods = pytest.importorskip("subset2evaluate.methods", reason="needs subset2evaluate and SciPy")
    outputs = texts_of_systems()
    _, metrics = generate(6, 4, 30, levels=4, metrics=1)
    scores = dict(zip(outputs, metrics["metric 0"], strict=True))
    data = [
        {
            "scores": {name: {"m": scores[name][k]} for name in outputs},
            "tgt": {name: texts[k] for name, texts in outputs.items()},
        }
        for k in range(30)
    ]
    for by, expected in (
        ("variance", methods.metric_var(data, "m")),
        ("consistency", methods.metric_consistency(data, "m")),
        ("diversity", methods.diversity_bleu(data)),
    ):
        found = select_diverse_segments(outputs, 30) if by == "diversity" else select_segments(scores, 30, by)
        assert list(found.utilities) == pytest.approx([expected[k] for k in found.segments], abs=1e-9)


def test_views():
    pytest.importorskip("pandas")
    texts = {"source": ["x", "y", "z"], "a": ["one", "two", "three"]}
    found = select_segments([[1, 5, 2], [1, 1, 4]], 2, texts=texts, name="comet")
    assert isinstance(found, Selection) and found.segments == (1, 2) and found.utilities == (4.0, 1.0)
    frame = found.to_pandas()
    assert frame["segment"].tolist() == [1, 2] and frame["source"].tolist() == ["y", "z"]
    assert found.render("tsv").splitlines()[1] == "2\t4.0\ty\ttwo"
    assert found.to_dict()["segments"][1] == {"segment": 3, "utility": 1.0, "texts": {"source": "z", "a": "three"}}
    assert repr(found) == "<selection of 2 segments by variance of comet>"


def test_mistakes():
    fails("has missing scores", lambda: select_segments([[1, None], [1, 2]], 1))
    fails("has fewer than two systems", lambda: select_diverse_segments({"a": ["x"]}, 1))
    fails("different numbers of segments", lambda: select_diverse_segments({"a": ["x"], "b": []}, 1))
    for settings in ({"by": "diversity"}, {"count": 0}):
        with pytest.raises(refscore.SettingError):
            select_segments(**{"scores": [[1, 2], [2, 1]], "count": 1, **settings})


@pytest.fixture
def files(tmp_path):
    for name, lines in {**texts_of_systems(), "ref": [f"w{k} w{k + 1}" for k in range(30)]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "scores.tsv").write_text(
        "a\tb\tc\td\n" + "".join(f"{k % 7}\t{k % 5}\t{k % 3}\t{k}\n" for k in range(30))
    )
    return tmp_path


def test_command(files, capsys):
    outputs = {name: texts_of_systems()[name] for name in "abcd"}
    systems = [str(files / name) for name in "abcd"]
    reference = ["-r", str(files / "ref")]
    lines = (files / "ref").read_text().splitlines()
    scores = {
        name: [refscore.CHRF().segment(*pair).percent for pair in zip(texts, lines, strict=True)]
        for name, texts in outputs.items()
    }
    for method in ("variance", "consistency"):
        content = json_of(capsys, "select", *systems, *reference, "-n", "5", "--method", method)
        expected = select_segments(scores, 5, method)
        assert [entry["segment"] - 1 for entry in content["segments"]] == list(expected.segments)
        assert content["segments"][0]["texts"] == {name: outputs[name][expected.segments[0]] for name in outputs}
        assert content["metric"] == "chrf"
    content = json_of(capsys, "select", *systems, "-n", "3", "--method", "diversity", "--source", str(files / "ref"))
    assert [entry["segment"] - 1 for entry in content["segments"]] == list(select_diverse_segments(outputs, 3).segments)
    assert [*content["segments"][0]["texts"]] == ["source", *"abcd"]
    given = json_of(capsys, "select", *systems, "--given", f"comet={files / 'scores.tsv'}", "-n", "2")
    assert given["metric"] == "comet" and [entry["segment"] for entry in given["segments"]] == [29, 30]
    text = output_of(capsys, "select", *systems, *reference, "-n", "4")
    assert len(text.strip().splitlines()) == 6
    assert "only one system" in str(error_of("select", systems[0], *reference))
    assert "one metric" in str(error_of("select", *systems, *reference, "-m", "bleu,chrf"))
