# The built-in metrics without references. Their functions are only in refscore.metrics.

from refscore.metrics.compression.metric import (
    CompressionRatio as CompressionRatio,
    CompressionRatioScore as CompressionRatioScore,
    compression_ratio as compression_ratio,
)
from refscore.metrics.loops.metric import (
    Loop as Loop,
    Repetition as Repetition,
    RepetitionScore as RepetitionScore,
    repetition as repetition,
)
from refscore.metrics.simultaneous.metric import (
    Latency as Latency,
    LatencyScore as LatencyScore,
    latency as latency,
)
