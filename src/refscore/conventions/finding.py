from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import chain, combinations, product
from typing import Any, ClassVar

from refscore.conventions.scoring import Scorer, ordered_settings, show_number
from refscore.errors import RefscoreError, SettingError
from refscore.metrics import Metric, Preset
from refscore.progress import Progress
from refscore.tables import Column, Result, Table
from refscore.tokenizers import get
from refscore.tokenizers.scripts import tokenizers_for

# The rounding error of a multiplication by 100; far below the last printed digit.
_SLACK = 1e-9
_SHOWN_NEAREST = 5


@dataclass(frozen=True)
class Match:
    """A convention, possibly with switched settings, and its score.

    Args:
        convention: The preset, or "default".
        switched: The settings that differ from the preset, by name, as text.
        mean_of_segments: Whether the value is the segments' mean score.
        value: The score on its own scale, 0..1 for most metrics.
        scale: The factor from the score to the number: 100 or 1.
        signature: The metric's signature.

    Example:
        >>> import refscore
        >>> hypotheses, references = ["The cat sat down."], ["the cat sat down."]
        >>> result = refscore.conventions.compare_conventions(hypotheses, references, "gleu", presets=["nltk"])
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

    def __repr__(self) -> str:
        return f"<match {self.words}: {show_number(self.value, self.scale)}>"

    @property
    def switches(self) -> int:
        """How many settings deviate from the preset."""
        return len(self.switched) + self.mean_of_segments

    @property
    def words(self) -> str:
        """The convention and its changes, in one line."""
        changes = " and ".join(f"{name}={value}" for name, value in self.switched.items())
        text = f"{self.convention} with {changes}" if changes else self.convention
        return f"{text}, as the mean of the segments' scores" if self.mean_of_segments else text

    def to_dict(self) -> dict[str, Any]:
        """Return the match as a dictionary, ready for JSON."""
        data = asdict(self)
        return {"preset": data.pop("convention"), **data}


@dataclass(frozen=True)
class Finding(Result):
    """The settings that give a number, or the closest ones.

    Args:
        metric: The metric's class.
        number: The number as it was written.
        matches: The settings that give the number, those with the fewest switches first.
        nearest: The closest settings, if none gives the number.
        tried: How many different settings were tried.
        untried: Why tokenizers for the script of the text could not be tried, by name.

    Example:
        >>> import refscore
        >>> result = refscore.conventions.compare_conventions(["The cat sat down."], ["the cat sat down."], "gleu")
        >>> print(result.find(77))
        None of 57 settings gives GLEU 77. Closest:
        77.78: default with max_order=2
        77.78: evaluate with max_order=2
        75.00: default with max_order=3
        75.00: evaluate with max_order=3
        75.00: nltk with max_order=1
        >>> result.find("60.00").table().title, result.find("60.00").to_dict()["matches"][0]["preset"]
        ('Settings that give GLEU 60.00', 'nltk')
    """

    schema: ClassVar[str] = "find"

    metric: type[Metric[Any]]
    number: str
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]
    tried: int
    untried: Mapping[str, str] = field(default_factory=dict)

    def table(self, *, digits: int | None = None) -> Table:
        """Return the matches as a table, or the closest settings. `digits` has no effect: tools set the digits."""
        scale = self.metric.printed_scale
        rows = [
            [match.words, *(show_number(match.value, each) for each in (scale, match.scale)), match.signature]
            for match in self.matches or self.nearest
        ]
        numbers = [Column(head, "right") for head in (self.metric.display_name, "as printed")]
        return Table(self._heading(), [Column("convention"), *numbers, Column("signature")], rows, self._note())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary, ready for JSON."""
        return {
            "metric": self.metric.name,
            "number": self.number,
            "tried": self.tried,
            "matches": [match.to_dict() for match in self.matches],
            "nearest": [match.to_dict() for match in self.nearest],
            "untried": dict(self.untried),
        }

    def _heading(self) -> str:
        title = self.metric.display_name
        if self.matches:
            return f"Settings that give {title} {self.number}"
        return f"None of {self.tried:,} settings gives {title} {self.number}. Closest:"

    def _note(self) -> str:
        names = ", ".join(self.untried)
        return f"Not tried: {names} (`refscore tokenize --list` says what they need)" if names else ""

    def __repr__(self) -> str:
        found = f"{len(self.matches)} matches" if self.matches else f"no match, closest {self.nearest[0].words}"
        return f"<search for {self.metric.display_name} {self.number}: {found}>"

    def __str__(self) -> str:
        if not self.matches:
            nearest = (f"{show_number(match.value, match.scale)}: {match.words}" for match in self.nearest)
            return "\n".join(filter(None, [self._heading(), *nearest, self._note()]))
        only_scale = self.metric.printed_scale == 1
        scales = {scale: "" if only_scale else f" on a scale from 0 to {scale}" for scale in (100, 1)}
        title = self.metric.display_name
        return "\n".join(
            f"{self.number}{scales[match.scale]} is the {title} of {match.words}" for match in self.matches
        )


@dataclass(frozen=True)
class _Candidate:
    convention: str
    switched: dict[str, Any]
    metric: Metric[Any]


def find_settings(
    scorer: Scorer,
    kind: type[Metric[Any]],
    conventions: Mapping[str, Preset],
    settings: Mapping[str, Any],
    number: float | str,
    progress: Progress | None = None,
) -> Finding:
    """Search for a number in conventions with up to one switched setting, or two if no convention has the number."""
    text, wanted, reach = _parse_number(number)
    scales = (1,) if kind.printed_scale == 1 else (100, 1)
    tokenizers, untried = _tokenizers_to_try(scorer.sample_text() if "tokenizer" in kind.settings() else "")
    known: set[Metric[Any]] = set()
    tried: list[Match] = []
    matches: list[Match] = []
    for switches in ((0, 1), (2,)):
        # Of equal metrics the one that is reached by the fewest switches, from the first convention, stays.
        candidates = list[_Candidate]()
        for candidate in chain.from_iterable(
            _candidates(kind, conventions, settings, tokenizers, count) for count in switches
        ):
            if candidate.metric not in known:
                known.add(candidate.metric)
                candidates.append(candidate)
        for done, candidate in enumerate(candidates):
            tried += _score(scorer, candidate, scales, with_mean=2 not in switches)
            if progress is not None:
                progress("searching", done + 1, len(candidates))
        matches = [match for match in tried if abs(match.value * match.scale - wanted) <= reach + _SLACK]
        if any(match.switches == 0 for match in matches):
            break
    nearest: list[Match] = []
    if matches:
        matches = [match for match in matches if not any(_is_simpler(other, match) for other in matches)]
        matches.sort(key=lambda match: match.switches)
    else:
        tried.sort(key=lambda match: (round(abs(match.value * match.scale - wanted), 9), match.switches))
        for match in tried:
            if not any(_is_simpler(other, match) and abs(other.value - match.value) < _SLACK for other in nearest):
                nearest.append(match)
            if len(nearest) == _SHOWN_NEAREST:
                break
    count = len({(match.signature, match.mean_of_segments) for match in tried})
    return Finding(kind, text, tuple(matches), tuple(nearest), count, untried)


def _tokenizers_to_try(text: str) -> tuple[list[str], dict[str, str]]:
    """Return the tokenizers for the script of a text, and why others cannot be used."""
    tokenizers: list[str] = []
    untried: dict[str, str] = {}
    for name in tokenizers_for(text):
        try:
            get(name)
            tokenizers.append(name)
        except RefscoreError as error:
            untried[name] = str(error)
    return tokenizers, untried


def _parse_number(number: float | str) -> tuple[str, float, float]:
    """Return the number as written, its value, and how far a value that rounds to it may be."""
    text = str(number).strip()
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if isinstance(number, bool) or not value.is_finite() or value < 0:
        raise SettingError(f"the number to find must be a number of at least 0, like 27.3, not {number!r}")
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return text, float(value), 0.5 * 10.0 ** min(exponent, 0)


def _candidates(
    kind: type[Metric[Any]],
    conventions: Mapping[str, Preset],
    settings: Mapping[str, Any],
    tokenizers: Sequence[str],
    count: int,
) -> Iterator[_Candidate]:
    """Yield each convention with `count` settings switched to other common values, or to one of the tokenizers."""
    defaults = {setting.name: setting.default for setting in kind.settings().values()}
    free = [setting for setting in ordered_settings(kind) if setting.alternatives and setting.name not in settings]
    more = {"tokenizer": tokenizers}
    for convention, preset in conventions.items():
        metric = kind.with_settings({**preset, **settings})
        for chosen in combinations(free, count):
            choices = [
                [
                    value
                    for value in dict.fromkeys([*setting.alternatives, *more.get(setting.name, ())])
                    if value != getattr(metric, setting.name)
                ]
                for setting in chosen
            ]
            # A setting that depends on a switched one gets its default.
            dependent = {name: defaults[name] for setting in chosen for name in setting.names[1:]}
            for values in product(*choices):
                switched = {setting.name: value for setting, value in zip(chosen, values, strict=True)}
                try:
                    changed = kind.with_settings({**preset, **settings, **dependent, **switched})
                except RefscoreError:
                    continue
                yield _Candidate(convention, switched, changed)


def _score(scorer: Scorer, candidate: _Candidate, scales: Sequence[int], *, with_mean: bool) -> Iterator[Match]:
    try:
        values = [(False, scorer.score(candidate.metric).value)]
        if with_mean:
            values.append((True, scorer.mean_of_segments(candidate.metric)))
    except RefscoreError:
        return
    declared = candidate.metric.settings()
    switched = {name: declared[name].show(value) for name, value in candidate.switched.items()}
    for (is_mean, value), scale in product(values, scales):
        yield Match(candidate.convention, switched, is_mean, value, scale, candidate.metric.signature)


def _is_simpler(simple: Match, match: Match) -> bool:
    """Return whether `simple` makes `match` redundant: only some switches, or the same value with fewer."""
    if simple.scale != match.scale or simple.switches >= match.switches:
        return False
    is_part = (
        simple.convention == match.convention
        and simple.switched.items() <= match.switched.items()
        and simple.mean_of_segments <= match.mean_of_segments
    )
    return is_part or (match.switches == 2 and abs(simple.value - match.value) < _SLACK)
