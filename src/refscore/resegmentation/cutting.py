from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, Location
from refscore.inputs import (
    References,
    Segment,
    as_list,
    check_hypotheses,
    check_references,
    is_sequence,
    listed_hypotheses,
    listed_references,
    read_side,
    reusable,
)
from refscore.metrics import check_reference_count, check_tokens
from refscore.resegmentation.units import (
    OPENING,
    Units,
    join_lines,
    side_of,
    split_with,
    split_words,
    without_punctuation,
)
from refscore.settings import Choice, HasSettings, OrNone, choice, setting
from refscore.tables import Column, Result, Table
from refscore.text_display import counted
from refscore.tokenizers import Tokenizer, get
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import TokenizerKind

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class ResegmenterSettings(TypedDict, total=False):
        """The fields of `Resegmenter`."""

        tokenizer: AnyTokenizer | None
        lowercase: bool
        punctuation: Punctuation
        ties: Ties


@dataclass(frozen=True)
class Resegmentation(Result):
    """A hypothesis in its references' segments.

    Attributes:
        segments: One segment per entry in the references: a part of the text without outer whitespace, or a token list.
        cost: The edits in all segments.
        costs: Each segment's edit distance to the closest reference, in tokens.
        boundaries: Where each segment begins and ends in `text`.
        text: The hypothesis as one text, or as one token list. Documents are in the references' order.
        signature: All settings as text.

    Example:
        >>> import refscore
        >>> cut = refscore.resegmentation.resegment("so we left it was late", ["So we left.", "It was very late."])
        >>> cut.segments, cut.cost
        (['so we left', 'it was late'], 3)
        >>> cut.boundaries
        [(0, 10), (11, 22)]
    """

    segments: list[Any]
    cost: int
    costs: list[int]
    boundaries: list[tuple[int, int]]
    text: Any
    signature: str

    def table(self, *, digits: int | None = None) -> Table:
        """Return the segments and their costs."""
        columns = [Column("segment", "right"), Column("edits", "right"), Column("text")]
        texts = [text if isinstance(text, str) else " ".join(map(str, text)) for text in self.segments]
        rows = [[str(n), str(cost), text] for n, (cost, text) in enumerate(zip(self.costs, texts, strict=True), 1)]
        return Table("", columns, rows)

    def __repr__(self) -> str:
        return f"<{counted(len(self.segments), 'segment')} of references, {counted(self.cost, 'edit')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the segments, costs, boundaries and settings, ready for JSON if the tokens are.

        >>> import refscore
        >>> refscore.resegmentation.resegment("a b", ["a", "b"]).to_dict()["segments"][1]
        {'text': 'b', 'cost': 0, 'begin': 2, 'end': 3}
        """
        return {
            "signature": self.signature,
            "cost": self.cost,
            "segments": [
                {"text": segment, "cost": cost, "begin": begin, "end": end}
                for segment, cost, (begin, end) in zip(self.segments, self.costs, self.boundaries, strict=True)
            ],
        }


Punctuation = Literal["keep", "ignore"]
Ties = Literal["latest", "earliest"]


@dataclass(frozen=True, kw_only=True)
class Resegmenter(HasSettings):
    """How a hypothesis is cut.

    Example:
        >>> from refscore.resegmentation import Resegmenter
        >>> resegmenter = Resegmenter(tokenizer="13a", ties="earliest")
        >>> resegmenter.cut("It is. So what?", ["It is!", "So what?"]).segments
        ['It is.', 'So what?']
        >>> resegmenter.signature.partition("|version:")[0]
        'resegment|tok:13a|case:lc|punct:keep|ties:earliest'
    """

    name = "resegment"

    tokenizer: AnyTokenizer | None = setting(
        None,
        "The tokenizer whose tokens are compared. It may split the text but not change it. By default words are "
        "compared, and single characters of scripts without spaces between words.",
        OrNone(TokenizerKind(), none="words"),
        key="tok",
    )
    lowercase: bool = setting(True, "Ignore upper and lower case.", Choice({True: "lc", False: "mixed"}), key="case")
    punctuation: Punctuation = choice(
        "keep",
        "Compare punctuation, or ignore it. It stays in the segments.",
        {"keep": "punctuation is compared", "ignore": "punctuation is not compared"},
        key="punct",
    )
    ties: Ties = choice(
        "latest",
        "Which of several equally good cuts to choose.",
        {"latest": "the last cut is as late as possible", "earliest": "the first cut is as early as possible"},
        key="ties",
    )

    @cached_property
    def _tokenizer(self) -> Tokenizer | None:
        return None if self.tokenizer is None else get(self.tokenizer)

    def cut(
        self,
        hypothesis: Segment | Iterable[Segment],
        references: References,
        *,
        documents: Iterable[Any] | None = None,
        hypothesis_documents: Iterable[Any] | None = None,
    ) -> Resegmentation:
        """Cut a hypothesis into its references' segments. Takes the same arguments as `resegment`.

        >>> from refscore.resegmentation import Resegmenter
        >>> Resegmenter(lowercase=False).cut("a A b", ["a", "A b"]).segments
        ['a', 'A b']
        """
        lines, is_text = _check_lines(hypothesis)
        entries = _check_entries(references, is_text=is_text)
        if not entries and any(map(len, lines)):
            raise InputError(Location("references"), "is empty", "pass one entry per segment")
        if not entries:
            return Resegmentation([], 0, [], [], "" if is_text else [], self.signature)
        pieces: list[Any] = [None] * len(entries)
        costs = [0] * len(entries)
        boundaries = [(0, 0)] * len(entries)
        texts: list[Any] = []
        offset = 0
        for segments, line_indexes in group_documents(len(entries), len(lines), documents, hypothesis_documents):
            own = [lines[index] for index in line_indexes]
            text: Any = join_lines(own) if is_text else [token for line in own for token in line]
            begins, document_costs = self._cut_document(text, {index: entries[index] for index in segments})
            ends = [*begins[1:], len(text)]
            for index, begin, end, cost in zip(segments, begins, ends, document_costs, strict=True):
                pieces[index], first = _stripped(text, begin, end) if is_text else (text[begin:end], begin)
                boundaries[index] = (first + offset, first + len(pieces[index]) + offset)
                costs[index] = cost
            texts.append(text)
            offset += len(text) + is_text
        joined: Any = " ".join(texts) if is_text else [token for text in texts for token in text]
        return Resegmentation(pieces, sum(costs), costs, boundaries, joined, self.signature)

    def _cut_document(self, text: Any, entries: Mapping[int, Sequence[Any]]) -> tuple[list[int], list[int]]:
        """Return where each segment begins in the text or token list, and its cost."""
        units = self._split(text, Location("hypothesis"))
        check_tokens(len(units.tokens), Location("hypothesis"), segments=len(entries))
        # Tokens that take part in the comparison; all of them unless punctuation is ignored.
        keys = _hashable(self._keys(units.tokens), Location("hypothesis"))
        indexes = [index for index, key in enumerate(keys) if key != ""] if self.punctuation == "ignore" else None
        compared = keys if indexes is None else [keys[index] for index in indexes]
        numbers: dict[Any, int] = {}
        tokens: list[int] = []
        reference_ends: list[int] = []
        segment_ends: list[int] = []
        for segment, entry in entries.items():
            check_reference_count(len(entry), segment)
            for reference, item in enumerate(entry):
                location = Location("references", segment, reference)
                reference_keys = _hashable(self._keys(self._split(item, location).tokens), location)
                check_tokens(len(reference_keys), location)
                if indexes is not None:
                    reference_keys = [key for key in reference_keys if key != ""]
                tokens += [numbers.setdefault(key, len(numbers) + 1) for key in reference_keys]
                reference_ends.append(len(tokens))
            segment_ends.append(len(reference_ends))
        allowed = sides = None
        if units.allowed is not None:
            flags = units.allowed if indexes is None else [units.allowed[index] for index in indexes]
            allowed = np.array([*flags, True], np.uint8)
        if indexes is None:
            by_key = {key: side_of(key) for key in set(keys)}
            if any(by_key.values()):
                sides = np.array([by_key[key] for key in keys], np.uint8)
        ends, costs = _native.resegment(
            np.array([numbers.get(key, 0) for key in compared], np.uint32),
            np.array(tokens, np.uint32),
            np.array(reference_ends, np.int64),
            np.array(segment_ends, np.int64),
            len(numbers),
            allowed,
            sides,
            self.ties == "earliest",
        )
        cuts = [0, *ends.tolist()[:-1]]
        if indexes is not None:
            cuts = [_place_ignored(cut, indexes, units) for cut in cuts]
        positions = [*units.begins, len(text)]
        # The first segment has all before the first token, even with a cut there.
        return [0, *(positions[cut] if cut else 0 for cut in cuts[1:])], costs.tolist()

    def _split(self, item: Any, location: Location) -> Units:
        if not isinstance(item, str):
            return Units(as_list(item), [*range(len(item))])
        return split_words(item) if self._tokenizer is None else split_with(self._tokenizer, item, location)

    def _keys(self, tokens: list[Any]) -> list[Any]:
        """Return what is compared instead of each token. An empty string is ignored."""
        if self.lowercase:
            tokens = [token.lower() if isinstance(token, str) else token for token in tokens]
        return [*map(without_punctuation, tokens)] if self.punctuation == "ignore" else tokens


def group_documents(
    segments: int, lines: int, documents: Iterable[Any] | None, hypothesis_documents: Iterable[Any] | None
) -> list[tuple[list[int], list[int]]]:
    """Return each document's segments and hypothesis lines, as indexes.

    >>> group_documents(3, 2, ["a", "a", "b"], ["b", "a"])
    [([0, 1], [1]), ([2], [0])]
    """
    if documents is None:
        if hypothesis_documents is not None:
            fix = "pass documents too: one label per entry of references"
            raise InputError(Location("hypothesis_documents"), "needs the documents of the references", fix)
        return [([*range(segments)], [*range(lines)])]
    labels = _check_labels(documents, segments, "documents", "one label per entry of references")
    by_label: dict[Any, tuple[list[int], list[int]]] = {}
    for index, label in enumerate(labels):
        by_label.setdefault(label, ([], []))[0].append(index)
    if hypothesis_documents is None:
        if len(by_label) != lines:
            fix = "pass one line per document in their order, or the label of each line as hypothesis_documents"
            raise InputError(
                Location("hypothesis"), f"has {counted(lines, 'line')} for {counted(len(by_label), 'document')}", fix
            )
        line_labels: list[Any] = [*by_label]
    else:
        line_labels = _check_labels(
            hypothesis_documents, lines, "hypothesis_documents", "one label per line of the hypothesis"
        )
    for index, label in enumerate(line_labels):
        if label not in by_label:
            problem = f"is {label!r}, which is not a document of the references"
            raise InputError(Location("hypothesis_documents", index), problem, "use the labels of documents")
        by_label[label][1].append(index)
    for index, label in enumerate(labels):
        if not by_label[label][1]:
            problem = f"is {label!r}, which has no line in the hypothesis"
            raise InputError(Location("documents", index), problem, "add an empty line for a document without output")
    return [*by_label.values()]


def _check_labels(labels: Iterable[Any], size: int, side: str, rule: str) -> list[Any]:
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InputError(Location(side), "is not a list", f"pass {rule}")
    listed = [*labels]
    if len(listed) != size:
        raise InputError(Location(side), f"has {counted(len(listed), 'label')} for {size:,}", f"pass {rule}")
    for index, label in enumerate(listed):
        try:
            hash(label)
        except TypeError:
            raise InputError(Location(side, index), "is not hashable", "pass a string or a number") from None
        if label is None:
            raise InputError(Location(side, index), "is None", "every segment needs a label")
    return listed


def _stripped(text: str, begin: int, end: int) -> tuple[str, int]:
    piece = text[begin:end].rstrip()
    stripped = piece.lstrip()
    return stripped, begin + len(piece) - len(stripped)


def _place_ignored(cut: int, indexes: Sequence[int], units: Units) -> int:
    """Return the cut among all tokens for a cut among the compared ones.

    Ignored tokens at a cut belong to the segment before it, from the first opening bracket on to the one after it.
    """
    if cut == 0:
        return 0
    end = indexes[cut] if cut < len(indexes) else len(units.tokens)
    if cut == len(indexes):
        return end
    for index in range(indexes[cut - 1] + 1, end):
        if side_of(units.tokens[index]) == OPENING and (units.allowed is None or units.allowed[index]):
            return index
    return end


def _hashable(keys: list[Any], location: Location) -> list[Any]:
    try:
        set(keys)
    except TypeError:
        raise InputError(location, "has a token that is not hashable", "pass strings or numbers") from None
    return keys


def _check_lines(hypothesis: Any) -> tuple[list[Any], bool]:
    """Return the hypothesis as lines or token sequences, and whether it is text."""
    if isinstance(hypothesis, str):
        return [hypothesis], True
    if getattr(hypothesis, "ndim", 0) == 1:  # one sequence of integers
        hypothesis = [hypothesis]
    hypothesis = reusable(hypothesis)
    first = next(iter(read_side(hypothesis).sample(1, 1)), "")
    if not isinstance(first, str) and not is_sequence(first):
        fix = "pass a text, a list of texts, or a list of token sequences"
        raise InputError(Location("hypothesis", 0), f"is {first!r}", fix)
    checked, kind = check_hypotheses(hypothesis, "hypothesis")
    lines = listed_hypotheses(checked)
    return lines if kind == "text" else [*map(as_list, lines)], kind == "text"


def _check_entries(references: Any, *, is_text: bool) -> list[Any]:
    """Return each segment's references, which must be text if the hypothesis is."""
    checked, kind = check_references(references)
    entries = listed_references(checked)
    if entries and (kind == "text") != is_text:
        raise InputError(None, "text and tokens cannot be compared", "tokenize the text, or pass text on both sides")
    return entries


def resegment(
    hypothesis: Segment | Iterable[Segment],
    references: References,
    *,
    documents: Iterable[Any] | None = None,
    hypothesis_documents: Iterable[Any] | None = None,
    **settings: Unpack[ResegmenterSettings],
) -> Resegmentation:
    """Cut a hypothesis into its references' segments, with the fewest edits in total.

    Args:
        hypothesis: A text, or a list of texts (the cuts between them are ignored), or a list of token sequences.
        references: One entry per segment: a text, a list of texts, or a list of token sequences. The closest reference
            counts. None in a list is a missing reference.
        documents: One label per entry in `references`. Each document is cut on its own.
        hypothesis_documents: One label per item in `hypothesis`. Not needed if it has one item per document.
        **settings: The fields of `refscore.resegmentation.Resegmenter`: `tokenizer`, `lowercase`, `punctuation` and
            `ties`.

    Returns:
        The segments, their costs and boundaries.

    Raises:
        InputError: If documents do not match, or a tokenizer changes the text.

    Example:
        >>> import refscore
        >>> references = ["Good morning!", "How are you today?", "Fine, thanks."]
        >>> cut = refscore.resegmentation.resegment(["good morning how are", "you today fine thanks"], references)
        >>> cut.segments
        ['good morning', 'how are you today', 'fine thanks']
        >>> refscore.chrf(cut.segments, references, lowercase=True).percent > 80
        True
    """
    resegmenter = Resegmenter(**settings)
    return resegmenter.cut(hypothesis, references, documents=documents, hypothesis_documents=hypothesis_documents)
