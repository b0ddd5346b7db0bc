"""Measure the maximal cost of one segment: `python -m bench.worst_cases` prints the tables of docs/reference/limits.md.

Each case runs in a new process. The time is that of its thread, the memory is the increase during the call. Cases that
take longer than --most seconds are marked, and longer inputs of the same shape are skipped.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import refscore

SIZES = (100, 1_000, 10_000, 100_000)
REFERENCES = (1, 10, 100)
WORDS = 1_000  # tokens per reference
_ENOUGH = 0.1  # seconds for which fast calls are repeated


def same(size: int) -> tuple[Any, Any]:
    """Repeat one token; the reference is one token shorter."""
    return np.ones(size, dtype=np.int64), np.ones(size - 1, dtype=np.int64)


def different(size: int) -> tuple[Any, Any]:
    """Use every token once, and none on both sides."""
    return np.arange(size), np.arange(size, 2 * size)


def alternating(size: int) -> tuple[Any, Any]:
    """Alternate two tokens; the reference starts with the other one and has a third one in the middle."""
    hypothesis = np.arange(size) % 2
    reference = (np.arange(size) + 1) % 2
    reference[size // 2] = 2
    return hypothesis, reference


def shuffled(size: int) -> tuple[Any, Any]:
    """Use the same tokens on both sides, in a different order."""
    return np.arange(size), np.random.default_rng(1).permutation(size)


def repeated(size: int) -> tuple[Any, Any]:
    """Draw from fifty tokens."""
    generator = np.random.default_rng(1)
    return generator.integers(0, 50, size), generator.integers(0, 50, size)


SHAPES: list[Callable[[int], tuple[Any, Any]]] = [same, different, alternating, shuffled, repeated]


def metrics() -> dict[str, Any]:
    """Return the metrics with different costs, with their default settings."""
    return {
        "BLEU": refscore.BLEU(),
        "GLEU": refscore.GLEU(),
        "CIDEr": refscore.CIDER,
        "NIST": refscore.NIST,
        "chrF": refscore.CHRF(),
        "RIBES": refscore.RIBES(),
        "METEOR": refscore.METEOR(),
        "ROUGE-2": refscore.ROUGE(variant="2"),
        "ROUGE-L": refscore.ROUGE(variant="L"),
        "WER, CER": refscore.WER(),
        "TER": refscore.TER(),
        "EED": refscore.EED(),
        "CharacTER": refscore.CharacTER(),
        "SARI": refscore.SARI(),
    }


def cost(call: Callable[[], object], most: float) -> tuple[float, float] | None:
    """Return the seconds and mebibytes of a call in a new process, or None if it takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, lambda *_: os._exit(1))
        signal.setitimer(signal.ITIMER_REAL, 20 * most)  # the machine may be busy
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        taken, memory, spent = float("inf"), 0.0, 0.0
        while spent < _ENOUGH:  # the first call of a process is slower
            begin = time.thread_time()
            call()
            last = time.thread_time() - begin
            taken, spent = min(taken, last), spent + last
            memory = memory or (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        os.write(writing, pickle.dumps((taken, memory)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(found) if found else None


def shown_time(seconds: float) -> str:
    """Format a time with a suitable unit."""
    for factor, unit in [(1e6, "µs"), (1e3, "ms")]:
        if seconds * factor < 999.5:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def call_of(metric: Any, hypothesis: Any, references: list[Any]) -> Callable[[], object]:
    """Return a function that scores one segment. For a metric that must be fitted, it includes fitting.

    The source, if the metric needs one, is the first reference.
    """
    if isinstance(metric, type):
        fitted: Any = metric
        return lambda: fitted.fit([references]).segment(hypothesis, references)
    source = references[0] if metric.needs_sources else None
    return lambda: metric.segment(hypothesis, references, source=source)


def lengths(most: float) -> None:
    """Print the worst shape of each metric at each length."""
    print("| metric | " + " | ".join(f"{size:,} tokens" for size in SIZES) + " | worst shape | memory |")
    print("|---|" + "---|" * (len(SIZES) + 2))
    for name, metric in metrics().items():
        cells, over, worst, memory = [], set(), "", 0.0
        for size in SIZES:
            found = {}
            for shape in SHAPES:
                if shape in over:
                    continue
                hypothesis, reference = shape(size)
                measured = cost(call_of(metric, hypothesis, [reference]), most)
                if measured is None or measured[0] > most:
                    over.add(shape)
                if measured is not None:
                    found[shape.__name__] = measured
            if any(shape.__name__ not in found for shape in SHAPES):
                worst, memory = next(shape.__name__ for shape in SHAPES if shape.__name__ not in found), 0.0
                cells.append(f"> {most:g} s")
                continue
            worst = max(found, key=lambda shape: found[shape][0])
            memory = max(one for _, one in found.values())
            cells.append(shown_time(found[worst][0]))
        needed = f"{memory:.0f} MiB " if memory else ""
        print(f"| {name} | " + " | ".join(cells) + f" | {worst} | {needed}|", flush=True)


def references(most: float) -> None:
    """Print the cost of several references."""
    print("\n| metric | " + " | ".join(f"{count} of {WORDS:,} tokens" for count in REFERENCES) + " |")
    print("|---|" + "---|" * len(REFERENCES))
    hypothesis = repeated(WORDS)[0]
    others = [np.random.default_rng(seed).integers(0, 50, WORDS) for seed in range(max(REFERENCES))]
    for name, metric in metrics().items():
        cells = []
        for count in REFERENCES:
            measured = cost(call_of(metric, hypothesis, others[:count]), most)
            cells.append(f"> {most:g} s" if measured is None else shown_time(measured[0]))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.worst_cases", description=__doc__)
    parser.add_argument("--most", type=float, default=20, metavar="SECONDS", help="time limit per case (default: 20)")
    arguments = parser.parse_args()
    for metric in metrics().values():  # load everything that is loaded only once
        call_of(metric, np.arange(50), [np.arange(50)])()
    lengths(arguments.most)
    references(arguments.most)


if __name__ == "__main__":
    main()
