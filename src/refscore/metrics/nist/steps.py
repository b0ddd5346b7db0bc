"""NIST's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import Part, Tokens, joined, ngram_counts, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.nist.information import Information
    from refscore.metrics.nist.metric import NIST, NISTScore

# Beyond these a sum explains less than its length.
MOST_TERMS = 12


def explain(metric: NIST, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `NIST.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    information = metric.information
    assert information is not None
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference) for reference in entry]
    sections: list[tuple[str, list[Part]]] = [("Tokens", [token_table(candidate, targets)])]
    if not candidate:
        sections.append(("Result", [Paragraph("An empty hypothesis scores 0.")]))
    else:
        singles = [metric.segment(item, [reference]).row for reference in entry]
        matches: list[Part] = [Paragraph(_rule(targets))]
        lengths = []
        for order in range(1, metric.max_order + 1):
            best = max(range(len(targets)), key=lambda r: (singles[r][1 + order], len(targets[r]), -r))
            lengths.append(len(targets[best]))
            matches += _order_parts(score, information, candidate, targets, best, order)
        sections += [
            ("Information of what matches", matches),
            ("Length penalty", _length_parts(score, lengths, len(targets) > 1)),
            ("Result", _result_parts(score)),
        ]
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps("NIST, step by step", tuple(parts), f"NIST = {score.value:.4f}")


def _rule(targets: Sequence[Tokens]) -> str:
    rule = (
        "The weight of an n-gram is its information in the references that the metric was fitted on: log2 of how often "
        "the n-gram without its last token occurs there over how often the whole does. An n-gram matches as often as "
        "it occurs in both texts."
    )
    if len(targets) > 1:
        rule += " For each order, the reference counts whose matches have the most information, else the longest."
    return rule


def _order_parts(
    score: NISTScore, information: Information, candidate: Tokens, targets: Sequence[Tokens], best: int, order: int
) -> list[Part]:
    name = f"{order}-grams"
    if len(candidate) < order:
        return [Paragraph(f"{name}: the hypothesis has only {len(candidate)} tokens, so they add 0.")]
    known = ngram_counts(targets[best], order)
    rows, terms = [], []
    for ngram, count in ngram_counts(candidate, order).items():
        common = min(count, known[ngram])
        weight = information.weight(ngram)
        mark: Mark = "match" if common == count else "partial" if common else "miss"
        cells = (str(count), str(known[ngram]), str(common), f"{weight:.4f}", f"{common * weight:.4f}")
        rows.append(Row((joined(ngram), *cells), mark))
        if common:
            terms.append(cells[-1])
    titles = ("in hypothesis", "in reference", "common", "weight", "product")
    columns = (Column("n-gram"), *(Column(title, "right") for title in titles))
    note = f"Reference {best + 1} counts here." if len(targets) > 1 else None
    total, summed = score.totals[order - 1], score.row[1 + order].item()
    chain = [f"({' + '.join(terms)})/{total}"] if 1 < len(terms) <= MOST_TERMS else []
    value = f"{score.information[order - 1]:.4f}"
    return [
        Table(name, columns, tuple(rows), note),
        Formula.chain(f"information of {name}", *chain, f"{summed:.4f}/{total}", value),
    ]


def _length_parts(score: NISTScore, lengths: Sequence[int], several: bool) -> list[Part]:
    c, r = score.hyp_len, score.ref_len
    parts: list[Part] = [Formula("c", "length of the hypothesis", str(c))]
    rule = ["length of the reference"]
    if several:
        rule = ["mean length of the references that counted", f"({' + '.join(map(str, lengths))})/{len(lengths)}"]
    parts.append(Formula.chain("r", *rule, f"{r:g}"))
    if c >= r:
        return [*parts, Formula("penalty", "1, since c ≥ r")]
    beta = math.log(0.5) / math.log(1.5) ** 2
    return [
        *parts,
        Formula.chain("beta", "ln(1/2) / ln(3/2)²", f"{beta:.4f}"),
        Formula.chain(
            "penalty", "exp(beta · ln(c/r)²)", f"exp({beta:.4f} · ln({c}/{r:g})²)", f"{score.length_penalty:.4f}"
        ),
    ]


def _result_parts(score: NISTScore) -> list[Part]:
    terms = " + ".join(f"{value:.4f}" for value in score.information)
    chain = [f"({terms}) · {score.length_penalty:.4f}"] if len(score.information) <= MOST_TERMS else []
    return [Formula.chain("NIST", "sum of the information of all orders · penalty", *chain, f"{score.value:.4f}")]
