"""ROUGE by its definition: counters of n-grams, and the table of the longest common subsequence."""

from collections import Counter


def measures(matches, hypothesis, reference):
    """Return precision, recall and F of a number of matches."""
    precision, recall = matches / max(1, hypothesis), matches / max(1, reference)
    return [precision, recall, 2 * precision * recall / (precision + recall) if matches else 0.0]


def ngrams(tokens, order):
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def subsequence(hypothesis, reference):
    """Return the reference positions of one longest common subsequence, found from the end.

    It skips a reference token, unless only skipping a hypothesis token preserves the length.
    """
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, wanted in enumerate(reference, 1):
        for j, own in enumerate(hypothesis, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if wanted == own else max(table[i - 1][j], table[i][j - 1])
    places, i, j = [], len(reference), len(hypothesis)
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


def of_one(variant, hypothesis, reference):
    """Score lists of lines, each a list of tokens; only Lsum separates lines."""
    if variant == "Lsum":
        left = Counter(token for line in hypothesis for token in line)
        matches = 0
        for line in reference:
            for place in set().union(*(subsequence(other, line) for other in hypothesis)):
                if left[line[place]]:
                    left[line[place]] -= 1
                    matches += 1
        return measures(matches, sum(map(len, hypothesis)), sum(map(len, reference)))
    (hypothesis,), (reference,) = hypothesis, reference
    if variant == "L":
        return measures(len(subsequence(hypothesis, reference)), len(hypothesis), len(reference))
    own, wanted = ngrams(hypothesis, int(variant)), ngrams(reference, int(variant))
    return measures(sum((own & wanted).values()), sum(own.values()), sum(wanted.values()))


def row(variant, hypothesis, references):
    """Return the row of the reference with the best F, the first of equals."""
    scores = [of_one(variant, hypothesis, reference) for reference in references]
    return [*max(scores, key=lambda score: score[2]), 1.0]
