"""The form of `refscore serve`, which scores, compares and explains pasted or uploaded texts.

It works without scripts. The answer is the page with the same values in the form, and the result below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Any

from refscore.data_warnings import unchecked
from refscore.errors import InputError, Location, RefscoreError, UnknownNameError, relocated
from refscore.evaluation import Evaluation, evaluate
from refscore.metrics import METRICS, Metric, limits, metric_titles, parse_listed_name
from refscore.readers.reader import counted
from refscore.report.chart_data import format_score
from refscore.report.inputs import has_words, system_side
from refscore.report.model import Reporting
from refscore.report.page import asset, content_hash, fill, render_page, warning_list
from refscore.report.scores import (
    compare_systems,
    confidence,
    definitions,
    describe_verdicts,
    score_table,
    table_note,
    test_setting,
    verdict_list,
)
from refscore.significance import Tests
from refscore.tables import Result
from refscore.tables.html import escape_text, style as steps_style
from refscore.tokenizers import available

MOST_SYSTEMS = 4
MOST_REFERENCES = 4
MOST_FIELDS = 80  # fields of the form: texts, files, names, one checkbox per metric and a few more
MOST_ROWS = 200  # rows in the list of segments
MOST_EXPLAINED = 20_000  # characters of a segment and its references, because longer steps make a huge page
MOST_CHARACTERS = 100_000  # characters and tokens of one segment, because some metrics take quadratic time
MOST_NAME = 1_000  # characters of the names of metrics, a tokenizer or a system
_SNIPPET = 120

# The media types of downloads.
DOWNLOADS = {"html": "text/html", "csv": "text/csv", "json": "application/json"}


@dataclass(frozen=True)
class Answers:
    """The values of the form: texts with one segment per line, names of metrics, and the segment to explain (from 1).

    `tokenizer` applies to all metrics that compare words; "" means each metric's default. `names` are the names of the
    systems, of which the first is the baseline. `download` is "" for a page.
    """

    hypotheses: Sequence[str] = ()
    references: Sequence[str] = ()
    metrics: str = ""
    segment: int = 1
    tokenizer: str = ""
    source: str = ""
    names: Sequence[str] = ()
    download: str = ""

    @property
    def texts(self) -> list[str]:
        """All texts."""
        return [*self.hypotheses, *self.references, self.source]


@dataclass(frozen=True)
class _Segments:
    """The texts by segment. `fields` has the numbers of the reference fields that are not empty."""

    systems: dict[str, list[str]]
    references: list[list[str]]
    fields: list[int]
    sources: list[str] | None

    def __len__(self) -> int:
        return len(self.references)

    def locate(self, location: Location) -> Location:
        """Return a location as a line in a field of the form."""
        if location.segment is None:
            return location
        names = {"references": _reference_name(self.fields[location.reference or 0]), "sources": "the source"}
        if len(self.systems) > 1:
            names |= {system_side(name): name for name in self.systems}
        return replace(location, file=names.get(location.side, "the output"), line=location.segment + 1)


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
    """The form, with metrics to choose from by label.

    The labels of the metrics are selected at first, and take precedence over registered names. `segment_metrics` has
    the metrics for single segments under the same labels; the `for_segments` of each metric by default. `example` fills
    the form for those who have no texts. `reporting` has the settings of intervals and tests.
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric[Any]],
        segment_metrics: Mapping[str, Metric[Any]] | None = None,
        *,
        has_report: bool = False,
        example: Answers | None = None,
        reporting: Reporting | None = None,
    ) -> None:
        self._reporting = reporting or Reporting()
        self._metrics = metrics
        self._segment_metrics = segment_metrics or {}
        self._has_report = has_report
        self.example = example and replace(example, metrics=",".join(metrics))
        others = {name: METRICS[name]() for name in METRICS if name not in metrics}
        self._titles = metric_titles({**metrics, **others})

    @property
    def modules(self) -> list[str]:
        """The modules of the selected metrics."""
        return [type(metric).__module__ for metric in self._metrics.values()]

    @property
    def policy(self) -> str:
        """The Content-Security-Policy of the form's pages: no scripts, and forms go only to this server."""
        styles = f"{content_hash(_style())} {content_hash(steps_style())}"
        return f"default-src 'none'; style-src {styles}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    def empty(self) -> str:
        """Return the page with the empty form."""
        return self._page(Answers(metrics=",".join(self._metrics)))

    def answer(self, answers: Answers) -> tuple[str, bool]:
        """Return a page with scores and an explanation, or the download; an error page and False for a mistake."""
        try:
            segments = _read_segments(answers)
            with relocated(segments.locate), unchecked(), limits(max_tokens=MOST_CHARACTERS):
                evaluation = self._evaluate(segments, answers)
                if answers.download == "html":
                    return self._report(evaluation), True
                if answers.download:
                    return _downloaded(evaluation, self._reporting.tests, answers.download), True
                return self._page(answers, result=_result(segments, evaluation, self._reporting.tests, answers)), True
        except RefscoreError as error:
            return self.refuse(answers, str(error)), False

    def refuse(self, answers: Answers, problem: str) -> str:
        """Return the page with an error."""
        return self._page(answers, f'<p class="problem" id="result" role="alert">{escape_text(problem)}</p>')

    def _report(self, evaluation: Evaluation) -> str:
        return render_page(evaluation.report(reporting=self._reporting, segment_metrics=evaluation.segment_metrics))

    def _evaluate(self, segments: _Segments, answers: Answers) -> Evaluation:
        metrics, single = self._choose(answers)
        for title, metric in metrics.items():
            if metric.needs_sources and segments.sources is None:
                raise InputError(None, f"{title} needs the source of each segment", "fill in the field Source")
        evaluation = evaluate(segments.systems, segments.references, metrics, sources=segments.sources)
        evaluation.segment_metrics = {
            title: evaluation.metrics[title] if metric.needs_fit else metric for title, metric in single.items()
        }
        return evaluation

    def _choose(self, answers: Answers) -> tuple[dict[str, Metric[Any]], dict[str, Metric[Any]]]:
        """Return the metrics for the corpus and those for single segments, by title."""
        chosen: dict[str, Metric[Any]] = {}
        single: dict[str, Metric[Any]] = {}
        # Others, such as spm:PATH, read files, which a form must not do.
        if answers.tokenizer and answers.tokenizer not in available():
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

    def _page(self, answers: Answers, problem: str = "", *, result: str = "") -> str:
        references = [
            _field("Reference" if k == 1 else f"Reference {k}", f"reference-{k}", text)
            for k, text in enumerate(_padded(answers.references, MOST_REFERENCES), 1)
        ]
        outputs = [
            _field("Output" if k == 1 else f"Output {k}", hypothesis_name(k), text, _name_field(k, name))
            for k, (text, name) in enumerate(
                zip(_padded(answers.hypotheses, MOST_SYSTEMS), _padded(answers.names, MOST_SYSTEMS), strict=True), 1
            )
        ]
        names, titles = _names(answers.metrics), self._titles
        has_example = self.example is not None and not any(answers.texts)
        return fill(
            "form.html",
            style=_style(),
            nav='<nav aria-label="Other pages"><a href="/">Report</a></nav>' if self._has_report else "",
            problem=problem,
            fields=outputs[0] + references[0],
            systems="".join(outputs[1:]),
            systems_open=" open" if any(answers.hypotheses[1:]) else "",
            more="".join(references[1:]) + _field("Source", "source", answers.source),
            more_open=" open" if any([*answers.references[1:], answers.source]) else "",
            boxes="".join(_box(name, title, name in names) for name, title in titles.items()),
            others=escape(",".join(name for name in names if name not in titles), quote=True),
            tokenizers="".join(
                f"<option{' selected' if name == answers.tokenizer else ''}>{escape(name)}</option>"
                for name in available()
            ),
            example='<button type="submit" name="example" value="1">Try an example</button>' if has_example else "",
            result=result,
        )


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
    for name, text in {
        "metrics": answers.metrics,
        "tokenizer": answers.tokenizer,
        "a name": max([*answers.names, ""], key=len),
    }.items():
        if len(text) > MOST_NAME:
            raise InputError(Location(name), f"has more than {MOST_NAME:,} characters", "shorten it")
    systems = _read_systems(answers)
    fields = [number for number, text in enumerate(answers.references, 1) if text]
    references = {_reference_name(number): split_lines(answers.references[number - 1]) for number in fields}
    sources = split_lines(answers.source) if answers.source else None
    if not systems or not references:
        missing = "the reference" if systems else "the output"
        raise InputError(None, f"{missing} is empty", "paste a text, or choose a file")
    outputs = [*systems.items()] if len(systems) > 1 else [("the output", texts) for texts in systems.values()]
    first, hypotheses = outputs[0]
    for name, lines in [*outputs, *references.items(), *([] if sources is None else [("the source", sources)])]:
        if len(lines) != len(hypotheses):
            counts = f"has {counted(len(lines), 'line')}, but {first} has {counted(len(hypotheses), 'line')}"
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
    return _Segments(systems, [list(entry) for entry in zip(*references.values(), strict=True)], fields, sources)


def _read_systems(answers: Answers) -> dict[str, list[str]]:
    systems: dict[str, list[str]] = {}
    several = sum(map(bool, answers.hypotheses)) > 1
    names = zip(answers.hypotheses, _padded(answers.names, MOST_SYSTEMS), strict=False)
    for number, (text, name) in enumerate(names, 1):
        if text:
            chosen = name.strip() or (f"system {number}" if several else "output")
            if chosen in systems:
                raise InputError(None, f"two systems have the name {chosen!r}", "choose different names")
            systems[chosen] = split_lines(text)
    return systems


def _padded(texts: Sequence[str], count: int) -> list[str]:
    return [*texts, *[""] * count][:count]


def hypothesis_name(number: int) -> str:
    """Return the name of the field with the texts of a system."""
    return "hypothesis" if number == 1 else f"hypothesis-{number}"


def _name_field(number: int, name: str) -> str:
    role = " (the baseline)" if number == 1 else ""
    return (
        f'<label>Name of the system{role} <input type="text" name="name-{number}" value="{escape(name, quote=True)}" '
        'autocomplete="off" spellcheck="false"></label>'
    )


def _reference_name(number: int) -> str:
    return f"reference {number}"


@cache
def _style() -> str:
    return asset("style.css") + asset("form.css")


def _downloaded(evaluation: Evaluation, tests: Tests, form: str) -> str:
    """Return the scores as CSV or JSON: with tests if there are several systems, and with intervals if possible."""
    if evaluation.segments > 1 and len(evaluation.systems) > 1:
        result: Result = evaluation.compare(None, tests)
    else:
        result = evaluation.summary(tests, intervals=evaluation.segments > 1)
    return result.render(form, quote_formulas=form == "csv")


def _result(segments: _Segments, evaluation: Evaluation, tests: Tests, answers: Answers) -> str:
    systems, can_resample = evaluation.systems, len(segments) > 1
    results = compare_systems(evaluation, tests, can_resample=can_resample)
    others = range(1, len(systems) if can_resample else 1)
    sentences = [describe_verdicts(results, system, systems, tests.alpha) for system in others]
    can_ask_again = all(map(_round_trips, answers.texts))
    return fill(
        "form_result.html",
        warnings=warning_list(evaluation.warnings),
        segment_count=counted(len(segments), "segment"),
        reference_count=counted(len(segments.fields), "reference"),
        sentences=verdict_list(results, sentences, tests.alpha) if sentences else "",
        scores=score_table(systems, results, tests.alpha, "Scores of all systems"),
        note=table_note(len(systems), confidence(results), tests.alpha, holm=tests.holm),
        signatures=definitions([*((result.title, result.signature) for result in results), *test_setting(results)]),
        downloads=asset("form_downloads.html") if can_ask_again else "",
        segments=_segment_list(segments, evaluation, answers.segment, can_ask_again) if len(segments) > 1 else "",
        segment=f"{answers.segment:,}",
        explanation=_explanation(segments, evaluation, answers.segment),
    )


def _round_trips(text: str) -> bool:
    """Return whether a browser sends a text back unchanged. It turns every carriage return into a line end."""
    return "\0" not in text and "\r" not in text.replace("\r\n", "\n")


def _field(title: str, name: str, text: str, label: str = "") -> str:
    if _round_trips(text):
        return fill("form_field.html", title=title, name=name, text=escape(text), note=label)
    note = '<p class="note">Choose this file again: the form cannot keep some of its characters.</p>'
    return fill("form_field.html", title=title, name=name, text="", note=label + note)


def _segment_list(segments: _Segments, evaluation: Evaluation, chosen: int, can_ask_again: bool) -> str:
    texts, count = next(iter(segments.systems.values())), len(segments)
    columns = {
        _title(title, system, segments): [format_score(metric, float(value)) for value in values[:MOST_ROWS]]
        for title, metric in evaluation.segment_metrics.items()
        for system, values in evaluation.segment_scores(title).items()
    }
    rows = []
    for number, text in enumerate(texts[:MOST_ROWS], 1):
        snippet = text if len(text) <= _SNIPPET else text[:_SNIPPET] + "…"
        button = (
            '<button type="submit" form="texts" formaction="/form#explained" class="link" name="segment" '
            f'value="{number}" aria-label="Explain segment {number}">{number}</button>'
        )
        cells = "".join(f'<td class="number">{column[number - 1]}</td>' for column in columns.values())
        mark = ' class="chosen"' if number == chosen else ""
        rows.append(
            f"<tr{mark}><td>{button if can_ask_again else number}</td>"
            f'<td class="snippet">{escape_text(snippet)}</td>{cells}</tr>'
        )
    return fill(
        "form_segments.html",
        rest="" if count <= MOST_ROWS else f" The list has the first {MOST_ROWS} of {count:,} segments.",
        output="Output" if len(segments.systems) == 1 else f"Output of {escape_text(next(iter(segments.systems)))}",
        heads="".join(f'<th scope="col" class="number">{escape_text(title)}</th>' for title in columns),
        rows="".join(rows),
    )


def _title(metric: str, system: str, segments: _Segments) -> str:
    return metric if len(segments.systems) == 1 else f"{metric}: {system}"


def _explanation(segments: _Segments, evaluation: Evaluation, segment: int) -> str:
    index, references = segment - 1, segments.references[segment - 1]
    hypotheses = {system: texts[index] for system, texts in segments.systems.items()}
    source = None if segments.sources is None else segments.sources[index]
    if sum(map(len, [*hypotheses.values(), *references, source or ""])) > MOST_EXPLAINED:
        return (
            f'<p class="note">This segment and its references have more than {MOST_EXPLAINED:,} characters, '
            "too many to explain on a page. Use <code>refscore explain</code> instead.</p>"
        )
    explained = {
        _title(title, system, segments): metric.explain(hypothesis, references, source=source)
        for title, metric in evaluation.segment_metrics.items()
        for system, hypothesis in hypotheses.items()
        if isinstance(metric, Metric)
    }
    return "".join(
        f'<details class="explained"{"" if number else " open"}><summary>{escape_text(title)}</summary>'
        f"{steps.to_html()}</details>"
        for number, (title, steps) in enumerate(explained.items())
    )
