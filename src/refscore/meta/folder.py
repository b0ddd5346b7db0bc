"""Read judgments from a folder in mt-metrics-eval's layout.

A test set's folder has `human-scores/PAIR.NAME.LEVEL.score`, `metric-scores/PAIR/NAME-REF.LEVEL.score`,
`system-outputs/PAIR/SYSTEM.txt` and `references/PAIR.REF.txt`, where PAIR is a language pair and LEVEL is `seg` or
`sys`. Each line in a score file has a system and its score, or None. A system's lines are in segment order. Texts may
be JSON lines (`.jsonl`), as in WMT 2025: with the field `hypothesis` in outputs, `target` in references and `source` in
sources. Human scores whose names differ only in a number at the end, such as `esa-human1` and `esa-human2`, are the
scores of several annotators. `documents/PAIR.docs` has the domain and the document of each segment. If
LEVEL is `domain`, lines have a domain, a system and its score.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation, evaluate
from refscore.meta.judgments import Judgments, Vector, system_means
from refscore.metrics import MetricChoices
from refscore.readers.source import read_all_lines
from refscore.text_display import counted

_IF_MISSING = "write None if it is missing"
SEGMENTS, _SYSTEMS, _DOMAINS = ".seg.score", ".sys.score", ".domain.score"
_WITH_HUMAN = "with human translations"


@dataclass(frozen=True)
class JudgedTestSet:
    """One language pair in a folder with mt-metrics-eval's layout.

    Attributes:
        folder: The test set's folder.
        pair: The language pair, such as en-de.
        human_names: The names of the human scores.
        references: The reference files, by name.
        outputs: The output files, by system.
        metric_names: The metrics with scores in the folder.
    """

    folder: Path
    pair: str
    human_names: tuple[str, ...]
    references: dict[str, Path]
    outputs: dict[str, Path]
    metric_names: tuple[str, ...]

    @classmethod
    def open(cls, folder: str | Path, pair: str | None = None) -> JudgedTestSet:
        """Open a language pair, which may be left out if there is only one."""
        pairs, root = language_pairs(folder), Path(folder)
        if not pairs:
            problem = "has no human scores of segments"
            fix = "it needs files such as human-scores/en-de.mqm.seg.score"
            raise InputError(Location(file=str(root)), problem, fix)
        chosen = choose_only(pair, pairs, "language pair", "pair", root)
        human = [
            path.name[len(chosen) + 1 : -len(SEGMENTS)] for path in root.glob(f"human-scores/{chosen}.*{SEGMENTS}")
        ]
        references = {path.name.split(".")[-2]: path for path in sorted(root.glob(f"references/{chosen}.*.*"))}
        outputs = {path.stem: path for path in sorted(root.glob(f"system-outputs/{chosen}/*.*"))}
        metrics = {path.name.rsplit(".", 2)[0] for path in root.glob(f"metric-scores/{chosen}/*.*.score")}
        return cls(root, chosen, tuple(sorted(human)), references, outputs, tuple(sorted(metrics)))

    def human_scores(self, name: str) -> dict[str, list[float | None]]:
        """Return the human scores with this name: each system's, None for a missing one."""
        return read_scores(self._human_file(name, SEGMENTS))

    def _human_file(self, name: str, level: str) -> Path:
        return self.folder / "human-scores" / f"{self.pair}.{name}{level}"

    def output(self, system: str, *, keeps_marks: bool = False) -> list[str]:
        """Return a system's output."""
        return _texts(self.outputs[system], "hypothesis", keeps_marks=keeps_marks)

    def reference(self, name: str, *, keeps_marks: bool = False) -> list[str]:
        """Return a reference."""
        return _texts(self.references[name], "target", keeps_marks=keeps_marks)

    def sources(self) -> list[str] | None:
        """Return the sources, or None if there are none."""
        files = sorted(self.folder.glob(f"sources/{self.pair}.*"))
        return _texts(files[0], "source", keeps_marks=False) if files else None

    def other_annotators(self, human: str) -> list[str]:
        """Return the human scores with the same name but a different number at its end."""
        number = re.compile(r"\d+$")
        same = [name for name in self.human_names if number.sub("", name) == number.sub("", human)]
        return [name for name in same if name != human] if number.search(human) else []

    def judgments(
        self,
        *,
        human: str | None = None,
        reference: str | None = None,
        with_human: bool = False,
        without: Iterable[str] = (),
        metrics: MetricChoices | None = None,
        given: bool | Collection[str] = True,
        as_published: bool = False,
        subsets: bool = False,
        threads: int | None = None,
    ) -> Judgments:
        """Return the human scores and the metric scores.

        Args:
            human: The name of the human scores. It may be left out if there is only one.
            reference: The reference for metrics. It may be left out if there is only one. The folder's metrics that
                use other references are left out, and so is the system with this name.
            with_human: Keep human translations that are not the reference.
            without: Systems to leave out, such as outliers.
            metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
                They are computed from the outputs and the reference.
            given: Whether to read the scores in the folder, or the names of the metrics to read, without references.
            as_published: Whether a byte-order mark at the start of an output or reference counts as text. Published
                scores count it.
            subsets: Whether to add subsets: each domain and, with several references, everything once more with the
                human translations.
            threads: The number of threads, by default all cores.
        """
        chosen = choose_only(human, self.human_names, "human scores", "human", self.folder)
        known = [*self.references]
        name = choose_only(reference, known, "reference", "reference", self.folder) if known else None
        scores = self.human_scores(chosen)
        left_out = set(without)
        if unknown := left_out - set(scores) - set(self.outputs):
            problem = f"has no system {min(unknown)!r} to leave out"
            raise InputError(Location(file=str(self.folder)), problem, f"it has {', '.join(scores)}")
        dropped = {name, *left_out, *([] if with_human or subsets else known)}
        rated = {system: each for system, each in scores.items() if system not in dropped and {*each} != {None}}
        if scores and not rated:
            problem = "has no scores of the systems that are compared"
            raise InputError(Location(file=str(self._human_file(chosen, SEGMENTS))), problem, "add human scores")
        with _errors_in(self._human_file(chosen, SEGMENTS)):
            judgments = Judgments.from_scores(rated)
        for annotator in self.other_annotators(chosen):
            others = self.human_scores(annotator)
            missing: list[float | None] = [None] * judgments.human.shape[1]
            with _errors_in(self._human_file(annotator, SEGMENTS)):
                judgments = judgments.with_annotator(
                    annotator, {system: others.get(system, missing) for system in judgments.systems}
                )
        whole = self._human_file(chosen, _SYSTEMS)
        if whole.exists():
            judgments = replace(judgments, human_systems=_system_scores(whole, judgments.systems))
        if given:
            chosen_metrics = None if given is True else given
            for metric, label in self._usable_metrics(name, chosen_metrics).items():
                judgments = self._with_given(judgments, metric, label)
        evaluation = None
        if metrics is not None:
            evaluation = self._evaluate(judgments.systems, metrics, name, threads, keeps_marks=as_published)
            judgments = judgments.with_evaluation(evaluation, threads=threads)
        return self._with_subsets(judgments, chosen, name, evaluation, with_human) if subsets else judgments

    def _with_subsets(
        self, everything: Judgments, human: str, reference: str | None, evaluation: Evaluation | None, with_human: bool
    ) -> Judgments:
        translations = [system for system in everything.systems if system in self.references]
        without_human = everything.without_systems(translations) if translations else everything
        whole = everything if with_human else without_human
        domains = self._domains(everything, human, reference, evaluation)
        subsets: dict[str, Judgments] = {}
        for domain, judgments in domains.items():
            subsets[domain] = judgments.without_systems([] if with_human else translations)
        if translations and not with_human:
            subsets[_WITH_HUMAN] = everything
            subsets.update({f"{domain}, {_WITH_HUMAN}": judgments for domain, judgments in domains.items()})
        return replace(whole, subsets=subsets)

    def _domains(
        self, judgments: Judgments, human: str, reference: str | None, evaluation: Evaluation | None
    ) -> dict[str, Judgments]:
        """Return the judgments of each domain. System scores are the ones in the folder, or means over segments."""
        path = self.folder / "documents" / f"{self.pair}.docs"
        documents = [line.split() for line in _lines(path)] if path.exists() else []
        if [] in documents:
            location = Location(file=str(path), line=documents.index([]) + 1)
            raise InputError(location, "is blank", "write the domain and the document of the segment")
        labels = [fields[0] for fields in documents]
        if labels and len(labels) != judgments.human.shape[1]:
            problem = f"has {len(labels):,} lines, but there are {judgments.human.shape[1]:,} human scores"
            raise InputError(Location(file=str(path)), problem, "write the domain and the document of each segment")
        whole = _domain_scores(self._human_file(human, _DOMAINS))
        given = {
            label: _domain_scores(self.folder / "metric-scores" / self.pair / f"{metric}{_DOMAINS}")
            for metric, label in self._usable_metrics(reference, None).items()
        }
        by_domain = {}
        for domain in sorted(set(labels)):
            places = [place for place, label in enumerate(labels) if label == domain]
            own = judgments.select_segments(places)
            if not own.ratings:
                continue
            own = replace(own, human_systems=_in_order(whole.get(domain), own.systems, system_means(own.human)))
            metrics = {}
            for label, scores in own.metrics.items():
                if scores.segments is not None or domain in given.get(label, {}):
                    means = system_means(scores.segments) if scores.segments is not None else scores.systems
                    systems = _in_order(given.get(label, {}).get(domain), own.systems, means)
                    metrics[label] = replace(scores, systems=systems)
            own = replace(own, metrics=metrics)
            by_domain[domain] = own if evaluation is None else own.with_evaluation(evaluation.select(places))
        return by_domain

    def _usable_metrics(self, reference: str | None, chosen: Collection[str] | None) -> dict[str, str]:
        """Return the metrics that use this reference or only the source, and their names in results."""
        usable = {}
        for metric in self.metric_names:
            base, _, used = metric.rpartition("-")
            if chosen is not None and base not in chosen:
                continue
            if base and (used in ("src", reference) or (used == "all" and len(self.references) == 1)):
                usable[metric] = base
        # The same metric with and without a reference is two metrics.
        bases = list(usable.values())
        return {metric: base if bases.count(base) == 1 else metric for metric, base in usable.items()}

    def _with_given(self, judgments: Judgments, metric: str, label: str) -> Judgments:
        folder = self.folder / "metric-scores" / self.pair
        segments, systems = folder / f"{metric}{SEGMENTS}", folder / f"{metric}{_SYSTEMS}"
        by_segment = read_scores(segments) if segments.exists() else None
        by_system = _system_scores(systems, judgments.systems) if systems.exists() else None
        if by_segment is None and by_system is None:
            return judgments
        with _errors_in(systems if by_segment is None else segments):
            return judgments.with_scores(label, by_segment, by_system)

    def _evaluate(
        self,
        systems: Sequence[str],
        metrics: MetricChoices,
        reference: str | None,
        threads: int | None,
        *,
        keeps_marks: bool,
    ) -> Evaluation:
        if reference is None:
            raise InputError(Location(file=str(self.folder)), "has no references", "leave out the metrics")
        outputs = {}
        for system in systems:
            if system not in self.outputs:
                location = Location(file=str(self.folder / "system-outputs" / self.pair))
                raise InputError(location, f"has no output of the system {system!r}", "add it, or leave the system out")
            outputs[system] = self.output(system, keeps_marks=keeps_marks)
        references = self.reference(reference, keeps_marks=keeps_marks)
        for system, texts in outputs.items():
            if len(texts) != len(references):
                problem = f"has {counted(len(texts), 'line')}, but the reference has {len(references):,}"
                raise InputError(Location(file=str(self.outputs[system])), problem, "write one line per segment")
        return evaluate(outputs, references, metrics, sources=self.sources(), threads=threads)


def language_pairs(folder: str | Path) -> list[str]:
    fix = "name a folder in the layout of mt-metrics-eval"
    if not isinstance(folder, (str, Path)):
        raise InputError(Location("folder"), f"must be a path, not {type(folder).__name__}", fix)
    root = Path(folder)
    if not root.is_dir():
        problem = "is not a folder" if root.exists() else "does not exist"
        raise InputError(Location(file=str(root)), problem, fix)
    return sorted({path.name.split(".")[0] for path in root.glob(f"human-scores/*{SEGMENTS}")})


def read_scores(path: Path) -> dict[str, list[float | None]]:
    """Return each system's scores in a file, None for a missing one."""
    scores: dict[str, list[float | None]] = {}
    for number, line in enumerate(_lines(path), 1):
        location = Location(file=str(path), line=number)
        fields = line.split()
        if len(fields) != 2:
            raise InputError(location, f"has {len(fields)} fields", "write a system and a score, separated by a tab")
        system, score = fields
        scores.setdefault(system, []).append(_number(score, location))
    return scores


def _number(score: str, location: Location) -> float | None:
    try:
        # Python would read 1_0 as a number.
        value = None if score == "None" else float(score.replace("_", "x"))
    except ValueError:
        problem = f"has a score that is not a number, {score!r}"
        raise InputError(location, problem, _IF_MISSING) from None
    if value is not None and not math.isfinite(value):
        raise InputError(location, f"has the score {score}", _IF_MISSING)
    return value


def _domain_scores(path: Path) -> dict[str, dict[str, float | None]]:
    """Return the scores of systems by domain, or nothing without the file."""
    scores: dict[str, dict[str, float | None]] = {}
    for number, line in enumerate(_lines(path) if path.exists() else [], 1):
        location = Location(file=str(path), line=number)
        fields = line.split()
        if len(fields) != 3:
            raise InputError(location, f"has {len(fields)} fields", "write a domain, a system and its score")
        domain, system, score = fields
        scores.setdefault(domain, {})[system] = _number(score, location)
    return scores


def _in_order(scores: Mapping[str, float | None] | None, systems: Sequence[str], otherwise: Vector) -> Vector:
    """Return the scores of systems, or others if one is missing."""
    values = [(scores or {}).get(system) for system in systems]
    return otherwise if None in values else np.array(values, dtype=np.float64)


def _system_scores(path: Path, systems: Sequence[str]) -> Vector:
    scores = read_scores(path)
    absent = [system for system in systems if scores.get(system, [None])[0] is None]
    if absent:
        problem = f"has no score of the system {absent[0]!r}"
        raise InputError(Location(file=str(path)), problem, "add a line, or leave out the system with without")
    return np.array([scores[system][0] for system in systems], dtype=np.float64)


@contextmanager
def _errors_in(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise error.at(Location(file=str(path))) from None


def _lines(path: Path) -> list[str]:
    if path.exists() and not path.is_file():  # reading a pipe would wait for its writer
        raise InputError(Location(file=str(path)), "is not a file", "replace it with a file")
    return read_all_lines(path)


def _texts(path: Path, field: str, *, keeps_marks: bool) -> list[str]:
    """Return one text per line, or this field of JSON lines."""
    lines = _lines(path)
    if path.suffix == ".jsonl":
        return [_field_of(line, field, Location(file=str(path), line=number)) for number, line in enumerate(lines, 1)]
    if keeps_marks and lines and path.read_bytes().startswith(codecs.BOM_UTF8):
        lines[0] = "\ufeff" + lines[0]
    return lines


def _field_of(line: str, field: str, location: Location) -> str:
    value = parse_object(line, location).get(field)
    if not isinstance(value, str):
        raise InputError(location, f"has no text {field!r}", f'write {{"{field}": "…"}}')
    return value


def parse_object(line: str, location: Location) -> dict[str, Any]:
    """Return the JSON object in a line."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(location, "is not JSON", "write one JSON object per line") from None
    if not isinstance(content, dict):
        raise InputError(location, "is not a JSON object", "write one JSON object per line")
    return content


def choose_only(chosen: str | None, known: Sequence[str], noun: str, option: str, folder: Path) -> str:
    if chosen is None and len(known) == 1:
        return known[0]
    listed = ", ".join(known)
    if chosen is None:
        several = noun if noun.endswith("s") else f"{noun}s"
        raise InputError(Location(file=str(folder)), f"has several {several}", f"choose one with {option}: {listed}")
    if chosen not in known:
        raise InputError(Location(file=str(folder)), f"has no {noun} {chosen!r}", f"it has {listed}")
    return chosen
