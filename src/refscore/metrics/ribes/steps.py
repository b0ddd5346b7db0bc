"""RIBES's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import Part, Tokens, joined, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.ribes.metric import RIBES, AlignedWord, RIBESScore

# Beyond these a list explains less than its length.
MOST_PAIRS = 12
MOST_TERMS = 20
MOST_IN_GRID = 20
MOST_CONTEXT_WORDS = 12


@dataclass(frozen=True)
class _Case:
    """The hypothesis beside the reference that counts; `score` is that of the two."""

    metric: RIBES
    score: RIBESScore
    candidate: Tokens
    target: Tokens
    words: Sequence[AlignedWord]

    @property
    def ranks(self) -> list[int]:
        """The reference positions of the aligned words, from 1."""
        return [word.rank + 1 for word in self.words if word.rank is not None]

    @property
    def aligned(self) -> list[Hashable]:
        """The aligned words, in the order of the hypothesis."""
        return [word.word for word in self.words if word.rank is not None]


def explain(metric: RIBES, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `RIBES.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference) for reference in entry]
    sections: list[tuple[str, list[Part]]] = [("Tokens", [token_table(candidate, targets)])]
    if not candidate:
        sections.append(("Result", [Paragraph("An empty hypothesis scores 0.")]))
    else:
        # A reference that is left out has no score of its own.
        kept = [target or metric.empty_reference != "skip" for target in targets]
        scores = [metric.segment(item, [one]) if keep else None for one, keep in zip(entry, kept, strict=True)]
        best = next(i for i, one in enumerate(scores) if one is not None and one.row.tolist() == score.row.tolist())
        if len(targets) > 1:
            sections.append(("The best reference", _reference_parts(metric, scores, targets, best)))
        words = metric.alignment(candidate, targets[best])
        sections += _case_sections(_Case(metric, score, candidate, targets[best], words))
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps("RIBES, step by step", tuple(parts), f"RIBES = {score.value:.4f} ({score.percent:.2f} %)")


def _correlation_name(metric: RIBES) -> str:
    return "NSR" if metric.correlation == "rho" else "NKT"


def _case_sections(case: _Case) -> list[tuple[str, list[Part]]]:
    return [
        ("Alignment", _alignment_parts(case)),
        ("Word order", _order_parts(case)),
        ("Precision", _precision_parts(case)),
        ("Brevity penalty", _brevity_parts(case)),
        ("Result", _result_parts(case)),
    ]


def _reference_parts(
    metric: RIBES, scores: Sequence[RIBESScore | None], targets: Sequence[Tokens], best: int
) -> list[Part]:
    rows = []
    for i, score in enumerate(scores):
        numbers = [score.nkt, score.precision, score.brevity_penalty, score.value] if score else []
        cells = [f"{number:.4f}" for number in numbers] or ["–"] * 4
        remark = "counts" if i == best else "left out" if score is None else "" if targets[i] else "scores 0"
        empty = "" if targets[i] else "empty"
        rows.append(
            Row(
                (f"reference {i + 1}", *cells, ", ".join(filter(None, (empty, remark)))), "match" if i == best else None
            )
        )
    columns = (
        Column("text"),
        *(Column(title, "right") for title in (_correlation_name(metric), "P", "BP", "RIBES")),
        Column(""),
    )
    return [
        Paragraph("The hypothesis is scored with each reference alone, and the best score counts."),
        Table("References", columns, tuple(rows)),
        Paragraph(f"{_why_best(scores, best)}: what follows is about reference {best + 1}."),
    ]


def _why_best(scores: Sequence[RIBESScore | None], best: int) -> str:
    values = [score.value for score in scores if score is not None]
    if len(values) == 1:
        return f"Reference {best + 1} is the only one that is not left out"
    if values.count(max(values)) > 1:
        return f"Reference {best + 1} is the first of those with the best score"
    return f"Reference {best + 1} has the best score"


def _alignment_parts(case: _Case) -> list[Part]:
    sides = ("left", "right") if case.metric.first_context == "left" else ("right", "left")
    parts: list[Part] = [
        Paragraph(
            "A word that occurs exactly once in both texts is aligned at once. For any other, a context of the word "
            f"and its neighbours grows by one word at a time, each time tried to the {sides[0]} and then to the "
            f"{sides[1]}, until one occurs exactly once in both."
        )
    ]
    if case.metric.context_limit == "nltk":
        parts.append(
            Paragraph("As in NLTK, the i-th of L words has fewer than max(i − 1, L − i + 2) neighbours in it.")
        )
    if not case.target:
        parts.append(Paragraph("The reference is empty (empty_reference='zero'), so no word can be aligned."))
    parts.append(_word_table(case))
    if case.target and max(len(case.candidate), len(case.target)) <= MOST_IN_GRID:
        parts += _grid_parts(case)
    return parts


def _word_table(case: _Case) -> Table:
    present = set(case.target)
    rows = []
    for i, word in enumerate(case.words):
        cells = [str(i + 1), str(case.candidate[i])]
        if word.rank is None or word.context is None:
            reason = "not in the reference"
            if case.candidate[i] in present:
                reason = "no context occurs exactly once in both"
                if case.metric.context_limit == "nltk":
                    reason = "no context within the limit occurs exactly once in both"
            rows.append(Row((*cells, "–", reason, "–"), "miss"))
            continue
        begin, end = word.context
        side = "the word itself" if end - begin == 1 else "context to the left" if begin < i else "context to the right"
        cells += [_shortened(case.candidate[begin:end]), side, str(word.rank + 1)]
        rows.append(Row(tuple(cells), "match"))
    columns = (
        Column("position", "right"),
        Column("word"),
        Column("found by"),
        Column("which is"),
        Column("rank", "right"),
    )
    return Table(
        "Hypothesis words",
        columns,
        tuple(rows),
        "The rank is the position in the reference. Positions are counted from 1, here and below.",
    )


def _shortened(context: Tokens) -> str:
    if len(context) <= MOST_CONTEXT_WORDS:
        return joined(context)
    return f"{joined(context[:4])} … {joined(context[-4:])} ({len(context)} words)"


def _grid_parts(case: _Case) -> list[Part]:
    positions = range(len(case.target))
    rows = [
        Row((str(token), *("●" if position == word.rank else "·" for position in positions)))
        for token, word in zip(case.candidate, case.words, strict=True)
    ]
    columns = (Column("word"), *(Column(str(position + 1), "center") for position in positions))
    named = ", ".join(f"{number} {token}" for number, token in enumerate(case.target, 1))
    said = "The same as a grid: rows are the words of the hypothesis, columns the positions in the reference"
    return [Paragraph(f"{said} ({named})."), Table("Grid", columns, tuple(rows))]


def _order_parts(case: _Case) -> list[Part]:
    ranks, name = case.ranks, _correlation_name(case.metric)
    if not ranks:
        return [Paragraph("No word is aligned."), Formula(name, "0, since there is no order")]
    row = Formula("ranks", ", ".join(map(str, ranks)))
    if len(ranks) == 1:
        return [row, Formula(name, _single_word_rule(case))]
    said = Paragraph("The ranks of the aligned words, in the order of the hypothesis:")
    if case.metric.correlation == "rho":
        return [said, row, *_rho_parts(case)]
    counted = _run_parts(case) if case.metric.correlation == "tau-runs" else _pair_parts(case)
    return [said, row, *counted]


def _single_word_rule(case: _Case) -> str:
    if case.metric.single_word == "zero":
        return "0, since a single aligned word has no order (single_word='zero')"
    if len(case.target) == 1:
        return "1, since the one aligned word is the whole reference (single_word='reference')"
    return "0, since one aligned word of several in the reference has no order (single_word='reference')"


def _pair_parts(case: _Case) -> list[Part]:
    ranks = case.ranks
    rule = "A pair of aligned words is ascending if the first has the smaller rank: it is in the reference's order."
    terms = _ascending_terms(ranks)
    ascending = sum(terms)
    parts: list[Part] = [Paragraph(rule)]
    chain: list[str] = []
    if 0 < ascending <= MOST_PAIRS:
        parts.append(_pair_table(case))
    elif ascending and len(terms) <= MOST_TERMS:
        parts.append(Paragraph("There are many, so they are counted: for each aligned word those that it begins."))
        chain = [" + ".join(map(str, terms))]
    parts.append(Formula.chain("ascending", *chain, str(ascending)))
    return parts + _tau_formulas(case, ascending)


def _ascending_terms(ranks: Sequence[int]) -> list[int]:
    """For each rank, how many of the later ones are greater."""
    later: list[int] = []
    terms = []
    for rank in reversed(ranks):
        terms.append(len(later) - bisect_right(later, rank))
        insort(later, rank)
    return terms[::-1]


def _pair_table(case: _Case) -> Table:
    found = list(zip(case.aligned, case.ranks, strict=True))
    rows = [
        Row((f"{word} … {other}", f"{rank} < {other_rank}"))
        for i, (word, rank) in enumerate(found)
        for other, other_rank in found[i + 1 :]
        if rank < other_rank
    ]
    return Table("Ascending pairs", (Column("words"), Column("ranks")), tuple(rows))


def _run_parts(case: _Case) -> list[Part]:
    rule = (
        "Only pairs inside a run count as ascending: neighbours whose ranks go up by exactly 1 at each step. "
        "A run of k words has k · (k − 1)/2 of them."
    )
    runs = [(begin, end) for begin, end in _runs(case.ranks) if end - begin > 1]
    if not runs:
        return [Paragraph(rule), Formula("ascending", "0, since there is no run"), *_tau_formulas(case, 0)]
    rows, pairs = [], []
    for begin, end in runs:
        length = end - begin
        pairs.append(length * (length - 1) // 2)
        shown = _shortened(case.aligned[begin:end]), _shortened(case.ranks[begin:end])
        rows.append(Row((*shown, str(length), str(pairs[-1]))))
    columns = (Column("words"), Column("ranks"), Column("k", "right"), Column("pairs", "right"))
    chain = [" + ".join(map(str, pairs))] if 1 < len(pairs) <= MOST_TERMS else []
    return [
        Paragraph(rule),
        Table("Runs", columns, tuple(rows)),
        Formula.chain("ascending", *chain, str(sum(pairs))),
        *_tau_formulas(case, sum(pairs)),
    ]


def _runs(ranks: Sequence[int]) -> list[tuple[int, int]]:
    breaks = [i for i in range(1, len(ranks)) if ranks[i] != ranks[i - 1] + 1]
    return list(zip([0, *breaks], [*breaks, len(ranks)], strict=True))


def _tau_formulas(case: _Case, ascending: int) -> list[Part]:
    n = len(case.ranks)
    pairs, value = n * (n - 1) // 2, f"{case.score.nkt:.4f}"
    every: Part = Formula.chain("all pairs", "n · (n − 1)/2", f"{n} · {n - 1}/2", str(pairs))
    if case.metric.correlation == "tau":
        return [every, Formula.chain("NKT", "ascending / all pairs", f"{ascending}/{pairs}", value)]
    tau = 2 * ascending / pairs - 1
    return [
        every,
        Formula.chain("tau", "2 · ascending / all pairs − 1", f"2 · {ascending}/{pairs} − 1", f"{tau:.4f}"),
        Formula.chain("NKT", "(tau + 1)/2", f"({tau:.4f} + 1)/2", value),
    ]


def _rho_parts(case: _Case) -> list[Part]:
    ranks = case.ranks
    n = len(ranks)
    ordered = sorted(ranks)
    placed = [(bisect_left(ordered, rank) + bisect_right(ordered, rank) + 1) / 2 for rank in ranks]
    rows = []
    squares = []
    for number, (word, rank, place) in enumerate(zip(case.aligned, ranks, placed, strict=True), 1):
        difference = place - number
        squares.append(difference * difference)
        rows.append(Row((str(word), str(number), str(rank), f"{place:g}", f"{difference:g}", f"{squares[-1]:g}")))
    titles = ("number", "rank", "place of the rank", "d", "d²")
    columns = (Column("word"), *(Column(title, "right") for title in titles))
    total = sum(squares)
    triples = math.comb(n + 1, 3)
    rho = 1 - total / triples
    note = "Equal ranks share the mean of their places." if len(set(ranks)) < n else None
    return [
        Paragraph("The ranks themselves are put in order, and each is held against the number of its word."),
        Table("Places", columns, tuple(rows), note),
        Formula.chain(
            "Σd²", *([" + ".join(f"{square:g}" for square in squares)] if n <= MOST_TERMS else []), f"{total:.15g}"
        ),
        Formula.chain(
            "rho",
            "1 − Σd² / ((n + 1) · n · (n − 1)/6)",
            f"1 − {total:.15g}/({n + 1} · {n} · {n - 1}/6)",
            f"1 − {total:.15g}/{triples}",
            f"{rho:.4f}",
        ),
        Formula.chain("NSR", "(rho + 1)/2", f"({rho:.4f} + 1)/2", f"{case.score.nkt:.4f}"),
    ]


def _precision_parts(case: _Case) -> list[Part]:
    aligned, length = len(case.ranks), len(case.candidate)
    words = "aligned words / words of the hypothesis"
    return [Formula.chain("P", words, f"{aligned}/{length}", f"{case.score.precision:.4f}")]


def _brevity_parts(case: _Case) -> list[Part]:
    hypothesis, reference = len(case.candidate), len(case.target)
    parts: list[Part] = [
        Formula("L", "length of the hypothesis", str(hypothesis)),
        Formula("R", "length of the reference", str(reference)),
    ]
    if hypothesis >= reference:
        return [*parts, Formula("BP", "1, since L ≥ R")]
    fraction = f"exp(1 − {reference}/{hypothesis})"
    return [*parts, Formula.chain("BP", "exp(1 − R/L)", fraction, f"{case.score.brevity_penalty:.4f}")]


def _result_parts(case: _Case) -> list[Part]:
    metric, score = case.metric, case.score
    name = _correlation_name(metric)
    nkt, precision, penalty = (f"{number:.4f}" for number in (score.nkt, score.precision, score.brevity_penalty))
    return [
        Formula("alpha", f"{metric.alpha:g}"),
        Formula("beta", f"{metric.beta:g}"),
        Formula.chain(
            "RIBES",
            f"{name} · P^alpha · BP^beta",
            f"{nkt} · {precision}^{metric.alpha:g} · {penalty}^{metric.beta:g}",
            f"{nkt} · {score.precision**metric.alpha:.4f} · {score.brevity_penalty**metric.beta:.4f}",
            f"{score.value:.4f}",
        ),
    ]
