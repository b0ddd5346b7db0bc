"""NLTK's `nltk.translate.meteor_score`: METEOR, and its functions for matching words.

By default, `stemmer` is the Porter stemmer in NLTK's default mode, and `wordnet` NLTK's WordNet, loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cache, lru_cache
from typing import Any, TypeAlias

from refscore.compat.error_types import InputTypeError, NotInstalledLookupError
from refscore.compat.metric_cache import cached_metric
from refscore.errors import InputError, Location
from refscore.inputs import describe
from refscore.metrics.meteor.metric import METEOR
from refscore.metrics.meteor.word_matches import MatchedWord, Stem, Synonyms, porter_stem

__all__ = ["align_words", "exact_match", "meteor_score", "single_meteor_score", "stem_match", "wordnetsyn_match"]

Pairs: TypeAlias = list[tuple[int, int]]
Places: TypeAlias = list[tuple[int, Any]]
Matches: TypeAlias = tuple[Pairs, Places, Places]

# More words than any corpus has.
_MOST_WORDS = 1 << 18
_NO_WORDS: frozenset[str] = frozenset()


def meteor_score(
    references: Any,
    hypothesis: Any,
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Return the sentence METEOR with its best reference, from 0 to 1. It is 0 if no word matches.

    Example:
        >>> class NoSynonyms:
        ...     def synsets(self, word):
        ...         return []
        >>> references = ["the dog runs home".split(), "a dog".split()]
        >>> round(meteor_score(references, "the dogs ran home".split(), wordnet=NoSynonyms()), 4)
        0.6389
    """
    _check_list(references, "references")
    words = _prepared(hypothesis, "hypothesis", preprocess)
    targets = [_prepared(reference, "reference", preprocess) for reference in references]
    if not targets:
        raise InputError(Location("references"), "is empty", "pass at least one reference")
    metric = cached_metric(METEOR, alpha=alpha, beta=beta, gamma=gamma)
    return float(metric.matcher(_synonyms(wordnet), _stem(stemmer)).best(words, targets)[0])


def single_meteor_score(
    reference: Any,
    hypothesis: Any,
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Return the sentence METEOR with one reference.

    Example:
        >>> class NoSynonyms:
        ...     def synsets(self, word):
        ...         return []
        >>> round(single_meteor_score("the dog runs home".split(), "the dogs ran".split(), wordnet=NoSynonyms()), 4)
        0.4808
    """
    return meteor_score((reference,), hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma)


def align_words(hypothesis: Any, reference: Any, stemmer: Any = None, wordnet: Any = None) -> Matches:
    """Match equal words, then words with equal stems, then synonyms.

    Return pairs of positions in hypothesis and reference, in the hypothesis' order. Also return the positions and
    stems that are unmatched on each side.

    Example:
        >>> class NoSynonyms:
        ...     def synsets(self, word):
        ...         return []
        >>> align_words("he was walking the dog".split(), "the dog walked".split(), wordnet=NoSynonyms())
        ([(2, 2), (3, 0), (4, 1)], [(0, 'he'), (1, 'wa')], [])
    """
    stem = _stem(stemmer)
    words, targets = _lowered(hypothesis, reference)
    matched = _match(words, targets, _synonyms(wordnet), stem)
    pairs, left, left_targets = _result(matched, [*map(stem, words)], [*map(stem, targets)])
    return pairs[::-1], left, left_targets


def exact_match(hypothesis: Any, reference: Any) -> Matches:
    """Match equal words from the end, ignoring case.

    Return pairs of positions in hypothesis and reference, the last pair first. Also return the
    positions and lowercase words that are unmatched on each side.

    Example:
        >>> exact_match("The cat sat".split(), "the dog sat".split())
        ([(2, 2), (0, 0)], [(1, 'cat')], [(1, 'dog')])
    """
    words, targets = _lowered(hypothesis, reference)
    return _result(_match(words, targets, None, _same), words, targets)


def stem_match(hypothesis: Any, reference: Any, stemmer: Any = None) -> Matches:
    """Match words with the same stem. Return the same as `exact_match`, with stems, not words.

    Example:
        >>> stem_match("cats sitting".split(), "a cat sat".split())
        ([(0, 1)], [(1, 'sit')], [(0, 'a'), (2, 'sat')])
    """
    stem = _stem(stemmer)
    words, targets = ([*map(stem, side)] for side in _lowered(hypothesis, reference))
    return _result(_match(words, targets, None, _same), words, targets)


def wordnetsyn_match(hypothesis: Any, reference: Any, wordnet: Any = None) -> Matches:
    """Match words with their synonyms. Return the same as `exact_match`.

    Example:
        >>> class NoSynonyms:
        ...     def synsets(self, word):
        ...         return []
        >>> wordnetsyn_match("The cat sat".split(), "the dog sat".split(), wordnet=NoSynonyms())
        ([(2, 2), (0, 0)], [(1, 'cat')], [(1, 'dog')])
    """
    synonyms = _synonyms(wordnet)
    words, targets = _lowered(hypothesis, reference)

    def in_reference(marked: str) -> frozenset[str]:
        word = marked[1:]
        return frozenset("r" + name for name in (*synonyms(word), word))

    # Mark the words, so no word equals one of the other side and only the last stage finds pairs.
    matched = _match(["h" + word for word in words], ["r" + word for word in targets], in_reference, _same)
    return _result(matched, words, targets)


def _match(words: list[Any], targets: list[Any], synonyms: Synonyms | None, stem: Stem) -> list[MatchedWord]:
    return cached_metric(METEOR).matcher(synonyms, stem).match(words, targets)[0]


def _result(matched: list[MatchedWord], words: list[Any], targets: list[Any]) -> Matches:
    pairs = [(i, word.rank) for i, word in enumerate(matched) if word.rank is not None]
    left, taken = {i for i, _ in pairs}, {j for _, j in pairs}
    return (
        pairs[::-1],
        [place for place in enumerate(words) if place[0] not in left],
        [place for place in enumerate(targets) if place[0] not in taken],
    )


def _same(word: Hashable) -> Hashable:
    return word


def _lowered(hypothesis: Any, reference: Any) -> tuple[list[str], list[str]]:
    return _prepared(hypothesis, "hypothesis", str.lower), _prepared(reference, "reference", str.lower)


def _prepared(side: Any, name: str, preprocess: Callable[[str], str]) -> list[str]:
    if type(side) is not list:
        _check_list(side, name)
    return list(map(preprocess, side))


def _check_list(side: Any, name: str) -> None:
    if isinstance(side, str):
        raise InputTypeError(Location(name), "is a string", "pass a list of words, such as text.split()")
    if not isinstance(side, Iterable):
        raise InputTypeError(Location(name), f"is {describe(side)}", "pass a list of words")


_porter_stem = lru_cache(maxsize=_MOST_WORDS)(porter_stem)


def _stem(stemmer: Any) -> Stem:
    """Return the function that stems a word. For NLTK's Porter stemmer in its default mode, it is refscore's."""
    if stemmer is None:
        return _porter_stem
    kind = type(stemmer)
    is_nltks = kind.__module__ == "nltk.stem.porter" and kind.__name__ == "PorterStemmer"
    if is_nltks and stemmer.mode == "NLTK_EXTENSIONS":
        return _porter_stem
    stem: Stem = stemmer.stem
    return stem


def _synonyms(wordnet: Any) -> Synonyms:
    """Return the function from a word to its synonyms. Synonyms from NLTK's WordNets are cached."""
    if wordnet is None:
        wordnet = _nltk_wordnet()
    return _cached(wordnet) if type(wordnet).__module__.startswith("nltk.") else _lookup(wordnet)


@lru_cache(maxsize=4)
def _cached(wordnet: Any) -> Synonyms:
    return lru_cache(maxsize=_MOST_WORDS)(_lookup(wordnet))


def _lookup(wordnet: Any) -> Synonyms:
    synsets = wordnet.synsets

    def synonyms(word: str) -> frozenset[str]:
        meanings = synsets(word)
        if not meanings:  # true for most words, so this shortcut saves most of the time
            return _NO_WORDS
        names = (lemma.name() for synset in meanings for lemma in synset.lemmas())
        return frozenset(name for name in names if "_" not in name)

    return synonyms


@cache
def _nltk_wordnet() -> Any:
    try:
        from nltk.corpus import wordnet
    except ModuleNotFoundError:
        raise NotInstalledLookupError(
            "METEOR needs NLTK's WordNet for synonyms: pip install 'refscore[wordnet]', then "
            "python -m nltk.downloader wordnet"
        ) from None
    return wordnet
