"""ROUGE by its definition: counters of n-grams and skip-bigrams, and tables of common subsequences."""

from collections import Counter


def measures(matches, hypothesis, reference, beta=1.0, power=1.0):
    """Return precision, recall and F of a number of matches."""
    if not matches:
        return [0.0, 0.0, 0.0]
    precision, recall = (matches / hypothesis) ** (1 / power), (matches / reference) ** (1 / power)
    # In this order for equal rounding, since equal F-scores tie.
    f = (1 + beta**2) * precision * recall / (recall + beta**2 * precision) if beta else precision
    return [precision, recall, f]


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


def weighted_subsequence(hypothesis, reference, power):
    """Return the reference positions that ROUGE-1.5.5 marks with the table of the weighted subsequence."""
    table = {(i, j): (0, 0, None) for i in range(len(reference) + 1) for j in range(len(hypothesis) + 1)}
    for i, wanted in enumerate(reference, 1):
        for j, own in enumerate(hypothesis, 1):
            if wanted == own:
                weight, run, _ = table[i - 1, j - 1]
                table[i, j] = weight + (run + 1) ** power - run**power, run + 1, (i - 1, j - 1)
            elif table[i - 1, j][0] >= table[i, j - 1][0]:
                table[i, j] = table[i - 1, j][0], 0, (i - 1, j)
            else:
                table[i, j] = table[i, j - 1][0], 0, (i, j - 1)
    places, cell = [], (len(reference), len(hypothesis))
    while 0 not in cell:
        _, run, before = table[cell]
        if run:
            places.append(before[0])
        cell = before
    return places


def weighted_overlap(hypothesis, reference, power):
    """Return the weights of all runs, of the hypothesis and of the reference, and the sum over its lines."""
    left = Counter(token for line in hypothesis for token in line)
    matches = 0
    for line in reference:
        marked = set().union(*(weighted_subsequence(other, line, power) for other in hypothesis))
        run = 0
        for place, token in enumerate(line):
            if place in marked and left[token]:
                left[token] -= 1
                run += 1
                if place + 1 not in marked:
                    matches += run**power
                    run = 0
    weights = sum(len(line) ** power for line in reference)
    return matches, sum(map(len, hypothesis)) ** power, weights**power, weights


def skip_bigrams(tokens, skip, with_tokens):
    """Count the pairs with at most `skip` tokens between them, and the single tokens but for the last."""
    counts = Counter(
        (first, second)
        for i, first in enumerate(tokens)
        for second in tokens[i + 1 : None if skip is None else i + skip + 2]
    )
    if with_tokens:
        counts.update((token,) for token in tokens[:-1])
    return counts


def overlap(variant, hypothesis, reference):
    """Return the matches, the sizes of both texts, and the size by which references are compared.

    Texts are lists of lines, each a list of tokens. Only Lsum and W separate lines.
    """
    if variant[0] == "W":
        return weighted_overlap(hypothesis, reference, float(variant[2:]))
    if variant == "Lsum":
        left = Counter(token for line in hypothesis for token in line)
        matches = 0
        for line in reference:
            for place in set().union(*(subsequence(other, line) for other in hypothesis)):
                if left[line[place]]:
                    left[line[place]] -= 1
                    matches += 1
        return matches, sum(map(len, hypothesis)), sum(map(len, reference)), sum(map(len, reference))
    (hypothesis,), (reference,) = hypothesis, reference
    if variant == "L":
        return len(subsequence(hypothesis, reference)), len(hypothesis), len(reference), len(reference)
    if variant[0] == "S":
        number = variant.lstrip("SU")
        skip, with_tokens = None if number == "*" else int(number), variant[1] == "U"
        own, wanted = (skip_bigrams(text, skip, with_tokens) for text in (hypothesis, reference))
    else:
        own, wanted = (ngrams(text, int(variant)) for text in (hypothesis, reference))
    return (own & wanted).total(), own.total(), wanted.total(), wanted.total()


def row(variant, hypothesis, references, beta=1.0, combine="best"):
    """Return the row of all references, combined; of equally good ones, the first counts."""
    power = float(variant[2:]) if variant[0] == "W" else 1.0
    overlaps = [overlap(variant, hypothesis, reference) for reference in references]
    if combine == "pool":
        overlaps = [tuple(map(sum, zip(*overlaps, strict=True)))]
    if combine == "recall":
        overlaps = [max(overlaps, key=lambda found: found[0] / found[3] if found[3] else 0)]
    scores = [measures(*found[:3], beta, power) for found in overlaps]
    return [*max(scores, key=lambda score: score[2]), 1.0]
