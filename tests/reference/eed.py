"""EED by its definition: the complete table, and the rules for English as substitutions.

A segment becomes the row `[score, distance, coverage, reference length, 1]` of the reference with the lowest score.
"""

import re
from dataclasses import dataclass

COLUMNS = ("score", "distance", "coverage", "ref_len", "segments")
TITLES = "Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms"


@dataclass(frozen=True)
class Settings:
    alpha: float = 2.0
    rho: float = 0.3
    deletion: float = 0.2
    insertion: float = 1.0


def english(text):
    """Return the text with separated punctuation."""
    text = re.sub(r"([.!?,])", r" \1", text.rstrip())
    text = " ".join(re.split(r"\s+", text))
    text = re.sub(r"(\d) ([.,]) (\d)", r"\1\2\3", text)
    text = re.sub(rf"({TITLES}) .", r"\1.", text)
    for short in ("e.g.", "i.e.", "U.S."):
        text = text.replace(" ".join(short), short)
    return f" {text} "


def one_row(settings, hypothesis, reference):
    places = range(len(hypothesis) + 1)
    table = [[float(i > 0) for i in places]]
    visits = []
    for token in reference:
        above, cells = table[-1], [table[-1][0] + 1.0]
        for i in places[1:]:
            replaced = above[i - 1] + (hypothesis[i - 1] != token)
            cells.append(min(replaced, cells[-1] + settings.deletion, above[i] + settings.insertion))
        visits.append(min(places, key=cells.__getitem__))
        if token == " ":
            cells = [min(cell, settings.alpha + cells[visits[-1]]) for cell in cells]
        table.append(cells)
    surplus = sum(abs(visits.count(i) - 1) for i in places)
    distance, coverage, length = table[-1][-1], settings.rho * surplus, len(reference)
    score = min(1.0, (distance + coverage) / (length + coverage)) if length + coverage else 1.0
    return [score, distance, coverage, length, 1]


def row(settings, hypothesis, references):
    return min((one_row(settings, hypothesis, reference) for reference in references), key=lambda row: row[0])
