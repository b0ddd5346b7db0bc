"""rouge-score's interface in refscore compared with rouge-score: scores, tokens, bounds and files."""

import inspect
import pickle
import random
import subprocess
import sys

import nltk
import numpy as np
import pytest
from hypothesis import given
from nltk.stem.porter import PorterStemmer
from rouge_score import io, rouge_scorer, scoring, tokenize, tokenizers

import refscore
from refscore import compat
from refscore.compat.rouge_score import (
    rouge_scorer as our_scorer,
    scoring as our_scoring,
    tokenize as our_tokenize,
    tokenizers as our_tokenizers,
)
from tests import strategies
from tests.compat.alike import parameters
from tests.examples import examples

TYPES = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]
USUAL = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
OURS = (our_scorer, our_scoring, our_tokenize, our_tokenizers)
THEIRS = (rouge_scorer, scoring, tokenize, tokenizers)
SCORERS = (our_scorer, rouge_scorer)


class Characters(tokenizers.Tokenizer):
    """Tokens that include line breaks."""

    def tokenize(self, text):
        return list(text)


class Numbers:
    """Tokens that are not strings."""

    def tokenize(self, text):
        return [ord(c) % 7 for c in text]


def both(types, **options):
    """Return a scorer of each library; the tokenizer "default" is the library's."""
    for module, kinds in zip(SCORERS, (our_tokenizers, tokenizers), strict=True):
        tokenizer = {"tokenizer": kinds.DefaultTokenizer(True)} if options.get("tokenizer") == "default" else {}
        yield module.RougeScorer(types, **{**options, **tokenizer})


PAIRS = {
    "plain": tuple(both(TYPES)),
    "stemmed": tuple(both(TYPES, use_stemmer=True)),
    "default tokenizer": tuple(both(USUAL, tokenizer="default")),
    "characters": tuple(both(USUAL, tokenizer=Characters())),
    "numbers": tuple(both(USUAL, tokenizer=Numbers())),
    "lines alone": tuple(both(["rougeLsum"], tokenizer=Characters())),
    "nothing": tuple(both([])),
}
ALL_PAIRS = pytest.mark.parametrize(("scorer", "original"), PAIRS.values(), ids=list(PAIRS))


def check(scorer, original, targets, prediction):
    for call, target in (("score", targets[0]), ("score_multi", targets)):
        scores, expected = (getattr(library, call)(target, prediction) for library in (scorer, original))
        assert repr(scores) == repr(expected)  # types and order too: values are integers if a side has no words
        assert scores == expected


@ALL_PAIRS
@given(segment=strategies.text_segment())
@examples(60)
def test_awkward_text(scorer, original, segment):
    check(scorer, original, segment[1], segment[0])


CASES = [
    *(([""], ""), (["a"], ""), (["", "a b"], "a"), (["", "x"], "a"), (["x", ""], "a"), (["!?", "..."], "¿")),
    *((["\n\n"], "\n"), (["你好"], "你好"), (["abcd", "abdc"], "dcba")),
    (["The quick brown fox jumps over the lazy dog"], "The quick brown dog jumps on the log."),
    (["w1 w2 w3 w4 w5"], "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"),
    (["one two. three\nfour", "one\ntwo"], "two one\n\nthree"),
]
WORDS = "the a of Generally speaking relational conditional flies dying agreed happy skies 3rd 2020s x9y don't".split()  # noqa: SIM905


def generated(seed, size, longest):
    generator = random.Random(seed)

    def text():
        lines = [generator.choices(WORDS, k=generator.randrange(longest)) for _ in range(generator.randint(1, 3))]
        return "\n".join(map(" ".join, lines))

    return [([text() for _ in range(generator.randint(1, 3))], text()) for _ in range(size)]


@ALL_PAIRS
def test_cases_and_generated_text(scorer, original):
    for targets, prediction in (*CASES, *generated(50, 50, 8)):
        check(scorer, original, targets, prediction)


@pytest.mark.parametrize("tokenizer", [None, Characters()])
def test_sentences_are_split(tokenizer, monkeypatch):
    """Split sentences without data; a sentence may contain a line break."""
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: [part.strip() for part in text.split(".")])
    scorers = tuple(both(USUAL, use_stemmer=True, split_summaries=True, tokenizer=tokenizer))
    for target, prediction in [
        ("A cat sat. A dog\nran. It rained.", "It rained.\nA dog ran"),
        ("one. two", ""),
        (".", "a"),
        ("a\nb. c\nd", "b a. d c"),
    ]:
        check(*scorers, [target, prediction, "a b"], prediction)


def test_sentences_need_nltk(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    scorer = our_scorer.RougeScorer(["rouge1", "rougeLsum"], split_summaries=True)
    with pytest.raises(refscore.errors.NotInstalledError, match=r"pip install 'refscore\[sentences\]'"):
        scorer.score("a. b.", "a.")
    scorer.rouge_types = ["rouge1"]
    assert scorer.score("a. b.", "a.")["rouge1"].precision == 1


@pytest.mark.parametrize("name", ["rouge", "rouge0", "rouge10", "rougel", "rougeLSum", "Rouge1", ""])
def test_unknown_types(name):
    for scorer in both(["rouge1", name]):
        with pytest.raises(ValueError, match="rouge"):
            scorer.score("a", "a")
        scorer.rouge_types = ["rougeL"]
        assert scorer.score("a", "a")["rougeL"].fmeasure == 1


def test_what_is_no_text():
    for scorer in PAIRS["plain"]:
        for text in (None, 3, ["a"]):
            for arguments in ((text, "a"), ("a", text)):
                with pytest.raises(AttributeError):
                    scorer.score(*arguments)
        with pytest.raises(ValueError):  # noqa: PT011 - NumPy's own there
            scorer.score_multi([], "a")
    scorer, original = PAIRS["plain"]
    pair = ("Ein Café, GRÖSSE 3\nzwei".encode(), b"ein caf 3\n\nzwei")
    assert scorer.score(*pair) == original.score(*pair)
    for call, target in ((scorer.score, None), (scorer.score, b"\xff"), (scorer.score_multi, [])):
        with pytest.raises(refscore.InputError, match="target"):
            call(target, "a")


@pytest.mark.parametrize(("module", "original"), [*zip(OURS, THEIRS, strict=True)], ids=lambda module: module.__name__)
def test_names_and_signatures(module, original):
    for name in module.__all__:
        theirs, value = getattr(original, name), getattr(module, name)
        if isinstance(theirs, str):
            assert value == theirs
        elif callable(theirs):
            assert parameters(value) == parameters(theirs)
        for method in (
            [method for method in vars(theirs) if not method.startswith("_")] if inspect.isclass(theirs) else ()
        ):
            names = [[part[0] for part in parameters(getattr(kind, method))] for kind in (value, theirs)]
            assert names[0] == names[1]
    own = {name for name, value in vars(original).items() if getattr(value, "__module__", "") == original.__name__}
    assert {name for name in own if not name.startswith("_")} - set(module.__all__) <= {"lcs_ind"}
    for name in own - set(module.__all__):
        assert getattr(module, name) is getattr(original, name)


def test_private_names_that_clients_use():
    """Stanford Alpaca scores the tokens of a scorer with private functions."""

    def scores(module):
        scorer = module.RougeScorer(["rougeL"], use_stemmer=False)
        tokens = [scorer._tokenizer.tokenize(text) for text in ("The cat sat.", "A cat sat down")]
        return module._score_lcs(*tokens), module._score_ngrams(*(module._create_ngrams(side, 2) for side in tokens))

    expected = scores(rouge_scorer)
    assert scores(our_scorer) == expected
    compat.install("rouge_score")
    try:
        assert rouge_scorer.RougeScorer is our_scorer.RougeScorer
        assert scores(rouge_scorer) == expected
        assert type(scores(rouge_scorer)[0]) is our_scoring.Score
    finally:
        compat.uninstall("rouge_score")


def test_a_string_instead_of_targets():
    scorer, original = (module.RougeScorer(["rouge1", "rougeL"]) for module in (our_scorer, rouge_scorer))
    with pytest.warns(compat.DropInWarning, match="As in rouge_score, its characters"):
        assert scorer.score_multi("a b", "b") == original.score_multi("a b", "b")


def test_scores_are_named_tuples():
    for values, kind in (((0.5, 1, 2), "Score"), ((1, 2, 3), "AggregateScore")):
        score, original = (getattr(module, kind)(*values) for module in (our_scoring, scoring))
        assert score == original
        assert (repr(score), score._fields, score._asdict()) == (repr(original), original._fields, original._asdict())
        assert pickle.loads(pickle.dumps(score)) == score == score._replace()
    for values in ((0, 0), (0.3, 0.7)):
        assert our_scoring.fmeasure(*values) == scoring.fmeasure(*values)
    for abstract in (our_scoring.BaseScorer, our_tokenizers.Tokenizer):
        with pytest.raises(TypeError):
            abstract()
    assert issubclass(our_scorer.RougeScorer, our_scoring.BaseScorer)
    assert pickle.loads(pickle.dumps(our_scorer.RougeScorer(["rouge1"]))).score("a", "a")["rouge1"].recall == 1


def aggregated(module, scores, **settings):
    """Return the bounds from a known state of the generator, and its state afterwards."""
    np.random.seed(7)
    aggregator = module.BootstrapAggregator(**settings)
    for score in scores:
        aggregator.add_scores(score)
    return aggregator.aggregate(), np.random.random()


@pytest.mark.parametrize(
    ("size", "settings"),
    [
        *((1, {}), (2, {"n_samples": 3}), (30, {"confidence_interval": 0.5}), (150, {"confidence_interval": 0})),
        (150, {"confidence_interval": 1, "n_samples": 1}),
        pytest.param(3000, {"n_samples": 800}, marks=pytest.mark.slow),
    ],
)
def test_bounds_are_those_of_the_same_seed(size, settings):
    generator = random.Random(size)
    scores = [
        {name: scoring.Score(*(generator.random() for _ in range(3))) for name in ("rouge1", "rougeL")}
        for _ in range(size)
    ]
    bounds, after = aggregated(our_scoring, scores, **settings)
    expected, expected_after = aggregated(scoring, scores, **settings)
    assert list(bounds) == list(expected)
    assert after == expected_after
    for name, aggregate in bounds.items():
        assert type(aggregate) is our_scoring.AggregateScore
        assert type(aggregate.mid) is scoring.Score
        np.testing.assert_allclose(np.array(aggregate), np.array(expected[name]), rtol=1e-12)


def test_bounds_of_nothing_and_of_other_tuples():
    assert our_scoring.BootstrapAggregator().aggregate() == {}
    aggregator = our_scoring.BootstrapAggregator()
    aggregator.add_scores({"other": (0.25,)})
    assert isinstance(our_scoring.BootstrapAggregator()._scores, dict)
    aggregator.add_scores({"other": ("no", "numbers")})
    with pytest.raises(refscore.InputError, match="other"):
        aggregator.aggregate()


@pytest.mark.parametrize("settings", [{"confidence_interval": -0.1}, {"confidence_interval": 1.1}, {"n_samples": 0}])
def test_settings_of_bounds(settings):
    for module in (our_scoring, scoring):
        with pytest.raises(ValueError, match="must be"):
            module.BootstrapAggregator(**settings)


class Cutting:
    """A user's stemmer; some of its stems are not words."""

    def stem(self, word):
        return word[4:].replace("a", "-")


@given(text=strategies.lines())
@examples(150)
def test_tokens(text):
    for stemmer in (None, PorterStemmer(), Cutting()):
        assert our_tokenize.tokenize(text, stemmer) == tokenize.tokenize(text, stemmer)
    for stem in (False, True):
        found, expected = (module.DefaultTokenizer(stem).tokenize(text) for module in (our_tokenizers, tokenizers))
        assert found == expected


@pytest.fixture
def folder(tmp_path):
    for number in range(2):
        for ending, position in (("targets", 0), ("decodes", 1)):
            records = [(pair[0][0], pair[1])[position].replace("\n", " ") for pair in generated(number, 20, 9)]
            (tmp_path / f"{number}.{ending}").write_text("\n".join(records) + "\n" * (1 - number), encoding="utf-8")
    return tmp_path


def write(modules, folder, aggregate=False, delimiter="\n"):
    """Write a table by the modules of a library, and return it."""
    scorers, bounds, *_ = modules
    np.random.seed(3)
    aggregator = bounds.BootstrapAggregator(n_samples=100) if aggregate else None
    arguments = (str(folder / "*.targets"), str(folder / "*.decodes"), str(folder / "out.csv"))
    io.compute_scores_and_write_to_csv(*arguments, scorers.RougeScorer(USUAL), aggregator, delimiter)
    return (folder / "out.csv").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore:The 'warn' function is deprecated")  # from absl, called by rouge-score
class TestFiles:
    @pytest.mark.parametrize("aggregate", [False, True])
    @pytest.mark.parametrize("delimiter", ["\n", "a"])
    def test_tables(self, folder, aggregate, delimiter):
        if delimiter == "a":
            for path in folder.iterdir():
                path.write_text("x y\nz" + "a b\nc" * 3, encoding="utf-8")
        assert write(OURS, folder, aggregate, delimiter) == write(THEIRS, folder, aggregate, delimiter)

    @pytest.mark.parametrize("modules", [OURS, THEIRS])
    def test_mistakes(self, folder, modules):
        (folder / "1.decodes").write_text("one\n", encoding="utf-8")
        with pytest.raises(ValueError, match="number"):
            write(modules, folder)
        (folder / "1.decodes").unlink()
        with pytest.raises(ValueError, match="files"):
            write(modules, folder)


@pytest.mark.slow
def test_the_command(folder):
    files = [f"--target_filepattern={folder}/*.targets", f"--prediction_filepattern={folder}/*.decodes"]
    options = ["--noaggregate", "--use_stemmer", "--rouge_types=rouge1,rougeLsum"]
    tables = []
    for launcher in ((), ("-m", "refscore.compat", "rouge_score")):
        command = [
            sys.executable,
            *launcher,
            "-m",
            "rouge_score.rouge",
            *files,
            f"--output_filename={folder}/out.csv",
            *options,
        ]
        subprocess.run([*command, *files, *options], capture_output=True, check=True, timeout=120)
        tables.append((folder / "out.csv").read_text(encoding="utf-8"))
    assert tables[0] == tables[1]
