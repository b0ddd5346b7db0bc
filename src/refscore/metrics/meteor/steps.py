"""The worked steps of METEOR for one segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refscore import _native
from refscore.cached import cached_property
from refscore.metrics.core.steps import (
    Part,
    Section,
    Tokens,
    alignment_grid,
    formula,
    joined,
    left,
    positions,
    read_segment,
    right,
    row,
    shortened,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.meteor.metric import METEOR, METEORScore
    from refscore.metrics.meteor.word_matches import MatchedWord

_STAGES = {
    "exact": "Matching goes from the last word of the hypothesis to the first. Each word is matched with the last "
    "equal word of the reference that is not matched yet.",
    "stem": "The remaining words are matched in the same way if their stems are equal (Porter's stemmer, which ignores "
    "case).",
    "synonym": "The remaining words are matched in the same way if WordNet lists the stem of the reference word as a "
    "synonym of the stem of the hypothesis word. NLTK also looks up stems, not words.",
}
_COUNTED = "Positions count from 1."


@dataclass(frozen=True)
class _Matching:
    """The words of the hypothesis, matched with the reference that counts."""

    candidate: Tokens
    target: Tokens
    words: Sequence[MatchedWord]

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The positions of matched words, from 0, in the hypothesis and in the reference."""
        return [(i, word.rank) for i, word in enumerate(self.words) if word.rank is not None]

    @cached_property
    def chunks(self) -> list[list[tuple[int, int]]]:
        """The pairs of positions, in runs of words that are consecutive on both sides."""
        chunks: list[list[tuple[int, int]]] = []
        for i, rank in self.pairs:
            if chunks and chunks[-1][-1] == (i - 1, rank - 1):
                chunks[-1].append((i, rank))
            else:
                chunks.append([(i, rank)])
        return chunks


def explain(metric: METEOR, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `METEOR.explain`."""
    segment = read_segment(metric, hypothesis, references)
    words = metric.alignment(segment.hypothesis, segment.references[segment.best])
    matching = _Matching(segment.candidate, segment.target, words)
    return segment.steps(
        segment.token_section,
        *segment.reference_sections(
            {"P": "precision", "R": "recall", "F": "f_mean", "penalty": "penalty", "METEOR": "value"},
        ),
        *_stage_sections(metric, matching),
        *_number_sections(metric, segment.score, matching),
    )


def _stage_sections(metric: METEOR, matching: _Matching) -> list[Section]:
    if not matching.candidate or not matching.target:
        return []
    sections: list[Section] = [("Equal words", _stage_parts(matching, "exact"))]
    if isinstance(matching.candidate[0], str):
        sections.append(("Equal stems", _stage_parts(matching, "stem")))
        if metric.synonyms is not None:
            sections.append(("Synonyms", _stage_parts(matching, "synonym")))
    return sections


def _stage_parts(matching: _Matching, stage: str) -> list[Part]:
    pairs = [(i, rank) for i, rank in matching.pairs if matching.words[i].stage == stage]
    # The words that this stage and the earlier ones have matched.
    stages = list(_STAGES)[: list(_STAGES).index(stage) + 1]
    taken = {word.rank for word in matching.words if word.stage in stages}
    unmatched = [word.word for word in matching.words if word.stage not in stages]
    unmatched_reference = [word for j, word in enumerate(matching.target) if j not in taken]
    return [
        Paragraph(_STAGES[stage]),
        _match_table(matching, stage, pairs) if pairs else Paragraph("There are no matches."),
        formula("unmatched in the hypothesis", joined(unmatched) or "none"),
        formula("unmatched in the reference", joined(unmatched_reference) or "none"),
    ]


def _match_table(matching: _Matching, stage: str, pairs: Sequence[tuple[int, int]]) -> Table:
    rows = []
    for i, j in reversed(pairs):
        word, other = str(matching.candidate[i]), str(matching.target[j])
        stems = {"exact": [], "stem": [word], "synonym": [word, other]}[stage]
        stem_cells = [", ".join(map(_native.porter_stem, stems))] if stems else []
        rows.append(row(i + 1, word, j + 1, other, *stem_cells, mark="match"))
    stem_columns = {"exact": [], "stem": ["stem"], "synonym": ["stems"]}[stage]
    columns = right("position") + left("word") + right("reference position") + left("reference word", *stem_columns)
    note = _COUNTED if stage == "exact" else None
    return Table("Matches, in the order of matching", columns, rows, note)


def _number_sections(metric: METEOR, score: METEORScore, matching: _Matching) -> list[Section]:
    candidate, target, matches = matching.candidate, matching.target, len(matching.pairs)
    if not matches:
        why = "An empty hypothesis" if not candidate else "An empty reference" if not target else "No match"
        return [("Result", [Paragraph(f"{why} scores 0.")])]
    alpha, beta, gamma = metric.alpha, metric.beta, metric.gamma
    precision, recall = f"{score.precision:.4f}", f"{score.recall:.4f}"
    mean = [
        formula("P", "matches / words of the hypothesis", f"{matches}/{len(candidate)}", precision),
        formula("R", "matches / words of the reference", f"{matches}/{len(target)}", recall),
        formula("alpha", f"{alpha:g}"),
        formula(
            "F",
            "P · R / (alpha · P + (1 − alpha) · R)",
            f"{precision} · {recall} / ({alpha:g} · {precision} + {1 - alpha:g} · {recall})",
            score.f_mean,
        ),
    ]
    share = f"{len(matching.chunks)}/{matches}"
    penalty = [
        formula("gamma", f"{gamma:g}"),
        formula("beta", f"{beta:g}"),
        formula("penalty", "gamma · (chunks / matches)^beta", f"{gamma:g} · ({share})^{beta:g}", score.penalty),
    ]
    worked = f"(1 − {score.penalty:.4f}) · {score.f_mean:.4f}"
    return [
        ("Chunks", _chunk_parts(matching)),
        ("Precision, recall and their mean", mean),
        ("Penalty", penalty),
        ("Result", [formula("METEOR", "(1 − penalty) · F", worked, score.value)]),
    ]


def _chunk_parts(matching: _Matching) -> list[Part]:
    rows, signs = [], {}
    for number, chunk in enumerate(matching.chunks, 1):
        i, j = chunk[0]
        end, target_end = i + len(chunk), j + len(chunk)
        words, target_words = matching.candidate[i:end], matching.target[j:target_end]
        rows.append(row(number, positions(i, end), shortened(words), positions(j, target_end), shortened(target_words)))
        signs.update(dict.fromkeys(chunk, str(number)))
    columns = right("chunk", "positions") + left("words") + right("reference positions") + left("reference words")
    rule = "A chunk is a run of matched words that are consecutive and in the same order on both sides."
    legend = "; a match shows the number of its chunk"
    return [
        Paragraph(rule),
        Table("Chunks", columns, rows),
        *alignment_grid("Matches and their chunks", matching.candidate, matching.target, signs, legend),
    ]
