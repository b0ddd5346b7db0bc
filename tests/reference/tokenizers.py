"""The tokenizers, one character at a time."""

import json
import re
import string
import unicodedata
from bisect import bisect_right
from pathlib import Path

import regex

from tests.reference import eed

DIGITS = frozenset("0123456789")
# Every ASCII punctuation mark and symbol except the apostrophe, full stop, comma and hyphen, which have separate
# rules.
ALWAYS_SPLIT = frozenset('!"#$%&()*+/:;<=>?@[\\]^_`{|}~')

CJK = (
    (0x2600, 0x27BF),  # miscellaneous symbols, dingbats
    (0x2E80, 0x2FFF),  # radicals, Kangxi, description characters
    (0x3000, 0x303F),  # punctuation
    (0x3100, 0x312F),  # bopomofo
    (0x31A0, 0x31BF),  # bopomofo extended
    (0x31C0, 0x31EF),  # strokes
    (0x3200, 0x33FF),  # enclosed, compatibility
    (0x3400, 0x4DBF),  # extension A
    (0x4E00, 0x9FFF),  # unified ideographs
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0xFE10, 0xFE1F),  # vertical forms
    (0xFE30, 0xFE4F),  # compatibility forms
    (0xFF00, 0xFFEF),  # half and full width
    (0x20000, 0x3FFFF),  # planes 2 and 3
)
# sacrebleu wrote extension B with four-digit escapes, so it became U+2001..U+2A6D. Its blocks end as in Unicode 4.1.
CJK_SACREBLEU = (
    (0x2001, 0x2A6D),
    (0x2E80, 0x2FDF),
    (0x2FF0, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31EF),
    (0x3200, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)

CATEGORIES = json.loads(
    (Path(__file__).parent.parent / "golden" / "unicode-categories.json").read_text(encoding="utf-8")
)
_STARTS = [start for start, _, _ in CATEGORIES["ranges"]]


def category(char):
    """Return P, S, N, or an empty string for every other character, in the pinned version of Unicode."""
    start, end, letter = CATEGORIES["ranges"][max(0, bisect_right(_STARTS, ord(char)) - 1)]
    return letter if start <= ord(char) <= end else ""


def is_punctuation(char):
    return category(char) == "P"


def is_not_number(char):
    return category(char) != "N"


def split_pairs(text, first, second, write):
    """Rewrite each pair of characters that passes. Rewritten characters are consumed, so pairs never overlap."""
    result, i = [], 0
    while i < len(text):
        if i + 1 < len(text) and first(text[i]) and second(text[i + 1]):
            result.append(write(text[i], text[i + 1]))
            i += 2
        else:
            result.append(text[i])
            i += 1
    return "".join(result)


def surround(text, test):
    return "".join(f" {char} " if test(char) else char for char in text)


def western_punctuation(text):
    """Apply the rules that 13a and zh share."""
    text = surround(text, lambda char: char in ALWAYS_SPLIT)
    text = split_pairs(text, lambda a: a not in DIGITS, lambda b: b in ".,", lambda a, b: f"{a} {b} ")
    text = split_pairs(text, lambda a: a in ".,", lambda b: b not in DIGITS, lambda a, b: f" {a} {b}")
    text = split_pairs(text, lambda a: a in DIGITS, lambda b: b == "-", lambda a, b: f"{a} {b} ")
    return text.split()


def tokenize_none(text):
    return text.split()


def tokenize_nopunct(text):
    return "".join(char for char in text if char not in string.punctuation).split()


def tokenize_ascii_spaces(text):
    return [word for word in re.split("[ \t\n\v\f\r]", text) if word]


def tokenize_char(text):
    return [char for char in text if not char.isspace()]


def tokenize_13a(text):
    for old, new in (("<skipped>", ""), ("-\n", ""), ("\n", " ")):
        text = text.replace(old, new)
    # One after the other, so &amp;lt; becomes <.
    for old, new in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(old, new)
    return western_punctuation(f" {text} ")


def tokenize_intl(text):
    text = split_pairs(text, is_not_number, is_punctuation, lambda a, b: f"{a} {b} ")
    text = split_pairs(text, is_punctuation, is_not_number, lambda a, b: f" {a} {b}")
    return surround(text, lambda char: category(char) == "S").split()


def tokenize_cjk(text, ranges):
    def is_cjk(char):
        return any(start <= ord(char) <= end for start, end in ranges)

    return western_punctuation(surround(text.strip(), is_cjk))


def tokenize_jiwer(text):
    """Replace runs of two or more whitespace characters by a space, strip the ends, and split at spaces."""
    return [word for word in re.sub(r"\s\s+", " ", text).strip().split(" ") if word]


def tokenize_rouge(text):
    return re.findall("[A-Za-z0-9]+", text)


def is_word_of_its_own(char):
    """Return whether a character is a word: Chinese, kana, bopomofo, their marks, and the planes of ideographs."""
    return regex.match(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3006ーｰﾞﾟ]", char) or ord(char) >= 0x20000


def tokenize_unicode(text):
    """Build words from letters and numbers, followed by marks and joiners; everything else separates."""
    words = []
    state = None  # how the last word may continue
    for char in text:
        if regex.match(r"[\p{L}\p{N}]", char):
            alone = is_word_of_its_own(char)
            if state == "letters" and not alone:
                words[-1] += char
            else:
                words.append(char)
            state = "marks" if alone else "letters"
        elif regex.match(r"[\p{M}\u200c\u200d]", char) and state:
            words[-1] += char
        else:
            state = None
    return words


def tokenize_squad(text):
    """Remove punctuation and articles as SQuAD's scripts do, and split."""
    text = "".join(char for char in text if char not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def tokenize_mlqa_zh(text):
    """Remove punctuation as MLQA's script does, and split: a space around ideographs has the same effect."""
    text = "".join(char for char in text if category(char) != "P" and char not in string.punctuation)
    return "".join(f" {char} " if "\u4e00" <= char <= "\u9fa5" else char for char in text).split()


def tokenize_text(text):
    """Return the text as one token, without NUL characters at its end."""
    return [text.rstrip("\0")] if text.rstrip("\0") else []


TOKENIZERS = {
    "none": tokenize_none,
    "nopunct": tokenize_nopunct,
    "ascii-spaces": tokenize_ascii_spaces,
    "13a": tokenize_13a,
    "13a-evaluate": tokenize_13a,
    "intl": tokenize_intl,
    "zh": lambda text: tokenize_cjk(text, CJK),
    "zh-sacrebleu": lambda text: tokenize_cjk(text, CJK_SACREBLEU),
    "char": tokenize_char,
    "jiwer": tokenize_jiwer,
    "char-spaces": lambda text: list(text.strip()),
    "char-words": lambda text: list(" ".join(text.split())),
    "char-all": list,
    "rouge": tokenize_rouge,
    "unicode": tokenize_unicode,
    "squad": tokenize_squad,
    "mlqa-zh": tokenize_mlqa_zh,
    "text": tokenize_text,
    "eed-en": lambda text: list(eed.english(text)),
    "eed-ja": list,
}
NOT_STRIPPED = ("ascii-spaces", "13a-evaluate", "text", "char-all")


def tokenize(text, tokenizer="13a"):
    """Tokenize. Trailing whitespace is removed first: it affects `5.` in intl and `-\\n` in 13a."""
    return TOKENIZERS[tokenizer](text if tokenizer in NOT_STRIPPED else text.rstrip())


def prepare_text(text, *, lowercase=False, normalize="none"):
    """Return the text after all steps before splitting."""
    if normalize != "none":
        text = unicodedata.normalize(normalize, text)
    if lowercase == "ascii":
        text = "".join(char.lower() if "A" <= char <= "Z" else char for char in text)
    elif lowercase:
        text = text.lower()
    return text


def prepare(text, *, tokenizer="13a", lowercase=False, normalize="none"):
    """Return the tokens after all steps before scoring."""
    return tokenize(prepare_text(text, lowercase=lowercase, normalize=normalize), tokenizer)
