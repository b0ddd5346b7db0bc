"""The worked steps of CharacTER for one segment."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from refscore import _native
from refscore.metrics.core.steps import (
    Part,
    Tokens,
    formula,
    joined,
    left,
    move_parts,
    read_segment,
    right,
    row,
    shortened_table,
    sum_terms,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Mark, Table

if TYPE_CHECKING:
    from refscore.metrics.character.metric import CharacTER, CharacTERScore

_EDITS: dict[_native.Edit, tuple[str, Mark]] = {
    _native.Edit.hit: ("match", "match"),
    _native.Edit.substitution: ("substitute", "partial"),
    _native.Edit.deletion: ("insert", "miss"),  # align_edits edits in the other direction
    _native.Edit.insertion: ("delete", "miss"),
}
# Which moves are made.
MOVE_RULE = (
    "A block of words can move to where the reference has the same words. Each step makes the move that leaves the "
    "fewest different words. Of several such moves, it makes the one whose words are the last in alphabetical "
    "order. The search ends if no move leaves fewer different words."
)


def explain(metric: CharacTER, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `CharacTER.explain`."""
    segment = read_segment(metric, hypothesis, references)
    candidate, target, score = segment.candidate, segment.target, segment.score
    alignment = metric.alignment(segment.candidate, segment.target)
    equal = list(candidate) == list(target)
    return segment.steps(
        segment.token_section,
        *segment.reference_sections({"edits": "edits", "shift cost": "shift_cost", "CharacTER": "value"}),
        ("Moves", move_parts(candidate, target, alignment.shifts, MOVE_RULE, "different words")),
        ("Cost of the moves", _cost_parts(candidate, alignment.words, score)),
        ("Characters", _character_parts(alignment.words, target)),
        ("Result", _result_parts(score, equal)),
    )


def _cost_parts(candidate: Tokens, moved: Tokens, score: CharacTERScore) -> list[Part]:
    rule = Paragraph(
        "The words before and after all moves are compared from left to right. If a word has changed, the cost is the "
        "mean length of the block of words that begins with it and is found further right after the moves."
    )
    blocks = list(_moved_blocks(candidate, moved))
    if not blocks:
        return [rule, formula("shift cost", score.shift_cost)]
    costs = [sum(map(_length, block)) / len(block) for block in blocks]
    rows = [
        row(joined(block), " + ".join(str(_length(word)) for word in block), cost)
        for block, cost in zip(blocks, costs, strict=True)
    ]
    table = Table("Moved blocks", left("words", "lengths") + right("mean length"), rows)
    return [rule, table, formula("shift cost", *sum_terms(costs), score.shift_cost)]


def _moved_blocks(words: Tokens, moved: Tokens) -> Iterator[Tokens]:
    """Yield the blocks of words that cost something."""
    i = 0
    while i < len(words):
        place = next((j for j in range(i + 1, len(words)) if moved[j] == words[i]), None)
        length = 1
        if words[i] != moved[i] and place is not None:
            while place + length < len(words) and words[i + length] == moved[place + length]:
                length += 1
            yield words[i : i + length]
        i += length


def _length(word: Hashable) -> int:
    return len(word) if isinstance(word, str) else 1


def _characters(words: Tokens) -> list[Hashable]:
    """Return the characters of words with spaces between them. A token that is not a string is one character."""
    characters: list[Hashable] = []
    for i, word in enumerate(words):
        characters += [" "] if i else []
        characters += list(word) if isinstance(word, str) else [(word,)]
    return characters


def _character_parts(moved: Tokens, target: Tokens) -> list[Part]:
    sides = _characters(moved), _characters(target)
    if not any(sides):
        return [Paragraph("Neither side has characters.")]
    numbers: dict[Hashable, int] = {}
    first, second = ([numbers.setdefault(character, len(numbers)) for character in side] for side in sides)
    hypothesis, reference = (iter(side) for side in sides)
    rows = []
    for edit, run in groupby(_native.align_edits(first, second, len(numbers))):
        count = len(list(run))
        name, mark = _EDITS[edit]
        cells = (
            _shown(reference, count) if name != "delete" else "–",
            _shown(hypothesis, count) if name != "insert" else "–",
        )
        rows.append(row(*reversed(cells), name if count == 1 else f"{name} {count}", mark=mark))
    rule = Paragraph("The characters after the moves, beside those of the reference, with a space between words.")
    return [rule, *shortened_table("Characters", left("hypothesis", "reference", "edit"), rows)]


def _shown(side: Iterator[Hashable], count: int) -> str:
    characters: Sequence[Hashable] = [next(side) for _ in range(count)]
    return "".join(str(one[0]) if isinstance(one, tuple) else str(one) for one in characters)


def _result_parts(score: CharacTERScore, equal: bool) -> list[Part]:
    if equal:
        return [formula("CharacTER", "0, since both sides have the same words")]
    edits, cost, length = f"{score.edits:.0f}", f"{score.shift_cost:.4f}", f"{score.hyp_len:.0f}"
    parts: list[Part] = [formula("edits", edits), formula("length", "characters of the hypothesis", length)]
    if score.hyp_len == 0:
        return [*parts, formula("CharacTER", "1, since the hypothesis has no characters")]
    return [
        *parts,
        formula(
            "CharacTER",
            "min(1, (edits + shift cost) / length)",
            f"min(1, ({edits} + {cost})/{length})",
            score.value,
        ),
    ]
