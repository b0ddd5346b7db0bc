"""Normalizers: list, look up, apply and register functions that change text before it is split."""

from refscore.normalizers.base import Normalizer
from refscore.normalizers.registry import available, get, normalize, register

__all__ = ["Normalizer", "available", "get", "normalize", "register"]
