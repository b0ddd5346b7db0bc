"""Adapters for OpenRLHF and NeMo RL, against stubs with the names and types of their sources.

OpenRLHF 0.11.0 (openrlhf/utils/agent.py, openrlhf/trainer/ppo_utils/samples_generator.py) and NeMo RL 0.7.0
(nemo_rl/environments/interfaces.py, nemo_rl/environments/utils.py, nemo_rl/experience/rollouts.py) need GPUs.
"""

import asyncio
import importlib.util
import inspect
import pickle
import sys
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import refscore
from refscore.errors import InputError, SettingError
from refscore.rewards import Reward, nemo_rl
from refscore.rewards.openrlhf import build_reward_func

PROMPT = "<|im_start|>user\nTranslate: der Hund<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    """Return torch, or a stub that makes NumPy arrays, if torch is not installed."""
    if importlib.util.find_spec("torch") is not None:
        import torch

        return torch
    stub = ModuleType("torch")
    stub.float32 = np.float32
    stub.tensor = lambda values, dtype=None: np.array(values, dtype=dtype)
    stub.ones = np.ones
    monkeypatch.setitem(sys.modules, "torch", stub)
    return stub


def rewards_of(result):
    assert list(result) == ["rewards", "scores", "extra_logs"]
    assert result["rewards"] is result["scores"]
    return result["rewards"].tolist()


class TestOpenRLHF:
    def test_the_reward_is_the_score_of_the_completion(self):
        completions = ["the dog", "a dog barks", "the  dog", ""]
        labels = ["the dog", ["a dog barks", "the dog barks"], "the dog", "the dog"]
        reward_func = build_reward_func("chrf")
        result = reward_func([f"{PROMPT}{text}<|im_end|>" for text in completions], [PROMPT] * 4, labels)
        expected = Reward("chrf").compute_scores([""] * 4, completions, labels)
        assert rewards_of(result) == pytest.approx(expected, rel=1e-6)  # float32
        assert result["extra_logs"] == {}

    def test_a_mix_logs_the_reward_of_each_completion_by_each_metric(self):
        reward_func = build_reward_func({"chrf": 3, "ter": 1}, name="mix")
        result = reward_func(["P a dog", "P the cat"], ["P ", "P "], ["a dog", "a cat"])
        by_metric = [refscore.CHRF().segments(["a dog", "the cat"], ["a dog", "a cat"])]
        by_metric.append(1 - refscore.TER().segments(["a dog", "the cat"], ["a dog", "a cat"]))
        logs = result["extra_logs"]
        assert list(logs) == ["mix/chrf", "mix/ter"]
        assert [part.tolist() for part in logs.values()] == [pytest.approx(part, rel=1e-6) for part in by_metric]
        assert rewards_of(result) == pytest.approx(0.75 * by_metric[0] + 0.25 * by_metric[1], rel=1e-6)

    def test_a_prompt_after_a_special_token_is_removed_with_it(self):
        result = build_reward_func("bleu")(["<s>say it: a b c d</s></s>"], ["say it: "], ["a b c d"])
        assert rewards_of(result) == [pytest.approx(1)]

    def test_end_tokens_can_be_chosen(self):
        queries, prompts, labels = ["P a b STOP c"], ["P "], ["a b"]
        assert rewards_of(build_reward_func("wer", end_tokens=["STOP"])(queries, prompts, labels)) == [1]
        assert rewards_of(build_reward_func("wer", end_tokens=())(queries, prompts, labels)) == [0]

    def test_the_settings_of_a_reward(self):
        reward = Reward("chrf", extract="<answer>(.*?)</answer>")
        for reward_func in (build_reward_func(reward), build_reward_func("chrf", extract="<answer>(.*?)</answer>")):
            assert rewards_of(reward_func(["P no <answer>yes</answer>"], ["P"], ["yes"])) == [1]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((["truncated: a"], ["the prompt was truncated:"], ["a"]), r"queries\[0\] does not contain its prompt"),
            ((["P a", "P b"], ["P", "P"], ["a", ""]), r"labels\[1\] is empty: name the dataset's column"),
            ((["P a"], ["P"], [None]), r"labels\[0\] is missing"),
            ((["P a"], [None], ["a"]), r"prompts\[0\] is None"),
            ((["P a", "P b"], ["P", "P"], ["a"]), "labels"),
        ],
    )
    def test_errors_name_the_argument(self, arguments, message):
        with pytest.raises(InputError, match=message):
            build_reward_func("chrf")(*arguments)

    def test_openrlhf_can_load_and_call_it(self, tmp_path):
        """Load it from a file and call it in threads with one sample each, as SingleTurnAgentExecutor does."""
        path = tmp_path / "reward.py"
        path.write_text(
            "from refscore.rewards.openrlhf import build_reward_func\nreward_func = build_reward_func('chrf')\n"
        )
        spec = importlib.util.spec_from_file_location("reward_func", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert inspect.isfunction(module.reward_func)  # ray.remote needs one, in OpenRLHF 0.9

        async def fetch():
            calls = [([f"P{n} a dog"], [f"P{n} "], ["a dog"]) for n in range(20)]
            return await asyncio.gather(*[asyncio.to_thread(module.reward_func, *call) for call in calls])

        results = asyncio.run(fetch())
        assert [rewards_of(result) for result in results] == [[1.0]] * 20
        # samples_generator.py converts scalars to tensors
        assert results[0]["rewards"].flatten()[0].item() == 1


class EnvironmentReturn(NamedTuple):
    """The fields of nemo_rl.environments.interfaces.EnvironmentReturn."""

    observations: list[dict[str, str]]
    metadata: list[Any]
    next_stop_strings: list[Any]
    rewards: Any
    terminateds: Any
    answers: list[str | None] | None


@pytest.fixture
def nemo(monkeypatch):
    """Stub the modules of NeMo RL that the adapter imports."""
    registry, environments = {}, {}

    def register_env(env_name, actor_class_fqn):
        if env_name in environments:
            raise ValueError(env_name)
        environments[env_name] = {"actor_class_fqn": actor_class_fqn}

    members = {
        "nemo_rl": {},
        "nemo_rl.environments": {},
        "nemo_rl.environments.interfaces": {"EnvironmentReturn": EnvironmentReturn},
        "nemo_rl.environments.utils": {"register_env": register_env},
        "nemo_rl.distributed": {},
        "nemo_rl.distributed.virtual_cluster": {"PY_EXECUTABLES": SimpleNamespace(SYSTEM="python")},
        "nemo_rl.distributed.ray_actor_environment_registry": {"ACTOR_ENVIRONMENT_REGISTRY": registry},
    }
    for name, values in members.items():
        module = ModuleType(name)
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, name, module)
    return SimpleNamespace(environments=environments, registry=registry)


def chat(answer):
    return [{"role": "user", "content": "Translate: der Hund"}, {"role": "assistant", "content": answer}]


@pytest.mark.usefixtures("nemo")
class TestNeMoRL:
    def test_a_step_rewards_the_answers_and_ends_all_episodes(self):
        answers = ["the dog", "a dog", ""]
        metadata = [{"ground_truth": "the dog"}, {"ground_truth": ["a cat", "the dog"]}, {"ground_truth": "x"}]
        result = nemo_rl.RewardEnvironment({"metric": "chrf"}).step([chat(answer) for answer in answers], metadata)
        observations, returned, stops, rewards, terminateds, found = result  # unpacked like this in rollouts.py
        expected = Reward("chrf").compute_scores([""] * 3, answers, [entry["ground_truth"] for entry in metadata])
        assert rewards.tolist() == pytest.approx(expected, rel=1e-6)
        assert terminateds.tolist() == [1, 1, 1]
        assert returned == metadata
        assert (stops, found) == ([None] * 3, None)
        assert observations[0] == {"role": "environment", "content": "Environment: reward 1.0000"}

    def test_the_configuration_has_the_settings_of_a_reward(self):
        config = {"metric": {"chrf": 1, "ter": 1}, "references": "target", "extract": "<a>(.*?)</a>", "threads": 1}
        result = nemo_rl.RewardEnvironment(config).step([chat("<a>a dog</a>")], [{"target": "a dog"}])
        assert result.rewards.tolist() == [1]

    def test_unknown_settings_are_rejected(self):
        with pytest.raises(SettingError, match="unknown setting 'num_workers': choose from metric, references"):
            nemo_rl.RewardEnvironment({"metric": "chrf", "num_workers": 8})

    @pytest.mark.parametrize("entry", [None, {}, {"answer": "x"}, {"ground_truth": None}])
    def test_missing_references_are_errors(self, entry):
        with pytest.raises(InputError, match=r"metadata\[1\] has no 'ground_truth'"):
            nemo_rl.RewardEnvironment({}).step([chat("a"), chat("b")], [{"ground_truth": "a"}, entry])

    def test_metrics_of_a_batch(self):
        batch = {"rewards": np.array([1.0, 0.5]), "is_end": np.array([1, 0])}
        returned, metrics = nemo_rl.RewardEnvironment({"metric": "chrf"}).global_post_process_and_metrics(batch)
        assert returned is batch
        assert metrics == {"chrf": 0.5}

    def test_registered_actors_can_be_created(self, nemo, monkeypatch):
        """Create it like `create_env`: find the actor's class by its name, and call it with the configuration."""
        ray = ModuleType("ray")
        ray.remote = lambda **_: lambda kind: SimpleNamespace(remote=kind)
        monkeypatch.setitem(sys.modules, "ray", ray)
        nemo_rl.register("translation")
        path = nemo.environments["translation"]["actor_class_fqn"]
        assert nemo.registry == {path: "python"}
        module, _, name = path.rpartition(".")
        environment = getattr(sys.modules[module], name).remote({"metric": "bleu"})
        assert environment.step([chat("a b c d")], [{"ground_truth": "a b c d"}]).rewards.tolist() == [1]
        environment.shutdown()

    def test_environments_can_be_pickled(self):
        environment = pickle.loads(pickle.dumps(nemo_rl.RewardEnvironment({"metric": "chrf"})))
        assert environment.reward.signature == refscore.CHRF().signature

    def test_other_names_are_missing(self):
        with pytest.raises(AttributeError, match="has no attribute 'Actor'"):
            nemo_rl.Actor  # noqa: B018
