"""Rewards for NeMo RL, as an environment with one turn.

NeMo RL creates environments from the configuration `env`, as Ray actors. `register` adds refscore's to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from refscore.errors import InputError, Location, SettingError
from refscore.inputs import describe
from refscore.rewards.openrlhf import import_torch
from refscore.rewards.reward import Reward

_SETTINGS = ("metric", "references", "extract", "name", "threads")


class RewardEnvironment:
    """An environment for NeMo RL that scores the assistant's last message and ends the episode.

    It has the methods in NeMo RL's `EnvironmentInterface`. NeMo RL needs `RewardActor`, the same class as a Ray actor.

    Args:
        config: `Reward`'s settings: `metric` (a name, or names and weights), `extract`, `name` and `threads`.
            `references` is the references' key in a sample's metadata, "ground_truth" by default.

    Example:
        >>> from refscore.rewards.nemo_rl import RewardEnvironment
        >>> environment = RewardEnvironment({"metric": {"chrf": 0.5, "ter": 0.5}, "references": "target"})
        >>> environment.reward.__name__
        'chrf+ter'
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = dict(config)
        unknown = sorted({*settings} - {*_SETTINGS})
        if unknown:
            raise SettingError(f"env has the unknown setting {unknown[0]!r}: choose from {', '.join(_SETTINGS)}")
        self._key = settings.pop("references", "ground_truth")
        self.reward = Reward(settings.pop("metric", "bleu"), **settings)

    def step(
        self, message_log_batch: Sequence[Any], metadata: Sequence[Any], return_extracted_answer: bool = False
    ) -> Any:
        """Return a batch's rewards as NeMo RL's `EnvironmentReturn`. All episodes end.

        `metadata` has each sample's references, and its `source` for metrics that need it.
        """
        from nemo_rl.environments.interfaces import EnvironmentReturn

        references = [self._references(entry, i) for i, entry in enumerate(metadata)]
        names = ("message_log_batch", "metadata", "metadata")
        sources = [entry.get("source") for entry in metadata]
        values = self.reward.required_values(message_log_batch, references, names, sources=sources).total
        torch = import_torch()
        return EnvironmentReturn(
            observations=[{"role": "environment", "content": f"Environment: reward {value:.4f}"} for value in values],
            metadata=list(metadata),
            next_stop_strings=[None] * len(values),
            rewards=torch.tensor(values, dtype=torch.float32),
            terminateds=torch.ones(len(values)),
            answers=None,
        )

    def global_post_process_and_metrics(self, batch: Any) -> tuple[Any, dict[str, float]]:
        """Return the batch and its mean reward, for NeMo RL's logs. Unfinished completions count as 0."""
        rewards = batch["rewards"] * batch["is_end"]
        return batch, {self.reward.__name__: float(rewards.mean())}

    def shutdown(self) -> None:
        """Do nothing. NeMo RL calls this at the end."""

    def _references(self, entry: Any, index: int) -> Any:
        if isinstance(entry, Mapping) and entry.get(self._key) is not None:
            return entry[self._key]
        present = ", ".join(map(str, entry)) if isinstance(entry, Mapping) else describe(entry)
        raise InputError(
            Location("metadata", index),
            f"has no {self._key!r} (it has: {present})",
            "name the key of the references in env, as references: KEY",
        )


def register(name: str = "refscore") -> None:
    """Register the environment with NeMo RL. Call it in the training script, before NeMo RL creates environments.

    The configuration then has `RewardEnvironment`'s settings in `env`, and the name in `data.env_name`.
    """
    from nemo_rl.distributed.ray_actor_environment_registry import ACTOR_ENVIRONMENT_REGISTRY
    from nemo_rl.distributed.virtual_cluster import PY_EXECUTABLES
    from nemo_rl.environments.utils import register_env

    actor = f"{__name__}.RewardActor"
    register_env(name, actor)
    ACTOR_ENVIRONMENT_REGISTRY[actor] = PY_EXECUTABLES.SYSTEM


def __getattr__(name: str) -> Any:
    """Return the environment as a Ray actor for the name `RewardActor`. Importing this module does not need Ray."""
    if name != "RewardActor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import ray

    return ray.remote(max_restarts=-1, max_task_retries=-1)(RewardEnvironment)
