"""Write a seed corpus for each fuzz target: `python make_seeds.py FOLDER` creates FOLDER/TARGET/NAME.

An input consists of settings, one byte each, and segments: 0xff begins the next reference, 0xfe the next segment (see
input.hpp). The script uses only the standard library and always writes the same files.
"""

import itertools
import random
import struct
import sys
from pathlib import Path

SENTENCES = [
    "The cat sat on the mat.",
    "On the mat sat the cat, didn't it?",
    "the cat the cat the cat",
    "",
    " ",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "It's 1,234.5 - or 99.9% &amp; &quot;more&quot; <skipped> hyphen-\nated",
    "relational relate relating internationalizations internationalization ponies caresses",
    "line one\nline two\n\nline four",
    "Überraschung: ÄÖÜ ȺȺȺ K Σίσυφος Кошка",
    "我喜欢猫。 これはペンです。한국어 문장",
    "naïve café\u0301 👩‍👩‍👧 🇯🇵🇩🇪 क्षत्रिय \u200b\u00a0\u3000x",
    "x" * 70,
    "w " * 70,
    "ab" * 40 + " " + "ba" * 40,
    "one two three four five six seven eight nine ten " * 3,
    "ten nine eight seven six five four three two one " * 3,
]
TOKENIZERS = 29
FORMS = range(0, 20)  # kind of item and encoding


def text(*segments: list[str]) -> bytes:
    """Encode segments of a hypothesis and its references."""
    return b"\xfe".join(b"\xff".join(part.encode("utf-8") for part in segment) for segment in segments)


def groups() -> list[bytes]:
    """Return inputs from one pair to several segments with several references."""
    inputs = [text([one, other]) for one in SENTENCES for other in SENTENCES[:3]]
    inputs += [text([one, one]) for one in SENTENCES]
    inputs.append(text(SENTENCES[:4]))
    inputs.append(text(*[[one, other, SENTENCES[0]] for one, other in itertools.pairwise(SENTENCES)]))
    chosen = random.Random(1)
    for size in (3, 30, 63, 64, 65, 130, 260):
        for kinds in (2, 20):
            inputs.append(b"\xff".join(bytes(97 + chosen.randrange(kinds) for _ in range(size)) for _ in range(3)))
    return inputs


def segments_after(settings: list[bytes]) -> list[bytes]:
    """Return all groups, each preceded by random settings and a random kind of item."""
    chosen = random.Random(2)
    inputs = []
    for body in groups():
        for _ in range(3):
            rules = bytes([chosen.randrange(TOKENIZERS), chosen.randrange(16)])
            form = bytes([chosen.choice(FORMS), chosen.choice([0, 0, 0, 0, 0, 228]), chosen.choice([0, 0, 3])])
            inputs.append(chosen.choice(settings).replace(b"RULES", rules) + form + body)
    return inputs


def each(count: int, *before: int, after: bytes = b"") -> list[bytes]:
    """Return settings in which the next byte takes every value."""
    return [bytes([*before, value]) + after + b"RULES" for value in range(count)]


def stored_ngrams(magic: bytes) -> list[bytes]:
    """Return stored counts of n-grams, complete and truncated."""

    def stored(
        ids: int, order: int, words: int, tokens: list[tuple[int, bytes]], ngrams: list[tuple[int, int, int]]
    ) -> bytes:
        data = magic + struct.pack("<BIQI", ids, order, words, len(tokens))
        for count, token in tokens:
            data += struct.pack("<II", count, len(token)) + token
        return data + b"".join(struct.pack("<III", *ngram) for ngram in ngrams)

    body = b"\x00\x00\x00a b a\xffa b a  "
    whole = stored(0, 5, 4, [(2, b"a"), (2, b"b")], [(1, 2, 2), (3, 1, 1)])
    ids = stored(1, 3, 2, [(1, struct.pack("<q", 97)), (1, struct.pack("<q", 98))], [(1, 2, 1)])
    long = stored(0, 1, 3, [(3, b"x" * 40)], [])
    fitted = [item + body.ljust(24, b" ") for item in (whole, ids, long)]
    return [*fitted, fitted[0][:20], fitted[0][:-30], whole + b"\x02" + body[1:].ljust(23, b" ")]


def exact_sums() -> list[bytes]:
    """Return numbers of all magnitudes, and stored sums."""
    numbers = [0.0, -0.0, 1.0, -0.1, 1e16, 5e-324, 1.7976931348623157e308, -2.5e-300]
    stored = [b"\x00\x00\x00", b"\x00\x22\x01\x01\x00\x00\x00", b"\x01\x1f\x02\x01\x00\x00\x00\x00\x00\x00\x80"]
    added = [bytes([columns, 0, 8]) + struct.pack("<8d", *numbers) * 3 for columns in range(4)]
    return added + [bytes([columns, 1]) + part * columns for columns in range(4) for part in stored]


def arrow() -> list[bytes]:
    """Return arbitrary bytes, from which the target builds columns."""
    chosen = random.Random(3)
    inputs = []
    for form in range(11):
        for inner in range(6):
            for role in range(2):
                shape = [form, 2, 2] + ([inner, 3, 1, 0] if form >= 5 else []) + [0]
                rest = [chosen.choice([0, 1, 2, 3, 5, 8, 97, 98, 32, 200]) for _ in range(160)]
                inputs.append(
                    bytes([chosen.randrange(TOKENIZERS), chosen.randrange(16), role, 0, 0, 3, *shape, 0, *rest])
                )
    return inputs


def tokenizers() -> list[bytes]:
    """Return every sentence with every tokenizer."""
    return [
        bytes([tokenizer, flags, reference]) + sentence.encode("utf-8")
        for sentence in SENTENCES
        for tokenizer in range(TOKENIZERS)
        for flags, reference in ((0, 0), (14, 1))
    ]


def normalizers() -> list[bytes]:
    """Return every sentence and some numbers with every normalizer."""
    numbers = ["one hundred and one dollars and five cents", "minus 2,000.5 per cent", "$0.50 and ¢7, two and a half"]
    return [bytes([kind]) + text.encode("utf-8") for kind in range(10) for text in [*SENTENCES, *numbers]]


def pool() -> list[bytes]:
    """Return tasks of several callers."""
    chosen = random.Random(4)
    return [
        bytes([callers, *(chosen.randrange(256) for _ in range(10 * tasks))])
        for callers in range(4)
        for tasks in (1, 4, 12)
    ]


def seeds() -> dict[str, list[bytes]]:
    """Return the inputs of each target."""
    return {
        "fuzz_accuracy": segments_after([bytes([flags, 5]) + b"5 %, a" + b"RULES" for flags in range(0, 24, 5)]),
        "fuzz_answers": segments_after([bytes([flags]) + b"RULES" for flags in range(4)]),
        "fuzz_arrow": arrow(),
        "fuzz_bleu": segments_after(
            [
                bytes([order, smoothing, 2, 37 * smoothing % 256]) + b"RULES"
                for order in (3, 0, 7, 240)
                for smoothing in range(15)
            ]
        ),
        "fuzz_character": segments_after([b"RULES"]),
        "fuzz_chrf": segments_after(
            [bytes([5, words, 0, smoothing]) + b"RULES\x00" for words in (0, 2) for smoothing in range(3)]
        ),
        "fuzz_cider": segments_after(
            [bytes([3, clip, 0, penalize]) + b"RULES" for clip in (0, 1) for penalize in (0, 1)]
        ),
        "fuzz_crystal_bleu": [
            *segments_after([bytes([0, order, most]) + b"RULES" for order in (0, 3) for most in range(4)]),
            *(b"\x01" + content for content in stored_ngrams(b"refscore CrystalBLEU 1\n")),
        ],
        "fuzz_diversity": segments_after(
            [bytes([3, rule, threads]) + b"RULES" for rule in range(4) for threads in (0, 2)]
        ),
        "fuzz_edit_distance": segments_after(each(2)),
        "fuzz_eed": segments_after([b"\x00\x00\x00\x00RULES", b"\x01\x01\x01\x01RULES"]),
        "fuzz_edit_similarity": segments_after([bytes([flags]) + b"RULES" for flags in range(0, 32, 3)]),
        "fuzz_exact_sums": exact_sums(),
        "fuzz_gleu": segments_after([b"\x00\x03RULES", b"\x01\x02RULES"]),
        "fuzz_lattice": segments_after([b"RULES"]),
        "fuzz_max_match": each(40),
        "fuzz_meetings": [bytes([streams, *range(1, 200, step)]) for streams in range(3) for step in (1, 3, 7)],
        "fuzz_meteor": segments_after([b"RULES\x00\x00\x00", b"RULES\x01\x02\x02"]),
        "fuzz_nist": segments_after(each(8)),
        "fuzz_nist_weights": stored_ngrams(b"refscore NIST 1\n"),
        "fuzz_normalizers": normalizers(),
        "fuzz_overlap": segments_after(
            [bytes([order, most, 1, 1, 7]) + b"RULES" for order in range(5) for most in range(3)]
        ),
        "fuzz_pairs": segments_after(
            [bytes([metric, 3, 37 * flags % 256, flags % 15]) + b"RULES" for metric in range(4) for flags in range(20)]
        ),
        "fuzz_repetition": segments_after(each(2)),
        "fuzz_ribes": segments_after([bytes([flags, 0]) + b"RULES" for flags in range(0, 96, 5)]),
        "fuzz_rouge": segments_after(
            [bytes([variant, order, order % 2, 4, 1, order]) + b"RULES" for variant in range(6) for order in range(3)]
        ),
        "fuzz_sari": segments_after(
            [bytes([3, counting, *[flags] * 5]) + b"RULES" for counting in range(3) for flags in range(2)]
        ),
        "fuzz_segments": segments_after(each(2)),
        "fuzz_subtitles": [bytes([9, *range(1, 200, step)]) for step in (1, 3, 7)],
        "fuzz_ter": segments_after(each(2)),
        "fuzz_threads_pool": pool(),
        "fuzz_threads_sets": segments_after([bytes([3, 2, check]) + b"RULES" for check in range(3)]),
        "fuzz_tokenizers": tokenizers(),
    }


def write_seeds(folder: Path) -> None:
    """Write all seeds to a folder."""
    for target, inputs in seeds().items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, content in enumerate(dict.fromkeys(inputs)):
            (folder / target / f"seed-{number:04d}").write_bytes(content)


if __name__ == "__main__":
    write_seeds(Path(sys.argv[1]))
