from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from refscore.errors import look_up
from refscore.meetings.diarization import DER, JER
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
    SessionMetric,
)

MEETING_METRICS: Mapping[str, type[SessionMetric[Any]]] = {
    kind.name: kind
    for kind in (
        *(CPWER, ORCWER, TCPWER, TCORCWER, DICPWER, DITCPWER, MIMOWER, GreedyORCWER, GreedyTCORCWER),
        *(DER, JER),
    )
}
"""The error rates by name."""


def meeting_metric(choice: SessionMetric[Any] | str, **settings: Any) -> SessionMetric[Any]:
    """Return the chosen error rate, with other settings if there are any.

    >>> meeting_metric("tcpwer", collar=2).collar, meeting_metric("der:pyannote").collar_sides
    (2.0, 'both')
    """
    if isinstance(choice, SessionMetric):
        return replace(choice, **settings) if settings else choice
    name, colon, preset = choice.partition(":") if isinstance(choice, str) else (choice, "", "")
    kind = look_up("meeting metric", name, MEETING_METRICS)
    start = look_up(f"preset of {kind.name}", preset, kind.presets) if colon else {}
    return kind(**{**start, **settings})
