"""Error rates for meetings with several speakers: of words, as meeteval computes them, and of diarization."""

from refscore.meetings.choices import MEETING_METRICS
from refscore.meetings.diarization import DER, JER, DiarizationErrorRate, DiarizationMetric, JaccardErrorRate
from refscore.meetings.diarization_results import DiarizationErrors, DiarizationScore, SpeakerErrors
from refscore.meetings.error_sources import ErrorSources, SplitErrors, split_errors
from refscore.meetings.evaluate import evaluate
from refscore.meetings.metric import (
    CPWER,
    DICPWER,
    DITCPWER,
    MIMOWER,
    ORCWER,
    TCORCWER,
    TCPWER,
    GreedyORCWER,
    GreedyTCORCWER,
    MeetingErrorRate,
    MeetingMetric,
    SessionMetric,
    TimedMeetingMetric,
)
from refscore.meetings.readers import read_turns, read_utterances
from refscore.meetings.regions import read_uem
from refscore.meetings.results import MeetingScore, PairErrors, SelfOverlap, SessionErrors, SessionScores
from refscore.meetings.scoring import MeetingWarning, score
from refscore.meetings.timeline import Timeline, TimelinePart, TimelineRow, timeline
from refscore.meetings.turns import assign_speakers
from refscore.meetings.utterances import Utterance

__all__ = [
    "CPWER",
    "DER",
    "DICPWER",
    "DITCPWER",
    "JER",
    "MEETING_METRICS",
    "MIMOWER",
    "ORCWER",
    "TCORCWER",
    "TCPWER",
    "DiarizationErrorRate",
    "DiarizationErrors",
    "DiarizationMetric",
    "DiarizationScore",
    "ErrorSources",
    "GreedyORCWER",
    "GreedyTCORCWER",
    "JaccardErrorRate",
    "MeetingErrorRate",
    "MeetingMetric",
    "MeetingScore",
    "MeetingWarning",
    "PairErrors",
    "SelfOverlap",
    "SessionErrors",
    "SessionMetric",
    "SessionScores",
    "SpeakerErrors",
    "SplitErrors",
    "TimedMeetingMetric",
    "Timeline",
    "TimelinePart",
    "TimelineRow",
    "Utterance",
    "assign_speakers",
    "evaluate",
    "read_turns",
    "read_uem",
    "read_utterances",
    "score",
    "split_errors",
    "timeline",
]
