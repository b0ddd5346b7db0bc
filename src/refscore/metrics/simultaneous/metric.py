from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, ClassVar, Literal

from refscore.errors import InputError
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.python_metric import PythonMetric, PythonScore
from refscore.metrics.core.score import RowCount
from refscore.metrics.simultaneous import measures
from refscore.metrics.simultaneous.measures import Instance
from refscore.settings import Choice, choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting

_NAMES = {"al": "AL", "laal": "LAAL", "ap": "AP", "dal": "DAL", "atd": "ATD", "yaal": "YAAL"}
_DEFAULTS = ("laal", "delays")
# The keys of SimulEval's logs and of OmniSTEval's.
_KEYS = {"delays": ("delays", "emission_cu"), "elapsed": ("elapsed", "emission_ca")}


def _simuleval(measure: str, clock: str) -> Preset:
    settings = {name: value for name, value in {"measure": measure, "clock": clock}.items() if value not in _DEFAULTS}
    part = f"{_NAMES[measure]}{'_CA' * (clock == 'elapsed')}"
    return Preset(settings, tool="SimulEval", version="1.1.4", part=part, scale=1)


class LatencyScore(PythonScore):
    """A mean latency over instances.

    Example:
        >>> import refscore
        >>> line = '{"delays": [1000, 1000, 2000], "source_length": 2000, "reference": "it rained today"}'
        >>> score = refscore.metrics.latency([line, "{}"])
        >>> print(score)
        LAAL = 666.67 (instances = 1 skipped = 1)
        >>> score.signature.partition("|norm")[2]
        ':none|tok:text|measure:laal|clock:delays|unit:word|source:speech|long:no|version:0.1.0'
    """

    __slots__ = ()

    metric: Latency

    instances = RowCount(1, "The number of instances with delays.")
    skipped = RowCount(2, "The number of other instances, such as those with an empty prediction.")
    parts = ("instances", "skipped")

    def details(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.parts}

    def __str__(self) -> str:
        return f"{self.metric.title} = {self.value:.2f} (instances = {self.instances} skipped = {self.skipped})"


@dataclass(frozen=True, kw_only=True)
class Latency(PythonMetric):
    """Latency of simultaneous translation: how long after its source each word appears. It needs no references.

    A segment is a line of SimulEval's `instances.log`, or of OmniSTEval's `instances.resegmented.jsonl`: an object with
    `delays`, `source_length`, `reference` and, for the time that computing takes, `elapsed`. The result is the mean of
    the instances, in milliseconds for speech. Instances without delays are skipped, such as empty predictions.

    Example:
        >>> import refscore
        >>> line = '{"delays": [1, 2, 3, 3], "source_length": 3, "reference": "it rained all day"}'
        >>> for preset in ("al", "dal", "ap"):
        ...     print(preset, refscore.metrics.Latency.preset(preset).segment(line, None).value)
        al 1.25
        dal 1.3125
        ap 0.75
    """

    tokenizer: AnyTokenizer = tokenizer_setting("text", "text", note='"text" leaves the line unchanged.')
    measure: Literal["al", "laal", "ap", "dal", "atd", "yaal"] = choice(
        "laal",
        "The measure of an instance.",
        {
            "al": "the latency is AL, average lagging",
            "laal": "the latency is LAAL, length-adaptive average lagging",
            "ap": "the latency is AP, average proportion",
            "dal": "the latency is DAL, differentiable average lagging",
            "atd": "the latency is ATD, average token delay",
            "yaal": "the latency is YAAL, yet another average lagging",
        },
        key="measure",
        title="measure",
    )
    clock: Literal["delays", "elapsed"] = choice(
        "delays",
        "Whether the time that computing takes counts.",
        {
            "delays": "computing takes no time",
            "elapsed": "the time that computing takes counts (computation-aware)",
        },
        key="clock",
        title="clock",
    )
    unit: Literal["word", "char"] = choice(
        "word",
        "What the length of the reference counts.",
        {
            "word": "the length of the reference is its number of words",
            "char": "the length of the reference is its number of characters",
        },
        key="unit",
        title="unit of the reference",
    )
    source: Literal["speech", "text"] = choice(
        "speech",
        "The kind of source, for `measure='atd'`.",
        {
            "speech": "words of the source take 300 ms, and words of the hypothesis no time (ATD)",
            "text": "words take the time 1 (ATD)",
        },
        key="source",
        title="source",
    )
    is_long: bool = setting(
        False,
        "Whether instances are parts of a recording, so words may appear after their source, for `measure='yaal'`.",
        Choice({True: "yes", False: "no"}),
        key="long",
        title="long form",
        words={
            True: "words that appear after their source count, up to the end of the recording (YAAL)",
            False: "words that appear after their source do not count (YAAL)",
        },
    )

    name = "latency"
    display_name = "Latency"
    score_type = LatencyScore
    needs_references = False
    needs_words = False
    higher_is_better = False
    is_bounded = False
    printed_scale = 1
    columns = ("latency", "instances", "skipped")
    steps_module = "refscore.metrics.simultaneous.steps"
    papers = (
        "Ma, Huang, Xiong, Zheng, Liu, Zheng, Zhang, He, Liu, Li, Wu, Wang (2019): STACL: Simultaneous Translation "
        "with Implicit Anticipation and Controllable Latency using Prefix-to-Prefix Framework. ACL.",
        "Papi, Gaido, Negri, Turchi (2022): Over-Generation Cannot Be Rewarded: Length-Adaptive Average Lagging for "
        "Simultaneous Speech Translation. AutoSimTrans.",
        "Kano, Sudoh, Nakamura (2023): Average Token Delay: A Latency Metric for Simultaneous Translation. "
        "Interspeech.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        **{name: _simuleval(name, "delays") for name in ("al", "laal", "ap", "dal", "atd")},
        **{f"{name}-ca": _simuleval(name, "elapsed") for name in ("al", "laal", "ap", "dal", "atd")},
        "yaal": Preset({"measure": "yaal"}, tool="OmniSTEval", version="0.1.10", part="YAAL", scale=1),
        "longyaal": Preset(
            {"measure": "yaal", "is_long": True}, tool="OmniSTEval", version="0.1.10", part="LongYAAL", scale=1
        ),
    }

    @property
    def title(self) -> str:
        """The measure's name."""
        return f"{'Long' * self.is_long}{_NAMES[self.measure]}{'_CA' * (self.clock == 'elapsed')}"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        measure, _, clock = title.lower().partition("_")
        is_long = measure.startswith("long")
        measure = measure.removeprefix("long")
        if measure not in _NAMES or clock not in ("", "ca"):
            return super().parse_title(title)
        return {"measure": measure, "clock": "elapsed" if clock else "delays", "is_long": is_long}

    def row(self, hypothesis: tuple[Any, ...], references: tuple[tuple[Any, ...], ...]) -> Sequence[float]:
        """Return the latency, and whether the instance counts or is skipped."""
        instance = self.instance(" ".join(map(str, hypothesis)))
        value = None if instance is None else self._latency(instance)
        return (0, 0, 1) if value is None else (value, 1, 0)

    def value(self, row: Sequence[float]) -> float:
        """Return the mean latency, or 0 if all instances are skipped."""
        return row[0] / row[1] if row[1] else 0.0

    def instance(self, line: str) -> Instance | None:
        """Return the numbers of a log's line, or None if it has no delays.

        Example:
            >>> import refscore
            >>> refscore.metrics.Latency().instance('{"delays": [2], "source_length": 2, "reference": "a b"}')
            Instance(times=[2.0], delays=[2.0], source_length=2.0, reference_length=2, recording_end=inf)
        """
        content = _parsed(line)
        times = _times(content, self.clock)
        delays = _times(content, "delays") if self.measure == "atd" and self.clock != "delays" else times
        if not times or (self.measure == "atd" and not delays):
            return None
        if self.measure == "atd" and len(times) != len(delays):
            raise InputError(None, f"elapsed has {len(times)} times, but delays has {len(delays)}")
        if content.get("source_length") is None and "emission_cu" in content and self.measure != "yaal":
            return None  # OmniSTEval skips it
        length = 1.0 if self.measure == "atd" else _number(content.get("source_length"), "source_length")
        if length <= 0:
            raise InputError(None, "source_length is not greater than 0", "remove the instance from the log")
        reference = content.get("reference", "")
        if reference is None:
            words = len(times)
        elif isinstance(reference, str):
            words = len(reference.split(" ")) if self.unit == "word" else len(reference.strip())
        else:
            raise InputError(None, "reference is not a text")
        divides = self.measure == "ap" or (self.measure == "al" and times[0] <= length)
        if not words and divides:
            raise InputError(None, "reference is empty, so there is no latency per character", "add the reference")
        end = content.get("time_to_recording_end")
        return Instance(times, delays, length, words, inf if end is None else _number(end, "time_to_recording_end"))

    def _latency(self, instance: Instance) -> float | None:
        if self.measure == "atd":
            return measures.average_token_delay(instance, is_text=self.source == "text")
        if self.measure == "yaal":
            return measures.yet_another_lagging(instance, is_long=self.is_long)
        return _MEASURES[self.measure](instance)


_MEASURES = {
    "al": measures.average_lagging,
    "laal": measures.length_adaptive_lagging,
    "ap": measures.average_proportion,
    "dal": measures.differentiable_lagging,
}


def _parsed(line: str) -> dict[str, Any]:
    if not line.lstrip().startswith("{"):
        return {}
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(None, f"is not JSON: {error}", "pass a line of instances.log") from None
    return content if isinstance(content, dict) else {}


def _times(content: Mapping[str, Any], clock: str) -> list[float]:
    values: Any = next((content[key] for key in _KEYS[clock] if content.get(key) is not None), [])
    if not isinstance(values, list):
        raise InputError(None, f"{clock} is not a list of times")
    # The usual case, checked much faster than number by number.
    try:
        numbers = [*map(float, values)] if {*map(type, values)} <= {int, float} else [inf]
    except OverflowError:
        numbers = [inf]
    if all(map(isfinite, numbers)):
        return numbers
    return [_number(value, clock) for value in values]


def _number(value: Any, name: str) -> float:
    try:
        number = float(value) if isinstance(value, (int, float)) else inf
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise InputError(None, f"{name} is not a finite number" if value is not None else f"{name} is missing")
    return number


latency = corpus_function(Latency)
