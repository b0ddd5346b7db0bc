"""Whose number is this: a search among conventions, and among common deviations from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from itertools import chain, combinations, product
from typing import Any

from refscore.differences import views
from refscore.differences.known import metric_of
from refscore.differences.scoring import Scorer
from refscore.errors import RefscoreError, SettingError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS
from refscore.metrics.core.setting_words import WORDS, shown_value
from refscore.tables import Table

# What may be lost when a value is multiplied by 100; far below any digit that is printed.
_SLACK = 1e-9
_SHOWN_NEAREST = 5


@dataclass(frozen=True)
class Match:
    """A convention, changed or not, and its score.

    Args:
        convention: The name of the preset, or "default".
        switched: The settings that are not the preset's, by name, as text.
        mean_of_segments: Whether it is the mean of the segments' scores.
        value: The score, in its own scale: 0..1 for most metrics.
        scale: By what it is multiplied to get the number: 100 or 1.
        signature: The metric's settings.

    Example:
        >>> import refscore
        >>> result = refscore.conventions(["The cat sat down."], ["the cat sat down."], "gleu", presets=["nltk"])
        >>> (match,) = result.find(100).matches
        >>> match.words, match.switched, match.scale
        ('nltk with lowercase=yes', {'lowercase': 'yes'}, 100)
    """

    convention: str
    switched: Mapping[str, str]
    mean_of_segments: bool
    value: float
    scale: int
    signature: str

    @property
    def switches(self) -> int:
        """How many things are not the preset's."""
        return len(self.switched) + self.mean_of_segments

    @property
    def words(self) -> str:
        """The convention and its changes, in one line."""
        changes = " and ".join(f"{name}={value}" for name, value in self.switched.items())
        text = f"{self.convention} with {changes}" if changes else self.convention
        return f"{text}, as the mean of the segments' scores" if self.mean_of_segments else text

    def to_dict(self) -> dict[str, Any]:
        """The match as a dictionary, ready for JSON."""
        return {
            "preset": self.convention,
            "switched": dict(self.switched),
            "mean_of_segments": self.mean_of_segments,
            "value": self.value,
            "scale": self.scale,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Finding:
    """What gives a number, and what comes nearest to it.

    Args:
        metric: The metric's name.
        number: The number that was looked for, as it was written.
        matches: What gives it, the fewest switches first.
        nearest: The nearest others, where nothing gives it.
        tried: How many different ways to compute the metric were tried.

    Example:
        >>> import refscore
        >>> print(refscore.conventions(["The cat sat down."], ["the cat sat down."], "gleu").find(77))
        77 is no GLEU of these segments under 57 settings; the nearest are:
        77.78: default with max_order=2
        77.78: evaluate with max_order=2
        75.00: default with max_order=3
        75.00: evaluate with max_order=3
        75.00: nltk with max_order=1
    """

    metric: str
    number: str
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]
    tried: int

    def table(self) -> Table:
        """The matches, or the nearest, as a table.

        Example:
            >>> import refscore
            >>> finding = refscore.conventions(["The cat sat down."], ["the cat sat down."], "gleu").find("60.00")
            >>> print(finding.table().title)
            60.00 is the GLEU of
        """
        return views.finding(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary, ready for JSON.

        Example:
            >>> import refscore
            >>> data = refscore.conventions(["a cat"], ["a cat"], "wer").find("0.00").to_dict()
            >>> data["number"], data["matches"][0]["preset"]
            ('0.00', 'jiwer')
        """
        return {
            "metric": self.metric,
            "number": self.number,
            "tried": self.tried,
            "matches": [match.to_dict() for match in self.matches],
            "nearest": [match.to_dict() for match in self.nearest],
        }

    def __str__(self) -> str:
        return views.found_lines(self)


@dataclass(frozen=True)
class _Candidate:
    convention: str
    switched: dict[str, Any]
    metric: Metric[Any]


def find(
    scorer: Scorer,
    metric: str,
    conventions: Sequence[str],
    settings: Mapping[str, Any],
    number: float | str,
    progress: Callable[[int, int], None] | None = None,
) -> Finding:
    """What gives the number: conventions and one change to them; and two, if no convention gives it as it is."""
    text, wanted, reach = _read(number)
    scales = (1,) if METRICS[metric].printed_scale == 1 else (100, 1)
    known: set[Metric[Any]] = set()
    tried: list[Match] = []
    matches: list[Match] = []
    for switches in ((0, 1), (2,)):
        # Of equal metrics the one that is reached by the fewest switches, from the first convention, stays.
        candidates = list[_Candidate]()
        for candidate in chain.from_iterable(_candidates(metric, conventions, settings, count) for count in switches):
            if candidate.metric not in known:
                known.add(candidate.metric)
                candidates.append(candidate)
        for done, candidate in enumerate(candidates):
            tried += _scored(scorer, candidate, scales, with_mean=2 not in switches)
            if progress is not None:
                progress(done + 1, len(candidates))
        matches = [match for match in tried if abs(match.value * match.scale - wanted) <= reach + _SLACK]
        if any(match.switches == 0 for match in matches):
            break
    if matches:
        simplest = [match for match in matches if not any(_says_less(other, match) for other in matches)]
        simplest.sort(key=lambda match: match.switches)
        return Finding(metric, text, tuple(simplest), (), _count(tried))
    nearest: list[Match] = []
    for match in sorted(tried, key=lambda match: (round(abs(match.value * match.scale - wanted), 9), match.switches)):
        if not any(_says_less(other, match) and abs(other.value - match.value) < _SLACK for other in nearest):
            nearest.append(match)
        if len(nearest) == _SHOWN_NEAREST:
            break
    return Finding(metric, text, (), tuple(nearest), _count(tried))


def _count(tried: Sequence[Match]) -> int:
    return len({(match.signature, match.mean_of_segments) for match in tried})


def _read(number: float | str) -> tuple[str, float, float]:
    """The number as it was written, its value, and how far from it a value may be that is rounded to it."""
    text = str(number).strip()
    try:
        read = Decimal(text)
    except InvalidOperation:
        read = Decimal("NaN")
    if isinstance(number, bool) or not read.is_finite() or read < 0:
        raise SettingError(f"the number to find must be a number of at least 0, like 27.3, not {number!r}")
    exponent = read.as_tuple().exponent
    assert isinstance(exponent, int)
    return text, float(read), 0.5 * 10.0 ** min(exponent, 0)


def _candidates(
    metric: str, conventions: Sequence[str], settings: Mapping[str, Any], count: int
) -> Iterator[_Candidate]:
    """Each convention with so many settings switched to other common values."""
    defaults = {setting.name: setting.default for setting in fields(METRICS[metric])}  # type: ignore[arg-type]
    free = [words for words in WORDS[metric].settings if words.tried and words.names[0] not in settings]
    for convention in conventions:
        own = metric_of(metric, convention, settings)
        for chosen in combinations(free, count):
            choices = ([value for value in words.tried if value != getattr(own, words.names[0])] for words in chosen)
            for values in product(*choices):
                switched = {words.names[0]: value for words, value in zip(chosen, values, strict=True)}
                # What depends on a setting that is switched goes back to its default.
                dependent = {name: defaults[name] for words in chosen for name in words.names[1:]}
                try:
                    made = metric_of(metric, convention, {**settings, **dependent, **switched})
                except RefscoreError:
                    continue
                yield _Candidate(convention, switched, made)


def _scored(scorer: Scorer, candidate: _Candidate, scales: Sequence[int], *, with_mean: bool) -> Iterator[Match]:
    try:
        values = [(False, scorer.score(candidate.metric).value)]
        if with_mean:
            values.append((True, scorer.mean_of_segments(candidate.metric)))
    except RefscoreError:
        return
    switched = {name: shown_value(name, value) for name, value in candidate.switched.items()}
    for (is_mean, value), scale in product(values, scales):
        yield Match(candidate.convention, switched, is_mean, value, scale, candidate.metric.signature)


def _says_less(simple: Match, match: Match) -> bool:
    """Whether the one makes the other needless: it is the same with fewer switches, or gives the same where two do."""
    if simple.scale != match.scale or simple.switches >= match.switches:
        return False
    is_part = (
        simple.convention == match.convention
        and simple.switched.items() <= match.switched.items()
        and simple.mean_of_segments <= match.mean_of_segments
    )
    return is_part or (match.switches == 2 and abs(simple.value - match.value) < _SLACK)
