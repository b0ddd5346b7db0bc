"""TER by its definition, as sacrebleu implements tercom: complete matrices, every candidate tried, no caches.

A segment becomes the row `[edits, mean reference length]`, with the edits of the reference that needs the fewest. Rows
are added by column, and the score is edits divided by length.
"""

import math

LONGEST_BLOCK = 10
FARTHEST = 50
BEAM = 25
MOST_CANDIDATES = 1000
COLUMNS = ("edits", "ref_len")


def columns(row, hypothesis_length, reference_length):
    """Return the cells of a row of the matrix within the beam."""
    if row == 0:
        return range(reference_length + 1)
    ratio = reference_length / hypothesis_length
    beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    diagonal = math.floor(row * ratio)
    last = reference_length if row == hypothesis_length else min(reference_length, diagonal + beam - 1)
    return range(max(0, diagonal - beam), last + 1)


def edit_path(hypothesis, reference):
    """Return the distance and the operations: ' ' for a match, and 's', 'd', 'i'.

    Ties: a match or substitution before a deletion, then an insertion.
    """
    cost = {(0, j): (j, "i") for j in columns(0, 0, len(reference))}
    for i in range(1, len(hypothesis) + 1):
        for j in columns(i, len(hypothesis), len(reference)):
            ways = []
            if (i - 1, j - 1) in cost:
                match = hypothesis[i - 1] == reference[j - 1]
                ways.append((cost[i - 1, j - 1][0] + (not match), " " if match else "s"))
            if (i - 1, j) in cost:
                ways.append((cost[i - 1, j][0] + 1, "d"))
            if (i, j - 1) in cost:
                ways.append((cost[i, j - 1][0] + 1, "i"))
            if ways:
                cost[i, j] = min(ways, key=lambda way: way[0])
    i, j = len(hypothesis), len(reference)
    distance, path = cost[i, j][0], []
    while i or j:
        path.append(cost[i, j][1])
        i -= path[-1] != "i"
        j -= path[-1] != "d"
    return distance, path[::-1]


def moved(words, begin, length, target):
    """Return the words with a block moved before the word at the target.

    A target inside the block shifts the block to the right by its offset.
    """
    block, rest = words[begin : begin + length], words[:begin] + words[begin + length :]
    place = target - length if target > begin + length else target
    return rest[:place] + block + rest[place:]


def equal_blocks(hypothesis, reference):
    """Yield blocks of equal words on both sides, as (begin, position in the reference, length)."""
    for begin in range(len(hypothesis)):
        for place in range(len(reference)):
            if abs(place - begin) > FARTHEST:
                continue
            for length in range(1, LONGEST_BLOCK + 1):
                block = hypothesis[begin : begin + length]
                if len(block) < length or block != reference[place : place + length]:
                    break
                yield begin, place, length


def candidates(hypothesis, reference, path):
    """Yield moves worth trying, as (begin, length, target); duplicates are possible."""
    aligned, wrong, wrong_reference = [], [], []
    i = 0
    for operation in path:
        if operation != "i":
            wrong.append(operation != " ")
            i += 1
        if operation != "d":
            wrong_reference.append(operation != " ")
            aligned.append(i - 1)
    for begin, place, length in equal_blocks(hypothesis, reference):
        if not any(wrong[begin : begin + length]) or not any(wrong_reference[place : place + length]):
            continue
        if begin <= aligned[place] < begin + length:
            continue
        ends = range(place - 1, place + length)
        for target in sorted({aligned[end] + 1 if end >= 0 else 0 for end in ends}):
            yield begin, length, target


def align(hypothesis, reference):
    """Return the moves as (begin, length, target), the words after them, and the operations."""
    words, moves, tried = list(hypothesis), [], 0
    reference = list(reference)
    if not reference:
        return [], words, ["d"] * len(words)
    while True:
        distance, path = edit_path(words, reference)
        found = list(candidates(words, reference, path))
        tried += len(found)
        if tried >= MOST_CANDIDATES:
            break
        ranked = [
            (edit_path(moved(words, begin, length, target), reference)[0], -length, begin, target)
            for begin, length, target in found
        ]
        if not ranked or min(ranked)[0] >= distance:
            break
        _, length, begin, target = min(ranked)
        moves.append((begin, -length, target))
        words = moved(words, *moves[-1])
    return moves, words, path


def edits(hypothesis, reference):
    """Return the number of edits, including moves."""
    moves, _, path = align(hypothesis, reference)
    return len(moves) + sum(operation != " " for operation in path)


def row(hypothesis, references):
    """Return the row of a segment of words."""
    lengths = [len(reference) for reference in references]
    return [min(edits(hypothesis, reference) for reference in references), sum(lengths) / len(lengths)]


def score(row):
    """Return the score of a row, or of a sum of rows."""
    count, length = row
    if length > 0:
        return count / length
    return 1.0 if count > 0 else 0.0
