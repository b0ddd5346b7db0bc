"""Print nanoseconds per token by length for WER, ROUGE-L and TER: `python -m bench.edit_lengths`.

Both sides count as tokens, one thread is used, and the best of several rounds is printed. Texts are 90 % equal (one
token in ten is replaced), or unrelated. Tokens are ids: uniform for WER and ROUGE-L, and with Zipf's distribution for
TER, whose search does nothing without repeated words.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import refscore

_LENGTHS = (8, 16, 32, 64, 65, 100, 200, 512, 1_000, 2_000, 4_000, 8_000)
_TER_LENGTHS = (16, 32, 64, 100, 150, 200, 300, 400, 512, 600, 1_000)
_VOCABULARY = 20_000
_TOKENS = 40_000  # per call, so short segments are not dominated by the call


def make_pairs(length: int, *, is_similar: bool, is_skewed: bool) -> tuple[list[Any], list[Any]]:
    """Return hypotheses and references of one length."""
    generator = np.random.default_rng(length)
    weights = 1 / (np.arange(_VOCABULARY) + 1.7)

    def draw(size: int) -> Any:
        if is_skewed:
            return generator.choice(_VOCABULARY, size, p=weights / weights.sum())
        return generator.integers(0, _VOCABULARY, size)

    hypotheses, references = [], []
    for _ in range(max(2, _TOKENS // length)):
        hypothesis = draw(length)
        other = draw(length)
        is_replaced = generator.random(length) < (0.1 if is_similar else 1)
        hypotheses.append(hypothesis)
        references.append([np.where(is_replaced, other, hypothesis)])
    return hypotheses, references


def measure(metric: Any, length: int, rounds: int, **kind: bool) -> float:
    """Return the nanoseconds per token of the best round."""
    hypotheses, references = make_pairs(length, **kind)
    best = float("inf")
    for _ in range(rounds):
        begin = time.thread_time()
        metric.stats(hypotheses, references, threads=1)
        best = min(best, time.thread_time() - begin)
    return best * 1e9 / (2 * length * len(hypotheses))


def main() -> None:
    """Print one row per metric and kind of text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    for lengths, metrics in ((_LENGTHS, ("WER", "ROUGE")), (_TER_LENGTHS, ("TER",))):
        print("| ns per token | " + " | ".join(f"{length:,}" for length in lengths) + " |")
        print("|---" * (len(lengths) + 1) + "|")
        for name in metrics:
            metric = getattr(refscore, name)()
            for is_similar in (True, False):
                kind = {"is_similar": is_similar, "is_skewed": name == "TER"}
                figures = [measure(metric, length, rounds, **kind) for length in lengths]
                label = f"{name}, {'90 % equal' if is_similar else 'unrelated'}"
                print(f"| {label} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |", flush=True)
        print()


if __name__ == "__main__":
    main()
