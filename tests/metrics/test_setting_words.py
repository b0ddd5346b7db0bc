"""Every preset says whose it is, and every setting and value has words: what is added without them fails here."""

from dataclasses import fields
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import pytest
from refscore.metrics.core.setting_words import WORDS, settings_of, shown_value

from refscore import tokenizers
from refscore.metrics import METRICS
from refscore.metrics.bleu import metric as bleu
from refscore.metrics.core.presets import Preset
from refscore.tokenizers.builtin import BUILTIN

STAGES = ("text", "counting", "formula")
PRESETS = [(kind, name) for kind in METRICS.values() for name in kind.presets]
SETTINGS = [(kind, words) for kind in METRICS.values() for words in WORDS[kind.name].settings]

# Values that no type lists.
OTHERS = {
    ("bleu", "smoothing"): tuple(bleu.SMOOTHINGS),
    ("bleu", "max_order"): (1, 4),
    ("bleu", "weights"): (None, (0.5, 0.25, 0.125, 0.125)),
    ("rouge", "variant"): ("1", "2", "L", "Lsum"),
}


def label(value):
    return getattr(value, "name", None) or getattr(value, "title", None) or str(value)


def listed(hint):
    """The values that a type lists."""
    if hint is bool:
        return [False, True]
    if hint is type(None):
        return [None]
    if get_origin(hint) is Literal:
        return [*get_args(hint)]
    is_union = get_origin(hint) in (Union, UnionType)
    return [value for part in get_args(hint) for value in listed(part)] if is_union else []


def values_of(kind, name):
    """The values that a setting can have, as far as its type, its default and the presets tell."""
    if name == "tokenizer":
        return [*BUILTIN]
    given = [preset[name] for preset in kind.presets.values() if name in preset]
    more = OTHERS.get((kind.name, name), ())
    return list(dict.fromkeys([*listed(get_type_hints(kind)[name]), *more, getattr(kind(), name), *given]))


@pytest.mark.parametrize(("kind", "name"), PRESETS, ids=label)
def test_presets_say_whose_they_are(kind, name):
    preset = kind.presets[name]
    assert isinstance(preset, Preset), f"{kind.name}:{name} is no Preset: it does not say which tool it repeats"
    assert preset.tool and preset.scale in (1, 100)
    assert preset.source.startswith(preset.tool)
    assert not preset.note.endswith(".")
    assert set(preset) <= {field.name for field in fields(kind)}


@pytest.mark.parametrize("kind", METRICS.values(), ids=label)
def test_every_setting_has_words_once(kind):
    words = WORDS[kind.name]
    told = [name for entry in words.settings for name in entry.names]
    assert sorted([*told, *words.made]) == sorted(field.name for field in fields(kind))
    assert all(entry.title for entry in words.settings)


@pytest.mark.parametrize("kind", METRICS.values(), ids=label)
def test_settings_are_told_in_the_order_of_their_stages(kind):
    stages = [STAGES.index(entry.stage) for entry in WORDS[kind.name].settings]
    assert stages == sorted(stages)


@pytest.mark.parametrize(("kind", "words"), SETTINGS, ids=label)
def test_every_value_has_words_of_its_own(kind, words):
    values = values_of(kind, words.names[0])
    dependent = dict.fromkeys(words.names[1:], 0.5)
    said = [words.of({words.names[0]: value, **dependent}) for value in values]
    assert all(said), "a value has no words"
    assert len(set(said)) == len(values)
    assert not [text for text in said if text.endswith(".") or ";" in text]


def test_the_values_that_are_checked():
    assert values_of(METRICS["bleu"], "short_order") == ["zero", "pad", "perfect"]
    assert values_of(METRICS["bleu"], "lowercase") == [False, True, "ascii"]
    assert values_of(METRICS["meteor"], "synonyms") == ["wordnet", None]
    assert values_of(METRICS["chrf"], "eps_smoothing") == [False, True, "nltk"]
    assert values_of(METRICS["bleu"], "effective_order") == [False, True]


@pytest.mark.parametrize(("kind", "words"), SETTINGS, ids=label)
def test_values_that_a_search_tries_are_valid(kind, words):
    for value in words.tried:
        kind.with_settings({words.names[0]: value})


def test_every_tokenizer_has_words():
    assert all(tokenizer.summary for tokenizer in BUILTIN.values())


def test_tokenizers_of_users_are_called_by_their_names(monkeypatch):
    words = WORDS["bleu"].settings[0]
    assert words.of({"tokenizer": str.split}) == "custom(builtins.str.split) splits in its own way"
    monkeypatch.setattr(tokenizers.registry, "_registered", dict(tokenizers.registry._registered))
    tokenizers.register("comma", lambda text: text.split(","))
    assert words.of({"tokenizer": "comma"}) == "comma splits in its own way"


def test_values_as_readers_write_them():
    assert [shown_value("x", value) for value in (True, False, None, 2.0, 0.25, 4, "exp", (0.5, 1.0))] == [
        *("yes", "no", "none", "2", "0.25", "4", "exp"),
        "0.5, 1",
    ]


def test_settings_of():
    metric = METRICS["bleu"](smoothing="floor")
    assert settings_of(metric)["smoothing_value"] == 0.1
    assert type(metric).with_settings(settings_of(metric)) == metric
