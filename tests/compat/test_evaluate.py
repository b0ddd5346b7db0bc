"""The drop-in for Hugging Face's evaluate compared with the libraries that its modules call, without evaluate."""

import inspect
import math
import pickle
import re
import sys
from xml.sax.saxutils import unescape

import jiwer
import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import gleu_score, meteor_score, nist_score
from rouge_score import rouge_scorer, scoring

import refscore
from refscore.compat import evaluate
from refscore.compat.evaluate import nltk_words
from refscore.compat.evaluate.scoring import MODULES
from refscore.metrics.meteor import wordnet
from tests import strategies, wordnets
from tests.compat.programs import run
from tests.examples import examples
from tests.reference import bleu_tools

PREDICTIONS = ["hello there general kenobi", "foo bar foobar"]
REFERENCES = [["hello there general kenobi", "hello there !"], ["foo bar foobar", "foo bar foobar"]]


def compute(name, predictions, references, **options):
    return evaluate.load(name, seed=7).compute(predictions=predictions, references=references, **options)


def same(actual, expected):
    """Check equal keys in the same order, equal types except for 0, and numbers to 1e-12."""
    if isinstance(expected, dict):
        return list(actual) == list(expected) and all(same(actual[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(same, actual, expected))
    assert type(actual) is type(expected) or actual == expected
    return math.isclose(actual, expected, rel_tol=1e-12, abs_tol=1e-300)


def tokens(text):
    """Tokenize by the four rules of mteval-v13a, without stripping first."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    return western(text)


def western(text):
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def equal_groups(references):
    """Give each segment the same number of references, as sacrebleu's streams require."""
    fewest = min(map(len, references))
    groups = [group[:fewest] for group in references]
    return groups, [list(stream) for stream in zip(*groups, strict=True)]


@given(corpus=strategies.text_corpora, max_order=st.integers(1, 5), smooth=st.booleans(), split=st.booleans())
@examples(200)
def test_bleu(*, corpus, max_order, smooth, split):
    function = str.split if split else tokens
    expected = bleu_tools.nmt_bleu(
        [function(text) for text in corpus[0]], [[function(text) for text in group] for group in corpus[1]],
        max_order=max_order, smooth=smooth,
    )  # fmt: skip
    options = {"tokenizer": str.split} if split else {}
    assert same(compute("bleu", *corpus, max_order=max_order, smooth=smooth, **options), expected)


@given(corpus=strategies.text_corpora, orders=st.sampled_from([(1, 4), (2, 4), (1, 1), (2, 6)]), split=st.booleans())
@examples(100)
def test_google_bleu(*, corpus, orders, split):
    function = str.split if split else tokens
    expected = gleu_score.corpus_gleu(
        [[function(text) for text in group] for group in corpus[1]], [function(text) for text in corpus[0]], *orders
    )
    options = {"tokenizer": str.split} if split else {}
    assert same(
        compute("google_bleu", *corpus, min_len=orders[0], max_len=orders[1], **options), {"google_bleu": expected}
    )


@given(
    corpus=strategies.text_corpora,
    smooth=st.sampled_from(
        [("exp", None), ("none", None), ("floor", None), ("floor", 0.3), ("add-k", None), ("add-k", 2)]
    ),
    tokenize=st.sampled_from([None, "13a", "intl", "zh", "char", "none"]),
    lowercase=st.booleans(),
    effective=st.booleans(),
)
@examples(200)
def test_sacrebleu(*, corpus, smooth, tokenize, lowercase, effective):
    groups, streams = equal_groups(corpus[1])
    options = {"smooth_method": smooth[0], "smooth_value": smooth[1], "lowercase": lowercase}
    expected = sacrebleu.corpus_bleu(
        corpus[0], streams, tokenize=tokenize or "13a", use_effective_order=effective, force=True, **options
    )
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    actual = compute("sacrebleu", corpus[0], groups, tokenize=tokenize, use_effective_order=effective, **options)
    assert actual == {name: getattr(expected, name) for name in names}


@given(
    corpus=strategies.text_corpora,
    orders=st.tuples(st.integers(1, 6), st.integers(0, 2), st.integers(1, 3)),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
@examples(100)
def test_chrf(*, corpus, orders, flags):
    groups, streams = equal_groups(corpus[1])
    expected = sacrebleu.CHRF(*orders, *flags).corpus_score(corpus[0], streams)
    names = ("char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing")
    actual = compute("chrf", corpus[0], groups, **dict(zip(names, (*orders, *flags), strict=True)))
    assert actual == {name: getattr(expected, name) for name in ("score", "char_order", "word_order", "beta")}


@given(corpus=strategies.word_corpora, flags=st.tuples(*[st.booleans()] * 4))
@examples(100)
def test_ter(*, corpus, flags):
    texts = [" ".join(words) for words in corpus[0]]
    groups, streams = equal_groups([[" ".join(words) for words in group] for group in corpus[1]])
    expected = sacrebleu.TER(*flags).corpus_score(texts, streams)
    names = ("normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive")
    actual = compute("ter", texts, groups, **dict(zip(names, flags, strict=True)))
    assert actual == {name: getattr(expected, name) for name in ("score", "num_edits", "ref_length")}


class Splitting:
    """A tokenizer with rouge-score's interface."""

    def tokenize(self, text):
        return text.split()


@given(
    corpus=strategies.text_corpora,
    types=st.lists(st.sampled_from(["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]), min_size=1, unique=True),
    stem=st.booleans(),
    split=st.booleans(),
)
@examples(30)
def test_rouge(*, corpus, types, stem, split):
    scorer = rouge_scorer.RougeScorer(types, use_stemmer=stem, tokenizer=Splitting() if split else None)
    aggregator = scoring.BootstrapAggregator()
    scores = [scorer.score_multi(group, text) for text, group in zip(*corpus, strict=True)]
    for score in scores:
        aggregator.add_scores(score)
    np.random.seed(7)
    expected = {name: aggregate.mid.fmeasure for name, aggregate in aggregator.aggregate().items()}
    options = {"rouge_types": types, "use_stemmer": stem, **({"tokenizer": str.split} if split else {})}
    assert same(compute("rouge", *corpus, **options), expected)
    each = {name: [score[name].fmeasure for score in scores] for name in types}
    assert same(compute("rouge", *corpus, use_aggregator=False, **options), each)


def test_rouge_is_the_same_each_time_and_leaves_numpys_generator_alone():
    module = evaluate.load("rouge")
    np.random.seed(3)
    expected = np.random.random()
    np.random.seed(3)
    corpus = {"predictions": ["a b", "c d e"], "references": ["a c", "c d"]}
    first = module.compute(**corpus)
    assert np.random.random() == expected
    assert module.compute(**corpus) == first
    assert list(first) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@pytest.mark.parametrize(("name", "process"), [("wer", jiwer.process_words), ("cer", jiwer.process_characters)])
def test_error_rates(name, process):
    @given(corpus=strategies.text_corpora)
    @examples(150)
    def check(corpus):
        texts, references = corpus[0], [group[0] for group in corpus[1]]
        counts = [process(*pair) for pair in zip(references, texts, strict=True)]
        wrong = sum(count.substitutions + count.deletions + count.insertions for count in counts)
        total = sum(count.substitutions + count.deletions + count.hits for count in counts)
        if total:
            assert same(compute(name, texts, references), wrong / total)
        else:
            with pytest.raises(ZeroDivisionError):
                compute(name, texts, references)
        assert same(compute(name, texts, references, concatenate_texts=True), getattr(process(references, texts), name))

    check()


def nist_words(text, lowercase, is_western):
    text = unescape(
        text.replace("<skipped>", ""), {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"}
    ).replace("\u2028", " ")
    if not is_western:
        return text.split()
    return western(text.lower() if lowercase else text)


@given(corpus=strategies.text_corpora, n=st.integers(1, 5), flags=st.tuples(st.booleans(), st.booleans()))
@examples(150)
def test_nist_mt(*, corpus, n, flags):
    hypotheses = [nist_words(text, *flags) for text in corpus[0]]
    references = [[nist_words(text, *flags) for text in group] for group in corpus[1]]
    options = {"n": n, "lowercase": flags[0], "western_lang": flags[1]}
    try:
        expected = nist_score.corpus_nist(references, hypotheses, n)
    except ZeroDivisionError:  # no reference has words
        return
    assert same(compute("nist_mt", *corpus, **options), {"nist_mt": float(expected)})


def test_meteor(monkeypatch):
    """Use a small WordNet and words split at whitespace, because NLTK's data may be missing."""
    monkeypatch.setattr(wordnet, "reader", lambda: wordnets.SMALL)
    monkeypatch.setattr("refscore.compat.evaluate.scoring.words", str.split)
    predictions, references = (
        ["The big Dogs ran home", "a great hound"],
        [["the large dog went home", "x"], ["a fine dog"]],
    )
    options = {"alpha": 0.8, "beta": 2, "gamma": 0.4}
    scores = [
        meteor_score.meteor_score([text.split() for text in group], text.split(), wordnet=wordnets.SMALL, **options)
        for text, group in zip(predictions, references, strict=True)
    ]
    assert same(compute("meteor", predictions, references, **options), {"meteor": np.mean(scores)})
    first = [group[0] for group in references]
    assert same(compute("meteor", predictions, first), compute("meteor", predictions, [[text] for text in first]))


def test_words_need_data(monkeypatch):
    import nltk

    def missing(text):
        raise LookupError

    monkeypatch.setattr(nltk, "word_tokenize", missing)
    with pytest.raises(refscore.NotInstalledError, match=r"python -m nltk\.downloader punkt_tab"):
        nltk_words.words("a b")
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(refscore.NotInstalledError, match=r"refscore\[wordnet\]"):
        nltk_words.words("a b")


OPTIONS = {
    "bleu": ["tokenizer", "max_order", "smooth"],
    "cer": ["concatenate_texts"],
    "chrf": ["char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"],
    "google_bleu": ["tokenizer", "min_len", "max_len"],
    "meteor": ["alpha", "beta", "gamma"],
    "nist_mt": ["n", "lowercase", "western_lang"],
    "rouge": ["rouge_types", "use_aggregator", "use_stemmer", "tokenizer"],
    "sacrebleu": ["smooth_method", "smooth_value", "force", "lowercase", "tokenize", "use_effective_order"],
    "ter": ["normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive"],
    "wer": ["concatenate_texts"],
}


@pytest.mark.parametrize("name", list(OPTIONS))
def test_options_are_those_of_the_hub(name):
    assert list(MODULES) == sorted(OPTIONS)
    assert list(inspect.signature(MODULES[name]).parameters) == ["predictions", "references", *OPTIONS[name]]
    with pytest.raises(TypeError, match="unknown_option"):
        compute(name, ["a b"], ["a b"], unknown_option=1)


# The examples of the module cards.
def test_documented_calls():
    assert compute("bleu", PREDICTIONS, REFERENCES)["bleu"] == 1.0
    assert compute("rouge", PREDICTIONS, PREDICTIONS) == dict.fromkeys(("rouge1", "rouge2", "rougeL", "rougeLsum"), 1.0)
    results = compute("sacrebleu", PREDICTIONS, REFERENCES)
    assert round(results["score"], 1) == 100.0
    predictions = ["hello there general kenobi", "on our way to ankh morpork"]
    references = [["hello there general kenobi", "hello there !"], ["goodbye ankh morpork", "ankh morpork"]]
    assert round(compute("sacrebleu", predictions, references)["score"], 1) == 39.8
    predictions = ["this is the prediction", "there is an other sample"]
    references = ["this is the reference", "there is another one"]
    assert compute("wer", predictions, references) == 0.5
    assert compute("cer", predictions, references) == pytest.approx(0.34146341463414637, rel=1e-12)
    predictions = [
        "does this sentence match??",
        "what about this sentence?",
        "What did the TER metric user say to the developer?",
    ]
    references = [
        ["does this sentence match", "does this sentence match!?!"],
        ["wHaT aBoUt ThIs SeNtEnCe?", "wHaT aBoUt ThIs SeNtEnCe?"],
        ["Your jokes are...", "...TERrible"],
    ]
    expected = {"score": 150.0, "num_edits": 15, "ref_length": 10.0}
    assert compute("ter", predictions, references, case_sensitive=True) == expected
    predictions = [
        "The relationship between cats and dogs is not exactly friendly.",
        "a good bookshop is just a genteel black hole that knows how to read.",
    ]
    references = [
        ["The relationship between dogs and cats is not exactly friendly."],
        ["A good bookshop is just a genteel Black Hole that knows how to read."],
    ]
    assert same(
        compute("chrf", predictions, references),
        {"score": 84.64214891738334, "char_order": 6, "word_order": 0, "beta": 2},
    )
    hypothesis = "It is a guide to action which ensures that the military always obeys the commands of the party"
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    assert same(compute("nist_mt", [hypothesis], [references]), {"nist_mt": 3.3709935957649324})
    assert same(compute("nist_mt", [hypothesis], references[:1]), {"nist_mt": 2.4477124183006533})


def test_adding():
    module = evaluate.load("bleu")
    module.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    module.add_batch(predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    assert len(module) == 2
    assert module.compute() == compute("bleu", PREDICTIONS, REFERENCES)
    assert len(module) == 0
    module.add(predictions=PREDICTIONS[0], references=REFERENCES[0])  # as combined modules call it
    assert module.compute(predictions=PREDICTIONS[1:], references=REFERENCES[1:])["translation_length"] == 7
    assert compute("bleu", tuple(PREDICTIONS), np.array(["a b c d", "e"])) == compute(
        "bleu", PREDICTIONS, ["a b c d", "e"]
    )


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"predictions": ["a"], "references": [["a"], ["b"]]}, r"mismatch in the number of predictions \(1\) and ref"),
        ({"predictions": ["a", "b"], "references": ["a", ["b"]]}, "pass only strings, or only lists"),
        ({"predictions": [], "references": []}, "there are no segments"),
        ({}, "there are no segments"),
    ],
)
def test_mistakes(inputs, message):
    module = evaluate.load("bleu")
    with pytest.raises(refscore.InputError, match=message):
        module.compute(**inputs)
    assert module.compute(predictions=["a b c d"], references=["a b c d"])["bleu"] == 1.0


def test_other_mistakes():
    for name in ("sacrebleu", "chrf", "ter"):
        with pytest.raises(ValueError, match=f"different numbers of references, which {name} does not accept"):
            compute(name, ["a", "b"], [["a", "b"], ["b"]])
    for name in ("wer", "cer"):
        with pytest.raises(refscore.InputError, match=f"{name} accepts only one reference"):
            compute(name, ["a"], [["a"]])
    with pytest.raises(refscore.UnknownNameError, match="did you mean 'rougeL'"):
        compute("rouge", ["a"], ["a"], rouge_types=["rougel", "L"])
    with pytest.raises(refscore.UnknownNameError, match="unknown tokenizer '13'"):
        compute("sacrebleu", ["a"], ["a"], tokenize="13")
    with pytest.raises(refscore.InputError, match="not words"):
        evaluate.load("bleu").add_batch(predictions=["a"], references=["a"], words=3)


def test_loading():
    with pytest.raises(refscore.UnknownNameError, match=r"unknown evaluation module 'belu'; did you mean 'bleu'"):
        evaluate.load("belu")
    with pytest.raises(refscore.UnknownNameError):
        evaluate.script("belu")
    with pytest.raises(refscore.SettingError, match="is a metric, not a comparison"):
        evaluate.load("bleu", module_type="comparison")
    with pytest.raises(refscore.SettingError, match=r"refscore\[evaluate\]"):
        evaluate.load("bleu", num_process=2, process_id=1)
    module = evaluate.load("chrf", "default", module_type="metric", keep_in_memory=True, experiment_id="one")
    assert (module.name, module.module_type, module.experiment_id) == ("chr_f", "metric", "one")
    assert module.description.startswith("Compute chrF like sacrebleu")
    assert "char_order" in module.inputs_description
    assert module.citation.count("@misc{chrf-") == 3
    assert all(f"({year})" in module.citation for year in (2015, 2017, 2018))
    assert all(evaluate.load(name).citation.startswith(f"@misc{{{name}-1, note = {{") for name in MODULES)
    assert repr(module) == 'EvaluationModule(name: "chr_f", module_type: "metric", stored examples: 0)'
    assert pickle.loads(pickle.dumps(module)).compute(predictions=["a"], references=["a"])["score"] == 100


def test_combining():
    combined = evaluate.combine(["chrf", "ter", evaluate.load("bleu")])
    combined.add(prediction="a b c d", reference=["a b c d"])
    combined.add_batch(predictions=["x"], references=[["x"]])
    results = combined.compute()
    assert results["chr_f_score"] == 100 and results["ter_score"] == 0 and results["bleu"] == 1.0
    named = evaluate.combine({"one": "chrf", "two": "chrf"}, force_prefix=True)
    assert set(named.compute(predictions=["a"], references=["a"])) >= {"one_score", "two_beta"}
    twice = evaluate.combine(["chrf", "chrf"]).compute(predictions=["a"], references=["a"])
    assert set(twice) >= {"chr_f_0_score", "chr_f_1_score"}
    with pytest.raises(refscore.SettingError, match="wer returns a number"):
        evaluate.combine(["chrf", "wer"]).compute(predictions=["a"], references=["a"])
    with pytest.raises(refscore.SettingError, match="a list or a dictionary"):
        evaluate.combine("chrf")


def test_without_hugging_faces_packages():
    """The replacement is `evaluate` itself if there is no other, until it is uninstalled."""
    code = """
        import sys
        sys.modules["evaluate"] = sys.modules["datasets"] = None
        from refscore import compat
        compat.install("evaluate")
        import evaluate
        print(evaluate.load("bleu").compute(predictions=["a b c d"], references=["a b c d"])["bleu"])
        compat.install("evaluate")
        compat.uninstall("evaluate")
        try:
            import evaluate.nothing
        except ImportError:
            print("gone")
        try:
            import refscore.compat.evaluate.hub
        except ImportError as error:
            print("pip install 'refscore[evaluate]'" in str(error))
    """
    assert run(code).split() == ["1.0", "gone", "True"]
