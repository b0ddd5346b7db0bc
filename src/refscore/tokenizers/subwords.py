"""Subword tokenizers of the packages sentencepiece, tokenizers (Hugging Face) and tiktoken, from files or objects.

Tokenizers with the same content are equal, whether from an object or from a file. So metrics compare, hash and pickle
by content.

Kudo, Richardson (2018): SentencePiece: A simple and language independent subword tokenizer and detokenizer for Neural
Text Processing. EMNLP.
Goyal et al. (2022): The Flores-101 Evaluation Benchmark for Low-Resource and Multilingual Machine Translation. TACL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from refscore.cached import cached_property
from refscore.errors import SettingError, requires
from refscore.tokenizers.base import Tokenizer, well_formed

PIECES = "splits into the pieces of a sentencepiece model"
TOKENS = "splits into the tokens of a Hugging Face tokenizer, without special tokens"
BYTES = "splits into the byte pairs of a tiktoken encoding, without special tokens"

_DIGITS = 12


def content_digest(content: bytes) -> str:
    import hashlib  # slow to import, and rarely needed

    return hashlib.sha256(content).hexdigest()[:_DIGITS]


@dataclass(frozen=True)
class Subwords:
    """A tokenizer from one package, identified by a digest or by a name."""

    digest: str
    content: Any = field(repr=False, compare=False)

    def __reduce__(self) -> Any:
        return type(self), (self.digest, self.content)


class Pieces(Subwords):
    """A sentencepiece model as a tokenizer. As in sacrebleu, whitespace within a piece splits it."""

    @cached_property
    def processor(self) -> Any:
        import sentencepiece

        return sentencepiece.SentencePieceProcessor(model_proto=self.content)

    def __call__(self, text: str) -> list[str]:
        return _split(self.processor.encode(well_formed(text), out_type=str))

    def batch(self, texts: Sequence[str], threads: int) -> list[list[str]]:
        encoded = self.processor.encode([*map(well_formed, texts)], out_type=str, num_threads=threads or -1)
        return [_split(pieces) for pieces in encoded]


def _split(pieces: list[str]) -> list[str]:
    return " ".join(pieces).split()


def load_pieces(model: bytes, name: str, source: str, summary: str = PIECES) -> Tokenizer:
    """Return the tokenizer for a sentencepiece model; `source` names it in messages."""
    pieces = Pieces(content_digest(model), model)
    try:
        with requires(source, "spm"):
            loads = bool(model) and pieces.processor is not None  # the package accepts empty bytes as an empty model
    except RuntimeError:
        loads = False
    if not loads:
        raise SettingError(f"{source} is not a sentencepiece model")
    return Tokenizer(name.format(digest=pieces.digest), pieces, summary=summary)


class Tokens(Subwords):
    """A Hugging Face tokenizer, given by its JSON."""

    @cached_property
    def _tokenizer(self) -> Any:
        import tokenizers

        return tokenizers.Tokenizer.from_str(self.content)

    def __call__(self, text: str) -> list[str]:
        tokens: list[str] = self._tokenizer.encode(well_formed(text), add_special_tokens=False).tokens
        return tokens

    def batch(self, texts: Sequence[str], threads: int) -> list[list[str]]:
        """Return each text's tokens. The package takes no thread count; only `threads=1` is respected."""
        if threads == 1:
            return [self(text) for text in texts]
        encoded = self._tokenizer.encode_batch([*map(well_formed, texts)], add_special_tokens=False)
        return [encoding.tokens for encoding in encoded]


def load_tokens(json: bytes, name: str, source: str) -> Tokenizer:
    """Return the tokenizer of Hugging Face's JSON; `source` names it in messages."""
    with requires(source, "hf"):
        import tokenizers
    try:
        tokenizer = tokenizers.Tokenizer.from_buffer(json)
    except Exception:  # the package raises plain Exception
        raise SettingError(f"{source} is not a Hugging Face tokenizer: pass a tokenizer.json") from None
    # Padding and truncation would add tokens that the texts do not have, or cut texts.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    plain = tokenizer.to_str()
    digest = content_digest(plain.encode())
    return Tokenizer(name.format(digest=digest), Tokens(digest, plain), summary=TOKENS)


class BytePairs(Subwords):
    """A tiktoken encoding as a tokenizer. Bytes that are not UTF-8 become lone surrogates."""

    @cached_property
    def _text(self) -> Callable[[int], str]:
        """A function from an id to its text, with a cache."""
        return cache(lambda number: self.content.decode_single_token_bytes(number).decode("utf-8", "surrogateescape"))

    def __call__(self, text: str) -> list[str]:
        return [*map(self._text, self.content.encode_ordinary(text))]

    def batch(self, texts: Sequence[str], threads: int) -> list[list[str]]:
        if threads == 1:
            return [self(text) for text in texts]
        import os

        encoded = self.content.encode_ordinary_batch(texts, num_threads=threads or os.cpu_count() or 1)
        return [[*map(self._text, ids)] for ids in encoded]


def wrap_encoding(encoding: Any) -> Tokenizer:
    """Return the tokenizer for a tiktoken encoding, identified by its name if tiktoken has it, else by its digest."""
    from tiktoken import registry

    official: Any = registry.ENCODINGS
    if official.get(encoding.name) is encoding:
        return Tokenizer(f"tiktoken:{encoding.name}", BytePairs(encoding.name, encoding), summary=BYTES)
    digest = content_digest(repr((encoding._pat_str, sorted(encoding._mergeable_ranks.items()))).encode())
    return Tokenizer(f"tiktoken@{digest}", BytePairs(digest, encoding), summary=BYTES)


def load_encoding(name: str) -> Tokenizer:
    """Return the tokenizer for a named tiktoken encoding; tiktoken downloads it if it is not cached."""
    with requires(f"the tokenizer 'tiktoken:{name}'", "tiktoken"):
        import tiktoken
    known = tiktoken.list_encoding_names()
    if name not in known:
        raise SettingError(f"tiktoken has no encoding {name!r} (there are: {', '.join(known)})")
    try:
        return wrap_encoding(tiktoken.get_encoding(name))
    except Exception as error:  # any error of the download
        raise SettingError(
            f"tiktoken cannot load {name!r} ({type(error).__name__}): without a network, set TIKTOKEN_CACHE_DIR to a "
            "folder that contains its file"
        ) from error


def wrap_object(encoder: object) -> Tokenizer | None:
    """Return the tokenizer for an object from these packages, or None for other objects."""
    packages = {kind.__module__.partition(".")[0] for kind in type(encoder).__mro__}
    inner: Any = encoder
    if "sentencepiece" in packages and hasattr(inner, "serialized_model_proto"):
        return load_pieces(inner.serialized_model_proto(), "spm@{digest}", "the SentencePieceProcessor")
    if "tiktoken" in packages and hasattr(inner, "encode_ordinary"):
        return wrap_encoding(inner)
    if "transformers" in packages and hasattr(inner, "tokenize"):
        inner = getattr(inner, "backend_tokenizer", None)
        if inner is None:
            raise SettingError(
                f"{type(encoder).__name__} is a slow tokenizer of transformers: pass its method tokenize instead"
            )
        packages = {"tokenizers"}
    if "tokenizers" in packages and hasattr(inner, "to_str"):
        try:
            json = inner.to_str().encode()
        except Exception as error:
            raise SettingError(
                f"the Hugging Face tokenizer cannot be copied ({error}): "
                "pass a function such as lambda text: tokenizer.encode(text).tokens"
            ) from None
        return load_tokens(json, "hf@{digest}", "the tokenizer")
    return None
