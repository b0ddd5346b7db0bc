"""The history of a gate: one line of JSON per run, and a page that draws each metric over time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

from refscore._version import __version__
from refscore.errors import InputError, Location, NotInstalledError
from refscore.evaluation import Evaluation
from refscore.gate.model import Gate
from refscore.tables import BadHighlight, Column, Result, Table
from refscore.tables.html import fragment, page, render_table
from refscore.tables.model import encode_json
from refscore.text_display import counted
from refscore.writing import append_line

_FIELDS = {"time": str, "passed": bool, "system": str, "segments": int, "metrics": dict, "failed": list}


@dataclass(frozen=True)
class Run:
    """A run of the gate.

    Attributes:
        time: When it ran, in ISO format.
        passed: Whether it passed.
        system: The name of the new system.
        segments: The number of segments.
        metrics: The `title`, `score`, `low`, `high` and `signature` of each metric, by label. Scores are as printed.
        failed: The questions that failed, such as "significantly worse by chrF2".
        references: The digest of the references, or None if it is unknown.

    Example:
        >>> from refscore.gate.history import Run
        >>> Run("2026-11-19T02:00:00+00:00", True, "new.txt", 3000, {}, []).system
        'new.txt'
    """

    time: str
    passed: bool
    system: str
    segments: int
    metrics: Mapping[str, Mapping[str, Any]]
    failed: Sequence[str]
    references: str | None = None

    @property
    def shown_time(self) -> str:
        """The time to the minute, for tables. Times in UTC have no offset."""
        moment = datetime.fromisoformat(self.time)
        return f"{moment:%Y-%m-%d %H:%M}{'' if not moment.utcoffset() else f'{moment:%z}'}"

    @classmethod
    def describe(cls, gate: Gate, new: Evaluation, time: datetime | None = None) -> Run:
        """Return a run of a gate, now by default."""
        moment = datetime.now(timezone.utc) if time is None else time
        digest = new.references_digest
        return cls(
            moment.isoformat(timespec="seconds"),
            gate.passed,
            gate.system,
            gate.segments,
            {
                label: {"title": new.titles[label], **gate.scores[label], "signature": new.signatures[label]}
                for label in gate.scores
            },
            [f"{each.question}{f' by {each.title}' if each.title else ''}" for each in gate.failures],
            None if digest is None else str(digest),
        )


@dataclass(frozen=True)
class History(Result):
    """The runs of a gate, oldest first, as a file of JSON lines has them.

    Attributes:
        runs: The runs.

    Example:
        >>> import tempfile
        >>> from refscore.gate import History
        >>> from refscore.gate.history import Run
        >>> run = Run("2026-11-19T02:00:00+00:00", True, "new", 3000, {"chrf": {"title": "chrF2", "score": 61.5}}, [])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     History.append(f"{folder}/runs.jsonl", run)
        ...     print(History.read(f"{folder}/runs.jsonl"))
        time              system  segments  chrF2  failed
        ----------------  ------  --------  -----  ------
        2026-11-19 02:00  new         3000  61.50
    """

    runs: Sequence[Run]

    @classmethod
    def read(cls, path: str | PathLike[str]) -> History:
        """Read a history. Every line must be a run."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            problem = f"cannot be read: {getattr(error, 'strerror', None) or error}"
            raise InputError(Location(file=str(path)), problem) from None
        lines = text.removesuffix("\n").split("\n") if text else []  # names may have other line ends
        runs = [_parse(line, Location(file=str(path), line=number)) for number, line in enumerate(lines, 1)]
        if not runs:
            raise InputError(Location(file=str(path)), "is empty", "append runs with `refscore gate --history`")
        return cls(runs)

    @staticmethod
    def append(path: str | PathLike[str], run: Run) -> None:
        """Append a run to a file, which may not exist yet."""
        append_line(path, encode_json({**vars(run), "refscore": __version__}, ensure_ascii=False), "backslashreplace")

    @property
    def titles(self) -> dict[str, str]:
        """The names of the metrics by label."""
        return {label: each["title"] for run in self.runs for label, each in run.metrics.items()}

    def table(self, *, digits: int | None = None) -> Table:
        """Return one row per run."""
        places = 2 if digits is None else digits
        titles = [Column(title, "right") for title in self.titles.values()]
        columns = [Column("time"), Column("system"), Column("segments", "right"), *titles, Column("failed")]
        rows = []
        for run in self.runs:
            scores = (run.metrics[label]["score"] if label in run.metrics else None for label in self.titles)
            shown = ["–" if score is None else f"{score:.{places}f}" for score in scores]
            failed = BadHighlight("; ".join(run.failed)) if run.failed else ""
            rows.append([run.shown_time, run.system, str(run.segments), *shown, failed])
        return Table("", columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return all runs as a dictionary, ready for JSON."""
        return {"runs": [vars(run) for run in self.runs]}

    def __repr__(self) -> str:
        return f"<history of {counted(len(self.runs), 'run')}>"

    def page(self) -> str:
        """Return an HTML page with a chart per metric, which has the intervals and marks the runs that failed."""
        if find_spec("vl_convert") is None:
            raise NotInstalledError("charts need vl-convert-python: pip install 'refscore[report]'")
        import vl_convert

        charts = [vl_convert.vegalite_to_svg(self._chart(label, title)) for label, title in self.titles.items()]
        heading = "<h1>History of the gate</h1>"
        body = fragment(heading, *charts, render_table(self.table()))
        return page('<meta name="color-scheme" content="light"><title>History of the gate</title>', body)

    def _chart(self, label: str, title: str) -> dict[str, Any]:
        points = [
            {
                "time": run.time,
                "run": f"{number:04}",
                "result": "passed" if run.passed else "failed",
                **{name: run.metrics[label].get(name) for name in ("score", "low", "high")},
            }
            for number, run in enumerate(self.runs, 1)
            if label in run.metrics
        ]
        x = {"field": "time", "type": "temporal", "title": None}
        y = {"field": "score", "type": "quantitative", "title": title, "scale": {"zero": False}}
        outcome = {
            "field": "result",
            "type": "nominal",
            "title": None,
            "scale": {"domain": ["passed", "failed"], "range": ["#2b6cb0", "#c53030"]},
        }
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "title": title,
            "width": 640,
            "height": 180,
            "data": {"values": points},
            "layer": [
                {"mark": {"type": "line", "color": "#a0aec0"}, "encoding": {"x": x, "y": y}},
                {
                    "mark": {"type": "rule"},
                    "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": outcome},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 60},
                    "encoding": {
                        "x": x,
                        "y": y,
                        "color": outcome,
                        "shape": {
                            **outcome,
                            "scale": {"domain": ["passed", "failed"], "range": ["circle", "triangle-down"]},
                        },
                    },
                },
            ],
        }


def _parse(line: str, location: Location) -> Run:
    fix = "remove it, or write the file with `refscore gate --history`"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(location, "is not JSON", fix) from None
    if not isinstance(value, dict) or not all(isinstance(value.get(name), kind) for name, kind in _FIELDS.items()):
        raise InputError(location, "is not a run of the gate", fix)
    try:
        datetime.fromisoformat(value["time"])
        for each in value["metrics"].values():
            numbers = [each["score"], *(each[end] for end in ("low", "high") if each.get(end) is not None)]
            if not isinstance(each["title"], str) or not all(type(number) in (int, float) for number in numbers):
                raise TypeError(each)
        if not all(isinstance(text, str) for text in value["failed"]):
            raise TypeError(value["failed"])
    except (TypeError, KeyError, ValueError):
        raise InputError(location, "is not a run of the gate", fix) from None
    return Run(**{name: value[name] for name in _FIELDS}, references=value.get("references"))
