"""METEOR by its definition: compares every pair of words, stage by stage, from the end of both sentences.

A segment becomes the row `[score, precision, recall, f_mean, penalty, 1]` of its best reference; the corpus score is
the mean of the segment scores. Words are any hashable objects; strings have stems (NLTK's), others do not.
"""

from dataclasses import dataclass

from nltk.stem.porter import PorterStemmer

COLUMNS = ("score", "precision", "recall", "f_mean", "penalty", "segments")
STEMMER = PorterStemmer()


@dataclass(frozen=True)
class Settings:
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5


def no_synonyms(word):
    return set()


def match(hypothesis, reference, synonyms=no_synonyms):
    """Return (rank, stage) for each word of the hypothesis, or None without a match."""
    found = [None] * len(hypothesis)
    free = set(range(len(reference)))
    stages = {
        "exact": lambda word, other: word == other,
        "stem": lambda word, other: both_strings(word, other) and STEMMER.stem(word) == STEMMER.stem(other),
        # NLTK continues with the stems of the remaining words.
        "synonym": lambda word, other: (
            both_strings(word, other) and STEMMER.stem(other) in synonyms(STEMMER.stem(word))
        ),
    }
    for stage, fit in stages.items():
        for i in reversed(range(len(hypothesis))):
            if found[i] is not None:
                continue
            for j in sorted(free, reverse=True):
                if fit(hypothesis[i], reference[j]):
                    found[i] = (j, stage)
                    free.remove(j)
                    break
    return found


def both_strings(word, other):
    return isinstance(word, str) and isinstance(other, str)


def chunks(found):
    """Return the matched words as lists of neighbours that are adjacent on both sides."""
    made = []
    for i, place in enumerate(found):
        if place is None:
            continue
        if made and made[-1][-1] == (i - 1, place[0] - 1):
            made[-1].append((i, place[0]))
        else:
            made.append([(i, place[0])])
    return made


def row_of_one(setting, hypothesis, reference, synonyms=no_synonyms):
    found = match(hypothesis, reference, synonyms)
    matches = len([place for place in found if place is not None])
    if matches == 0:
        return [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    precision, recall = matches / len(hypothesis), matches / len(reference)
    f_mean = precision * recall / (setting.alpha * precision + (1 - setting.alpha) * recall)
    penalty = setting.gamma * (len(chunks(found)) / matches) ** setting.beta
    return [(1 - penalty) * f_mean, precision, recall, f_mean, penalty, 1.0]


def row(setting, hypothesis, references, synonyms=no_synonyms):
    """Return the row of the first reference with the best score."""
    rows = [row_of_one(setting, hypothesis, reference, synonyms) for reference in references]
    return max(rows, key=lambda one: one[0])


def means(rows):
    """Return the means of all columns except the last, which counts the segments."""
    return [sum(one[column] for one in rows) / len(rows) for column in range(len(COLUMNS) - 1)]
