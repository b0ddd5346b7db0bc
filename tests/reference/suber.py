"""SubER by its definition, with complete searches and Python's numbers. It is slow: use it for short texts."""

import math

INFINITE = 10**9
BREAKS = ("<eol>", "<eob>")


def read(tokens):
    """Return cues: start, end and words. A word is its text with the start and the end of its cue."""
    cues = []
    for token in tokens:
        parts = token.split("-->") if isinstance(token, str) else []
        if len(parts) == 2 and all(part[:1].isdecimal() and part.count(":") == 2 and "," in part for part in parts):
            cues.append((*map(seconds, parts), []))
            continue
        if not cues:
            cues.append((-math.inf, math.inf, []))
        cues[-1][2].append((token, *cues[-1][:2]))
    return [cue for _, cue in sorted(enumerate(cues), key=lambda numbered: (numbered[1][0], numbered[0]))]


def seconds(text):
    hours, minutes, rest = text.split(":")
    whole, fraction = rest.split(",")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * 10**6 + int(fraction.ljust(6, "0"))


def parts(hypothesis, reference):
    """Yield the words of both sides between times without cues."""
    waiting = [(cue[0], 0, cue) for cue in reference] + [(cue[0], 1, cue) for cue in hypothesis]
    waiting.sort(key=lambda item: item[:2])
    sides, latest = ([], []), None
    for start, side, (_, end, words) in waiting:
        if latest is not None and start >= latest:
            yield sides[1], sides[0]
            sides = ([], [])
        latest = end if latest is None else max(latest, end)
        sides[side].extend(words)
    yield sides[1], sides[0]


def may_align(word, other):
    if (word[0] in BREAKS) != (other[0] in BREAKS):
        return False
    return (word[1] < other[2]) == (other[1] < word[2])


def distance(words, others):
    """Return the edit distance within the beam, and the edits."""
    ratio = len(others) / len(words)
    beam = math.ceil(ratio / 2 + 100) if ratio / 2 > 100 else 100
    rows = [[(column, "d") for column in range(len(others) + 1)]]
    for i, word in enumerate(words, 1):
        middle = math.floor(i * ratio)
        end = len(others) + 1 if i == len(words) else min(len(others) + 1, middle + beam)
        row = [(INFINITE, "")] * (len(others) + 1)
        for j in range(max(0, middle - beam), end):
            steps = []
            if j:
                allowed = may_align(word, others[j - 1])
                same = allowed and word[0] == others[j - 1][0]
                cost = 0 if same else 1 if allowed else INFINITE
                steps.append((rows[-1][j - 1][0] + cost, " " if same else "s"))
            steps.append((rows[-1][j][0] + 1, "i"))
            if j:
                steps.append((row[j - 1][0] + 1, "d"))
            row[j] = min(steps, key=lambda step: step[0])
        rows.append(row)
    edits, i, j = [], len(words), len(others)
    while i or j:
        edit = rows[i][j][1]
        edits.append(edit)
        i -= edit != "d"
        j -= edit != "i"
    return rows[-1][-1][0], edits[::-1]


def candidates(words, others, edits):
    """Yield blocks that may move: begin, length and target."""
    aligned, wrong, wrong_reference = [], [], []  # aligned: the last word of the hypothesis for each of the reference
    for edit in edits:
        if edit != "d":
            wrong.append(edit != " ")
        if edit != "i":
            wrong_reference.append(edit != " ")
            aligned.append(len(wrong) - 1)
    for begin in range(len(words)):
        for place in range(len(others)):
            if abs(begin - place) > 50:
                continue
            for length in range(1, 11):
                if max(begin + length - len(words), place + length - len(others)) > 0:
                    break
                word, other = words[begin + length - 1], others[place + length - 1]
                if word[0] != other[0] or not may_align(word, other):
                    break
                if not any(wrong[begin : begin + length]) or not any(wrong_reference[place : place + length]):
                    continue
                if begin <= aligned[place] < begin + length:
                    continue
                targets = [0 if place == 0 else aligned[place - 1] + 1]
                targets += [aligned[place + offset] + 1 for offset in range(length)]
                yield from ((begin, length, target) for target in dict.fromkeys(targets))


def move(words, begin, length, target):
    block = words[begin : begin + length]
    if target < begin:
        return words[:target] + block + words[target:begin] + words[begin + length :]
    if target > begin + length:
        return words[:begin] + words[begin + length : target] + block + words[target:]
    return words[:begin] + words[begin + length : length + target] + block + words[length + target :]


def edit_part(words, others):
    """Return the number of moves, and the edits after them with their words."""
    if not words or not others:
        return 0, [("i", word) for word in words] + [("d", word) for word in others]
    moves = tried = 0
    while True:
        least, edits = distance(words, others)
        found = [*candidates(words, others, edits)]
        tried += len(found)
        if tried >= 1000 or not found:
            break
        best = max(
            (least - distance(move(words, *each), others)[0], each[1], -each[0], -each[2], each) for each in found
        )
        if best[0] <= 0:
            break
        words = move(words, *best[-1])
        moves += 1
    own, rest = iter(words), iter(others)
    named = []
    for edit in edits:
        word = next(own) if edit != "d" else None
        other = next(rest) if edit != "i" else None
        named.append((edit, other or word))
    return moves, named


def row(hypothesis, reference):
    """Return the row of two sequences of tokens."""
    own, other = read(hypothesis), read(reference)
    counts = [0] * 9
    for cue in other:
        for word in cue[2]:
            counts[8 if word[0] in BREAKS else 7] += 1
    for words, others in parts(own, other):
        moves, edits = edit_part(words, others)
        counts[0] += moves
        for edit, word in edits:
            if edit != " ":
                counts[1 + "sdi".index(edit) + 3 * (word[0] in BREAKS)] += 1
    return counts


def value(row):
    edits, length = sum(row[:7]), sum(row[7:])
    return edits / length if length else float(edits > 0)
