"""Rewards for reinforcement learning: scores of completions against references, in the shape that trainers call."""

from refscore.rewards.reward import Reward

__all__ = ["Reward"]
