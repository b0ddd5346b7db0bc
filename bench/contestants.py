"""Enter refscore and the peers into tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from . import data, peers
from .timing import Contestant, Remote, Sample, timed

Copy = Callable[[Any], Any]
"""Creates the input of one sample from the source; not timed."""

_RAYON_NOTE = "1 thread: in a separate process with RAYON_NUM_THREADS=1, same data and timing, interleaved"


def ours(name: str, source: Any, run: Callable[[Any, int | None], Any], copy: Copy = data.fresh) -> list[Contestant]:
    """Enter refscore on one thread and on all cores. Their values must agree."""

    def sample(threads: int | None) -> Sample:
        return partial(timed, partial(copy, source), lambda argument: run(argument, threads))

    return [
        Contestant(name, "1", sample(1)),
        Contestant(name, "all", sample(None), expected=lambda: run(copy(source), 1)),
    ]


def our_calls(source: Any, run: Callable[[Any], Any]) -> Contestant:
    """Enter refscore for calls of one segment, which use no threads."""
    return Contestant("refscore", "1", partial(timed, partial(data.fresh, source), run))


def peer(
    name: str,
    module: Any,
    run: Callable[[Any], Any],
    source: Any,
    expected: Callable[[], Any] | None = None,
    note: str = "",
    copy: Copy = data.fresh,
) -> Contestant:
    """Enter a call of a module, unless it is not installed. Its value is compared if one is expected."""
    sample = None if module is None else partial(timed, partial(copy, source), run)
    return Contestant(name, "1", sample, expected, note)


def sacrebleu(
    name: str, run: Callable[[Any], Any], source: Any, expected: Callable[[], Any], note: str = ""
) -> Contestant:
    """Enter a call of sacrebleu."""
    return peer(name, peers.sacrebleu, run, source, expected, note)


def nltk(
    name: str, run: Callable[[Any], Any], source: Any, expected: Callable[[], Any], copy: Copy = data.fresh
) -> Contestant:
    """Enter a call of NLTK."""
    return peer(name, peers.nltk, run, source, expected, copy=copy)


def in_rust(
    name: str, module: Any, run: Callable[[Any], Any], source: Any, expected: Callable[[], Any]
) -> list[Contestant]:
    """Enter a library that uses rayon, on one thread and on all cores, unless it is not installed."""
    if module is None:
        return [Contestant(name, "1", None)]
    sample = partial(timed, partial(data.fresh, source), run)
    return [
        Contestant(name, "1", Remote(sample, RAYON_NUM_THREADS="1"), expected, _RAYON_NOTE),
        Contestant(name, "all", sample, expected),
    ]


def bleuscore(run: Callable[[Any], Any], source: Any, expected: Callable[[], Any]) -> list[Contestant]:
    """Enter bleuscore on one thread and on all cores."""
    return in_rust("bleuscore", peers.bleuscore, run, source, expected)


def fastchrf(name: str, run: Callable[[Any], Any], source: Any, expected: Callable[[], Any]) -> list[Contestant]:
    """Enter a call of fastchrf on one thread and on all cores."""
    return in_rust(name, peers.fastchrf, run, source, expected)


def once(contestant: Contestant) -> Contestant:
    """Measure a contestant only once, because it is too slow. Later rounds repeat the first sample."""
    inner = contestant.sample
    return contestant if inner is None else replace(contestant, sample=cache(inner))


class _Scaled:
    """A sample with its figure multiplied by a factor."""

    def __init__(self, sample: Sample, factor: float) -> None:
        self._sample = sample
        self._factor = factor

    def __call__(self) -> tuple[float, Any]:
        figure, value = self._sample()
        return figure * self._factor, value

    def close(self) -> None:
        if isinstance(self._sample, Remote):
            self._sample.close()


def scaled(contestant: Contestant, factor: float, note: str = "") -> Contestant:
    """Enter a contestant that does a part of the work. Its time is multiplied to estimate all of it."""
    sample = None if contestant.sample is None else _Scaled(contestant.sample, factor)
    notes = "; ".join(filter(None, [contestant.note, note]))
    return Contestant(contestant.name, contestant.threads, sample, contestant.expected, notes)
