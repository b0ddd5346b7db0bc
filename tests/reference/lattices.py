"""References with alternatives by their definition: every path, and for each the best alignment of a complete table."""

import re
from itertools import product

import numpy as np


def tokens(text):
    """Return words and marks. "(word)" becomes "{ word / @ }"."""
    parts = []
    depth = 0
    for word in re.findall(r"[{}]|[^\s{}]+", text):
        pieces = re.findall("/|[^/]+", word) if depth or word in "{}" else [word]
        for piece in pieces:
            depth += (piece == "{") - (piece == "}")
            optional = re.fullmatch(r"\((.+)\)", piece)
            parts += ["{", optional[1], "/", "@", "}"] if optional else [piece]
    return parts


def paths(parts):
    """Return all paths through words and marks, in the order in which they are written."""
    found, rest = _sequence(parts, 0, 0)
    assert rest == len(parts), "the braces are not paired"
    return found


def _sequence(parts, at, depth):
    """Return the paths from a position to the end of an alternative, and the position of its end."""
    choices = [[()]]
    while at < len(parts):
        part = parts[at]
        if part == "{":
            alternatives = []
            while parts[at] != "}":
                inner, at = _sequence(parts, at + 1, depth + 1)
                alternatives += inner
                assert at < len(parts), "the braces are not paired"
            choices.append(alternatives)
        elif part == "}" or (part == "/" and depth):
            break
        elif part != "@":
            choices.append([(part,)])
        at += 1
    return [sum(path, ()) for path in product(*choices)], at


def best_counts(reference, hypothesis):
    """Return errors, -hits, -substitutions of the best alignment with one path: fewest, then most hits, then most S."""
    table = {}
    for i in range(len(reference) + 1):
        for j in range(len(hypothesis) + 1):
            ways = [(0, 0, 0)] if i == j == 0 else []
            if i:
                errors, hits, substitutions = table[i - 1, j]
                ways.append((errors + 1, hits, substitutions))
            if j:
                errors, hits, substitutions = table[i, j - 1]
                ways.append((errors + 1, hits, substitutions))
            if i and j:
                errors, hits, substitutions = table[i - 1, j - 1]
                is_hit = reference[i - 1] == hypothesis[j - 1]
                ways.append((errors, hits - 1, substitutions) if is_hit else (errors + 1, hits, substitutions - 1))
            table[i, j] = min(ways)
    return table[len(reference), len(hypothesis)]


def row(hypothesis, parts):
    """Return hits, substitutions, deletions, insertions of the best path."""
    errors, hits, substitutions = min(best_counts(path, hypothesis) for path in paths(parts))
    hits, substitutions = -hits, -substitutions
    insertions = len(hypothesis) - hits - substitutions
    return [hits, substitutions, errors - substitutions - insertions, insertions]


def sclite_row(hypothesis, text):
    """Return the counts of sclite 2.4.10 with its option -D for a reference with alternatives.

    A cell is a cost in single precision and the counts. A missing optional word costs 2 and is correct.
    "@" costs 0.001.
    """
    row, _ = _sclite_sequence(re.findall(r"[{}/]|[^\s{}/]+", text), 0, 0, _sclite_start(hypothesis), hypothesis)
    return row[-1][1]


def _sclite_start(hypothesis):
    return [(np.float32(3 * j), [0, 0, 0, j]) for j in range(len(hypothesis) + 1)]


def _sclite_sequence(parts, at, depth, row, hypothesis):
    while at < len(parts):
        part = parts[at]
        if part == "{":
            ends = []
            while parts[at] != "}":
                end, at = _sclite_sequence(parts, at + 1, depth + 1, row, hypothesis)
                ends.append(end)
            row = [min(cells, key=lambda cell: cell[0]) for cells in zip(*ends, strict=True)]
        elif part == "}" or (part == "/" and depth):
            break
        else:
            row = _sclite_word(row, hypothesis, part)
        at += 1
    return row, at


def _sclite_word(above, hypothesis, part):
    word = part[1:-1] if part.startswith("(") else part
    skip_cost, skip_column = (2, 0) if word != part else (0.001, None) if part == "@" else (3, 2)
    row = [_sclite_step(above[0], skip_cost, skip_column)]
    for j, own in enumerate(hypothesis):
        is_hit = own == word
        pair = _sclite_step(above[j], 0 if is_hit else 4, 0 if is_hit else 1)
        insertion = _sclite_step(row[j], 3, 3)
        skip = _sclite_step(above[j + 1], skip_cost, skip_column)
        row.append(min(pair, insertion, skip, key=lambda cell: cell[0]))
    return row


def _sclite_step(cell, cost, column):
    counts = list(cell[1])
    if column is not None:
        counts[column] += 1
    return cell[0] + np.float32(cost), counts
