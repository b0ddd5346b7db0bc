"""Declarations of metrics: every setting and value has a key and a description; presets, papers and types exist."""

import json
import re
from dataclasses import dataclass, fields
from typing import Any

import pytest

import refscore
from refscore import tokenizers
from refscore.metrics import Preset, PythonMetric, describe
from refscore.metrics.core import registry
from refscore.settings import (
    Choice,
    Flag,
    Kind,
    Number,
    OrNone,
    WholeNumber,
    setting,
    settings_by_name,
    show_value,
)
from refscore.tokenizers.builtin import BUILTIN
from tests.metrics.example_values import METRIC_CLASSES, NEEDED, every_class, every_setting, valid_values


@every_class
def test_every_field_is_declared(kind):
    settings = kind.settings()
    assert list(settings) == [field.name for field in fields(kind)]
    assert all("setting" in field.metadata for field in fields(kind))
    companions = {entry.companion for entry in settings.values()} - {None}
    keys = [entry.key for entry in settings.values() if entry.key]
    assert len(keys) == len(set(keys))
    for name, entry in settings.items():
        assert entry.name == name
        assert bool(entry.key) != (name in companions), f"{name} needs a key, or a setting that writes it"
        assert entry.meaning.endswith("."), name
        assert entry.stage in ("text", "counting", "formula")
        assert bool(entry.title) == (name not in companions and bool(entry.values)), name
        assert entry.default == next(field.default for field in fields(kind) if field.name == name)


def test_settings_of_one_name_have_one_key_and_settings_of_one_key_one_name():
    pairs = {(name, entry.key) for kind in METRIC_CLASSES for name, entry in kind.settings().items() if entry.key}
    names, keys = [name for name, _ in pairs], [key for _, key in pairs]
    assert len(set(names)) == len(names)
    assert len(set(keys)) == len(keys)


@every_setting
def test_every_value_has_words_of_its_own(kind, name):
    entry = kind.settings()[name]
    if not entry.title:
        assert entry.describe({name: entry.default}) == ""
        return
    values = [*BUILTIN] if name == "tokenizer" else valid_values(kind, name)
    if name == "synonyms":
        values = [None, "wordnet"]
    values = list(dict.fromkeys([*values, *(preset[name] for preset in kind.presets.values() if name in preset)]))
    companion = {} if entry.companion is None else {entry.companion: 0.5}
    described = [entry.describe({name: value, **companion}) for value in values]
    assert all(described), "a value has no words"
    assert len({show_value(value) for value in values}) == len(set(described))
    assert not [text for text in described if text.endswith(".") or ";" in text or "{" in text]


@every_setting
def test_values_are_parsed(kind, name):
    entry = kind.settings()[name]
    assert isinstance(entry.values, tuple)
    for value in valid_values(kind, name):
        if value is None and "none" not in entry.values:
            continue
        assert show_value(entry.parse(entry.show(value))) == show_value(value)
    for value in entry.alternatives:  # the values that a search tries
        metric = kind(**{name: value, **NEEDED.get((kind.name, name), {})})
        assert settings_by_name(metric)[name] == value
    if isinstance(entry.kind, Choice):
        assert [entry.show(entry.parse(text)) for text in entry.values] == list(entry.values)
        assert len({entry.parse(text) for text in entry.values}) == len(entry.values)
    if not isinstance(entry.kind, (Number, WholeNumber, Choice)) and name != "weights":
        return
    with pytest.raises(refscore.SettingError, match=f"{name} .*'sur prise'"):
        entry.parse("sur prise")


def test_values_as_users_write_them():
    lowercase, weights = refscore.BLEU.settings()["lowercase"], refscore.BLEU.settings()["weights"]
    for text, value in {"yes": True, "Yes": True, "true": True, "no": False, "False": False, "ascii": "ascii"}.items():
        assert lowercase.parse(text) is value
    assert weights.parse("0.5,0.25") == (0.5, 0.25)
    assert weights.parse("none") is weights.parse("None") is None
    assert refscore.METEOR.settings()["synonyms"].parse("none") is None
    assert refscore.ROUGE.settings()["variant"].parse("Lsum") == "Lsum"
    shown = [show_value(value) for value in (True, False, None, 2.0, 0.25, 4, "exp", (0.5, 1.0))]
    assert shown == ["yes", "no", "none", "2", "0.25", "4", "exp", "0.5, 1"]
    smoothing = refscore.BLEU.settings()["smoothing"]
    assert (smoothing.companion, smoothing.names) == ("smoothing_value", ("smoothing", "smoothing_value"))
    assert "0.25" in smoothing.describe({"smoothing": "floor", "smoothing_value": 0.25})
    metric = refscore.BLEU(smoothing="floor")
    assert settings_by_name(metric)["smoothing_value"] == 0.1
    assert refscore.BLEU.with_settings(settings_by_name(metric)) == metric
    optional = OrNone(Number(0, 1))
    values = (optional.check("x", None), optional.check("x", 1), optional.parse("None"), optional.parse("0.5"))
    assert values == (None, 1.0, None, 0.5)
    for value in (-0.1, 1.1, "1"):
        with pytest.raises(refscore.SettingError, match=r"x .*0 to 1"):
            optional.check("x", value)


def test_tokenizers_of_users_are_called_by_their_names():
    tokenizer = refscore.BLEU.settings()["tokenizer"]
    assert tokenizer.describe({"tokenizer": str.split}) == "text is split by custom(builtins.str.split)"
    tokenizers.register("comma", lambda text: text.split(","))
    assert tokenizer.describe({"tokenizer": "comma"}) == "text is split by comma"
    assert all(entry.summary for entry in BUILTIN.values())


# Declarations of external metrics


@dataclass(frozen=True, kw_only=True)
class Declaring(PythonMetric):
    """A metric with settings of all kinds."""

    name = "declaring"
    columns = ("one",)
    flag: bool = False
    count: int = 3
    share: float = 0.5
    label: str = "a"
    mode: str = setting("slow", "How.", Choice({"slow": "s", "fast": "f"}), key="m", title="mode")

    def row(self, hypothesis, references):
        return (1,)

    def value(self, row):
        return self.share


def test_fields_without_declarations_get_them_from_their_defaults(monkeypatch):
    settings = Declaring.settings()
    own = {name: settings[name] for name in ("flag", "count", "share", "label", "mode")}
    assert [type(entry.kind) for entry in own.values()] == [Flag, WholeNumber, Number, Kind, Choice]
    assert [entry.key for entry in own.values()] == ["flag", "count", "share", "label", "m"]
    metric = Declaring(flag=True, count=7, share=0.1, label="b", mode="fast", tokenizer="none", lowercase="ascii")
    assert metric.signature == (
        "declaring|case:lc-ascii|norm:none|tok:none|flag:yes|count:7|share:0.1|label:b|m:f|"
        f"version:{refscore.__version__}"
    )
    monkeypatch.setattr(registry, "_registered", {"declaring": Declaring})
    assert refscore.from_signature(metric.signature) == metric
    for name, value in [("flag", 1), ("count", 1.5), ("share", "x"), ("label", None), ("mode", "f"), ("share", True)]:
        with pytest.raises(refscore.SettingError, match=name):
            Declaring(**{name: value})
    assert [entry.describe(settings_by_name(metric)) for entry in own.values()] == ["yes", "7", "0.1", "b", ""]
    assert "mode: How." in Declaring.__doc__


def test_fields_without_a_plain_default_need_a_declaration():
    @dataclass(frozen=True, kw_only=True)
    class Undeclared(Declaring):
        names: Any = ()

    with pytest.raises(refscore.SettingError, match=r"names .*setting\(\)"):
        Undeclared.settings()


# Presets, descriptions and types


@every_class
def test_descriptions_and_presets(kind):
    description = describe(kind)
    assert (description.name, description.signature) == (kind.name, kind().signature)
    assert description.summary.endswith(".") and description.summary.startswith(kind.display_name)
    assert re.search("better|best", description.scale)
    assert ("higher is better" in description.scale) == kind.higher_is_better == description.higher_is_better
    assert description.details and not any("Args:" in paragraph for paragraph in description.details)
    assert description.papers and all(re.search(r"\(\d{4}\): .+\.$", paper) for paper in description.papers)
    assert [entry.name for entry in description.settings] == [
        name for name in kind.settings() if name not in ("document_frequencies", "ignored", "information")
    ]
    data = description.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert [entry["name"] for entry in data["settings"]] == [entry.name for entry in description.settings]
    assert description.presets == kind.presets
    # These have no maximum that could be 100 %.
    unlimited = refscore.NIST, refscore.metrics.CompressionRatio, refscore.metrics.Latency
    assert kind.printed_scale == (1 if kind in unlimited else 100)
    for name, preset in kind.presets.items():
        assert isinstance(preset, Preset), f"{name} does not say which tool it repeats"
        assert preset.tool and preset.source.startswith(preset.tool)
        # These print percentages, all others the value.
        speech = "Open ASR Leaderboard", "sclite"
        tools = "EASSE", "MLQA", "Moses' multi-bleu.perl", "SQuAD", "VQA", "sacrebleu", "subtitle-edit-rate", *speech
        is_percent = preset.tool in tools or preset.part in ("SQuAD", "sari")
        assert preset.scale == (100 if is_percent else 1)
        assert not preset.note.endswith(".")
        assert set(preset) <= set(kind.settings())
    arguments = kind.__doc__.split("Args:")[1].split("Example:")[0]
    assert re.findall(r"^ {4}(\w+): \S", arguments, re.MULTILINE) == list(kind.settings())


def test_the_summary_of_a_metric_without_a_docstring():
    @dataclass(frozen=True, kw_only=True)
    class Length(PythonMetric):
        name = "length"
        columns = ("words",)

        def row(self, hypothesis, references):
            return (len(hypothesis),)

        def value(self, row):
            return row[0]

    assert Length.__doc__.startswith("Length(*, ")  # from the dataclass
    assert (describe(Length).summary, describe(Length).details) == ("LENGTH.", ())


@every_class
def test_functions_have_the_names_and_arguments_of_their_metrics(kind):
    function = getattr(refscore if kind.needs_references else refscore.metrics, kind.name)
    assert (function.__name__, function.__module__) == (kind.name, kind.__module__)
    assert function.__annotations__["return"] is kind.score_type
    arguments = function.__doc__.split("Args:")[1].split("Example:")[0]
    sources = ["sources"] if kind.needs_sources else []
    names = ["hypotheses", "references", *sources, "threads", "**settings"]
    assert re.findall(r"^ {4}([*\w]+): \S", arguments, re.MULTILINE) == names
    assert f"`{kind.__name__}`" in arguments


PROGRAM = """\
import refscore

reveal_type(refscore.bleu(["a"], ["b"], threads=2, smoothing="floor", preset="nltk"))
reveal_type(refscore.crystalbleu(["a"], ["b"], k=5))
reveal_type(refscore.sari(["a"], ["b"], sources=["c"], counting="sets"))
reveal_type(refscore.metrics.self_bleu(["a", "b"], max_order=2))
refscore.sari(["a"], ["b"])
refscore.bleu(["a"], ["b"], max_order="4")
refscore.rouge(["a"], ["b"], combine="worst")
refscore.wer(["a"], ["b"], alternative="nist")
refscore.bleu(["a"], ["b"], 2)
refscore.chrf(["a"], ["b"], preset="ntlk")
"""


@pytest.mark.slow
def test_type_checkers_know_the_settings_of_functions(tmp_path):
    api = pytest.importorskip("mypy.api")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    output = api.run(["--strict", "--cache-dir", str(tmp_path), str(path)])[0]
    types = re.findall(r'Revealed type is ".*?(\w+)"', output)
    assert types == ["BLEUScore", "CrystalBLEUScore", "SARIScore", "float"]
    assert re.findall(r":(\d+): error", output) == ["7", "8", "9", "10", "11", "12"]
