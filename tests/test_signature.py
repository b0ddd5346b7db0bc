"""Signatures: settings to text and back, and sacrebleu's signatures."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.signature import join, split, split_value, with_value
from tests.examples import examples
from tests.reference import bleu as oracle

BLEU = refscore.BLEU
HYPOTHESES = ["The cat sat on a mat, purring.", "It is 3.5 o'clock", "Ein Test"]
REFERENCES = [["the cat sat on the mat purring."], ["It was 3.5 o'clock."], ["Kein Test mehr"]]
STREAM = [[refs[0] for refs in REFERENCES]]


@st.composite
def metrics(draw):
    max_order = draw(st.integers(3, 12))
    smoothing = draw(st.sampled_from(oracle.SMOOTHINGS))
    number = st.floats(0, 1e300, exclude_min=True)
    weights = st.lists(number, min_size=max_order, max_size=max_order).map(tuple)
    return BLEU(
        tokenizer=draw(st.sampled_from(["none", "13a", "intl", "zh", "zh-sacrebleu", "char"])),
        lowercase=draw(st.sampled_from([False, True, "ascii"])),
        normalize=draw(st.sampled_from(["none", "NFC", "NFKC"])),
        max_order=max_order,
        weights=draw(st.none() | weights),
        smoothing=smoothing,
        smoothing_value=draw(st.none() | number) if smoothing in oracle.DEFAULT_VALUES else None,
        effective_order=draw(st.booleans()),
        reference_length=draw(st.sampled_from(["closest", "closest-first", "shortest", "average"])),
        short_order=draw(st.sampled_from(["zero", "pad", "perfect"])),
        no_match=draw(st.sampled_from(["zero", "smooth", "zero-if-any"])),
    )


@given(metric=metrics())
@examples(200)
def test_round_trip(metric):
    again = refscore.from_signature(metric.signature)
    assert again == metric
    assert again.signature == metric.signature
    assert metric.signature.isascii()
    assert metric.signature.isprintable()


@pytest.mark.parametrize("name", oracle.PRESETS)
def test_presets(name):
    metric = BLEU.preset(name)
    assert refscore.from_signature(metric.signature) == metric
    assert refscore.from_signature(f"  {metric.signature}\n") == metric
    assert metric.signature.endswith(f"|version:{refscore.__version__}")


# sacrebleu's

SACREBLEU = [
    {},
    {"tokenize": "none"},
    {"tokenize": "intl", "lowercase": True},
    {"tokenize": "char", "effective_order": True},
    {"tokenize": "zh"},
    {"smooth_method": "none"},
    {"smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.25},
    {"smooth_method": "add-k"},
    {"smooth_method": "add-k", "smooth_value": 3, "effective_order": True, "lowercase": True},
]


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
@pytest.mark.parametrize("options", SACREBLEU, ids=str)
def test_signatures_of_sacrebleu(options, short):
    original = sacrebleu.BLEU(**options)
    theirs = original.corpus_score(HYPOTHESES, STREAM)
    text = original.get_signature().format(short=short)
    with pytest.warns(refscore.SignatureWarning, match="max_order=4") as said:
        metric = refscore.from_signature(text)
    assert len(said) == 1
    assert said[0].filename == __file__
    assert metric.corpus(HYPOTHESES, REFERENCES).percent == pytest.approx(theirs.score, rel=1e-12)
    assert metric.effective_order == options.get("effective_order", False)
    assert refscore.from_signature(metric.signature) == metric  # without a warning


def test_rounded_values_are_said():
    original = sacrebleu.BLEU(smooth_method="floor", smooth_value=0.123456)
    original.corpus_score(HYPOTHESES, STREAM)
    with pytest.warns(refscore.SignatureWarning, match="rounds the smoothing value: assumed 0.12"):
        metric = refscore.from_signature(str(original.get_signature()))
    assert metric.smoothing_value == 0.12


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
def test_sacrebleu_with_varying_references_and_bootstrap(short):
    original = sacrebleu.BLEU()
    original.corpus_score(HYPOTHESES, [STREAM[0], [None, None, "Ein Test"]], n_bootstrap=2)
    text = original.get_signature().format(short=short)
    assert "var" in text
    with pytest.warns(refscore.SignatureWarning):
        assert refscore.from_signature(text) == BLEU()


SACREBLEU_TEXT = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tok:13a", "tok:flores300", "unknown tokenizer 'flores300'; did you mean 'flores"),
        ("smooth:exp", "smooth:magic", "unknown smoothing 'magic'"),
        ("smooth:exp", "smooth:floor[x]", "number in brackets"),
        ("smooth:exp", "smooth:exp[0.1]", "takes no smoothing_value"),
        ("smooth:exp", "smooth:floor[-1]", "smoothing_value"),
        ("case:mixed", "case:upper", "case must be mixed or lc"),
        ("eff:no", "eff:maybe", "eff must be yes or no"),
        ("tok:13a|", "", "lacks tok"),
        ("case:mixed|eff:no|", "", "lacks case, eff"),
        ("case:mixed", "case:mixed|case:lc", "has 'case' twice"),
        ("case:mixed", "case:mixed|c:lc", "twice"),
        ("eff:no", "eff:no|surprise:1", "surprise"),
    ],
)
def test_broken_signatures_of_sacrebleu(old, new, message):
    assert old in SACREBLEU_TEXT
    with pytest.raises(refscore.SignatureError, match=message):
        refscore.from_signature(SACREBLEU_TEXT.replace(old, new))


# Invalid signatures of refscore


@pytest.mark.parametrize(
    "text", ["", " ", "|", "||", "bleu", "bleu|", "BLEU = 12.3", "garbage", "a:b", "13a", "bleu|13a"]
)
def test_garbage(text):
    with pytest.raises(refscore.SignatureError):
        refscore.from_signature(text)


@pytest.mark.parametrize("value", [None, 5, b"bleu", BLEU()], ids=["None", "number", "bytes", "metric"])
def test_not_text(value):
    with pytest.raises(refscore.SignatureError, match="a signature must be a string"):
        refscore.from_signature(value)


def test_unknown_metric():
    with pytest.raises(refscore.SignatureError, match=r"'bleurt'.*there are: bleu"):
        refscore.from_signature("bleurt|alpha:0.9")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("order:4", "order:4|order:4"),
        ("order:4", "order:4|surprise:1"),
        ("order:4", "order:4.0"),
        ("order:4", "order:True"),
        ("smooth:exp", "smooth:floor[0.1"),
        ("smooth:exp", "smooth:floor[0.1]]"),
        ("smooth:exp", "smooth:floor[nan]"),
        ("smooth:exp", "smooth:floor[]"),
        ("smooth:exp", "smooth:exp[0.1]"),
        ("weights:uniform", "weights:0.5,0.5"),
        ("weights:uniform", "weights:1,1,1,nan"),
        ("tok:13a", "tok:13b"),
    ],
)
def test_other_mistakes(old, new):
    text = BLEU().signature
    assert old in text
    with pytest.raises(refscore.SignatureError):
        refscore.from_signature(text.replace(old, new))


def test_functions_cannot_be_rebuilt():
    for tokenizer in (str.split, lambda text: text.split()):
        metric = BLEU(tokenizer=tokenizer)
        assert "tok:custom(" in metric.signature
        with pytest.raises(refscore.SignatureError, match="custom"):
            refscore.from_signature(metric.signature)


def test_parts():
    assert split(join("bleu", {"a": "1", "b": "x:y"})) == ("bleu", {"a": "1", "b": "x:y"})
    for value in (None, 0.1, 1.0, 1e-300, 0.30000000000000004):
        assert split_value(with_value("floor", value)) == ("floor", value)


@pytest.mark.parametrize(
    "text",
    [
        "BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0",
        "BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0 = 28.3 59.9/34.0/21.8/14.4 (BP = 1.000)",
        "BLEU+case.lc+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.intl+version.1.2.10",
        "BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.5.1 = 28.3 59.9/34.0/21.8/14.4 (BP = 1.000)",
    ],
)
def test_what_commands_of_sacrebleu_print(text):
    with pytest.warns(refscore.SignatureWarning, match="max_order=4"):
        assert refscore.from_signature(text) == refscore.BLEU(lowercase=True, tokenizer="intl")


def test_broken_signatures_of_version_1():
    for text in ("BLEU+case", "BLEU+case.lc+case.lc+smooth.exp+tok.13a", "BLEU+case.lc+tok.13a"):
        with pytest.raises(refscore.SignatureError):
            refscore.from_signature(text)
