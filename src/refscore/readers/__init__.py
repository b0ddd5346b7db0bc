"""Readers: files to segments."""

from refscore.readers.ahead import ahead
from refscore.readers.aligned import corresponding
from refscore.readers.base import Reader, Value
from refscore.readers.json_lines import JSONObjects
from refscore.readers.opening import FORMATS, open_segments
from refscore.readers.parquet_batches import parquet_batches
from refscore.readers.text import read_lines

__all__ = [
    "FORMATS",
    "JSONObjects",
    "Reader",
    "Value",
    "ahead",
    "corresponding",
    "open_segments",
    "parquet_batches",
    "read_lines",
]
