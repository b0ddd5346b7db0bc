from collections.abc import Hashable, Iterator
from itertools import groupby, islice

from refscore import _native
from refscore.metrics.character_ter.metric import CharacTERScore
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written

# Which moves are made.
MOVE_RULE = (
    "A block of words can move to where the reference has the same words. Each step makes the move that leaves the "
    "fewest different words. Of several such moves, it makes the one whose words are the last in alphabetical "
    "order. The search ends if no move leaves fewer different words."
)


def explain(segment: ScoredSegment[CharacTERScore]) -> Written:
    candidate, target, score = segment.candidate, segment.target, segment.score
    alignment = score.metric.alignment(candidate, target)
    yield from segment.token_steps()
    yield from segment.reference_steps({"edits": "edits", "shift cost": "shift_cost", "CharacTER": "value"})
    yield from steps.move_steps(candidate, target, alignment.shifts, MOVE_RULE, "different words")
    yield steps.Heading("Cost of the moves")
    yield (
        "The words before and after all moves are compared from left to right. If a word has changed, the cost is the "
        "mean length of the block of words that begins with it and is found further right after the moves."
    )
    lengths = [(steps.joined(block), [*map(_length, block)]) for block in _moved_blocks(candidate, alignment.words)]
    costs = [sum(numbers) / len(numbers) for _, numbers in lengths]
    if lengths:
        rows = [
            steps.row(block, " + ".join(map(str, numbers)), cost)
            for (block, numbers), cost in zip(lengths, costs, strict=True)
        ]
        yield steps.Table("Moved blocks", steps.left("words", "lengths") + steps.right("mean length"), rows)
    yield steps.formula("shift cost", *steps.sum_terms(costs), score.shift_cost)
    yield steps.Heading("Characters")
    yield from _characters(alignment.words, target)
    yield steps.Heading("Result")
    if list(candidate) == list(target):
        yield steps.formula("CharacTER", "0, since both sides have the same words")
        return
    edits, cost, length = f"{score.edits:.0f}", f"{score.shift_cost:.4f}", f"{score.hyp_len:.0f}"
    yield steps.formula("edits", edits)
    yield steps.formula("length", "characters of the hypothesis", length)
    if score.hyp_len == 0:
        yield steps.formula("CharacTER", "1, since the hypothesis has no characters")
        return
    rule = "min(1, (edits + shift cost) / length)"
    yield steps.formula("CharacTER", rule, f"min(1, ({edits} + {cost})/{length})", score.value)


def _moved_blocks(words: Tokens, moved: Tokens) -> Iterator[Tokens]:
    """Yield the word blocks that cost something."""
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


def _characters(moved: Tokens, target: Tokens) -> Written:
    sides = _split(moved), _split(target)
    if not any(sides):
        yield "Neither side has characters."
        return
    numbers: dict[Hashable, int] = {}
    first, second = ([numbers.setdefault(character, len(numbers)) for character in side] for side in sides)
    hypothesis, reference = (iter(side) for side in sides)
    rows = []
    for edit, run in groupby(_native.align_edits(first, second, len(numbers))):
        count = len(list(run))
        name, mark = steps.EDITS[edit]
        ours = "–" if name == "insert" else _shown(islice(hypothesis, count))
        theirs = "–" if name == "delete" else _shown(islice(reference, count))
        rows.append(steps.row(ours, theirs, name if count == 1 else f"{name} {count}", mark=mark))
    yield "The characters after the moves, beside the reference's, with a space between words."
    yield from steps.shortened_table("Characters", steps.left("hypothesis", "reference", "edit"), rows)


def _split(words: Tokens) -> list[Hashable]:
    """Return the words' characters with spaces between words. A token that is not a string is one character."""
    characters: list[Hashable] = []
    for i, word in enumerate(words):
        characters += [" "] if i else []
        characters += list(word) if isinstance(word, str) else [(word,)]
    return characters


def _shown(characters: Iterator[Hashable]) -> str:
    return "".join(str(one[0]) if isinstance(one, tuple) else str(one) for one in characters)
