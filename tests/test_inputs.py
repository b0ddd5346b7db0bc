"""Hypotheses and references: every accepted shape."""

from array import array
from collections import UserList, deque

import numpy as np
import pytest

import refscore
from tests.reference import bleu as oracle, tokenizers as oracle_tokenizers

METRIC = refscore.BLEU(tokenizer="none")
PREPARING = refscore.BLEU(tokenizer="none", lowercase=True)  # uses the path through Python

TEXTS = ["the cat sat on the mat", "a dog", "", "the end of it all"]
TEXT_REFERENCES = [
    ["the cat sat on a mat", "a cat sat"],
    ["a dog ran", "", "one dog"],
    ["nothing"],
    ["it is the end of it all", "the end"],
]
WORDS = [text.split() for text in TEXTS]
WORD_REFERENCES = [[text.split() for text in refs] for refs in TEXT_REFERENCES]
IDS = [[1, 2, 3, 4, 1, 5], [6, 7], [], [1, 8, 9, 3]]
ID_REFERENCES = [[[1, 2, 3, 4, 6, 5], [6, 2, 3]], [[6, 7, 8], [], [9, 7]], [[5]], [[3, 4, 1, 8, 9, 3], [1, 8]]]
RECTANGLE = [[1, 2, 3, 4, 5], [1, 1, 2, 2, 1], [9, 8, 7, 6, 5]]
OTHERS = [[1, 2, 3, 5, 4], [1, 1, 2, 1, 1], [5, 6, 7, 8, 9]]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def expected(hypotheses, references):
    return oracle.rows(oracle.Settings(), hypotheses, references)


WORD_ROWS = expected(WORDS, WORD_REFERENCES)
ID_ROWS = expected(IDS, ID_REFERENCES)
RECTANGLE_ROWS = expected(RECTANGLE, [[row] for row in OTHERS])


class Column:
    """An object like a data frame's column: iterable, but not a sequence."""

    def __init__(self, items):
        self._items = list(items)

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)


class Tensor:
    """An array of a different library that only supports DLPack."""

    def __init__(self, values, dtype="int64"):
        self._array = np.array(values, dtype)

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class Text(str):
    """A user's text type."""


def nested(make):
    """Apply a type to all sequences of tokens."""
    return [make(tokens) for tokens in IDS], [[make(tokens) for tokens in refs] for refs in ID_REFERENCES]


def objects(items):
    result = np.empty(len(items), object)
    result[:] = items
    return result


OUTER = {
    "list": list,
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "map": lambda items: map(items.__getitem__, range(len(items))),
    "column": Column,
    "object array": objects,
    "deque": deque,
    "user list": UserList,
    "dict values": lambda items: dict(enumerate(items)).values(),
}


KINDS = [
    (METRIC, TEXTS, TEXT_REFERENCES, WORD_ROWS),
    (PREPARING, TEXTS, TEXT_REFERENCES, WORD_ROWS),
    (METRIC, WORDS, WORD_REFERENCES, WORD_ROWS),
    (METRIC, IDS, ID_REFERENCES, ID_ROWS),
]


@pytest.mark.parametrize("make", OUTER.values(), ids=OUTER)
def test_containers(make):
    """Of texts, words and ids, outside and inside, native and through Python, and prepared."""
    for metric, hypotheses, references, rows in KINDS:
        assert metric.stats(make(hypotheses), references).tolist() == rows
        assert metric.stats(hypotheses, make(references)).tolist() == rows
        assert metric.stats(make(hypotheses), make([make(refs) for refs in references])).tolist() == rows
        assert metric.corpus(make(hypotheses), make(references)).row.tolist() == np.sum(rows, axis=0).tolist()
        for prepared in (metric.prepare(make(references)), metric.prepare([make(refs) for refs in references])):
            assert metric.stats(hypotheses, prepared).tolist() == rows


def test_one_reference_as_text_and_in_arrays():
    references = [refs[0] for refs in TEXT_REFERENCES]
    rows = expected(WORDS, [[text.split()] for text in references])
    for one in (references, tuple(references), np.array(references), Column(references), iter(references)):
        assert METRIC.stats(np.array(TEXTS), one).tolist() == rows


def test_arrays_of_strings():
    texts, references = np.array(["a b", "c d e"]), np.array([["a c", "a b"], ["c d", "e"]])
    rows = expected([["a", "b"], list("cde")], [[["a", "c"], ["a", "b"]], [["c", "d"], ["e"]]])
    assert METRIC.stats(texts, references).tolist() == rows
    tokens = np.array([["a", "b"], ["c", "d"]])
    assert METRIC.stats(tokens, tokens[:, None]).tolist() == expected(tokens.tolist(), tokens[:, None].tolist())


TOKENS = {
    "tuple": tuple,
    "deque": deque,
    "user list": UserList,
    "object array": lambda tokens: np.array(tokens, object),
    "array.array q": lambda tokens: array("q", tokens),
    "array.array B": lambda tokens: array("B", tokens),
    "array.array Q": lambda tokens: array("Q", tokens),
    "numpy integers": lambda tokens: [np.int32(token) for token in tokens],
    "floats": lambda tokens: [float(token) for token in tokens],
    "dlpack": Tensor,
    "dlpack int16": lambda tokens: Tensor(tokens, "int16"),
}
TOKENS |= {dtype: lambda tokens, dtype=dtype: np.array(tokens, dtype) for dtype in INTEGERS}
TOKENS |= {code: lambda tokens, code=code: np.array(tokens, code) for code in (">i2", ">i4", ">i8", ">u8", "<i8")}
TOKENS |= {"strided": lambda tokens: np.repeat(np.array(tokens, "int64"), 3)[::3]}
TOKENS |= {"reversed": lambda tokens: np.array(tokens[::-1], "int32")[::-1]}


@pytest.mark.parametrize("make", TOKENS.values(), ids=TOKENS)
def test_token_sequences(make):
    hypotheses, references = nested(make)
    assert METRIC.stats(hypotheses, references).tolist() == ID_ROWS
    assert METRIC.stats(IDS, references).tolist() == ID_ROWS
    assert METRIC.stats(hypotheses, ID_REFERENCES).tolist() == ID_ROWS
    assert METRIC.stats(hypotheses[:1] + IDS[1:], references[:2] + ID_REFERENCES[2:]).tolist() == ID_ROWS
    assert METRIC.segment(hypotheses[0], references[0]).row.tolist() == ID_ROWS[0]


@pytest.mark.parametrize("left", INTEGERS)
def test_integer_types_mix(left):
    hypothesis = np.array([100, 3, 100, 7], left)
    for right in (*INTEGERS, ">i4", ">u8"):
        reference = np.array([3, 100, 7], right)
        assert METRIC.stats([hypothesis], [[reference]]).tolist() == expected([[100, 3, 100, 7]], [[[3, 100, 7]]])


def test_large_unsigned_ids():
    ids = np.array([2**64 - 1, 2**63, 5], "uint64")
    for reference in (ids[::-1], ids[::-1].astype(">u8"), ids.tolist()[::-1]):
        assert METRIC.stats([ids], [[reference]]).tolist() == expected([ids.tolist()], [[ids.tolist()[::-1]]])


BATCHES = {"numpy": np.array, "dlpack": Tensor, "padded": lambda values: refscore.inputs.padded(np.array(values))}


@pytest.mark.parametrize("make", BATCHES.values(), ids=BATCHES)
def test_batches(make):
    single = [[row] for row in OTHERS]
    both = [[one, two] for one, two in zip(OTHERS, RECTANGLE, strict=True)]
    for hypotheses, references, lists in [
        (make(RECTANGLE), make(OTHERS), single),
        (RECTANGLE, make(OTHERS), single),
        (make(RECTANGLE), single, single),
        (make(RECTANGLE), make(both), both),
        (RECTANGLE, make(both), both),
    ]:
        assert METRIC.stats(hypotheses, references).tolist() == expected(RECTANGLE, lists)
        assert METRIC.segments(hypotheses, references).tolist() == METRIC.segments(RECTANGLE, lists).tolist()


@pytest.mark.parametrize("dtype", [*INTEGERS, ">i4", ">u8"])
def test_types_of_batches(dtype):
    for order in "CF":
        hypotheses, references = np.array(RECTANGLE, dtype, order=order), np.array(OTHERS, dtype, order=order)
        assert METRIC.stats(hypotheses, references).tolist() == RECTANGLE_ROWS
        assert METRIC.stats(hypotheses, references.astype("int64")).tolist() == RECTANGLE_ROWS
        wide = np.repeat(hypotheses, 2, axis=1)
        assert METRIC.stats(wide[:, ::2], references).tolist() == RECTANGLE_ROWS


def test_a_two_dimensional_array_as_one_entry():
    references = [np.array([row, row[::-1]]) for row in OTHERS]
    rows = expected(RECTANGLE, [array.tolist() for array in references])
    assert METRIC.stats(RECTANGLE, references).tolist() == rows
    assert METRIC.stats(np.array(RECTANGLE), references).tolist() == rows
    assert METRIC.stats(RECTANGLE, [Tensor(array) for array in references]).tolist() == rows


def fill(rows, width, pad):
    return np.array([row + [pad] * (width - len(row)) for row in rows])


@pytest.mark.parametrize("pad", [0, -1, 77])
@pytest.mark.parametrize("wrap", [np.asarray, Tensor], ids=["numpy", "dlpack"])
def test_padding(pad, wrap):
    lengths = np.array([len(tokens) for tokens in IDS])
    hypotheses = wrap(fill(IDS, 8, pad))
    first = [refs[0] for refs in ID_REFERENCES]
    batch = wrap(fill(first, 7, pad))
    for left in (
        refscore.inputs.padded(hypotheses, pad_id=pad),
        refscore.inputs.padded(hypotheses, pad_id=np.int32(pad)),
        *(refscore.inputs.padded(hypotheses, lengths=given) for given in (lengths, wrap(lengths), lengths.tolist())),
        refscore.inputs.padded(hypotheses, lengths=lengths.astype("uint8")),
    ):
        assert len(left) == len(IDS)
        for right in (
            [[tokens] for tokens in first],
            refscore.inputs.padded(batch, pad_id=pad),
            refscore.inputs.padded(batch, lengths=[*map(len, first)]),
        ):
            assert METRIC.stats(left, right).tolist() == expected(IDS, [[tokens] for tokens in first])


def test_padding_of_several_references():
    full = [[*refs, [], []][:3] for refs in ID_REFERENCES]
    batch = np.array([fill(refs, 7, 0) for refs in full])
    lengths = [[*map(len, refs)] for refs in full]
    for references in (refscore.inputs.padded(batch, pad_id=0), refscore.inputs.padded(batch, lengths=lengths)):
        assert METRIC.stats(IDS, references).tolist() == expected(IDS, full)


def test_padding_is_dropped_wherever_it_stands():
    batch = refscore.inputs.padded(np.array([[0, 1, 0, 2, 3], [0, 0, 0, 0, 0]]), pad_id=0)
    assert METRIC.stats(batch, [[[1, 2, 3]], [[1]]]).tolist() == expected([[1, 2, 3], []], [[[1, 2, 3]], [[1]]])


@pytest.mark.parametrize("pad", [300, -212, 2**40, 2**63, 2**70, -(2**70)])
def test_a_padding_id_that_the_type_cannot_hold_drops_nothing(pad):
    batch = refscore.inputs.padded(np.array([[44, 44, 1]], "uint8"), pad_id=pad)
    assert METRIC.stats(batch, [[[44, 1]]]).tolist() == expected([[44, 44, 1]], [[[44, 1]]])


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (0, 0)])
def test_empty_batches(shape):
    batch = np.zeros(shape, int)
    rows = expected(batch.tolist(), [[row] for row in batch.tolist()])
    lengths = np.zeros(shape[0], int)
    for hypotheses in (batch, refscore.inputs.padded(batch, pad_id=0), refscore.inputs.padded(batch, lengths=lengths)):
        assert METRIC.stats(hypotheses, batch).tolist() == rows
    assert METRIC.stats(refscore.inputs.padded(batch, lengths=lengths.tolist()), batch).tolist() == rows


def test_torch():
    import torch

    hypotheses, references = nested(torch.tensor)
    hypotheses[2] = torch.zeros(0, dtype=torch.int64)
    references[1][1] = torch.zeros(0, dtype=torch.int64)
    assert METRIC.stats(hypotheses, references).tolist() == ID_ROWS
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
        left, right = torch.tensor(RECTANGLE, dtype=dtype), torch.tensor(OTHERS, dtype=dtype)
        assert METRIC.stats(left, right).tolist() == RECTANGLE_ROWS
        assert METRIC.stats(left.T.contiguous().T, right).tolist() == RECTANGLE_ROWS
        assert METRIC.stats(refscore.inputs.padded(left, lengths=torch.full((3,), 5)), right).tolist() == RECTANGLE_ROWS
    with pytest.raises(refscore.InputError, match=r"hypotheses\[0\]"):
        METRIC.stats([torch.tensor([1.5])], [[torch.tensor([1.5])]])


def test_missing_references():
    for metric, hypotheses, references, rows in KINDS:
        assert metric.stats(hypotheses, [[None, *refs, None] for refs in references]).tolist() == rows


def test_strings_of_other_types():
    references = [[*map(np.str_, refs)] for refs in TEXT_REFERENCES]
    for metric in (METRIC, PREPARING):
        assert metric.stats([*map(Text, TEXTS)], references).tolist() == WORD_ROWS
    assert METRIC.stats([[*map(Text, tokens)] for tokens in WORDS], WORD_REFERENCES).tolist() == WORD_ROWS


AWKWARD = ["\ud800 a \udfff", "\ud83d\udc4d 👍", "a\x00b \x00 a", "\x00", "a\u2028b\x85c", "é e\u0301", "\U0010ffff"]


@pytest.mark.parametrize("tokenizer", oracle_tokenizers.TOKENIZERS)
def test_awkward_characters(tokenizer):
    metric = refscore.BLEU(tokenizer=tokenizer)
    hypotheses, references = AWKWARD, [[text, other] for text, other in zip(AWKWARD, AWKWARD[::-1], strict=True)]

    def split(text):
        return oracle_tokenizers.tokenize(text, tokenizer)

    rows = expected([split(text) for text in hypotheses], [[split(text) for text in refs] for refs in references])
    assert metric.stats(hypotheses, references).tolist() == rows
    assert metric.stats(hypotheses, metric.prepare(references)).tolist() == rows
    tokens = [list(text) for text in hypotheses], [[list(text) for text in refs] for refs in references]
    assert metric.stats(*tokens).tolist() == expected(*tokens)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokenizer", "alphabet", "glue"), [("13a", "abcdefghij", " "), ("zh", "中文测试汉字很长的句", "")]
)
def test_a_segment_of_megabytes(tokenizer, alphabet, glue):
    size = 1_000_000
    letters = np.array(list(alphabet))
    generator = np.random.default_rng(0)
    hypothesis, reference = letters[generator.integers(0, 10, size)], letters[generator.integers(0, 10, size // 2)]
    texts = glue.join(hypothesis.tolist()), glue.join(reference.tolist())
    assert len(texts[0].encode()) >= 2 * size - 1
    rows = refscore.BLEU(tokenizer=tokenizer, max_order=2).stats([texts[0]], [[texts[1]]])
    tokens = hypothesis.tolist(), [reference.tolist()]
    assert rows.tolist() == [oracle.row(oracle.Settings(max_order=2), *tokens)]


@pytest.mark.slow
def test_a_million_empty_segments():
    count = 1_000_000
    for hypotheses, references in ([""] * count, [""] * count), ([[]] * count, [[[]]] * count):
        rows = METRIC.stats(hypotheses, references)
        assert rows.shape == (count, 10)
        assert not rows.any()
        assert METRIC.corpus(hypotheses, references).value == 0.0
