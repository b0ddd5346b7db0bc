"""Inputs that all comparisons share: difficult texts and tokens, generated sentences, and drawn corpora.

A corpus is a list of hypotheses and a list with the references of each.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis.strategies import SearchStrategy

from tests import strategies

TEXTS = [
    *("", " ", " \t\n", "\u3000\x85", "\n\n", "x", "a", "a a a a", "the the the the", "b a b a b", "a b a b a"),
    # Case, of which some changes the length.
    "The cat SAT on the Mat, the cat.",
    "The Cats are RUNNING quickly",
    "ΣΟΦΟΣ ΟΔΟΣ Σ ΣΣ ΑΣ. Σ ΟΔΟΣ",
    "σοφος ΟΔΟς σ σσ ας. ς",
    "IT'S ΣΟΦΟΣ İstanbul",
    "İstanbul I ı i̇stanbul İ i",
    "STRASSE straße STRAẞE Straße",
    "\u212aelvin kelvin Å å Kelvin Å naïve",
    "ǅ Ǆ ǆ ﬁ FI ﬀ",
    "𐐀 𐐨 𐐀𐐨 A",
    # Several code points per character, several scripts, two directions.
    "👍🏽 👍 👩\u200d👩\u200d👧 👍🏽 🇩🇪🇫🇷",
    "e\u0301 é É E\u0301 é",
    "\r\n \u0308 \u00a0\u0308",
    "क्षि नमस्ते ส้ำ 각각 ᄀᄀ가",
    "你好 世界 你好 我 世界",
    "你好\u3000世界\u3000A\u3000a",
    "你好，世界。「日本語」カタカナ ㈱㌀㋿㐀㼢㼣 豈﹏ﾊﾛｰ･",
    "他说……𠮷野家 ひらがな カタカナㇰ",
    "今日は いい天気",
    "שלום עולם \u202eABC\u202c שלום مرحبا، ؟",
    # Whitespace and what only looks like it; code points that are no characters.
    " \t\n x  Y \r\n ",
    "a\tb\t\tc \n d\ne",
    "a b\r\nc\u2028d\x85e\u2029f\x1cA\x1fB\u200bg",
    "a\x00b A\x00B \x00 a",
    "\ud800 a \udfff A \ud83d\udc4d \ud800",
    # What tokenizers split or replace.
    "\"quoted\" 'word' (a) “b” ,, ... !? -x- _y_ ~ a.b, .",
    "a_b-c d'e a.,5 a..,,5.,",
    "1-2 3.5,6 .5 5. 1,000.50 3rd",
    "It's, it's. it's\tit's\xa0it's\nit's!it's 's 's's x's",
    "\n-\n\n--x &amp;quot; &quot;&amp;lt; <skipped>",
    "Well -\n",
    "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5",
]


def awkward():
    """Return each text with itself, with its neighbour, and with several references."""
    several = [[TEXTS[i - 1], "", TEXTS[i], TEXTS[i - 7]] for i in range(len(TEXTS))]
    return TEXTS * 3, [[text] for text in TEXTS] + [[TEXTS[i - 1]] for i in range(len(TEXTS))] + several


SENTENCES = (
    [
        "The cat sat on the mat.",
        "A test",
        "",
        "Nothing in common",
        "It costs 1,000.50 euros, e.g.",
        "Ich sah's „gestern“.",
        "ΟΔΟΣ İstanbul \ud83d \x00 𐐀",
        "x",
    ],
    [
        ["The cat is on the mat.", "There is a cat on the mat.", ""],
        ["a test", "A test"],
        ["something"],
        ["entirely other words here"],
        ["It costs 1,000.50 euros.", "The price is 1,000.50 euros, e.g."],
        ["Ich habe es „gestern“ gesehen.", "Ich sah's gestern."],
        ["οδος i̇stanbul \ud83d\x00 𐐨", "ΟΔΟς ISTANBUL"],
        [""],
    ],
)


def reordered(generator, words, others=("new",)):
    """Return the words with some of them dropped, doubled or replaced, and blocks moved."""
    words = list(words)
    for _ in range(generator.randrange(3)):
        begin, end = sorted(generator.randrange(len(words) + 1) for _ in range(2))
        block = words[begin:end]
        del words[begin:end]
        place = generator.randrange(len(words) + 1)
        words[place:place] = block
    for _ in range(generator.randrange(5)):
        place = generator.randrange(len(words) + 1)
        words[place : place + generator.randint(0, 1)] = generator.choices([*words, *others], k=generator.randint(0, 2))
    return words


def generated(seed, size, longest, vocabulary):
    """Return reordered sentences of these tokens, with one to three references each."""
    generator = random.Random(f"{seed}/{size}/{longest}")
    hypotheses, references = [], []
    for _ in range(size):
        words = generator.choices(vocabulary, k=generator.randrange(1, longest))
        hypotheses.append(reordered(generator, words, vocabulary[:1]))
        references.append([reordered(generator, words, vocabulary[-1:]) for _ in range(generator.randint(1, 3))])
    return hypotheses, references


def joined(corpus):
    """Return token lists as text."""
    hypotheses, references = corpus
    return [" ".join(words) for words in hypotheses], [[" ".join(words) for words in refs] for refs in references]


COMMON = "the of and to in a is that for it was on are as with they be at one have this from".split()  # noqa: SIM905
WORDS = [*COMMON * 3, *(f"word{i}" for i in range(60)), *("The", "walked", "walking", "walks", "don't", "3.5,", "end.")]
SHORT = [
    *((h, [r]) for h in ([], ["a"], ["b"], ["a", "a"]) for r in ([], ["a"], ["b"], ["a", "b"])),
    (["a"] * 70, [["a"] * 3, ["a"] * 69, ["b"] * 70]),
    (["a", "b"] * 40, [["b", "a"] * 40, []]),
    (list("abc"), [list("ab"), list("abcd")]),
    (list("abc"), [list("abcd"), list("ab")]),
    (["", " ", "a b"], [["", "a", "b"]]),
    (["\ud800", "\udfff", "\x00"], [["\ud800", "\ufffd"], ["é", "e\u0301", "\u2028"]]),
]
LONG = generated("long", 2, 9000, WORDS)
LONG[0].append([])  # a short segment after long ones, whose state must not leak
LONG[1].append([["a"], ["b", "c"]])


@dataclass(frozen=True)
class Inputs:
    """A kind of input: drawn corpora, some for every test run, and long ones, which only slow tests use."""

    name: str
    drawn: SearchStrategy
    named: Mapping[str, tuple[list, list]] = field(default_factory=dict)
    long: Mapping[str, tuple[list, list]] = field(default_factory=dict)


TEXT = Inputs(
    "text",
    strategies.text_corpora,
    {"awkward": awkward(), "sentences": SENTENCES, "generated": joined(generated("text", 30, 40, WORDS))},
    {"long": joined(LONG)},
)
TOKENS = Inputs(
    "tokens",
    strategies.word_corpora,
    {"short tokens": tuple(map(list, zip(*SHORT, strict=True))), "few tokens": generated("few", 30, 25, "abcde")},
    {"long tokens": LONG},
)
IDS = Inputs(
    "ids",
    strategies.id_corpora,
    {"ids": generated("ids", 10, 150, range(40))},
    {f"long ids of {count}": generated("ids", 1, 6000, range(count)) for count in (1, 3, 10_000)},
)
# Tokens of any kind, which Python's equality compares.
OBJECTS = Inputs(
    "objects", strategies.any_corpora, {"objects": generated("objects", 20, 15, strategies.AWKWARD_TOKENS)}
)
