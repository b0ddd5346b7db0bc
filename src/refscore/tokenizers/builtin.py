"""The built-in tokenizers, named like sacrebleu's where it has them. Most run in native code."""

from __future__ import annotations

from functools import partial

from refscore import _native
from refscore.tokenizers.base import Tokenizer
from refscore.tokenizers.subtitles import SubtitleTokens, split_punctuation, without_punctuation

# What each tokenizer does, in words that follow its name.
_SUMMARIES = {
    "none": "splits at whitespace only",
    "ascii-spaces": "splits at ASCII whitespace only, not at a no-break or ideographic space",
    "nopunct": "deletes ASCII punctuation, then splits at whitespace",
    "13a": "splits punctuation and symbols off words, but not within numbers (mteval-v13a)",
    "13a-evaluate": "is 13a, but also drops a hyphen before a line break at the end of the text (evaluate)",
    "intl": "splits all Unicode punctuation and symbols off words, but not within numbers (mteval-v14)",
    "zh": "splits Chinese text into characters, and the rest like 13a",
    "zh-sacrebleu": "is zh with sacrebleu's ranges of Chinese characters, which omit those above U+FFFF",
    "char": "splits into characters, and drops whitespace",
    "graphemes": "splits into grapheme clusters (characters as readers see them), and drops whitespace",
    "jiwer": "splits at spaces and runs of whitespace, but not at a single tab or line break",
    "char-spaces": "splits into characters, including whitespace within the text",
    "char-words": "splits into characters, with one space between words (ANLS)",
    "char-all": "splits into all characters, including whitespace",
    "rouge": "keeps runs of A to Z and digits as tokens, and drops the rest",
    "unicode": "keeps runs of letters and digits of any script and single Chinese characters, and drops the rest",
    "squad": "drops ASCII punctuation and the words a, an and the, and splits at whitespace (SQuAD)",
    "mlqa-zh": "drops punctuation and splits Chinese text into characters, and the rest at whitespace (MLQA)",
    "text": "keeps the text as one token, without NUL characters at its end (evaluate's exact_match)",
    "tercom": "splits at whitespace only (TER)",
    "tercom-norm": "unescapes entities and splits punctuation off words (TER)",
    "tercom-norm-asian": "is tercom-norm, and splits Chinese and similar characters",
    "tercom-nopunct": "splits at whitespace and removes punctuation (TER)",
    "tercom-nopunct-asian": "is tercom-nopunct, and also removes punctuation of Asian languages",
    "tercom-norm-nopunct": "is tercom-norm, and removes punctuation",
    "tercom-norm-nopunct-asian": "is tercom-norm-asian, and removes punctuation of all languages",
    "ptb": "splits contractions and punctuation off words (Stanford's Penn Treebank tokenizer 3.4.1)",
    "ptb-coco": "is ptb, lowercased and without punctuation (coco-caption)",
    "eed-en": "adds a space before . , ! ? and at both ends, and splits into all characters (EED)",
    "eed-ja": "drops whitespace at the end, and splits into all characters (EED for Japanese, with NFKC)",
}


def _tokenize(name: str, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(name))


BUILTIN = {
    **{name: Tokenizer(name, partial(_tokenize, name), name, summary) for name, summary in _SUMMARIES.items()},
    "subtitles": Tokenizer(
        "subtitles",
        SubtitleTokens(without_punctuation),
        summary="splits cues into times, words without ASCII punctuation, and line breaks (SubER)",
    ),
    "subtitles-tercom": Tokenizer(
        "subtitles-tercom",
        SubtitleTokens(split_punctuation),
        summary="splits cues into times, words and punctuation like tercom-norm, and line breaks (SubER-cased)",
    ),
}
