"""Error spans: characters that people and systems mark as errors, as in WMT's tasks on error spans."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from refscore.errors import InputError, Location
from refscore.metrics import RowMetric, Rows, Score, Values
from refscore.readers.source import read_all_lines
from refscore.settings import Number, choice, setting

_SEVERITIES = {"major": 0, "critical": 0, "minor": 1}
# Spans without a severity that counts, or outside of the translation.
_IGNORED = ("undecided", "neutral", "no-error", "no error")
_MARK = re.compile(r"</?v>")


class ErrorSpan(NamedTuple):
    """Characters of a text that are an error.

    Attributes:
        start: The first character, from 0.
        end: The place after the last character.
        severity: "minor", "major" or "critical". The last two are the same.
    """

    start: int
    end: int
    severity: str


@dataclass(frozen=True)
class MarkedText:
    """A text with its error spans.

    Attributes:
        text: The text.
        spans: Its errors.
    """

    text: str
    spans: tuple[ErrorSpan, ...] = ()


class SpanScore(Score):
    """The F1 of characters in error spans, with precision and recall.

    Example:
        >>> from refscore.meta import ErrorSpan, MarkedText, SpanF1
        >>> gold = [MarkedText("a wrong word", (ErrorSpan(2, 7, "major"),))]
        >>> predicted = [MarkedText("a wrong word", (ErrorSpan(2, 12, "minor"),))]
        >>> score = SpanF1().corpus(predicted, gold)
        >>> score.precision, score.recall, round(score.value, 4)
        (0.25, 0.5, 0.3333)
    """

    __slots__ = ()

    metric: SpanF1

    @property
    def value(self) -> float:
        """The F1."""
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    @property
    def precision(self) -> float:
        """The credit per predicted character, or 1 without predicted characters."""
        return self._credit / self.row[2].item() if self.row[2] else 1.0

    @property
    def recall(self) -> float:
        """The credit per character of people's spans, or 1 without such characters."""
        return self._credit / self.row[3].item() if self.row[3] else 1.0

    @property
    def _credit(self) -> float:
        matched, other_severity = self.row[:2].tolist()
        return float(matched + self.metric.partial_credit * other_severity)

    parts = ("precision", "recall")
    parts_text = "precision = {0.precision:.4f} recall = {0.recall:.4f}"


@dataclass(frozen=True, kw_only=True)
class SpanF1(RowMetric[SpanScore]):
    """The F1 of characters in error spans, with partial credit for a different severity.

    Its methods take texts with spans instead of text. The default settings are WMT 2025's, and `overlaps="once"` is WMT
    2023's. Rows add up: a corpus score is the score of the sum.

    Example:
        >>> from refscore.meta import ErrorSpan, MarkedText, SpanF1
        >>> gold = MarkedText("a wrong word", (ErrorSpan(2, 7, "major"),))
        >>> predicted = MarkedText("a wrong word", (ErrorSpan(2, 7, "major"), ErrorSpan(8, 12, "minor")))
        >>> SpanF1().stats([predicted], [gold]).tolist()
        [[5, 0, 9, 5]]
    """

    partial_credit: float = setting(
        0.5,
        "The credit for a character with a different severity.",
        Number(0, 1),
        key="credit",
        title="partial credit",
        stage="formula",
        otherwise="a different severity has the credit {partial_credit:g}",
    )
    overlaps: Literal["all", "once"] = choice(
        "all",
        "How a character in several spans counts.",
        {
            "all": "a character counts in each of its spans",
            "once": "a character counts once, and an empty span counts as one character",
        },
        key="overlaps",
        title="overlaps",
    )

    name = "span_f1"
    display_name = "span F1"
    columns = ("matched", "other_severity", "predicted", "gold")
    rows_from = "metric.stats(predicted, gold)"
    needs_references = False

    def _values(self, rows: Rows, threads: int | None) -> Values:
        return np.array([self.score(row).value for row in rows], dtype=np.float64)

    def stats(self, predicted: Sequence[MarkedText], gold: Sequence[MarkedText]) -> Rows:
        """Return one row of counts per text.

        Args:
            predicted: The texts with predicted spans.
            gold: The same texts with people's spans.
        """
        if len(predicted) != len(gold):
            problem = f"has {len(predicted):,} texts, but there are {len(gold):,} with people's spans"
            raise InputError(Location("predicted"), problem, "pass the same texts")
        return np.array([self._row(*pair) for pair in zip(predicted, gold, strict=True)]).reshape(-1, 4)

    def corpus(self, predicted: Sequence[MarkedText], gold: Sequence[MarkedText]) -> SpanScore:
        """Return the score of all texts. The arguments are as for `stats`."""
        return self.score(self.stats(predicted, gold).sum(axis=0))

    def _row(self, predicted: MarkedText, gold: MarkedText) -> list[int]:
        size = max(len(predicted.text), len(gold.text))
        found, expected = self._count(predicted.spans, size), self._count(gold.spans, size)
        if self.overlaps == "once":
            marked, wanted = found.any(axis=0), expected.any(axis=0)
            matched = ((found > 0) & (expected > 0)).any(axis=0)
            return [*map(int, (matched.sum(), (marked & wanted & ~matched).sum(), marked.sum(), wanted.sum()))]
        unmatched = np.maximum(found - expected, 0).sum(axis=0), np.maximum(expected - found, 0).sum(axis=0)
        counts = np.minimum(found, expected).sum(), np.minimum(*unmatched).sum(), found.sum(), expected.sum()
        return [*map(int, counts)]

    def _count(self, spans: Sequence[ErrorSpan], size: int) -> Any:
        """Return how many major and minor spans each character is in."""
        counts = np.zeros((2, size + 1), dtype=np.int64)
        for span in spans:
            if span.severity not in _SEVERITIES:
                raise InputError(
                    Location("spans"), f"have the severity {span.severity!r}", "use minor, major or critical"
                )
            if not 0 <= span.start <= span.end:
                raise InputError(Location("spans"), f"go from {span.start} to {span.end}", "count characters from 0")
            end = min(span.end, size)
            if self.overlaps == "once" and span.start == span.end:
                end = span.start + 1
            counts[_SEVERITIES[span.severity], span.start : end] += 1
        return counts


Key = tuple[str, ...]


def read_spans(path: str | Path, *, rater: str | None = None) -> dict[Key, MarkedText]:
    """Return the texts with error spans in a file, by system and segment.

    The formats are MQM's TSV (with `<v>` and `</v>` around an error), the TSV of WMT's span task, JSON lines with
    `esa_spans`, and mt-metrics-eval's files that end in `.rating`, which have no texts.

    Args:
        path: The file.
        rater: The person, if the file has spans of several people.
    """
    lines = read_all_lines(path)
    location = Location(file=str(path))
    if str(path).endswith(".rating"):
        return _read_ratings(lines, location, rater)
    if lines and lines[0].startswith("{"):
        return _read_json_lines(lines, location)
    rows = [*csv.DictReader(io.StringIO("\n".join(lines)), delimiter="\t", quoting=csv.QUOTE_NONE)]
    names = set(rows[0]) if rows else set()
    if {"start_indices", "end_indices", "error_types"} <= names:
        return _read_task(rows, location)
    if {"system", "target", "severity"} <= names:
        return _read_mqm(rows, location, rater)
    fix = "use MQM's TSV, the TSV of WMT's span task, JSON lines with esa_spans, or a file that ends in .rating"
    raise InputError(location, "has no error spans in a known format", fix)


def _read_mqm(rows: Sequence[Mapping[str, str]], location: Location, rater: str | None) -> dict[Key, MarkedText]:
    texts: dict[Key, MarkedText] = {}
    raters: dict[Key, str] = {}
    for number, row in enumerate(rows, 2):
        if rater is not None and row.get("rater") != rater:
            continue
        key = (row["system"], row.get("doc") or "", row.get("seg_id") or row.get("globalSegId") or "")
        if raters.setdefault(key, row.get("rater") or "") != (row.get("rater") or ""):
            raise InputError(_at(location, number), "has a second rater of this output", "choose one with rater")
        target, spans = row["target"], texts[key].spans if key in texts else ()
        severity = row["severity"].strip().lower()
        begin, end = target.find("<v>"), target.find("</v>")
        if severity not in _IGNORED and 0 <= begin < end:
            spans = (*spans, _span(begin, end - 3, severity, _at(location, number)))
        texts[key] = MarkedText(_MARK.sub("", target), spans)
    return texts


def _read_task(rows: Sequence[Mapping[str, str]], location: Location) -> dict[Key, MarkedText]:
    texts: dict[Key, MarkedText] = {}
    for number, row in enumerate(rows, 2):
        parts = [row[name].split() for name in ("start_indices", "end_indices", "error_types")]
        if len({len(part) for part in parts}) != 1:
            raise InputError(
                _at(location, number), "has different numbers of places and severities", "write one of each"
            )
        spans = [
            _span(start, end, severity, _at(location, number))
            for start, end, severity in zip(*parts, strict=True)
            if "missing" not in (start, end) and severity not in _IGNORED
        ]
        key = (row.get("system_id") or "", row.get("doc_id") or "", row.get("segment_id") or "")
        texts[key] = MarkedText(row.get("hypothesis_segment") or "", tuple(spans))
    return texts


def _read_json_lines(lines: Sequence[str], location: Location) -> dict[Key, MarkedText]:
    texts: dict[Key, MarkedText] = {}
    for number, line in enumerate(lines, 1):
        where = _at(location, number)
        try:
            entry = json.loads(line)
            key = (
                str(entry["system"]),
                str(entry.get("doc_id", "")),
                str(entry.get("line_id", entry.get("segment", number))),
            )
            spans = tuple(
                _span(span["start_i"], span["end_i"], span["severity"], where)
                for span in entry["esa_spans"]
                if "missing" not in (span["start_i"], span["end_i"]) and span["severity"] not in _IGNORED
            )
            texts[key] = MarkedText(str(entry["tgt"]), spans)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            fix = (
                'write {"system": …, "line_id": …, "tgt": …, "esa_spans": [{"start_i": …, "end_i": …, "severity": …}]}'
            )
            raise InputError(where, "is not a text with error spans", fix) from None
    return texts


def _read_ratings(lines: Sequence[str], location: Location, rater: str | None) -> dict[Key, MarkedText]:
    texts: dict[Key, MarkedText] = {}
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        where = _at(location, number)
        system, _, rest = line.partition("\t")
        rating, _, person = rest.partition("\t")
        segment = counts.setdefault(system, 0)
        counts[system] += 1
        if rating == "None" or (rater is not None and person and person != rater):
            continue
        try:
            spans = tuple(
                _span(error["start"], error["end"], error["severity"], where)
                for error in json.loads(rating)["errors"]
                if not error.get("is_source_error") and error["severity"].lower() not in _IGNORED
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(where, "is not a rating", "write SYSTEM, a tab and a rating as JSON, or None") from None
        # Ratings have no texts. The longest span shows how many characters there are at least.
        texts[system, "", str(segment + 1)] = MarkedText(" " * max((span.end for span in spans), default=0), spans)
    return texts


def _span(start: Any, end: Any, severity: Any, location: Location) -> ErrorSpan:
    try:
        span = ErrorSpan(int(start), int(end), str(severity).lower())
    except ValueError:
        raise InputError(location, f"has the place {start!r}", "write the number of a character") from None
    if span.severity not in _SEVERITIES or not 0 <= span.start <= span.end:
        problem = f"has a span from {span.start} to {span.end} with the severity {span.severity!r}"
        raise InputError(location, problem, "use minor, major or critical, and count characters from 0")
    return span


def _at(location: Location, line: int) -> Location:
    return Location(file=location.file, line=line)


def matched_texts(
    predicted: Mapping[Key, MarkedText], gold: Mapping[Key, MarkedText]
) -> tuple[list[MarkedText], list[MarkedText]]:
    """Return the texts with predicted spans that also have people's spans, and the latter."""
    absent = [key for key in gold if key not in predicted]
    if absent:
        name = " ".join(part for part in absent[0] if part)
        raise InputError(Location("predicted"), f"has no spans of {name}", "predict the spans of all texts")
    if not gold:
        raise InputError(Location("gold"), "has no spans", "pass at least one text")
    return [predicted[key] for key in gold], [*gold.values()]
