"""Contestants, and how their figures are taken: interleaved, on new objects, without the garbage collector."""

from __future__ import annotations

import gc
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from . import peers

Sample = Callable[[], tuple[float, Any]]
"""Takes one measurement: its figure (seconds, or MiB) and the value computed, for comparison."""

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Contestant:
    """One way to do a task.

    Attributes:
        name: Who does it; figures of the same name share a line of the table.
        threads: "1" or "all".
        sample: Takes one measurement; None if the peer is not installed.
        expected: refscore's value under the same convention, where there is one.
        note: What the reader has to know about this figure.
    """

    name: str
    threads: str
    sample: Sample | None
    expected: Callable[[], Any] | None = None
    note: str = ""


@dataclass(frozen=True)
class Task:
    """Contestants of one task, the first two being refscore on one thread and on all.

    Attributes:
        count: Units of work in one sample; ``unit`` says what they are.
        rate: Whether figures are shown as units per second; otherwise as time or memory per unit times ``scale``.
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
        """A sample's figure in the unit of the task."""
        return self.count / figure if self.rate else figure * self.scale / self.count


@dataclass
class Result:
    """The samples of one contestant; none if it is not installed."""

    contestant: Contestant
    samples: list[float] = field(default_factory=list)
    mismatch: str = ""

    @property
    def best(self) -> float:
        """The smallest figure."""
        return min(self.samples)

    @property
    def median(self) -> float:
        """The figure in the middle."""
        return statistics.median(self.samples)


def timed(prepare: Callable[[], Any], run: Callable[[Any], Any]) -> tuple[float, Any]:
    """One measurement of ``run`` on input that ``prepare`` has just made; the preparation is not timed."""
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
    """One untimed round in which values are compared, then ``repeat`` rounds of all contestants in turn."""
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
    """A sample taken in a process of its own, for peers that fix their number of threads once per process.

    The process lives from the first sample to the last and times with the same function on the same data, so that the
    rounds stay interleaved.
    """

    def __init__(self, sample: Sample, **environment: str) -> None:
        self._sample = sample
        self._environment = environment
        self._connection: Connection | None = None

    def __call__(self) -> tuple[float, Any]:
        """Take one sample there."""
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
        # Only the child may hold its end: then its death ends our recv instead of hanging it.
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
