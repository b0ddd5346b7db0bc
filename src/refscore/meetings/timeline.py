"""A picture of a session: who spoke when on both sides, with errors marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from refscore.cached import cached_property
from refscore.errors import InputError, Location, SettingError, look_up
from refscore.meetings.choices import meeting_metric
from refscore.meetings.diarization import DiarizationMetric
from refscore.meetings.diarization_results import DiarizationErrors
from refscore.meetings.metric import SessionMetric
from refscore.meetings.regions import UEM, parse_uem
from refscore.meetings.sessions import SessionSide
from refscore.meetings.speech import score_turns
from refscore.meetings.utterances import Utterance, Utterances, parse_side
from refscore.tables import Column, Result, Table
from refscore.tables.html import escape_text, fragment
from refscore.text_display import all_visible, display_width, pad

State = Literal["right", "missed", "false alarm", "wrong speaker", "not scored"]

SIGNS: dict[str, str] = {"right": "=", "missed": "-", "false alarm": "+", "wrong speaker": "x", "not scored": "."}

# The picture has this many columns as text, and as HTML.
TEXT_COLUMNS = 60
HTML_COLUMNS = 1_000

_STYLE = """
.refscore-timeline { max-width: 72rem; font: 0.9rem/1.4 system-ui, sans-serif; }
.refscore-timeline .speaker { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; margin: 0.15rem 0; }
.refscore-timeline .speaker span { flex: 0 0 12rem; overflow-wrap: anywhere; }
.refscore-timeline .speaker.reference { margin-top: 0.6rem; }
.refscore-timeline svg { flex: 1 1 15rem; height: 1.1rem; background: #8883; }
.refscore-timeline p span { white-space: nowrap; }
.refscore-timeline i { display: inline-block; width: 0.8rem; height: 0.8rem; margin: 0 0.3rem 0 0.9rem; }
.refscore-timeline .note { font-size: 0.8rem; overflow-wrap: anywhere; }
.refscore-timeline .right { fill: #2f9e75; background: #2f9e75; }
.refscore-timeline .missed { fill: #8a6fe8; background: #8a6fe8; }
.refscore-timeline .false { fill: #d98a00; background: #d98a00; }
.refscore-timeline .wrong { fill: #e0445c; background: #e0445c; }
.refscore-timeline .not { fill: #8889; background: #8889; }
"""


@dataclass(frozen=True)
class TimelinePart:
    """A part of a speaker's time, with the same state throughout.

    Attributes:
        begin: When it begins, in seconds.
        end: When it ends.
        state: "right", "missed", "false alarm", "wrong speaker" or "not scored".

    Example:
        >>> from refscore.meetings import TimelinePart
        >>> TimelinePart(0.0, 1.5, "missed").state
        'missed'
    """

    begin: float
    end: float
    state: State


@dataclass(frozen=True)
class TimelineRow:
    """A speaker's row.

    Attributes:
        side: "reference" or "hypothesis".
        speaker: The speaker.
        parts: When the speaker speaks, in order.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 4)]
        >>> meetings.timeline(reference, [meetings.Utterance("s", 1, "", 1, 4)]).rows[0].parts
        (TimelinePart(begin=0.0, end=1.0, state='missed'), TimelinePart(begin=1.0, end=4.0, state='right'))
    """

    side: Literal["reference", "hypothesis"]
    speaker: Hashable
    parts: tuple[TimelinePart, ...]

    def states(self, begin: float, end: float, columns: int) -> list[State | None]:
        """Return the state of each column: the one that lasts longest in it, or None for silence."""
        width = (end - begin) / columns or 1.0
        seconds: list[defaultdict[State, float]] = [defaultdict(float) for _ in range(columns)]
        for part in self.parts:
            first = max(0, int((part.begin - begin) / width))
            for column in range(first, min(columns, int((part.end - begin) / width) + 1)):
                left, right = begin + column * width, begin + (column + 1) * width
                seconds[column][part.state] += max(0.0, min(part.end, right) - max(part.begin, left))
        longest = [max(each.items(), key=lambda item: item[1], default=None) for each in seconds]
        return [each[0] if each is not None and each[1] > 0 else None for each in longest]


@dataclass(frozen=True, eq=False, repr=False)
class Timeline(Result):
    """Who spoke when in a session, with errors marked. It prints as text, and shows as HTML in a notebook.

    Each reference speaker is above the hypothesis speaker who shares the most time.

    Attributes:
        metric: The metric, DER or JER with all settings.
        session_id: The session.
        begin: The begin of the first turn, in seconds.
        end: The end of the last turn.
        rows: The speakers of both sides.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 30), meetings.Utterance("s", "Bob", "", 30, 60)]
        >>> hypothesis = [meetings.Utterance("s", 1, "", 0, 35), meetings.Utterance("s", 2, "", 40, 60)]
        >>> print(meetings.timeline(reference, hypothesis))  # doctest: +ELLIPSIS
        s: 0:00:00 to 0:01:00, 1.00 seconds per sign
        Ann  reference   ==============================
        1    hypothesis  ==============================xxxxx
        Bob  reference                                 xxxxx-----====================
        2    hypothesis                                          ====================
        = right  - missed  + false alarm  x wrong speaker  . not scored
        <BLANKLINE>
        der|collar:0|collar_sides:each|skip_overlap:no|self_overlap:merged|extent:both|mapped_time:scored|...
    """

    schema: ClassVar[str] = "timeline"

    metric: DiarizationMetric[Any]
    session_id: str
    begin: float
    end: float
    rows: tuple[TimelineRow, ...]

    @property
    def signature(self) -> str:
        """All settings as text."""
        return self.metric.signature

    def table(self, *, digits: int | None = None) -> Table:
        """Return a table with the seconds of each speaker by state. `digits` are the decimals, 2 by default."""
        decimals = 2 if digits is None else digits
        rows = []
        for row in self.rows:
            seconds = dict.fromkeys(SIGNS, 0.0)
            for part in row.parts:
                seconds[part.state] += part.end - part.begin
            rows.append([str(row.speaker), row.side, *(f"{each:,.{decimals}f}" for each in seconds.values())])
        return Table("", [Column("speaker"), Column("side"), *(Column(state, "right") for state in SIGNS)], rows)

    def flat_table(self) -> Table:
        """Return a table with each part, for programs."""
        rows = [
            [str(row.speaker), row.side, str(part.begin), str(part.end), part.state]
            for row in self.rows
            for part in row.parts
        ]
        return Table("", map(Column, ("speaker", "side", "begin", "end", "state")), rows)

    def tables(self, *, digits: int | None = None) -> Sequence[Table]:
        """Return no tables: the picture shows everything."""
        return ()

    @property
    def all_signatures(self) -> Sequence[str]:
        return ()  # the picture has it below

    @property
    def details(self) -> Sequence[Any]:
        return [_Picture(self)]

    @property
    def head(self) -> str:  # type: ignore[override]
        title = f"<title>{escape_text(self.session_id)}: who spoke when</title>"
        return f'<meta name="color-scheme" content="light dark">\n{title}\n'

    def to_dict(self) -> dict[str, Any]:
        """Return the speakers and their parts, for JSON."""
        return {
            "signature": self.signature,
            "session_id": self.session_id,
            "begin": self.begin,
            "end": self.end,
            "rows": [
                {"side": row.side, "speaker": str(row.speaker), "parts": [vars(part) for part in row.parts]}
                for row in self.rows
            ],
        }

    def __repr__(self) -> str:
        return f"<timeline of {self.session_id}>"


@dataclass(frozen=True)
class _Picture:
    timeline: Timeline

    def render_as(self, form: str) -> str:
        if form == "html":
            return self._html()
        from refscore.tables import verbatim

        return self._text() if form == "text" else verbatim(self._text(), form)

    def __rich__(self) -> str:
        return self._text().replace("[", "\\[")

    @cached_property
    def _span(self) -> str:
        return f"{_clock(self.timeline.begin)} to {_clock(self.timeline.end)}"

    def _text(self) -> str:
        timeline = self.timeline
        names = all_visible([str(row.speaker)[:30] for row in timeline.rows])
        width = max(map(display_width, names), default=0)
        seconds = (timeline.end - timeline.begin) / TEXT_COLUMNS
        lines = [f"{timeline.session_id}: {self._span}, {seconds:.2f} seconds per sign"]
        for name, row in zip(names, timeline.rows, strict=True):
            states = row.states(timeline.begin, timeline.end, TEXT_COLUMNS)
            signs = "".join(" " if state is None else SIGNS[state] for state in states)
            lines.append(f"{pad(name, width)}  {row.side:10}  {signs}".rstrip())
        legend = "  ".join(f"{sign} {state}" for state, sign in SIGNS.items())
        return "\n".join([*lines, legend, "", timeline.signature])

    def _html(self) -> str:
        timeline = self.timeline
        title = f"<h3>{escape_text(timeline.session_id)}: who spoke when</h3>"
        legend = " ".join(f'<span><i class="{state.split()[0]}"></i>{state}</span>' for state in SIGNS)
        blocks = [title, f"<p>{self._span}. {legend}</p>"]
        for row in timeline.rows:
            speaker = escape_text(str(row.speaker))
            blocks.append(
                f'<div class="speaker {row.side}"><span>{speaker} ({row.side})</span>'
                f'<svg viewBox="0 0 {HTML_COLUMNS} 10" preserveAspectRatio="none" role="img" '
                f'aria-label="{escape_text(self._spoken(row))}">{"".join(self._boxes(row))}</svg></div>'
            )
        blocks.append(f'<p class="note">{escape_text(timeline.signature)}</p>')
        return fragment(*blocks, name="refscore-timeline", css=_STYLE)

    def _boxes(self, row: TimelineRow) -> Iterator[str]:
        states = row.states(self.timeline.begin, self.timeline.end, HTML_COLUMNS)
        start = 0
        for column in range(1, len(states) + 1):
            if column < len(states) and states[column] == states[start]:
                continue
            state = states[start]
            if state is not None:
                name = state.split()[0]
                box = f'<rect class="{name}" x="{start}" width="{column - start}" height="10">'
                yield f"{box}<title>{state}</title></rect>"
            start = column

    def _spoken(self, row: TimelineRow) -> str:
        seconds: defaultdict[str, float] = defaultdict(float)
        for part in row.parts:
            seconds[part.state] += part.end - part.begin
        return ", ".join(f"{state} {each:.1f} seconds" for state, each in seconds.items()) or "silent"


def _clock(seconds: float) -> str:
    whole = abs(int(seconds))
    sign = "-" if seconds < 0 and whole else ""
    return f"{sign}{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def timeline(
    reference: Utterances,
    hypothesis: Utterances,
    session_id: str | None = None,
    metric: SessionMetric[Any] | str = "der",
    *,
    uem: UEM | None = None,
    format: str | None = None,
    **settings: object,
) -> Timeline:
    """Return a picture of who spoke when in a session, with errors marked.

    Args:
        reference: The reference turns: a file or several files, or a list. Takes the same as `score`.
        hypothesis: The same for the hypothesis.
        session_id: The session, by default the first.
        metric: DER or JER, or its name, which decides how speakers are mapped and what time is scored.
        uem: The time that is scored, as in `score`.
        format: The file format. By default it follows from the endings.
        **settings: The error rate's settings, such as `collar`.

    Example:
        >>> from refscore import meetings
        >>> turns = [meetings.Utterance("s", "Ann", "", 0, 4)]
        >>> meetings.timeline(turns, turns, "s", "der:pyannote", collar=0.5)
        <timeline of s>
    """
    metric = meeting_metric(metric, **settings)
    if not isinstance(metric, DiarizationMetric):
        raise SettingError(f"a timeline shows der or jer, not {metric.name}")
    sides = [
        parse_side(name, given, format, needs_words=False)
        for name, given in (("reference", reference), ("hypothesis", hypothesis))
    ]
    sessions = dict.fromkeys(each.session_id for side in sides for each in side.utterances)
    if not sessions:
        raise InputError(Location("reference"), "has no turns", "pass at least one")
    chosen = next(iter(sessions)) if session_id is None else session_id
    look_up("session", chosen, sessions)
    indexes = [[k for k, each in enumerate(side.utterances) if each.session_id == chosen] for side in sides]
    regions = parse_uem(uem)
    scored = None if regions is None else regions.get(chosen, [])
    session = [SessionSide(side, each) for side, each in zip(sides, indexes, strict=True)]
    errors = score_turns(metric, chosen, session[0], session[1], scored)
    own = [[side.utterances[k] for k in each] for side, each in zip(sides, indexes, strict=True)]
    return Timeline(metric, chosen, *_extent(own), _rows(errors, *own))


def _extent(sides: Sequence[Sequence[Utterance]]) -> tuple[float, float]:
    times = [float(time) for side in sides for each in side for time in _times(each)]
    return (min(times), max(times)) if times else (0.0, 0.0)


def _times(utterance: Utterance) -> tuple[float, float]:
    return float(utterance.start_time or 0), float(utterance.end_time or 0)


def _rows(
    errors: DiarizationErrors, reference: Sequence[Utterance], hypothesis: Sequence[Utterance]
) -> tuple[TimelineRow, ...]:
    mapped = dict(errors.assignment)
    heard_of = {heard: spoken for spoken, heard in errors.assignment if heard is not None}
    parts: defaultdict[tuple[str, Hashable], list[TimelinePart]] = defaultdict(list)
    for begin, end, is_scored, spoken, heard in _intervals(errors, reference, hypothesis):
        right = {name for name in spoken if mapped.get(name) in heard and mapped.get(name) is not None}
        wrong = [name for name in spoken if name not in right]
        false = [name for name in heard if heard_of.get(name) not in right]
        confused = min(len(wrong), len(false))
        for side, names, rest, error in (
            ("reference", spoken, wrong, "missed"),
            ("hypothesis", heard, false, "false alarm"),
        ):
            for name in names:
                state: Any = "right"
                if name in rest:
                    state = "wrong speaker" if rest.index(name) < confused else error
                _append(parts[side, name], TimelinePart(begin, end, state if is_scored else "not scored"))
    order: list[tuple[Any, Hashable]] = []
    for name in dict.fromkeys(each.speaker for each in reference):
        order.append(("reference", name))
        if mapped.get(name) is not None:
            order.append(("hypothesis", mapped[name]))
    order += [
        ("hypothesis", name) for name in dict.fromkeys(each.speaker for each in hypothesis) if name not in heard_of
    ]
    return tuple(TimelineRow(side, name, tuple(parts[side, name])) for side, name in order)


def _append(parts: list[TimelinePart], part: TimelinePart) -> None:
    """Add a part, which extends the last one if it has the same state and no gap."""
    if parts and parts[-1].state == part.state and parts[-1].end == part.begin:
        part = TimelinePart(parts.pop().begin, part.end, part.state)
    parts.append(part)


def _intervals(
    errors: DiarizationErrors, reference: Sequence[Utterance], hypothesis: Sequence[Utterance]
) -> Iterator[tuple[float, float, bool, list[Hashable], list[Hashable]]]:
    """Yield each interval between neighbouring boundaries with the speakers of both sides."""
    events: list[tuple[float, int, int, Hashable]] = []
    for side, utterances in enumerate((reference, hypothesis)):
        for each in utterances:
            begin, end = _times(each)
            if begin < end:
                events += [(begin, side, 1, each.speaker), (end, side, -1, each.speaker)]
    events += [
        (time, 2, change, None) for region in errors.regions for time, change in zip(region, (1, -1), strict=True)
    ]
    events.sort(key=lambda event: event[0])
    active: list[dict[Hashable, int]] = [{}, {}, {}]
    last = events[0][0] if events else 0.0
    for time, side, change, name in events:
        if time > last and (active[0] or active[1]):
            yield last, time, bool(active[2]), [*active[0]], [*active[1]]
        last = time
        count = active[side].get(name, 0) + change
        active[side][name] = count
        if not count:
            del active[side][name]
