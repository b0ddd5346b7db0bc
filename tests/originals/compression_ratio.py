"""Another implementation of the compression ratio: the definition. tests/golden has numbers of Whisper itself."""

from refscore.metrics import CompressionRatio
from tests.differential import Expected, Original
from tests.reference import repetition as oracle


def oracle_scores(hypotheses, references):
    rows = [oracle.compression_row(text.strip()) for text in hypotheses]
    rows = [[size, compressed, int(size / compressed > 2.4), 1] for size, compressed in rows]
    return Expected(
        segments=[size / compressed for size, compressed, *_ in rows],
        corpus=sum(row[0] for row in rows) / sum(row[1] for row in rows),
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="whisper",
        metric=lambda: CompressionRatio.preset("whisper"),
        scores=oracle_scores,
        clean=lambda text: text.rstrip("\0"),  # the tokenizer "text" drops NUL characters at the end
    )
]
