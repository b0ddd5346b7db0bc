"""The drop-in for NLTK's METEOR compared with NLTK, with no, a small and the real WordNet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem import LancasterStemmer, PorterStemmer, SnowballStemmer
from nltk.translate import meteor_score as original

import refscore
from refscore.compat import nltk as ours
from tests.compat.nltk_inputs import words
from tests.compat.programs import run
from tests.examples import examples
from tests.reference import close
from tests.wordnets import DEBIAN, MISSING, SMALL, WITHOUT_SYNONYMS, make_nltk_data

WORDS = words(
    "the The THE dog dogs hound running runs ran run big large great Good fine house housing home hurry hurries "
    "go goes leave leaving a b c d naïve Straße İx ΣΟΦΟΣ 你好 . , 3.5 \ud800"
)
sentences = st.lists(st.sampled_from([*WORDS, ""]), max_size=12)
wordnets = st.sampled_from([WITHOUT_SYNONYMS, SMALL])
STEMMERS = [
    PorterStemmer(),
    SnowballStemmer("english"),
    LancasterStemmer(),
    PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS),
]


@given(
    hypothesis=sentences,
    references=st.lists(sentences, min_size=1, max_size=3),
    wordnet=wordnets,
    weights=st.sampled_from([(0.9, 3.0, 0.5), (0.5, 1.0, 0.25), (0.0, 0.0, 1.0), (1.0, 2, 0.0)]),
)
@examples(300)
def test_scores(hypothesis, references, wordnet, weights):
    parameters = dict(zip(("alpha", "beta", "gamma"), weights, strict=True))
    theirs = original.meteor_score(references, hypothesis, wordnet=wordnet, **parameters)
    assert close(ours.meteor_score(references, hypothesis, wordnet=wordnet, **parameters), theirs)
    theirs = original.single_meteor_score(references[0], hypothesis, wordnet=wordnet, **parameters)
    mine = ours.single_meteor_score(references[0], hypothesis, wordnet=wordnet, **parameters)
    assert close(mine, theirs)
    assert type(mine) is float


@pytest.mark.parametrize("stemmer", STEMMERS, ids=["Porter", "Snowball", "Lancaster", "Porter of 1980"])
@given(hypothesis=sentences, reference=sentences, wordnet=wordnets)
@examples(100)
def test_any_stemmer(stemmer, hypothesis, reference, wordnet):
    options = {"stemmer": stemmer, "wordnet": wordnet}
    assert close(
        ours.single_meteor_score(reference, hypothesis, **options),
        original.single_meteor_score(reference, hypothesis, **options),
    )
    assert ours.align_words(hypothesis, reference, **options) == original.align_words(hypothesis, reference, **options)
    assert ours.stem_match(hypothesis, reference, stemmer) == original.stem_match(hypothesis, reference, stemmer)


@pytest.mark.parametrize("preprocess", [str.lower, str, str.upper, lambda word: word[:2]])
@given(hypothesis=sentences, reference=sentences, wordnet=wordnets)
@examples(60)
def test_any_preprocessing(preprocess, hypothesis, reference, wordnet):
    args = reference, hypothesis, preprocess
    theirs = original.single_meteor_score(*args, wordnet=wordnet)
    assert close(ours.single_meteor_score(*args, wordnet=wordnet), theirs)


@given(hypothesis=sentences, reference=sentences, wordnet=wordnets)
@examples(200)
def test_matches(hypothesis, reference, wordnet):
    assert ours.exact_match(hypothesis, reference) == original.exact_match(hypothesis, reference)
    assert ours.stem_match(hypothesis, reference) == original.stem_match(hypothesis, reference)
    args = hypothesis, reference
    assert ours.wordnetsyn_match(*args, wordnet) == original.wordnetsyn_match(*args, wordnet)
    assert ours.align_words(*args, wordnet=wordnet) == original.align_words(*args, wordnet=wordnet)


def test_words_may_come_one_by_one():
    hypothesis, reference = ["the", "dogs", "ran", "home"], ["the", "dog", "runs", "home"]
    theirs = original.single_meteor_score(iter(reference), iter(hypothesis), wordnet=WITHOUT_SYNONYMS)
    assert ours.single_meteor_score(iter(reference), iter(hypothesis), wordnet=WITHOUT_SYNONYMS) == theirs


@pytest.mark.parametrize("library", [ours, original], ids=["refscore", "NLTK"])
class TestErrors:
    def test_strings(self, library):
        for args in (["a"], "a"), ([["a"]], "a"):
            with pytest.raises(TypeError, match=r"string|pre-tokenized"):
                library.meteor_score(*args, wordnet=WITHOUT_SYNONYMS)
        with pytest.raises(TypeError):
            library.exact_match("a", ["a"])

    def test_words_that_are_no_strings(self, library):
        with pytest.raises(TypeError):
            library.meteor_score([[1]], [1], wordnet=WITHOUT_SYNONYMS)

    def test_no_references(self, library):
        with pytest.raises(ValueError, match="empty"):
            library.meteor_score([], ["a"], wordnet=WITHOUT_SYNONYMS)


@pytest.mark.parametrize("parameters", [{"alpha": 2}, {"beta": -1}, {"gamma": 1.5}, {"alpha": None}])
def test_weights_that_make_no_sense(parameters):
    with pytest.raises(refscore.SettingError, match="must be a number"):
        ours.meteor_score([["a"]], ["a"], wordnet=WITHOUT_SYNONYMS, **parameters)


@pytest.mark.slow
def test_the_default_is_nltks_wordnet(tmp_path):
    if not DEBIAN.exists():
        pytest.skip(MISSING)
    make_nltk_data(tmp_path)
    code = """
        import warnings
        warnings.simplefilter("ignore")
        from nltk.corpus import wordnet
        from nltk.translate import meteor_score as original
        from refscore.compat import nltk as ours
        hypothesis = "It is a guide to action which ensures that the military always obeys the commands of the party"
        references = [
            "It is a guide to action that ensures that the military will forever heed Party commands",
            "It is the practical guide for the army always to heed the directions of the party",
            "A quick auto is a fast car which the regular army of a state always follows",
        ]
        hypothesis, references = hypothesis.split(), [reference.split() for reference in references]
        for library in (ours, original):
            print(round(library.meteor_score(references, hypothesis), 4))
        for reference in references:
            args = hypothesis, reference
            assert ours.align_words(*args) == original.align_words(*args) == ours.align_words(*args, wordnet=wordnet)
            assert ours.wordnetsyn_match(*args) == original.wordnetsyn_match(*args)
            difference = ours.single_meteor_score(*args) - original.single_meteor_score(*args)
            assert abs(difference) < 1e-15
        print(ours.single_meteor_score("a fast car".split(), "a quick auto".split()) > 0.5)
    """
    assert run(code, NLTK_DATA=str(tmp_path)) == "0.6944\n0.6944\nTrue"


def test_nltk_has_no_wordnet(tmp_path):
    code = """
        import nltk
        nltk.data.path[:] = []
        import nltk.translate.meteor_score as original
        from refscore.compat import nltk as ours
        for library in (original, ours):
            try:
                library.meteor_score([["a"]], ["b"])
            except LookupError as error:
                print("nltk.download('wordnet')" in str(error))
    """
    assert run(code, NLTK_DATA=str(tmp_path), HOME=str(tmp_path)) == "True\nTrue"


def test_there_is_no_nltk():
    code = """
        import sys
        sys.modules["nltk"] = None
        import refscore
        from refscore.compat.nltk import meteor_score
        try:
            meteor_score([["a"]], ["b"])
        except LookupError as error:
            print(isinstance(error, refscore.NotInstalledError), "pip install 'refscore[wordnet]'" in str(error))
    """
    assert run(code) == "True True"
