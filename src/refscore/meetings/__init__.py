"""Word error rates of meetings with several speakers: cpWER, ORC-WER, tcpWER and tcORC-WER, as meeteval computes them.

Watanabe et al. (2020): CHiME-6 Challenge. CHiME Workshop. Sklyar et al. (2022): Multi-Turn RNN-T for Streaming
Recognition of Multi-Party Speech. ICASSP. von Neumann et al. (2023): MeetEval: A Toolkit for Computation of Word Error
Rates for Meeting Transcription Systems. CHiME Workshop.
"""

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
from refscore.meetings.scoring import MeetingWarning, cpwer, orcwer, score, tcorcwer, tcpwer
from refscore.meetings.systems import MeetingScores, score_systems
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
    "MeetingScores",
    "MeetingWarning",
    "PairErrors",
    "SelfOverlap",
    "SessionErrors",
    "TimedMeetingMetric",
    "Utterance",
    "assign_speakers",
    "cpwer",
    "orcwer",
    "read_turns",
    "read_utterances",
    "score",
    "score_systems",
    "tcorcwer",
    "tcpwer",
]
