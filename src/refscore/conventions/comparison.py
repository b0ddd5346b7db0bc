from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from refscore.conventions.finding import Finding, find_settings
from refscore.conventions.scoring import (
    Scorer,
    Step,
    has_settings,
    known_conventions,
    show_difference,
    show_number,
    single_steps,
    steps_between,
)
from refscore.errors import RefscoreError, SettingError, look_up
from refscore.inputs import Hypotheses, References, Sources
from refscore.metrics import METRICS, Metric, MetricChoice, Preset, Score, parse_metric
from refscore.progress import Progress
from refscore.tables import Column, Result, Row, Table
from refscore.text_display import counted


@dataclass(frozen=True)
class Convention:
    """One way to compute a metric, and the score that it gives.

    Args:
        name: The preset, or "default" or "given" for settings that no preset has.
        preset: The settings, and the tool that uses them.
        score: The score. None if it is not available.
        unavailable: Why there is no score. Empty if there is one.
        difference: The score minus the start's score, on the score's own scale.
        steps: The steps from the start, one setting at a time. Empty for the start itself.

    Example:
        >>> import refscore
        >>> convention = refscore.conventions.compare_conventions(["a cat sat"], ["the cat sat"], "ribes")["nltk-3.9"]
        >>> convention.preset.source, convention.printed, len(convention.steps)
        ('NLTK up to 3.10.3, corpus_ribes', '0.9036', 6)
    """

    name: str
    preset: Preset
    score: Score | None
    unavailable: str = ""
    difference: float | None = None
    steps: tuple[Step, ...] = ()

    def __repr__(self) -> str:
        return f"<convention {self.name}: {self.printed or 'not available'}>"

    @property
    def value(self) -> float:
        """The score's value, or NaN if it is not available."""
        return math.nan if self.score is None else self.score.value

    @property
    def printed(self) -> str:
        """The score on the scale that its tool prints. Empty if it is not available."""
        return "" if self.score is None else show_number(self.value, self.preset.scale)

    def to_dict(self) -> dict[str, Any]:
        """Return the convention as a dictionary, ready for JSON."""
        parts = {name: getattr(self.preset, name) for name in ("tool", "version", "part", "note", "scale")}
        data = {"preset": self.name, **parts}
        if self.score is None:
            return {**data, "unavailable": self.unavailable}
        return {
            **data,
            "value": self.value,
            "printed": self.printed,
            "difference": self.difference,
            "signature": self.score.signature,
            "steps": [step.to_dict() for step in self.steps],
        }


@dataclass(frozen=True)
class Namesake:
    """A score of a different metric with the same name.

    Attributes:
        metric: The metric's name.
        convention: Its preset, and the score.
        meaning: How the metric differs.

    Example:
        >>> import refscore
        >>> result = refscore.conventions.compare_conventions(["he goes"], ["he goes"], "gleu", sources=["he go"])
        >>> namesake = result.namesakes[0]
        >>> namesake.metric, namesake.convention.name, namesake.convention.printed
        ('gec_gleu', 'official', '0.0000')
    """

    metric: str
    convention: Convention
    meaning: str

    def __repr__(self) -> str:
        return f"<{self.metric}:{self.convention.name}: {self.convention.printed or 'not available'}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the score as a dictionary, ready for JSON."""
        data = self.convention.to_dict()
        for name in ("steps", "difference"):
            data.pop(name, None)
        return {"metric": self.metric, "meaning": self.meaning, **data}


@dataclass(frozen=True)
class Conventions(Result):
    """A metric's conventions with their scores. It prints as tables, and `find` searches for a number.

    Args:
        metric: The metric's class.
        start: The convention that the others are compared with.
        segments: How many segments were scored.
        conventions: All conventions, including unavailable ones.
        singles: For error rates, what each common value of each setting does to the start's score on its own.
        namesakes: The scores of other metrics that papers call by the same name.

    Example:
        >>> import refscore
        >>> result = refscore.conventions.compare_conventions(["A cat, sat down."], ["A cat sat down."], "gleu")
        >>> print(result.table())
        GLEU of 1 segment
        preset     GLEU  as printed  difference  source
        --------  -----  ----------  ----------  ------------------------------------
        default   50.00       50.00              refscore 0.1.0, default settings
        evaluate  50.00      0.5000        0.00  Hugging Face's evaluate, google_bleu
        nltk      40.00      0.4000      −10.00  NLTK 3.10.4, corpus_gleu
        >>> [table.title for table in result.tables()]
        ['GLEU of 1 segment', 'Other scores that are called GLEU', 'From default (50.00) to nltk (40.00)']
        >>> result.start, f"{result['nltk'].difference:.4f}", result.to_dict()["segments"]
        ('default', '-0.1000', 1)
        >>> print(result.find("0.400"))
        0.400 on a scale from 0 to 1 is the GLEU of nltk
    """

    schema: ClassVar[str] = "conventions"

    metric: type[Metric[Any]]
    start: str
    segments: int
    conventions: tuple[Convention, ...]
    _scorer: Scorer = field(repr=False, compare=False)
    _settings: dict[str, Any] = field(repr=False, compare=False)
    singles: tuple[Step, ...] = ()
    namesakes: tuple[Namesake, ...] = ()

    def __getitem__(self, name: str) -> Convention:
        return look_up("convention", name, {convention.name: convention for convention in self.conventions})

    def __iter__(self) -> Iterator[Convention]:
        return iter(self.conventions)

    def __len__(self) -> int:
        return len(self.conventions)

    def find(self, number: float | str, *, progress: Progress | None = None) -> Finding:
        """Find the settings that give a number, after rounding to its digits.

        The search tries every convention, every convention with one setting switched to a different common value (case,
        tokenizer, n-gram order, smoothing …), and the mean of the segment scores. If no convention gives the number
        as it is, it also tries two switched settings.

        Args:
            number: The number, on a scale from 0 to 100 or from 0 to 1. In a string, final zeros count: "27.30" is more
                exact than "27.3".
            progress: A function called with the name of the current step, the amount of work done and the total.

        Returns:
            The matches, those with the fewest switches first. If there are none, the closest settings.
        """
        available = {convention.name: convention.preset for convention in self if convention.score is not None}
        return find_settings(self._scorer, self.metric, available, self._settings, number, progress)

    def table(self, *, digits: int | None = None) -> Table:
        """Return all conventions in one table. `digits` has no effect: scores have the digits that tools print."""
        title, scale, start = self.metric.display_name, self.metric.printed_scale, self[self.start]
        rows: list[Row] = []
        for convention in self:
            name, source = convention.name, convention.preset.source
            if convention.score is None:
                rows.append(Row((name, "–", "–", "–", source), "dim"))
                continue
            points = "" if name == self.start else show_difference(start.value, convention.value, scale)
            rows.append(Row((name, show_number(convention.value, scale), convention.printed, points, source)))
        columns = [Column("preset"), *(Column(head, "right") for head in (title, "as printed", "difference"))]
        absent = [f"{each.name} is not available: {each.unavailable}" for each in self if each.score is None]
        return Table(
            f"{title} of {counted(self.segments, 'segment')}", [*columns, Column("source")], rows, "; ".join(absent)
        )

    def tables(self, *, digits: int | None = None) -> tuple[Table, ...]:
        """Return the table with all conventions, and the steps to each convention that differs from the start.

        The points in a table add up to the difference, since both are computed from rounded scores.
        """
        steps = [self._steps_table(convention) for convention in self if convention.steps]
        others = [self._singles_table()] if self.singles else []
        if self.namesakes:
            others.append(self._namesakes_table())
        return (self.table(), *others, *(table for table in steps if table.rows))

    def _singles_table(self) -> Table:
        start, scale = self[self.start], self.metric.printed_scale
        rows, idle = [], []
        for step in self.singles:
            switches = ", ".join(f"{name}: {old} → {new}" for name, (old, new) in step.settings.items())
            points = show_difference(start.value, step.score.value, scale)
            if step.touched:
                number = show_number(step.score.value, scale)
                rows.append([step.titles, switches, points, number, f"{step.touched:,}", step.meanings])
            else:
                idle.append(switches)
        note = f"without effect on these segments: {', '.join(idle)}" if idle else ""
        title = f"One setting at a time, from {start.name} ({show_number(start.value, scale)})"
        return Table(title, self._step_columns(), rows, note)

    def _namesakes_table(self) -> Table:
        rows: list[list[str]] = []
        for each in self.namesakes:
            convention = each.convention
            if convention.score is not None:
                value = show_number(convention.value, convention.score.metric.printed_scale)
                name = f"{each.metric}:{convention.name}"
                rows.append([name, value, convention.printed, convention.preset.source, each.meaning])
            elif each.metric not in [row[0] for row in rows]:
                words = f"{each.meaning}; not available: {convention.unavailable}"
                rows.append([each.metric, "–", "–", "", words])
        numbers = [Column(head, "right") for head in ("score", "as printed")]
        columns = [Column("metric"), *numbers, Column("source"), Column("in words")]
        return Table(f"Other scores that are called {self.metric.common_name}", columns, rows)

    def _step_columns(self) -> list[Column]:
        numbers = [Column(head, "right") for head in ("points", self.metric.display_name, "segments")]
        return [Column("reason"), Column("setting"), *numbers, Column("in words")]

    def _steps_table(self, convention: Convention) -> Table:
        start, rows, idle = self[self.start], [], []
        for step, points in self._points(convention):
            switches = ", ".join(f"{name}: {old} → {new}" for name, (old, new) in step.settings.items())
            if step.difference:
                touched = f"{step.touched:,}" if step.touched else "–"
                rows.append([step.titles, switches, *points, touched, step.meanings])
            else:
                idle.append(switches)
        notes = [f"without effect on these segments: {', '.join(idle)}"] if idle else []
        if start.preset.scale != convention.preset.scale:
            notes.append(f"scale: {start.name} prints {start.printed}, {convention.name} prints {convention.printed}")
        if convention.preset.note:
            notes.append(f"{convention.name}: {convention.preset.note}")
        scale = self.metric.printed_scale
        columns = self._step_columns()
        first, last = (f"{each.name} ({show_number(each.value, scale)})" for each in (start, convention))
        return Table(f"From {first} to {last}", columns, rows, "; ".join(notes))

    def _points(self, convention: Convention) -> Iterator[tuple[Step, list[str]]]:
        scale, before = self.metric.printed_scale, self[self.start].value
        for step in convention.steps:
            after = step.score.value
            yield step, [show_difference(before, after, scale), show_number(after, scale)]
            before = after

    def flat_table(self) -> Table:
        """Return one table with a row per convention and per step, for spreadsheets."""
        scale, start = self.metric.printed_scale, self[self.start]
        rows: list[list[str]] = []
        for convention in self:
            name = convention.name
            if convention.score is None:
                rows.append([name, *[""] * 7, f"not available: {convention.unavailable}"])
                continue
            total = [show_difference(start.value, convention.value, scale), show_number(convention.value, scale)]
            rows.append([name, *[""] * 4, *total, "", convention.preset.source])
            for step, points in self._points(convention):
                settings = [(setting, *values) for setting, values in step.settings.items()]
                changed = [",".join(texts) for texts in zip(*settings, strict=True)]
                rows.append([name, step.titles, *changed, *points, str(step.touched), step.meanings])
        title = self.metric.display_name
        heads = ["preset", "reason", "setting", "from", "to", "points", title, "segments", "in words"]
        return Table("", map(Column, heads), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary, ready for JSON. The documentation describes its schema."""
        return {
            "metric": self.metric.name,
            "start": self.start,
            "segments": self.segments,
            "conventions": [convention.to_dict() for convention in self.conventions],
            **({"singles": [step.to_dict() for step in self.singles]} if self.singles else {}),
            **({"namesakes": [each.to_dict() for each in self.namesakes]} if self.namesakes else {}),
        }

    def __repr__(self) -> str:
        return f"<{len(self)} conventions of {self.metric.display_name} on {counted(self.segments, 'segment')}>"


def compare_conventions(
    hypotheses: Hypotheses,
    references: References,
    metric: MetricChoice = "bleu",
    *,
    sources: Sources = None,
    presets: Iterable[str] | None = None,
    start: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Conventions:
    """Score the same segments under every preset of a metric, and measure each setting's effect.

    From the start to each preset, the settings that differ are switched one at a time: first text settings, then
    counting, then the formula. The steps add up to the difference between the presets.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk".
        sources: One source per segment, for metrics that need it.
        presets: The presets to compare, all by default. "default" and "given" are added if no preset has the default
            settings or the settings of `metric`.
        start: The preset that the others are compared with, by default the preset with the settings of `metric`.
        threads: The number of threads, by default all cores. The result does not depend on it.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Metric settings that are the same under all presets.

    Returns:
        The conventions with their scores and steps. A convention that cannot score these segments has the reason
        instead of a score, such as a missing package.

    Raises:
        RefscoreError: If no convention, or not the given start, can score the segments.

    Example:
        >>> from refscore.conventions import compare_conventions
        >>> result = compare_conventions(["The cat sat."], ["the cat sat."], "ribes", start="official")
        >>> step = result["nltk"].steps[0]
        >>> print(f"{100 * step.difference:+.2f} by {step.changes[0].reason}")
        -9.64 by case: all letters are lowercased; case is kept
    """
    _, chosen = parse_metric(metric)
    kind = type(chosen)
    known = known_conventions(chosen)
    names = _preset_names(known if presets is None else presets, known)
    if start is not None and start not in names:
        names = [*_preset_names(start, known), *names]
    if chosen != kind() and not any(has_settings(chosen, known[name]) for name in names):
        names = [next(name for name, preset in known.items() if has_settings(chosen, preset)), *names]
    scorer = Scorer(hypotheses, references, sources, threads)
    metrics: dict[str, Metric[Any]] = {}
    errors: dict[str, RefscoreError] = {}
    for name in names:
        try:
            metrics[name] = kind.with_settings({**known[name], **settings})
            scorer.score(metrics[name])
        except RefscoreError as error:
            errors[name] = error
    if start in errors or len(errors) == len(names):
        raise errors[start or names[0]]
    if start is None:
        available = [name for name in names if name not in errors]
        start = min(available, key=lambda name: not has_settings(chosen, known[name]))
    conventions = []
    for done, name in enumerate(names, 1):
        if name in errors:
            conventions.append(Convention(name, known[name], None, str(errors[name])))
        else:
            score = scorer.score(metrics[name])
            difference = score.value - scorer.score(metrics[start]).value
            steps = tuple(steps_between(scorer, metrics[start], metrics[name]))
            conventions.append(Convention(name, known[name], score, "", difference, steps))
        if progress is not None:
            progress("scoring", done, len(names))
    singles = tuple(single_steps(scorer, metrics[start], settings)) if kind.counts_written_form else ()
    namesakes = tuple(_namesakes(scorer, kind))
    segments = scorer.segments(metrics[start])
    return Conventions(kind, start, segments, tuple(conventions), scorer, settings, singles, namesakes)


def _namesakes(scorer: Scorer, kind: type[Metric[Any]]) -> Iterator[Namesake]:
    for name, other in METRICS.items():
        if other is kind or not kind.common_name or other.common_name != kind.common_name:
            continue
        for preset_name, preset in known_conventions(other()).items():
            try:
                convention = Convention(preset_name, preset, scorer.score(other.with_settings(preset)))
            except RefscoreError as error:
                convention = Convention(preset_name, preset, None, str(error))
            yield Namesake(name, convention, other.common_name_meaning)


def _preset_names(presets: Iterable[str], known: Mapping[str, Preset]) -> list[str]:
    single = isinstance(presets, str) or not isinstance(presets, Iterable)
    names: list[Any] = [presets] if single else list(presets)
    for name in names:
        look_up("preset", name, known)
    if not names:
        raise SettingError("presets is empty: pass at least one name, or None for all")
    return list(dict.fromkeys(names))
