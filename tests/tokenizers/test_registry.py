"""Tokenizers by name: built in, registered, or provided by an installed package."""

from collections import Counter

import pytest

import refscore
from refscore import tokenizers
from refscore.tokenizers.builtin import BUILTIN


def commas(text):
    return text.split(",")


def test_available():
    names = tokenizers.available()
    assert names == sorted(names)
    names.clear()
    assert set(BUILTIN) <= set(tokenizers.available())


@pytest.mark.parametrize("name", ["commas", "a.b", "my-own_tokenizer+2", "7"])
def test_register(name):
    tokenizers.register(name, str.split)
    tokenizers.register(name, commas)  # replaces it
    assert name in tokenizers.available()
    assert tokenizers.get(name).function is commas
    assert refscore.tokenize("a,b c", name) == ["a", "b c"]
    metric = refscore.BLEU(tokenizer=name, max_order=1)
    assert metric.segment("a,b c", ["b c,a"]).counts == (2,)
    assert f"|tok:{name}|" in metric.signature
    assert refscore.from_signature(metric.signature) == metric


@pytest.mark.parametrize("name", [*BUILTIN, "", " ", "a b", "a|b", "a:b", "custom(x)", "name\n", "ñ", "a[1]", 5, None])
def test_bad_names(name):
    with pytest.raises(refscore.SettingError):
        tokenizers.register(name, commas)
    assert name not in BUILTIN or tokenizers.get(name).function is not commas


@pytest.mark.parametrize("function", [None, "13a", 5, ["13a"]])
def test_bad_functions(function):
    with pytest.raises(refscore.SettingError, match="function"):
        tokenizers.register("mine", function)
    assert "mine" not in tokenizers.available()
    if function != "13a":
        with pytest.raises(refscore.SettingError, match="a name or a function"):
            tokenizers.get(function)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        *(("13A", "13a"), ("itnl", "intl"), ("zh-sacreblue", "zh-sacrebleu"), ("comas", "commas")),
        *(("mecab", "ja-mecab"), ("ja", "ja-mecab"), ("ko", "ko-mecab"), ("th", "th-newmm"), ("whitespace", "none")),
    ],
)
def test_unknown_names_get_a_suggestion(name, nearest):
    tokenizers.register("commas", commas)
    for call in (tokenizers.get, lambda name: refscore.tokenize("a", name)):
        with pytest.raises(refscore.errors.UnknownNameError, match=f"did you mean '{nearest}'") as caught:
            call(name)
        assert all(other in str(caught.value) for other in BUILTIN)


@pytest.mark.parametrize("text", [None, 5, b"a", ["a"]])
def test_text_must_be_text(text):
    with pytest.raises(refscore.InputError, match="string"):
        refscore.tokenize(text)


UNORDERED = [set, frozenset, dict.fromkeys, Counter]


@pytest.mark.parametrize("function", [lambda text: text, lambda text: None, lambda text: text.encode(), *UNORDERED])
def test_tokenize_refuses_what_the_metrics_refuse(function):
    with pytest.raises(refscore.InputError, match="the tokenizer returned"):
        refscore.tokenize("ab", function)


def test_functions_have_a_name():
    class Callable:
        def __call__(self, text):
            return text.split()

    assert tokenizers.get(commas).name == f"custom({__name__}.commas)"
    assert "Callable" in tokenizers.get(Callable()).name
    assert tokenizers.get(lambda text: [text]).function("a b") == ["a b"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Create an installed distribution that provides tokenizers."""
    (tmp_path / "throwaway_tokenizers.py").write_text(
        "def halves(text):\n    return [text[: len(text) // 2], text[len(text) // 2 :]]\n"
    )
    info = tmp_path / "throwaway_tokenizers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: throwaway-tokenizers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[refscore.tokenizers]\n"
        "halves = throwaway_tokenizers:halves\n"
        "13a = throwaway_tokenizers:halves\n"
        "broken = throwaway_tokenizers:nothing\n"
        "missing = no_such_package:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("package")
def test_entry_points():
    assert "halves" in tokenizers.available()
    assert refscore.tokenize("abcd", "halves") == ["ab", "cd"]
    metric = refscore.BLEU(tokenizer="halves", max_order=1)
    assert metric.segment("abcd", ["abxx"]).counts == (1,)
    assert refscore.from_signature(metric.signature) == metric
    # They do not replace built-in tokenizers.
    assert refscore.tokenize("a b.", "13a") == ["a", "b", "."]
    assert tokenizers.available().count("13a") == 1


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("name", ["broken", "missing"])
def test_entry_points_that_cannot_be_loaded_are_named(name):
    with pytest.raises(refscore.RefscoreError, match=name):
        tokenizers.get(name)


def test_entry_points_are_gone_with_the_package():
    assert "halves" not in tokenizers.available()
