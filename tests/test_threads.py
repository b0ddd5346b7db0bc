"""The number of threads, other threads, concurrent changes and forks do not affect results."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import refscore
from refscore import _native
from refscore.inputs import padded
from refscore.metrics import sum_rows
from tests import strategies
from tests.children import printed_by

BLEU = refscore.BLEU
THREADS = [2, 7, None]


def check(metric, hypotheses, references, few=0):
    """Compare results of one and of several threads, and all pairs with a few hypotheses."""
    rows = metric.stats(hypotheses, references, threads=1)
    prepared = metric.prepare(references)
    pairs = metric.pairwise(hypotheses[:few], prepared, threads=1) if few else None
    for threads in THREADS:
        for given in (references, prepared):
            assert np.array_equal(metric.stats(hypotheses, given, threads=threads), rows)
        assert metric.corpus(hypotheses, references, threads=threads).row.tolist() == sum_rows(rows).tolist()
        if few:
            assert np.array_equal(metric.pairwise(hypotheses[:few], prepared, threads=threads), pairs)


def make_texts(count):
    words = [[f"w{token}" for token in strategies.random_tokens(i, 20 + i % 9, 60)] for i in range(count)]
    return [" ".join(text) for text in words], [" ".join(text[3:] + text[:3]) for text in words]


@pytest.mark.parametrize("metric", [BLEU(), BLEU(reference_length="average")], ids=["counts", "averages"])
def test_long_and_short_segments(metric):
    sizes = [0, 1, 900, 3, 40, 0, 0, 300] * 40
    references = [[strategies.random_tokens(i, size, 50), [1, 2]] for i, size in enumerate(sizes)]
    hypotheses = [strategies.random_tokens(-i, size, 50) for i, size in enumerate(sizes)]
    check(metric, hypotheses, references, few=20)
    check(metric, [np.array(tokens, "int32") for tokens in hypotheses], references)


@pytest.mark.parametrize(
    "metric",
    [BLEU(), *(pytest.param(metric, marks=pytest.mark.slow) for metric in (refscore.TER(), refscore.RIBES()))],
    ids=lambda metric: metric.name,
)
def test_blocks_of_long_segments_are_shared(metric):
    """Threads share the segments of a block if these are long, mixed with short ones and equal references."""
    words = 300 if metric.name == "ter" else 1500
    text = " ".join(f"w{token}" for token in strategies.random_tokens(1, words, 40))
    hypotheses = [text[i : i + (len(text) if i % 3 else 40)] for i in range(90)]
    references = [[text, text[1:]] if i % 4 else [text] for i in range(90)]
    check(metric, hypotheses, references, few=4)


def test_batches_of_ids():
    batch = np.array([strategies.random_tokens(i, 30, 9) for i in range(1000)])
    for hypotheses in (
        batch,
        padded(batch, pad_id=0),
        padded(batch, lengths=batch[:, 0] + 5),
    ):
        check(BLEU(), hypotheses, batch[::-1].copy())


def test_calls_from_several_threads():
    references = [" ".join(f"w{token}" for token in strategies.random_tokens(i, 20, 30)) for i in range(500)]
    hypotheses = [text.replace("w1", "x") for text in references]
    metrics = [BLEU(), BLEU(reference_length="average"), BLEU(max_order=2), BLEU(tokenizer=str.split)]
    prepared = [metric.prepare(references) for metric in metrics]
    expected = [metric.corpus(hypotheses, references).value for metric in metrics]

    def work(i):
        metric = metrics[i % len(metrics)]
        source = prepared[i % len(metrics)] if i % 3 else references
        return metric.corpus(hypotheses, source, threads=[None, 1, 3][i % 3]).value

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(40))) == [expected[i % len(metrics)] for i in range(40)]


def test_other_threads_run_meanwhile():
    """The GIL is released while a kernel works."""
    tokens = strategies.random_tokens(0, 300_000, 1000)
    done = threading.Event()
    score = threading.Thread(target=lambda: (BLEU(max_order=8).segment(tokens, [tokens[::-1], tokens]), done.set()))
    score.start()
    ticks = 0
    while not done.wait(0.001):
        ticks += 1
    score.join()
    assert ticks > 3


def test_other_threads_run_while_lists_are_read():
    """Threads read lists while the caller holds the GIL, but not all the time."""
    hypotheses, references = make_texts(2000)
    done = threading.Event()

    def work():
        for _ in range(30):
            refscore.TER().corpus(hypotheses, references, threads=3)
        done.set()

    score = threading.Thread(target=work)
    score.start()
    ticks = 0
    while not done.wait(0.001):
        ticks += 1
    score.join()
    assert ticks > 3


@pytest.mark.parametrize(
    "metric", [refscore.TER(), BLEU(lowercase=True), refscore.METEOR()], ids=lambda metric: metric.name
)
@pytest.mark.parametrize("share", [1, 3, 70])
def test_texts_that_only_python_can_lowercase(metric, share):
    """Only the calling thread can call `str.lower`, for every `share`-th text here."""
    special = ["ΟΔΟΣ ΣΟΦΟΣ Σ", "İzmir ve İstanbul", "𐐀𐐁 A B", "Αα ΣΑΣ, É"]
    plain = ["Das Haus IST alt", "É Ça", "a B c d"]
    hypotheses = [f"{(special if i % share == 0 else plain)[i % 3]} X{i % 7}" for i in range(400)]
    references = [[f"{(plain if i % share else special)[i % 2]} x{i % 5}", hypotheses[i].lower()] for i in range(400)]
    check(metric, hypotheses, references, few=5)
    expected = metric.segments(hypotheses, references, threads=1)
    pyarrow = pytest.importorskip("pyarrow")
    for threads in (1, *THREADS):
        columns = pyarrow.array(hypotheses), pyarrow.array(references)
        assert np.array_equal(metric.segments(*columns, threads=threads), expected)


def test_arrays_of_several_types():
    tokens = [strategies.random_tokens(i, 20 + i % 9, 50) for i in range(400)]
    references = [[strategies.random_tokens(-i, 25, 50)] for i in range(400)]

    class Subclass(np.ndarray):
        pass

    ways = [
        lambda ids: np.array(ids, "int64"),
        lambda ids: np.array(ids, "uint8"),
        lambda ids: np.array([[t, 0] for t in ids], "int32")[:, 0],
        lambda ids: np.array(ids, ">i4"),
        lambda ids: np.array(ids, "int64").view(Subclass),
        tuple,
        lambda ids: np.array(ids, np.dtype("int64", metadata={"a": 1})),
    ]
    expected = BLEU().stats(tokens, references)
    for first in range(len(ways)):
        mixed = [ways[(first + (i // 50) * (i % 2)) % len(ways)](ids) for i, ids in enumerate(tokens)]
        entries = [[ways[(first + i % 3) % len(ways)](ids) for ids in entry] for i, entry in enumerate(references)]
        for threads in (1, *THREADS):
            assert np.array_equal(BLEU().stats(mixed, entries, threads=threads), expected)


def test_subclasses_of_str():
    class Text(str):
        __slots__ = ()

    hypotheses, references = make_texts(300)
    expected = BLEU().stats(hypotheses, references)
    for threads in (1, *THREADS):
        rows = BLEU().stats([*map(Text, hypotheses)], [*map(Text, references)], threads=threads)
        assert np.array_equal(rows, expected)


class Mutator(threading.Thread):
    """Change lists continuously until stopped."""

    def __init__(self, change):
        super().__init__(daemon=True)
        self._change, self._stop_now = change, threading.Event()

    def run(self):
        i = 0
        while not self._stop_now.is_set():
            self._change(i)
            i += 1

    def __enter__(self):
        self.start()

    def __exit__(self, *error):
        self._stop_now.set()
        self.join()


def shrink_and_grow(target, item):
    def change(i):
        if i % 2:
            target.extend([item] * 1500)
        else:
            del target[500:]

    return change


def replace(target, item, other):
    def change(i):
        target[i % len(target)] = item if (i // len(target)) % 2 else other

    return change


@pytest.mark.parametrize("threads", [4, *(pytest.param(count, marks=pytest.mark.slow) for count in (1, None))])
@pytest.mark.parametrize("case", ["hypotheses", "references", "entry", "tokens", "types", "ids"])
def test_lists_that_change_while_they_are_scored(case, threads):
    text = "the cat sat on the mat " * 5
    hypotheses, references = [text + str(i) for i in range(2000)], [[text] for i in range(2000)]
    tokens = [text.split() for _ in range(300)]
    numbers = [list(range(100)) for _ in range(300)]
    data, change = {
        "hypotheses": ((hypotheses, references), shrink_and_grow(hypotheses, text)),
        "references": ((hypotheses, references), shrink_and_grow(references, [text])),
        "entry": ((hypotheses, references), replace(references, [text, "new " * 50], [None])),
        "tokens": ((tokens, [[item] for item in tokens]), shrink_and_grow(tokens[7], "new")),
        "types": ((hypotheses, references), replace(hypotheses, "text " * 9, ["tokens"])),
        "ids": ((numbers, [[item] for item in numbers]), replace(numbers[3], 5, "five")),
    }[case]
    metric = BLEU()
    with Mutator(change):
        for _ in range(5):
            for method in (metric.stats, metric.corpus):
                try:
                    result = method(*data, threads=threads)
                except refscore.InputError:
                    continue
                assert result is not None


FORK = """
import os, sys, refscore
hypotheses, references = ["the cat sat on the mat"] * 3000, ["the cat sat on a mat"] * 3000
before = refscore.bleu(hypotheses, references).value
child = os.fork()
if child == 0:
    same = refscore.bleu(hypotheses, references).value == before
    same = same and refscore.bleu(hypotheses, references, threads=4).value == before
    os._exit(0 if same else 3)
_, status = os.waitpid(child, 0)
assert refscore.bleu(hypotheses, references).value == before
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_after_a_fork():
    printed_by("-c", FORK)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity")
def test_cores_are_those_that_this_process_may_use():
    code = "import os; from refscore import _native; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
    code += "print(_native.usable_cores())"
    assert printed_by("-c", code) == "1\n"
    assert 1 <= _native.usable_cores() <= len(os.sched_getaffinity(0))
