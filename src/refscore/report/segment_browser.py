"""The segments on the page: texts, words, scores, edits and explanations."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from refscore.errors import RefscoreError
from refscore.metrics import Metric, RowMetric, Values
from refscore.report.chart_data import whole_numbers
from refscore.report.inputs import EDIT_METRIC, Texts
from refscore.report.word_statistics import ShownWords, word_offsets
from refscore.text_display import counted

# The limits on all explanations of a page, so it stays a few megabytes large: bytes before compression, and number.
EXPLAINED_BYTES = 4_000_000
EXPLAINED_MOST = 600

WordLists = Sequence[Sequence[Sequence[str]]]
"""The words of each text, for each segment."""


@dataclass(frozen=True)
class Segments:
    """The segments on the page. Lists with one entry per text are ordered by segment."""

    numbers: tuple[int, ...]  # the index of each segment in the test set
    references: int  # the largest number of references per segment
    texts: list[str | None]  # per segment: source (if any), references (None if missing), outputs
    cuts: list[str | list[str] | None]  # the `word_offsets` of each text except the source
    lengths: list[int]  # the mean number of words in each segment's references
    scores: dict[str, list[int | None]]  # by metric: the `whole_numbers` of each output; None if not finite
    edits: list[str]  # the `word_edits` of each output
    explained: dict[str, dict[str, Any]]  # steps by "segment:system:metric", as indexes on the page
    groups: list[int] | None = None  # the index of each segment's group
    audio: list[str | None] | None = None  # the audio of each segment

    def __repr__(self) -> str:
        return f"<{counted(len(self.numbers), 'segment')} on the page>"


def sample_segments(segments: int, most: int, seed: int) -> list[int]:
    """Return the indexes of the segments to show: all, or a random sample of `most`."""
    if segments <= most:
        return list(range(segments))
    drawn: list[int] = np.sort(np.random.default_rng(seed).permutation(segments)[:most]).tolist()
    return drawn


def browse_segments(
    texts: Texts,
    shown: Sequence[int],
    words: ShownWords,
    metrics: Mapping[str, RowMetric[Any]],
    values: Mapping[str, Sequence[Values]],
) -> Segments:
    """Return the segments to show, from their indexes and words and the scores of all segments by system."""
    most = max(len(entry) for entry in texts.references)
    flat: list[str | None] = []
    cuts: list[str | list[str] | None] = []
    for row, i in enumerate(shown):
        if texts.source is not None:
            flat.append(texts.source[i])
        gap = [None] * (most - len(texts.references[i]))
        outputs = [system[i] for system in texts.systems.values()]
        flat += [*texts.references[i], *gap, *outputs]
        cuts += [*map(word_offsets, texts.references[i], words.references[row]), *gap]
        cuts += map(word_offsets, outputs, words.outputs[row])
    return Segments(
        tuple(shown),
        most,
        flat,
        cuts,
        [round(sum(map(len, entry)) / len(entry)) for entry in words.references],
        {title: _printed_scores(metric, values[title], shown) for title, metric in metrics.items()},
        word_edits(words.compared(words.references), words.compared(words.outputs)),
        explain_segments(texts, shown, metrics, values),
    )


def _printed_scores(metric: RowMetric[Any], values: Sequence[Values], shown: Sequence[int]) -> list[int | None]:
    scores = whole_numbers(metric, np.stack(values, axis=1)[shown].reshape(-1))
    return [int(score) if np.isfinite(score) else None for score in scores.tolist()]


def word_edits(reference_words: WordLists, output_words: WordLists) -> list[str]:
    """Return the edits of each output as text: reference, edits and moves.

    Edits are in the order of the reference: `=` is a match, `s` a substitution, `i` a missing word and `d` an extra
    word, each after its repeat count. A move is the index of its first word, its number of words and its target.
    """
    nearest = _nearest_references(reference_words, output_words)
    edits = []
    for segment, outputs in enumerate(output_words):
        numbers: dict[str, int] = {}
        references, numbered_outputs = (
            [[numbers.setdefault(word, len(numbers)) for word in words] for words in texts]
            for texts in (reference_words[segment], outputs)
        )
        for system, words in enumerate(numbered_outputs):
            reference = nearest[system][segment]
            moves, operations = EDIT_METRIC.operations(words, references[reference], len(numbers))
            runs = "".join(f"{len(list(run))}{letter}" for letter, run in groupby(operations))
            edits.append(f"{reference};{runs};{','.join(str(number) for move in moves for number in move)}")
    return edits


def _nearest_references(reference_words: WordLists, output_words: WordLists) -> list[list[int]]:
    """Return the index of the reference that needs the fewest edits, for each system and segment."""
    systems = len(output_words[0])
    most = max(map(len, reference_words))
    if most == 1:
        return [[0] * len(output_words)] * systems
    nearest = []
    edits = EDIT_METRIC.columns.index("edits")
    for system in range(systems):
        outputs = [words[system] for words in output_words]
        # Segments with fewer references repeat their first one.
        counts = []
        for r in range(most):
            references = [[entry[r] if r < len(entry) else entry[0]] for entry in reference_words]
            counts.append(EDIT_METRIC.stats(outputs, references)[:, edits])
        nearest.append(np.stack(counts).argmin(0).tolist())
    return nearest


def explain_segments(
    texts: Texts,
    shown: Sequence[int],
    metrics: Mapping[str, RowMetric[Any]],
    values: Mapping[str, Sequence[Values]],
) -> dict[str, dict[str, Any]]:
    """Return the steps of the most interesting segments, up to the limits of size and number."""
    explained: dict[str, dict[str, Any]] = {}
    space = EXPLAINED_BYTES
    for row in _by_interest([[scores[np.array(shown)] for scores in values[title]] for title in metrics]):
        references = texts.references[shown[row]]
        source = None if texts.source is None else texts.source[shown[row]]
        for system, outputs in enumerate(texts.systems.values()):
            for number, metric in enumerate(metrics.values()):
                if not isinstance(metric, Metric):
                    continue
                try:
                    steps = metric.explain(outputs[shown[row]], references, source=source).to_dict()
                except RefscoreError:  # the metric cannot score this segment, for example without reference words
                    continue
                space -= len(json.dumps(steps))
                if space < 0 or len(explained) >= EXPLAINED_MOST:
                    return explained
                explained[f"{row}:{system}:{number}"] = steps
    return explained


def _by_interest(values: Sequence[Sequence[Values]]) -> list[int]:
    """Return the indexes of all segments, sorted by the largest difference of a system from the baseline."""
    orders = []
    for baseline, *others in values:
        for scores in others or [baseline]:
            difference = np.nan_to_num(scores - baseline if others else scores)
            order = np.argsort(difference, kind="stable")
            orders += [order, order[::-1]]
    ranked = np.stack(orders, axis=1).reshape(-1)  # the first of each order, then the second of each, and so on
    _, first_place = np.unique(ranked, return_index=True)
    rows: list[int] = ranked[np.sort(first_place)].tolist()
    return rows
