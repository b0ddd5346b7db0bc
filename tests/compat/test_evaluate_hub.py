"""The modules as Hugging Face's own: loaded by its `evaluate`, offline, in one process and in two."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import evaluate  # noqa: F401
import jiwer
import numpy as np
import pytest
import sacrebleu
from rouge_score import rouge_scorer, scoring

import refscore
from tests.reference import bleu_tools

pytestmark = pytest.mark.filterwarnings("ignore")

SCRIPT = Path(__file__).parents[2] / "examples" / "evaluate_script.py"
PREDICTIONS = ["the cat is on the mat", "it rained all day long"]
REFERENCES = [
    ["there is a cat on the mat", "a cat is on the mat"],
    ["it was raining all day long", "it rained all day"],
]


@pytest.fixture
def run(tmp_path):
    """Run code with a separate Hugging Face home and without a network."""

    def call(code):
        environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
        result = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env=environment,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    return call


@pytest.mark.slow
def test_loading_by_path(run):
    code = """
        import evaluate
        from refscore.compat.evaluate import script
        from refscore.compat.evaluate.scoring import MODULES
        for name in MODULES:
            module = evaluate.load(script(name))
            assert isinstance(module, evaluate.Metric) and module.module_type == "metric"
            assert module.citation.startswith(f"@misc{{{name}-1")
            print(name, module.name, len(module), "predictions" in module.compute.__doc__)
        module = evaluate.load(script("bleu"), keep_in_memory=True)
        module.add(prediction="a b c d", reference=["a b c d"])
        module.add_batch(predictions=["x"], references=[["x"]])
        print(len(module), module.compute()["bleu"], len(module))
    """
    *lines, last = run(code).splitlines()
    names = ["bleu", "cer", "chrf", "google_bleu", "meteor", "nist_mt", "rouge", "sacrebleu", "ter", "wer"]
    assert lines == [f"{name} {'chr_f' if name == 'chrf' else name} 0 True" for name in names]
    assert last == "2 1.0 0"


@pytest.mark.slow
def test_installing(run):
    code = """
        import evaluate
        before = evaluate.load
        from refscore import compat
        compat.install("evaluate")
        from evaluate import load
        assert evaluate.load is evaluate.loading.load is load is not before and load.__name__ == "load"
        print(load("bleu").compute(predictions=["a b c d"], references=["a b c d"])["bleu"])
        print(load("bleu", module_type="metric").compute(predictions=["a b c d"], references=["a b c d"])["bleu"])
        print(evaluate.combine(["chrf", "ter"]).compute(predictions=["a"], references=[["a"]])["ter_score"])
        compat.install("evaluate")
        assert evaluate.load.__wrapped__ is before
        try:
            load("no_such_module")
        except FileNotFoundError:
            print("left to evaluate")
        compat.uninstall("evaluate")
        assert evaluate.load is evaluate.loading.load is before
    """
    assert run(code).splitlines() == ["1.0", "1.0", "0.0", "left to evaluate"]


@pytest.mark.slow
def test_two_processes(run):
    """evaluate's files combine the segments of both processes; the first one has the result."""
    code = """
        import sys
        from multiprocessing import get_context

        import evaluate
        from refscore.compat.evaluate import script

        PREDICTIONS, REFERENCES = ["a b c d e", "a b", "x y z"], [["a b c d f"], ["a b c"], ["x y z"]]

        def work(rank):
            module = evaluate.load(script("chrf"), num_process=2, process_id=rank, experiment_id="pair")
            module.add_batch(predictions=PREDICTIONS[rank::2], references=REFERENCES[rank::2])
            return module.compute()

        if __name__ == "__main__":
            with get_context("fork").Pool(2) as pool:
                print(pool.map(work, [0, 1], chunksize=1))
            print(evaluate.load(script("chrf")).compute(predictions=PREDICTIONS, references=REFERENCES))
    """
    together, alone = run(code).splitlines()
    assert together == f"[{alone}, None]"


def test_an_unchanged_script(run):
    """The originals come from the Hub, so the libraries that they call define the expected output."""
    streams = [list(stream) for stream in zip(*REFERENCES, strict=True)]
    words = [text.split() for text in PREDICTIONS]
    bleu = bleu_tools.nmt_bleu(words, [[text.split() for text in group] for group in REFERENCES])
    theirs = sacrebleu.corpus_bleu(PREDICTIONS, streams)
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    chrf, ter = sacrebleu.corpus_chrf(PREDICTIONS, streams), sacrebleu.corpus_ter(PREDICTIONS, streams)
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    aggregator = scoring.BootstrapAggregator()
    for text, group in zip(PREDICTIONS, REFERENCES, strict=True):
        aggregator.add_scores(scorer.score_multi(group, text))
    np.random.seed(12345)
    expected = {
        "bleu": bleu,
        "sacrebleu": {name: getattr(theirs, name) for name in names},
        "chrf": {name: getattr(chrf, name) for name in ("score", "char_order", "word_order", "beta")},
        "ter": {name: getattr(ter, name) for name in ("score", "num_edits", "ref_length")},
        "rouge": {name: round(float(score.mid.fmeasure), 4) for name, score in aggregator.aggregate().items()},
        "wer": jiwer.wer([group[0] for group in REFERENCES], PREDICTIONS),
    }
    code = f"from refscore import compat; compat.install('evaluate'); import runpy; runpy.run_path({str(SCRIPT)!r})"
    printed = dict(line.split(" ", 1) for line in run(code).splitlines())
    assert list(printed) == list(expected)
    for name, value in expected.items():
        assert numbers(printed[name]) == pytest.approx(numbers(str(value)), rel=1e-12), name


def numbers(text):
    """Return the numbers in a printed result."""
    import re

    return [float(number) for number in re.findall(r"(?<![a-zA-Z\d_])\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def test_versions_are_not_told_apart():
    with pytest.raises(refscore.SettingError, match="leave out version='0'"):
        refscore.compat.install("evaluate", version="0")
