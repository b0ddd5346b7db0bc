"""Subwords by the packages sentencepiece, tokenizers (Hugging Face) and tiktoken: from files and from objects.

Each function here is equal to another one of the same content, whatever object or file it was made from, so that
metrics compare, hash and pickle by what they do.

Kudo, Richardson (2018): SentencePiece: A simple and language independent subword tokenizer and detokenizer for Neural
Text Processing. EMNLP.
Goyal et al. (2022): The Flores-101 Evaluation Benchmark for Low-Resource and Multilingual Machine Translation. TACL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from refscore.errors import NotInstalledError, SettingError
from refscore.tokenizers.base import Tokenizer, well_formed

PIECES = "splits into the pieces of a sentencepiece model"
TOKENS = "splits into the tokens of a Hugging Face tokenizer, without special ones"
BYTES = "splits into the byte pairs of a tiktoken encoding, without special ones"

_DIGITS = 12


def digest_of(content: bytes) -> str:
    """The first digits of the content's SHA-256: what a signature says of it.

    >>> digest_of(b"")
    'e3b0c44298fc'
    """
    import hashlib  # slow to import, and rarely needed

    return hashlib.sha256(content).hexdigest()[:_DIGITS]


@dataclass(frozen=True)
class Pieces:
    """The pieces of a sentencepiece model; as in sacrebleu, white space within a piece splits it."""

    digest: str
    model: bytes = field(repr=False, compare=False)

    @cached_property
    def processor(self) -> Any:
        """The package's own object."""
        import sentencepiece

        return sentencepiece.SentencePieceProcessor(model_proto=self.model)

    def __call__(self, text: str) -> list[str]:
        """The pieces of a text."""
        return _split(self.processor.encode(well_formed(text), out_type=str))

    def batch(self, texts: Sequence[str], threads: int) -> list[list[str]]:
        """The pieces of each text."""
        found = self.processor.encode([*map(well_formed, texts)], out_type=str, num_threads=threads or -1)
        return [_split(pieces) for pieces in found]

    def __reduce__(self) -> Any:
        return Pieces, (self.digest, self.model)


def _split(pieces: list[str]) -> list[str]:
    return " ".join(pieces).split()


def pieces(model: bytes, name: str, source: str, summary: str = PIECES) -> Tokenizer:
    """The tokenizer of a sentencepiece model.

    Args:
        model: The content of its file.
        name: In signatures; `{digest}` stands for the digest.
        source: What to call it in a message.
        summary: What the tokenizer does.
    """
    made = Pieces(digest_of(model), model)
    try:
        loads = bool(model) and made.processor is not None  # of no bytes at all, the package makes an empty one
    except ImportError:
        raise NotInstalledError(f"{source} needs sentencepiece: pip install 'refscore[spm]'") from None
    except RuntimeError:
        loads = False
    if not loads:
        raise SettingError(f"{source} is no sentencepiece model")
    return Tokenizer(name.format(digest=made.digest), made, summary=summary)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a Hugging Face tokenizer, given by its JSON."""

    digest: str
    json: str = field(repr=False, compare=False)

    @cached_property
    def _tokenizer(self) -> Any:
        import tokenizers

        return tokenizers.Tokenizer.from_str(self.json)

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text."""
        tokens: list[str] = self._tokenizer.encode(well_formed(text), add_special_tokens=False).tokens
        return tokens

    def batch(self, texts: Sequence[str], threads: int) -> list[list[str]]:
        """The tokens of each text; the package has no number of threads, but one is kept to."""
        if threads == 1:
            return [self(text) for text in texts]
        found = self._tokenizer.encode_batch([*map(well_formed, texts)], add_special_tokens=False)
        return [encoding.tokens for encoding in found]

    def __reduce__(self) -> Any:
        return Tokens, (self.digest, self.json)


def tokens(json: str, name: str, source: str) -> Tokenizer:
    """The tokenizer of Hugging Face's JSON; the arguments are as in `pieces`."""
    try:
        import tokenizers
    except ImportError:
        raise NotInstalledError(f"{source} needs the package tokenizers: pip install 'refscore[hf]'") from None
    try:
        made = tokenizers.Tokenizer.from_str(json)
    except Exception:  # the package raises no narrower one
        raise SettingError(f"{source} is no tokenizer of Hugging Face's package (a tokenizer.json)") from None
    # Both are for batches of a model, and would cut texts, or add tokens that they do not have.
    made.no_padding()
    made.no_truncation()
    plain = made.to_str()
    digest = digest_of(plain.encode())
    return Tokenizer(name.format(digest=digest), Tokens(digest, plain), summary=TOKENS)


@dataclass(frozen=True)
class BytePairs:
    """The byte pairs of a tiktoken encoding as text; bytes that are no UTF-8 become halves of surrogate pairs."""

    digest: str
    encoding: Any = field(repr=False, compare=False)

    @cached_property
    def _texts(self) -> dict[int, str]:
        return _Texts(self.encoding)

    def __call__(self, text: str) -> list[str]:
        """The byte pairs of a text."""
        return [*map(self._texts.__getitem__, self.encoding.encode_ordinary(text))]

    def batch(self, texts: Sequence[str], threads: int) -> list[list[str]]:
        """The byte pairs of each text."""
        if threads == 1:
            return [self(text) for text in texts]
        import os

        found = self.encoding.encode_ordinary_batch(texts, num_threads=threads or os.cpu_count() or 1)
        return [[*map(self._texts.__getitem__, ids)] for ids in found]

    def __reduce__(self) -> Any:
        return BytePairs, (self.digest, self.encoding)


class _Texts(dict[int, str]):
    """The text of each id, made when it is first seen."""

    def __init__(self, encoding: Any) -> None:
        super().__init__()
        self._encoding = encoding

    def __missing__(self, number: int) -> str:
        text: str = self._encoding.decode_single_token_bytes(number).decode("utf-8", "surrogateescape")
        self[number] = text
        return text


def byte_pairs(encoding: Any) -> Tokenizer:
    """The tokenizer of a tiktoken encoding: known by its name if tiktoken itself made it, else by its content."""
    from tiktoken import registry

    official: Any = registry.ENCODINGS
    if official.get(encoding.name) is encoding:
        return Tokenizer(f"tiktoken:{encoding.name}", BytePairs(encoding.name, encoding), summary=BYTES)
    digest = digest_of(repr((encoding._pat_str, sorted(encoding._mergeable_ranks.items()))).encode())
    return Tokenizer(f"tiktoken@{digest}", BytePairs(digest, encoding), summary=BYTES)


def byte_pairs_named(name: str) -> Tokenizer:
    """The tokenizer of an encoding that tiktoken has by name, and fetches where it is not cached."""
    try:
        import tiktoken
    except ImportError:
        raise NotInstalledError(
            f"the tokenizer 'tiktoken:{name}' needs tiktoken: pip install 'refscore[tiktoken]'"
        ) from None
    known = tiktoken.list_encoding_names()
    if name not in known:
        raise SettingError(f"tiktoken has no encoding {name!r} (it has: {', '.join(known)})")
    try:
        return byte_pairs(tiktoken.get_encoding(name))
    except Exception as error:  # of the package that it fetches files with
        raise SettingError(
            f"tiktoken cannot load {name!r} ({type(error).__name__}): without a network, set TIKTOKEN_CACHE_DIR to a "
            "folder that has its file"
        ) from error


def of_object(encoder: object) -> Tokenizer | None:
    """The tokenizer of an object of one of the packages; None if it is of none."""
    packages = {kind.__module__.partition(".")[0] for kind in type(encoder).__mro__}
    made: Any = encoder
    if "sentencepiece" in packages and hasattr(made, "serialized_model_proto"):
        return pieces(made.serialized_model_proto(), "spm@{digest}", "the SentencePieceProcessor")
    if "tiktoken" in packages and hasattr(made, "encode_ordinary"):
        return byte_pairs(made)
    if "transformers" in packages and hasattr(made, "tokenize"):
        made = getattr(made, "backend_tokenizer", None)
        if made is None:
            raise SettingError(
                f"{type(encoder).__name__} is one of transformers' slow tokenizers: pass its method, "
                "tokenizer=it.tokenize"
            )
        packages = {"tokenizers"}
    if "tokenizers" in packages and hasattr(made, "to_str"):
        try:
            json = made.to_str()
        except Exception as error:
            raise SettingError(
                f"the tokenizer of Hugging Face's package cannot be copied ({error}): "
                "pass a function, tokenizer=lambda text: it.encode(text).tokens"
            ) from None
        return tokens(json, "hf@{digest}", "the tokenizer")
    return None
