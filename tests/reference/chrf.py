"""chrF with a Counter per order, with every setting written out.

A text becomes its characters and words, a pair of texts becomes three counts per order, and ``score`` reads one row of
counts. Token sequences count as characters, and have no words.
"""

import string
import unicodedata
from collections import Counter
from dataclasses import dataclass

import regex

EPSILON = 1e-16
SMOOTHINGS = ("none", "epsilon", "nltk")
AVERAGES = ("micro", "macro")
UNITS = ("codepoints", "graphemes")
LOWERCASES = (False, True, "ascii")
NORMALIZATIONS = ("none", "NFC", "NFKC")
PUNCTUATION = frozenset(string.punctuation)


@dataclass(frozen=True)
class Settings:
    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool | str = False
    normalize: str = "none"
    whitespace: bool = False
    smoothing: str = "none"
    characters: str = "codepoints"
    average: str = "micro"

    @property
    def orders(self):
        """Return the orders of characters, then of words."""
        return [("char", n) for n in range(1, self.char_order + 1)] + [
            ("word", n) for n in range(1, self.word_order + 1)
        ]

    @property
    def columns(self):
        if self.average == "macro":
            return ("score", "segments")
        return tuple(f"{kind}_{what}_{n}" for what, n in self.orders for kind in ("hyp", "ref", "match"))


PRESETS = {
    "sacrebleu": Settings(),
    "chrf++": Settings(word_order=2),
    "nltk": Settings(beta=3.0, smoothing="nltk", average="macro"),
}


# Reading


def clusters(text):
    """Split into extended grapheme clusters by regular expression."""
    return regex.findall(r"\X", text)


def rewritten(settings, text):
    if settings.normalize != "none":
        text = unicodedata.normalize(settings.normalize, text)
    if settings.lowercase == "ascii":
        return "".join(char.lower() if char in string.ascii_uppercase else char for char in text)
    return text.lower() if settings.lowercase else text


def characters(settings, text):
    """Return the characters. A cluster is whitespace if all its characters are."""
    split = list(text) if settings.characters == "codepoints" else clusters(text)
    return [item for item in split if settings.whitespace or not item.isspace()]


def words(text):
    """Return words between whitespace, with one punctuation mark split off: the last character, else the first."""
    found = []
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def read(settings, item):
    """Return the units to count, by kind of n-gram."""
    if not isinstance(item, str):
        return {"char": list(item), "word": None}
    text = rewritten(settings, item)
    return {"char": characters(settings, text), "word": words(text)}


# Counting


def ngrams(sequence, n):
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))


def pair_counts(settings, hypothesis, reference):
    """Return for each order the n-grams of the hypothesis, of the reference, and common ones.

    If the reference has none, the hypothesis counts as having none either.
    """
    row = []
    for what, n in settings.orders:
        ours, theirs = ngrams(hypothesis[what], n), ngrams(reference[what], n)
        row += [sum(ours.values()) if theirs else 0, sum(theirs.values()), sum((ours & theirs).values())]
    return row


def segment_counts(settings, hypothesis, references):
    """Return the counts with the best reference, the first of equals."""
    found = [pair_counts(settings, read(settings, hypothesis), read(settings, one)) for one in references]
    return max(found, key=lambda counts: percent(settings, counts))


# Scoring


def triples(counts):
    return list(zip(counts[0::3], counts[1::3], counts[2::3], strict=True))


def order_score(settings, ours, theirs, common):
    """Return the F-score of one order under epsilon smoothing."""
    if settings.smoothing == "nltk" and 0 in (ours, theirs, common):
        return EPSILON
    precision = common / ours if ours else EPSILON
    recall = common / theirs if theirs else EPSILON
    factor = settings.beta**2
    if factor * precision + recall == 0:
        return EPSILON
    return (1 + factor) * precision * recall / (factor * precision + recall)


def mean_precision_and_recall(counts):
    """Return the means over the orders that both sides have."""
    effective = [(common / ours, common / theirs) for ours, theirs, common in triples(counts) if ours and theirs]
    if not effective:
        return 0.0, 0.0
    return tuple(sum(numbers) / len(effective) for numbers in zip(*effective, strict=True))


def percent(settings, counts):
    """Return the score from 0 to 100, rounded as in sacrebleu."""
    if settings.smoothing != "none":
        orders = triples(counts)
        return 100 * sum(order_score(settings, *order) for order in orders) / len(orders)
    precision, recall = mean_precision_and_recall(counts)
    if precision + recall == 0:
        return 0.0
    factor = settings.beta**2
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))


def row(settings, hypothesis, references):
    """Return the statistics of one segment, as named by ``settings.columns``."""
    counts = segment_counts(settings, hypothesis, references)
    return [percent(settings, counts) / 100, 1] if settings.average == "macro" else counts


def rows(settings, hypotheses, references):
    return [row(settings, hypothesis, refs) for hypothesis, refs in zip(hypotheses, references, strict=True)]


def score(settings, row):
    if settings.average == "macro":
        return row[0] / row[1]
    return percent(settings, row) / 100


def segment(settings, hypothesis, references):
    return score(settings, row(settings, hypothesis, references))


def corpus(settings, hypotheses, references):
    return score(settings, [sum(column) for column in zip(*rows(settings, hypotheses, references), strict=True)])


def aggregate(settings, hypotheses, references):
    """Score each hypothesis with a virtual reference that has the mean counts of all references."""
    share = len(references)
    read_references = [read(settings, reference) for reference in references]
    scores = []
    for hypothesis in hypotheses:
        ours, counts = read(settings, hypothesis), []
        for what, n in settings.orders:
            summed = Counter()
            for reference in read_references:
                summed.update(ngrams(reference[what], n))
            own = ngrams(ours[what], n)
            common = sum(min(count, summed[ngram] / share) for ngram, count in own.items())
            counts += [sum(own.values()) if summed else 0, sum(summed.values()) / share, common]
        scores.append(percent(settings, counts) / 100)
    return scores
