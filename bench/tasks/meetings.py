"""Word error rates of meetings. meeteval only uses one thread, as refscore does for one session."""

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


TASKS = (meeting_cpwer, meeting_tcpwer, meeting_orcwer, meeting_tcorcwer)
