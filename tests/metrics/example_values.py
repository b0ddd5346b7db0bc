"""All metrics and their settings, with example values from the declarations, or by name if these do not suffice."""

import math

import numpy as np
import pytest

from refscore.metrics import METRICS
from refscore.normalizers.builtin import BUILTIN as NORMALIZERS
from refscore.settings import Choice, Number, OrNone, WholeNumber
from refscore.tokenizers.settings import NormalizerKind, TokenizerKind

METRIC_CLASSES = [kind for kind in METRICS.values() if kind.__module__.startswith("refscore.")]
SETTINGS = [(kind, name) for kind in METRIC_CLASSES for name in kind.settings()]
every_class = pytest.mark.parametrize("kind", METRIC_CLASSES, ids=lambda kind: kind.name)
every_setting = pytest.mark.parametrize(("kind", "name"), SETTINGS, ids=lambda part: getattr(part, "name", part))

# Values that give different signatures, for settings that do not list them.
MORE_VALUES = {
    ("bleu", "weights"): [None, (1, 1, 1, 1), (0.25,) * 4, (0.1, 0.2, 0.3, 0.4), (np.nextafter(0.1, 1), 0.2, 0.3, 0.4)],
    ("bleu", "smoothing_value"): [0.1, 0.2, 0.3, 0.30000000000000004, 1e-300],
    ("exact_match", "ignore_patterns"): [(), ("a",), ("a", "b"), ("a,b",), ("/|:%[ ]+", "é\ud800")],
    ("crystalbleu", "ignored"): [None],
    ("accuracy", "processing"): ["text", "vqa", "textvqa"],
    ("edit_similarity", "threshold"): [0, 0.1, 0.5, 0.30000000000000004, 1],
    ("cider", "document_frequencies"): [None],
    ("cider", "sigma"): [None, 6, 5.999999999999999, 1e-300],
    ("meteor", "synonyms"): [None],  # "wordnet" needs its data: test_meteor_wordnet.py
    ("nist", "information"): [None],
    ("wer", "counted"): ["listed"],  # "others" needs a list: test_listed_words.py
    ("wer", "glm"): [None],
    ("wer", "marks"): [",.?", ".", "。，？"],
    ("wer", "words"): [None],
    ("rouge", "variant"): ["1", "2", "12", "L", "Lsum", "W-1.2", "W-2", "S4", "S*", "SU4", "SU*"],
}

MORE_WRONG_VALUES = {
    ("bleu", "weights"): [
        *((0.5, 0.5), (1, 1, 1, 1, 1), (), (1, 1, 1, -1), (1, 1, 1, math.nan), (1, 1, 1, math.inf), (0, 0, 0, 0)),
        *((1, 1, 1, 10**400), ("1", "1", "1", "1"), "1111", ("a", "b", "c", "d"), 0.25, (None, 1, 1, 1)),
    ],
    ("bleu", "max_order"): [0, 10**6 + 1],
    ("chrf", "char_order"): [0, 10**6 + 1],
    ("exact_match", "ignore_patterns"): ["(", ["a", "["], [1], 1, None, True, {"a"}],
    ("crystalbleu", "ignored"): ["a", 1],
    ("accuracy", "tolerance"): [-0.1],
    ("edit_similarity", "threshold"): [-0.1, 1.1],
    ("gec_gleu", "max_order"): [0, 10**6 + 1],
    ("crystalbleu", "max_order"): [0, 65],
    ("cider", "document_frequencies"): ["a", 1],
    ("cider", "max_order"): [0, 65],
    ("cider", "sigma"): [0, -1.0],
    ("gleu", "max_order"): [0, 10**6 + 1],
    ("gleu", "min_order"): [0, 5],
    ("meteor", "alpha"): [1.1],
    ("meteor", "gamma"): [1.1],
    ("nist", "information"): ["a", 1],
    ("nist", "max_order"): [0, 65],
    ("sari", "max_order"): [0, 10**6 + 1],
    ("wer", "glm"): ["a", 1],
    ("wer", "marks"): ["", " ", "a|b", "a=b", ",'", "\n", 1, None, [","]],
    ("wer", "words"): ["a", 1, [1], []],
    ("rouge", "variant"): [
        *("0", "01", "-1", "1.5", "l", "LSUM", "rougeL", "", "²", "1000001", "1" * 10, 0, -1, 1.0, True, None),
        *("W-0.9", "W-6", "w", "S-1", "S04", "s4", "SU1000001", "Sum"),
    ],
}

# Other settings that a setting needs to have an effect.
NEEDED = {
    ("bleu", "smoothing_value"): {"smoothing": "add-k"},
    ("wer", "marks"): {"form": "punctuation"},
    ("sari", "counting"): {"average": "segments"},
}

for table in (MORE_VALUES, MORE_WRONG_VALUES, NEEDED):
    for setting in ("weights", "smoothing_value"):  # CrystalBLEU has BLEU's
        if ("bleu", setting) in table:
            table["crystalbleu", setting] = table["bleu", setting]


def valid_values(kind, name):
    """Return valid values of a setting that change its signature."""
    setting = kind.settings()[name]
    if (kind.name, name) in MORE_VALUES:
        return MORE_VALUES[kind.name, name]
    if isinstance(setting.kind, Choice):
        return [setting.parse(text) for text in setting.values]
    if isinstance(setting.kind, Number):
        return [setting.default, math.nextafter(setting.default, 0), 0]
    if isinstance(setting.kind, WholeNumber):
        return [setting.default, setting.default + 1]
    if isinstance(setting.kind, NormalizerKind):
        return [*NORMALIZERS]
    assert isinstance(setting.kind, TokenizerKind), f"{kind.name}.{name} needs values"
    return [*setting.alternatives]


def wrong_values(kind, name):
    """Return invalid values of a setting."""
    setting = kind.settings()[name]
    more = MORE_WRONG_VALUES.get((kind.name, name), [])
    if isinstance(setting.kind, Choice):
        others = [value for value in (None, True, False) if value not in valid_values(kind, name)]
        return [*others, "surprise", "", 1, 0, [], [setting.default], np.array([setting.default])]
    is_optional = isinstance(setting.kind, OrNone)
    if isinstance(setting.kind.kind if is_optional else setting.kind, Number):
        none = [] if is_optional else [None]
        numbers = [-0.1, math.nan, math.inf, -math.inf, 10**400, "1", True, 1j, np.complex64(1), [0.1]]
        return [*numbers, *none, *more]
    if isinstance(setting.kind, WholeNumber):
        return [-1, 2.5, 1.0, "4", None, True, False, 2**70, *more]
    if isinstance(setting.kind, NormalizerKind):
        return [None, True, ["NFC"], "NFX", "", 1]
    if isinstance(setting.kind, TokenizerKind):
        return [None, ["13a"], "13b", "", 13]
    assert more, f"{kind.name}.{name} needs wrong values"
    return more
