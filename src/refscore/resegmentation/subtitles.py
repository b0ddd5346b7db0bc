"""Cut subtitles into the cues of the references, by times or by an alignment of words, as subtitle-edit-rate does."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np

from refscore.errors import InputError, Location
from refscore.inputs import check_hypotheses, listed_hypotheses

Seconds = float
# The words for line breaks in the fields `lines` and `breaks` of subtitles. They belong to the word before.
_BREAKS = ("eol", "eob")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_MARGIN = 1e-8  # seconds, as in subtitle-edit-rate: a cue's first and last word are within it
_MOST_CELLS = 1 << 33  # of the distance matrix: 2 GiB


def align_cues(
    cues: Sequence[str],
    reference_cues: Sequence[str],
    *,
    times: Sequence[tuple[Seconds, Seconds]] | None = None,
    reference_times: Sequence[tuple[Seconds, Seconds]] | None = None,
) -> list[str]:
    """Return the words of the cues in the cues of the references.

    With times, the words of a cue are spread evenly over its time. Each goes to the last reference that begins before
    it, or is dropped if that reference has ended. Without times, the words are aligned with the fewest edits, ignoring
    case and ASCII punctuation. The words `eol` and `eob` belong to the word before.

    Args:
        cues: The texts of a system's cues.
        reference_cues: The texts of the reference cues.
        times: The start and end of each cue in seconds, sorted by start.
        reference_times: The same for the reference cues.

    Example:
        >>> from refscore.resegmentation import align_cues
        >>> align_cues(["it rained all", "day we left"], ["It rained all day.", "We left."])
        ['it rained all day', 'we left']
        >>> align_cues(["it rained all day"], ["a", "b"], times=[(0, 3)], reference_times=[(0, 1.5), (1.9, 3)])
        ['it rained', 'all day']
    """
    cues, reference_cues = _check_texts(cues, "cues"), _check_texts(reference_cues, "reference_cues")
    if (times is None) != (reference_times is None):
        raise InputError(None, "the times of one side are missing", "pass times and reference_times, or neither")
    if times is not None and reference_times is not None:
        times = _check_times(times, "times", len(cues))
        reference_times = _check_times(reference_times, "reference_times", len(reference_cues))
    found: list[list[str]] = [[] for _ in reference_cues]
    if times is not None and reference_times is not None:
        for cue, group in _by_times([*map(_words, cues)], times, reference_times):
            found[cue].append(group)
    elif reference_cues:
        for cue, group in _by_words([word for text in cues for word in _words(text)], [*map(_words, reference_cues)]):
            found[cue].append(group)
    return [" ".join(groups) for groups in found]


def _check_texts(texts: Sequence[str], side: str) -> list[str]:
    checked, kind = check_hypotheses(texts, side)
    listed: list[str] = listed_hypotheses(checked)
    if listed and kind != "text":
        raise InputError(Location(side), "has tokens instead of texts", "join the tokens of each cue")
    return listed


def _check_times(times: Sequence[tuple[Seconds, Seconds]], side: str, count: int) -> Sequence[tuple[Seconds, Seconds]]:
    try:
        array = np.array(times, np.float64).reshape(-1, 2)
    except (TypeError, ValueError) as error:
        raise InputError(Location(side), str(error), "pass the start and end of each cue in seconds") from None
    if len(array) != count:
        raise InputError(Location(side), f"has {len(array)} times for {count} texts", "pass a time per cue")
    if not np.isfinite(array).all():
        raise InputError(Location(side), "has a time that is not finite", "pass the times in seconds")
    return [(start, end) for start, end in array.tolist()]


def _words(text: str) -> list[str]:
    """Return the words, each with the line breaks after it."""
    groups: list[str] = []
    for word in text.split():
        if word in _BREAKS and groups:
            groups[-1] += f" {word}"
        else:
            groups.append(word)
    return groups


def _by_times(
    cues: Sequence[Sequence[str]],
    times: Sequence[tuple[Seconds, Seconds]],
    reference_times: Sequence[tuple[Seconds, Seconds]],
) -> Iterator[tuple[int, str]]:
    starts = np.array([start for start, _ in reference_times], np.float64)
    for words, (start, end) in zip(cues, times, strict=True):
        spread = np.linspace(start + _MARGIN, end - _MARGIN, len(words))
        for word, time, cue in zip(words, spread.tolist(), (np.searchsorted(starts, spread) - 1).tolist(), strict=True):
            if cue >= 0 and time < reference_times[cue][1]:
                yield cue, word


def _by_words(words: Sequence[str], references: Sequence[Sequence[str]]) -> Iterator[tuple[int, str]]:
    ends = [*accumulate(map(len, references))]
    cue = 0
    for target, own in _aligned([*map(_key, words)], [_key(word) for each in references for word in each]):
        if target is not None and target >= ends[cue]:
            cue += 1
            while cue < len(ends) and ends[cue] == ends[cue - 1]:  # cues without words
                cue += 1
        if own is not None:
            yield cue, words[own]


def _key(group: str) -> str:
    """Return what is compared: the word without case and punctuation, unless it has nothing else."""
    word = group.partition(" ")[0].lower()
    return word.translate(_PUNCTUATION) or word


def _aligned(words: Sequence[str], targets: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Return pairs of indexes: of the target and of the word. One of them is None for an insertion or deletion."""
    begin = 0
    while begin < min(len(words), len(targets)) and words[begin] == targets[begin]:
        begin += 1
    after = 0
    while after < min(len(words), len(targets)) - begin and words[-1 - after] == targets[-1 - after]:
        after += 1
    row, column = len(words) - after, len(targets) - after
    if (row - begin) * (column - begin) > _MOST_CELLS:
        raise InputError(None, "the subtitles are too long to be aligned", "split them, or align them by times")
    distance = _Distances(words[begin:row], targets[begin:column])
    pairs: list[tuple[int | None, int | None]] = [(column + index, row + index) for index in reversed(range(after))]
    run = 0  # 1 within deletions, -1 within insertions
    while row > begin and column > begin:
        i, j = row - begin, column - begin
        here, diagonal = distance(i, j), distance(i - 1, j - 1)
        inserts, deletes = here == distance(i - 1, j) + 1, here == distance(i, j - 1) + 1
        is_equal = here == diagonal and words[row - 1] == targets[column - 1]
        # Of equally good steps: as the step before, unless that was a pair, then a pair, an insertion, a deletion.
        if (run == -1 and inserts) or (run == 1 and deletes):
            pass
        elif is_equal or here == diagonal + 1:
            run = 0
        else:
            run = -1 if inserts else 1
        row -= run != 1
        column -= run != -1
        pairs.append((None if run == -1 else column, None if run == 1 else row))
    pairs += [(column, None) for column in reversed(range(begin, column))]
    pairs += [(None, row) for row in reversed(range(begin, row))]
    pairs += [(index, index) for index in reversed(range(begin))]
    return pairs[::-1]


class _Distances:
    """The edit distances of all prefixes, with a row of differences in each pair of integers (Hyyrö 2003)."""

    def __init__(self, words: Sequence[str], targets: Sequence[str]) -> None:
        places: dict[str, int] = {}
        for index, target in enumerate(targets):
            places[target] = places.get(target, 0) | 1 << index
        more, less, every = (1 << len(targets)) - 1, 0, (1 << len(targets)) - 1
        self._rows = [(more, less)]
        for word in words:
            matches = places.get(word, 0)
            same = (((matches & more) + more) ^ more) | matches | less
            up, down = less | ~(same | more), more & same
            up = up << 1 | 1
            down <<= 1
            more, less = (down | ~(same | up)) & every, up & same & every
            self._rows.append((more, less))

    def __call__(self, row: int, column: int) -> int:
        more, less = self._rows[row]
        prefix = (1 << column) - 1
        return row + (more & prefix).bit_count() - (less & prefix).bit_count()
