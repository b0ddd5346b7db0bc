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
from refscore.compat import rouge_score as ours
from refscore.compat.rouge_score import io as our_io
from refscore.compat.rouge_score import rouge as our_command
from refscore.compat.rouge_score import rouge_scorer as our_scorer
from refscore.compat.rouge_score import scoring as our_scoring
from refscore.compat.rouge_score import tokenize as our_tokenize
from refscore.compat.rouge_score import tokenizers as our_tokenizers
from tests import strategies
from tests.examples import examples

TYPES = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]
USUAL = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
MODULES = [
    (our_scorer, rouge_scorer),
    (our_scoring, scoring),
    (our_tokenize, tokenize),
    (our_tokenizers, tokenizers),
    (our_io, io),
]


class Characters(tokenizers.Tokenizer):
    """Tokens that include line breaks."""

    def tokenize(self, text):
        return list(text)


class Numbers:
    """Tokens that are not strings."""

    def tokenize(self, text):
        return [ord(c) % 7 for c in text]


SCORERS = {
    "plain": lambda module: module.RougeScorer(TYPES),
    "stemmed": lambda module: module.RougeScorer(TYPES, use_stemmer=True),
    "default tokenizer": lambda module: module.RougeScorer(
        USUAL, tokenizer=(our_tokenizers if module is our_scorer else tokenizers).DefaultTokenizer(use_stemmer=True)
    ),
    "characters": lambda module: module.RougeScorer(USUAL, tokenizer=Characters()),
    "numbers": lambda module: module.RougeScorer(USUAL, tokenizer=Numbers()),
    "lines alone": lambda module: module.RougeScorer(["rougeLsum"], tokenizer=Characters()),
}
PAIRS = {name: (make(our_scorer), make(rouge_scorer)) for name, make in SCORERS.items()}


def check(name, targets, prediction):
    scorer, original = PAIRS[name]
    for scores, expected in [
        (scorer.score(targets[0], prediction), original.score(targets[0], prediction)),
        (scorer.score_multi(targets, prediction), original.score_multi(targets, prediction)),
    ]:
        assert list(scores) == list(expected)
        # Types are compared too: values are integers if a side has no words.
        assert repr(scores) == repr(expected)
        assert scores == expected


@pytest.mark.parametrize("name", PAIRS)
@given(segment=strategies.text_segment())
@examples(60)
def test_awkward_text(name, segment):
    prediction, targets = segment
    check(name, targets, prediction)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize(
    ("targets", "prediction"),
    [
        ([""], ""),
        (["a"], ""),
        (["", "a b"], "a"),
        (["", "x"], "a"),
        (["x", ""], "a"),
        (["!?", "..."], "¿"),
        (["\n\n"], "\n"),
        (["你好"], "你好"),
        (["abcd", "abdc"], "dcba"),
        (["The quick brown fox jumps over the lazy dog"], "The quick brown dog jumps on the log."),
        (["w1 w2 w3 w4 w5"], "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"),
        (["one two. three\nfour", "one\ntwo"], "two one\n\nthree"),
    ],
)
def test_cases(name, targets, prediction):
    check(name, targets, prediction)


WORDS = "the a of Generally speaking relational conditional flies dying agreed happy skies 3rd 2020s x9y don't".split()  # noqa: SIM905


def generated(seed, size, longest):
    generator = random.Random(seed)

    def text():
        return "\n".join(
            " ".join(generator.choices(WORDS, k=generator.randrange(longest))) for _ in range(generator.randint(1, 3))
        )

    return [([text() for _ in range(generator.randint(1, 3))], text()) for _ in range(size)]


@pytest.mark.parametrize("name", ["plain", "stemmed", "characters"])
@pytest.mark.parametrize(("size", "longest"), [(50, 8), pytest.param(10, 60, marks=pytest.mark.slow)])
def test_generated_text(name, size, longest):
    for targets, prediction in generated(f"{size}/{longest}", size, longest):
        check(name, targets, prediction)


@pytest.fixture
def _split_at_periods(monkeypatch):
    """Split sentences without data; a sentence may contain a line break."""
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: [part.strip() for part in text.split(".")])


@pytest.mark.usefixtures("_split_at_periods")
@pytest.mark.parametrize("tokenizer", [None, Characters()])
def test_sentences_are_split(tokenizer):
    scorers = [
        module.RougeScorer(USUAL, use_stemmer=True, split_summaries=True, tokenizer=tokenizer)
        for module in (our_scorer, rouge_scorer)
    ]
    for target, prediction in [
        ("A cat sat. A dog\nran. It rained.", "It rained.\nA dog ran"),
        ("one. two", ""),
        (".", "a"),
        ("a\nb. c\nd", "b a. d c"),
    ]:
        assert scorers[0].score(target, prediction) == scorers[1].score(target, prediction)
        targets = [target, prediction, "a b"]
        assert scorers[0].score_multi(targets, prediction) == scorers[1].score_multi(targets, prediction)


def test_sentences_need_nltk(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    scorer = our_scorer.RougeScorer(["rouge1", "rougeLsum"], split_summaries=True)
    with pytest.raises(refscore.NotInstalledError, match=r"pip install 'refscore\[sentences\]'"):
        scorer.score("a. b.", "a.")
    scorer.rouge_types = ["rouge1"]
    assert scorer.score("a. b.", "a.")["rouge1"].precision == 1


@pytest.mark.parametrize("name", ["rouge", "rouge0", "rouge10", "rougel", "rougeLSum", "Rouge1", ""])
def test_unknown_types(name):
    for module in (our_scorer, rouge_scorer):
        scorer = module.RougeScorer(["rouge1", name])
        with pytest.raises(ValueError, match="rouge"):
            scorer.score("a", "a")
        scorer.rouge_types = ["rougeL"]
        assert scorer.score("a", "a")["rougeL"].fmeasure == 1


def test_no_types():
    assert our_scorer.RougeScorer([]).score("a", "b") == rouge_scorer.RougeScorer([]).score("a", "b") == {}


@pytest.mark.parametrize("text", [None, 3, ["a"]])
def test_what_is_no_text(text):
    for module in (our_scorer, rouge_scorer):
        scorer = module.RougeScorer(["rouge1"])
        for arguments in ((text, "a"), ("a", text)):
            with pytest.raises(AttributeError):
                scorer.score(*arguments)
    with pytest.raises(refscore.InputError, match="target is "):
        our_scorer.RougeScorer(["rouge1"]).score(text, "a")


def test_bytes_are_utf_8():
    scorer, original = PAIRS["plain"]
    pair = ("Ein Café, GRÖSSE 3\nzwei".encode(), b"ein caf 3\n\nzwei")
    assert scorer.score(*pair) == original.score(*pair)
    with pytest.raises(refscore.InputError, match="target is not UTF-8"):
        scorer.score(b"\xff", b"a")


def test_targets_that_make_no_sense():
    scorer, original = PAIRS["plain"]
    for scores in (scorer, original):
        with pytest.raises(ValueError):  # noqa: PT011 - NumPy's own there
            scores.score_multi([], "a")
    with pytest.raises(refscore.InputError, match="targets is a string"):
        scorer.score_multi("a b", "a")


def parameters(value):
    return [(p.name, p.default, p.kind) for p in inspect.signature(value).parameters.values()]


@pytest.mark.parametrize(("module", "original"), MODULES, ids=lambda module: module.__name__.split(".")[-1])
def test_names_and_signatures(module, original):
    for name in module.__all__:
        theirs, value = getattr(original, name), getattr(module, name)
        if isinstance(theirs, str):
            assert value == theirs
        elif callable(theirs):
            assert parameters(value) == parameters(theirs)
        if isinstance(theirs, type):
            methods = [method for method in vars(theirs) if not method.startswith("_")]
            assert all(
                list(inspect.signature(getattr(value, method)).parameters)
                == list(inspect.signature(getattr(theirs, method)).parameters)
                for method in methods
            )
    own = {name for name, value in vars(original).items() if getattr(value, "__module__", "") == original.__name__}
    assert {name for name in own if not name.startswith("_")} - set(module.__all__) <= {"lcs_ind"}


def test_scores_are_named_tuples():
    score, original = our_scoring.Score(0.5, 1, 2), scoring.Score(0.5, 1, 2)
    assert score == original
    assert (repr(score), score._fields, score._asdict()) == (repr(original), original._fields, original._asdict())
    assert pickle.loads(pickle.dumps(score)) == score
    assert score._replace(recall=3).recall == 3
    aggregate, original = our_scoring.AggregateScore(1, 2, 3), scoring.AggregateScore(1, 2, 3)
    assert (repr(aggregate), aggregate._fields) == (repr(original), original._fields)
    assert our_scoring.fmeasure(0, 0) == scoring.fmeasure(0, 0) == 0
    assert our_scoring.fmeasure(0.3, 0.7) == scoring.fmeasure(0.3, 0.7)
    with pytest.raises(TypeError):
        our_scoring.BaseScorer()
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
        (1, {}),
        (2, {"n_samples": 3}),
        (30, {"confidence_interval": 0.5}),
        (150, {"confidence_interval": 1, "n_samples": 1}),
        (150, {"confidence_interval": 0}),
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
    with pytest.raises(refscore.InputError, match="the scores of 'other'"):
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
        expected = tokenizers.DefaultTokenizer(stem).tokenize(text)
        assert our_tokenizers.DefaultTokenizer(stem).tokenize(text) == expected


def test_a_tokenizer_has_to_tokenize():
    with pytest.raises(TypeError):
        our_tokenizers.Tokenizer()


@pytest.fixture
def folder(tmp_path):
    for number in range(2):
        for ending, position in (("targets", 0), ("decodes", 1)):
            records = [(pair[0][0], pair[1])[position].replace("\n", " ") for pair in generated(number, 20, 9)]
            (tmp_path / f"{number}.{ending}").write_text("\n".join(records) + "\n" * (1 - number), encoding="utf-8")
    return tmp_path


def write(module, folder, aggregate, delimiter="\n"):
    scorer = (our_scorer if module is our_io else rouge_scorer).RougeScorer(USUAL)
    np.random.seed(3)
    aggregator = (
        (our_scoring if module is our_io else scoring).BootstrapAggregator(n_samples=100) if aggregate else None
    )
    patterns = (str(folder / "*.targets"), str(folder / "*.decodes"))
    module.compute_scores_and_write_to_csv(*patterns, str(folder / "out.csv"), scorer, aggregator, delimiter)
    return (folder / "out.csv").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore:The 'warn' function is deprecated")  # from absl, called by rouge-score
@pytest.mark.parametrize("aggregate", [False, True])
@pytest.mark.parametrize("delimiter", ["\n", "a"])
def test_files(folder, aggregate, delimiter):
    if delimiter == "a":
        for path in folder.iterdir():
            path.write_text("x y\nz" + "a b\nc" * 3, encoding="utf-8")
    assert write(our_io, folder, aggregate, delimiter) == write(io, folder, aggregate, delimiter)


@pytest.mark.filterwarnings("ignore:The 'warn' function is deprecated")  # from absl, called by rouge-score
def test_mistakes_in_files(folder):
    (folder / "1.decodes").write_text("one\n", encoding="utf-8")
    for module in (our_io, io):
        with pytest.raises(ValueError, match="number"):
            write(module, folder, False)
    (folder / "1.decodes").unlink()
    for module in (our_io, io):
        with pytest.raises(ValueError, match="files"):
            write(module, folder, False)


@pytest.mark.slow
def test_the_command(folder):
    files = [f"--target_filepattern={folder}/*.targets", f"--prediction_filepattern={folder}/*.decodes"]
    options = ["--noaggregate", "--use_stemmer", "--rouge_types=rouge1,rougeLsum"]
    tables = []
    for module in ("rouge_score.rouge", "refscore.compat.rouge_score.rouge"):
        command = [sys.executable, "-m", module, *files, f"--output_filename={folder}/out.csv", *options]
        subprocess.run(command, capture_output=True, check=True, timeout=120)
        tables.append((folder / "out.csv").read_text(encoding="utf-8"))
    assert tables[0] == tables[1]


def test_options_of_the_command(folder, capsys):
    needed = ["rouge", "--target_filepattern", f"{folder}/*.targets", "--output_filename", f"{folder}/out.csv"]
    our_command.main([*needed, "--prediction_filepattern", f"{folder}/*.decodes", "--use_stemmer=true"])
    assert (folder / "out.csv").read_text(encoding="utf-8").startswith("score_type,low,mid,high\nrouge1-R,")
    for options in (["--prediction_filepattern", "none"], ["--prediction_filepattern", "x", "--aggregate=maybe"]):
        with pytest.raises(SystemExit) as end:
            our_command.main([*needed, *options])
        assert end.value.code == 2
    assert "is neither true nor false" in capsys.readouterr().err


def test_modules_are_found():
    assert ours.__all__ == []
    assert refscore.compat.rouge_score.rouge_scorer is our_scorer
