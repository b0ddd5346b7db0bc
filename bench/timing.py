"""Contestants, and how they are measured: interleaved, on new objects, without the garbage collector."""

from __future__ import annotations

import gc
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from . import peers

Sample = Callable[[], tuple[float, Any]]
"""Takes one measurement: its figure (seconds or MiB) and the computed value, for comparison."""

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Contestant:
    """One way to do a task.

    Attributes:
        name: The name; figures with the same name share a line of the table.
        threads: "1" or "all".
        sample: Takes one measurement; None if the peer is not installed.
        expected: refscore's value under the same convention, if there is one.
        note: What the reader must know about this figure.
    """

    name: str
    threads: str
    sample: Sample | None
    expected: Callable[[], Any] | None = None
    note: str = ""


@dataclass(frozen=True)
class Task:
    """The contestants of one task. The first two are refscore on one thread and on all cores.

    Attributes:
        count: Units of work in one sample; ``unit`` names them.
        rate: Whether to show units per second; otherwise time or memory per unit, times ``scale``.
    """

    name: str
    title: str
    unit: str
    contestants: list[Contestant]
    count: float = 1
    rate: bool = True
    scale: float = 1
    single_run: bool = False

    def shown(self, figure: float) -> float:
        """Convert the figure of a sample to the unit of the task."""
        return self.count / figure if self.rate else figure * self.scale / self.count


@dataclass
class Result:
    """The samples of one contestant, or none if it is not installed."""

    contestant: Contestant
    samples: list[float] = field(default_factory=list)
    mismatch: str = ""

    @property
    def best(self) -> float:
        """Return the smallest figure."""
        return min(self.samples)

    @property
    def median(self) -> float:
        """Return the median figure."""
        return statistics.median(self.samples)


def timed(prepare: Callable[[], Any], run: Callable[[Any], Any]) -> tuple[float, Any]:
    """Measure ``run`` on the result of ``prepare``, which is not timed."""
    argument = prepare()
    peers.clear_caches()
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        value = run(argument)
        return time.perf_counter() - start, value
    finally:
        gc.enable()


def measure(task: Task, repeat: int) -> list[Result]:
    """Compare values in an untimed round, then run ``repeat`` rounds with all contestants in turn."""
    results = [Result(contestant) for contestant in task.contestants]
    present = [(result, result.contestant.sample) for result in results if result.contestant.sample is not None]
    for result, sample in present:
        figure, value = sample()
        if result.contestant.expected is not None:
            result.mismatch = _difference(value, result.contestant.expected())
        if task.single_run:
            result.samples.append(figure)
    for _ in range(0 if task.single_run else repeat):
        for result, sample in present:
            result.samples.append(sample()[0])
    for contestant in task.contestants:
        close = getattr(contestant.sample, "close", None)
        if close is not None:
            close()
    return results


def _difference(value: Any, expected: Any) -> str:
    if isinstance(expected, list) and expected and isinstance(expected[0], str):
        wrong = sum(text != other for text, other in zip_longest(value, expected))
        return f"MISMATCH in {wrong} of {len(expected)} texts" if wrong else ""
    got, want = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
    if got.shape != want.shape:
        return f"MISMATCH: shape {got.shape}, refscore {want.shape}"
    difference = np.abs(got - want)
    if not difference.size or difference.max() <= TOLERANCE:
        return ""
    place = int(np.argmax(difference))
    wrong = int(np.sum(~(difference <= TOLERANCE)))
    example = f"{float(got.flat[place])!r} where refscore has {float(want.flat[place])!r} (number {place})"
    return f"MISMATCH in {wrong} of {difference.size} values, the largest {example}"


class Remote:
    """A sample taken in a separate process, for libraries that fix their number of threads once per process.

    The process lives from the first sample to the last and uses the same timing function and data, so the rounds stay
    interleaved.
    """

    def __init__(self, sample: Sample, **environment: str) -> None:
        self._sample = sample
        self._environment = environment
        self._connection: Connection | None = None

    def __call__(self) -> tuple[float, Any]:
        """Take one sample in the process."""
        if self._connection is None:
            self._connection = self._start()
        self._connection.send(True)
        answer: tuple[float, Any] = self._connection.recv()
        return answer

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        before = dict(os.environ)
        os.environ.update(self._environment)
        try:
            context.Process(target=_serve, args=(theirs, self._sample), daemon=True).start()
        finally:
            os.environ.clear()
            os.environ.update(before)
        # Only the child may hold its end of the pipe. Its death then ends our recv, which would otherwise hang.
        theirs.close()
        return ours

    def close(self) -> None:
        """End the process."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.send(False)
            self._connection.close()


def _serve(connection: Connection, sample: Sample) -> None:
    while connection.recv():
        connection.send(sample())
