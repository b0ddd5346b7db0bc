"""Sentences for tests of normalizers: numbers, money, contractions, brackets and characters of all kinds."""

import random


def split(text):
    return text.split()


NUMBERS = [
    *split("0 1 2 7 10 21 50 100 007 1960 1,234 12,345,678 3.14 5.0 0.05 .5 1. 1s 2nd 274th 90s 1,2,3 0.5.6 ٣ ٣.٥ ² ½"),
    *split("one two three four five six seven eight nine ten eleven twelve thirteen nineteen ones twos sixes １２"),
    *split("zeroth first second third fourth fifth eighth ninth nineth twelfth twentieth hundredth millionths"),
    *split("twenty thirty forty ninety twenties fortieth hundred thousand million billion decillion hundreds"),
    *split("thousandth and point double triple oh o zero minus plus negative positive per percent"),
    *split("dollars dollar cents cent pounds euro $ € £ ¢ $1 $20 £0.50 €1.50 ¢7 $0.07 $007 % 50% x% %% $$5 $0x5 $0¢5"),
    *["32 nd", "per cent", "$2 and ¢7", "$2 ¢70", "$-5", "-5", "+3", "9" * 40, "0" * 20, "one hundred and", "oh seven"],
    *["and a half", "and  a\thalf", "and a halfway", "band a half", "a half", "double oh"],
]
CONTRACTIONS = [
    *split("won't can't let's ain't y'all wanna kinda sorta dunno gotta gonna i'ma imma woulda coulda shoulda cause"),
    *split("ma'am mr mrs. st dr. prof capt gov ald gen sen rep pres rev hon asst assoc lt col jr. sr esq o'clock"),
    *split("he'd she's they're we'll isn't it't I've I'm 's 'd n't don't've Mr.'s cause' 'cause"),
    *["he'd been", "she's gone", "it's got", "we'd  been", "he 's", "he \t'd done", "x'd donee"],
]
FILLERS = split("hmm mm mhm mmm uh um umm Uh, um's hm mmmm _um_")
WORDS = [
    *split("The colour theatre was grey, realised; flyers organise the MARCH of cheque and 1960s music storeys"),
    *split("— naïve café. Thérèse Œuvre ø Æsir ß ẞ Đ þorn Łódź İstanbul ΑΣ ﬁne Å ½ ℌ № ™ ¼ ǅ"),
]
BRACKETS = ["[noise]", "(laughs)", "<unk>", "()", "((", "))", "[a>", "<b]", "(a (b) c)", *"[]<>()"]
SYMBOLS = [*".,;:!?-_/\\'\"`´’“”«»…·•@#&*+=^~|{}§©®°±×÷", "...", "..", "--", "é", "\u0301", "ä", "\u200b", "﷽"]
OTHER = [
    *split("中文 日本語 한국어 עברית العربية नमस्ते ไทย 😀 👩\u200d👩\u200d👧 🇩🇪 ⁰ 𝟙 ꙯"),
    *["\ud800", "\udfff\ud800", "\0", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\u0301", "\u0903", "\u20dd"],
    *["\U0001d7d8", "\U000e0041", "\U0010ffff"],
]
SPACES = [*[" "] * 12, "", "  ", "\n", "\t", "\n\n", " \xa0", "-", "."]
KINDS = [*[NUMBERS] * 4, CONTRACTIONS, FILLERS, WORDS, WORDS, BRACKETS, SYMBOLS, OTHER]


def sentence(generator, kinds):
    parts = []
    for _ in range(generator.randrange(14)):
        word = generator.choice(generator.choice(kinds))
        if generator.random() < 0.1:
            word = generator.choice([word.upper(), word.title(), word + generator.choice(SYMBOLS)])
        parts += [word, generator.choice(SPACES)]
    return "".join(parts)


def sentences(count, seed=1):
    """Return mixed sentences, sentences of numbers, and sentences of symbols."""
    generator = random.Random(seed)
    choices = [KINDS, [NUMBERS], [NUMBERS, WORDS[:17]], [SYMBOLS, OTHER, WORDS]]
    return [sentence(generator, choices[i % len(choices)]) for i in range(count)]
