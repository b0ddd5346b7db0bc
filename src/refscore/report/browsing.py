"""The segments that the page shows: their texts, where words stand in them, scores, edits and explanations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import RefscoreError
from refscore.metrics import TER, Metric
from refscore.metrics.core.score import Values
from refscore.report.texts import Texts
from refscore.report.words import ShownWords, cuts

# What explanations may take before they are packed: a few hundred of them.
EXPLAINED_BYTES = 4_000_000
EXPLAINED_MOST = 600


@dataclass(frozen=True)
class Segments:
    """The segments that can be looked at. Lists that have an entry for each text run segment by segment.

    Attributes:
        numbers: The index of each in the whole set.
        references: How many references a segment has at most.
        texts: Source (where there is one), references (None where one is missing) and outputs of each segment.
        cuts: Where words stand in each of these texts but the source, as `refscore.report.words.cuts` says it.
        lengths: The mean number of words of each segment's references.
        scores: For each metric the scores of each segment's outputs as whole numbers: printed score times 100 (times
            10,000 where scores are not printed in percent), None where there is none.
        edits: For each output, how TER turns its words into those of the reference that needs the fewest edits: the
            reference, the edits in the order of the reference, and the moves, as text.
        explained: Worked steps, under "segment:system:metric" as indices of what is shown.
    """

    numbers: tuple[int, ...]
    references: int
    texts: list[str | None]
    cuts: list[str | list[str] | None]
    lengths: list[int]
    scores: dict[str, list[int | None]]
    edits: list[str]
    explained: dict[str, dict[str, Any]]


def sample(segments: int, most: int, seed: int) -> list[int]:
    """The indices of the segments to show: all, or as many as allowed, drawn at random."""
    if segments <= most:
        return list(range(segments))
    drawn: list[int] = np.sort(np.random.default_rng(seed).permutation(segments)[:most]).tolist()
    return drawn


def whole_numbers(metric: Metric[Any], values: Values) -> list[int | None]:
    """Scores as printed, with two digits (four where they are not in percent), times 100 (10,000)."""
    scaled = 10_000 * values
    good = np.isfinite(scaled)
    rounded = np.where(good, scaled, 0).round().astype(np.int64).tolist()
    return [value if fine else None for value, fine in zip(rounded, good.tolist(), strict=True)]


def browsed(
    texts: Texts,
    shown: Sequence[int],
    words: ShownWords,
    metrics: Mapping[str, Metric[Any]],
    values: Mapping[str, Sequence[Values]],
) -> Segments:
    """The segments to show.

    Args:
        texts: All texts.
        shown: Which segments to show.
        words: Their words.
        metrics: The metrics for single segments.
        values: For each metric the segment scores of each system, of the whole set.
    """
    most = max(len(entry) for entry in texts.references)
    flat: list[str | None] = []
    places: list[str | list[str] | None] = []
    for row, i in enumerate(shown):
        if texts.source is not None:
            flat.append(texts.source[i])
        gap = most - len(texts.references[i])
        flat += [*texts.references[i], *[None] * gap]
        places += [*map(cuts, texts.references[i], words.references[row]), *[None] * gap]
        outputs = [own[i] for own in texts.systems.values()]
        flat += outputs
        places += map(cuts, outputs, words.outputs[row])
    chosen = np.array(shown)
    scores = {}
    for title, metric in metrics.items():
        table: NDArray[np.float64] = np.stack([own[chosen] for own in values[title]], axis=1)
        scores[title] = whole_numbers(metric, table.reshape(-1))
    return Segments(
        tuple(shown),
        most,
        flat,
        places,
        [round(sum(map(len, entry)) / len(entry)) for entry in words.references],
        scores,
        edits(
            [[words.compared(one) for one in entry] for entry in words.references],
            [[words.compared(one) for one in entry] for entry in words.outputs],
        ),
        explained(texts, shown, metrics, values),
    )


def edits(
    reference_words: Sequence[Sequence[Sequence[str]]], output_words: Sequence[Sequence[Sequence[str]]]
) -> list[str]:
    """For each output how TER edits its words, as text: reference, edits, moves.

    Edits run along the reference: `=` a word that is right, `s` another word, `i` a missing word, `d` a word too many,
    each after the number of times that it repeats. A move is the place of its first word, the number of its words and
    the place that it goes to, in the order in which they are made.

    Example:
        >>> edits([[["a", "b", "c", "d"]]], [[["c", "a", "b", "x"]]])
        ['0;3=1s;0,1,2']
    """
    metric = TER()
    best = _nearest(metric, reference_words, output_words)
    made = []
    for segment, outputs in enumerate(output_words):
        numbers: dict[str, int] = {}
        references, outputs_numbered = (
            [[numbers.setdefault(word, len(numbers)) for word in words] for words in texts]
            for texts in (reference_words[segment], outputs)
        )
        for system, words in enumerate(outputs_numbered):
            reference = best[system][segment]
            moves, operations = metric.operations(words, references[reference], len(numbers))
            runs = "".join(f"{len(list(run))}{letter}" for letter, run in groupby(operations))
            made.append(f"{reference};{runs};{','.join(str(number) for move in moves for number in move)}")
    return made


def _nearest(
    metric: TER,
    reference_words: Sequence[Sequence[Sequence[str]]],
    output_words: Sequence[Sequence[Sequence[str]]],
) -> list[list[int]]:
    """For each system and segment, the reference that needs the fewest edits."""
    systems = len(output_words[0])
    most = max(map(len, reference_words))
    if most == 1:
        return [[0] * len(output_words)] * systems
    best = []
    for system in range(systems):
        outputs = [words[system] for words in output_words]
        # A segment with fewer references than others has its first one twice.
        counts = np.stack(
            [
                metric.stats(outputs, [[entry[r] if r < len(entry) else entry[0]] for entry in reference_words])[:, 0]
                for r in range(most)
            ]
        )
        found: list[int] = counts.argmin(0).tolist()
        best.append(found)
    return best


def explained(
    texts: Texts,
    shown: Sequence[int],
    metrics: Mapping[str, Metric[Any]],
    values: Mapping[str, Sequence[Values]],
) -> dict[str, dict[str, Any]]:
    """Worked steps for the segments that are looked at first, as many as there is room for."""
    made: dict[str, dict[str, Any]] = {}
    room = EXPLAINED_BYTES
    names = list(texts.systems)
    for row in _of_interest(shown, metrics, values):
        references = texts.references[shown[row]]
        for system, name in enumerate(names):
            for number, metric in enumerate(metrics.values()):
                try:
                    steps = metric.explain(texts.systems[name][shown[row]], references).to_dict()
                except RefscoreError:  # a segment that this metric cannot score, such as one without reference words
                    continue
                room -= len(json.dumps(steps))
                if room < 0 or len(made) >= EXPLAINED_MOST:
                    return made
                made[f"{row}:{system}:{number}"] = steps
    return made


def _of_interest(
    shown: Sequence[int], metrics: Mapping[str, Metric[Any]], values: Mapping[str, Sequence[Values]]
) -> list[int]:
    """The shown segments, those first on which a system differs most from the baseline, either way, by some metric."""
    chosen = np.array(shown)
    orders = []
    for title in metrics:
        first, *others = [own[chosen] for own in values[title]]
        for own in others or [first]:
            difference = np.nan_to_num(own - first if others else own)
            order = np.argsort(difference, kind="stable")
            orders += [order, order[::-1]]
    ranked = np.stack(orders, axis=1).reshape(-1)  # the first of each order, then the second of each …
    _, first_place = np.unique(ranked, return_index=True)
    rows: list[int] = ranked[np.sort(first_place)].tolist()
    return rows
