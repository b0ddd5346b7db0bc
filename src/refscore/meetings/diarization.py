"""Error rates of diarization: who spoke when, without words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeVar

import numpy as np

from refscore.meetings.metric import Seconds, SessionMetric
from refscore.metrics import Preset, RowNumber, Rows, Score, Values
from refscore.settings import Flag, choice, setting

S = TypeVar("S", bound=Score)


class DiarizationErrorRate(Score):
    """A diarization error rate, with its parts in seconds. Speakers who talk at once count separately.

    Example:
        >>> from refscore import meetings
        >>> score = meetings.DER().score([1.5, 0.5, 2, 40])
        >>> print(score)
        DER = 10.00 (missed = 1.50 false alarm = 0.50 confusion = 2.00 scored = 40.00)
        >>> score.errors
        4.0
    """

    __slots__ = ()

    missed = RowNumber(0, "The seconds of reference speech without hypothesis speech.")
    false_alarm = RowNumber(1, "The seconds of hypothesis speech without reference speech.")
    confusion = RowNumber(2, "The seconds of speech that have the wrong speaker.")
    scored = RowNumber(3, "The seconds of reference speech.")

    parts = ("missed", "false_alarm", "confusion", "scored")
    parts_text = (
        "missed = {0.missed:.2f} false alarm = {0.false_alarm:.2f} confusion = {0.confusion:.2f} "
        "scored = {0.scored:.2f}"
    )

    @property
    def errors(self) -> float:
        return self.missed + self.false_alarm + self.confusion

    @property
    def value(self) -> float:
        """The errors per second of reference speech. Without such speech, 1 if there are errors, else 0."""
        return self.errors / self.scored if self.scored else float(self.errors > 0)


class JaccardErrorRate(Score):
    """A Jaccard error rate: the mean over the reference speakers.

    Example:
        >>> from refscore import meetings
        >>> print(meetings.JER().score([0.75, 3, 4]))
        JER = 25.00 (speakers = 3 hypothesis speakers = 4)
    """

    __slots__ = ()

    metric: JER

    speaker_errors = RowNumber(0, "The sum of the reference speakers' Jaccard errors.")
    speakers = RowNumber(1, "The number of reference speakers.")
    hypothesis_speakers = RowNumber(2, "The number of hypothesis speakers.")

    parts = ("speaker_errors", "speakers", "hypothesis_speakers")
    parts_text = "speakers = {0.speakers:g} hypothesis speakers = {0.hypothesis_speakers:g}"

    @property
    def value(self) -> float:
        """The mean error. Without reference speakers, 1 if there are hypothesis speakers."""
        if self.speakers:
            return self.speaker_errors / self.speakers
        return float(self.hypothesis_speakers > 0 or self.metric.silence == "wrong")


_PYANNOTE: Mapping[str, Any] = {"collar_sides": "both", "self_overlap": "each"}
_preset = partial(Preset, scale=1)
_percent_preset = partial(Preset, scale=100)


@dataclass(frozen=True, kw_only=True)
class DiarizationMetric(SessionMetric[S]):
    """An error rate of diarization.

    Example:
        >>> from refscore import meetings
        >>> [kind.name for kind in meetings.DiarizationMetric.__subclasses__()]
        ['der', 'jer']
    """

    collar: float = setting(
        0.0,
        "The seconds around each boundary of a reference turn that are not scored.",
        Seconds(),
        key="collar",
        title="collar",
        otherwise="{collar} seconds around boundaries of the reference are not scored",
    )
    collar_sides: str = choice(
        "each",
        "Which side of a boundary the collar's seconds are for.",
        {"each": "the collar is before and after a boundary", "both": "half of the collar is on each side"},
        key="collar_sides",
        title="sides of the collar",
    )
    skip_overlap: bool = setting(
        False,
        "Whether time with several reference speakers is not scored.",
        Flag(),
        key="skip_overlap",
        title="overlapping speech",
        words={False: "overlapping speech is scored", True: "overlapping speech is not scored"},
    )
    self_overlap: str = choice(
        "merged",
        "How turns of one speaker that overlap are counted.",
        {
            "merged": "they are merged first",
            "once": "they count once, but each has collars, and together they are overlapping speech",
            "each": "each counts as a speaker",
        },
        key="self_overlap",
        title="turns of one speaker that overlap",
    )
    extent: str = choice(
        "both",
        "Which time is scored if there is no UEM file.",
        {"both": "from the first to the last turn of both sides", "reference": "the same, of the reference only"},
        key="extent",
        title="time without a UEM file",
    )

    needs_words: ClassVar[bool] = False

    @property
    def collar_seconds(self) -> float:
        """The seconds on each side of a boundary."""
        return self.collar if self.collar_sides == "each" else 0.5 * self.collar


@dataclass(frozen=True, kw_only=True)
class DER(DiarizationMetric[DiarizationErrorRate]):
    """DER: the time that is missed, falsely detected or has the wrong speaker, per time of reference speech.

    Hypothesis speakers are mapped to reference speakers so that they share as much time as possible.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 6), meetings.Utterance("s", "Bob", "", 6, 10)]
        >>> hypothesis = [meetings.Utterance("s", 1, "", 0, 7), meetings.Utterance("s", 2, "", 7, 9)]
        >>> result = meetings.score(reference, hypothesis, "der")
        >>> result.value, result["s"].assignment
        (0.2, (('Ann', 1), ('Bob', 2)))
    """

    name = "der"
    display_name = "DER"
    columns = ("missed", "false_alarm", "confusion", "scored")
    row_type = np.dtype(np.float64)
    papers = (
        "NIST (2009): The 2009 (RT-09) Rich Transcription Meeting Recognition Evaluation Plan.",
        "Bredin (2017): pyannote.metrics: A Toolkit for Reproducible Evaluation, Diagnostic, and Error Analysis of "
        "Speaker Diarization Systems. Interspeech.",
    )
    mapped_time: str = choice(
        "scored",
        "By which time speakers are mapped.",
        {
            "scored": "speakers are mapped by scored time",
            "all": "the same, but also by the time of collars and overlap",
        },
        key="mapped_time",
        title="time for the mapping",
    )
    trim: bool = setting(
        False,
        "Whether turns are cut to the regions of the UEM file before collars are placed.",
        Flag(),
        key="trim",
        title="turns across regions",
        words={False: "turns keep their boundaries", True: "turns are cut at regions, whose boundaries get collars"},
    )
    without_reference: str = choice(
        "scored",
        "What false alarms count in a session without reference speech.",
        {"scored": "they count", "ignored": "the session is ignored"},
        key="without_reference",
        title="sessions without speech",
    )

    presets: ClassVar[Mapping[str, Preset]] = {
        "pyannote": _preset(_PYANNOTE, tool="pyannote.metrics", version="4.2.0", part="DiarizationErrorRate"),
        "md-eval": _percent_preset(
            {"self_overlap": "once", "extent": "reference", "mapped_time": "all", "without_reference": "ignored"},
            tool="md-eval.pl",
            version="22",
            note="it also excludes NOSCORE and NON-LEX lines of an RTTM file, which refscore ignores",
        ),
        "dscore": _percent_preset(
            {"mapped_time": "all", "trim": True, "without_reference": "ignored"},
            tool="dscore",
            version="1.1.0",
            part="DER",
            note="it rounds times to milliseconds",
        ),
    }

    def _values(self, rows: Rows, threads: int | None) -> Values:
        errors, scored = rows[:, :3].sum(1), rows[:, 3]
        return np.asarray(np.where(scored > 0, errors / np.where(scored > 0, scored, 1), errors > 0))


@dataclass(frozen=True, kw_only=True)
class JER(DiarizationMetric[JaccardErrorRate]):
    """JER: the mean over reference speakers of the time that differs from their hypothesis speaker's.

    A speaker's error is 1 minus the time that both share per time of either. Speakers without a counterpart have 1.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 6), meetings.Utterance("s", "Bob", "", 6, 10)]
        >>> hypothesis = [meetings.Utterance("s", 1, "", 0, 8)]
        >>> meetings.score(reference, hypothesis, "jer").value
        0.625
    """

    name = "jer"
    display_name = "JER"
    columns = ("speaker_errors", "speakers", "hypothesis_speakers")
    row_type = np.dtype(np.float64)
    is_bounded: ClassVar[bool] = True
    papers = ("Ryant et al. (2019): The Second DIHARD Diarization Challenge. Interspeech.",)
    mapping: str = choice(
        "time",
        "How speakers are mapped.",
        {"time": "the mapping has the most common time", "jaccard": "the mapping has the lowest error rate"},
        key="mapping",
        title="mapping of speakers",
    )
    step: float = setting(
        0.0,
        "The seconds of a frame. 0 uses the exact times.",
        Seconds(),
        key="step",
        title="frames",
        words={0.0: "times are exact"},
        otherwise="times are rounded to frames of {step} seconds",
    )
    silence: str = choice(
        "right",
        "What a session counts in which nobody speaks on either side.",
        {"right": "the error rate is 0", "wrong": "the error rate is 1"},
        key="silence",
        title="sessions without speech",
    )

    presets: ClassVar[Mapping[str, Preset]] = {
        "pyannote": _preset(
            {**_PYANNOTE, "silence": "wrong"}, tool="pyannote.metrics", version="4.2.0", part="JaccardErrorRate"
        ),
        "dscore": _percent_preset({"mapping": "jaccard", "step": 0.01}, tool="dscore", version="1.1.0", part="JER"),
    }

    def _values(self, rows: Rows, threads: int | None) -> Values:
        speakers = rows[:, 1]
        empty = (rows[:, 2] > 0) | (self.silence == "wrong")
        return np.asarray(np.where(speakers > 0, rows[:, 0] / np.where(speakers > 0, speakers, 1), empty))
