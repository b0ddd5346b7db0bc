"""What the settings of all metrics do, in words, and the order in which they are told.

The settings of a metric stand in the order in which a text meets them: what is done to the text, what is counted, what
the formula makes of the counts. A setting, or a value of one, that is missing here fails a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from refscore.metrics.core.metric import Metric
from refscore.tokenizers import registry
from refscore.tokenizers.builtin import BUILTIN
from refscore.tokenizers.external import OFFERS

Stage: TypeAlias = Literal["text", "counting", "formula"]


@dataclass(frozen=True)
class SettingWords:
    """The words of one setting, or of several that only make sense together.

    Args:
        names: The setting; after it those that change with it, because they depend on it.
        title: What it is about, in a word or two.
        stage: Whether it acts on the text, on what is counted, or in the formula.
        says: For each value what it means; braces stand for the values of settings.
        otherwise: What all other values mean.
        tried: Values that people often choose, which a search for a number tries too.

    Example:
        >>> words = SettingWords(("max_order",), "n-grams", "counting", otherwise="n-grams of up to {max_order} tokens")
        >>> words.of({"max_order": 2})
        'n-grams of up to 2 tokens'
    """

    names: tuple[str, ...]
    title: str
    stage: Stage
    says: Mapping[Any, str] = field(default_factory=dict)
    otherwise: str = ""
    tried: tuple[Any, ...] = ()

    def of(self, settings: Mapping[str, Any]) -> str:
        """What the settings' values mean; nothing where there are no words for them."""
        value = settings[self.names[0]]
        template = self.says.get(value, self.otherwise)
        return template.format(**{name: shown_value(name, settings[name]) for name in self.names})


@dataclass(frozen=True)
class MetricWords:
    """The words of a metric: its name as papers write it, whatever its settings are, and these in order.

    Args:
        title: The name.
        settings: All that change the number.
        made: Settings that are no choice: they come from the data.

    Example:
        >>> WORDS["chrf"].title, [words.title for words in WORDS["chrf"].settings if words.stage == "text"]
        ('chrF', ['case', 'Unicode form'])
    """

    title: str
    settings: tuple[SettingWords, ...]
    made: tuple[str, ...] = ()


def shown_value(name: str, value: Any) -> str:
    """A setting's value as a reader writes it.

    >>> shown_value("lowercase", True), shown_value("beta", 2.0), shown_value("tokenizer", str.split)
    ('yes', '2', 'custom(builtins.str.split)')
    """
    if name == "tokenizer":
        return registry.get(value).name
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(f"{item:g}" for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def settings_of(metric: Metric[Any]) -> dict[str, Any]:
    """A metric's settings by name.

    >>> from refscore.metrics.error_rate.wer import WER
    >>> settings_of(WER())
    {'tokenizer': 'jiwer', 'lowercase': False, 'normalize': 'none'}
    """
    return {setting.name: getattr(metric, setting.name) for setting in fields(metric)}  # type: ignore[arg-type]


_SUMMARIES = {name: tokenizer.summary for name, tokenizer in BUILTIN.items()}
_SUMMARIES |= {name: offer.summary for name, offer in OFFERS.items()}


def _tokenizer(*tried: str) -> SettingWords:
    return SettingWords(
        ("tokenizer",),
        "tokenizer",
        "text",
        {name: f"{{tokenizer}} {summary}" for name, summary in _SUMMARIES.items()},
        "{tokenizer} splits in its own way",
        tried,
    )


_CASE = SettingWords(
    ("lowercase",),
    "case",
    "text",
    {False: "case is kept", True: "all letters are lowercased", "ascii": "only A to Z are lowercased"},
    tried=(True, False),
)
_NORMALIZE = SettingWords(
    ("normalize",),
    "Unicode form",
    "text",
    {
        "none": "characters stay as they are written",
        "NFC": "letters and their accents are joined (NFC)",
        "NFKC": "accents are joined, and variants such as wide letters are made plain (NFKC)",
    },
)
_COMMON_TOKENIZERS = ("13a", "none", "intl", "zh", "char")
_TEXT = (_tokenizer(*_COMMON_TOKENIZERS), _CASE, _NORMALIZE)

_NLTK_SMOOTHINGS = {
    "nltk-1": "NLTK's method 1 gives an order without a match {smoothing_value} matches",
    "nltk-2": "NLTK's method 2 adds 1 to matches and n-grams of the orders above 1",
    "nltk-3": "NLTK's method 3 counts 1/2, 1/4, … of a match for orders without one",
    "nltk-4": "NLTK's method 4 counts fractions of a match that grow with the length, by {smoothing_value}",
    "nltk-5": "NLTK's method 5 averages each order with its neighbours",
    "nltk-6": "NLTK's method 6 interpolates each order from the two below, by {smoothing_value}",
    "nltk-7": "NLTK's method 7 is method 4, and then method 5",
}

_BLEU = MetricWords(
    "BLEU",
    (
        *_TEXT,
        SettingWords(
            ("max_order",), "n-grams", "counting", otherwise="n-grams of up to {max_order} tokens", tried=(1, 2, 3, 4)
        ),
        SettingWords(
            ("reference_length",),
            "reference length",
            "counting",
            {
                "closest": "the reference closest in length counts, of two equally close ones the shorter",
                "closest-first": "the reference closest in length counts, of two equally close ones the first given",
                "shortest": "the shortest reference's length counts",
                "average": "the mean length of the references counts",
            },
        ),
        SettingWords(
            ("short_order",),
            "short segments",
            "counting",
            {
                "zero": "a segment too short for an order adds nothing to it, and an order that none has counts 0",
                "pad": "a segment too short for an order adds one n-gram without a match to it",
                "perfect": "a segment too short for an order adds nothing to it, and one that none has is perfect",
            },
        ),
        SettingWords(
            ("weights",), "weights", "formula", {None: "all orders weigh the same"}, "the orders weigh {weights}"
        ),
        SettingWords(
            ("effective_order",),
            "missing orders",
            "formula",
            {
                False: "the mean runs over all orders",
                True: "the mean runs only over the orders that the hypothesis is long enough for",
            },
        ),
        SettingWords(
            ("smoothing", "smoothing_value"),
            "smoothing",
            "formula",
            {
                "none": "an order without a match makes the score 0",
                "exp": "orders without a match count 1/2, 1/4, … of a match",
                "floor": "an order without a match counts {smoothing_value} matches",
                "add-k": "{smoothing_value} is added to matches and n-grams of the orders above 1",
                "floor-segments": "each segment without a match of an order adds {smoothing_value} matches to it",
                "add-k-all": "{smoothing_value} is added to matches and n-grams of every order",
                "coco": "1e-15 is added to matches and 1e-9 to n-grams, and the same to the two lengths",
                "nltk-0": "an order without a match makes the score next to 0",
                **_NLTK_SMOOTHINGS,
            },
            tried=("exp", "none", "floor", "add-k", "nltk-1"),
        ),
        SettingWords(
            ("require_match",),
            "no match at all",
            "formula",
            {
                True: "without one matching token the score is 0, whatever the smoothing",
                False: "smoothing acts even where no token matches",
                "all": "without a match of every order the score is 0, whatever the smoothing",
            },
        ),
    ),
)

_CHRF = MetricWords(
    "chrF",
    (
        _CASE,
        _NORMALIZE,
        SettingWords(
            ("units",),
            "characters",
            "counting",
            {
                "codepoints": "a character is a code point of Unicode",
                "graphemes": "a character is what a reader sees as one",
            },
        ),
        SettingWords(
            ("whitespace",),
            "white space",
            "counting",
            {False: "white space is left out", True: "white space is among the characters"},
            tried=(True, False),
        ),
        SettingWords(("char_order",), "character n-grams", "counting", otherwise="up to {char_order} characters"),
        SettingWords(
            ("word_order",),
            "word n-grams",
            "counting",
            {0: "no words count"},
            "n-grams of up to {word_order} words count too",
            tried=(0, 2),
        ),
        SettingWords(
            ("beta",),
            "beta",
            "formula",
            otherwise="recall counts {beta} times as much as precision",
            tried=(1.0, 2.0, 3.0),
        ),
        SettingWords(
            ("eps_smoothing",),
            "mean of orders",
            "formula",
            {
                False: "one F-score of the mean precision and recall, over the orders that both sides have",
                True: "the mean of all orders' F-scores",
                "nltk": "the mean of all orders' F-scores, as NLTK takes it",
            },
            tried=(True, False),
        ),
        SettingWords(
            ("average",),
            "corpus",
            "formula",
            {"micro": "the counts of all segments are summed", "macro": "the mean of the segments' scores"},
        ),
    ),
)

_ERROR_RATE_TEXT = (_tokenizer("jiwer", "13a", "unicode"), _CASE, _NORMALIZE)

_GLEU = MetricWords(
    "GLEU",
    (
        *_TEXT,
        SettingWords(
            ("min_order",), "shortest n-grams", "counting", otherwise="n-grams of at least {min_order} tokens"
        ),
        SettingWords(
            ("max_order",), "n-grams", "counting", otherwise="n-grams of up to {max_order} tokens", tried=(1, 2, 3, 4)
        ),
    ),
)

_METEOR = MetricWords(
    "METEOR",
    (
        *_TEXT,
        SettingWords(
            ("synonyms",),
            "synonyms",
            "counting",
            {None: "words match if they or their stems are equal", "wordnet": "synonyms of WordNet match too"},
        ),
        SettingWords(("alpha",), "alpha", "formula", otherwise="recall weighs {alpha}, precision the rest"),
        SettingWords(("beta",), "beta", "formula", otherwise="the penalty's power is {beta}"),
        SettingWords(("gamma",), "gamma", "formula", otherwise="the largest penalty is {gamma}"),
    ),
)

_NIST = MetricWords(
    "NIST",
    (
        *_TEXT,
        SettingWords(
            ("max_order",), "n-grams", "counting", otherwise="n-grams of up to {max_order} tokens", tried=(4, 5)
        ),
    ),
    made=("information",),
)

_RIBES = MetricWords(
    "RIBES",
    (
        _tokenizer(*_COMMON_TOKENIZERS),
        _CASE,
        _NORMALIZE,
        SettingWords(
            ("empty_reference",),
            "empty references",
            "counting",
            {
                "error": "a reference without words is an error",
                "skip": "a reference without words is left out, and with it a segment that has no other",
                "zero": "a reference without words scores 0",
            },
        ),
        SettingWords(
            ("first_context",),
            "neighbours",
            "counting",
            {
                "left": "a repeated word is found by its left neighbours first",
                "right": "a repeated word is found by its right neighbours first",
            },
        ),
        SettingWords(
            ("context_limit",),
            "reach of neighbours",
            "counting",
            {"none": "all neighbours are tried", "nltk": "NLTK leaves out some neighbours near a sentence's end"},
        ),
        SettingWords(
            ("single_word",),
            "one aligned word",
            "formula",
            {
                "reference": "a single aligned word correlates if the reference has one word only",
                "zero": "a single aligned word does not correlate",
            },
        ),
        SettingWords(
            ("correlation",),
            "word order",
            "formula",
            {
                "tau": "Kendall's tau of all pairs of words",
                "tau-nltk": "Kendall's tau of all pairs of words, rounded like NLTK's",
                "tau-runs": "Kendall's tau of the pairs within runs of consecutive words alone",
                "rho": "Spearman's rho",
            },
        ),
        SettingWords(("alpha",), "alpha", "formula", otherwise="the precision's power is {alpha}"),
        SettingWords(("beta",), "beta", "formula", otherwise="the brevity penalty's power is {beta}"),
    ),
)

_ROUGE = MetricWords(
    "ROUGE",
    (
        _tokenizer("rouge", "unicode", "none"),
        _CASE,
        _NORMALIZE,
        SettingWords(
            ("stem",), "stems", "text", {False: "words as they are", True: "words by their stems"}, tried=(True, False)
        ),
        SettingWords(
            ("variant",),
            "variant",
            "counting",
            {
                "1": "single words that both have",
                "L": "the longest common subsequence of words",
                "Lsum": "the longest common subsequences of words, sentence by sentence: one a line",
            },
            "runs of {variant} words that both have",
        ),
    ),
)

_TER = MetricWords(
    "TER",
    (
        SettingWords(
            ("normalized",),
            "punctuation",
            "text",
            {False: "words are split at white space only", True: "punctuation is split off words"},
            tried=(True, False),
        ),
        SettingWords(
            ("no_punct",),
            "without punctuation",
            "text",
            {False: "punctuation is kept", True: "punctuation is removed"},
            tried=(True, False),
        ),
        SettingWords(
            ("asian_support",),
            "Asian languages",
            "text",
            {
                False: "Chinese and similar characters are not taken apart",
                True: "Chinese and similar characters are taken apart, or their punctuation removed",
            },
        ),
        SettingWords(
            ("case_sensitive",),
            "case",
            "text",
            {False: "all letters are lowercased", True: "case is kept"},
            tried=(True, False),
        ),
        SettingWords(
            ("references_twice",),
            "references",
            "text",
            {
                False: "references are tokenized once",
                True: "references are tokenized twice, which shows where punctuation is split off",
            },
        ),
    ),
)

WORDS: Mapping[str, MetricWords] = {
    "bleu": _BLEU,
    "cer": MetricWords("CER", (_tokenizer("char", "char-spaces"), _CASE, _NORMALIZE)),
    "chrf": _CHRF,
    "gleu": _GLEU,
    "meteor": _METEOR,
    "nist": _NIST,
    "ribes": _RIBES,
    "rouge": _ROUGE,
    "ter": _TER,
    "wer": MetricWords("WER", _ERROR_RATE_TEXT),
}
