"""The worked steps of RIBES for one segment."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refscore.cached import cached_property
from refscore.metrics.core.steps import (
    MOST_TERMS,
    Part,
    Tokens,
    alignment_grid,
    formula,
    left,
    read_segment,
    right,
    row,
    shortened,
    sum_terms,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.ribes.metric import RIBES, AlignedWord, RIBESScore

# Longer lists are hard to read.
MOST_PAIRS = 12


@dataclass(frozen=True)
class _Case:
    """The hypothesis with the reference that counts, and their score."""

    metric: RIBES
    score: RIBESScore
    candidate: Tokens
    target: Tokens
    words: Sequence[AlignedWord]

    @cached_property
    def ranks(self) -> list[int]:
        """The reference positions of the aligned words, from 1."""
        return [word.rank + 1 for word in self.words if word.rank is not None]

    @cached_property
    def aligned(self) -> list[Hashable]:
        """The aligned words, in the order of the hypothesis."""
        return [word.word for word in self.words if word.rank is not None]

    @property
    def correlation_name(self) -> str:
        return "NSR" if self.metric.correlation == "rho" else "NKT"


def explain(metric: RIBES, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `RIBES.explain`."""
    segment = read_segment(metric, hypothesis, references)
    candidate = segment.candidate
    if not candidate:
        return segment.steps(segment.token_section, ("Result", [Paragraph("An empty hypothesis scores 0.")]))
    case = _Case(metric, segment.score, candidate, segment.target, metric.alignment(candidate, segment.target))
    return segment.steps(
        segment.token_section,
        *segment.reference_sections(
            {case.correlation_name: "nkt", "P": "precision", "BP": "brevity_penalty", "RIBES": "value"},
            ["" if target else "empty" for target in segment.targets],
        ),
        ("Alignment", _alignment_parts(case)),
        ("Word order", _order_parts(case)),
        ("Precision", _precision_parts(case)),
        ("Brevity penalty", _brevity_parts(case)),
        ("Result", _result_parts(case)),
    )


def _alignment_parts(case: _Case) -> list[Part]:
    sides = ("left", "right") if case.metric.first_context == "left" else ("right", "left")
    parts: list[Part] = [
        Paragraph(
            "A word that occurs exactly once in both texts is aligned directly. For other words, a context of the word "
            "and its neighbours grows by one word at a time until it occurs exactly once in both texts. At each size, "
            f"the context to the {sides[0]} is tried before the one to the {sides[1]}."
        )
    ]
    if case.metric.context_limit == "nltk":
        parts.append(
            Paragraph("As in NLTK, the context of the i-th of L words has fewer than max(i − 1, L − i + 2) neighbours.")
        )
    if not case.target:
        empty = "The reference is empty (empty_reference='zero'), so no word can be aligned."
        return [*parts, Paragraph(empty), _word_table(case)]
    signs = {(i, word.rank): "●" for i, word in enumerate(case.words) if word.rank is not None}
    return [*parts, _word_table(case), *alignment_grid("Grid", case.candidate, case.target, signs)]


def _word_table(case: _Case) -> Table:
    present = set(case.target)
    within = " within the limit" if case.metric.context_limit == "nltk" else ""
    rows = []
    for i, word in enumerate(case.words):
        token = str(case.candidate[i])
        if word.rank is None or word.context is None:
            known = case.candidate[i] in present
            reason = f"no context{within} occurs exactly once in both" if known else "not in the reference"
            rows.append(row(i + 1, token, "–", reason, "–", mark="miss"))
            continue
        begin, end = word.context
        side = "the word itself" if end - begin == 1 else "context to the left" if begin < i else "context to the right"
        rows.append(row(i + 1, token, shortened(case.candidate[begin:end]), side, word.rank + 1, mark="match"))
    columns = right("position") + left("word", "found by", "note") + right("rank")
    note = "The rank is the position in the reference. Positions count from 1."
    return Table("Hypothesis words", columns, rows, note)


def _order_parts(case: _Case) -> list[Part]:
    name = case.correlation_name
    if not case.ranks:
        return [Paragraph("No word is aligned."), formula(name, "0, since there is no order")]
    ranks = formula("ranks", ", ".join(map(str, case.ranks)))
    if len(case.ranks) == 1:
        return [ranks, formula(name, _single_word_rule(case))]
    parts = {"rho": _rho_parts, "tau-runs": _run_parts}.get(case.metric.correlation, _pair_parts)
    return [Paragraph("The ranks of the aligned words, in the order of the hypothesis:"), ranks, *parts(case)]


def _single_word_rule(case: _Case) -> str:
    if case.metric.single_word == "zero":
        return "0, since a single aligned word has no order (single_word='zero')"
    if len(case.target) == 1:
        return "1, since the one aligned word is the whole reference (single_word='reference')"
    return "0, since one aligned word of several in the reference has no order (single_word='reference')"


def _pair_parts(case: _Case) -> list[Part]:
    rule = "A pair of aligned words is ascending if the first has the smaller rank, as in the reference."
    terms = _ascending_terms(case.ranks)
    ascending = sum(terms)
    parts: list[Part] = [Paragraph(rule)]
    chain: list[str] = []
    if 0 < ascending <= MOST_PAIRS:
        parts.append(_pair_table(case))
    elif ascending and len(terms) <= MOST_TERMS:
        parts.append(
            Paragraph("There are too many to list. Each term counts the pairs that begin with one aligned word.")
        )
        chain = sum_terms(terms)
    return [*parts, formula("ascending", *chain, ascending), *_tau_formulas(case, ascending)]


def _ascending_terms(ranks: Sequence[int]) -> list[int]:
    """Return the number of later ranks that are greater, for each rank."""
    later: list[int] = []
    terms = []
    for rank in reversed(ranks):
        terms.append(len(later) - bisect_right(later, rank))
        insort(later, rank)
    return terms[::-1]


def _pair_table(case: _Case) -> Table:
    ranked = list(zip(case.aligned, case.ranks, strict=True))
    rows = [
        row(f"{word} … {other}", f"{rank} < {other_rank}")
        for i, (word, rank) in enumerate(ranked)
        for other, other_rank in ranked[i + 1 :]
        if rank < other_rank
    ]
    return Table("Ascending pairs", left("words", "ranks"), rows)


def _run_parts(case: _Case) -> list[Part]:
    rule = Paragraph(
        "Only pairs within a run count as ascending. In a run, ranks increase by exactly 1 at each step. "
        "A run of k words has k · (k − 1)/2 pairs."
    )
    runs = [(begin, end) for begin, end in _runs(case.ranks) if end - begin > 1]
    if not runs:
        return [rule, formula("ascending", "0, since there is no run"), *_tau_formulas(case, 0)]
    pairs = [math.comb(end - begin, 2) for begin, end in runs]
    rows = [
        row(shortened(case.aligned[begin:end]), shortened(case.ranks[begin:end]), end - begin, count)
        for (begin, end), count in zip(runs, pairs, strict=True)
    ]
    return [
        rule,
        Table("Runs", left("words", "ranks") + right("k", "pairs"), rows),
        formula("ascending", *sum_terms(pairs), sum(pairs)),
        *_tau_formulas(case, sum(pairs)),
    ]


def _runs(ranks: Sequence[int]) -> list[tuple[int, int]]:
    breaks = [i for i in range(1, len(ranks)) if ranks[i] != ranks[i - 1] + 1]
    return list(zip([0, *breaks], [*breaks, len(ranks)], strict=True))


def _tau_formulas(case: _Case, ascending: int) -> list[Part]:
    n = len(case.ranks)
    pairs = math.comb(n, 2)
    every = formula("all pairs", "n · (n − 1)/2", f"{n} · {n - 1}/2", pairs)
    if case.metric.correlation == "tau":
        return [every, formula("NKT", "ascending / all pairs", f"{ascending}/{pairs}", case.score.nkt)]
    tau = 2 * ascending / pairs - 1
    return [
        every,
        formula("tau", "2 · ascending / all pairs − 1", f"2 · {ascending}/{pairs} − 1", tau),
        formula("NKT", "(tau + 1)/2", f"({tau:.4f} + 1)/2", case.score.nkt),
    ]


def _rho_parts(case: _Case) -> list[Part]:
    ranks = case.ranks
    n = len(ranks)
    ordered = sorted(ranks)
    rows, squares = [], []
    for number, (word, rank) in enumerate(zip(case.aligned, ranks, strict=True), 1):
        place = (bisect_left(ordered, rank) + bisect_right(ordered, rank) + 1) / 2
        difference = place - number
        squares.append(difference * difference)
        rows.append(row(str(word), number, rank, f"{place:g}", f"{difference:g}", f"{squares[-1]:g}"))
    columns = left("word") + right("number", "rank", "place of the rank", "d", "d²")
    total = f"{sum(squares):.15g}"
    triples = math.comb(n + 1, 3)
    rho = 1 - sum(squares) / triples
    note = "Equal ranks share the mean of their places." if len(set(ranks)) < n else None
    return [
        Paragraph("The ranks are sorted, and the place of each rank is compared with the number of its word."),
        Table("Places", columns, rows, note),
        formula("Σd²", *sum_terms([f"{square:g}" for square in squares]), total),
        formula(
            "rho",
            "1 − Σd² / ((n + 1) · n · (n − 1)/6)",
            f"1 − {total}/({n + 1} · {n} · {n - 1}/6)",
            f"1 − {total}/{triples}",
            rho,
        ),
        formula("NSR", "(rho + 1)/2", f"({rho:.4f} + 1)/2", case.score.nkt),
    ]


def _precision_parts(case: _Case) -> list[Part]:
    aligned, length = len(case.ranks), len(case.candidate)
    return [formula("P", "aligned words / words of the hypothesis", f"{aligned}/{length}", case.score.precision)]


def _brevity_parts(case: _Case) -> list[Part]:
    hypothesis, reference = len(case.candidate), len(case.target)
    parts: list[Part] = [
        formula("L", "length of the hypothesis", hypothesis),
        formula("R", "length of the reference", reference),
    ]
    if hypothesis >= reference:
        return [*parts, formula("BP", "1, since L ≥ R")]
    return [
        *parts,
        formula("BP", "exp(1 − R/L)", f"exp(1 − {reference}/{hypothesis})", case.score.brevity_penalty),
    ]


def _result_parts(case: _Case) -> list[Part]:
    score, alpha, beta = case.score, case.metric.alpha, case.metric.beta
    return [
        formula("alpha", f"{alpha:g}"),
        formula("beta", f"{beta:g}"),
        formula(
            "RIBES",
            f"{case.correlation_name} · P^alpha · BP^beta",
            f"{score.nkt:.4f} · {score.precision:.4f}^{alpha:g} · {score.brevity_penalty:.4f}^{beta:g}",
            f"{score.nkt:.4f} · {score.precision**alpha:.4f} · {score.brevity_penalty**beta:.4f}",
            score.value,
        ),
    ]
