"""Read human evaluations as JSON lines, as WMT's general translation task publishes them since 2025.

Each line is a source with the outputs of all systems and the scores of one or more annotators:

    {"doc_id": "en-cs_CZ_#_news_#_…", "src_text": "…", "tgt_text": {"refA": "…", "GPT-4.1": "…"},
     "scores": {"GPT-4.1": {"human1": 93.0, "human2": 88.0, "errors1": […], "annotator1": "…"}}}
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refscore.errors import InputError, Location
from refscore.meta.folder import SEGMENTS, JudgedTestSet, choose_only, language_pairs, parse_object
from refscore.readers.source import read_all_lines

_SEPARATOR = "_#_"
_HUMAN = re.compile(r"human\d*")
_REFERENCE = re.compile(r"ref[A-Z]?")


@dataclass(frozen=True)
class JudgedLines(JudgedTestSet):
    """One language pair in a file of human evaluations as JSON lines. Only lines with a score are used.

    Attributes:
        lines: The lines of the language pair, as objects.
    """

    lines: tuple[dict[str, Any], ...] = field(default=(), repr=False)

    @classmethod
    def open(cls, folder: str | Path, pair: str | None = None) -> JudgedLines:
        """Open a language pair, which may be left out if there is only one."""
        path = Path(folder)
        by_pair = _read(path)
        chosen = choose_only(pair, sorted(by_pair), "language pair", "pair", path)
        lines = tuple(by_pair[chosen])
        scores = [own for line in lines for own in line["scores"].values()]
        humans = sorted({name for own in scores for name in own if _HUMAN.fullmatch(name)})
        texts = dict.fromkeys(name for line in lines for name in line["tgt_text"])
        references = dict.fromkeys((name for name in texts if _REFERENCE.fullmatch(name)), path)
        return cls(path, chosen, tuple(humans), references, dict.fromkeys(texts, path), (), lines)

    def _human_file(self, name: str, level: str) -> Path:
        # There are no human scores of whole systems.
        return self.folder if level == SEGMENTS else self.folder / name

    def human_scores(self, name: str) -> dict[str, list[float | None]]:
        systems = dict.fromkeys(system for line in self.lines for system in line["scores"])
        return {system: [line["scores"].get(system, {}).get(name) for line in self.lines] for system in systems}

    def output(self, system: str, *, keeps_marks: bool = False) -> list[str]:
        return self._texts(system)

    def reference(self, name: str, *, keeps_marks: bool = False) -> list[str]:
        return self._texts(name)

    def sources(self) -> list[str] | None:
        return [line["src_text"] for line in self.lines]

    def _texts(self, name: str) -> list[str]:
        for line in self.lines:
            if name not in line["tgt_text"]:
                problem = f"has no text of {name!r} for the document {line['doc_id']!r}"
                raise InputError(Location(file=str(self.folder)), problem, "leave the system out")
        return [line["tgt_text"][name] for line in self.lines]


def open_judged(path: str | Path, pair: str | None = None) -> JudgedTestSet:
    """Open a language pair in a folder, or in a file of human evaluations."""
    return (JudgedLines if is_judged_file(path) else JudgedTestSet).open(path, pair)


def judged_pairs(path: str | Path) -> list[str]:
    """Return the language pairs in a folder, or in a file of human evaluations."""
    return sorted(_read(Path(path))) if is_judged_file(path) else language_pairs(path)


def is_judged_file(path: str | Path) -> bool:
    return Path(path).suffix == ".jsonl" and Path(path).is_file()


def _read(path: Path) -> dict[str, list[dict[str, Any]]]:
    by_pair: dict[str, list[dict[str, Any]]] = {}
    for number, text in enumerate(read_all_lines(path), 1):
        location = Location(file=str(path), line=number)
        line = parse_object(text, location)
        _check(line, location)
        if line["scores"]:
            by_pair.setdefault(line["doc_id"].split(_SEPARATOR)[0], []).append(line)
    return by_pair


def _check(line: dict[str, Any], location: Location) -> None:
    fix = "write doc_id, src_text, tgt_text and scores, as in WMT's human evaluations"
    for name, kind in (("doc_id", str), ("src_text", str), ("tgt_text", dict), ("scores", dict)):
        if not isinstance(line.get(name), kind):
            raise InputError(location, f"has no {name!r} of the right type", fix)
    if not all(isinstance(text, str) for text in line["tgt_text"].values()):
        raise InputError(location, "has an output that is not text", fix)
    for system, scores in line["scores"].items():
        if not isinstance(scores, dict):
            raise InputError(location, f"has scores of {system!r} that are not an object", fix)
        for name, score in scores.items():
            is_number = isinstance(score, (int, float)) and not isinstance(score, bool) and math.isfinite(score)
            if _HUMAN.fullmatch(name) and score is not None and not is_number:
                raise InputError(location, f"has the score {score!r} of {system!r}", "write a number, or null")
