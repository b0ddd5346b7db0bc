"""Check a freshly installed package without any test package: `python tests/smoke.py`."""

import subprocess
import sys
from pathlib import Path

import refscore

EXAMPLES = Path(__file__).parent.parent / "examples"
METRICS = ["bleu", "chrf", "gleu", "meteor", "ribes", "rouge", "ter", "wer", "cer", "exact_match", "token_f1"]
ERRORS = {"ter", "wer", "cer"}
COMMAND = ["score", "hypotheses.txt", "-r", "references.0.txt", "-r", "references.1.txt"]


def main() -> None:
    """Check a number that sacrebleu prints, every metric of a text with itself, and the command."""
    hypotheses = ["The ferry leaves at seven.", "It rained for three days."]
    references = [["The ferry departs at seven.", "At seven the ferry leaves."], "It rained three days long."]
    bleu = refscore.bleu(hypotheses, references)
    assert round(bleu.percent, 2) == 27.51, bleu  # sacrebleu 2.6.0
    same = ["a b c d e f"]
    for name, score in refscore.scores(same, same, METRICS).items():
        assert abs(score.value - (0 if name in ERRORS else 1)) < 0.01, score  # METEOR's penalty is never 0
    assert refscore.__version__ in refscore.citation.bibtex()
    command = [sys.executable, "-m", "refscore", *COMMAND]
    ran = subprocess.run(command, cwd=EXAMPLES, capture_output=True, encoding="utf-8", check=True)
    assert "bleu" in ran.stdout.lower(), ran.stdout
    print(f"refscore {refscore.__version__}: {bleu}")


if __name__ == "__main__":
    main()
