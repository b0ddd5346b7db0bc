"""Lines for the Penn Treebank tokenizers: captions, and awkward fragments in random order."""

import random

CAPTIONS = [
    "A man riding a wave on top of a surfboard.",
    "Two dogs play tug-of-war with a child's toy; one isn't winning!",
    'A sign that reads "No Parking 8:30 a.m. - 5 p.m." on 42nd St.',
    "The couple can't decide: pizza, pasta, or a $9.99 salad?",
    "People (mostly kids) are gonna swim at O'Hare Park, cannot wait...",
    "An old-fashioned clock reads 10:45; it's about 3 1/2 ft. tall.",
    "A black & white photo of Mr. and Mrs. Jones' wedding, ca. 1950.",
    "Someone's \u201csmart\u201d phone \u2013 a 4\u00bd-inch one \u2013 lies on Dr. Lee's desk.",
    "a red double decker bus parked next to a u.s. flag",
    "Man in T-shirt with #1 dad & his 2-year-old eat mac'n'cheese @ Joe's.",
    "The player, No. 7, hits the ball at 90+ mph (wow!).",
    "The '90s-style kitchen has a fridge/freezer combo and 1,000 magnets.",
]

# Each is a case of a rule, a near miss, or a character that the program treats specially.
FRAGMENTS = [
    *("the", "A", "b", "man", "I", "No", "x", "e", "D", "O", "l", "n", "N", "y", "'t"),
    *("don't", "DON'T", "cannot", "gonna", "gotta", "wanna", "lemme", "'tis", "'Twas", "y'all", "d'you", "I'm"),
    *("she'll", "we've"),
    *("can\u2019t", "it`s", "rock'n'roll", "'n'", "o'clock", "O'Neil", "l'amour", "c'est", "cap'n", "'em"),
    *("'cause", "'till", "'80s", "'92"),
    *("isn&apos;t", "don\u2018t", "dogs'", "ol'", "ev'ry", "cont'd.", "nor'easter", "he\u0092s", "ain\xad't"),
    *("soft\xadhyphen", "\xad"),
    *("Mr.", "etc.", "U.S.", "u.s.a.", "Inc.", "Ph.D.", "a.m.", "Jan.", "Miss.", "miss.", "vs.", "no. 5", "fig. 3"),
    *("Pty. Ltd.", "co. lim"),
    *("St.", "ft.", "non-U.S.", "U.S.-U.K.", "Ariz.", "Calif.,", "Corp.;", "al.", "S&P-500", "AT&T", "R&amp;D,"),
    *("A+B", "Q.", "Z.", "The ", " It "),
    *("1", "23", "007", "1,000.50", "-3", "+4", "10:30", "3.14.15", "1/2", "3 1/2", "1-1/2", "1\\/2", "5-6-78"),
    *("10/11/2012", "1\u20442"),
    *("555-1234", "(617) 555-1234", "617.555.1234", "+1 617 555 1234", "1\u00a0800 555 1234", "\u00bd", "\u2154"),
    *("\u215b", "\u00b2", "\u2082", "\u0663"),
    *("$", "US$", "5$", "#", "#tag", "#1", "@name", "@@", "\u00a3", "\u20ac5", "\u00a2", "\u00a5", "\u00a4"),
    *("\u0080",),
    *("http://a.b/c?d=e", "https://x.y.", "www.example.com", "example.org/path.html,", "foo.NET", "a@b.com"),
    *("<me@x.org>", "&lt;q@z&gt;"),
    *("file.txt", "1.py.", "a.b.jpg,", "x.mp3?", "foo.docx!", "c++", "C#", "f#", "</p>", "<br/>", '<a href="x y">'),
    *("<!-- c -->", "<?p ?>"),
    *("<a b='", "<", ">", "<<", ">>", "&lt;", "&gt;", "&amp;", "&quot;", "&nbsp;", "&mdash;", "&MD;", "&#38;"),
    *("&eacute;t&eacute;", "&HT;", "&"),
    *(":)", ":-(", ";D", "=P", ":o]", ">:[", "^_^", "(-_-)", "(>.<)", "(^-^)", "x.[^x=a<>]", ":p9", "-_-", "o_O"),
    *("(", ")", "[", "]", "{", "}", "-LRB-", "-rsb-", "--", "---", "----", "-----", "-", "\u2013", "\u2014"),
    *("\u2015", "\u0096", "_", "__", "pro-", "anti-"),
    *("...", "..", ".", "......", ". . .", "\u2026", "\u0085", "!", "?!", "!!", ",", ";", ":", "=", "/", "\\", "*"),
    *("**", "\\*", "~", "^", "|", "%", "`", "``"),
    *("'", "''", '"', "\u2018", "\u2019", "\u201c", "\u201d", "\u00ab", "\u00bb", "\u2039", "\u201e", "\u201a"),
    *("\u0091", "\u0093", "&APOS;", "&QUOT;"),
    *("tug-of-war", "x-ray", "e-mail.", "a_b", "mid\u2010word", "T.V-set", "50-U.S.", "and/or", "he/she/it", "w/o"),
    *("A-b/c-d", "d'or-l'eau"),
    *("na\u00efve", "\u00c9T\u00c9", "\u0130stanbul", "Stra\u00dfe", "\u03a3\u03af\u03c3\u03c5\u03c6\u039f\u03a3"),
    *("\u041c\u0418\u0420", "\u4e2d\u6587", "\u65e5\u672c\u8a9e\u3002", "\u3001"),
    *("\u0e44\u0e17\u0e22", "\u0939\u093f\u0902\u0926\u0940", "\u05e9\u05dc\u05d5\u05dd"),
    *("\u0645\u0631\u062d\u0628\u0627\u060c", "\ud55c\uad6d\uc5b4", "e\u0301", "\u0301"),
    *("\U0001f600", "\U0001d400", "x\U0001f600.com", "a\U0001f600@b", "\ufeff", "\u200b", "\u200d", "\u00a0"),
    *("\u3000", "\u2003", "\t", "\x00", "\x7f", "\x01"),
    *("\r", "\x0b", "\x0c", "\u2028", "\u2122", "\u00a9", "\u00b0", "\u2192", "\u221e", "\uff01", "\uff21"),
    *("\u017f", "\u212a", "\u0131", "\ufffd"),
]  # fmt: skip


def captions(generator, count):
    """Return sentences, each with some words replaced by those of other sentences."""
    words = [word for caption in CAPTIONS for word in caption.split()]
    lines = []
    for _ in range(count):
        line = generator.choice(CAPTIONS).split()
        for _ in range(generator.randrange(4)):
            line[generator.randrange(len(line))] = generator.choice(words)
        lines.append(" ".join(line))
    return lines


def fragments(generator, count):
    """Return sequences of fragments, with and without spaces between them."""
    joints = ["", " ", " ", ". ", ", ", "-", "'s ", "\n"]
    lines = []
    for _ in range(count):
        parts = [generator.choice(FRAGMENTS) for _ in range(generator.randint(1, 6))]
        lines.append("".join(part + generator.choice(joints) for part in parts))
    return lines


def characters(generator, count):
    """Return short sequences of ASCII characters and of characters of every block."""
    lines = []
    for _ in range(count):
        codes = [
            generator.choice(
                [generator.randrange(0x20, 0x7F), generator.randrange(0x20, 0x7F), generator.randrange(0x3000), 0x20]
            )
            for _ in range(generator.randint(1, 12))
        ]
        if generator.random() < 0.2:
            codes.append(generator.choice([generator.randrange(0x3000, 0xD800), generator.randrange(0xE000, 0x11000)]))
        lines.append("".join(map(chr, codes)))
    return lines


def lines(seed, count):
    """Return lines of all kinds."""
    generator = random.Random(seed)
    third = count // 3
    mixed = [*CAPTIONS, *FRAGMENTS] if count > 2 * len(FRAGMENTS) else []
    mixed += captions(generator, third // 3) + fragments(generator, third) + characters(generator, third)
    return mixed + fragments(generator, max(0, count - len(mixed)))
