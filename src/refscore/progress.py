"""The callback that reports the progress of long functions."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], object]
"""A function called with the name of the current step, the amount of work done and the total."""
