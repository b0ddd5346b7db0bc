"""What each built-in tokenizer does, in a few words that follow its name."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "none": "splits at white space only",
    "13a": "splits punctuation and symbols off words, but not within numbers (mteval-v13a)",
    "intl": "splits all punctuation and symbols of Unicode off words, but not within numbers (mteval-v14)",
    "zh": "takes each Chinese character for a token, and splits the rest like 13a",
    "zh-sacrebleu": "is zh with sacrebleu's ranges of Chinese characters, which miss those beyond U+FFFF",
    "char": "takes each character that is no white space for a token",
    "char-spaces": "takes each character for a token, white space within the text included",
    "graphemes": "takes what a reader sees as one character for a token",
    "jiwer": "splits at spaces and at runs of white space, but not at a single tab or line break",
    "rouge": "keeps runs of A to Z and digits, and drops all else",
    "unicode": "keeps runs of letters and digits of any script, Chinese characters one by one, and drops all else",
    "tercom": "splits at white space only (TER)",
    "tercom-norm": "unescapes entities and splits punctuation off words (TER)",
    "tercom-norm-asian": "is tercom-norm, and takes Chinese and similar characters apart",
    "tercom-nopunct": "splits at white space and removes punctuation (TER)",
    "tercom-nopunct-asian": "is tercom-nopunct, and removes punctuation of Asian languages too",
    "tercom-norm-nopunct": "is tercom-norm, and removes punctuation",
    "tercom-norm-nopunct-asian": "is tercom-norm-asian, and removes punctuation of all languages",
}
