"""The score of the same segments under every convention of a metric, and what makes the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from refscore.differences import views
from refscore.differences.finding import Finding, find
from refscore.differences.known import is_default, known_conventions, metric_of
from refscore.differences.scoring import Scorer
from refscore.differences.switching import Step, steps_between
from refscore.errors import RefscoreError, SettingError, UnknownNameError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.registry import METRICS
from refscore.metrics.core.score import Score
from refscore.metrics.core.settings import check_name
from refscore.tables import Table


@dataclass(frozen=True)
class Convention:
    """One way to compute a metric, and what it makes of the segments.

    Args:
        name: The preset's name; "default" for default settings that no preset has.
        preset: Its settings, and whose they are.
        score: The score; None where it is not available.
        unavailable: Why it is not; empty where it is.
        difference: How much the score differs from that of the start, in the score's own scale.
        steps: How the difference comes about, one setting after the other; empty for the start itself.

    Example:
        >>> import refscore
        >>> convention = refscore.conventions(["a cat sat"], ["the cat sat"], "ribes")["nltk-3.9"]
        >>> convention.preset.source, convention.printed, len(convention.steps)
        ('NLTK up to 3.10.3, corpus_ribes', '0.9036', 6)
    """

    name: str
    preset: Preset
    score: Score | None
    unavailable: str = ""
    difference: float | None = None
    steps: tuple[Step, ...] = ()

    @property
    def printed(self) -> str:
        """The score on the scale that its tool prints; empty where it is not available."""
        if self.score is None:
            return ""
        return views.number(self.score.value, self.preset.scale)

    def to_dict(self) -> dict[str, Any]:
        """The convention as a dictionary, ready for JSON."""
        data: dict[str, Any] = {
            "preset": self.name,
            "tool": self.preset.tool,
            "version": self.preset.version,
            "part": self.preset.part,
            "note": self.preset.note,
            "scale": self.preset.scale,
        }
        if self.score is None:
            return {**data, "unavailable": self.unavailable}
        return {
            **data,
            "value": self.score.value,
            "printed": self.printed,
            "difference": self.difference,
            "signature": self.score.signature,
            "steps": [step.to_dict() for step in self.steps],
        }


@dataclass(frozen=True)
class Conventions:
    """The conventions of a metric side by side. It prints as tables, and `find` says whose number one is.

    Args:
        metric: The metric's name.
        start: The name of the convention that the others are compared with.
        segments: The number of segments.
        conventions: All of them, those that are not available too.

    Example:
        >>> import refscore
        >>> result = refscore.conventions(["A cat, sat down."], ["A cat sat down."], "gleu")
        >>> [(convention.name, convention.printed) for convention in result]
        [('default', '50.00'), ('evaluate', '0.5000'), ('nltk', '0.4000')]
        >>> result.start, f"{result['nltk'].difference:.4f}"
        ('default', '-0.1000')
    """

    metric: str
    start: str
    segments: int
    conventions: tuple[Convention, ...]
    _scorer: Scorer = field(repr=False, compare=False)
    _settings: dict[str, Any] = field(repr=False, compare=False)

    def __getitem__(self, name: str) -> Convention:
        for convention in self.conventions:
            if convention.name == name:
                return convention
        raise UnknownNameError.suggest("convention", name, (convention.name for convention in self.conventions))

    def __iter__(self) -> Iterator[Convention]:
        return iter(self.conventions)

    def __len__(self) -> int:
        return len(self.conventions)

    def find(self, number: float | str, *, progress: Callable[[int, int], None] | None = None) -> Finding:
        """Whose number this is: the conventions whose score, rounded like it, is the same.

        Besides the conventions themselves, each is tried with one setting switched to another common value (case,
        tokenizer, n-gram order, smoothing …) and as the mean of the segments' own scores; two settings are switched
        where no convention gives the number as it is.

        Args:
            number: The number, on the scale of 0 to 100 or of 0 to 1. As text its final zeros count: "27.30" is more
                exact than "27.3".
            progress: Called with how many settings are tried, and how many are to be.

        Returns:
            What matches, the fewest switches first; or what comes nearest.

        Example:
            >>> import refscore
            >>> presets = ["sacrebleu", "nltk"]
            >>> result = refscore.conventions(["The cat sat on a mat."], ["the cat sat on the mat."], presets=presets)
            >>> print(result.find("0.489"))
            0.489 on the scale of 0 to 1 is the BLEU of sacrebleu with lowercase=yes
        """
        names = [convention.name for convention in self.conventions if convention.score is not None]
        return find(self._scorer, self.metric, names, self._settings, number, progress)

    def table(self) -> Table:
        """All conventions in one table.

        Example:
            >>> import refscore
            >>> from refscore.tables import render
            >>> result = refscore.conventions(["A cat, sat down."], ["A cat sat down."], "gleu")
            >>> print(render(result.table(), "plain"))
            GLEU of 1 segment
            preset     GLEU  as printed  difference  whose
            --------  -----  ----------  ----------  ------------------------------------
            default   50.00       50.00              refscore 0.1.0, default settings
            evaluate  50.00      0.5000        0.00  Hugging Face's evaluate, google_bleu
            nltk      40.00      0.4000      −10.00  NLTK 3.10.4, corpus_gleu
        """
        return views.overview(self)

    def tables(self) -> tuple[Table, ...]:
        """The table of all conventions, and for each whose score differs from the start's one with the steps to it.

        The points in a table add up: they are differences of scores as they are shown.

        Example:
            >>> import refscore
            >>> result = refscore.conventions(["A cat, sat down."], ["A cat sat down."], "gleu")
            >>> [table.title for table in result.tables()]
            ['GLEU of 1 segment', 'From default (50.00) to nltk (40.00)']
        """
        tables = (views.steps(self, convention) for convention in self.conventions if convention.steps)
        return (self.table(), *(table for table in tables if table.rows))

    def flat_table(self) -> Table:
        """All conventions and steps in one table with a row for each, for spreadsheets.

        Example:
            >>> import refscore
            >>> result = refscore.conventions(["A cat, sat down."], ["A cat sat down."], "gleu")
            >>> [row[1].text for row in result.flat_table().rows]
            ['', '', 'tokenizer', '', 'tokenizer']
        """
        return views.flat(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary, ready for JSON; the docs describe its schema.

        Example:
            >>> import refscore
            >>> data = refscore.conventions(["a cat"], ["a cat"], "wer").to_dict()
            >>> data["start"], data["conventions"][0]["value"]
            ('jiwer', 0.0)
        """
        return {
            "metric": self.metric,
            "start": self.start,
            "segments": self.segments,
            "conventions": [convention.to_dict() for convention in self.conventions],
        }

    def __str__(self) -> str:
        return views.plain(self.tables())


def conventions(
    hypotheses: Any,
    references: Any,
    metric: str = "bleu",
    *,
    presets: Iterable[str] | None = None,
    start: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> Conventions:
    """The score of the same segments under every preset of a metric, and what each setting makes of the difference.

    From the start to each preset, the settings that differ are switched over one by one: first those that act on the
    text, then what is counted, then the formula. The differences of the steps add up to that of the presets.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis, as for `BLEU.corpus`.
        metric: The metric's name.
        presets: The names of those to compare; all by default, and the default settings where no preset has them.
        start: The preset that the others are compared with; the one with the default settings if none is given.
        threads: How many to use; all cores by default. The result does not depend on it.
        progress: Called with how many conventions are done, and how many there are.
        **settings: Those of the metric that are to be the same under all presets.

    Returns:
        The conventions with their scores and steps. One that cannot score here, because a package is missing or the
        segments are not valid for it, says why; an error is raised if none or the given start cannot.

    Example:
        >>> import refscore
        >>> result = refscore.conventions(["The cat sat."], ["the cat sat."], "ribes", start="official")
        >>> step = result["nltk"].steps[0]
        >>> print(f"{100 * step.difference:+.2f} by {step.changes[0].reason}")
        -9.64 by case: all letters are lowercased; case is kept
    """
    check_name("metric", metric, METRICS)
    known = known_conventions(metric)
    names = _chosen(known if presets is None else presets, known)
    if start is not None:
        check_name("preset", start, known)
        names = names if start in names else [start, *names]
    scorer = Scorer(hypotheses, references, threads)
    made: dict[str, Metric[Any]] = {}
    errors: dict[str, RefscoreError] = {}
    for name in names:
        try:
            made[name] = metric_of(metric, name, settings)
            scorer.score(made[name])
        except RefscoreError as error:
            errors[name] = error
    if start in errors or len(errors) == len(names):
        raise errors[start or names[0]]
    if start is None:
        there = [name for name in names if name not in errors]
        start = min(there, key=lambda name: not is_default(metric, known[name]))
    found = []
    for done, name in enumerate(names):
        found.append(
            Convention(name, known[name], None, str(errors[name]))
            if name in errors
            else _convention(scorer, name, known[name], made[start], made[name])
        )
        if progress is not None:
            progress(done + 1, len(names))
    return Conventions(metric, start, scorer.segments(made[start]), tuple(found), scorer, settings)


def _chosen(presets: Iterable[str], known: Iterable[str]) -> list[str]:
    names = list(dict.fromkeys([presets] if isinstance(presets, str) else presets))
    for name in names:
        check_name("preset", name, known)
    if not names:
        raise SettingError("presets is empty: name at least one, or leave it out for all")
    return names


def _convention(scorer: Scorer, name: str, preset: Preset, start: Metric[Any], end: Metric[Any]) -> Convention:
    score = scorer.score(end)
    difference = score.value - scorer.score(start).value
    return Convention(name, preset, score, "", difference, tuple(steps_between(scorer, start, end)))
