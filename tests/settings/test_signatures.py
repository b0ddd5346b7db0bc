"""Signatures: settings to text and back, and sacrebleu's signatures."""

import itertools

import pytest
import sacrebleu
from hypothesis import given, strategies as st

import refscore
from tests.examples import examples
from tests.reference import bleu as oracle
from tests.sacrebleu_options import chrf_settings

BLEU, CHRF = refscore.BLEU, refscore.CHRF
HYPOTHESES = ["The cat sat on a mat, purring.", "It is 3.5 o'clock", "Ein Test"]
REFERENCES = ["the cat sat on the mat purring.", "It was 3.5 o'clock.", "Kein Test mehr"]


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


def test_whitespace_around_a_signature():
    assert refscore.from_signature(f"  {BLEU().signature}\n") == BLEU()
    assert BLEU().signature.endswith(f"|version:{refscore.__version__}")


# sacrebleu's

both_forms = pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
CHRF_OPTIONS = ("char_order", "word_order", "lowercase", "whitespace", "eps_smoothing")
OPTIONS = [
    *(
        (sacrebleu.BLEU, options)
        for options in [
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
    ),
    *(
        (sacrebleu.CHRF, dict(zip(CHRF_OPTIONS, values, strict=True)))
        for values in itertools.product((6, 3), (0, 2), *[(False, True)] * 3)
    ),
]


@both_forms
@pytest.mark.parametrize(("kind", "options"), OPTIONS, ids=str)
def test_signatures_of_sacrebleu(kind, options, short):
    original = kind(**options)
    theirs = original.corpus_score(HYPOTHESES, [REFERENCES])
    omitted = "max_order=4" if kind is sacrebleu.BLEU else "beta=2"
    with pytest.warns(refscore.errors.SignatureWarning, match=omitted) as said:
        metric = refscore.from_signature(original.get_signature().format(short=short))
    assert [warning.filename for warning in said] == [__file__]
    assert metric.corpus(HYPOTHESES, REFERENCES).percent == pytest.approx(theirs.score, rel=1e-12)
    if kind is sacrebleu.BLEU:
        assert metric.effective_order == options.get("effective_order", False)
    else:
        assert metric == CHRF(**chrf_settings(**options))
    assert refscore.from_signature(metric.signature) == metric  # without a warning


@both_forms
@pytest.mark.parametrize("beta", [0, 1, 2, 3, 0.5])
@pytest.mark.parametrize("word_order", [0, 1, 2, 3])
def test_signatures_of_sacrebleu_with_the_name_of_chrf(beta, word_order, short):
    """As printed by sacrebleu's command: name, signature, and possibly the score."""
    original = sacrebleu.CHRF(beta=beta, word_order=word_order)
    score = original.corpus_score(HYPOTHESES, [REFERENCES])
    line = score.format(signature=original.get_signature().format(short=short))
    assert line.startswith(f"chrF{beta}{'+' * word_order}|")
    for text in (line, line.split(" = ")[0], f"  {line}\n"):
        assert refscore.from_signature(text) == CHRF(beta=beta, word_order=word_order)


def test_rounded_values_are_said():
    original = sacrebleu.BLEU(smooth_method="floor", smooth_value=0.123456)
    original.corpus_score(HYPOTHESES, [REFERENCES])
    with pytest.warns(refscore.errors.SignatureWarning, match=r"smoothing.*0\.12"):
        metric = refscore.from_signature(str(original.get_signature()))
    assert metric.smoothing_value == 0.12


@both_forms
@pytest.mark.parametrize(("kind", "metric"), [(sacrebleu.BLEU, BLEU()), (sacrebleu.CHRF, CHRF())])
def test_sacrebleu_with_varying_references_and_bootstrap(kind, metric, short):
    original = kind()
    original.corpus_score(HYPOTHESES, [REFERENCES, [None, None, "Ein Test"]], n_bootstrap=2)
    text = original.get_signature().format(short=short)
    assert "var" in text
    with pytest.warns(refscore.errors.SignatureWarning):
        assert refscore.from_signature(text) == metric


SACREBLEU_TEXT = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
CHRF_TEXT = "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0"


@pytest.mark.parametrize(
    ("text", "old", "new", "named"),
    [
        (SACREBLEU_TEXT, "tok:13a", "tok:flores300", "'flores300'.*'flores"),
        (SACREBLEU_TEXT, "smooth:exp", "smooth:magic", "'magic'"),
        (SACREBLEU_TEXT, "smooth:exp", "smooth:floor[x]", r"floor\[x\]"),
        (SACREBLEU_TEXT, "smooth:exp", "smooth:exp[0.1]", "smoothing_value"),
        (SACREBLEU_TEXT, "smooth:exp", "smooth:floor[-1]", "smoothing_value"),
        (SACREBLEU_TEXT, "case:mixed", "case:upper", "case"),
        (SACREBLEU_TEXT, "eff:no", "eff:maybe", "eff"),
        (SACREBLEU_TEXT, "tok:13a|", "", "tok"),
        (SACREBLEU_TEXT, "case:mixed|eff:no|", "", "case, eff"),
        (SACREBLEU_TEXT, "case:mixed", "case:mixed|case:lc", "'case'"),
        (SACREBLEU_TEXT, "case:mixed", "case:mixed|c:lc", "case"),
        (SACREBLEU_TEXT, "eff:no", "eff:no|surprise:1", "surprise"),
        (CHRF_TEXT, "chrF2++", "chrF2", "nw"),
        (CHRF_TEXT, "chrF2++", "chrF2+++", "nw"),
        (CHRF_TEXT, "chrF2", "chrF", None),
        (CHRF_TEXT, "chrF2", "chrFx", None),
        (CHRF_TEXT, "chrF2", "chrF-1", "beta"),
        (CHRF_TEXT, "chrF2", "chrFnan", "beta"),
        (CHRF_TEXT, "nc:6", "nc:six", None),
        (CHRF_TEXT, "nc:6", "nc:-6", "char_order"),
        (CHRF_TEXT, "nw:2", "nw:2.0", None),
        (CHRF_TEXT, "case:mixed", "case:upper", "case"),
        (CHRF_TEXT, "eff:yes", "eff:maybe", "eff"),
        (CHRF_TEXT, "space:no", "space:0", "space"),
        (CHRF_TEXT, "|nc:6", "", "nc"),
        (CHRF_TEXT, "|space:no", "", "space"),
        (CHRF_TEXT, "space:no", "space:no|tok:13a", "tok"),
        (CHRF_TEXT, "space:no", "space:no|s:no", "space"),
        (CHRF_TEXT, "space:no", "space:no|space:no", "space"),
        (CHRF_TEXT, "|version:2.6.0", "|2.6.0", None),
    ],
)
def test_broken_signatures_of_sacrebleu(text, old, new, named):
    assert old in text
    with pytest.raises(refscore.errors.SignatureError, match=named):
        refscore.from_signature(text.replace(old, new))


# Invalid signatures of refscore


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "|", "||", "bleu", "bleu|", "BLEU = 12.3", "garbage", "a:b", "13a", "bleu|13a"),
        *("chrF", "chrF2", "chrF2++", "chrF2|", "chrF|", "nc:6", "nc:6|nw:0", "chrF2 = 12.3"),
        *("BLEU+case", "BLEU+case.lc+case.lc+smooth.exp+tok.13a", "BLEU+case.lc+tok.13a"),
        *(None, 5, b"bleu", BLEU()),
    ],
    ids=repr,
)
def test_garbage(text):
    with pytest.raises(refscore.errors.SignatureError):
        refscore.from_signature(text)


def test_unknown_metric():
    with pytest.raises(refscore.errors.SignatureError, match=r"'bleurt'.*bleu"):
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
    with pytest.raises(refscore.errors.SignatureError):
        refscore.from_signature(text.replace(old, new))


def test_functions_cannot_be_rebuilt():
    for tokenizer in (str.split, lambda text: text.split()):
        metric = BLEU(tokenizer=tokenizer)
        assert "tok:custom(" in metric.signature
        with pytest.raises(refscore.errors.SignatureError, match="custom"):
            refscore.from_signature(metric.signature)


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
    with pytest.warns(refscore.errors.SignatureWarning, match="max_order=4"):
        assert refscore.from_signature(text) == refscore.BLEU(lowercase=True, tokenizer="intl")
