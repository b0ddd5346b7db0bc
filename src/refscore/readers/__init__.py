"""Readers: files to segments."""

from refscore.readers.text import read_lines

__all__ = ["read_lines"]
