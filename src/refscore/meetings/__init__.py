"""Word error rates for meetings with several speakers, as meeteval computes them."""

from refscore.meetings.evaluate import evaluate
from refscore.meetings.metric import (
    CPWER,
    MEETING_METRICS,
    ORCWER,
    TCORCWER,
    TCPWER,
    MeetingErrorRate,
    MeetingMetric,
    TimedMeetingMetric,
)
from refscore.meetings.readers import read_turns, read_utterances
from refscore.meetings.results import MeetingScore, PairErrors, SelfOverlap, SessionErrors
from refscore.meetings.scoring import MeetingWarning, score
from refscore.meetings.turns import assign_speakers
from refscore.meetings.utterances import Utterance

__all__ = [
    "CPWER",
    "MEETING_METRICS",
    "ORCWER",
    "TCORCWER",
    "TCPWER",
    "MeetingErrorRate",
    "MeetingMetric",
    "MeetingScore",
    "MeetingWarning",
    "PairErrors",
    "SelfOverlap",
    "SessionErrors",
    "TimedMeetingMetric",
    "Utterance",
    "assign_speakers",
    "evaluate",
    "read_turns",
    "read_utterances",
    "score",
]
