"""Calls of other tools that count word errors. Each returns plain floats, so values can be compared."""

from __future__ import annotations

from typing import Any

from .peers import Pairs, optional

jiwer: Any = optional("jiwer")
fastwer: Any = optional("fastwer")
levenshtein: Any = optional("rapidfuzz.distance.Levenshtein")
universal: Any = optional("universal_edit_distance")
kaldialign: Any = optional("kaldialign")


def jiwer_corpus(pairs: Pairs) -> float:
    """Return the rate of all segments together, from text."""
    return float(jiwer.wer(pairs[1], pairs[0]))


def jiwer_characters(pairs: Pairs) -> float:
    """Return the same for characters."""
    return float(jiwer.cer(pairs[1], pairs[0]))


def fastwer_corpus(pairs: Pairs) -> float:
    """Return the rate of text. fastwer rounds it, so it is not compared."""
    return float(fastwer.score(*pairs)) / 100


def fastwer_characters(pairs: Pairs) -> float:
    """Return the same for characters."""
    return float(fastwer.score(*pairs, char_level=True)) / 100


def universal_corpus(pairs: Pairs) -> float:
    """Return the rate of text."""
    return float(universal.word_error_rate(*pairs))


def universal_characters(pairs: Pairs) -> float:
    """Return the same for characters."""
    return float(universal.character_error_rate(*pairs))


def rapidfuzz_distances(pairs: Pairs) -> list[int]:
    """Return the distance of each pair, of tokens or characters, without counts per kind of edit."""
    distance = levenshtein.distance
    return [distance(reference, hypothesis) for hypothesis, reference in zip(*pairs, strict=True)]


def rapidfuzz_counts(pairs: Pairs) -> list[int]:
    """Return the same from alignments, which include the counts."""
    opcodes = levenshtein.opcodes
    distances = []
    for hypothesis, reference in zip(*pairs, strict=True):
        counts = dict.fromkeys(("equal", "replace", "delete", "insert"), 0)
        for tag, begin, end, other_begin, other_end in opcodes(reference, hypothesis):
            counts[tag] += max(end - begin, other_end - other_begin)
        distances.append(counts["replace"] + counts["delete"] + counts["insert"])
    return distances


def kaldialign_distances(pairs: Pairs) -> list[int]:
    """Return the distance of each pair, with counts per kind of edit."""
    distance = kaldialign.edit_distance
    return [distance(reference, hypothesis)["total"] for hypothesis, reference in zip(*pairs, strict=True)]


def kaldialign_compounds(pairs: Pairs) -> float:
    """Return the rate of a corpus in which words written together or apart match."""
    hypotheses, references = ([text.split() for text in side] for side in pairs)
    result: dict[str, float] = kaldialign.batch_error_rate(references, hypotheses, merge_compounds=True)
    return result["err_rate"]


lattice = True  # part of this file, so always available

_Cell = tuple[int, int, int]  # errors, negative hits, negative length: the smallest is the best


def lattice_corpus(pairs: Pairs) -> float:
    """Return the rate with alternatives, by a table over words in Python."""
    errors = length = 0
    for hypothesis, reference in zip(*pairs, strict=True):
        fewest, _, shorter = _best_path(hypothesis.split(), reference.replace("{", " { ").replace("}", " } ").split())
        errors += fewest
        length -= shorter
    return errors / length


def _best_path(hypothesis: list[str], reference: list[str]) -> _Cell:
    """Return the best path: fewest errors, then most hits, then longest."""
    row: list[_Cell] = [(j, 0, 0) for j in range(len(hypothesis) + 1)]
    starts: list[list[_Cell]] = []
    ends: list[list[list[_Cell]]] = []
    for word in reference:
        if word == "{":
            starts.append(row)
            ends.append([])
        elif word in ("/", "}") and starts:
            ends[-1].append(row)
            row = starts[-1]
            if word == "}":
                row = [min(cells) for cells in zip(*ends.pop(), strict=True)]
                starts.pop()
        elif word != "@":
            errors, hits, length = row[0]
            following: list[_Cell] = [(errors + 1, hits, length - 1)]
            for j, own in enumerate(hypothesis):
                errors, hits, length = row[j]
                pair = (errors, hits - 1, length - 1) if own == word else (errors + 1, hits, length - 1)
                errors, hits, length = row[j + 1]
                missing = errors + 1, hits, length - 1
                errors, hits, length = following[j]
                following.append(min(pair, missing, (errors + 1, hits, length)))
            row = following
    return row[-1]
