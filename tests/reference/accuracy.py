"""Accuracy of answers by the definitions of VQA, TextVQA, ChartQA, MMStar and containment, with Python's functions."""

import re

PUNCTUATION = ';/[]"{}()=+\\_-><@`,?!'
NUMBERS = ["none zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
DIGITS = {word: str(digit) for digit, words in enumerate(NUMBERS) for word in words.split()}
# Some of the contractions. The comparison with golden values has all.
CONTRACTIONS = {"dont": "don't", "couldnt've": "couldn't've", "twas": "'twas", "yall": "y'all"}


def plain(text):
    return text.replace("\n", " ").replace("\t", " ").strip()


def without_punctuation(text, comma):
    joined = re.search(comma, text) is not None
    result = text
    for mark in PUNCTUATION:
        close = f"{mark} " in text or f" {mark}" in text or joined
        result = result.replace(mark, "" if close else " ")
    return re.sub(r"\.(?!\d)", "", result, count=32)


def common_words(text):
    words = [DIGITS.get(word, word) for word in text.lower().split()]
    return " ".join(CONTRACTIONS.get(word, word) for word in words if word not in ("a", "an", "the"))


def vqa(text):
    return common_words(without_punctuation(plain(text), r"\d,\d"))


def textvqa(text):
    text = text.lower().replace(",", "").replace("?", "").replace("'s", " 's")
    return common_words(without_punctuation(plain(text.strip()), r"(?<=\d),+(?=\d)"))


def votes(matches):
    """Leave out each annotator, and return the mean of min(1, votes / 3)."""
    total = 0.0
    for left_out in range(len(matches)):
        others = [match for i, match in enumerate(matches) if i != left_out]
        total += min(1, sum(others) / 3)
    return total / len(matches)


def number(text):
    try:
        return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def is_close(answer, reference, tolerance):
    ours, theirs = number(answer), number(reference)
    if ours is None or not theirs:
        return answer == reference
    return abs(ours - theirs) / abs(theirs) <= tolerance


def is_choice(answer, reference):
    answer, reference = answer.strip().replace("\n", " "), reference.strip().replace("\n", " ")
    starts = ("", "(", "option ", "the answer is ")
    return any(answer.startswith(start) and answer[len(start) :][:1] == reference != "" for start in starts)


def row(hypothesis, references, *, match="equal", processing="text", tolerance=0.05, annotators="any"):
    """Return the row of a segment. For match="contains", texts are sequences of tokens."""
    if processing == "textvqa":
        hypothesis, references = textvqa(hypothesis), [*map(textvqa, references)]
    elif processing == "vqa":
        change = plain if len({*map(plain, references)}) == 1 else vqa
        hypothesis, references = change(hypothesis), [*map(change, references)]
    if match == "equal":
        matches = [hypothesis == reference for reference in references]
    elif match == "contains":
        matches = [
            any(hypothesis[i : i + len(part)] == part for i in range(len(hypothesis) + 1)) for part in references
        ]
    elif match == "number":
        matches = [is_close(hypothesis, reference, tolerance) for reference in references]
    else:
        matches = [is_choice(hypothesis, reference) for reference in references]
    return [float(any(matches)) if annotators == "any" else votes(matches), 1.0]
