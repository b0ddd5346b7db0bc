"""The packages rouge and rouge-chinese, and their interfaces in refscore: equal to the last bit."""

import contextlib
import random
import sys

import pytest
from hypothesis import given, strategies as st

from refscore import compat
from refscore.compat import rouge as ours, rouge_chinese as ours_chinese
from refscore.compat.rouge import rouge_score
from refscore.compat.rouge_chinese import rouge_score as rouge_score_chinese
from tests import strategies
from tests.compat.alike import parameters
from tests.corpora import TEXTS
from tests.examples import examples

rouge = pytest.importorskip("rouge.rouge_score", reason="needs rouge: pip install rouge")
chinese = pytest.importorskip("rouge_chinese.rouge_score", reason="needs rouge-chinese: pip install rouge-chinese")

PAIRS = {"rouge": (ours, sys.modules["rouge"]), "rouge_chinese": (ours_chinese, sys.modules["rouge_chinese"])}
METRICS = [*(f"rouge-{n}" for n in range(1, 6)), "rouge-l"]
# Sentences of several scripts, with and without ends, and empty ones.
SENTENCES = [
    *("the cat sat on the mat .", "the mat . the cat", "a b c d e f g", "g f e d c b a", "a", "", ".", " ", ". ."),
    *("a..b", "今天 天气 很 好 。 我们 去 公园 ！", "今天 天气 好 。” 我们 不 去 公园 ？ 好 ……我", "。。？ a"),
    *("a ...... b", "“ 好 。”，他 说", "a b a b a b", "b a b a", "x \u0301 e\u0301", "👩\u200d👩\u200d👧 👍🏽 ."),
    *("שלום עולם . مرحبا", "\ud800 a . \udfff", "a\x00b \x00 .", "1. 2. 3.", "a\nb.\nc", "a\u3000b\xa0c"),
    *("w1 w2 w6 w7 w8. w1 w3 w8 w9 w5", "w1 w2 w3 w4 w5"),
]  # fmt: skip


def outcome(call, *args, **kwargs):
    try:
        return call(*args, **kwargs)
    except Exception as error:
        return type(error)


@contextlib.contextmanager
def deep_recursion():
    """Raise the limit: rouge looks for subsequences recursively, so it fails for long texts."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def check(library, hyps, refs, *, options=None, **arguments):
    with deep_recursion():
        results = [
            outcome(lambda package: package.Rouge(**(options or {})).get_scores(hyps, refs, **arguments), package)
            for package in PAIRS[library]
        ]
    assert results[0] == results[1], (hyps, refs, options, arguments)


@pytest.mark.parametrize("library", PAIRS)
@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("raw_results", [True, False])
def test_awkward_texts(library, exclusive, raw_results):
    options = {"metrics": METRICS, "exclusive": exclusive, "raw_results": raw_results, "return_lengths": True}
    texts = [*SENTENCES, *(text for text in TEXTS if len(text) < 60)]
    for i, hyp in enumerate(texts):
        for ref in (hyp, texts[i - 1], texts[i - 5]):
            check(library, hyp, ref, options=options)


@pytest.mark.parametrize("library", PAIRS)
@given(data=st.data())
@examples(150)
def test_drawn_texts(library, data):
    vocabulary = st.sampled_from([*"abcde", ".", "。", "！", "”", "......", "…", *SENTENCES[:12]])
    text = st.lists(vocabulary, max_size=14).map(" ".join) | strategies.lines(vocabulary)
    hyps = data.draw(st.lists(text, max_size=3))
    refs = data.draw(st.lists(text, min_size=len(hyps), max_size=len(hyps)))
    options = {
        "exclusive": data.draw(st.booleans()),
        "return_lengths": data.draw(st.booleans()),
        "stats": data.draw(st.sampled_from([None, ["F"], ["p", "r"]])),
        "metrics": data.draw(st.sampled_from([None, METRICS, ["ROUGE-L"]])),
    }
    check(library, hyps, refs, options=options, avg=data.draw(st.booleans()), ignore_empty=data.draw(st.booleans()))


@pytest.mark.parametrize("library", PAIRS)
def test_long_texts(library):
    generator = random.Random(2)
    words = [f"w{k}" for k in range(40)]
    hyp, ref = (" ".join(generator.choices(words, k=count)) for count in (900, 1100))
    check(library, hyp, ref)
    check(library, hyp.replace("w7 ", "w7 . "), ref.replace("w9 ", "。"), options={"exclusive": False})
    scores = PAIRS[library][0].Rouge().get_scores(" ".join(words * 200), " ".join(words[::-1] * 200))
    assert 0 < scores[0]["rouge-l"]["f"] <= 1


def test_functions():
    sentences = [["the cat sat", "a b"], ["the cat", "cat sat down"], ["a"], [""]]
    for one in sentences:
        for other in sentences:
            for arguments in ({}, {"exclusive": False}, {"raw_results": True}):
                for ours_module, theirs in ((rouge_score, rouge), (rouge_score_chinese, chinese)):
                    for name in ("rouge_n", "rouge_l_summary_level"):
                        results = [getattr(module, name)(one, other, **arguments) for module in (ours_module, theirs)]
                        assert results[0] == results[1]
    pairs = [(i, j) for i in range(4) for j in range(4)]
    for arguments in ({}, {"n": 1}, {"exclusive": False}):
        assert rouge_score.multi_rouge_n(sentences, pairs, **arguments) == rouge.multi_rouge_n(
            sentences, pairs, **arguments
        )
    assert rouge_score.f_r_p_rouge_n(0, 0, 0) == rouge.f_r_p_rouge_n(0, 0, 0)


@pytest.mark.parametrize("library", PAIRS)
@pytest.mark.parametrize(
    ("hyps", "refs", "arguments"),
    [
        ("", "a", {}),
        ("a", "", {}),
        (["a"], ["a", "b"], {}),
        (["a"], ("a",), {}),
        ([], [], {}),
        ([], [], {"avg": True}),
        ([""], ["a"], {"ignore_empty": True}),
        (["a", ""], ["a", "b"], {"ignore_empty": True}),
        ([None], ["a"], {}),
    ],
    ids=str,
)
def test_errors(library, hyps, refs, arguments):
    check(library, hyps, refs, **arguments)


@pytest.mark.parametrize("library", PAIRS)
def test_unknown_names(library):
    for options in ({"metrics": ["rouge-6"]}, {"stats": ["x"]}):
        for package in PAIRS[library]:
            with pytest.raises(ValueError, match="Unknown"):
                package.Rouge(**options)
    check(library, ["a"], ["a"], options={"raw_results": True}, avg=True)


@pytest.mark.parametrize("library", PAIRS)
def test_files(library, tmp_path):
    for name, text in (("hyp", "the cat\n今天 天气 。 好\r\nx"), ("ref", "a cat\n今天 好\nxy")):
        (tmp_path / name).write_bytes(text.encode())
    paths = [str(tmp_path / name) for name in ("hyp", "ref")]
    for arguments in ({}, {"avg": True}, {"ignore_empty": True}):
        results = [outcome(package.FilesRouge().get_scores, *paths, **arguments) for package in PAIRS[library]]
        assert results[0] == results[1]


@pytest.mark.parametrize("library", PAIRS)
def test_install(library):
    mine, theirs = PAIRS[library]
    original = theirs.Rouge
    try:
        compat.install(library)
        assert theirs.Rouge is theirs.rouge.Rouge is mine.Rouge
        assert theirs.rouge.rouge_score.rouge_n is rouge_score.rouge_n
    finally:
        compat.uninstall(library)
    assert theirs.Rouge is theirs.rouge.Rouge is original
    assert parameters(mine.Rouge) == parameters(original)
    assert parameters(mine.Rouge.get_scores) == parameters(original.get_scores)
