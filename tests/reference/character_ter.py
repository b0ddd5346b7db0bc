"""CharacTER by its definition: every move is tried, with complete matrices.

A segment becomes the row `[score, edits, shift cost, hypothesis length, 1]` of the reference with the lowest score.
"""

COLUMNS = ("score", "edits", "shift_cost", "hyp_len", "segments")


def distance(one, other):
    """Return the Levenshtein distance."""
    above = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (left != right)))
        above = row
    return above[-1]


def joined(words):
    """Return the characters of words with spaces between them; a token that is not a string is one character."""
    characters = []
    for i, word in enumerate(words):
        characters += [" "] * (i > 0)
        characters += list(word) if isinstance(word, str) else [("token", word)]
    return characters


def moves(words, reference):
    """Yield the words after each possible move of the longest block that both have at different positions."""
    for i in range(len(words)):
        for j in range(len(reference)):
            length = 0
            while words[i : i + length + 1] == reference[j : j + length + 1] and i + length < len(words):
                length += 1
                if j + length >= len(reference):
                    break
            if length and i != j:
                rest = words[:i] + words[i + length :]
                yield rest[:j] + words[i : i + length] + rest[j:]


def shifted(words, reference):
    """Return the words after all moves.

    Rates are compared as in the package cer, which subtracts each improvement from the rate before.
    """
    rate = distance(words, reference) / len(reference) if reference else 0
    while True:
        tried = [(rate - distance(after, reference) / len(reference), after) for after in moves(words, reference)]
        gain, after = max(tried, default=(0, words))
        if gain <= 0:
            return words
        rate, words = rate - gain, after


def shift_cost(words, after):
    """Return the sum of the mean word lengths of the moved blocks."""
    cost, i = 0.0, 0
    while i < len(words):
        length = 1
        if words[i] != after[i] and words[i] in after[i + 1 :]:
            place = after.index(words[i], i + 1)
            while place + length < len(words) and words[i + length] == after[place + length]:
                length += 1
            cost += sum(len(joined([word])) for word in words[i : i + length]) / length
        i += length
    return cost


def one_row(words, reference):
    words, reference = list(words), list(reference)
    length = len(joined(words))
    if words == reference:
        return [0.0, 0.0, 0.0, length, 1]
    after = shifted(words, reference)
    edits, cost = distance(joined(after), joined(reference)), shift_cost(words, after)
    return [min(1.0, (edits + cost) / length) if length else 1.0, edits, cost, length, 1]


def row(words, references):
    return min((one_row(words, reference) for reference in references), key=lambda row: row[0])
