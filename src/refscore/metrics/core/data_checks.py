"""Find data that does not fit a metric. The functions return warnings and never change a score.

A first look at a few segments takes about 15 µs. Only if they look unusual, the rules check more of them. The time does
not grow with the corpus therefore, except for exact counts in messages. Thresholds are far from the values in normal
data: a warning that is often wrong would be ignored.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from refscore import _native
from refscore.data_warnings import (
    DataWarning,
    IdenticalTextWarning,
    LengthWarning,
    LoopWarning,
    NamedTextWarning,
    ShiftedTextWarning,
    SingleSegmentWarning,
    TokenizedTextWarning,
    UnspacedTextWarning,
    WrittenFormWarning,
    ZeroScoreWarning,
    is_checked,
    issue,
    unchecked,
)
from refscore.errors import ALL_METRICS, Argument, InputError
from refscore.inputs import Input, Side
from refscore.metrics.core.score import Rows, Score, Values
from refscore.tokenizers import registry
from refscore.tokenizers.pipeline import Pipeline
from refscore.tokenizers.scripts import Script, find_unspaced

if TYPE_CHECKING:
    from refscore.metrics.core.metric import Metric

# The segments for the first look, and those that the rules check. They are at equal distances, so a sample is like the
# whole even if the corpus is sorted.
FEW, MANY = 32, 1024

# Texts that are tokenized to see how a tokenizer splits a script, and code points per text.
_PROBES, _PROBE_LENGTH = 8, 100
# Less is a name or a quotation in text with spaces.
_LEAST_UNSPACED_SHARE = 0.3
_LEAST_UNSPACED = 10
# Raw text very rarely has a space before a period; in French, a space before ? and ! is correct.
_LEAST_SPACED_PERIODS = 5
_SPACED_PERIODS = 0.5
# Fewer single words can be references, such as answers.
_LEAST_WORDS = 3
# Examples and unit tests often score a few texts against themselves on purpose.
_LEAST_IDENTICAL = 20
_LEAST_NAMED = 10
_IDENTICAL = 0.95
# Translations are rarely even 1.5 times as long as references. Lengths of single segments vary more, and an offset
# (characters or tokens) keeps short ones from counting: "Yes." and "Yes, I do." do fit. In news shifted by a line, 9 to
# 15 % of the segments differ by the ratio (the logarithm of their lengths has a standard deviation of 0.5 to 0.6); in
# translations and summaries, less than 1 %.
_LEAST_LENGTHS = 10
_LENGTH_RATIO = 3.0
_LEAST_DIFFERING = 5
_LENGTH_SHARE = 0.1
_TEXT_OFFSET, _TOKEN_OFFSET = 10, 2
# Of unrelated sentences, fewer words are the same.
_LEAST_COMMON = 0.3
_SHIFTED_SHARE = 0.2
# Speech recognizers and references have either both case and punctuation, or neither. Half of the errors is far from
# the share of real ones, and a rate below 5 % is good with any settings.
_MARKS = ",.?!"
_LEAST_MARKS = 5
_FORM_SHARE = 0.5
_LEAST_RATE = 0.05
# In test sets of news and talks, no reference has a loop, and neither have the outputs of most systems.
_LEAST_LOOPS = 2
# All segments of a sample take as long as scoring a thousand. A first look at some finds 92 % of shares of 2 %.
_FIRST_LOOPS = 128
_LOOP_SHARE = 0.01
_LOOP_METRIC = "repetition"
_LONGEST_LOOP = 8


def check_corpus(given: Input, scores: Sequence[Score]) -> None:
    if is_checked():
        metrics: list[Any] = [score.metric for score in scores]
        segments = given.hypotheses.size or 0
        issue(with_scores(_check_sides(metrics, given), scores, segments))


def check_segments(given: Input, values: Sequence[tuple[Metric[Any], Values]]) -> None:
    if is_checked():
        metrics = [metric for metric, _ in values]
        zeros = (_check_zeros(metric, given, scores) for metric, scores in values)
        issue(_with_zeros(_check_sides(metrics, given), filter(None, zeros)))


def check_segment(metric: Metric[Any], row: Any) -> None:
    """Issue a warning about a segment's score 0 if the settings are the reason."""
    if is_checked():
        zero = check_zero(metric, row)
        issue([] if zero is None else [zero])


def check_data(metrics: Sequence[Metric[Any]], outputs: Mapping[str, Side], references: Side) -> list[DataWarning]:
    """Return at most one warning per kind. `outputs` has the hypotheses by system; "" is a system without a name."""
    samples = [Sample(name, side, references, MANY) for name, side in outputs.items()]
    found = _check_samples(metrics, samples) if _are_unusual(metrics, (sample.part(FEW) for sample in samples)) else []
    loops = find_loops(samples)
    return [*found, *([] if loops is None else [loops])]


def _check_sides(metrics: Sequence[Metric[Any]], given: Input) -> list[DataWarning]:
    if not _are_unusual(metrics, [Sample("", given.hypotheses, given.references, FEW)]):
        return []
    return _check_samples(metrics, [Sample("", given.hypotheses, given.references, MANY)])


def _are_unusual(metrics: Sequence[Metric[Any]], samples: Iterable[Sample]) -> bool:
    of_form = any(metric.counts_written_form for metric in metrics)
    return any(_is_unusual(sample, of_form) for sample in samples)


def _check_samples(metrics: Sequence[Metric[Any]], samples: Sequence[Sample]) -> list[DataWarning]:
    found = (
        find_unspaced_text(metrics, samples),
        find_tokenized_text(metrics, samples),
        find_identical_text(samples),
        find_named_text(samples),
        find_written_form(metrics, samples),
        find_shifted_text(samples) or find_length_differences(samples),
    )
    return [warning for warning in found if warning is not None]


def _is_unusual(sample: Sample, of_form: bool) -> bool:
    """Return whether a sample may have a problem. Its thresholds are lower than the rules' thresholds.

    `of_form` says whether a metric counts case and punctuation as errors. The checks call C functions for all segments
    at once, because they run for every corpus.
    """
    hypotheses, references, size = sample.hypotheses, sample.references, len(sample.references)
    if sample.is_text:
        if find_unspaced("".join(hypotheses[::4]))[1] > _LEAST_UNSPACED_SHARE / 2:
            return True
        if any(map(str.endswith, hypotheses, repeat(" ."))) or any(map(str.endswith, references, repeat(" ."))):
            return True
        if hypotheses and sample.entries and _is_split(hypotheses[0], sample.entries[0]):
            return True
    if size < _LEAST_LENGTHS:
        return False
    if sample.is_text and any(_name_of(side[0], place) for side in (hypotheses, references) for place in _NAME_PLACES):
        return True
    if _count_equal(hypotheses, sample.entries) > 0.8 * size:
        return True
    if of_form and sample.is_text and _differ_in_form(hypotheses, references):
        return True
    outputs, others = [*map(len, hypotheses)], [*map(len, references)]
    more = 2 * (_TEXT_OFFSET if sample.is_text else _TOKEN_OFFSET)
    if not 0.5 < (sum(outputs) + more) / (sum(others) + more) < 2:
        return True
    differing = [1 for a, b in zip(outputs, others) if a > 3 * b + more or b > 3 * a + more]  # noqa: B905 - faster
    if len(differing) > 1:
        return True
    return _differ_unlike_pairs(outputs, others) and sample.count_shifted(range(size)[:: size // _PROBES])[1] > 1


class Sample:
    """Segments at equal distances. It is empty for input that can be read only once, and for arrays."""

    __slots__ = ("_all", "entries", "hypotheses", "is_text", "references", "side", "step")

    def __init__(self, name: str, hypotheses: Side, references: Side, most: int) -> None:
        self.side = f"hypotheses of {name}" if name else "hypotheses"
        self._all = hypotheses, references
        size = len(hypotheses.value) if hypotheses.is_list else 0
        self.step = step = size // most if size > most else 1
        texts, entries = hypotheses.sample(step, most), references.sample(step, most)
        kinds = {*map(type, texts)}
        self.hypotheses = texts if kinds == _TEXT or kinds <= _OTHER_SEGMENTS else []
        self.is_text = bool(self.hypotheses) and isinstance(texts[0], str)
        self.entries = entries if len(entries) == len(texts) else []
        self.references = self.entries
        if not self.is_text or {*map(type, self.entries)} != _TEXT:
            self.references = [_first_reference(entry, self.is_text) for entry in self.entries]
            if None in self.references:
                self.entries = self.references = []

    def part(self, most: int) -> Sample:
        """Return at most this many of the segments, for a first look."""
        step = len(self.hypotheses) // most
        if step < 2:
            return self
        part, chosen = copy(self), slice(None, step * most, step)
        part.step *= step
        part.hypotheses, part.entries, part.references = (
            side[chosen] for side in (self.hypotheses, self.entries, self.references)
        )
        return part

    def count_shifted(self, indices: Iterable[int]) -> tuple[int, int]:
        """Return by how many lines the references are shifted, 1 or -1, and the number of segments that show it.

        These segments have at least twice as many words in common with the reference on that line. If the line on the
        other side is often as similar, the texts are only repetitive, and the number is 0.
        """
        whole = self._all[1]
        if not (self.is_text and whole.is_list and self.entries):
            return 0, 0
        counts = {1: 0, -1: 0}
        for i in indices:
            words = _distinct_words(self.hypotheses[i])
            common = max(_common_share(words, self.references[i]) * 2, _LEAST_COMMON)
            for shift in counts:
                place = i * self.step + shift
                if 0 <= place < len(whole.value):
                    other = _first_reference(whole.value[place], is_text=True)
                    counts[shift] += other is not None and _common_share(words, other) >= common
        shift = max(counts, key=lambda each: counts[each])
        return shift, counts[shift] if counts[shift] > 2 * counts[-shift] else 0

    def count_identical(self) -> tuple[int, int]:
        """Return how many segments equal a reference, and how many were compared: all if the sample is nearly equal."""
        hypotheses, references = self._all
        equal = _count_equal(self.hypotheses, self.entries)
        if equal >= _IDENTICAL * len(self.hypotheses) and hypotheses.is_list and references.is_list:
            return _count_equal(hypotheses.value, references.value), len(hypotheses.value)
        return equal, len(self.hypotheses)


_TEXT = {str}
_OTHER_SEGMENTS = {np.str_, list, tuple}


def _differ_unlike_pairs(outputs: Sequence[int], others: Sequence[int]) -> bool:
    """Return whether lengths differ from their references' lengths nearly as much as those differ from their mean.

    They do if the coefficient of correlation is below about 0.7. It is over 0.9 for translations and transcripts.
    """
    mean = sum(others) / len(others)
    return math.dist(outputs, others) > 0.75 * math.dist(others, [mean] * len(others))


def _distinct_words(text: str) -> set[str]:
    """Return the words, or the characters of a text without spaces."""
    return {*(text.split() if " " in text else text)}


def _common_share(words: set[str], text: str) -> float:
    others = _distinct_words(text)
    return 2 * len(words & others) / (len(words) + len(others) or 1)


def _first_reference(entry: Any, is_text: bool) -> Any:
    if isinstance(entry, str):
        return entry if is_text else None
    if not isinstance(entry, (list, tuple)):
        return None
    kinds = str if is_text else (list, tuple)
    return next((item for item in entry if isinstance(item, kinds)), None)


def _count_equal(hypotheses: Sequence[Any], entries: Sequence[Any]) -> int:
    if {*map(type, entries)} == _TEXT:
        return sum(map(operator.eq, hypotheses, entries))
    try:
        return sum(
            hypothesis == entry if isinstance(entry, str) else any(hypothesis == item for item in entry)
            for hypothesis, entry in zip(hypotheses, entries, strict=True)
        )
    except Exception:  # tokens, and values for missing references, may have any type and comparison
        return 0


def find_unspaced_text(metrics: Sequence[Metric[Any]], samples: Iterable[Sample]) -> DataWarning | None:
    """Return a warning if a metric's tokenizer does not split a script without spaces.

    The tokenizer itself shows this on a few texts: its tokens are clauses, or it drops the characters. The check works
    for every tokenizer therefore, and text that is already split into words gives no warning.
    """
    for sample in samples:
        if not sample.is_text:
            continue
        texts = sample.hypotheses[:: len(sample.hypotheses) // _PROBES or 1]
        joined = "".join(texts)
        script, share = find_unspaced(joined)
        if script is None or share < _LEAST_UNSPACED_SHARE or share * len(joined) < _LEAST_UNSPACED:
            continue
        probes = [text[:_PROBE_LENGTH] for text in texts]
        of_words = [metric for metric in metrics if metric.needs_words]
        splits = {pipeline: _splits(pipeline, probes, script) for pipeline in {metric.pipeline for metric in of_words}}
        unsplit = [metric for metric in of_words if not splits[metric.pipeline]]
        if unsplit:
            return UnspacedTextWarning(
                f"the text is {script.name}, which has no spaces between words, but {_tokenizers(unsplit)} "
                f"need{_singular_s(unsplit)} spaces: use ",
                _setting(unsplit, "tokenizer", script.tokenizers[0]),
                f" (or {' or '.join(script.tokenizers[1:])})",
            )
    return None


def _splits(pipeline: Pipeline, texts: list[str], script: Script) -> bool:
    tokens = [token for of_text in pipeline.tokens_all(texts) for token in of_text]
    words = [token for token in tokens if isinstance(token, str)]
    if len(words) < len(tokens):
        return True  # ids of pieces
    lengths = np.array([len(word) for word in words if not word.isascii()])
    if 2 * lengths.sum() < sum(map(len, texts)) * _LEAST_UNSPACED_SHARE:
        return False  # the characters are dropped
    # The mean over characters, because short tokens such as punctuation say little.
    return bool((lengths**2).sum() <= script.longest_word * lengths.sum())


def _tokenizers(metrics: Sequence[Metric[Any]]) -> str:
    names = [f"{metric.title} ({registry.get(metric.pipeline.tokenizer).name})" for metric in metrics]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"the tokenizer{'' if len(names) == 1 else 's'} of {listed}"


def _singular_s(metrics: Sequence[Metric[Any]]) -> str:
    return "s" if len(metrics) == 1 else ""


def _is_split(text: str, entry: Any) -> bool:
    """Return whether the references of a text are its words: a token sequence in place of a list of references."""
    if not isinstance(entry, (list, tuple)) or len(entry) < _LEAST_WORDS or " " not in text:
        return False
    if not all(isinstance(word, str) and len(word.split()) == 1 for word in entry):
        return False
    return len({*entry}.intersection(text.split())) > 1


def find_tokenized_text(metrics: Sequence[Metric[Any]], samples: Sequence[Sample]) -> DataWarning | None:
    for sample in samples:
        split = sum(map(_is_split, sample.hypotheses, sample.entries)) if sample.is_text else 0
        if 2 * split > len(sample.references):
            return TokenizedTextWarning(
                "the references of a segment are single words, and each counts as a reference of its own: pass one "
                "text per reference, or tokens on both sides, with the references of each segment in a list"
            )
    sides = [(sample.side, sample.hypotheses) for sample in samples if sample.is_text]
    if sides:
        sides.append(("references", samples[0].references))
    for side, texts in sides:
        spaced, ends = (sum(text.endswith(end) for text in texts) for end in (" .", "."))
        if spaced < max(_LEAST_SPACED_PERIODS, _SPACED_PERIODS * ends):
            continue
        expecting = [metric for metric in metrics if len(metric.pipeline.tokens("word.")) == 2]
        if expecting:
            return TokenizedTextWarning(
                f"{spaced} of {ends} {side} that end in a period have a space before it, so they seem to be "
                f"tokenized, but {_tokenizers(expecting)} expect{_singular_s(expecting)} raw text: detokenize them, "
                "or, if all texts are tokenized, use ",
                _setting(expecting, "tokenizer", "none"),
            )
    return None


def find_identical_text(samples: Iterable[Sample]) -> DataWarning | None:
    copies = []
    for sample in samples:
        if len(sample.references) < _LEAST_IDENTICAL:
            continue
        equal, size = sample.count_identical()
        if equal >= _IDENTICAL * size:
            copies.append(f"{equal:,} of {size:,} {sample.side}")
    if not copies:
        return None
    return IdenticalTextWarning(f"{' and '.join(copies)} are identical to a reference: is this the output of a system?")


# Kaldi's files have names at the begin, and the trn files of sclite have names in brackets at the end.
_NAME_PLACES = (0, -1)


def _name_of(text: str, place: int) -> str | None:
    """Return the name of an utterance at the begin (0) or the end (-1) of a text, or None if there is none."""
    words = text.split(None, 1) if place == 0 else text.rsplit(None, 1)
    name = words[place] if words else ""
    if place == 0:
        return name if any(map(str.isdecimal, name)) else None
    return name if name[:1] == "(" and name[-1:] == ")" else None


def find_named_text(samples: Iterable[Sample]) -> DataWarning | None:
    """Return a warning if all texts of a side begin or end with names, all different and not words of the other side.

    If both sides have names, they must be the same.
    """
    for sample in samples:
        size = len(sample.references)
        if not sample.is_text or size < _LEAST_NAMED:
            continue
        for place in _NAME_PLACES:
            names = [_name_of(text, place) for text in sample.hypotheses]
            others = [_name_of(text, place) for text in sample.references]
            where = "end" if place else "begin"
            of_hypotheses, of_references = (sample.hypotheses, names), (sample.references, others)
            for side, mine, theirs in (
                (sample.side, of_hypotheses, of_references),
                ("references", of_references, of_hypotheses),
            ):
                if _are_names_of_one_side(*mine, *theirs):
                    problem = f"only {side} {where} with names, such as {mine[1][0]}, which count as words"
                    return NamedTextWarning(f"{problem}: remove the names")
            if None in names or len({*names}) < size or {*names} != {*others}:
                continue
            if names == others:
                problem = f"{sample.side} and references {where} with names, such as {names[0]}, which count as words"
                return NamedTextWarning(f"{problem}: remove the names")
            problem = f"{sample.side} and references {where} with the same names, but in a different order"
            return NamedTextWarning(f"{problem}: sort both by name, and remove the names, which count as words")
    return None


def _are_names_of_one_side(
    texts: Sequence[str], names: Sequence[str | None], others: Sequence[str], other_names: Sequence[str | None]
) -> bool:
    """Return whether all names are different, most texts have more words, and the other side's texts lack the names."""
    if len({*names} - {None}) < len(names) or 2 * sum(map(operator.eq, names, texts)) > len(names):
        return False
    is_text = any(name in other for name, other in zip(names, others, strict=True) if name is not None)
    return not is_text and {*names}.isdisjoint(other_names)


def find_shifted_text(samples: Iterable[Sample]) -> DataWarning | None:
    """Return a warning if many texts are more like the reference on the next line, also in only a part of a file."""
    problems = []
    for sample in samples:
        size = len(sample.references)
        if size < _LEAST_LENGTHS:
            continue
        shift, count = sample.count_shifted(range(size))
        if count >= max(_LEAST_DIFFERING, _SHIFTED_SHARE * size):
            place = "next" if shift > 0 else "previous"
            problems.append(f"{count} of {size} {sample.side} are much more like the reference of the {place} segment")
    if not problems:
        return None
    return ShiftedTextWarning(f"{'; '.join(problems)}: is a line missing, or one too many?")


def _differ_in_form(hypotheses: Sequence[str], references: Sequence[str]) -> bool:
    """Return whether only one side has capital letters, or many more punctuation marks."""
    one, other = "".join(hypotheses), "".join(references)
    if one.islower() != other.islower() or one.isupper() != other.isupper():
        return True
    fewer, more = sorted(sum(map(text.count, _MARKS)) for text in (one, other))
    return more > 3 * fewer + _LEAST_MARKS


def find_written_form(metrics: Sequence[Metric[Any]], samples: Iterable[Sample]) -> DataWarning | None:
    """Return a warning if case and punctuation explain most of the errors."""
    for sample in samples:
        if not sample.is_text or len(sample.references) < _LEAST_LENGTHS:
            continue
        if not _differ_in_form(sample.hypotheses, sample.references):
            continue
        for metric in metrics:
            plain: Any = metric
            if not metric.counts_written_form or plain.normalize != "none":
                continue
            spoken = replace(plain, lowercase=True, normalize="nopunct")
            with unchecked():
                rate, least = (each.corpus(sample.hypotheses, sample.entries).value for each in (metric, spoken))
            if rate >= _LEAST_RATE and rate - least > _FORM_SHARE * rate:
                rates = f"{100 * rate:.2f}, or {100 * least:.2f} without them"
                share = f"{1 - least / rate:.0%} of the errors of {metric.title}"
                return WrittenFormWarning(
                    f"case and punctuation explain {share} ({rates}): use ",
                    _setting([metric], "normalize", "whisper-en"),
                    " for English, or ",
                    _setting([metric], "lowercase", True),
                    " and ",
                    _setting([metric], "normalize", "nopunct"),
                )
    return None


def find_length_differences(samples: Iterable[Sample]) -> DataWarning | None:
    """Return a warning if lengths differ greatly, overall or, as in files shifted by a line, in many segments."""
    problems = []
    for sample in samples:
        size = len(sample.references)
        if size < _LEAST_LENGTHS:
            continue
        outputs, others = [*map(len, sample.hypotheses)], [*map(len, sample.references)]
        offset = _TEXT_OFFSET if sample.is_text else _TOKEN_OFFSET
        ratio = (sum(outputs) + offset) / (sum(others) + offset)
        if ratio > _LENGTH_RATIO:
            problems.append(f"the {sample.side} are {ratio:.1f} times as long as the references")
        elif ratio < 1 / _LENGTH_RATIO:
            problems.append(f"the references are {1 / ratio:.1f} times as long as the {sample.side}")
        else:
            lengths = zip(outputs, others, strict=True)
            factor, more = _LENGTH_RATIO, (_LENGTH_RATIO - 1) * offset  # a + offset > factor * (b + offset)
            differing = [1 for a, b in lengths if a > factor * b + more or b > factor * a + more]
            if len(differing) >= max(_LEAST_DIFFERING, _LENGTH_SHARE * size):
                problems.append(
                    f"{len(differing)} of {size} {sample.side} are more than three times as long or as short as their "
                    "references"
                )
    return LengthWarning(f"{'; '.join(problems)}: do the segments belong together?") if problems else None


def looping_segments(hypotheses: Sequence[Any], references: Sequence[Any] | None) -> list[int]:
    """Return the indices of the segments that have a loop, by the default settings, while no reference has one."""
    found = _find_loops(hypotheses)
    if not found or not references:
        return found
    entries = [references[i] for i in found]
    is_text = isinstance(hypotheses[0], str)
    listed = [[entry] if is_text and isinstance(entry, str) else entry for entry in entries]
    return [i for i, entry in zip(found, listed, strict=True) if not _find_loops([*filter(None, entry)])]


@cache
def _loop_metric() -> Any:
    from refscore.metrics.core.registry import METRICS  # imports this module

    return METRICS[_LOOP_METRIC]()


def _find_loops(texts: Sequence[Any]) -> list[int]:
    metric = _loop_metric()
    with suppress(InputError):  # scoring reports it
        try:
            rows, *_ = metric.kernel.counted(texts, None, 1)
        except _native.UnsupportedInput:  # Python must convert the tokens
            rows = metric.stats(texts, threads=1)
        found: list[int] = rows[:, 2].nonzero()[0].tolist()
        return found
    return []


def find_loops(samples: Iterable[Sample]) -> DataWarning | None:
    problems = []
    for sample in samples:
        size = len(sample.hypotheses)
        if size < _LEAST_LOOPS or not _find_loops(sample.part(_FIRST_LOOPS).hypotheses):
            continue
        found = looping_segments(sample.hypotheses, sample.entries)
        if len(found) >= max(_LEAST_LOOPS, _LOOP_SHARE * size):
            problems.append(
                f"{len(found):,} of {size:,} {sample.side} have a loop, such as {_describe_loop(sample, found[0])}"
            )
    return LoopWarning("; ".join(problems)) if problems else None


def _describe_loop(sample: Sample, index: int) -> str:
    loop = _loop_metric().loops(sample.hypotheses[index])[0]
    words = " ".join(map(str, loop.ngram[:_LONGEST_LOOP])) + (" …" if len(loop.ngram) > _LONGEST_LOOP else "")
    times = (loop.end - loop.begin) // len(loop.ngram)
    return f"segment {index * sample.step + 1}, which has {words!r} {times} times in a row"


def _with_zeros(found: list[DataWarning], zeros: Iterable[DataWarning]) -> list[DataWarning]:
    """Return all warnings, but none about scores if text that is not split into words is a reason for them."""
    return found if any(isinstance(warning, UnspacedTextWarning) for warning in found) else [*found, *zeros]


def with_scores(found: list[DataWarning], scores: Iterable[Score], segments: int) -> list[DataWarning]:
    """Return the warnings about a corpus, with those about scores that are 0 due to the settings or single segments."""
    return _with_zeros(found, _check_scores(scores, segments))


def _check_scores(scores: Iterable[Score], segments: int) -> list[DataWarning]:
    found: dict[Metric[Any], DataWarning] = {}
    for score in scores:
        metric: Any = score.metric
        if not metric.scores_text or not metric.segment_settings or (score.value and segments != 1):
            continue
        zero = None if score.value else check_zero(metric, score.row)
        if zero is not None:
            found[metric] = zero
        elif segments == 1 and metric not in found and metric.for_segments() is not metric:
            problem = f"{metric.title} has the settings for a corpus, but there is only one segment"
            found[metric] = SingleSegmentWarning(
                f"{problem}: score all segments together, or ", *_use_segment_settings(metric)
            )
    return [*found.values()]


def check_zero(metric: Metric[Any], row: Rows | tuple[Any, ...]) -> DataWarning | None:
    single = metric.for_segments()
    if single is metric or not single.kernel.values(np.array([row], dtype=np.float64), 1)[0]:
        return None
    return _zero_warning(metric, "")


def _check_zeros(metric: Metric[Any], given: Input, values: Values) -> DataWarning | None:
    if not metric.segment_settings:
        return None
    zeros = np.flatnonzero(values == 0)
    sides = [given.hypotheses, given.references, *([given.sources] if metric.needs_sources else [])]
    are_lists = all(side is not None and side.is_list for side in sides)
    single = metric.for_segments() if len(zeros) and are_lists else metric
    if single is metric:
        return None
    sample = zeros[:MANY].tolist()
    hypotheses, references, *sources = ([side.value[i] for i in sample] for side in sides if side is not None)
    rows = single.stats(hypotheses, references, sources=sources[0] if sources else None, threads=1)
    count = int(np.count_nonzero(single.values(rows, threads=1)))
    more = "at least " if len(zeros) > MANY else ""
    return _zero_warning(metric, f" for {more}{count} segment{'' if count == 1 else 's'}") if count else None


def _zero_warning(metric: Metric[Any], where: str) -> DataWarning:
    problem = f"{metric.title} is 0{where} only because its settings are for a corpus"
    return ZeroScoreWarning(f"{problem}: ", *_use_segment_settings(metric))


def _use_segment_settings(metric: Metric[Any]) -> list[str | Argument]:
    parts: list[str | Argument] = ["use "]
    for name, value in metric.segment_settings.items():
        parts += [_setting([metric], name, value), ", "]
    return [*parts[:-1], " for single segments"]


def _setting(metrics: Sequence[Metric[Any]], name: str, value: Any) -> Argument:
    """Return a setting of a metric, or of all metrics if it concerns several."""
    return Argument(name, value, metric=metrics[0].name if len(metrics) == 1 else ALL_METRICS)
