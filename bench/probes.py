"""Measure import time and peak memory, each in a new process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import refscore

from . import peers
from .data import fresh

if sys.platform != "win32":
    import resource

_ROOT = Path(__file__).resolve().parents[1]
_IMPORT = "import numpy, time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def import_seconds(module: str) -> tuple[float, None]:
    """Return the seconds to import ``module`` after numpy."""
    command = [sys.executable, "-c", _IMPORT.format(module)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout), None


def peak_memory(who: str, threads: str, pairs: tuple[list[str], list[str]], segments: int) -> tuple[float, None]:
    """Return the MiB by which the memory of a process exceeds its input while ``who`` scores a corpus.

    Args:
        who: "refscore", "sacrebleu" or "bleuscore".
        threads: "1" or "all".
        pairs: Hypotheses and references, repeated as new strings up to ``segments``.
        segments: The size of the corpus.
    """
    environment = dict(os.environ)
    if threads == "1":
        environment["RAYON_NUM_THREADS"] = "1"
    command = [sys.executable, "-m", "bench.probes", who, threads, str(segments)]
    done = subprocess.run(
        command, input=pickle.dumps(pairs), capture_output=True, check=True, cwd=_ROOT, env=environment
    )
    return float(done.stdout), None


def _reset_peak() -> None:
    # Linux only: reset the peak that creating the input has reached.
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_mib() -> float:
    try:
        # On Linux, ru_maxrss of a new process starts at its parent's peak; VmHWM does not.
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    except (OSError, IndexError):
        if sys.platform == "win32":
            return float("nan")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _child(who: str, threads: str, segments: int) -> float:
    hypotheses, references = pickle.load(sys.stdin.buffer)
    copies = -(-segments // len(hypotheses))
    large = [text for _ in range(copies) for text in fresh(hypotheses)][:segments]
    targets: list[Any] = [text for _ in range(copies) for text in fresh(references)][:segments]

    if who == "refscore":
        metric, count = refscore.BLEU.preset("sacrebleu"), 1 if threads == "1" else None
        small, whole = (hypotheses[:9], references[:9]), (large, targets)

        def run(data: tuple[list[str], list[Any]]) -> Any:
            return metric.stats(data[0], data[1], threads=count)
    elif who == "sacrebleu":
        small, whole, run = (hypotheses[:9], [references[:9]]), (large, [targets]), peers.sacrebleu_corpus
    else:
        small = (hypotheses[:9], [[text] for text in references[:9]])
        whole, run = (large, [[text] for text in targets]), peers.bleuscore_corpus

    # The first call starts threads and fills caches. Only the memory for the corpus should count.
    run(small)
    _reset_peak()
    before = _peak_mib()
    keep = run(whole)
    after = _peak_mib()
    del keep
    return after - before


if __name__ == "__main__":
    print(_child(sys.argv[1], sys.argv[2], int(sys.argv[3])))
