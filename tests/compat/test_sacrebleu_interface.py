"""The names, signatures, objects and errors of sacrebleu's interface, and its installation and removal."""

import copy
import inspect
import json
import pickle
from contextlib import nullcontext
from operator import attrgetter

import numpy as np
import pytest
import sacrebleu
import sacrebleu.significance
import sacrebleu.tokenizers.tokenizer_13a

import refscore
from refscore import compat
from refscore.compat import sacrebleu as ours
from tests.compat.alike import (
    MODULES,
    assert_alike,
    assert_same_dictionary,
    both,
    installed as installed_drop_in,
    parameters,
    public_names,
)
from tests.compat.programs import run

HYPOTHESES = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFERENCES = [
    ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
    ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
]
METRICS = ["BLEU", "CHRF", "TER"]
LIBRARIES = (ours, sacrebleu)


@pytest.fixture
def installed():
    compat.install("sacrebleu")
    yield sacrebleu
    compat.uninstall("sacrebleu")


@pytest.mark.parametrize("place", MODULES)
def test_names_and_signatures(place):
    mine, theirs = both(place)
    assert set(getattr(theirs, "__all__", [])) <= set(dir(mine)) | {"DATASETS", "__commit_id__", "commit_id"}
    for name in public_names(theirs):
        assert hasattr(mine, name), name
        call, original = getattr(mine, name), getattr(theirs, name)
        assert parameters(call) == parameters(original)
        assert call.__doc__ or call is original
        if inspect.isclass(original):
            for member, value in vars(original).items():
                if not member.startswith("_"):
                    assert hasattr(call, member)
                    if inspect.isfunction(value):
                        assert parameters(getattr(call, member)) == parameters(value)


def test_names_of_the_package():
    assert set(ours.__all__) == set(sacrebleu.__all__)
    assert ours.__version__ == sacrebleu.__version__
    assert ours.SACREBLEU_DIR == sacrebleu.SACREBLEU_DIR
    assert list(ours.BLEU.TOKENIZERS) == list(sacrebleu.BLEU.TOKENIZERS)
    assert ours.BLEU.SMOOTH_DEFAULTS == sacrebleu.BLEU.SMOOTH_DEFAULTS
    assert list(ours.metrics.METRICS) == list(sacrebleu.metrics.METRICS)
    assert (ours.CHRF.CHAR_ORDER, ours.CHRF.WORD_ORDER, ours.CHRF.BETA) == (6, 0, 2)
    kinds = [module.TercomTokenizer for module in both(".tokenizers.tokenizer_ter")]
    assert kinds[0].ASIAN_PUNCT == kinds[1].ASIAN_PUNCT
    assert kinds[0].FULL_WIDTH_PUNCT == kinds[1].FULL_WIDTH_PUNCT


@pytest.mark.parametrize("name", METRICS)
def test_attributes_of_metrics(name):
    made = [getattr(library, name)(references=REFERENCES) for library in LIBRARIES]
    assert set(vars(made[0])) == set(vars(made[1]))
    for attribute, value in vars(made[1]).items():
        if attribute not in ("tokenizer", "_ref_cache"):
            assert_alike(getattr(made[0], attribute), value)
    assert made[0]._ref_cache


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("resamples", [1, 50])
def test_text_and_json_of_scores(name, resamples):
    texts = []
    for library in LIBRARIES:
        metric = getattr(library, name)()
        with pytest.raises(ValueError, match="references"):
            metric.get_signature()
        score = metric.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=resamples)
        signature = metric.get_signature().format()
        texts.append(
            [
                score.format(width, score_only, text, is_json)
                for width in (0, 2, 4)
                for score_only in (False, True)
                for text, is_json in ((signature, True), (signature, False), ("", False))
            ]
        )
        assert json.loads(texts[-1][0])["signature"] == signature
        with pytest.raises(ValueError, match=r"dictionary|unpack"):
            score.format(is_json=True)
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", METRICS)
def test_pickling_and_copies(name, installed):
    metric = getattr(ours, name)(references=REFERENCES)
    score = metric.corpus_score(HYPOTHESES, None)
    for copied in (pickle.loads(pickle.dumps(score)), copy.deepcopy(score)):
        assert vars(copied) == vars(score)
    for again in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert again.corpus_score(HYPOTHESES, None).score == score.score
        assert str(again.get_signature()) == str(metric.get_signature())
    compat.uninstall("sacrebleu")
    theirs = pickle.dumps(getattr(sacrebleu, name)().corpus_score(HYPOTHESES, REFERENCES))
    compat.install("sacrebleu")
    assert type(pickle.loads(theirs)) is type(score)
    assert str(pickle.loads(theirs)) == str(score)


def test_signatures_and_settings_can_be_changed():
    made = []
    for library in LIBRARIES:
        metric = library.BLEU()
        metric.corpus_score(HYPOTHESES, REFERENCES)
        signature = metric.get_signature()
        signature.update("test", "wmt17")
        signature.update("lang", "en-de")
        assert signature.format(short=True) == "#:2|t:wmt17|l:en-de|c:mixed|e:no|tok:13a|s:exp|v:2.6.0"
        metric.lowercase, metric.smooth_method, metric.effective_order = True, "floor", True
        made.append(metric.sentence_score("THE DOG bit", ["the dog bites"]))
    assert_alike(*made)


def subclasses(library):
    """Return metrics derived by users: with a custom tokenizer, preparation, formula, or all of these."""

    class Letters(library.tokenizers.BaseTokenizer):
        def signature(self):
            return "letters"

        def __call__(self, line):
            return " ".join(character for character in line if character.isalpha())

    class Reversed(library.BLEU):
        def _preprocess_segment(self, sent):
            return " ".join(reversed(super()._preprocess_segment(sent).split()))

    class Halved(library.CHRF):
        def _compute_score_from_stats(self, stats):
            score = super()._compute_score_from_stats(stats)
            score.score /= 2
            return score

    class Same(library.TER):
        pass

    class Exact(library.metrics.base.Metric):
        def _preprocess_segment(self, sent):
            return sent.strip()

        def _extract_reference_info(self, refs):
            return {"texts": set(refs)}

        def _compute_segment_statistics(self, hypothesis, ref_kwargs):
            return [int(hypothesis in ref_kwargs["texts"]), 1]

        def _compute_score_from_stats(self, stats):
            return library.metrics.base.Score("exact", 100 * stats[0] / stats[1])

        def _aggregate_and_compute(self, stats):
            return self._compute_score_from_stats([sum(column) for column in zip(*stats, strict=True)])

    with_tokenizer = library.BLEU()
    with_tokenizer.tokenizer = Letters()
    ter = library.TER()
    ter.tokenizer = Letters()
    return [with_tokenizer, ter, Reversed(), Halved(), Same(), Exact()]


@pytest.mark.parametrize("k", range(6))
def test_metrics_that_users_derive(k):
    mine, theirs = subclasses(ours)[k], subclasses(sacrebleu)[k]
    assert_alike(*[metric.corpus_score(HYPOTHESES, REFERENCES) for metric in (mine, theirs)])
    assert_alike(*[metric.sentence_score(HYPOTHESES[0], ["The dog."]) for metric in (mine, theirs)])
    scores = [metric.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=40) for metric in (mine, theirs)]
    assert scores[0]._mean == pytest.approx(scores[1]._mean, rel=1e-5)
    assert scores[0]._ci == pytest.approx(scores[1]._ci, rel=1e-5)
    for metric in (mine, theirs):
        metric._ref_cache = metric._cache_references(REFERENCES)
    assert_alike(*[metric.corpus_score(HYPOTHESES, None) for metric in (mine, theirs)])
    assert str(mine.get_signature()) == str(theirs.get_signature())
    systems = [("a", HYPOTHESES), ("b", REFERENCES[0])]
    tests = [
        library.significance.PairedTest(systems, {"m": metric}, None, "bs", 30)()[1]
        for library, metric in ((ours, mine), (sacrebleu, theirs))
    ]
    scores = [[result.score for name in list(test)[1:] for result in test[name]] for test in tests]
    assert scores[0] == pytest.approx(scores[1])


GOOD = ["a b", "c d"]
MISTAKES = {
    ("corpus_bleu", TypeError): [
        *((wrong, [GOOD]) for wrong in (3, iter(GOOD), np.array(GOOD), [["a", "b"], ["c"]], ["a", None])),
        *((GOOD, wrong) for wrong in ([[["a", "b"], ["c"]]], [3], 3)),
    ],
    ("corpus_bleu", IndexError): [([], [[]]), (GOOD, []), (GOOD, [[]])],
    ("corpus_bleu", RuntimeError): [(GOOD, None)],
    ("sentence_bleu", TypeError): [(["a"], ["a"]), ("a", "a"), ("a", [["a"]]), ("a", {"a"})],
    ("sentence_bleu", IndexError): [("a", [])],
    ("corpus_bleu", AssertionError): [(GOOD, [GOOD], "add")],
    ("corpus_bleu", KeyError): [(GOOD, [GOOD], "exp", None, False, False, "13b")],
    ("BLEU.compute_bleu", AssertionError): [([1], [1], 1, 1, "add")],
    ("significance.PairedTest", AssertionError): [([("a", GOOD)], {}, [GOOD], "t")],
}
# Mistakes that sacrebleu scores, and others.
SCORED = [
    *(("corpus_bleu", "a b", [GOOD]), ("corpus_bleu", GOOD, GOOD), ("corpus_bleu", GOOD, "ab")),
    *(("corpus_chrf", GOOD, [["a b"]]), ("corpus_ter", GOOD, [GOOD, ["a"]])),
]
NONSENSE = [
    *(("corpus_bleu", GOOD, [[None, "a"]]), ("corpus_bleu", GOOD, [["a", 3]]), ("sentence_bleu", "a", [None])),
    ("significance.PairedTest", [], {}, [GOOD]),
]


@pytest.mark.parametrize(
    ("name", "kind", "arguments"), [(*key, arguments) for key, several in MISTAKES.items() for arguments in several]
)
def test_mistakes_raise_what_sacrebleu_raises(name, kind, arguments):
    with pytest.raises(kind):
        attrgetter(name)(sacrebleu)(*arguments)
    with pytest.raises(kind) as caught:
        attrgetter(name)(ours)(*arguments)
    assert isinstance(caught.value, ValueError)
    assert not str(caught.value).startswith(("'", '"'))


def test_nonsense_is_an_error():
    for name, *arguments in NONSENSE:
        with pytest.raises(refscore.InputError):
            attrgetter(name)(ours)(*arguments)
    for call in (lambda: ours.BLEU(max_ngram_order=0), lambda: ours.CHRF(char_order=-1)):
        with pytest.raises(refscore.SettingError):
            call()


@pytest.mark.parametrize(("name", "hypotheses", "references"), SCORED)
def test_mistakes_that_sacrebleu_scores(name, hypotheses, references):
    expected = getattr(sacrebleu, name)(hypotheses, references)
    with pytest.warns(compat.DropInWarning, match="As in sacrebleu, "):
        assert_alike(getattr(ours, name)(hypotheses, references), expected)
    compat.install("sacrebleu", strict=True)
    try:
        with pytest.raises(refscore.InputError):
            getattr(ours, name)(hypotheses, references)
        with pytest.raises(refscore.InputError):
            ours.BLEU(references=[GOOD]).corpus_score(["a"], None)
    finally:
        compat.uninstall("sacrebleu")


def test_test_sets_stay_sacrebleus(installed):
    assert sacrebleu.metrics.METRICS["BLEU"] is ours.BLEU
    assert sacrebleu.get_available_testsets.__module__ == "sacrebleu.utils"
    assert ours.get_available_testsets() == sacrebleu.get_available_testsets()
    assert ours.DATASETS is sacrebleu.DATASETS is ours.dataset.DATASETS


TEXTS = ["the cat sat on the mat", "it rained all day long", "we went home early", "nobody came to see us"]
# As ragas 0.4 passes them (a stream per segment), as lighteval 0.13 does, and with too many texts.
SHAPES = {
    "transposed": (TEXTS[:3], [[text] for text in TEXTS[1:]]),
    "transposed, several": (TEXTS[:2], [TEXTS[1:3], TEXTS[:2], TEXTS[2:]]),
    "unequal streams": (TEXTS, [TEXTS[1:], TEXTS, TEXTS[:2]]),
    "extra hypotheses": (TEXTS, [TEXTS[1:3], TEXTS[:2]]),
    "extra references": (TEXTS[:2], [TEXTS]),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", METRICS)
def test_other_shapes_are_cut_as_sacrebleu_cuts_them(name, shape):
    hypotheses, references = SHAPES[shape]
    theirs = getattr(sacrebleu, name)
    expected = theirs().corpus_score(hypotheses, references)
    is_cut = shape != "transposed, several"  # the right number of segments, but with wrong references
    compat.install("sacrebleu")
    try:
        metric = getattr(sacrebleu, name)()
        assert type(metric) is not theirs
        message = r"zip\(\*references\)\)\. As in sacrebleu, only the first \d "
        with pytest.warns(compat.DropInWarning, match=message) if is_cut else nullcontext():
            assert_alike(metric.corpus_score(hypotheses, references), expected)
            cached = getattr(sacrebleu, name)(references=references)
            assert_alike(cached.corpus_score(hypotheses, None), expected)
            systems = [("a", hypotheses), ("b", hypotheses)]
            sacrebleu.significance.PairedTest(systems, {name: metric}, references, n_samples=2)()
            if name != "CHRF":
                metric.tokenizer = cached.tokenizer = Upper()
                metric.corpus_score(hypotheses, references)
                cached.corpus_score(hypotheses, None)
    finally:
        compat.uninstall("sacrebleu")


class Upper:
    """A user's tokenizer."""

    def __call__(self, line):
        return line.upper()


@pytest.mark.parametrize("is_installed", [False, True])
def test_private_names_that_clients_use(is_installed):
    """mbrs reads n-grams from cached references and uses helper methods of chrF."""
    theirs = {name: getattr(sacrebleu, name)() for name in METRICS}
    theirs["CHRF"] = sacrebleu.CHRF(word_order=2)
    with installed_drop_in("sacrebleu") if is_installed else nullcontext():
        mine = {name: getattr(ours, name)() for name in METRICS}
        mine["CHRF"] = ours.CHRF(word_order=2)
        for name in METRICS:
            cached, expected = (metrics[name]._cache_references(REFERENCES) for metrics in (mine, theirs))
            for infos in (cached, pickle.loads(pickle.dumps(cached))):
                for info, their_info in zip(infos, expected, strict=True):
                    assert_same_dictionary(info, their_info)
                    row = theirs[name]._compute_segment_statistics(HYPOTHESES[0], their_info)
                    for one in (info, their_info, dict(info)):
                        assert mine[name]._compute_segment_statistics(HYPOTHESES[0], one) == row
        calls = [
            ("_remove_punctuation", "(it) rained."),
            ("_get_match_statistics", {"a": 2, "b": 0.5}, {"a": 1.5, "b": 3}),
        ]
        calls += [("_compute_f_score", row) for row in ([0] * 24, [3.5, 4.25, 1.125] * 8, [1, 2, 0] * 7 + [0, 2, 0])]
        for smoothed in (False, True):
            mine["CHRF"].eps_smoothing = theirs["CHRF"].eps_smoothing = smoothed
            for name, *arguments in calls:
                assert getattr(mine["CHRF"], name)(*arguments) == getattr(theirs["CHRF"], name)(*arguments)
        assert ours.BLEU()._get_closest_ref_len(5, [3, 6]) == 6
        for name in ("absent", "_absent", "__absent__"):
            assert not hasattr(ours.BLEU(), name)


def test_without_sacrebleu():
    """As if sacrebleu were not installed: everything except test sets is available, also under its name."""
    code = """
        import sys

        class Nothing:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "sacrebleu":
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        sys.meta_path.insert(0, Nothing())
        from refscore import compat
        compat.install("sacrebleu")
        import sacrebleu
        import sacrebleu.metrics.bleu
        from sacrebleu.significance import PairedTest, Result
        from sacrebleu.utils import smart_open
        print(sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score, sacrebleu.metrics.bleu.BLEU is sacrebleu.BLEU)
        for call in (
            lambda: sacrebleu.get_available_testsets(),
            lambda: sacrebleu.DATASETS,
            lambda: sacrebleu.dataset.DATASETS,
            lambda: sacrebleu.BLEU()._get_closest_ref_len,
            lambda: sacrebleu.metrics.lib_ter.BeamEditDistance,
            lambda: sacrebleu.absent,
            lambda: sacrebleu.utils.absent,
            lambda: sacrebleu.dataset.absent,
        ):
            try:
                call()
            except (ImportError, AttributeError) as error:
                print(error)
        assert not any(hasattr(module, "absent") for module in (sacrebleu, sacrebleu.utils, sacrebleu.dataset))
        compat.uninstall("sacrebleu")
        print([name for name in sys.modules if name.partition(".")[0] == "sacrebleu"])
    """
    first, *messages, rest = run(code).splitlines()
    assert first == f"{sacrebleu.corpus_bleu(['a b c d'], [['a b c d']]).score} True"
    assert len(messages) == 8
    assert "pip install 'refscore[testsets]'" in messages.pop(3)
    assert all("refscore's drop-in for sacrebleu" in message for message in messages)
    assert all("pip install sacrebleu==2.6.0" in message for message in messages)
    assert rest == "[]"


@pytest.mark.slow
def test_many_calls_keep_nothing():
    """No text is cached: ten thousand different sentences do not increase the traced memory."""
    code = """
        import tracemalloc
        from refscore.compat import sacrebleu
        def score(begin, end):
            for k in range(begin, end):
                sacrebleu.sentence_bleu(f"the {k} cats sat on mat {k}", [f"the {k} cats sat on the mat {k}"])
        score(0, 1000)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        score(1000, 11000)
        print(tracemalloc.get_traced_memory()[0] - before)
    """
    assert int(run(code)) < 20_000
