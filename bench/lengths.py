"""Print nanoseconds per token by length: ``python -m bench.lengths [--task NAME …] [--words N …]``.

One thread, processor time, the tokens of both sides counted. Only refscore is measured, to find lengths at which a
kernel becomes slower.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import refscore
from bench import machine
from bench.data import Generator

_WORDS = [25, 32, 64, 100, 200, 512, 1000, 4000, 8000]
_TOKENS = 40_000  # per length and side: enough for stable times, few enough for the second-level cache
_SECONDS = 0.5  # of repeats per number; the fastest counts
# The share of words that differ between hypothesis and reference. None: unrelated texts.
_SHAPES = {"paraphrase": 0.38, "similar": 0.1, "unrelated": None}

_TASKS: dict[str, tuple[Callable[[], Any], str]] = {
    "bleu-ids": (refscore.BLEU, "ids"),
    "bleu-text": (refscore.BLEU, "text"),
    "ribes-ids": (refscore.RIBES, "ids"),
    "wer-ids": (refscore.WER, "ids"),
    "rouge-l-ids": (refscore.ROUGE, "ids"),
    "ter-text": (refscore.TER, "text"),
    "chrf-text": (refscore.CHRF, "text"),
    "chrf++-text": (lambda: refscore.CHRF(word_order=2), "text"),
}


def _texts(words: int, rate: float | None, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    generator = Generator(seed)
    hypotheses, references = [], []
    for _ in range(max(5, _TOKENS // words)):
        hypothesis: list[str] = []
        reference: list[str] = []
        while len(hypothesis) < words:
            sentence = generator.segment()
            hypothesis += sentence
            reference += generator.segment() if rate is None else generator.vary(sentence, rate)
        hypotheses.append(hypothesis[:words])
        references.append(reference[:words])
    return hypotheses, references


def _as_ids(texts: list[list[str]], numbers: dict[str, int]) -> list[np.ndarray]:
    return [np.array([numbers.setdefault(word, len(numbers)) for word in text]) for text in texts]


def _nanoseconds(task: str, hypotheses: list[list[str]], references: list[list[str]]) -> float:
    make, kind = _TASKS[task]
    metric = make()
    numbers: dict[str, int] = {}
    sides = [
        _as_ids(side, numbers) if kind == "ids" else [" ".join(text) for text in side]
        for side in (hypotheses, references)
    ]
    best, end = float("inf"), time.process_time() + _SECONDS
    while time.process_time() < end:
        start = time.process_time()
        metric.stats(sides[0], [[reference] for reference in sides[1]], threads=1)
        best = min(best, time.process_time() - start)
    return best * 1e9 / sum(len(text) for side in (hypotheses, references) for text in side)


def main() -> None:
    """Print one table per shape of text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--task",
        nargs="+",
        choices=list(_TASKS),
        default=list(_TASKS),
        metavar="NAME",
        help=f"only these: {', '.join(_TASKS)}",
    )
    parser.add_argument("--words", nargs="+", type=int, default=_WORDS, metavar="N", help="lengths of the texts")
    arguments = parser.parse_args()
    print(machine.line())
    for shape, rate in _SHAPES.items():
        print(f"\n| ns per token, {shape} | " + " | ".join(str(words) for words in arguments.words) + " |")
        print("|---|" + "---:|" * len(arguments.words))
        texts = {words: _texts(words, rate, words) for words in arguments.words}
        for task in arguments.task:
            times = [_nanoseconds(task, *texts[words]) for words in arguments.words]
            print(f"| {task} | " + " | ".join(f"{value:.0f}" for value in times) + " |", flush=True)


if __name__ == "__main__":
    main()
