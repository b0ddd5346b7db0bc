"""pycocoevalcap's interface in refscore compared with pycocoevalcap: scores, printed counts, and `install`."""

import random
import shutil
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import compat
from refscore.compat.pycocoevalcap import eval as our_eval
from refscore.compat.pycocoevalcap.bleu.bleu import Bleu
from refscore.compat.pycocoevalcap.cider.cider import Cider
from refscore.compat.pycocoevalcap.meteor.meteor import Meteor
from refscore.compat.pycocoevalcap.rouge.rouge import Rouge
from refscore.compat.pycocoevalcap.spice.spice import Spice
from refscore.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from tests import strategies
from tests.compat.alike import parameters
from tests.corpora import TEXT, TOKENS, joined
from tests.examples import examples
from tests.golden import ptb_lines
from tests.tokenizers.ptb_program import NEWER_LETTERS

bleu, cider, rouge, evaluation, ptb = (
    pytest.importorskip(f"pycocoevalcap.{module}", reason="needs pycocoevalcap: pip install pycocoevalcap")
    for module in ("bleu.bleu", "cider.cider", "rouge.rouge", "eval", "tokenizer.ptbtokenizer")
)

CORPORA = {**TEXT.named, **{name: joined(corpus) for name, corpus in TOKENS.named.items()}}


def captions(hypotheses, references):
    """Return the references and captions by image, with keys of several types in any order."""
    keys = [f"image {i}" if i % 2 else i for i in range(len(hypotheses))]
    random.Random(1).shuffle(keys)
    return dict(zip(keys, references, strict=True)), {
        key: [text] for key, text in reversed([*zip(keys, hypotheses, strict=True)])
    }


def check_alike(ours, theirs):
    score, scores = ours
    expected, expected_scores = theirs
    assert type(score) is type(expected)
    assert type(scores) is type(expected_scores)
    assert np.shape(scores) == np.shape(expected_scores)
    for one, other in ((score, expected), (scores, expected_scores)):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", CORPORA)
def test_scores(name):
    gts, res = captions(*CORPORA[name])
    check_alike(Rouge().compute_score(gts, res), rouge.Rouge().compute_score(gts, res))
    for n in range(1, 5):
        check_alike(Bleu(n).compute_score(gts, res, 0), bleu.Bleu(n).compute_score(gts, res, 0))
    for settings in ({}, {"sigma": 2}, {"n": 6}):
        check_alike(Cider(**settings).compute_score(gts, res), cider.Cider(**settings).compute_score(gts, res))


@given(corpus=strategies.text_corpora, n=st.integers(4, 7), sigma=st.floats(0.5, 20))
@examples(100)
def test_scores_of_drawn_captions(corpus, n, sigma):
    gts, res = captions(*corpus)
    check_alike(Rouge().compute_score(gts, res), rouge.Rouge().compute_score(gts, res))
    check_alike(Bleu(4).compute_score(gts, res, 0), bleu.Bleu(4).compute_score(gts, res, 0))
    if any(text.split() for refs in gts.values() for text in refs):
        settings = {"n": n, "sigma": sigma}
        check_alike(Cider(**settings).compute_score(gts, res), cider.Cider(**settings).compute_score(gts, res))
    else:
        for kind in (Cider, cider.Cider):
            with pytest.raises(ValueError, match=r"empty|no words"):
                kind().compute_score(gts, res)


def test_single_captions():
    ours, theirs = Rouge(), rouge.Rouge()
    for candidate, refs in ((["a dog"], ["the dog", "a b c"]), ([""], [""]), (["a"], [""]), ([" a  b"], ["a b", "b"])):
        assert ours.calc_score(candidate, refs) == pytest.approx(theirs.calc_score(candidate, refs), rel=1e-12)
    ours.beta = theirs.beta = 3
    assert ours.calc_score(["a c b"], ["a b", "c"]) == pytest.approx(theirs.calc_score(["a c b"], ["a b", "c"]))


@pytest.mark.parametrize("verbose", [1, 2])
@pytest.mark.parametrize("n", [1, 4])
def test_what_bleu_prints(capsys, verbose, n):
    printed = []
    for kind in (Bleu, bleu.Bleu):
        kind(n).compute_score(*captions(*CORPORA["generated"]), verbose=verbose)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize("kind", [Bleu, Cider, Rouge])
@pytest.mark.parametrize(
    ("gts", "res"),
    [
        ({1: ["a"]}, {2: ["a"]}),
        ({1: ["a"]}, {}),
        ({}, {}),
        ({1: "a"}, {1: ["a"]}),
        ({1: []}, {1: ["a"]}),
        ({1: ["a"]}, {1: ["a", "b"]}),
        ({1: ["a"]}, {1: "a"}),
        ({1: [None]}, {1: ["a"]}),
        ({1: ["a"]}, {1: [["a"]]}),
        ([["a"]], {0: ["a"]}),
    ],
    ids=str,
)
def test_input_that_pycocoevalcap_rejects(kind, gts, res):
    with pytest.raises(refscore.InputError, match=r"gts|res"):
        kind().compute_score(gts, res)


@pytest.mark.parametrize("scorer", [Bleu(0), Bleu(5), Cider(n=3), Cider(sigma=0)])
def test_settings_that_cannot_be_used(scorer):
    with pytest.raises(refscore.SettingError):
        scorer.compute_score({1: ["a"], 2: ["b"]}, {1: ["a"], 2: ["b"]})


@pytest.mark.parametrize(("kind", "program"), [(Meteor, "METEOR 1.5"), (Spice, "SPICE 1.0")])
def test_java_programs(kind, program):
    with pytest.raises(refscore.SettingError, match=program):
        kind()


KINDS = {
    Bleu: bleu.Bleu,
    Cider: cider.Cider,
    PTBTokenizer: ptb.PTBTokenizer,
    Rouge: rouge.Rouge,
    our_eval.COCOEvalCap: evaluation.COCOEvalCap,
}


@pytest.mark.parametrize("kind", KINDS)
def test_same_interface(kind):
    for name, method in vars(KINDS[kind]).items():
        if callable(method):
            assert parameters(getattr(kind, name)) == parameters(method), name
        if name == "method":
            assert kind().method() == KINDS[kind]().method()


class Captions:
    """What COCOEvalCap needs of pycocotools' COCO."""

    def __init__(self, captions):
        self.imgToAnns = {image: [{"caption": text} for text in texts] for image, texts in captions.items()}

    def getImgIds(self):
        return [*self.imgToAnns]


GTS = {7: ["A dog runs.", "The dog is running!"], 3: ["Two cats sleep.", "Cats, asleep on a bed"], 5: ["It rains."]}
RES = {3: ["Cats sleep."], 7: ["a dog runs fast"], 5: ["Rain"]}


def annotations(texts):
    return {i: [{"caption": text}] for i, text in enumerate(texts)}


needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")


@needs_java
def test_tokenizer():
    texts = ["A man's dog isn't \"here\", (he thinks)...", "1,000 U.S. dollars\nfor 2.5% - so?", "", "Ünïcode", "1 1/2"]
    captions = {1: [{"caption": text} for text in texts], "two": [{"caption": "A dog.", "id": 5}], 3: []}
    assert PTBTokenizer().tokenize(captions) == ptb.PTBTokenizer().tokenize(captions)


# pycocoevalcap tokenizes all captions as one file, so a caption changes the tokens of the one before it.
CONTEXTS = [
    [
        "a couple of a.",
        "The dog",
        "plan B.",
        "dogs",
        "plan B.",
        "",
        " ",
        "It is",
        "by I.",
        "<br> x",
        "vitamin C.",
        "The",
    ],
    ["No.", "5 dogs", "No.", " 5", "No. ", "5", "pp.", "", "7", "Figs.", "1"],
    ['see <a b="x', 'y z" c = d>!', "a dog", "x.[^x=", "a<>]", "cats"],
    *(
        ["a dog", end]
        for end in ["hi :)", ">:-(", "so :D", "in '92", "in '92 ", "see 1.txt", "b.", "No.", "x@y.z", "Jr."]
    ),
    [""],
    ["", "a", ""],
]


@needs_java
@pytest.mark.parametrize("texts", CONTEXTS, ids=str)
def test_captions_that_depend_on_the_next_one(texts):
    assert PTBTokenizer().tokenize(annotations(texts)) == ptb.PTBTokenizer().tokenize(annotations(texts))


@needs_java
@pytest.mark.filterwarnings("ignore::refscore.compat.DropInWarning")  # of fragments with line breaks
@pytest.mark.parametrize("seed", range(3))
def test_generated_captions(seed):
    generator = random.Random(seed)
    ends, starts = ["", "", ".", " b.", " No.", " B.", "'"], ["The x", "A", "In y", "5 x", "<br> x", "<a b='", " ", ""]
    texts = [*ptb_lines.captions(generator, 200), *ptb_lines.fragments(generator, 200)]
    texts = [NEWER_LETTERS.sub("", text) + generator.choice(ends) for text in texts]
    texts += generator.choices(starts, k=200)
    generator.shuffle(texts)
    assert PTBTokenizer().tokenize(annotations(texts)) == ptb.PTBTokenizer().tokenize(annotations(texts))


@needs_java
def test_scores_of_tokenized_captions():
    """Document frequencies depend on every token, so one wrong token changes all scores."""
    generator = random.Random(4)
    changes = ["{}.", "A {} ", "The {}.", "{} of a.", "{} No.", "{} B.", "5 {}", "{}, isn't it?", "{} (1 1/2 ft.)"]
    res = annotations([caption.lower().strip(".") for caption in ptb_lines.captions(generator, 200)])
    gts = {
        image: [{"caption": generator.choice(changes).format(ptb_lines.captions(generator, 1)[0])} for _ in range(5)]
        for image in res
    }
    made = [[tokenizer.tokenize(side) for side in (gts, res)] for tokenizer in (PTBTokenizer(), ptb.PTBTokenizer())]
    check_alike(Cider().compute_score(*made[0]), cider.Cider().compute_score(*made[1]))
    check_alike(Rouge().compute_score(*made[0]), rouge.Rouge().compute_score(*made[1]))
    check_alike(Bleu().compute_score(*made[0], 0), bleu.Bleu().compute_score(*made[1], 0))


@needs_java
def test_line_breaks_in_captions():
    """A line break other than \\n shifts all following captions in pycocoevalcap."""
    for texts in (["a\rb", "c", "d"], ["a\x0bb\u2028", "c", "d", "e"], ["a\r", "b"], ["a\x85b", "c"]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", compat.DropInWarning)
            assert PTBTokenizer().tokenize(annotations(texts)) == ptb.PTBTokenizer().tokenize(annotations(texts))
    with pytest.warns(compat.DropInWarning, match="has a line break"):
        PTBTokenizer().tokenize(annotations(["a\rb"]))
    try:
        compat.install("pycocoevalcap", strict=True)
        with pytest.raises(refscore.InputError, match="has a line break"):
            PTBTokenizer().tokenize(annotations(["a\rb"]))
    finally:
        compat.uninstall("pycocoevalcap")


def test_all_metrics(capsys):
    gts = {key: [text.lower().strip(".!").replace(",", "") for text in texts] for key, texts in GTS.items()}
    res = {key: [text.lower().strip(".!") for text in RES[key]] for key in GTS}
    evaluator = our_eval.COCOEvalCap(Captions(GTS), Captions(RES))
    with pytest.warns(UserWarning, match="METEOR and SPICE"):
        evaluator.evaluate()
    bleus = bleu.Bleu(4).compute_score(gts, res, 0)
    expected = {f"Bleu_{n}": pair for n, pair in enumerate(zip(*bleus, strict=True), 1)}
    expected |= {"ROUGE_L": rouge.Rouge().compute_score(gts, res), "CIDEr": cider.Cider().compute_score(gts, res)}
    assert evaluator.eval == pytest.approx({name: score for name, (score, _) in expected.items()}, rel=1e-12)
    for i, image in enumerate(GTS):
        assert evaluator.imgToEval[image].pop("image_id") == image
        shown = {name: scores[i] for name, (_, scores) in expected.items()}
        assert evaluator.imgToEval[image] == pytest.approx(shown, rel=1e-12)
    assert evaluator.evalImgs == [*evaluator.imgToEval.values()]
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["tokenization...", "setting up scorers...", "computing Bleu score..."]
    assert printed[-1] == f"CIDEr: {evaluator.eval['CIDEr']:.3f}"


def test_install_keeps_java_programs():
    try:
        compat.install("pycocoevalcap")
        assert (bleu.Bleu, evaluation.Bleu, evaluation.Cider) == (Bleu, Bleu, Cider)
        assert evaluation.PTBTokenizer.__module__.startswith("refscore.")
        assert evaluation.Meteor.__module__ == "pycocoevalcap.meteor.meteor"
        assert evaluation.COCOEvalCap.__module__ == "pycocoevalcap.eval"
    finally:
        compat.uninstall("pycocoevalcap")
    assert evaluation.Cider.__module__ == cider.Cider.__module__ == "pycocoevalcap.cider.cider"


def test_without_pycocoevalcap():
    program = """
        import sys
        class Missing:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "pycocoevalcap":
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        sys.meta_path.insert(0, Missing())
        from refscore import compat
        compat.install("pycocoevalcap")
        from pycocoevalcap.cider.cider import Cider
        from pycocoevalcap.eval import COCOEvalCap, PTBTokenizer
        from pycocoevalcap.rouge.rouge import Rouge
        print(Cider.__module__, COCOEvalCap.__module__)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    names = [f"refscore.compat.pycocoevalcap.{name}" for name in ("cider.cider", "eval")]
    assert done.stdout.split() == names, done.stderr
