"""chrF's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from refscore import _native
from refscore.metrics.core.segment_steps import Part, Tokens, joined, ngram_counts, numbered, read_segment
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.chrf.metric import CHRF, CHRFScore

# Beyond these a list explains less than its length.
MOST_CHARACTERS = 40
MOST_NGRAMS = 6
LAST_LISTED = 6
MOST_TERMS = 12

EPSILON = "1e-16"


@dataclass(frozen=True)
class _Text:
    """What is compared of one text."""

    units: Tokens
    words: Tokens
    glue: str  # between the units of an n-gram, as it is shown
    is_text: bool = True

    def shown(self, kind: str, ngram: Tokens) -> str:
        """An n-gram, or all of the text; a space that counts can be seen."""
        if kind == "word" or not self.is_text:
            return joined(ngram)
        return self.glue.join("␣" if unit == " " else str(unit) for unit in ngram)


@dataclass(frozen=True)
class _Order:
    """The n-grams of one order: how many the hypothesis, the reference and both have."""

    kind: str  # "char" or "word"
    n: int
    there: int  # in the hypothesis, counted or not
    hypothesis: int
    reference: int
    matches: int

    @property
    def name(self) -> str:
        """How tables and formulas call it."""
        unit = {"char": "character", "word": "word"}[self.kind]
        return f"{unit}s" if self.n == 1 else f"{unit} {self.n}-grams"

    @property
    def counts(self) -> bool:
        """Whether both sides have n-grams of this order."""
        return self.hypothesis > 0 and self.reference > 0

    @property
    def precision(self) -> float:
        """0 where there is none."""
        return self.matches / self.hypothesis if self.hypothesis else 0.0

    @property
    def recall(self) -> float:
        """0 where there is none."""
        return self.matches / self.reference if self.reference else 0.0


def explain(metric: CHRF, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `CHRF.explain`."""
    # A row of means has no counts to show.
    counting = replace(metric, average="micro")
    score, item, entry = read_segment(counting, hypothesis, references)
    candidate = _read(metric, item)
    targets = [_read(metric, reference) for reference in entry]
    sections = [("What is compared", _text_parts(metric, candidate, targets))]
    best = 0
    if len(targets) > 1:
        scores = [counting.segment(item, [one]) for one in entry]
        best = next(i for i, one in enumerate(scores) if one.row.tolist() == score.row.tolist())
        sections.append(("The best reference", _reference_parts(metric, scores, best)))
    orders = _orders(score, candidate)
    sections.append(("Common n-grams", _ngram_parts(orders, candidate, targets[best])))
    sections.append(("Precision and recall", _fraction_parts(metric, orders)))
    rule = _smoothed_parts if metric.smoothing != "none" else _mean_parts
    sections.append(("Result", rule(metric, score, orders)))
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps("chrF, step by step", tuple(parts), f"{metric.title} = {score.value:.4f} ({score.percent:.2f} %)")


def _read(metric: CHRF, item: Any) -> _Text:
    if not isinstance(item, str):
        return _Text(metric.pipeline.words(item), (), " ", is_text=False)
    text = metric.pipeline.normalize_text(item)

    def split(tokenizer: _native.Tokenizer) -> list[str]:
        return _native.tokenize(text, _native.TextRules(tokenizer, _native.Lowercase.none))

    words = split(_native.Tokenizer.chrf_words) if metric.word_order else []
    if metric.units == "codepoints":
        return _Text([char for char in text if metric.whitespace or not char.isspace()], words, "")
    clusters = _native.Tokenizer.all_graphemes if metric.whitespace else _native.Tokenizer.graphemes
    return _Text(split(clusters), words, " ")


def _text_parts(metric: CHRF, candidate: _Text, targets: Sequence[_Text]) -> list[Part]:
    unit = {"codepoints": "code points", "graphemes": "grapheme clusters"}[metric.units]
    space = "white space is among them, a space shown as ␣" if metric.whitespace else "white space is left out"
    said = (
        f"Characters are {unit}, and {space}." if candidate.is_text else "Tokens are taken for characters as they are."
    )
    parts: list[Part] = [Paragraph(said), _text_table("Characters", "char", candidate, targets)]
    if metric.word_order:
        rule = (
            "Words stand between white space; one punctuation mark is split off each: its last character, or its first."
        )
        parts += [Paragraph(rule), _text_table("Words", "word", candidate, targets)]
    return parts


def _text_table(title: str, kind: str, candidate: _Text, targets: Sequence[_Text]) -> Table:
    rows = []
    for number, text in enumerate([candidate, *targets]):
        name = "hypothesis" if number == 0 else "reference" if len(targets) == 1 else f"reference {number}"
        found = text.units if kind == "char" else text.words
        rows.append(Row((name, text.shown(kind, found), str(len(found)))))
    return Table(title, (Column("text"), Column(title.lower()), Column("number", "right")), tuple(rows))


def _reference_parts(metric: CHRF, scores: Sequence[CHRFScore], best: int) -> list[Part]:
    rows = [
        Row(
            (f"reference {i + 1}", f"{score.value:.4f}", "counts" if i == best else ""),
            "match" if i == best else None,
        )
        for i, score in enumerate(scores)
    ]
    columns = (Column("text"), Column(metric.title, "right"), Column(""))
    values = [score.value for score in scores]
    first = "is the first of those with the best score" if values.count(max(values)) > 1 else "has the best score"
    return [
        Paragraph("The hypothesis is scored with each reference alone, and the counts of the best one are kept."),
        Table("References", columns, tuple(rows)),
        Paragraph(f"Reference {best + 1} {first}: what follows is about it."),
    ]


def _orders(score: CHRFScore, candidate: _Text) -> list[_Order]:
    metric = score.metric
    names = [("char", n) for n in range(1, metric.char_order + 1)] + [
        ("word", n) for n in range(1, metric.word_order + 1)
    ]
    orders = []
    counts = zip(score.hyp_ngrams, score.ref_ngrams, score.matches, strict=True)
    for (kind, n), (in_hypothesis, in_reference, matches) in zip(names, counts, strict=True):
        length = len(candidate.units if kind == "char" else candidate.words)
        orders.append(_Order(kind, n, max(0, length - n + 1), in_hypothesis, in_reference, matches))
    return orders


def _ngram_parts(orders: Sequence[_Order], candidate: _Text, target: _Text) -> list[Part]:
    rule = "An n-gram is common as often as both sides have it: the smaller of its two counts."
    matched = [order for order in orders if order.matches]
    if not matched:
        return [Paragraph(rule), Paragraph("None is common.")]
    rule += " Only common ones are listed."
    tables: list[Part] = []
    for kind in ("char", "word"):
        for order in matched:
            if order.kind == kind:
                table = _ngram_table(order, candidate, target)
                if table is None:
                    break  # higher orders have no fewer
                tables.append(table)
    if len(tables) < len(matched):
        rest = "the other orders" if tables else "all orders"
        return [Paragraph(rule), *tables, Paragraph(f"Of {rest} there are many; their numbers follow.")]
    return [Paragraph(rule), *tables]


def _ngram_table(order: _Order, candidate: _Text, target: _Text) -> Table | None:
    """The common n-grams of an order, or None if they are too many."""
    if order.n > LAST_LISTED:
        return None
    sides = [text.units if order.kind == "char" else text.words for text in (candidate, target)]
    ours, theirs = (ngram_counts(side, order.n) for side in sides)
    common = [ngram for ngram in ours if ngram in theirs]
    if len(common) > (MOST_CHARACTERS if order.n == 1 else MOST_NGRAMS):
        return None
    columns = ("n-gram", "in hypothesis", "in reference", "common")
    return Table(
        order.name.capitalize(),
        tuple(Column(title, "left" if i == 0 else "right") for i, title in enumerate(columns)),
        tuple(_ngram_row(order, candidate, ngram, ours[ngram], theirs[ngram]) for ngram in common),
    )


def _ngram_row(order: _Order, candidate: _Text, ngram: Tokens, ours: int, theirs: int) -> Row:
    mark: Mark = "match" if ours == theirs else "partial"
    return Row((candidate.shown(order.kind, ngram), str(ours), str(theirs), str(min(ours, theirs))), mark)


def _fraction_parts(metric: CHRF, orders: Sequence[_Order]) -> list[Part]:
    rows = []
    for order in orders:
        if not (order.there or order.reference):
            continue
        numbers = [str(order.there), str(order.reference), str(order.matches)]
        precision = f"{order.matches}/{order.hypothesis} = {order.precision:.4f}" if order.hypothesis else "–"
        recall = f"{order.matches}/{order.reference} = {order.recall:.4f}" if order.reference else "–"
        missing = "" if order.counts else f"the {'hypothesis' if order.reference else 'reference'} has none"
        rows.append(Row((order.name, *numbers, precision, recall, missing)))
    titles = ("in hypothesis", "in reference", "common", "precision", "recall")
    columns = (Column("n-grams"), *(Column(title, "right") for title in titles), Column(""))
    parts: list[Part] = [Formula("precision", "common / in hypothesis"), Formula("recall", "common / in reference")]
    if rows:
        parts.append(Table("Orders", columns, tuple(rows)))
    without = len(orders) - len(rows)
    if without:
        count = "Of one order" if without == 1 else f"Of {without} orders"
        parts.append(Paragraph(f"{count} neither side has any n-grams."))
    return parts


def _f_formula(metric: CHRF, precision: str, recall: str) -> list[str]:
    """The F-score in letters and in numbers."""
    square = metric.beta * metric.beta
    if math.isinf(square):
        return [f"R, since β = {metric.beta:g} leaves nothing of P"]
    return [
        "(1 + β²) · P · R / (β² · P + R)",
        f"{1 + square:g} · {precision} · {recall} / ({square:g} · {precision} + {recall})",
    ]


def _mean_parts(metric: CHRF, score: CHRFScore, orders: Sequence[_Order]) -> list[Part]:
    """One F-score of the mean precision and recall."""
    used = [order for order in orders if order.counts]
    if not used:
        return [Paragraph("There is no order that both sides have n-grams of: the score is 0.")]
    said = f"The mean is taken over the {len(used)} of {len(orders)} orders that both sides have n-grams of."
    if len(used) == len(orders):
        said = f"The mean is taken over all {len(orders)} orders." if len(orders) > 1 else "There is one order."
    parts: list[Part] = [Paragraph(said)]
    means = {"P": [order.precision for order in used], "R": [order.recall for order in used]}
    for name, fractions in means.items():
        terms = f"({' + '.join(f'{fraction:.4f}' for fraction in fractions)})"
        if len(used) > MOST_TERMS:
            terms = "sum of precisions" if name == "P" else "sum of recalls"
        chain = [f"{terms}/{len(used)}"] if len(used) > 1 else []
        value = score.precision if name == "P" else score.recall
        parts.append(Formula.chain(name, *chain, f"{value:.4f}"))
    if score.value == 0:
        return [*parts, Paragraph("Nothing is common: the score is 0.")]
    parts.append(Formula("β", f"{metric.beta:g}"))
    formula = _f_formula(metric, f"{score.precision:.4f}", f"{score.recall:.4f}")
    parts.append(Formula.chain(metric.title, *formula, f"{score.value:.4f}"))
    return [*parts, *_average_parts(metric)]


def _smoothed_parts(metric: CHRF, score: CHRFScore, orders: Sequence[_Order]) -> list[Part]:
    """The mean of all orders' F-scores."""
    if metric.smoothing == "nltk":
        rule = f"As in NLTK, an order without common n-grams has F = {EPSILON}."
    else:
        rule = f"A precision, recall or F of 0/0 counts as {EPSILON}."
    parts: list[Part] = [
        Paragraph(f"Each order has an F-score of its own, and the score is the mean of all {len(orders)}. {rule}"),
        Formula("β", f"{metric.beta:g}"),
        Formula("F", _f_formula(metric, "P", "R")[0]),
    ]
    # The F-score of an order is the score of a metric that has no other.
    alone = replace(metric, char_order=1, word_order=0, average="micro")
    scores = [alone.score([order.hypothesis, order.reference, order.matches]).value for order in orders]
    shown = [(order, value) for order, value in zip(orders, scores, strict=True) if order.there or order.reference]
    nothing = "–" if metric.smoothing == "nltk" else EPSILON
    rows = []
    for order, value in shown:
        precision = f"{order.precision:.4f}" if order.hypothesis else nothing
        recall = f"{order.recall:.4f}" if order.reference else nothing
        rows.append(Row((order.name, precision, recall, f"{value:.4g}")))
    columns = (Column("n-grams"), *(Column(title, "right") for title in ("P", "R", "F")))
    if rows:
        parts.append(Table("F-scores", columns, tuple(rows)))
    terms = f"({' + '.join(f'{value:.4g}' for value in scores)})" if len(scores) <= MOST_TERMS else "sum of F"
    chain = [f"{terms}/{len(orders)}"] if len(orders) > 1 else []
    parts.append(Formula.chain(metric.title, *chain, f"{score.value:.4f}"))
    return [*parts, *_average_parts(metric)]


def _average_parts(metric: CHRF) -> list[Part]:
    if metric.average == "micro":
        return []
    return [Paragraph("The score of a corpus is the mean of its segments' scores (average='macro').")]
