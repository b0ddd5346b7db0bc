"""Rewards for reinforcement learning: scores of completions, as functions that trainers can call."""

from refscore.rewards.reward import Reward

__all__ = ["Reward"]
