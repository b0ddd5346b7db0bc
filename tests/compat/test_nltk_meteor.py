"""The drop-in for NLTK's METEOR compared with NLTK, with no, a small and the real WordNet."""

import pytest
from hypothesis import given, strategies as st
from nltk.stem import LancasterStemmer, PorterStemmer, SnowballStemmer
from nltk.translate import meteor_score as original

from refscore.compat import nltk as ours
from tests.compat.nltk_inputs import GUIDE, GUIDE_REFERENCES, check, words
from tests.compat.programs import run
from tests.examples import examples
from tests.wordnets import DEBIAN, MISSING, SMALL, WITHOUT_SYNONYMS, make_nltk_data

WORDS = words(
    "the The THE dog dogs hound running runs ran run big large great Good fine house housing home hurry hurries "
    "go goes leave leaving a b c d naïve Straße İx ΣΟΦΟΣ 你好 . , 3.5 \ud800"
)
sentences = st.lists(st.sampled_from([*WORDS, ""]), max_size=12)
STEMMERS = [SnowballStemmer("english"), LancasterStemmer(), PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)]


@given(
    hypothesis=sentences,
    references=st.lists(sentences, min_size=1, max_size=3),
    wordnet=st.sampled_from([WITHOUT_SYNONYMS, SMALL]),
    weights=st.sampled_from([(0.9, 3.0, 0.5), (0.5, 1.0, 0.25), (0.0, 0.0, 1.0), (1.0, 2, 0.0)]),
    stemmer=st.sampled_from([None, PorterStemmer(), *STEMMERS]),
    preprocess=st.sampled_from([None, str.lower, str, str.upper, lambda word: word[:2]]),
)
@examples(800)
def test_scores_and_matches(*, hypothesis, references, wordnet, weights, stemmer, preprocess):
    stemming = {} if stemmer is None else {"stemmer": stemmer}
    options = {"wordnet": wordnet, **stemming} | ({} if preprocess is None else {"preprocess": preprocess})
    options |= dict(zip(("alpha", "beta", "gamma"), weights, strict=True))
    check("meteor_score", references, hypothesis, **options)
    check("single_meteor_score", references[0], hypothesis, **options)
    check("align_words", hypothesis, references[0], wordnet=wordnet, **stemming)
    check("stem_match", hypothesis, references[0], **stemming)
    check("exact_match", hypothesis, references[0])
    check("wordnetsyn_match", hypothesis, references[0], wordnet)


def test_words_may_come_one_by_one():
    hypothesis, reference = ["the", "dogs", "ran", "home"], ["the", "dog", "runs", "home"]
    theirs = original.single_meteor_score(iter(reference), iter(hypothesis), wordnet=WITHOUT_SYNONYMS)
    assert ours.single_meteor_score(iter(reference), iter(hypothesis), wordnet=WITHOUT_SYNONYMS) == theirs


@pytest.mark.parametrize("arguments", [(["a"], "a"), ([["a"]], "a"), ([[1]], [1]), ([], ["a"])])
def test_errors(arguments):
    check("meteor_score", *arguments, wordnet=WITHOUT_SYNONYMS)
    check("exact_match", "a", ["a"])


@pytest.mark.slow
def test_the_default_is_nltks_wordnet(tmp_path):
    if not DEBIAN.exists():
        pytest.skip(MISSING)
    make_nltk_data(tmp_path)
    code = f"""
        import warnings
        warnings.simplefilter("ignore")
        from nltk.corpus import wordnet
        from nltk.translate import meteor_score as original
        from refscore.compat import nltk as ours
        hypothesis, references = {GUIDE}, {GUIDE_REFERENCES}
        references.append("A quick auto is a fast car which the regular army of a state always follows".split())
        assert abs(ours.meteor_score(references, hypothesis) - original.meteor_score(references, hypothesis)) < 1e-15
        for reference in references:
            args = hypothesis, reference
            assert ours.align_words(*args) == original.align_words(*args) == ours.align_words(*args, wordnet=wordnet)
            assert ours.wordnetsyn_match(*args) == original.wordnetsyn_match(*args)
            assert abs(ours.single_meteor_score(*args) - original.single_meteor_score(*args)) < 1e-15
        print(ours.single_meteor_score("a fast car".split(), "a quick auto".split()) > 0.5)
    """
    assert run(code, NLTK_DATA=str(tmp_path)) == "True"


@pytest.mark.parametrize(
    ("is_installed", "hint"), [(True, "nltk.download('wordnet')"), (False, "pip install 'refscore[wordnet]'")]
)
def test_wordnet_is_missing(is_installed, hint, tmp_path):
    code = f"""
        import sys
        from refscore.compat.nltk import meteor_score
        calls = [meteor_score]
        if {is_installed}:
            import nltk
            nltk.data.path[:] = []
            calls.append(nltk.translate.meteor_score.meteor_score)
        else:
            sys.modules["nltk"] = None
        for call in calls:
            try:
                call([["a"]], ["b"])
            except LookupError as error:
                print({hint!r} in str(error))
    """
    assert run(code, NLTK_DATA=str(tmp_path), HOME=str(tmp_path)).split() == ["True"] * (1 + is_installed)
