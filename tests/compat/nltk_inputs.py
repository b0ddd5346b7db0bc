"""Inputs that the tests of NLTK's drop-ins share: the texts of NLTK's documentation, and generated corpora."""

from hypothesis import strategies as st

from tests import strategies


def words(text):
    return text.split()


GUIDE = words("It is a guide to action which ensures that the military always obeys the commands of the party")
GUIDE_REFERENCES = [
    words("It is a guide to action that ensures that the military will forever heed Party commands"),
    words(
        "It is the guiding principle which guarantees the military forces always being under the command of the Party"
    ),
    words("It is the practical guide for the army always to heed the directions of the party"),
]
HISTORY = words("he read the book because he was interested in world history")
HISTORY_REFERENCE = words("he was interested in world history because he read the book")
CORPUS = ([GUIDE_REFERENCES, [HISTORY_REFERENCE]], [GUIDE, HISTORY])

_TEXTS = ["a", "a", "b", "", "é", "e\u0301", "👩‍👩‍👧‍👦", "👍🏽", "你好", "。", "\ud800", "\udfff"]
_AWKWARD = st.sampled_from([*_TEXTS, 1, 1.0, -1, -2, None, (1, "a"), b"a"])
corpora = st.one_of(
    strategies.word_corpora,
    strategies.id_corpora,
    strategies.any_corpora,
    strategies.corpora(strategies.token_segment(_AWKWARD, max_size=9)),
)
