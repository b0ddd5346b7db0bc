"""Running sums of rows, to score segments that arrive in batches or from many processes."""

from refscore.accumulation.accumulator import Accumulator

__all__ = ["Accumulator"]
