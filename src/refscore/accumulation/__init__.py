"""Running sums of rows: scores of what comes in batches, from many processes, or over days."""

from refscore.accumulation.accumulator import Accumulator

__all__ = ["Accumulator"]
