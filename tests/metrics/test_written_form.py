"""Rates of errors in punctuation and case, compared with their definitions."""

import json
import random
import re
from pathlib import Path

import pytest

import refscore

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "punctuation.json").read_text(encoding="utf-8"))
PUNCTUATION, CASE = refscore.WER(form="punctuation"), refscore.WER(form="case")
WORDS = ["It's", "it's", "a", "A", "café", "CAFÉ", "x", "x", "the"]


def speech(seed, count):
    generator = random.Random(seed)

    def text():
        parts = []
        for _ in range(generator.randint(0, 8)):
            parts.append(generator.choice(WORDS) + generator.choice(["", "", "", ",", ".", "?", "!", " -", "..", ",!"]))
        return " ".join(parts)

    return [text() for _ in range(count)], [text() for _ in range(count)]


def path(own, reference):
    """Return the pairs of positions on the path from the end: a match, a substitution, an insertion, a deletion."""
    table = {}
    for i in range(len(reference) + 1):
        for j in range(len(own) + 1):
            if not i or not j:
                table[i, j] = i + j
            elif reference[i - 1] == own[j - 1]:
                table[i, j] = table[i - 1, j - 1]
            else:
                table[i, j] = 1 + min(table[i - 1, j - 1], table[i, j - 1], table[i - 1, j])
    i, j, pairs = len(reference), len(own), []
    while i or j:
        if i and j and (reference[i - 1] == own[j - 1] or table[i, j] == 1 + table[i - 1, j - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif not i or (j and table[i, j] == 1 + table[i, j - 1]):
            j -= 1
        else:
            i -= 1
    return pairs


def case_row(own, reference):
    own, reference = (re.findall(r"[\w']+", text) for text in (own, reference))
    lower = [word.lower() for word in own], [word.lower() for word in reference]
    pairs = [(i, j) for i, j in path(*lower) if lower[1][i] == lower[0][j]]
    same = sum(reference[i] == own[j] for i, j in pairs)
    return [same, len(pairs) - same, 0, 0]


def test_punctuation_equals_nemo():
    rows = PUNCTUATION.stats(GOLDEN["hypotheses"], GOLDEN["references"])
    assert rows.tolist() == GOLDEN["rows"]
    score = PUNCTUATION.corpus(GOLDEN["hypotheses"], GOLDEN["references"])
    assert score.mer == pytest.approx(GOLDEN["punct_er"], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_case_equals_its_definition(seed):
    texts = speech(seed, 60)
    assert CASE.stats(*texts).tolist() == [case_row(*pair) for pair in zip(*texts, strict=True)]


@pytest.mark.parametrize("metric", [PUNCTUATION, CASE])
def test_alignments_have_the_counts(metric):
    texts = speech(7, 80)
    rows = metric.stats(*texts).tolist()
    for row, edits in zip(rows, metric.word_alignments(*texts), strict=True):
        kinds = [edit.kind for edit in edits if metric.is_counted(edit)]
        assert [kinds.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")] == row
    assert metric.stats(texts[0], metric.prepare(texts[1])).tolist() == rows
    errors = refscore.alignments.word_errors(*texts, metric)
    assert errors.counts["substitution"] == sum(row[1] for row in rows)


def test_settings():
    assert refscore.WER(form="punctuation", marks=";").segment("a; b", "a, b; c.").row.tolist() == [1, 0, 0, 0]
    assert PUNCTUATION.title == "PER" and "form:punctuation" in PUNCTUATION.signature
    assert PUNCTUATION.segment(["a", "!"], [["a", "."]]).row.tolist() == [0, 1, 0, 0]
    assert PUNCTUATION.segment("a!", ["a.", "a!"]).row.tolist() == [1, 0, 0, 0]
    for settings in ({"words": ["a"]}, {"costs": "sclite"}, {"empty_reference": "skip"}, {"alternatives": "nist"}):
        with pytest.raises(refscore.SettingError, match="form='case' cannot be used with"):
            refscore.WER(form="case", **settings)
    for marks in ("", "a b", "|"):
        with pytest.raises(refscore.SettingError, match="marks must be punctuation marks"):
            refscore.WER(marks=marks)
