import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refscore import _native
from refscore.metrics.chrf.metric import CHRF, CHRFScore
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written

# Longer lists are hard to read.
MOST_CHARACTERS = 40
MOST_NGRAMS = 6
LAST_LISTED = 6

EPSILON = "1e-16"


@dataclass(frozen=True)
class _Units:
    """n-gram units: all texts' characters or words, the hypothesis first."""

    name: str  # "character" or "word"
    texts: Sequence[Tokens]
    join: Callable[[Tokens], str] = steps.joined

    @property
    def table(self) -> steps.Table:
        columns = steps.left("text", f"{self.name}s") + steps.right("number")
        return steps.Table(f"{self.name}s".capitalize(), columns, steps.text_rows(self.texts, self.join))


@dataclass(frozen=True)
class _Order:
    """The n-grams for one order, with their number in the hypothesis, in the reference and in both."""

    units: _Units
    n: int
    hypothesis: int
    reference: int
    matches: int

    @property
    def name(self) -> str:
        return f"{self.units.name}s" if self.n == 1 else f"{self.units.name} {self.n}-grams"

    @property
    def in_hypothesis(self) -> int:
        """The hypothesis n-grams, including those that do not count."""
        return max(0, len(self.units.texts[0]) - self.n + 1)

    @property
    def occurs(self) -> bool:
        """Whether any side has such n-grams."""
        return self.in_hypothesis > 0 or self.reference > 0

    @property
    def counts(self) -> bool:
        """Whether both sides have such n-grams."""
        return self.hypothesis > 0 and self.reference > 0

    @property
    def precision(self) -> float:
        return self.matches / self.hypothesis if self.hypothesis else 0.0

    @property
    def recall(self) -> float:
        return self.matches / self.reference if self.reference else 0.0


def explain(segment: ScoredSegment[CHRFScore]) -> Written:
    metric = segment.score.metric
    # With average='macro', rows have no counts to show, so the segment is scored with average='micro'.
    counting = replace(metric, average="micro")
    segment = replace(segment, score=counting.segment(segment.hypothesis, segment.references))
    score = segment.score
    characters, words = _split(metric, [segment.hypothesis, *segment.references])
    orders = _orders(score, (characters, words))
    yield steps.Heading("Characters and words" if metric.word_order else "Characters")
    if isinstance(segment.hypothesis, str):
        unit = {"codepoints": "code points", "graphemes": "grapheme clusters"}[metric.characters]
        space = "Whitespace counts; a space is shown as ␣" if metric.whitespace else "Whitespace is ignored"
        yield f"Characters are {unit}. {space}."
    else:
        yield "Each token counts as a character."
    yield characters.table
    if metric.word_order:
        yield "Words are separated by whitespace. One punctuation mark is split off each, at its end or else its start."
        yield words.table
    yield from segment.reference_steps({metric.title: "value"})
    yield steps.Heading("Common n-grams")
    yield from _common_ngrams(orders, segment.best)
    yield steps.Heading("Precision and recall")
    yield from _fractions(orders)
    yield steps.Heading("Result")
    yield from _mean(metric, score, orders) if metric.smoothing == "none" else _smoothed(metric, score, orders)
    if metric.average == "macro":
        yield "A corpus score is the mean of the segment scores (average='macro')."


def _split(metric: CHRF, items: Sequence[Any]) -> tuple[_Units, _Units]:
    """Return characters and words. Tokens count as characters."""
    if not isinstance(items[0], str):
        return _Units("character", [metric.pipeline.words(item) for item in items]), _Units("word", [()] * len(items))
    texts = [metric.pipeline.normalize_text(item) for item in items]

    def split(tokenizer: str) -> list[list[str]]:
        return [_native.tokenize(text, _native.TextRules(tokenizer)) for text in texts]

    def join(characters: Tokens) -> str:
        glue = "" if metric.characters == "codepoints" else " "
        return glue.join("␣" if unit == " " else str(unit) for unit in characters)

    if metric.characters == "codepoints":
        characters = [[char for char in text if metric.whitespace or not char.isspace()] for text in texts]
    else:
        characters = split("all-graphemes" if metric.whitespace else "graphemes")
    return _Units("character", characters, join), _Units("word", split("chrf-words"))


def _orders(score: CHRFScore, units: Sequence[_Units]) -> list[_Order]:
    lengths = zip(units, (score.metric.char_order, score.metric.word_order), strict=True)
    orders = [(unit, n) for unit, last in lengths for n in range(1, last + 1)]
    counts = zip(score.hyp_ngrams, score.ref_ngrams, score.matches, strict=True)
    return [_Order(*order, *numbers) for order, numbers in zip(orders, counts, strict=True)]


def _common_ngrams(orders: Sequence[_Order], best: int) -> Written:
    rule = "An n-gram is common as often as both sides have it: the smaller of its two counts."
    matched = [order for order in orders if order.matches]
    if not matched:
        yield rule
        yield "There are no common n-grams."
        return
    yield f"{rule} Only common n-grams are listed."
    too_many: set[str] = set()
    listed = 0
    for order in matched:
        table = _ngram_table(order, best)
        # Higher orders with the same units are not listed either.
        if table is None or order.units.name in too_many:
            too_many.add(order.units.name)
        else:
            listed += 1
            yield table
    if too_many:
        rest = "The other orders have" if listed else "All orders have"
        yield f"{rest} too many to list. The next step has their counts."


def _ngram_table(order: _Order, best: int) -> steps.Table | None:
    """Return a table with the common n-grams, or None if there are too many."""
    if order.n > LAST_LISTED:
        return None
    texts = order.units.texts
    ours, theirs = steps.ngram_counts(texts[0], order.n), steps.ngram_counts(texts[1 + best], order.n)
    common = ours & theirs
    if len(common) > (MOST_CHARACTERS if order.n == 1 else MOST_NGRAMS):
        return None
    rows = []
    for ngram, count in common.items():
        mark = steps.mark_share(count, max(ours[ngram], theirs[ngram]))
        rows.append(steps.row(order.units.join(ngram), ours[ngram], theirs[ngram], count, mark=mark))
    return steps.Table(
        order.name.capitalize(), steps.left("n-gram") + steps.right("in hypothesis", "in reference", "common"), rows
    )


def _fractions(orders: Sequence[_Order]) -> Written:
    rows = []
    for order in orders:
        if not order.occurs:
            continue
        precision = f"{order.matches}/{order.hypothesis} = {order.precision:.4f}" if order.hypothesis else "–"
        recall = f"{order.matches}/{order.reference} = {order.recall:.4f}" if order.reference else "–"
        missing = "" if order.counts else f"the {'hypothesis' if order.reference else 'reference'} has none"
        rows.append(
            steps.row(order.name, order.in_hypothesis, order.reference, order.matches, precision, recall, missing)
        )
    yield steps.formula("precision", "common / in hypothesis")
    yield steps.formula("recall", "common / in reference")
    if rows:
        columns = (
            steps.left("n-grams")
            + steps.right("in hypothesis", "in reference", "common", "precision", "recall")
            + steps.left("")
        )
        yield steps.Table("Orders", columns, rows)
    without = len(orders) - len(rows)
    if without:
        count = "One order has" if without == 1 else f"{without} orders have"
        yield f"{count} no n-grams on either side."


def _f_formula(metric: CHRF, precision: str, recall: str) -> list[str]:
    square = metric.beta * metric.beta
    if math.isinf(square):
        return [f"R, since β = {metric.beta:g} makes P negligible"]
    return [
        "(1 + β²) · P · R / (β² · P + R)",
        f"{1 + square:g} · {precision} · {recall} / ({square:g} · {precision} + {recall})",
    ]


def _mean_terms(values: Sequence[str | float], name: str) -> list[str]:
    """Return a mean as a formula term: a sum, or its name for many values, or nothing for one value."""
    if len(values) == 1:
        return []
    return steps.sum_terms(values, f"({{}})/{len(values)}") or [f"{name}/{len(values)}"]


def _mean(metric: CHRF, score: CHRFScore, orders: Sequence[_Order]) -> Written:
    used = [order for order in orders if order.counts]
    if not used:
        yield "No order has n-grams on both sides, so the score is 0."
        return
    if len(used) < len(orders):
        yield f"The mean is over the {len(used)} of {len(orders)} orders with n-grams on both sides."
    else:
        yield f"The mean is over all {len(orders)} orders." if len(orders) > 1 else "There is one order."
    precision, recall = f"{score.precision:.4f}", f"{score.recall:.4f}"
    yield steps.formula("P", *_mean_terms([order.precision for order in used], "sum of precisions"), precision)
    yield steps.formula("R", *_mean_terms([order.recall for order in used], "sum of recalls"), recall)
    if score.value == 0:
        yield "There are no common n-grams, so the score is 0."
        return
    yield steps.formula("β", f"{metric.beta:g}")
    yield steps.formula(metric.title, *_f_formula(metric, precision, recall), score.value)


def _smoothed(metric: CHRF, score: CHRFScore, orders: Sequence[_Order]) -> Written:
    rule, nothing = f"A precision, recall or F of 0/0 counts as {EPSILON}.", EPSILON
    if metric.smoothing == "nltk":
        rule, nothing = f"As in NLTK, an order without common n-grams has F = {EPSILON}.", "–"
    # An order's F-score is the score by a metric with only this order.
    single = replace(metric, char_order=1, word_order=0, average="micro")
    rows, scores = [], []
    for order in orders:
        scores.append(f"{single.score([order.hypothesis, order.reference, order.matches]).value:.4g}")
        precision = order.precision if order.hypothesis else nothing
        recall = order.recall if order.reference else nothing
        if order.occurs:
            rows.append(steps.row(order.name, precision, recall, scores[-1]))
    yield f"The score is the mean of the F-scores of all {len(orders)} orders. {rule}"
    yield steps.formula("β", f"{metric.beta:g}")
    yield steps.formula("F", _f_formula(metric, "P", "R")[0])
    if rows:
        yield steps.Table("F-scores", steps.left("n-grams") + steps.right("P", "R", "F"), rows)
    yield steps.formula(metric.title, *_mean_terms(scores, "sum of F"), score.value)
