"""Strategies of the property tests: difficult text, tokens of every kind, and corpora of both."""

import random

from hypothesis import strategies as st

from tests.reference.tokenizers import TOKENIZERS

FRAGMENTS = (  # noqa: SIM905 - as one text it can still be read
    "the cat sat on mat The CAT I'm don't naïve straße İstanbul ΣΟΦΟΣ e.g. U.S.A. 3.14 1,000 5. .5 ,5 a.,5 1-2 -1 3- "
    "well-known . , - -- ... ' \" ! ? : ; / \\ @ # $ % ^ & * ( ) [ ] { } < > = + _ ` ~ | 0 9 42 "
    "&quot; &amp; &lt; &gt; &apos; &amp;lt; &amp;amp;gt; & &am p; <skipped> <skip <skipp<skipped>ed> "
    "你好 世界。 中文，测试！ 「日本語」 カタカナ ｶﾀｶﾅ 한국어 １２３ Ａ． 𠀀𠮷 𪛖 豈 "
    "⺀ ㄅ ㆠ ㇀ ㈱ ㌀ 龿 䶿 ⿰ ︐ ﹏ ☃ ✂ 〇 "
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 é a̐éö̲ ﬁ Ⅳ ½ ² ٣ ४ € £ ± × « » „ “ ” … – — · ¿ ‘ ’ † ‰ "
    "שלום مرحبا، ؟ \u202eabc\u202c \u200f \u200b \ufeff \u00ad"
).split()
SEPARATORS = [
    " ",
    "",
    "",
    "\n",
    "-\n",
    "\t",
    "\r\n",
    "  ",
    "\x00",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x1f",
    "\x85",
]
SEPARATORS += ["\xa0", "\u1680", "\u2000", "\u2001", "\u2009", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"]
SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff", "\ud83d\udc4d"]

characters = st.characters(exclude_categories=[])
fragments = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.sampled_from(SEPARATORS + SURROGATES),
    st.text(characters, max_size=4),
    st.text(st.sampled_from("a1.,-' \n&;<>"), max_size=6),
)


@st.composite
def lines(draw, vocabulary=fragments):
    """A line of difficult text, sometimes with one piece repeated many times."""
    pieces = draw(st.lists(st.tuples(vocabulary, st.sampled_from([" ", " ", "", *SEPARATORS])), max_size=12))
    line = "".join(piece + separator for piece, separator in pieces)
    if pieces and draw(st.integers(0, 15)) == 0:
        line += (pieces[0][0] + pieces[0][1]) * draw(st.integers(2, 300))
    return line


@st.composite
def text_segment(draw):
    """A hypothesis and one to four references of a few shared pieces, so n-grams match."""
    vocabulary = st.sampled_from(draw(st.lists(fragments, min_size=1, max_size=5)))
    line = lines(vocabulary)
    references = draw(st.lists(line, min_size=1, max_size=4))
    return draw(st.one_of(line, st.sampled_from(references))), references


def corpora(segment, max_size=4):
    """Hypotheses and references: two lists, at least one segment, with varying numbers of references."""
    return st.lists(segment, min_size=1, max_size=max_size).map(
        lambda pairs: ([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    )


text_corpora = corpora(text_segment())
text_settings = {
    "tokenizer": st.sampled_from(sorted(TOKENIZERS)),
    "lowercase": st.sampled_from([False, True, "ascii"]),
    "normalize": st.sampled_from(["none", "NFC", "NFKC"]),
}

# Equal values of different types, equal hashes of different values, numbers that a double cannot distinguish.
AWKWARD_TOKENS = [0, False, 0.0, -0.0, 1, True, 1.0, -1, -2, 2**61 - 1, 2**61, 2**63 - 1, 2**63, -(2**63), 2**64]
AWKWARD_TOKENS += [2**64 + 1, 10**30, 2**53, 2.0**53, 2**53 + 1, 0.1, float("inf"), 1j]
AWKWARD_TOKENS += ["", "1", "0", "a", b"a", "\x00", "\ud800", "é"]
AWKWARD_TOKENS += [None, (), (1,), (1.0,), ("a",), ("a", ("b", 2)), frozenset({1})]


def token_segment(tokens, max_size=20, max_references=4):
    """A hypothesis and its references as lists of tokens."""
    sequence = st.lists(tokens, max_size=max_size)
    return st.tuples(sequence, st.lists(sequence, min_size=1, max_size=max_references))


words = st.sampled_from(["a", "b", "c", "the", "cat"])
ids = st.integers(0, 4)
any_tokens = st.sampled_from(AWKWARD_TOKENS)
word_corpora = corpora(token_segment(words))
id_corpora = corpora(token_segment(ids))
any_corpora = corpora(token_segment(any_tokens))


def random_tokens(seed, length, distinct):
    """Long sequences from a separate generator, because hypothesis takes seconds for thousands of draws."""
    generator = random.Random(f"{seed}/{length}/{distinct}")
    return [generator.randrange(distinct) for _ in range(length)]


def noisy_copy(seed, tokens, rate=0.2, other="changed"):
    """A plausible hypothesis for a reference of these tokens: some dropped, doubled or changed."""
    generator = random.Random(f"{seed}/{len(tokens)}")
    result = []
    for token in tokens:
        fate = generator.random() / rate
        if fate < 0.25:
            continue
        result += [token, token] if fate < 0.5 else [other] if fate < 1 else [token]
    return result
