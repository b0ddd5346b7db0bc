"""GLEU's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import Part, Tokens, joined, ngram_counts, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.gleu.metric import GLEU, GLEUScore


def explain(metric: GLEU, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `GLEU.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference) for reference in entry]
    sections: list[tuple[str, list[Part]]] = [("Tokens", [token_table(candidate, targets)])]
    scores = [metric.segment(item, [one]) for one in entry]
    counting = [i for i, one in enumerate(scores) if one.total > 0]
    if not counting:
        reason = f"No text has an n-gram of {metric.min_order} or more tokens: the score is 0."
        sections.append(("Result", [Paragraph(reason)]))
    else:
        best = max(counting, key=lambda i: scores[i].value)
        if len(targets) > 1:
            sections.append(("The best reference", _reference_parts(scores, best)))
        sections += [
            ("Common n-grams", _ngram_parts(metric, candidate, targets[best], score)),
            ("Result", _result_parts(metric, candidate, targets[best], score)),
        ]
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps("GLEU, step by step", tuple(parts), f"GLEU = {score.value:.4f} ({score.percent:.2f} %)")


def _reference_parts(scores: Sequence[GLEUScore], best: int) -> list[Part]:
    rows = []
    for i, score in enumerate(scores):
        cells = [str(score.matches), str(score.total), f"{score.value:.4f}"] if score.total else ["–"] * 3
        remark = "counts" if i == best else "" if score.total else "no n-grams, left out"
        rows.append(Row((f"reference {i + 1}", *cells, remark), "match" if i == best else None))
    titles = ("matches", "total", "GLEU")
    columns = (Column("text"), *(Column(title, "right") for title in titles), Column(""))
    values = [score.value for score in scores if score.total]
    why = "is the first of those with the best score" if values.count(max(values)) > 1 else "has the best score"
    return [
        Paragraph("The hypothesis is scored with each reference alone, and the best score counts."),
        Table("References", columns, tuple(rows)),
        Paragraph(f"Reference {best + 1} {why}: what follows is about it."),
    ]


def _orders(metric: GLEU, *texts: Tokens) -> range:
    """The orders that one of the texts is long enough for."""
    return range(metric.min_order, min(metric.max_order, max(map(len, texts))) + 1)


def _ngram_parts(metric: GLEU, candidate: Tokens, target: Tokens, score: GLEUScore) -> list[Part]:
    parts: list[Part] = [
        Paragraph("An n-gram is common as often as it occurs in both texts: the smaller of its two counts.")
    ]
    sums = []
    for order in _orders(metric, candidate, target):
        counts, known = ngram_counts(candidate, order), ngram_counts(target, order)
        rows = []
        for ngram, count in counts.items():
            common = min(count, known[ngram])
            mark: Mark = "match" if common == count else "partial" if common else "miss"
            rows.append(Row((joined(ngram), str(count), str(known[ngram]), str(common)), mark))
        if not rows:
            parts.append(Paragraph(f"{order}-grams: the hypothesis has only {len(candidate)} tokens, so it has none."))
            continue
        sums.append(sum(int(row.cells[3]) for row in rows))
        titles = ("in hypothesis", "in reference", "common")
        columns = (Column("n-gram"), *(Column(title, "right") for title in titles))
        parts.append(Table(f"{order}-grams", columns, tuple(rows)))
    chain = [" + ".join(map(str, sums))] if len(sums) > 1 else []
    return [*parts, Formula.chain("matches", *chain, str(score.matches))]


def _result_parts(metric: GLEU, candidate: Tokens, target: Tokens, score: GLEUScore) -> list[Part]:
    orders = _orders(metric, candidate, target)
    parts: list[Part] = []
    totals = []
    for name, tokens in (("hypothesis", candidate), ("reference", target)):
        counts = [len(tokens) - order + 1 for order in orders if order <= len(tokens)]
        chain = [" + ".join(map(str, counts))] if len(counts) > 1 else []
        parts.append(Formula.chain(f"n-grams of the {name}", *chain, str(sum(counts))))
        totals.append(str(sum(counts)))
    return [
        *parts,
        Formula.chain("total", "the larger of the two", f"max({', '.join(totals)})", str(score.total)),
        Formula.chain("GLEU", "matches / total", f"{score.matches}/{score.total}", f"{score.value:.4f}"),
    ]
