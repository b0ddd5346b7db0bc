"""jiwer's `jiwer.transforms`: preprocessing steps for text."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from refscore.errors import InputError
from refscore.normalizers.steps import TextRewriter

__all__ = [
    "AbstractTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]

# The order matters: general endings such as n't come after the irregular contractions.
_CONTRACTIONS = (
    ("won't", "will not"),
    ("can't", "can not"),
    ("let's", "let us"),
    ("n't", " not"),
    ("'re", " are"),
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'t", " not"),
    ("'ve", " have"),
    ("'m", " am"),
)

_MANY_SENTENCES = 8

# Native steps: a kind, and for replacements a text and its replacement.
Steps = tuple[tuple[Any, ...], ...]


class AbstractTransform:
    """The base class for transforms. A subclass implements `process_string` and, if necessary, `process_list`.

    Example:
        >>> class Reverse(AbstractTransform):
        ...     def process_string(self, s):
        ...         return s[::-1]
        >>> Reverse()(["abc", "de"])
        ['cba', 'ed']
    """

    def __call__(self, sentences: str | list[str]) -> Any:
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise InputError(None, f"{sentences!r} is not a sentence", "pass a string or a list of strings")

    def process_string(self, s: str) -> Any:
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:
        return [self.process_string(s) for s in inp]

    def _steps(self) -> Steps | None:
        """Return the native steps that do the same, if there are any."""
        return None


class _StepTransform(AbstractTransform):
    _native: ClassVar[Steps]

    def process_string(self, s: str) -> Any:
        return _rewriter(self._native).rewrite(s)

    def _steps(self) -> Steps:
        return self._native


class _SplitTransform(AbstractTransform):
    """A transform that splits sentences. A subclass implements `process_string`."""

    def process_list(self, inp: list[str]) -> Any:
        """Return one list per sentence, or one empty list if there are no sentences."""
        return [self.process_string(s)[0] for s in inp] or [[]]


class Compose:
    """Apply `transforms` one after the other.

    Example:
        >>> clean = Compose([ToLowerCase(), Strip(), ReduceToListOfListOfWords()])
        >>> clean(" Hello  World ")
        [['hello', 'world']]
    """

    def __init__(self, transforms: list[AbstractTransform]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        transforms, start = self.transforms, 0
        while start < len(transforms):
            # Finding native steps for several transforms takes longer than applying them to a few sentences.
            if type(text) is list and len(text) >= _MANY_SENTENCES:
                steps, end = _native_steps(transforms, start)
                if steps and set(map(type, text)) == {str}:
                    text = _rewriter(steps).rewrite_all(text)
                    start = end
                    continue
            text = transforms[start](text)
            start += 1
        return text


class BaseRemoveTransform(AbstractTransform):
    """Replace all `tokens_to_remove` by `replace_token`, one after the other."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = "") -> None:
        self.tokens_to_remove = tokens_to_remove
        self.replace_token = replace_token

    def process_string(self, s: str) -> Any:
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s

    def _steps(self) -> Steps | None:
        tokens = self.tokens_to_remove
        return _replacements("replace", [(token, self.replace_token) for token in tokens], type(tokens) is list)


class ReduceToListOfListOfWords(_SplitTransform):
    """Split sentences into words at `word_delimiter`, for word error rates. Empty words are dropped.

    Example:
        >>> ReduceToListOfListOfWords()(["hi", "this is it"])
        [['hi'], ['this', 'is', 'it']]
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> Any:
        return [[word for word in s.split(self.word_delimiter) if word]]


class ReduceToListOfListOfChars(_SplitTransform):
    """Split sentences into characters, for character error rates.

    Example:
        >>> ReduceToListOfListOfChars()(["hi", "a b"])
        [['h', 'i'], ['a', ' ', 'b']]
    """

    def process_string(self, s: str) -> Any:
        return [list(s)]


class ReduceToSingleSentence(AbstractTransform):
    """Join all sentences with `word_delimiter`, for references and hypotheses with different line breaks.

    Example:
        >>> ReduceToSingleSentence()(["hi", "", "there you are"])
        ['hi there you are']
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> Any:
        return s

    def process_list(self, inp: list[str]) -> Any:
        sentences = [s for s in inp if len(s) > 0]
        return [f"{self.word_delimiter}".join(sentences)] if sentences else []


class SubstituteRegexes(AbstractTransform):
    r"""Replace whatever regular expressions match. `substitutions` maps expressions to replacements.

    Example:
        >>> SubstituteRegexes({r"\d+": "#", r"\b(\w+)ing\b": r"\1"})("going 10 miles")
        'go # miles'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> Any:
        for expression, replacement in self.substitutions.items():
            s = re.sub(expression, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    """Replace whole words by their values in `substitutions`. Backslashes in values mean the same as in `re.sub`.

    Example:
        >>> SubstituteWords({"you": "I", "'re": " am"})("you're not your own")
        'I am not your own'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> Any:
        for word, replacement in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", replacement, s)
        return s

    def _steps(self) -> Steps | None:
        pairs = self.substitutions
        is_plain = type(pairs) is dict and not any("\\" in value for value in pairs.values() if isinstance(value, str))
        return _replacements("replace_word", [*pairs.items()], is_plain)


class RemoveSpecificWords(SubstituteWords):
    """Replace all `words_to_remove` by a space.

    Example:
        >>> RemoveSpecificWords(["the", "a"])("the apple is a pear")
        '  apple is   pear'
    """

    def __init__(self, words_to_remove: list[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class RemoveWhiteSpace(BaseRemoveTransform):
    r"""Remove ASCII whitespace, including spaces. With `replace_by_space`, replace each character by a space.

    Example:
        >>> RemoveWhiteSpace()("a b\t"), RemoveWhiteSpace(replace_by_space=True)("a b\t")
        ('ab', 'a b ')
    """

    def __init__(self, replace_by_space: bool = False) -> None:
        super().__init__(list(string.whitespace), " " if replace_by_space else "")

    def _steps(self) -> Steps | None:
        if self.tokens_to_remove == [*string.whitespace] and self.replace_token in ("", " "):
            return (("space_whitespace" if self.replace_token else "remove_whitespace",),)
        return super()._steps()


class RemovePunctuation(BaseRemoveTransform):
    """Remove all characters in Unicode's punctuation categories.

    Example:
        >>> RemovePunctuation()("«Well, hello!» — 3 € + 4")
        'Well hello  3 € + 4'
    """

    def __init__(self) -> None:
        super().__init__(_punctuation()[0])

    def process_string(self, s: str) -> Any:
        steps = self._steps() if isinstance(s, str) else None
        return super().process_string(s) if steps is None else _rewriter(steps).rewrite(s)

    def _steps(self) -> Steps | None:
        tokens, count = _punctuation()
        is_usual = self.tokens_to_remove is tokens and len(tokens) == count and self.replace_token == ""
        return (("remove_punctuation",),) if is_usual else super()._steps()


@lru_cache(maxsize=1)
def _punctuation() -> tuple[set[str], int]:
    """Return all punctuation and its original size, because users may change the set."""
    characters = {c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c).startswith("P")}
    return characters, len(characters)


class RemoveMultipleSpaces(_StepTransform):
    """Replace two or more whitespace characters by one space.

    Example:
        >>> RemoveMultipleSpaces()(["this is   it ", "  "])
        ['this is it ', ' ']
    """

    _native = (("join_spaces",),)


class Strip(_StepTransform):
    """Remove whitespace at both ends.

    Example:
        >>> Strip()([" this is it ", "  "])
        ['this is it', '']
    """

    _native = (("strip",),)

    def process_string(self, s: str) -> Any:
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Drop sentences that are empty or only whitespace. A single sentence is stripped instead.

    Example:
        >>> RemoveEmptyStrings()(["", "this is it ", " "])
        ['this is it ']
    """

    def process_string(self, s: str) -> Any:
        return s.strip()

    def process_list(self, inp: list[str]) -> Any:
        return [s for s in inp if self.process_string(s) != ""]


class ExpandCommonEnglishContractions(_StepTransform):
    """Expand English contractions: won't, can't, let's, and those with n't, 're, 's, 'd, 'll, 't, 've and 'm.

    Example:
        >>> ExpandCommonEnglishContractions()("she'll see that you can't, let's go")
        'she will see that you can not, let us go'
    """

    _native = tuple(("replace", *pair) for pair in _CONTRACTIONS)


class ToLowerCase(_StepTransform):
    """Lowercase sentences.

    Example:
        >>> ToLowerCase()(["You're PRETTY"])
        ["you're pretty"]
    """

    _native = (("lower",),)

    def process_string(self, s: str) -> Any:
        return s.lower()


class ToUpperCase(_StepTransform):
    """Uppercase sentences.

    Example:
        >>> ToUpperCase()(["You're pretty"])
        ["YOU'RE PRETTY"]
    """

    _native = (("upper",),)

    def process_string(self, s: str) -> Any:
        return s.upper()


class RemoveKaldiNonWords(_StepTransform):
    """Remove text between [ and ] or < and >, which Kaldi uses for non-words.

    Example:
        >>> RemoveKaldiNonWords()("you <unk> like [laugh]")
        'you  like '
    """

    _native = (("remove_brackets",),)


def _replacements(step: str, pairs: list[tuple[Any, Any]], is_plain: bool) -> Steps | None:
    """Return steps that replace texts, or None if they are not plain texts."""
    if not is_plain or not all(type(text) is str and text for text, _ in pairs):
        return None
    if not all(type(replacement) is str for _, replacement in pairs):
        return None
    return tuple((step, *pair) for pair in pairs)


def _native_steps(transforms: list[Any], start: int) -> tuple[Steps, int]:
    """Return native steps for the longest possible run from `start`, and the next transform's index."""
    steps: list[tuple[Any, ...]] = []
    for index in range(start, len(transforms)):
        transform = transforms[index]
        # A subclass may transform sentences differently.
        is_known = isinstance(transform, AbstractTransform) and type(transform).__module__ == __name__
        more = transform._steps() if is_known else None
        if more is None:
            return tuple(steps), index
        steps += more
    return tuple(steps), len(transforms)


@lru_cache(maxsize=128)
def _rewriter(steps: Steps) -> TextRewriter:
    return TextRewriter([*steps])
