"""Error rates of meetings, by trying everything: all assignments, and complete tables of edits.

Words are (word, start, end). Without a time constraint, start and end are None.
"""

import itertools


def overlap(a, b):
    return a[1] is None or (a[1] < b[2] and b[1] < a[2])


def table(reference, hypothesis):
    """The fewest edits of all prefixes. Two words are a pair only if their times overlap."""
    rows = [[*range(len(hypothesis) + 1)]]
    for i, word in enumerate(reference, 1):
        row = [i]
        for j, other in enumerate(hypothesis, 1):
            cost = min(rows[-1][j], row[j - 1]) + 1
            if overlap(word, other):
                cost = min(cost, rows[-1][j - 1] + (word[0] != other[0]))
            row.append(cost)
        rows.append(row)
    return rows


def distance(reference, hypothesis):
    return table(reference, hypothesis)[-1][-1]


def hidden_cells(reference, hypothesis):
    """The cells that meeteval's tables do not have if all words are in order of time, from 0 on."""
    hidden = set()
    for words in (reference, hypothesis):
        starts = [0, *(word[1] for word in words)]
        if words and (words[0][1] is None or starts != sorted(starts)):
            return hidden
    first, latest = 0, 0
    for i, word in enumerate(reference, 1):
        latest = max(latest, word[2])
        while first < len(hypothesis) and hypothesis[first][2] <= word[1]:
            first += 1
        last = first
        while last < len(hypothesis) and hypothesis[last][1] <= latest:
            last += 1
        if i == len(reference):
            last = len(hypothesis)
        else:
            while last < len(hypothesis):
                last += 1
                if hypothesis[last - 1][1] > reference[i][2]:
                    break
        hidden |= {(i, j) for j in range(len(hypothesis) + 1) if not first <= j <= last}
    return hidden


def edits(reference, hypothesis):
    """Hits, substitutions, deletions and insertions of the alignment that kaldialign and meeteval choose."""
    rows = table(reference, hypothesis)
    hidden = hidden_cells(reference, hypothesis) if reference and hypothesis else set()

    def cell(i, j):
        return float("inf") if (i, j) in hidden else rows[i][j]

    counts = [0, 0, 0, 0]
    i, j = len(reference), len(hypothesis)
    while i and j:
        insertion, deletion = cell(i, j - 1) + 1, cell(i - 1, j) + 1
        differs = reference[i - 1][0] != hypothesis[j - 1][0]
        is_pair = overlap(reference[i - 1], hypothesis[j - 1])
        if is_pair and cell(i - 1, j - 1) + differs < min(insertion, deletion):
            counts[differs] += 1
            i, j = i - 1, j - 1
        elif deletion < insertion:
            counts[2] += 1
            i -= 1
        else:
            counts[3] += 1
            j -= 1
    counts[2] += i
    counts[3] += j
    return counts


def fewest_by_speakers(reference, hypothesis):
    """The fewest errors of all assignments of speakers. Both sides are lists of words by speaker."""
    size = max(len(reference), len(hypothesis))
    padded = [[*side, *[[]] * (size - len(side))] for side in (reference, hypothesis)]
    return min(
        sum(distance(*pair) for pair in zip(padded[0], order, strict=True))
        for order in itertools.permutations(padded[1])
    )


def errors_of_streams(utterances, streams, assignment):
    """The errors if each utterance is on a given stream."""
    return sum(
        distance([word for u, s in zip(utterances, assignment, strict=True) if s == k for word in u], stream)
        for k, stream in enumerate(streams)
    )


def fewest_by_utterances(utterances, streams):
    """The fewest errors of all assignments of utterances to streams."""
    choices = itertools.product(range(len(streams)), repeat=len(utterances))
    return min(errors_of_streams(utterances, streams, assignment) for assignment in choices)


def fewest_by_orders(speakers, streams):
    """The fewest edits of all orders that keep the order of each speaker's utterances."""
    turns = [speaker for speaker, utterances in enumerate(speakers) for _ in utterances]
    orders = set(itertools.permutations(turns))
    return min(fewest_by_utterances([*said(order, speakers)], streams) for order in orders)


def said(order, speakers):
    """The utterances in an order of speakers."""
    following = [iter(utterances) for utterances in speakers]
    for speaker in order:
        yield next(following[speaker])
