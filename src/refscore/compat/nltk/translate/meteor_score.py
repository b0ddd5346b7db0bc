"""NLTK's `nltk.translate.meteor_score`: METEOR, and its functions for matching words.

By default, `stemmer` is the Porter stemmer in NLTK's default mode, and `wordnet` NLTK's WordNet, loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, TypeAlias

from refscore.compat.error_types import InputTypeError, NotInstalledLookupError
from refscore.compat.metric_cache import cached_metric
from refscore.errors import InputError, Location
from refscore.inputs import describe
from refscore.metrics import check_tokens, has_limits
from refscore.metrics.meteor.metric import METEOR
from refscore.metrics.meteor.word_matches import Stem, Synonyms, porter_stem

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
    pairs, words, targets = exact_match(hypothesis, reference)
    by_stem, words, targets = _match(*_stemmed(words, targets, stemmer))
    by_synonym, words, targets = _match(words, targets, _synonyms(wordnet))  # of stems, as in NLTK
    return sorted([*pairs, *by_stem, *by_synonym]), words, targets


def exact_match(hypothesis: Any, reference: Any) -> Matches:
    """Match equal words from the end, ignoring case.

    Return pairs of positions in hypothesis and reference, the last pair first. Also return the
    positions and lowercase words that are unmatched on each side.

    Example:
        >>> exact_match("The cat sat".split(), "the dog sat".split())
        ([(2, 2), (0, 0)], [(1, 'cat')], [(1, 'dog')])
    """
    return _match(*_lowered(hypothesis, reference))


def stem_match(hypothesis: Any, reference: Any, stemmer: Any = None) -> Matches:
    """Match words with the same stem. Return the same as `exact_match`, with stems, not words.

    Example:
        >>> stem_match("cats sitting".split(), "a cat sat".split())
        ([(0, 1)], [(1, 'sit')], [(0, 'a'), (2, 'sat')])
    """
    return _match(*_stemmed(*_lowered(hypothesis, reference), stemmer))


def wordnetsyn_match(hypothesis: Any, reference: Any, wordnet: Any = None) -> Matches:
    """Match words with their synonyms. Return the same as `exact_match`.

    Example:
        >>> class NoSynonyms:
        ...     def synsets(self, word):
        ...         return []
        >>> wordnetsyn_match("The cat sat".split(), "the dog sat".split(), wordnet=NoSynonyms())
        ([(2, 2), (0, 0)], [(1, 'cat')], [(1, 'dog')])
    """
    return _match(*_lowered(hypothesis, reference), _synonyms(wordnet))


def _match(words: Places, targets: Places, synonyms: Synonyms | None = None) -> Matches:
    """Match each word, from the last to the first, with the last free target that equals it or a synonym."""
    positions: dict[str, list[int]] = {}
    for j, target in targets:
        positions.setdefault(target, []).append(j)
    pairs, left = [], []
    for place in reversed(words):
        i, word = place
        free = positions.get(word)
        for synonym in () if synonyms is None else synonyms(word):
            others = positions.get(synonym)
            if others and (not free or others[-1] > free[-1]):
                free = others
        if free:
            pairs.append((i, free.pop()))
        else:
            left.append(place)
    taken = {j for _, j in pairs}
    return pairs, left[::-1], [place for place in targets if place[0] not in taken]


def _lowered(hypothesis: Any, reference: Any) -> tuple[Places, Places]:
    words, targets = _prepared(hypothesis, "hypothesis", str.lower), _prepared(reference, "reference", str.lower)
    if has_limits():
        check_tokens(len(words), Location("hypothesis"))
        check_tokens(len(targets), Location("reference"))
    return [*enumerate(words)], [*enumerate(targets)]


def _stemmed(words: Places, targets: Places, stemmer: Any) -> tuple[Places, Places]:
    stem = _stem(stemmer)
    return [(i, stem(word)) for i, word in words], [(j, stem(target)) for j, target in targets]


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
