"""Rewards for reinforcement learning: scores for completions, as functions that trainers can call."""

from refscore.lazy_names import lazy_modules as _lazy_modules
from refscore.rewards.reward import Reward

__all__ = ["Reward"]

__getattr__ = _lazy_modules(__name__, "nemo_rl", "openrlhf")
