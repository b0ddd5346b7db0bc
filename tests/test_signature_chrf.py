"""sacrebleu's signatures of chrF, parsed as settings."""

import itertools

import pytest
import sacrebleu

import refscore
from tests.sacrebleu_options import chrf_settings

CHRF = refscore.CHRF
HYPOTHESES = ["The cat sat on a mat, purring.", "It is 3.5 o'clock", "Ein Test"]
REFERENCES = ["the cat sat on the mat purring.", "It was 3.5 o'clock.", "Kein Test mehr"]
OPTIONS = [
    dict(zip(("char_order", "word_order", "lowercase", "whitespace", "eps_smoothing"), values, strict=True))
    for values in itertools.product((6, 3), (0, 2), *[(False, True)] * 3)
]

both_forms = pytest.mark.parametrize("short", [False, True], ids=["long", "short"])


@both_forms
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_without_the_name(options, short):
    original = sacrebleu.CHRF(**options)
    theirs = original.corpus_score(HYPOTHESES, [REFERENCES])
    with pytest.warns(refscore.SignatureWarning, match="omits beta: assumed beta=2") as said:
        metric = refscore.from_signature(original.get_signature().format(short=short))
    assert len(said) == 1
    assert said[0].filename == __file__
    assert metric == CHRF(**chrf_settings(**options))
    assert metric.corpus(HYPOTHESES, REFERENCES).percent == pytest.approx(theirs.score, rel=1e-12)
    assert refscore.from_signature(metric.signature) == metric  # without a warning


@both_forms
@pytest.mark.parametrize("beta", [0, 1, 2, 3, 0.5])
@pytest.mark.parametrize("word_order", [0, 1, 2, 3])
def test_with_the_name(beta, word_order, short):
    """As printed by sacrebleu's command: name, signature, and possibly the score."""
    original = sacrebleu.CHRF(beta=beta, word_order=word_order)
    score = original.corpus_score(HYPOTHESES, [REFERENCES])
    line = score.format(signature=original.get_signature().format(short=short))
    assert line.startswith(f"chrF{beta}{'+' * word_order}|")
    for text in (line, line.split(" = ")[0], f"  {line}\n"):
        assert refscore.from_signature(text) == CHRF(beta=beta, word_order=word_order)


@both_forms
def test_varying_references_and_bootstrap(short):
    original = sacrebleu.CHRF()
    original.corpus_score(HYPOTHESES, [REFERENCES, [None, None, "Ein Test"]], n_bootstrap=2)
    text = original.get_signature().format(short=short)
    assert "var" in text
    with pytest.warns(refscore.SignatureWarning, match="beta"):
        assert refscore.from_signature(text) == CHRF()


TEXT = "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("chrF2++", "chrF2", "0 pluses, but nw is 2"),
        ("chrF2++", "chrF2+++", "3 pluses"),
        ("chrF2", "chrF", "cannot be used"),
        ("chrF2", "chrFx", "cannot be used"),
        ("chrF2", "chrF-1", "beta must be"),
        ("chrF2", "chrFnan", "beta must be"),
        ("nc:6", "nc:six", "cannot be used"),
        ("nc:6", "nc:-6", "char_order must be"),
        ("nw:2", "nw:2.0", "cannot be used"),
        ("case:mixed", "case:upper", "case must be mixed or lc"),
        ("eff:yes", "eff:maybe", "eff and space must be yes or no"),
        ("space:no", "space:0", "eff and space must be yes or no"),
        ("|nc:6", "", "lacks nc"),
        ("|space:no", "", "lacks space"),
        ("space:no", "space:no|tok:13a", "has tok"),
        ("space:no", "space:no|s:no", "twice"),
        ("space:no", "space:no|space:no", "twice"),
        ("|version:2.6.0", "|2.6.0", "not have the form"),
    ],
)
def test_broken(old, new, message):
    assert refscore.from_signature(TEXT) == CHRF.preset("chrf++")
    assert old in TEXT
    with pytest.raises(refscore.SignatureError, match=message):
        refscore.from_signature(TEXT.replace(old, new))


@pytest.mark.parametrize("text", ["chrF", "chrF2", "chrF2++", "chrF2|", "chrF|", "nc:6", "nc:6|nw:0", "chrF2 = 12.3"])
def test_garbage(text):
    with pytest.raises(refscore.SignatureError):
        refscore.from_signature(text)
