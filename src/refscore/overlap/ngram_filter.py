"""A corpus' n-grams in a Bloom filter, which can be saved and asked for other test sets."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from refscore import _native
from refscore._version import __version__
from refscore.cached import cached_property
from refscore.errors import InputError, Location, RefscoreError, SettingError
from refscore.inputs import Segment
from refscore.metrics import kernel_threads
from refscore.overlap.corpus import Files, call_in_batches, check_files
from refscore.overlap.settings import OverlapSettings, get_preset
from refscore.progress import Progress
from refscore.settings import whole_number
from refscore.tokenizers import get
from refscore.tokenizers.base import AnyTokenizer
from refscore.writing import written_whole

NO_DOCUMENTS = "a filter does not count documents: leave out max_documents, or search the corpus itself"
_MAGIC = b"refscore overlap filter 1\n"
_LONGEST_HEADER = 1 << 16
_PIECE = 1 << 24
_BLOCK = 64  # bytes
_CHECKSUM = 4  # bytes
_MOST_MEMORY = _BLOCK * (2**32 - 1)
_MOST_HASHES = 14
_SAVED = ("order", "tokenizer", "lowercase", "normalize", "measure", "threshold")
_COUNTS = ("documents", "tokens", "ngrams")


class NgramFilter:
    """A corpus' n-grams in a Bloom filter: fixed memory, and a known rate of false matches.

    Create one with `build` or `load`, and pass it to `find` as the corpus.

    Attributes:
        settings: The n-grams' settings.
        documents: The number of documents.
        tokens: The number of tokens.
        ngrams: The number of n-grams, with repetitions.
        native: The native module's filter.

    Example:
        >>> from refscore import overlap
        >>> corpus = overlap.NgramFilter.build(["it was the best of times"], order=3, memory=4096)
        >>> overlap.find(["best of all", "best of times"], corpus).contaminated.tolist()
        [False, True]
        >>> corpus.ngrams, corpus.false_positive_rate < 1e-6
        (4, True)
    """

    def __init__(self, settings: OverlapSettings, blocks: int, hashes: int) -> None:
        self.settings = settings
        self.hashes = hashes
        self.documents = self.tokens = self.ngrams = 0
        self.native = _native.OverlapFilter(settings.order, blocks, hashes)

    @classmethod
    def build(
        cls,
        corpus: Iterable[Segment] | Files,
        preset: str | OverlapSettings = "plain",
        *,
        memory: int = 1 << 30,
        hashes: int = 8,
        threads: int | None = None,
        progress: Progress | None = None,
        **settings: object,
    ) -> NgramFilter:
        """Return a filter with all n-grams in a corpus.

        Args:
            corpus: The documents: texts or token sequences, or `Files`.
            preset: Settings, or their name in `refscore.overlap.PRESETS`. It must have a fixed order, and no
                document limit.
            memory: The filter's size in bytes, rounded down to a multiple of 64. 12 bits per n-gram give a rate of
                false matches of about 0.5 %, and 16 bits about 0.1 %.
            hashes: The bits that an n-gram sets, from 1 to 14. The best number is 0.7 times the bits per n-gram.
            threads: The number of threads, by default all cores. The result does not depend on it.
            progress: A function called with the name of the current step, the amount of work done
                and the total.
            **settings: `OverlapSettings` settings that override the preset, such as `order`.

        Returns:
            The filter.
        """
        chosen = get_preset(preset).changed(settings)
        if chosen.shortest_order is not None:
            raise SettingError(f"a filter needs a fixed order: set it, such as order={chosen.order}")
        if chosen.max_documents is not None:
            raise SettingError(NO_DOCUMENTS)
        blocks = whole_number("memory", memory, _BLOCK, _MOST_MEMORY) // _BLOCK
        whole_number("hashes", hashes, 1, _MOST_HASHES)
        count = kernel_threads(threads)
        check_files(corpus)
        built, pipeline = cls(chosen, blocks, hashes), chosen.pipeline
        added = call_in_batches(
            lambda texts: built.native.add(texts, pipeline.native, count), corpus, "corpus", pipeline, count, progress
        )
        for documents, tokens, ngrams in added:
            built.documents += documents
            built.tokens += tokens
            built.ngrams += ngrams
        return built

    @property
    def memory(self) -> int:
        """The filter's size in bytes."""
        return len(self.native.bytes())

    @cached_property
    def false_positive_rate(self) -> float:
        """The probability that an n-gram which is not in the corpus seems to be, computed from the filter's bits."""
        return self.native.false_positive_rate()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the filter to a file.

        Args:
            path: The file. It is replaced once the new one is complete.
        """
        if not isinstance(self.settings.tokenizer, str):
            problem = f"the tokenizer {self.settings.pipeline.tokenizer!r} has no name"
            raise SettingError(f"{problem}: build the filter with a tokenizer that has one")
        data = self.native.bytes().data
        settings = {name: getattr(self.settings, name) for name in _SAVED}
        header = {
            "version": __version__,
            "settings": {**settings, "tokenizer": get(self.settings.tokenizer).name},
            "hashes": self.hashes,
            "memory": self.memory,
            **{name: getattr(self, name) for name in _COUNTS},
        }
        line = json.dumps(header).encode() + b"\n"
        with written_whole(Path(path)) as file:
            file.write(_MAGIC + line)
            for begin in range(0, len(data), _PIECE):
                file.write(data[begin : begin + _PIECE])
            file.write(_checksum(line, data))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, tokenizer: AnyTokenizer | None = None) -> NgramFilter:
        """Return a filter that `save` has written.

        Args:
            path: The file.
            tokenizer: The filter's tokenizer. Needed only for a model in a file, such as "hf:tokenizer.json": the
                filter may be untrusted, so its own name for the file is never opened.

        Returns:
            The filter.
        """
        location = Location(file=os.fspath(path))
        try:
            with open(path, "rb") as file:
                if file.read(len(_MAGIC)) != _MAGIC:
                    raise InputError(location, "is not a filter of n-grams", "write one with NgramFilter.save")
                line = file.readline(_LONGEST_HEADER)
                header = json.loads(line)
                counts = {name: whole_number(name, header[name], 0, None) for name in _COUNTS}
                memory = whole_number("memory", header["memory"], _BLOCK, _MOST_MEMORY)
                # Before the memory is allocated, which a damaged number could exhaust.
                expected = len(_MAGIC) + len(line) + memory + _CHECKSUM
                if os.fstat(file.fileno()).st_size != expected or memory % _BLOCK:
                    raise InputError(location, "is truncated", "copy it again")
                settings = dict(header["settings"])
                settings["tokenizer"] = _trusted_tokenizer(settings["tokenizer"], tokenizer, location)
                saved = OverlapSettings().changed(settings)
                hashes = whole_number("hashes", header["hashes"], 1, _MOST_HASHES)
                loaded = cls(saved, memory // _BLOCK, hashes)
                data = loaded.native.bytes().data
                file.readinto(data)
                if file.read() != _checksum(line, data):
                    raise InputError(location, "is damaged: its checksum is wrong", "copy it again")
        except OSError as error:
            raise InputError(location, f"cannot be read: {error.strerror or error}") from None
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, RefscoreError) else "its header cannot be read"
            raise InputError(location, f"is damaged: {reason}") from None
        for name, value in counts.items():
            setattr(loaded, name, value)
        return loaded


def _trusted_tokenizer(saved: object, given: AnyTokenizer | None, location: Location) -> AnyTokenizer:
    """Return the given tokenizer, or the saved name of one that is not read from a file that the name chooses."""
    if not isinstance(saved, str):
        raise TypeError(saved)
    if given is not None:
        name = get(given).name
        if name != saved:
            raise InputError(location, f"has the tokenizer {saved!r}, not {name!r}", "pass the filter's tokenizer")
        return given
    if ":" in saved:
        raise InputError(
            location,
            f"has the tokenizer {saved!r}, whose file is not opened because the filter may be untrusted",
            "pass this tokenizer with the path of its file",
        )
    return saved


def _checksum(line: bytes, data: memoryview) -> bytes:
    return zlib.crc32(data, zlib.crc32(line)).to_bytes(_CHECKSUM, "little")
