"""Rewards in worker processes, with every start method, and in threads."""

import multiprocessing
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import refscore
from refscore.rewards import Reward
from tests.children import printed_by
from tests.strategies import random_tokens

REFERENCES = [" ".join(f"w{token}" for token in random_tokens(i // 8, 30, 40)) for i in range(400)]
COMPLETIONS = [text.replace(f"w{i % 40} ", "x ") for i, text in enumerate(REFERENCES)]
BATCH = {"prompts": REFERENCES, "completions": COMPLETIONS, "reference": REFERENCES}


def last_word(text):
    return text.rpartition(" ")[2]


def rewards():
    return [
        Reward(),
        Reward({"bleu": 1, refscore.CHRF(word_order=2): 2}, name="mix", threads=3),
        Reward(refscore.BLEU(tokenizer=str.split, max_order=2)),
        Reward("wer", extract=last_word),
        Reward("wer", extract=r"w\d+ (w\d+)"),
    ]


@pytest.mark.parametrize("number", range(5))
def test_pickling(number):
    reward = rewards()[number]
    expected = reward(**BATCH)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(reward, protocol))
        assert again(**BATCH) == expected
        assert (again.__name__, again.signature, again.metrics) == (reward.__name__, reward.signature, reward.metrics)


def call(reward):
    return reward(**BATCH)


@pytest.mark.slow
def test_new_processes():
    """The thread pool was used in the parent before, and is started again in the child."""
    expected = [reward(**BATCH) for reward in rewards()]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(call, rewards()) == expected
    assert [reward(**BATCH) for reward in rewards()] == expected


# In a separate process, because pytest's may have threads that do not survive a fork.
FORKING = """
import multiprocessing
from tests.rewards.test_reward_workers import BATCH, call, rewards

made = rewards()
expected = [reward(**BATCH) for reward in made]
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(call, made) == expected
    assert pool.map(call, made[::-1]) == expected[::-1]
assert [reward(**BATCH) for reward in made] == expected
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forked_processes():
    printed_by("-c", FORKING, cwd=Path(__file__).parents[2])


def test_threads():
    made = rewards()
    expected = [reward(**BATCH) for reward in made]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda i: made[i % 5](**BATCH), range(20)))
    assert results == [expected[i % 5] for i in range(20)]


@pytest.mark.parametrize("metric", ["bleu", "chrf++", "ter", "ribes", "meteor", refscore.BLEU(normalize="NFC")])
def test_the_number_of_threads_changes_nothing(metric):
    expected = Reward(metric, threads=1)(**BATCH)
    for threads in (2, 7, None):
        assert Reward(metric, threads=threads)(**BATCH) == expected
