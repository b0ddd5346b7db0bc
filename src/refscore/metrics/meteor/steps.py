"""METEOR's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refscore import _native
from refscore.metrics.core.segment_steps import Part, Tokens, joined, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.meteor.metric import METEOR, METEORScore
    from refscore.metrics.meteor.word_matches import MatchedWord

# Beyond these a picture explains less than its size.
MOST_IN_GRID = 20
MOST_CHUNK_WORDS = 12

_STAGES = {
    "exact": "The hypothesis is gone through from its last word to its first. A word is matched with the last equal "
    "word of the reference that is not matched yet.",
    "stem": "The words that are left are matched in the same way if their stems are equal (Porter's stemmer, which "
    "ignores case).",
    "synonym": "The words that are left are matched in the same way if WordNet has the stem of the reference's word "
    "among the synonyms of the stem of the hypothesis' word (stems, since NLTK does it so).",
}
_COUNTED = "Positions are counted from 1, here and below."


@dataclass(frozen=True)
class _Case:
    """The hypothesis beside the reference that counts; `score` is that of the two."""

    metric: METEOR
    score: METEORScore
    candidate: Tokens
    target: Tokens
    words: Sequence[MatchedWord]

    @property
    def matched(self) -> list[tuple[int, int]]:
        """The positions of matched words, from 0, in the hypothesis and in the reference."""
        return [(i, word.rank) for i, word in enumerate(self.words) if word.rank is not None]

    @property
    def chunks(self) -> list[list[tuple[int, int]]]:
        """The same, in runs of words that follow each other on both sides."""
        made: list[list[tuple[int, int]]] = []
        for i, rank in self.matched:
            if made and made[-1][-1] == (i - 1, rank - 1):
                made[-1].append((i, rank))
            else:
                made.append([(i, rank)])
        return made


def explain(metric: METEOR, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `METEOR.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference) for reference in entry]
    scores = [metric.segment(item, [one]) for one in entry]
    best = next(i for i, one in enumerate(scores) if one.row.tolist() == score.row.tolist())
    sections: list[tuple[str, list[Part]]] = [("Tokens", [token_table(candidate, targets)])]
    if len(targets) > 1:
        sections.append(("The best reference", _reference_parts(scores, best)))
    case = _Case(metric, score, candidate, targets[best], metric.alignment(item, entry[best]))
    sections += [*_stage_sections(case), *_number_sections(case)]
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps("METEOR, step by step", tuple(parts), f"METEOR = {score.value:.4f} ({score.percent:.2f} %)")


def _reference_parts(scores: Sequence[METEORScore], best: int) -> list[Part]:
    rows = []
    for i, score in enumerate(scores):
        numbers = (score.precision, score.recall, score.f_mean, score.penalty, score.value)
        cells = (f"reference {i + 1}", *(f"{number:.4f}" for number in numbers), "counts" if i == best else "")
        rows.append(Row(cells, "match" if i == best else None))
    titles = ("P", "R", "F", "penalty", "METEOR")
    columns = (Column("text"), *(Column(title, "right") for title in titles), Column(""))
    equal = [score.value for score in scores].count(scores[best].value) > 1
    why = "is the first of those with the best score" if equal else "has the best score"
    return [
        Paragraph("The hypothesis is scored with each reference alone, and the best score counts."),
        Table("References", columns, tuple(rows)),
        Paragraph(f"Reference {best + 1} {why}: what follows is about reference {best + 1}."),
    ]


def _stage_sections(case: _Case) -> list[tuple[str, list[Part]]]:
    if not case.candidate or not case.target:
        return []
    sections: list[tuple[str, list[Part]]] = [("Equal words", _stage_parts(case, "exact"))]
    if isinstance(case.candidate[0], str):
        sections.append(("Equal stems", _stage_parts(case, "stem")))
        if case.metric.synonyms is not None:
            sections.append(("Synonyms", _stage_parts(case, "synonym")))
    return sections


def _stage_parts(case: _Case, stage: str) -> list[Part]:
    found = [(i, word.rank) for i, word in enumerate(case.words) if word.rank is not None and word.stage == stage]
    # What earlier stages have matched is no longer there; later ones have not been yet.
    stages = list(_STAGES)[: list(_STAGES).index(stage) + 1]
    taken = {word.rank for word in case.words if word.stage in stages}
    left = [word.word for word in case.words if word.stage not in stages]
    left_there = [word for j, word in enumerate(case.target) if j not in taken]
    return [
        Paragraph(_STAGES[stage]),
        _match_table(case, stage, found) if found else Paragraph("There are none."),
        Formula("left in the hypothesis", joined(left) or "nothing"),
        Formula("left in the reference", joined(left_there) or "nothing"),
    ]


def _match_table(case: _Case, stage: str, found: Sequence[tuple[int, int]]) -> Table:
    rows = []
    for i, j in reversed(found):
        word, other = str(case.candidate[i]), str(case.target[j])
        cells = [str(i + 1), word, str(j + 1), other]
        if stage == "stem":
            cells.append(_native.porter_stem(word))
        elif stage == "synonym":
            cells.append(f"{_native.porter_stem(word)}, {_native.porter_stem(other)}")
        rows.append(Row(tuple(cells), "match"))
    columns = [Column("position", "right"), Column("word"), Column("in the reference", "right"), Column("word there")]
    if stage != "exact":
        columns.append(Column("stem" if stage == "stem" else "stems"))
    note = _COUNTED if stage == "exact" else None
    return Table("Matches, in the order they are found", tuple(columns), tuple(rows), note)


def _number_sections(case: _Case) -> list[tuple[str, list[Part]]]:
    if not case.matched:
        why = "An empty hypothesis" if not case.candidate else "An empty reference" if not case.target else "No match"
        return [("Result", [Paragraph(f"{why} scores 0.")])]
    return [
        ("Chunks", _chunk_parts(case)),
        ("Precision, recall and their mean", _mean_parts(case)),
        ("Penalty", _penalty_parts(case)),
        ("Result", _result_parts(case)),
    ]


def _chunk_parts(case: _Case) -> list[Part]:
    rows = []
    for number, chunk in enumerate(case.chunks, 1):
        (i, j), (last_i, last_j) = chunk[0], chunk[-1]
        cells = (
            str(number),
            _stretch(i, last_i),
            _shortened(case.candidate[i : last_i + 1]),
            _stretch(j, last_j),
            _shortened(case.target[j : last_j + 1]),
        )
        rows.append(Row(cells))
    columns = (
        Column("chunk", "right"),
        Column("positions", "right"),
        Column("words"),
        Column("in the reference", "right"),
        Column("words there"),
    )
    parts: list[Part] = [
        Paragraph(
            "A chunk is a run of matched words that follow each other directly, in the same order, on both sides."
        ),
        Table("Chunks", columns, tuple(rows)),
    ]
    if max(len(case.candidate), len(case.target)) <= MOST_IN_GRID:
        parts += _grid_parts(case)
    return parts


def _stretch(first: int, last: int) -> str:
    return str(first + 1) if first == last else f"{first + 1}–{last + 1}"


def _shortened(words: Tokens) -> str:
    if len(words) <= MOST_CHUNK_WORDS:
        return joined(words)
    return f"{joined(words[:4])} … {joined(words[-4:])} ({len(words)} words)"


def _grid_parts(case: _Case) -> list[Part]:
    numbers = {pair: str(number) for number, chunk in enumerate(case.chunks, 1) for pair in chunk}
    positions = range(len(case.target))
    rows = [
        Row((str(token), *(numbers.get((i, position), "·") for position in positions)))
        for i, token in enumerate(case.candidate)
    ]
    columns = (Column("word"), *(Column(str(position + 1), "center") for position in positions))
    named = ", ".join(f"{number} {token}" for number, token in enumerate(case.target, 1))
    said = "The same drawn: rows are the words of the hypothesis, columns the positions in the reference"
    return [
        Paragraph(f"{said} ({named}), and a match shows the number of its chunk."),
        Table("Matches and their chunks", columns, tuple(rows)),
    ]


def _mean_parts(case: _Case) -> list[Part]:
    matches, score, alpha = len(case.matched), case.score, case.metric.alpha
    precision, recall = f"{score.precision:.4f}", f"{score.recall:.4f}"
    return [
        Formula.chain(
            "P", "matches / words of the hypothesis", f"{matches}/{len(case.candidate)}", f"{score.precision:.4f}"
        ),
        Formula.chain("R", "matches / words of the reference", f"{matches}/{len(case.target)}", f"{score.recall:.4f}"),
        Formula("alpha", f"{alpha:g}"),
        Formula.chain(
            "F",
            "P · R / (alpha · P + (1 − alpha) · R)",
            f"{precision} · {recall} / ({alpha:g} · {precision} + {1 - alpha:g} · {recall})",
            f"{score.f_mean:.4f}",
        ),
    ]


def _penalty_parts(case: _Case) -> list[Part]:
    matches, chunks, metric = len(case.matched), len(case.chunks), case.metric
    return [
        Formula("gamma", f"{metric.gamma:g}"),
        Formula("beta", f"{metric.beta:g}"),
        Formula.chain(
            "penalty",
            "gamma · (chunks / matches)^beta",
            f"{metric.gamma:g} · ({chunks}/{matches})^{metric.beta:g}",
            f"{case.score.penalty:.4f}",
        ),
    ]


def _result_parts(case: _Case) -> list[Part]:
    score = case.score
    worked = f"(1 − {score.penalty:.4f}) · {score.f_mean:.4f}"
    return [Formula.chain("METEOR", "(1 − penalty) · F", worked, f"{score.value:.4f}")]
