"""Too little memory raises MemoryError or reduces the number of threads; the process continues."""

import sys

import pytest

from tests.children import printed_by, run_python

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are others elsewhere"),
]

START = """
import gc, os, resource, sys
import numpy as np
import refscore
def limit(megabytes):
    gc.collect()
    now = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    most = resource.RLIM_INFINITY if megabytes is None else now + int(megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
def threads():
    return len(os.listdir("/proc/self/task"))
"""

LITTLE = """
rng = np.random.default_rng(1)
def ids(size):
    return rng.integers(0, 50_000, size)
def text(size):
    return " ".join(f"w{number}" for number in ids(size))
long = [text(60_000) for _ in range(6)]
corpus = [text(30) for _ in range(3000)]
metrics = [refscore.BLEU(), refscore.CHRF(), refscore.RIBES(), refscore.WER(), refscore.METEOR(), refscore.GLEU(),
           refscore.ROUGE(variant="L"), refscore.TER(), refscore.BLEU(tokenizer="intl", lowercase=True)]
nist = refscore.NIST.fit(corpus)
calls = [lambda metric=metric: metric.corpus(long, long[::-1], threads=2).value for metric in metrics]
del calls[7]  # TER of them takes long
calls += [lambda metric=metric: metric.corpus(corpus, corpus[::-1], threads=2).value for metric in metrics]
calls += [lambda metric=metric: metric.prepare(long) and None for metric in metrics]
calls += [lambda metric=metric: metric.pairwise(corpus[:1500], corpus[:1500]).sum() for metric in metrics[:2]]
calls += [lambda: nist.corpus(long, long, threads=2).value, lambda: refscore.metrics.self_bleu(corpus)]
calls += [lambda: refscore.metrics.distinct_n(long), lambda: refscore.NIST.fit(long) and None]
calls += [lambda: len(refscore.tokenize(long[0]))]
for call in calls[:2]:
    call()  # threads and their room
failed = 0
for number, call in enumerate(calls):
    expected = None
    for megabytes in (0.2, 1, 3, 8, 20, None):
        limit(megabytes)
        try:
            expected = call()
        except MemoryError:
            failed += 1
            continue
        finally:
            limit(None)
        break
    assert call() == expected, number
print(failed)
"""


def run(code):
    return printed_by("-c", START + code, timeout=600).split()


def test_too_little_memory():
    (failed,) = run(LITTLE)
    assert int(failed) > 20


FEW_THREADS = """
texts = ["a b c d e f g h"] * 2000
before = threads()
expected = refscore.bleu(texts, texts, threads=1).row.tolist()
assert threads() == before
limit(5)  # less than a thread's stack
assert refscore.bleu(texts, texts, threads=4).row.tolist() == expected
assert refscore.BLEU().pairwise(texts[:200], texts[:200], threads=4).min() == 1
print(threads() - before)
limit(None)
assert refscore.bleu(texts, texts, threads=4).row.tolist() == expected
print(threads() - before)
"""


def test_threads_that_cannot_be_started():
    none, some = run(FEW_THREADS)
    assert none == "0"
    assert int(some) == 3


FORKS = """
import multiprocessing, threading
texts = ["a b c d e f g h"] * 3000
expected = refscore.bleu(texts, texts[::-1], threads=4).row.tolist()
stop = threading.Event()
def score():
    while not stop.is_set():
        refscore.bleu(texts, texts, threads=4)
others = [threading.Thread(target=score) for _ in range(2)]
for other in others:
    other.start()
def child(_):
    return refscore.bleu(texts, texts[::-1], threads=3).row.tolist() == expected
context = multiprocessing.get_context("fork")
for _ in range(5):  # the pool is at work in the middle of each fork
    with context.Pool(2) as pool:
        assert all(pool.map(child, range(4)))
stop.set()
for other in others:
    other.join()
print("forked")
"""


def test_forks_while_threads_score():
    assert run(FORKS) == ["forked"]


def test_the_command_says_so(tmp_path):
    code = f"""
from pathlib import Path
path = Path({str(tmp_path / "long.txt")!r})
path.write_text("a b c d " * 1_000_000 + "\\n")
from refscore.cli import main
limit(20)
try:
    main(["score", str(path), "-r", str(path), "-m", "bleu", "--threads", "1"])
except SystemExit as end:
    limit(None)
    print(end.code)
"""
    ended = run_python("-c", START + code)
    assert (ended.stdout, ended.returncode) == ("2\n", 0), ended.stderr
    assert ended.stderr.startswith("refscore: out of memory: ")
    assert ended.stderr.count("\n") == 1
