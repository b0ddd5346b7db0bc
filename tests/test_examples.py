"""The programs in examples/ run and print the expected output."""

import importlib.util
import re
import runpy
from pathlib import Path

import pytest
import sacrebleu

from tests.children import printed_by

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_reward_for_grpo(capsys):
    """The part without a trainer."""
    names = runpy.run_path(str(EXAMPLES / "grpo_reward.py"))
    printed = capsys.readouterr().out.splitlines()
    answers = ["the ferry departs at seven", "the ferry leaves at eight", "it rained three days", None]
    references = [names["REFERENCES"][prompt] for prompt in names["prompts"]]

    def mix(text, refs):
        bleu, chrf = sacrebleu.sentence_bleu(text, refs).score, sacrebleu.sentence_chrf(text, refs).score
        return (3 * bleu + chrf) / 400

    expected = [0 if pair[0] is None else mix(*pair) for pair in zip(answers, references, strict=True)]
    assert printed == ["bleu+chrf: " + " ".join(f"{value:.4f}" for value in expected), f"verl: {expected[0]:.4f}"]


@pytest.mark.slow
def test_a_step_of_grpo():
    printed = printed_by(EXAMPLES / "grpo_reward.py", timeout=600)
    if importlib.util.find_spec("trl") is None:
        assert "TRL is not installed (pip install trl): skipping the training step" in printed
        return
    mean = re.search(r"^TRL: rewards/bleu\+chrf/mean = (.*)$", printed, re.MULTILINE)
    assert mean is not None
    assert 0 <= float(mean[1]) <= 1
    assert re.search(r"^     bleu\+chrf/chrf = \d\.\d+$", printed, re.MULTILINE)
    assert re.search(r"^     [1-9]\d* of \d+ tensors of the model have changed$", printed, re.MULTILINE)
