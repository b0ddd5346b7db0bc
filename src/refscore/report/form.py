"""The form of `refscore serve`: texts that are pasted or uploaded, their scores, and how these come about.

It works without scripts: an answer is a page with the form filled in again and the result under it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from string import Template
from typing import Any

from refscore.errors import EmptyReferenceError, InputError, RefscoreError
from refscore.metrics import METRICS, NIST, Metric
from refscore.metrics.core.selection import read_name, segment_metric
from refscore.report.page import asset, content_hash
from refscore.tables.html import style as steps_style
from refscore.text_display import visible

MOST_REFERENCES = 4
MOST_ROWS = 200  # of the list of segments
MOST_EXPLAINED = 20_000  # characters of a segment and its references
MOST_CHARACTERS = 100_000  # of one segment: some metrics take the square of it
_SNIPPET = 120

# Under its label: the title, the metric of all segments, and that of single ones.
Labelled = Mapping[str, tuple[str, Metric[Any], Metric[Any]]]


@dataclass(frozen=True)
class Answers:
    """What was filled in: texts with one segment a line, the names of metrics, and the segment to explain, from 1."""

    hypothesis: str = ""
    references: Sequence[str] = ()
    metrics: str = ""
    segment: int = 1


@dataclass(frozen=True)
class _Scored:
    """The scores of the texts, and the texts segment by segment."""

    hypotheses: list[str]
    references: list[list[str]]
    metrics: dict[str, tuple[Metric[Any], Metric[Any]]] = field(default_factory=dict)


def decoded(content: bytes, name: str) -> str:
    """The text of a file.

    Args:
        content: Its bytes.
        name: What a message calls it.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(None, f"{name}, line {line} is not UTF-8: upload plain text in UTF-8") from None


def lines(text: str) -> list[str]:
    r"""The segments of a text, as in a file: lines end in "\n" or "\r\n" alone, and the last may lack its end.

    Example:
        >>> lines("a cat\r\na\u2028dog\n")
        ['a cat', 'a\u2028dog']
    """
    found = [line.removesuffix("\r") for line in text.split("\n")]
    return found if found[-1] else found[:-1]


class Form:
    """The form, and what it answers.

    Args:
        own: Metrics with settings of their own under the labels by which they are asked for, which come before those
            of the same name; they are filled in first.
    """

    def __init__(self, own: Labelled) -> None:
        self._own = own

    @property
    def policy(self) -> str:
        """The Content-Security-Policy of its pages: no scripts, and forms are sent to this server alone."""
        styles = f"{content_hash(_style())} {content_hash(steps_style())}"
        return f"default-src 'none'; style-src {styles}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    def empty(self, *, report: bool) -> str:
        """The page before anything is filled in.

        Args:
            report: Whether there is a report to lead back to.
        """
        return self._page(Answers(metrics=",".join(self._own)), report, "", "")

    def answer(self, answers: Answers, *, report: bool) -> tuple[str, bool]:
        """The page with scores and an explanation, or with what is wrong; and whether all is well.

        Args:
            answers: What was filled in.
            report: Whether there is a report to lead back to.
        """
        try:
            return self._page(answers, report, "", self._result(self._score(answers), answers)), True
        except RefscoreError as error:
            problem = f'<p class="problem" id="result" role="alert">{_text(str(error))}</p>'
            return self._page(answers, report, problem, ""), False

    def _score(self, answers: Answers) -> _Scored:
        hypotheses = lines(answers.hypothesis)
        given = {number: lines(text) for number, text in enumerate(answers.references, 1) if text}
        if not hypotheses:
            raise InputError(None, "there is no output to score: paste a text, or choose a file")
        if not given:
            raise InputError(None, "there is no reference: paste a text, or choose a file")
        for number, texts in given.items():
            if len(texts) != len(hypotheses):
                raise InputError(
                    None,
                    f"the output has {_counted(len(hypotheses), 'line')} and reference {number} has "
                    f"{_counted(len(texts), 'line')}: one segment a line, in the same order",
                )
        for texts in (hypotheses, *given.values()):
            longest = max(texts, key=len)
            if len(longest) > MOST_CHARACTERS:
                raise InputError(
                    None,
                    f"line {texts.index(longest) + 1} has {len(longest):,} characters, and {MOST_CHARACTERS:,} are the "
                    "most here: write one segment a line",
                )
        references = [list(entry) for entry in zip(*given.values(), strict=True)]
        if not 1 <= answers.segment <= len(hypotheses):
            raise InputError(None, f"there is no segment {answers.segment}: there are {len(hypotheses)}")
        return _Scored(hypotheses, references, self._metrics(answers.metrics, references))

    def _metrics(self, names: str, references: list[list[str]]) -> dict[str, tuple[Metric[Any], Metric[Any]]]:
        asked = [name.strip() for name in names.split(",") if name.strip()]
        if not asked:
            raise InputError(None, f"name a metric, or several with commas between (there are: {', '.join(METRICS)})")
        made: dict[str, tuple[Metric[Any], Metric[Any]]] = {}
        for name in asked:
            if name in self._own:
                title, whole, single = self._own[name]
            else:
                label, kind, preset = read_name(name)
                whole, single = kind.with_settings({"preset": preset}), segment_metric(label)
                title = whole.title if preset is None or label == preset else f"{whole.title} ({preset})"
            if isinstance(whole, NIST) and whole.information is None:
                whole = single = whole.fit(references)
            if title in made:
                raise InputError(None, f"{name} is named twice")
            made[title] = whole, single
        return made

    def _result(self, scored: _Scored, answers: Answers) -> str:
        scores, values = [], {}
        for title, (whole, single) in scored.metrics.items():
            try:
                scores.append((title, whole, whole.corpus(scored.hypotheses, scored.references)))
                values[title] = single.segments(scored.hypotheses, scored.references)
            except EmptyReferenceError as error:
                raise InputError(
                    None,
                    f"reference {error.reference + 1} of segment {error.segment + 1} is empty, and {title} needs words",
                ) from None
        table = "".join(
            f'<tr><th scope="row">{_text(title)}{_direction(metric)}</th>'
            f'<td class="number"><span class="value">{_shown(metric, score.value)}</span></td>'
            f"<td><code>{_text(score.signature)}</code></td></tr>"
            for title, metric, score in scores
        )
        return (
            '<section id="result" class="first" aria-labelledby="result-title"><h2 id="result-title">Scores</h2>'
            f'<p class="lead">{_counted(len(scored.hypotheses), "segment")}, '
            f"{_counted(len(scored.references[0]), 'reference')} each</p>"
            '<div class="scroll"><table class="scores values"><thead><tr><th scope="col">Metric</th>'
            '<th scope="col" class="number">Score</th><th scope="col">Signature: all settings</th></tr></thead>'
            f"<tbody>{table}</tbody></table></div></section>"
            + _segments(scored, values, answers)
            + _explained(scored, answers.segment)
        )

    def _page(self, answers: Answers, report: bool, problem: str, result: str) -> str:
        references = [*answers.references, *[""] * MOST_REFERENCES][:MOST_REFERENCES]
        names = ", ".join(dict.fromkeys([*self._own, *METRICS]))
        return Template(asset("form.html")).substitute(
            style=_style(),
            nav='<nav aria-label="Other pages"><a href="/">Report on the files</a></nav>' if report else "",
            problem=problem,
            fields=_field("Output", "hypothesis", answers.hypothesis)
            + _field("Reference", "reference-1", references[0]),
            more="".join(
                _field(f"Reference {number}", f"reference-{number}", text)
                for number, text in enumerate(references[1:], 2)
            ),
            more_open=" open" if any(references[1:]) else "",
            metrics=escape(answers.metrics, quote=True),
            names=f"Names with commas between: {_text(names)}; also chrf++, rouge1 and the like, and bleu:nltk for a "
            "preset.",
            result=result,
        )


@cache
def _style() -> str:
    return asset("style.css") + asset("form.css")


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _shown(metric: Metric[Any], value: float) -> str:
    scale = metric.printed_scale
    return f"{scale * value:.{2 if scale == 100 else 4}f}" if math.isfinite(value) else "–"


def _direction(metric: Metric[Any]) -> str:
    return "" if metric.higher_is_better else '<span class="role">less is better</span>'


def _stays(text: str) -> bool:
    """Whether a browser sends a text back as it was: it makes a line end of every carriage return."""
    return "\0" not in text and "\r" not in text.replace("\r\n", "\n")


def _field(title: str, name: str, text: str) -> str:
    kept = text if _stays(text) else ""
    lost = "" if kept == text else '<p class="note">Choose this file again: a form cannot hold its characters.</p>'
    # The first line end of a text area is not part of its text.
    return (
        f'<fieldset class="field"><legend>{title}</legend>'
        f'<textarea name="{name}" rows="6" dir="auto" spellcheck="false" aria-label="{title}, one segment a line">\n'
        f"{escape(kept)}</textarea>"
        f'<label>or a file: <input type="file" name="{name}-file" accept=".txt,text/plain"></label>{lost}</fieldset>'
    )


def _segments(scored: _Scored, values: Mapping[str, Any], answers: Answers) -> str:
    count = len(scored.hypotheses)
    if count == 1:
        return ""
    heads = "".join(f'<th scope="col" class="number">{_text(title)}</th>' for title in values)
    again = all(map(_stays, [answers.hypothesis, *answers.references]))
    rows = []
    for index in range(min(count, MOST_ROWS)):
        number = index + 1
        text = scored.hypotheses[index]
        snippet = text if len(text) <= _SNIPPET else text[:_SNIPPET] + "…"
        button = (
            '<button type="submit" form="texts" formaction="/form#explained" class="link" name="segment" '
            f'value="{number}" aria-label="Explain segment {number}">{number}</button>'
        )
        cells = "".join(
            f'<td class="number">{_shown(scored.metrics[title][1], float(own[index]))}</td>'
            for title, own in values.items()
        )
        chosen = ' class="chosen"' if number == answers.segment else ""
        rows.append(
            f'<tr{chosen}><td>{button if again else number}</td><td class="snippet">{_text(snippet)}</td>{cells}</tr>'
        )
    rest = "" if count <= MOST_ROWS else f" These are the first {MOST_ROWS} of {count:,}."
    return (
        '<section aria-labelledby="segments-title"><h2 id="segments-title">Segments</h2>'
        f'<p class="lead">The number of a segment shows how its scores come about.{rest}</p>'
        '<div class="scroll segment-list" tabindex="0" role="region" aria-label="Segments"><table>'
        f'<thead><tr><th scope="col">Segment</th><th scope="col">Output</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def _explained(scored: _Scored, segment: int) -> str:
    hypothesis, references = scored.hypotheses[segment - 1], scored.references[segment - 1]
    head = f'<section aria-labelledby="explained-title"><h2 id="explained-title">Segment {segment:,}, step by step</h2>'
    if sum(map(len, [hypothesis, *references])) > MOST_EXPLAINED:
        return (
            f'{head}<p class="note">This segment and its references have more than {MOST_EXPLAINED:,} characters, '
            "too many for a page: refscore explain prints their steps.</p></section>"
        )
    parts = [
        f'<details class="explained"{"" if index else " open"}><summary>{_text(title)}</summary>'
        f"{single.explain(hypothesis, references).to_html()}</details>"
        for index, (title, (_, single)) in enumerate(scored.metrics.items())
    ]
    return f"{head}{''.join(parts)}</section>"
