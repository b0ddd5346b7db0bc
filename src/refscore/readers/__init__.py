"""Read segments from files."""

from refscore.evaluation.prefetch import prefetch
from refscore.readers.files import evaluate_files, read_aligned
from refscore.readers.formats import FORMATS, open_segments
from refscore.readers.harness_logs import read_harness_log
from refscore.readers.json_lines import JSONObjects
from refscore.readers.parquet import parquet_batches
from refscore.readers.reader import Reader, Value, read_lines

__all__ = [
    "FORMATS",
    "JSONObjects",
    "Reader",
    "Value",
    "evaluate_files",
    "open_segments",
    "parquet_batches",
    "prefetch",
    "read_aligned",
    "read_harness_log",
    "read_lines",
]
