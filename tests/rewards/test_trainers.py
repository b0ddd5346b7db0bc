"""Rewards in the reward managers and executors of verl, OpenRLHF and NeMo RL, where these are installed.

Tokenizers and engines are stubs, because models would have to be downloaded.
"""

import asyncio
import logging
from types import SimpleNamespace

import numpy as np
import pytest

from refscore.rewards import Reward, nemo_rl

COMPLETIONS = ["the dog barks", "a cat", "", "the cat"]
REFERENCES = ["the dog barks", ["the cat", "a cat"], "a dog", "the big cat"]
SOURCES = ["der Hund bellt", "eine Katze", "ein Hund", "die große Katze"]
EXPECTED = {
    metric: [
        Reward(metric).compute_score("x", text, reference, {"source": source})
        for text, reference, source in zip(COMPLETIONS, REFERENCES, SOURCES, strict=True)
    ]
    for metric in ("bleu", "sari")
}


def number_of(word):
    return int.from_bytes(word.encode(), "big")


class Words:
    """A tokenizer: the number of a word is the word. 0 is padding."""

    def __call__(self, text, **_):
        import torch

        return {"input_ids": torch.tensor([[number_of(word) for word in text.split()]])}

    def decode(self, ids, **_):
        return " ".join(int(number).to_bytes(8, "big").strip(b"\0").decode() for number in ids)


def verl_batch(pack):
    """Return a batch of verl, and the place of each reward. `pack` converts a list of references."""
    import torch
    from verl import DataProto

    responses = [[number_of(word) for word in text.split()] for text in COMPLETIONS]
    responses[2] = [0]  # verl puts the reward on the last token, so there is one
    width = max(map(len, responses))
    rows = [[*ids, *[0] * (width - len(ids))] for ids in responses]
    masks = [[1, 1, *[1] * len(ids), *[0] * (width - len(ids))] for ids in responses]
    tensors = {"prompts": torch.ones((4, 2), dtype=torch.int64), "responses": torch.tensor(rows)}
    tensors["attention_mask"] = torch.tensor(masks)
    columns = {
        "data_source": ["x"] * 4,
        "reward_model": [{"ground_truth": pack(each) if isinstance(each, list) else each} for each in REFERENCES],
        "extra_info": [{"source": source} for source in SOURCES],
    }
    arrays = {name: np.array(values, dtype=object) for name, values in columns.items()}
    return DataProto.from_dict(tensors=tensors, non_tensors=arrays), [len(ids) - 1 for ids in responses]


@pytest.mark.parametrize("pack", [list, lambda texts: np.array(texts, dtype=object)], ids=["lists", "arrays"])
@pytest.mark.parametrize("metric", EXPECTED)
@pytest.mark.parametrize(("manager", "method"), [("batch", "compute_scores"), ("naive", "compute_score")])
def test_verl(manager, method, metric, pack):
    managers = pytest.importorskip("verl.workers.reward_manager", reason="needs verl")
    data, last = verl_batch(pack)
    manager = managers.get_reward_manager_cls(manager)(Words(), 0, getattr(Reward(metric, sources="source"), method))
    rewards = manager(data)
    assert [rewards[i, place].item() for i, place in enumerate(last)] == pytest.approx(EXPECTED[metric], rel=1e-6)


def executed(tmp_path, labels):
    """Return the results of OpenRLHF's executor for a file as in the documentation, one call per completion."""
    agent = pytest.importorskip("openrlhf.utils.agent", reason="needs openrlhf")
    file = tmp_path / "reward.py"
    file.write_text(
        "from refscore.rewards.openrlhf import build_reward_func\nreward_func = build_reward_func('bleu')\n"
    )
    executor, words = agent.SingleTurnAgentExecutor(str(file)), Words()

    async def execute(text, label):
        async def generate(*_, **__):
            ids = [number_of(word) for word in text.split()]
            return SimpleNamespace(outputs=[SimpleNamespace(token_ids=ids, finish_reason="stop", logprobs=None)])

        parameters = SimpleNamespace(max_tokens=9, logprobs=None)
        return await executor.execute("say it :", label, parameters, 99, words, SimpleNamespace(generate=generate))

    async def all_at_once():
        return await asyncio.gather(*map(execute, COMPLETIONS, labels))

    return asyncio.run(all_at_once())


def test_openrlhf(tmp_path):
    results = executed(tmp_path, REFERENCES)
    assert [result["reward"].item() for result in results] == pytest.approx(EXPECTED["bleu"], rel=1e-6)
    assert [result["scores"].item() for result in results] == [result["reward"].item() for result in results]


def test_openrlhf_logs_mistakes_and_goes_on(tmp_path, caplog):
    """The documentation says what to look for in the logs."""
    agent = pytest.importorskip("openrlhf.utils.agent", reason="needs openrlhf")
    agent.logger.addHandler(caplog.handler)
    try:
        with caplog.at_level(logging.INFO, agent.logger.name):
            results = executed(tmp_path, [None, *REFERENCES[1:]])
    finally:
        agent.logger.removeHandler(caplog.handler)
    assert [result["reward"] is None for result in results] == [True, False, False, False]
    (line,) = [line for line in caplog.messages if "Failed to fetch reward" in line]
    assert "labels[0] is missing" in line


def test_nemo_rl():
    """The class is found under its registered name, and returns what NeMo RL unpacks."""
    utils = pytest.importorskip("nemo_rl.environments.utils", reason="needs NeMo RL from its repository")
    nemo_rl.register("translation")
    path = utils.ENV_REGISTRY["translation"]["actor_class_fqn"]
    assert utils.get_actor_python_env(path)
    actor = utils.get_object(path)
    environment = actor.__ray_metadata__.modified_class({"metric": "bleu"})
    logs = [[{"role": "user", "content": "say it"}, {"role": "assistant", "content": text}] for text in COMPLETIONS]
    _, metadata, _, rewards, terminateds, _ = environment.step(logs, [{"ground_truth": each} for each in REFERENCES])
    assert rewards.tolist() == pytest.approx(EXPECTED["bleu"], rel=1e-6)
    assert terminateds.tolist() == [1] * 4 and metadata[0] == {"ground_truth": REFERENCES[0]}
    finished = {"rewards": rewards, "is_end": terminateds}
    assert environment.global_post_process_and_metrics(finished)[1] == {"bleu": pytest.approx(rewards.mean().item())}
