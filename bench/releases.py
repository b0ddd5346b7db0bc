"""Count the instructions of two installations of refscore: `python -m bench.releases OLD/bin/python NEW/bin/python`.

valgrind counts, so the figures do not depend on what else the machine does. The difference of two runs, with few and
with many repetitions, leaves out the start of Python. Fails if a job needs over 3 % more instructions than before.
valgrind shows processors without AVX-512, so kernels for AVX2 run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from . import data

_ALLOWED = 1.03
_SEGMENTS = 200
_FEW, _MANY = 2, 6
# Each uses only functions that every release has. `hyps` and `refs` are texts, `words` and `ref_words` lists of tokens.
_JOBS = {
    "BLEU of a corpus": "refscore.bleu(hyps, refs)",
    "BLEU of a segment": "refscore.bleu(hyps[:1], refs[:1])",
    "BLEU of token lists": "refscore.BLEU(tokenizer=None).corpus(words, ref_words)",
    "chrF of segments": "refscore.CHRF().segments(hyps, refs)",
    "TER of a corpus": "refscore.ter(hyps, refs)",
    "RIBES of segments": "refscore.RIBES().segments(hyps, refs)",
    "ROUGE-L of segments": "refscore.ROUGE(variant='L').segments(hyps, refs)",
    "METEOR of a corpus": "refscore.meteor(hyps, refs)",
    "WER of a corpus": "refscore.wer(hyps, refs)",
    "three metrics": "refscore.scores(hyps, refs, ['bleu', 'chrf', 'ter'])",
}
_PROGRAM = """
import json, os, sys
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
import refscore
hyps, refs = json.load(open(sys.argv[1], encoding="utf-8"))
words, ref_words = [text.split() for text in hyps], [[text.split()] for text in refs]
for _ in range(int(sys.argv[3])):
    eval(sys.argv[2])
"""


def _count(python: str, corpus: Path, job: str, times: int) -> int:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", python, "-c", _PROGRAM]
    output = subprocess.run(
        [*command, str(corpus), job, str(times)],
        env=os.environ | {"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False, cwd=corpus.parent,
    )  # fmt: skip
    if output.returncode:
        sys.exit(f"{python} cannot run {job!r}:\n{output.stderr[-2000:]}")
    return int(re.findall(r"Collected\s*:\s*(\d+)", output.stderr)[0])


def _per_call(python: str, corpus: Path, job: str) -> float:
    return (_count(python, corpus, job, _MANY) - _count(python, corpus, job, _FEW)) / (_MANY - _FEW)


def main() -> int:
    """Print the table. Return 1 if a job needs more instructions than allowed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.releases", description="Compare two installations by instructions."
    )
    parser.add_argument("old", help="the Python that has the old version")
    parser.add_argument("new", help="the Python that has the new version")
    parser.add_argument("--job", nargs="+", choices=list(_JOBS), metavar="NAME", help=f"only these: {', '.join(_JOBS)}")
    options = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.json")
        generated = data.generate(_SEGMENTS, 1)
        corpus.write_text(json.dumps([generated.hypotheses, generated.first_references()]), encoding="utf-8")
        print("| job | old | new | ratio |\n|---|---:|---:|---:|", flush=True)
        for name in options.job or _JOBS:
            counts = [
                (_count(python, corpus, _JOBS[name], _MANY) - _count(python, corpus, _JOBS[name], _FEW))
                / (_MANY - _FEW)
                for python in (options.old, options.new)
            ]
            worst = max(worst, counts[1] / counts[0])
            print(f"| {name} | {counts[0]:,.0f} | {counts[1]:,.0f} | {counts[1] / counts[0]:.3f} |", flush=True)
    return 1 if worst > _ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
