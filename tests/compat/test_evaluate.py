"""The drop-in for Hugging Face's evaluate compared with the libraries that its modules call, without evaluate."""

import inspect
import math
import pickle
import sys
from itertools import chain

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from nltk.translate import meteor_score
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import refscore
from refscore.compat import evaluate
from refscore.compat.evaluate import scoring
from refscore.compat.evaluate.scoring import MODULES
from refscore.metrics.meteor import wordnet
from tests import strategies, wordnets
from tests.compat import nltk_inputs
from tests.compat.evaluate_oracles import ORACLES
from tests.compat.programs import run
from tests.derived_sources import sources_of
from tests.examples import examples
from tests.reference.sari import ratio_operations

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


OPTIONS = {
    "bleu": "tokenizer max_order smooth",
    "cer": "concatenate_texts",
    "character": "aggregate return_all_scores",
    "chrf": "char_order word_order beta lowercase whitespace eps_smoothing",
    "exact_match": "regexes_to_ignore ignore_case ignore_punctuation ignore_numbers",
    "google_bleu": "tokenizer min_len max_len",
    "meteor": "alpha beta gamma",
    "nist_mt": "n lowercase western_lang",
    "rouge": "rouge_types use_aggregator use_stemmer tokenizer",
    "sacrebleu": "smooth_method smooth_value force lowercase tokenize use_effective_order",
    "sari": "sources",
    "squad": "",
    "squad_v2": "no_answer_threshold",
    "ter": "normalized ignore_punct support_zh_ja_chars case_sensitive",
    "wer": "concatenate_texts",
}
# Other options are true or false. None: the option is left out.
VALUES = {
    **{"tokenizer": st.sampled_from([None, str.split]), "max_order": st.integers(1, 5), "n": st.integers(1, 5)},
    **{"min_len": st.integers(1, 2), "max_len": st.sampled_from([2, 4, 6])},
    **{"char_order": st.integers(1, 6), "word_order": st.integers(0, 2), "beta": st.integers(1, 3)},
    "rouge_types": st.lists(
        st.sampled_from(["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]), min_size=1, unique=True
    ),
    "smooth_method": st.sampled_from(["exp", "none", "floor", "add-k"]),
    "smooth_value": st.sampled_from([None, 0.3, 2]),
    "aggregate": st.sampled_from([None, "mean", "sum", "median"]),
    "tokenize": st.sampled_from([None, "13a", "intl", "zh", "char", "none"]),
}


@pytest.mark.parametrize("name", ORACLES)
@given(corpus=strategies.text_corpora, data=st.data())
@examples(150)
def test_scores(name, corpus, data):
    texts, groups = corpus
    drawn = {option: data.draw(VALUES.get(option, st.booleans()), option) for option in OPTIONS[name].split()}
    options = {option: value for option, value in drawn.items() if value is not None}
    if name in ("wer", "cer"):
        groups = [group[0] for group in groups]
    if name in ("sacrebleu", "chrf", "ter"):
        groups = [group[: min(map(len, corpus[1]))] for group in groups]
    assume(name != "ter" or all(len(text) < 200 for text in (*texts, *chain(*groups))))  # sacrebleu takes seconds
    try:
        expected = ORACLES[name](texts, groups, **options)
    except ZeroDivisionError:  # no reference has words
        if name != "nist_mt":
            with pytest.raises(ZeroDivisionError):
                compute(name, texts, groups, **options)
        return
    assert same(compute(name, texts, groups, **options), expected)


@pytest.mark.parametrize("name", OPTIONS)
def test_options_are_those_of_the_hub(name):
    assert list(MODULES) == sorted(OPTIONS)
    assert list(inspect.signature(MODULES[name].compute).parameters) == [
        "predictions",
        "references",
        *OPTIONS[name].split(),
    ]
    with pytest.raises(TypeError, match="unknown_option"):
        MODULES[name].compute(["a b"], ["a b"], unknown_option=1)


@given(corpus=strategies.text_corpora)
@examples(100)
def test_sari(corpus):
    predictions, references = corpus
    sources = sources_of(references)
    tokenize = Tokenizer13a()

    def words(text):
        return tokenize(text.lower()).split()

    scores = [
        sum(ratio_operations(words(source), words(text), [*map(words, group)], undefined=1, keep_recall="counts")) / 3
        for source, text, group in zip(sources, predictions, references, strict=True)
    ]
    expected = {"sari": 100 * sum(scores) / len(scores)}
    assert same(compute("sari", predictions, references, sources=sources), expected)
    module = evaluate.load("sari")
    for text, group, source in zip(predictions, references, sources, strict=True):
        module.add(prediction=text, reference=group, sources=source)
    assert same(module.compute(), expected)


def test_mistakes_of_sari():
    for options, problem in [
        ({}, "sources"),
        ({"sources": ["a", "b"]}, "predictions \\(1\\) and sources \\(2\\)"),
        ({"sources": [5]}, r"sources\[0\] must be a string"),
    ]:
        with pytest.raises(refscore.InputError, match=problem):
            compute("sari", ["a"], [["a"]], **options)
    with pytest.raises(refscore.InputError, match="not sources"):
        evaluate.load("bleu").add(prediction="a", reference="a", sources="a")


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


def test_meteor(monkeypatch):
    """Use a small WordNet and words split at whitespace, because NLTK's data may be missing."""
    monkeypatch.setattr(wordnet, "reader", lambda: wordnets.SMALL)
    monkeypatch.setattr("refscore.compat.evaluate.scoring._words", str.split)
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
    with pytest.raises(refscore.errors.NotInstalledError, match=r"python -m nltk\.downloader punkt_tab"):
        scoring._words("a b")
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[wordnet\]"):
        scoring._words("a b")


KENOBI = ["hello there general kenobi", "hello there !"]
PREDICTION, OTHER = (
    ["this is the prediction", "there is an other sample"],
    ["this is the reference", "there is another one"],
)
TER = ["does this sentence match??", "what about this sentence?", "What did the TER metric user say to the developer?"]
TER_REFERENCES = [
    ["does this sentence match", "does this sentence match!?!"],
    ["wHaT aBoUt ThIs SeNtEnCe?", "wHaT aBoUt ThIs SeNtEnCe?"],
    ["Your jokes are...", "...TERrible"],
]
CHRF = [
    "The relationship between cats and dogs is not exactly friendly.",
    "a good bookshop is just a genteel black hole that knows how to read.",
]
CHRF_REFERENCES = [
    ["The relationship between dogs and cats is not exactly friendly."],
    ["A good bookshop is just a genteel Black Hole that knows how to read."],
]
GUIDE, GUIDES = " ".join(nltk_inputs.GUIDE), [" ".join(words) for words in nltk_inputs.GUIDE_REFERENCES]


@pytest.mark.parametrize(
    ("name", "predictions", "references", "options", "expected"),
    [
        ("bleu", PREDICTIONS, REFERENCES, {}, {"bleu": 1.0}),
        ("rouge", PREDICTIONS, PREDICTIONS, {}, dict.fromkeys(("rouge1", "rouge2", "rougeL", "rougeLsum"), 1.0)),
        ("sacrebleu", PREDICTIONS, REFERENCES, {}, {"score": 100.0}),
        (
            *("sacrebleu", [KENOBI[0], "on our way to ankh morpork"]),
            *([KENOBI, ["goodbye ankh morpork", "ankh morpork"]], {}, {"score": 39.8}),
        ),
        ("wer", PREDICTION, OTHER, {}, 0.5),
        ("cer", PREDICTION, OTHER, {}, 0.34146341463414637),
        (
            *("ter", TER, TER_REFERENCES, {"case_sensitive": True}),
            {"score": 150.0, "num_edits": 15, "ref_length": 10.0},
        ),
        (
            *("chrf", CHRF, CHRF_REFERENCES, {}),
            {"score": 84.64214891738334, "char_order": 6, "word_order": 0, "beta": 2},
        ),
        ("nist_mt", [GUIDE], [GUIDES], {}, {"nist_mt": 3.3709935957649324}),
        ("nist_mt", [GUIDE], GUIDES[:1], {}, {"nist_mt": 2.4477124183006533}),
    ],
)
def test_examples_of_the_module_cards(name, predictions, references, options, expected):
    result = compute(name, predictions, references, **options)
    if name == "sacrebleu":  # the card rounds
        result = {"score": round(result["score"], 1)}
    assert same({key: result[key] for key in expected} if isinstance(expected, dict) else result, expected)


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
    ("name", "predictions", "references", "options"),
    [
        ("bleu", ["a"], [["a"], ["b"]], {}),
        ("bleu", ["a", "b"], ["a", ["b"]], {}),
        ("bleu", [], [], {}),
        *((name, ["a", "b"], [["a", "b"], ["b"]], {}) for name in ("sacrebleu", "chrf", "ter")),
        *((name, ["a"], [["a"]], {}) for name in ("wer", "cer")),
        ("rouge", ["a"], ["a"], {"rouge_types": ["rougel", "L"]}),
        ("sacrebleu", ["a"], ["a"], {"tokenize": "13"}),
    ],
)
def test_mistakes(name, predictions, references, options):
    with pytest.raises(refscore.RefscoreError) as caught:
        compute(name, predictions, references, **options)
    assert isinstance(caught.value, refscore.errors.UnknownNameError if options else refscore.InputError)


def test_a_mistake_leaves_no_segments():
    module = evaluate.load("bleu")
    with pytest.raises(refscore.InputError, match="no segments"):
        module.compute()
    with pytest.raises(refscore.InputError):
        module.compute(predictions=["a"], references=[["a"], ["b"]])
    with pytest.raises(refscore.InputError, match="words"):
        module.add_batch(predictions=["a"], references=["a"], words=3)
    assert module.compute(predictions=["a b c d"], references=["a b c d"])["bleu"] == 1.0


def test_loading():
    with pytest.raises(refscore.errors.UnknownNameError, match="did you mean 'bleu'"):
        evaluate.load("belu")
    with pytest.raises(refscore.errors.UnknownNameError):
        evaluate.script("belu")
    with pytest.raises(refscore.SettingError, match="comparison"):
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
