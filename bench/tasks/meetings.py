"""Error rates of meetings. meeteval and pyannote only use one thread, as refscore does for one session."""

from __future__ import annotations

import copy
import warnings
from typing import Any

from bench import meeting_peers as peers
from bench.contestants import peer
from bench.data import Corpus
from bench.timing import Contestant, Task, timed
from refscore import meetings


def _task(name: str, title: str, metric: str, seed: int, size: tuple[int, int, int], **settings: Any) -> Task:
    sides = peers.meeting(seed, *size)

    def run(given: Any) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", meetings.MeetingWarning)
            reference, hypothesis = given
            return meetings.score(reference, hypothesis, metric, **settings).value

    contestants = [
        Contestant("refscore", "1", lambda: timed(lambda: copy.deepcopy(sides), run)),
        peer(
            "meeteval",
            peers.meeteval,
            lambda given: peers.rate(metric, given, **settings),
            sides,
            lambda: run(sides),
            copy=copy.deepcopy,
        ),
    ]
    return Task(name, title, "words/s", contestants, size[1])


def meeting_cpwer(corpus: Corpus, seed: int) -> Task:
    """Time cpWER of a long meeting."""
    return _task("meeting-cpwer", "cpWER of 8 speakers, 10,000 words, one hour", "cpwer", seed, (8, 10_000, 60))


def meeting_tcpwer(corpus: Corpus, seed: int) -> Task:
    """Time tcpWER of a long meeting."""
    title = "tcpWER of 8 speakers, 10,000 words, one hour, collar 5 s"
    return _task("meeting-tcpwer", title, "tcpwer", seed, (8, 10_000, 60), collar=5)


def meeting_orcwer(corpus: Corpus, seed: int) -> Task:
    """Time ORC-WER of a short meeting."""
    return _task("meeting-orcwer", "ORC-WER of 2 streams, 600 words", "orcwer", seed, (2, 600, 4))


def meeting_tcorcwer(corpus: Corpus, seed: int) -> Task:
    """Time tcORC-WER of a short meeting."""
    title = "tcORC-WER of 2 streams, 600 words, collar 5 s"
    return _task("meeting-tcorcwer", title, "tcorcwer", seed, (2, 600, 4), collar=5)


def meeting_greedy_orcwer(corpus: Corpus, seed: int) -> Task:
    """Time greedy ORC-WER of a long meeting."""
    return _task(
        "meeting-greedy-orcwer", "greedy ORC-WER of 4 streams, 3,000 words", "greedy_orcwer", seed, (4, 3_000, 20)
    )


def meeting_dicpwer(corpus: Corpus, seed: int) -> Task:
    """Time DI-cpWER of a long meeting."""
    return _task("meeting-dicpwer", "DI-cpWER of 4 speakers, 3,000 words", "dicpwer", seed, (4, 3_000, 20))


def meeting_mimower(corpus: Corpus, seed: int) -> Task:
    """Time MIMO-WER of a short meeting."""
    return _task("meeting-mimower", "MIMO-WER of 2 streams, 200 words", "mimower", seed, (2, 200, 2))


def _diarization_task(name: str, title: str, metric: str, **settings: Any) -> Task:
    sides = peers.meeting(1, 8, 10_000, 60)
    annotations = peers.as_annotations(sides) if peers.pyannote else []

    def run(given: Any) -> float:
        reference, hypothesis = given
        return meetings.score(reference, hypothesis, f"{metric}:pyannote", **settings).value

    contestants = [
        Contestant("refscore", "1", lambda: timed(lambda: sides, run)),
        peer(
            "pyannote",
            peers.pyannote,
            lambda given: peers.diarization_rate(metric, given, **settings),
            annotations,
            lambda: run(sides),
            copy=lambda given: given,
        ),
    ]
    return Task(name, title, "turns/s", contestants, len(sides[0]) + len(sides[1]))


def diarization_der(corpus: Corpus, seed: int) -> Task:
    """Time DER of a long meeting."""
    return _diarization_task("diarization-der", "DER of 8 speakers, one hour, 1,800 turns, collar", "der", collar=0.5)


def diarization_jer(corpus: Corpus, seed: int) -> Task:
    """Time JER of a long meeting."""
    return _diarization_task("diarization-jer", "JER of 8 speakers, one hour, 1,800 turns", "jer")


TASKS = (
    *(meeting_cpwer, meeting_tcpwer, meeting_orcwer, meeting_tcorcwer),
    *(meeting_greedy_orcwer, meeting_dicpwer, meeting_mimower, diarization_der, diarization_jer),
)
