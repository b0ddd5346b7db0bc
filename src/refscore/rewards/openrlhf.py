"""Rewards for OpenRLHF, which loads a function `reward_func(queries, prompts, labels)` from a file.

A query is the prompt and the completion, decoded with special tokens. OpenRLHF 0.11 calls the function once per
completion, versions from 0.8.3 to 0.9 once per batch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from refscore.errors import InputError, Location, NotInstalledError
from refscore.inputs import describe
from refscore.metrics import MetricChoice
from refscore.rewards.reward import Reward

END_TOKENS = (
    *("<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<|end|>", "<|return|>", "<|eom_id|>"),
    *("<|END_OF_TURN_TOKEN|>", "<|end_of_turn|>", "<|end_of_sentence|>", "<end_of_turn>", "<eos>", "<pad>", "</s>"),
    "<｜end▁of▁sentence｜>",
)
"""Special tokens at which common models end a completion."""


def build_reward_func(
    metric: Reward | MetricChoice | Mapping[Any, float] = "bleu",
    *,
    end_tokens: Sequence[str] = END_TOKENS,
    **settings: Any,
) -> Callable[..., dict[str, Any]]:
    """Return a function `reward_func(queries, prompts, labels)` for OpenRLHF 0.8.3 or newer.

    The function returns a dictionary with the tensors `rewards` and `scores`, both with each query's reward, from
    0 to 1. For a mix, `extra_logs` has the reward by each metric. It needs torch. Metrics that need sources
    get the prompts.

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". A dictionary of metrics and weights makes
            the reward their weighted mean. A `Reward` is used as it is.
        end_tokens: Texts that end a completion. The first one and everything after it is dropped, because OpenRLHF
            does not remove special tokens.
        **settings: `Reward`'s settings `extract`, `name` and `threads`.

    Example:
        >>> from refscore.rewards.openrlhf import build_reward_func
        >>> reward_func = build_reward_func({"chrf": 1, "bleu": 1}, extract="<answer>(.*?)</answer>")
        >>> reward_func.__name__
        'reward_func'
    """
    reward = metric if isinstance(metric, Reward) else Reward(metric, **settings)
    end = re.compile("|".join(map(re.escape, end_tokens)) or r"\Z")

    # OpenRLHF 0.9 passes it to `ray.remote`, which accepts functions but not other callables.
    def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **_: Any) -> dict[str, Any]:
        completions = [_completion(*texts, i, end) for i, texts in enumerate(zip(queries, prompts, strict=True))]
        for i, label in enumerate(labels):
            if isinstance(label, str) and not label:
                raise InputError(Location("labels", i), "is empty", "name the dataset's column in --data.label_key")
        values = reward.required_values(completions, labels, ("queries", "labels", "prompts"), sources=prompts)
        torch = import_torch()
        rewards = torch.tensor(values.total, dtype=torch.float32)
        parts = values.by_metric if len(values.by_metric) > 1 else {}
        logs = {f"{reward.__name__}/{label}": torch.tensor(part, dtype=torch.float32) for label, part in parts.items()}
        return {"rewards": rewards, "scores": rewards, "extra_logs": logs}

    return reward_func


def import_torch() -> Any:
    """Return torch, which trainers need for tensors."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise NotInstalledError("this reward returns tensors: pip install torch", name=error.name) from None
    return torch


def _completion(query: Any, prompt: Any, index: int, end: re.Pattern[str]) -> str:
    """Return a query's text after its prompt, up to the first end token."""
    for name, text in (("queries", query), ("prompts", prompt)):
        if not isinstance(text, str):
            raise InputError(Location(name, index), f"is {describe(text)}", "pass a text")
    _, found, completion = query.partition(prompt) if prompt else ("", True, query)
    if not found:
        raise InputError(
            Location("queries", index),
            "does not contain its prompt",
            "the prompt was probably truncated: increase the maximum length, or filter long prompts",
        )
    return end.split(completion, maxsplit=1)[0]
