"""The modules as Hugging Face's own: loaded by its `evaluate`, offline, in one process and in two."""

import re

import evaluate  # noqa: F401
import pytest

import refscore
from tests.compat import programs
from tests.compat.evaluate_oracles import ORACLES

pytestmark = pytest.mark.filterwarnings("ignore")

SCRIPT = str(programs.EXAMPLES / "evaluate_script.py")
PREDICTIONS = ["the cat is on the mat", "it rained all day long"]
REFERENCES = [
    ["there is a cat on the mat", "a cat is on the mat"],
    ["it was raining all day long", "it rained all day"],
]


@pytest.fixture
def run(tmp_path):
    """Run code with a separate Hugging Face home and without a network."""
    offline = {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "PYTHONWARNINGS": "ignore"}
    return lambda code: programs.run(code, **offline)


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
    names = [
        "bleu",
        "cer",
        "character",
        "chrf",
        "exact_match",
        "google_bleu",
        "meteor",
        "nist_mt",
        "rouge",
        "sacrebleu",
    ]
    names += ["sari", "squad", "squad_v2", "ter", "wer"]
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
    expected = {
        "bleu": ORACLES["bleu"](PREDICTIONS, REFERENCES, tokenizer=str.split),
        **{name: ORACLES[name](PREDICTIONS, REFERENCES) for name in ("sacrebleu", "chrf", "ter")},
        "rouge": ORACLES["rouge"](PREDICTIONS, REFERENCES, seed=12345),
        "wer": ORACLES["wer"](PREDICTIONS, [group[0] for group in REFERENCES]),
    }
    expected["rouge"] = {name: round(float(score), 4) for name, score in expected["rouge"].items()}
    code = f"from refscore import compat; compat.install('evaluate'); import runpy; runpy.run_path({SCRIPT!r})"
    printed = dict(line.split(" ", 1) for line in run(code).splitlines())
    assert list(printed) == list(expected)
    for name, value in expected.items():
        assert numbers(printed[name]) == pytest.approx(numbers(str(value)), rel=1e-12), name


def numbers(text):
    """Return the numbers in a printed result."""
    return [float(number) for number in re.findall(r"(?<![a-zA-Z\d_])\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def test_versions_are_not_told_apart():
    with pytest.raises(refscore.SettingError, match="leave out version='0'"):
        refscore.compat.install("evaluate", version="0")
