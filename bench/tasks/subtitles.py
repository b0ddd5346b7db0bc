"""SubER of subtitles."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import refscore
from bench import peers
from bench.contestants import ours, peer
from bench.data import Corpus
from bench.timing import Task

suber: Any = peers.optional("suber.metrics.suber")
file_readers: Any = peers.optional("suber.file_readers")

_SEGMENTS = 20  # of the corpus, in a film


def _cues(text: str, start: float, generator: random.Random) -> Iterator[str]:
    """Yield the words of a text as cues of one or two lines, with a pause after some."""
    words = text.split()
    while words:
        times = (f"00:{int(time) // 60:02}:{time % 60:06.3f}".replace(".", ",") for time in (start, start + 1.5))
        yield "\n".join([" --> ".join(times), *filter(None, [" ".join(words[:5]), " ".join(words[5:9])])])
        start += generator.choice([1.5, 1.5, 3])
        words = words[9:]


def _films(texts: list[str], start: float) -> list[str]:
    films = []
    for at in range(0, len(texts), _SEGMENTS):
        cues = _cues(" ".join(texts[at : at + _SEGMENTS]), start, random.Random(at))
        films.append("\n\n".join(f"{number}\n{cue}" for number, cue in enumerate(cues, 1)) + "\n")
    return films


def _read(films: list[str]) -> list[Any]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "film.srt")
        for film in films:
            file.write_text(film, encoding="utf-8")
            found.append(file_readers.read_input_file(str(file), "SRT"))
    return found


def suber_of_films(corpus: Corpus, seed: int) -> Task:
    """Time SubER of each film."""
    source = _films(corpus.hypotheses, 0.2), _films(corpus.first_references(), 0)
    metric = refscore.SubER()

    def run(films: Any, threads: int | None) -> list[float]:
        return [round(100 * float(value), 3) for value in metric.segments(*films, threads=threads)]

    def original(films: Any) -> list[float]:
        return [suber.calculate_SubER(*pair) for pair in zip(*films, strict=True)]

    read = None if suber is None else tuple(map(_read, source))
    note = "files are read before"
    contestants = [
        *ours("refscore", source, run),
        peer("subtitle-edit-rate", suber, original, read, lambda: run(source, 1), note, copy=lambda films: films),
    ]
    return Task("suber", "SubER of films of 20 segments", "films/s", contestants, len(source[0]))


TASKS = (suber_of_films,)
