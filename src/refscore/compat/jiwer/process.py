"""jiwer's `jiwer.process`: words on both sides, their alignments, and all measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeVar

from refscore.compat.jiwer.transformations import cer_default, wer_default
from refscore.compat.jiwer.transforms import (
    AbstractTransform,
    Compose,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    RemoveMultipleSpaces,
    Strip,
    ToLowerCase,
)
from refscore.errors import InputError, Location
from refscore.metrics import CER, WER
from refscore.normalizers.steps import have_other_spaces

__all__ = [
    "AlignmentChunk",
    "CharacterOutput",
    "WordOutput",
    "process_characters",
    "process_words",
]

Counts = tuple[int, int, int, int]
Transform = Compose | AbstractTransform
Sentences = str | list[str]

_METRIC = WER()
_LOWERCASED = WER(lowercase=True)
_CHARACTERS = CER()
_ON_DEMAND = ("references", "hypotheses", "alignments")
_TYPES = {"hit": "equal", "substitution": "substitute", "deletion": "delete", "insertion": "insert"}
_CHUNK_TYPES = (*_TYPES.values(),)

# Chains of transforms that a metric includes, so it can read the original text.
_READ_AS_TEXT: dict[tuple[type, ...], WER | CER] = {
    (RemoveMultipleSpaces, Strip, ReduceToListOfListOfWords): _METRIC,
    (Strip, RemoveMultipleSpaces, ReduceToListOfListOfWords): _METRIC,
    (ToLowerCase, RemoveMultipleSpaces, Strip, ReduceToListOfListOfWords): _LOWERCASED,
    (ToLowerCase, Strip, RemoveMultipleSpaces, ReduceToListOfListOfWords): _LOWERCASED,
    (Strip, ReduceToListOfListOfChars): _CHARACTERS,
    (ToLowerCase, Strip, ReduceToListOfListOfChars): CER(lowercase=True),
}


@dataclass
class AlignmentChunk:
    """A run of equal steps in an alignment: reference words, and the hypothesis words aligned to them.

    Example:
        >>> process_words("a b", "a c").alignments[0][1].type
        'substitute'
    """

    type: str

    ref_start_idx: int
    ref_end_idx: int

    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type == "replace":
            self.type = "substitute"
        if self.type not in _CHUNK_TYPES:
            raise InputError(Location("type"), f"must be equal, substitute, insert or delete, not {self.type!r}")
        if self.ref_start_idx > self.ref_end_idx:
            self._refuse("ref", self.ref_start_idx, self.ref_end_idx)
        if self.hyp_start_idx > self.hyp_end_idx:
            self._refuse("hyp", self.hyp_start_idx, self.hyp_end_idx)

    def _refuse(self, side: str, start: int, end: int) -> NoReturn:
        raise InputError(None, f"{side}_start_idx={start} is larger than {side}_end_idx={end}")


class _OnDemand:
    """Compute words and alignments on first access."""

    __slots__ = ("__dict__", "__weakref__", "_make")

    _make: Callable[[], tuple[list[list[str]], list[list[str]], list[list[AlignmentChunk]]]] | None

    def _complete(self) -> dict[str, Any]:
        """Return the instance's `__dict__` after computing all attributes."""
        attributes: dict[str, Any] = _OnDemand.__dict__["__dict__"].__get__(self)
        make = getattr(self, "_make", None)
        if make is not None:
            for name, value in zip(_ON_DEMAND, make(), strict=True):
                attributes.setdefault(name, value)
            self._make = None
        return attributes

    def __getattr__(self, name: str) -> Any:
        if name in _ON_DEMAND and name in (attributes := self._complete()):
            return attributes[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        return dict(self._complete())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._complete().update(state)


@dataclass
class _Output(_OnDemand):
    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]

    __dict__ = property(_OnDemand._complete)


@dataclass
class WordOutput(_Output):
    """The result that `process_words` returns.

    Example:
        >>> output = process_words(["a b", "c"], ["a", "c d"])
        >>> output.hypotheses, output.hits, output.insertions, output.deletions
        ([['a'], ['c', 'd']], 2, 1, 1)
    """

    wer: float
    mer: float
    wil: float
    wip: float

    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput(_Output):
    """The result that `process_characters` returns: like `WordOutput`, with the character error rate `cer`.

    Example:
        >>> process_characters("abc", "abd").substitutions
        1
    """

    cer: float

    hits: int
    substitutions: int
    insertions: int
    deletions: int


Output = TypeVar("Output", WordOutput, CharacterOutput)


class Compared(NamedTuple):
    """Counts and their input: texts that the metric splits, or word lists."""

    counts: Counts
    metric: WER | CER
    references: list[Any]
    hypotheses: list[Any]


def process_words(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Return all word measures, and the alignments.

    Example:
        >>> output = process_words("hello world", "hello duck")
        >>> output.wer, output.alignments[0][1]
        (0.5, AlignmentChunk(type='substitute', ref_start_idx=1, ref_end_idx=2, hyp_start_idx=1, hyp_end_idx=2))
    """
    compared = compare(reference, hypothesis, reference_transform, hypothesis_transform)
    output = _new_output(WordOutput, compared)
    output.wer = error_rate(compared.counts)
    output.mer = match_error_rate(compared.counts)
    output.wip = information_preserved(compared.counts)
    output.wil = 1 - output.wip
    return output


def process_characters(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Return the character error rate and the alignments.

    Example:
        >>> process_characters("hello", "hallo!").cer
        0.4
    """
    compared = compare(reference, hypothesis, reference_transform, hypothesis_transform)
    output = _new_output(CharacterOutput, compared)
    output.cer = error_rate(compared.counts)
    return output


def _new_output(kind: type[Output], compared: Compared) -> Output:
    """Return an output without its measures. Its words and alignments are computed on first access."""
    output = kind.__new__(kind)
    output._make = lambda: _words_and_alignments(compared)
    output.hits, output.substitutions, output.deletions, output.insertions = compared.counts
    return output


def count(reference: Any, hypothesis: Any, reference_transform: Any, hypothesis_transform: Any) -> Counts:
    if type(reference) is str and type(hypothesis) is str:  # many programs call once per pair
        metric = _metric_of(reference_transform, hypothesis_transform)
        if metric is not None:
            return metric.counts(hypothesis, reference)
    return compare(reference, hypothesis, reference_transform, hypothesis_transform).counts


def compare(reference: Any, hypothesis: Any, reference_transform: Any, hypothesis_transform: Any) -> Compared:
    metric = _metric_of(reference_transform, hypothesis_transform)
    if metric is None:
        references, reference_transform = _before_split(reference, reference_transform)
        hypotheses, hypothesis_transform = _before_split(hypothesis, hypothesis_transform)
        metric = _metric_of_split(reference_transform, hypothesis_transform, references, hypotheses)
    elif type(reference) is str and type(hypothesis) is str:
        return Compared(metric.counts(hypothesis, reference), metric, [reference], [hypothesis])
    else:
        references, hypotheses = _sentences(reference), _sentences(hypothesis)
    if metric is not None and _are_texts(references) and _are_texts(hypotheses) and len(references) == len(hypotheses):
        counts = metric.corpus(hypotheses, references).row.tolist()
        return Compared(tuple(counts), metric, references, hypotheses)
    references = _checked(reference_transform(references), "reference")
    hypotheses = _checked(hypothesis_transform(hypotheses), "hypothesis")
    if len(references) != len(hypotheses):
        raise InputError(
            None,
            f"{len(references)} references but {len(hypotheses)} hypotheses after the transforms",
            "pass the same number of both, or use transforms with ReduceToSingleSentence if line breaks differ",
        )
    if not references:
        return Compared((0, 0, 0, 0), _METRIC, references, hypotheses)
    row = _METRIC.corpus(hypotheses, [[words] for words in references]).row
    return Compared(tuple(row.tolist()), _METRIC, references, hypotheses)


def error_rate(counts: Counts) -> float:
    """Return errors divided by reference tokens, or the error count without reference tokens."""
    hits, substitutions, deletions, insertions = counts
    length = hits + substitutions + deletions
    return (substitutions + deletions + insertions) / length if length else insertions


def match_error_rate(counts: Counts) -> float:
    hits, substitutions, deletions, insertions = counts
    if hits + substitutions + deletions == 0:
        return 1 if insertions else 0
    errors = substitutions + deletions + insertions
    return errors / (hits + errors)


def information_preserved(counts: Counts) -> float:
    """Return hits per reference token times hits per hypothesis token."""
    hits, substitutions, deletions, insertions = counts
    reference, hypothesis = hits + substitutions + deletions, hits + substitutions + insertions
    if reference == 0 or hypothesis == 0:
        return 1 if reference == hypothesis else 0
    return (hits / reference) * (hits / hypothesis)


def _metric_of(reference_transform: Any, hypothesis_transform: Any) -> WER | CER | None:
    if type(reference_transform) is not Compose:
        return None
    steps = reference_transform.transforms
    metric = _READ_AS_TEXT.get(tuple(map(type, steps)))
    if metric is None or getattr(steps[-1], "word_delimiter", " ") != " ":
        return None
    if (
        hypothesis_transform is not reference_transform
        and _metric_of(hypothesis_transform, hypothesis_transform) is not metric
    ):
        return None
    return metric


def _are_texts(sentences: Any) -> bool:
    return type(sentences) is list and set(map(type, sentences)) == {str}


def _sentences(value: Any) -> Any:
    """Return listed sentences: a copy, because the caller may change the list before first access."""
    return [value] if isinstance(value, str) else value.copy() if type(value) is list else value


def _before_split(sentences: Any, transform: Any) -> tuple[Any, Any]:
    """Return the sentences after all transforms but the one that splits them, and that one."""
    sentences = _sentences(sentences)
    if type(transform) is not Compose or not transform.transforms:
        return sentences, transform
    return Compose(transform.transforms[:-1])(sentences), transform.transforms[-1]


def _metric_of_split(reference_split: Any, hypothesis_split: Any, references: Any, hypotheses: Any) -> WER | CER | None:
    kind = type(reference_split)
    if type(hypothesis_split) is not kind or not (_are_texts(references) and _are_texts(hypotheses)):
        return None
    if kind is ReduceToListOfListOfWords:
        is_usual = reference_split.word_delimiter == hypothesis_split.word_delimiter == " "
        # WER splits at some other whitespace, too.
        return _METRIC if is_usual and not have_other_spaces(references) and not have_other_spaces(hypotheses) else None
    if kind is ReduceToListOfListOfChars:
        are_stripped = all(text == text.strip() for text in chain(references, hypotheses))  # as CER reads them
        return _CHARACTERS if are_stripped else None
    return None


def _checked(words: Any, name: str) -> list[list[str]]:
    if not isinstance(words, list) or not all(
        isinstance(sentence, list) and all(isinstance(word, str) for word in sentence) for sentence in words
    ):
        raise InputError(
            Location(f"{name}_transform"),
            "must return one list of strings per sentence",
            "end it with ReduceToListOfListOfWords or ReduceToListOfListOfChars",
        )
    return words


def _words_and_alignments(
    compared: Compared,
) -> tuple[list[list[str]], list[list[str]], list[list[AlignmentChunk]]]:
    metric, references, hypotheses = compared.metric, compared.references, compared.hypotheses
    if not references:
        return references, hypotheses, []
    if isinstance(references[0], str):
        split: Callable[[str], Any] = metric.pipeline.tokens
        hits, *errors = compared.counts
        if len(references) == 1 and hits and not any(errors):
            same: list[str] = split(references[0])
            return [same], [split(hypotheses[0])], [_chunks([("hit", 0, hits, 0, hits)])]
        runs = metric.alignments(hypotheses, references)
        words: list[list[str]] = [split(text) for text in references]
        return words, [split(text) for text in hypotheses], [_chunks(segment) for segment in runs]
    runs = metric.alignments(hypotheses, [[words] for words in references])
    return references, hypotheses, [_chunks(segment) for segment in runs]


def _chunks(runs: Any) -> list[AlignmentChunk]:
    """Return runs as chunks. Skip `AlignmentChunk`'s checks, because runs are always valid."""
    chunks = []
    for kind, *bounds in runs:
        chunk = AlignmentChunk.__new__(AlignmentChunk)
        chunk.type = _TYPES[kind]
        chunk.ref_start_idx, chunk.ref_end_idx, chunk.hyp_start_idx, chunk.hyp_end_idx = bounds
        chunks.append(chunk)
    return chunks
