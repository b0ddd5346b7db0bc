"""The form of `refscore serve`, which scores and explains pasted or uploaded texts.

It works without scripts. The answer is the page with the same values in the form, and the result below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Any

from refscore.cached import cached_property
from refscore.data_warnings import unchecked
from refscore.errors import InputError, Location, RefscoreError, UnknownNameError, relocated
from refscore.evaluation import evaluate
from refscore.metrics import METRICS, Metric, Values, metric_titles, parse_listed_name
from refscore.readers.reader import counted
from refscore.report.chart_data import format_score
from refscore.report.inputs import has_words
from refscore.report.page import asset, content_hash, fill, warning_list
from refscore.tables.html import escape_text, style as steps_style
from refscore.tokenizers import available

MOST_REFERENCES = 4
MOST_FIELDS = 64  # fields of the form: texts, files, one checkbox per metric and a few more
MOST_ROWS = 200  # rows in the list of segments
MOST_EXPLAINED = 20_000  # characters of a segment and its references, because longer steps make a huge page
MOST_CHARACTERS = 100_000  # characters of one segment, because some metrics take quadratic time
_SNIPPET = 120


@dataclass(frozen=True)
class Answers:
    """The values of the form: texts with one segment per line, names of metrics, and the segment to explain (from 1).

    `tokenizer` applies to all metrics that compare words; "" means each metric's default.
    """

    hypothesis: str = ""
    references: Sequence[str] = ()
    metrics: str = ""
    segment: int = 1
    tokenizer: str = ""
    source: str = ""


@dataclass(frozen=True)
class _Segments:
    """The texts by segment. `fields` has the numbers of the reference fields that are not empty."""

    hypotheses: list[str]
    references: list[list[str]]
    fields: list[int]
    sources: list[str] | None

    def locate(self, location: Location) -> Location:
        """Return a location as a line in a field of the form."""
        if location.segment is None:
            return location
        names = {"references": _reference_name(self.fields[location.reference or 0]), "sources": "the source"}
        name = names.get(location.side, "the output")
        return replace(location, file=name, line=location.segment + 1)


def decode_file(content: bytes, name: str) -> str:
    """Return the text of an uploaded file."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(Location(file=name, line=line), "is not UTF-8", "upload plain text encoded as UTF-8") from None


def split_lines(text: str) -> list[str]:
    r"""Split a text into segments, like a file: lines end with "\n" or "\r\n", and the last may lack its end."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines if lines[-1] else lines[:-1]


class Form:
    """The form and its answers.

    The labels of the metrics are selected at first, and take precedence over registered names. `segment_metrics` has
    the metrics for single segments under the same labels; the `for_segments` of each metric by default.
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric[Any]],
        segment_metrics: Mapping[str, Metric[Any]] | None = None,
        *,
        has_report: bool = False,
    ) -> None:
        self._metrics = metrics
        self._segment_metrics = segment_metrics or {}
        self._has_report = has_report

    @property
    def policy(self) -> str:
        """The Content-Security-Policy of the form's pages: no scripts, and forms go only to this server."""
        styles = f"{content_hash(_style())} {content_hash(steps_style())}"
        return f"default-src 'none'; style-src {styles}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    def empty(self) -> str:
        """Return the page with the empty form."""
        return self._page(Answers(metrics=",".join(self._metrics)))

    def answer(self, answers: Answers) -> tuple[str, bool]:
        """Return the page with scores and an explanation, or with an error. Also return whether it succeeded."""
        try:
            return self._page(answers, result=self._result(answers)), True
        except RefscoreError as error:
            problem = f'<p class="problem" id="result" role="alert">{escape_text(str(error))}</p>'
            return self._page(answers, problem=problem), False

    def _choose(self, answers: Answers) -> tuple[dict[str, Metric[Any]], dict[str, Metric[Any]]]:
        """Return the metrics for the corpus and those for single segments, by title."""
        chosen: dict[str, Metric[Any]] = {}
        single: dict[str, Metric[Any]] = {}
        if (
            answers.tokenizer and answers.tokenizer not in available()
        ):  # for example spm:PATH, but a form must not read files
            raise UnknownNameError.suggest("tokenizer", answers.tokenizer, available())
        for name in _names(answers.metrics):
            if name in self._metrics:
                label, metric = name, self._metrics[name]
            else:
                named = parse_listed_name(name)  # a form must not import modules
                label, metric = named.label, named.metric()
            if label in chosen:
                raise InputError(Location("metrics"), f"has {label} twice", "name it once")
            chosen[label] = _with_tokenizer(metric, answers.tokenizer)
            single[label] = _with_tokenizer(
                self._segment_metrics.get(label) or metric.for_segments(), answers.tokenizer
            )
        if not chosen:
            known = f"there are: {', '.join(METRICS)}"
            raise InputError(Location("metrics"), f"is empty ({known})", "choose at least one")
        titles = metric_titles(chosen)
        return {titles[label]: each for label, each in chosen.items()}, {
            titles[label]: each for label, each in single.items()
        }

    def _result(self, answers: Answers) -> str:
        segments = _read_segments(answers)
        metrics, single = self._choose(answers)
        with relocated(segments.locate), unchecked():
            evaluation = evaluate(segments.hypotheses, segments.references, metrics, sources=segments.sources)
        scores = evaluation.scores()
        fitted: dict[str, Any] = {name: score.metric for name, score in scores.items()}
        single = {name: fitted[name] if metric.needs_fit else metric for name, metric in single.items()}
        values = {name: metric.values(evaluation.rows(name)) for name, metric in single.items()}
        return fill(
            "form_result.html",
            warnings=warning_list(evaluation.warnings),
            segment_count=counted(len(segments.hypotheses), "segment"),
            reference_count=counted(len(segments.fields), "reference"),
            scores="".join(
                f'<tr><th scope="row">{escape_text(title)}{_direction(metrics[title])}</th>'
                f'<td class="number"><span class="value">{format_score(score.metric, score.value)}</span></td>'
                f"<td><code>{escape_text(score.signature)}</code></td></tr>"
                for title, score in scores.items()
            ),
            segments=_segment_list(segments, single, values, answers) if len(segments.hypotheses) > 1 else "",
            segment=f"{answers.segment:,}",
            explanation=_explanation(segments, single, answers.segment),
        )

    def _page(self, answers: Answers, *, problem: str = "", result: str = "") -> str:
        first, *more = [*answers.references, *[""] * MOST_REFERENCES][:MOST_REFERENCES]
        names, titles = _names(answers.metrics), self._titles
        return fill(
            "form.html",
            style=_style(),
            nav='<nav aria-label="Other pages"><a href="/">Report</a></nav>' if self._has_report else "",
            problem=problem,
            fields=_field("Output", "hypothesis", answers.hypothesis) + _field("Reference", "reference-1", first),
            more="".join(_field(f"Reference {k}", f"reference-{k}", text) for k, text in enumerate(more, 2))
            + _field("Source", "source", answers.source),
            more_open=" open" if any([*more, answers.source]) else "",
            boxes="".join(_box(name, title, name in names) for name, title in titles.items()),
            others=escape(",".join(name for name in names if name not in titles), quote=True),
            tokenizers="".join(
                f"<option{' selected' if name == answers.tokenizer else ''}>{escape(name)}</option>"
                for name in available()
            ),
            result=result,
        )

    @cached_property
    def _titles(self) -> dict[str, str]:
        """The metrics to choose from: those of the command line, then all registered ones."""
        registered = {name: metric_type() for name, metric_type in METRICS.items() if name not in self._metrics}
        return metric_titles({**self._metrics, **registered})


def _names(metrics: str) -> list[str]:
    return [name for name in map(str.strip, metrics.split(",")) if name]


def _with_tokenizer(metric: Metric[Any], tokenizer: str) -> Metric[Any]:
    """Return the metric with this tokenizer if it splits text into words; "" means its default."""
    return replace(metric, tokenizer=tokenizer) if tokenizer and has_words(metric) else metric  # type: ignore[type-var]


def _box(name: str, title: str, is_checked: bool) -> str:
    value = escape(name, quote=True)
    checked = " checked" if is_checked else ""
    return f'<label><input type="checkbox" name="metrics" value="{value}"{checked}> {escape_text(title)}</label>'


def _read_segments(answers: Answers) -> _Segments:
    given = {"the output": split_lines(answers.hypothesis)}
    fields = [number for number, text in enumerate(answers.references, 1) if text]
    given |= {_reference_name(number): split_lines(answers.references[number - 1]) for number in fields}
    hypotheses, *references = given.values()
    sources = split_lines(answers.source) if answers.source else None
    given |= {} if sources is None else {"the source": sources}
    if not hypotheses or not references:
        missing = "the output" if not hypotheses else "the reference"
        raise InputError(None, f"{missing} is empty", "paste a text, or choose a file")
    for name, lines in given.items():
        if len(lines) != len(hypotheses):
            counts = f"has {counted(len(lines), 'line')}, but the output has {counted(len(hypotheses), 'line')}"
            raise InputError(Location(file=name), counts, "put the same segments in both, one per line")
        longest = max(lines, key=len)
        if len(longest) > MOST_CHARACTERS:
            raise InputError(
                Location(file=name, line=lines.index(longest) + 1),
                f"has {len(longest):,} characters, more than the limit of {MOST_CHARACTERS:,}",
                "put one segment per line",
            )
    if not 1 <= answers.segment <= len(hypotheses):
        problem = f"is {answers.segment}, but there are {len(hypotheses)} segments"
        raise InputError(Location("segment"), problem, "choose one from the list")
    return _Segments(hypotheses, [list(entry) for entry in zip(*references, strict=True)], fields, sources)


def _reference_name(number: int) -> str:
    return f"reference {number}"


@cache
def _style() -> str:
    return asset("style.css") + asset("form.css")


def _direction(metric: Metric[Any]) -> str:
    return "" if metric.higher_is_better else '<span class="role">lower is better</span>'


def _round_trips(text: str) -> bool:
    """Return whether a browser sends a text back unchanged. It turns every carriage return into a line end."""
    return "\0" not in text and "\r" not in text.replace("\r\n", "\n")


def _field(title: str, name: str, text: str) -> str:
    if _round_trips(text):
        return fill("form_field.html", title=title, name=name, text=escape(text), note="")
    note = '<p class="note">Choose this file again: the form cannot keep some of its characters.</p>'
    return fill("form_field.html", title=title, name=name, text="", note=note)


def _segment_list(
    segments: _Segments, metrics: Mapping[str, Metric[Any]], values: Mapping[str, Values], answers: Answers
) -> str:
    count = len(segments.hypotheses)
    can_ask_again = all(map(_round_trips, [answers.hypothesis, *answers.references, answers.source]))
    rows = []
    for index, text in enumerate(segments.hypotheses[:MOST_ROWS]):
        number = index + 1
        snippet = text if len(text) <= _SNIPPET else text[:_SNIPPET] + "…"
        button = (
            '<button type="submit" form="texts" formaction="/form#explained" class="link" name="segment" '
            f'value="{number}" aria-label="Explain segment {number}">{number}</button>'
        )
        cells = "".join(
            f'<td class="number">{format_score(metric, float(values[title][index]))}</td>'
            for title, metric in metrics.items()
        )
        chosen = ' class="chosen"' if number == answers.segment else ""
        rows.append(
            f"<tr{chosen}><td>{button if can_ask_again else number}</td>"
            f'<td class="snippet">{escape_text(snippet)}</td>{cells}</tr>'
        )
    return fill(
        "form_segments.html",
        rest="" if count <= MOST_ROWS else f" The list has the first {MOST_ROWS} of {count:,} segments.",
        heads="".join(f'<th scope="col" class="number">{escape_text(title)}</th>' for title in metrics),
        rows="".join(rows),
    )


def _explanation(segments: _Segments, metrics: Mapping[str, Metric[Any]], segment: int) -> str:
    hypothesis, references = segments.hypotheses[segment - 1], segments.references[segment - 1]
    source = None if segments.sources is None else segments.sources[segment - 1]
    if sum(map(len, [hypothesis, *references, source or ""])) > MOST_EXPLAINED:
        return (
            f'<p class="note">This segment and its references have more than {MOST_EXPLAINED:,} characters, '
            "too many to explain on a page. Use <code>refscore explain</code> instead.</p>"
        )
    return "".join(
        f'<details class="explained"{"" if index else " open"}><summary>{escape_text(title)}</summary>'
        f"{metric.explain(hypothesis, references, source=source).to_html()}</details>"
        for index, (title, metric) in enumerate(metrics.items())
    )
