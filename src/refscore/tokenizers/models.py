"""Subword models: files given by path, or in sacrebleu's folder of models.

refscore downloads nothing. The error for a missing model has its URL and the path to save it to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refscore.errors import InputError, Location, NotInstalledError, SettingError
from refscore.tokenizers.base import Tokenizer

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Model:
    """A model that sacrebleu has a name for."""

    name: str  # in signatures
    file: str  # its name in sacrebleu's folder
    address: str  # the URL of the file

    @property
    def path(self) -> Path:
        return folder() / self.file

    @property
    def summary(self) -> str:
        return f"splits into the pieces of the sentencepiece model {self.file}, for many languages"

    def load(self) -> Tokenizer:
        from refscore.tokenizers.subwords import load_pieces

        path = self.path
        if not os.path.isfile(path):
            raise NotInstalledError(
                f"the tokenizer {self.name!r} needs its sentencepiece model: download {self.address} to {path} "
                "(sacrebleu does so on first use), or pass tokenizer='spm:PATH'"
            )
        return load_pieces(_read(path), self.name, str(path), self.summary)


_FLORES101 = Model(
    "flores101",
    "sacrebleu_tokenizer_spm.model",
    "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
)
MODELS: Mapping[str, Model] = {
    "flores101": _FLORES101,
    "flores200": Model("flores200", "flores200sacrebleuspm", "https://tinyurl.com/flores200sacrebleuspm"),
    "spBLEU-1K": Model(
        "spBLEU-1K",
        "spbleu-1k_tokenizer_spm.model",
        "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
    ),
    "spm": _FLORES101,
}


def folder() -> Path:
    from pathlib import Path  # slow to import, and rarely needed

    # The same variable as sacrebleu's, so both use one folder.
    return Path(os.environ.get("SACREBLEU") or os.path.expanduser("~/.sacrebleu")) / "models"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(Location(file=str(path)), f"cannot be read: {error.strerror or error}") from None


# Prefixes of settings that name a file: Hugging Face's JSON, and sentencepiece models.
KINDS = ("hf", "spm")

# The file in a signature: without a folder, because a signature may come from someone else.
FILE_IN_SIGNATURE = r"[A-Za-z0-9.+_-]+(@[0-9a-f]{12})?"

_loaded: dict[str, Tokenizer] = {}
_paths: dict[str, str] = {}


def load_file(kind: str, place: str) -> tuple[str, Tokenizer]:
    """Return the setting for a file, with its digest, and its tokenizer.

    A digest after an `@` must match the content. A bare file name is also looked up in sacrebleu's folder.
    """
    from refscore.tokenizers import subwords  # slow to import, and rarely needed

    match = re.fullmatch(r"(.+)@([0-9a-f]{12})", place)
    path_text, digest = (match[1], match[2]) if match else (place, None)
    name = f"{kind}:{_label(path_text)}@{digest}"
    if name in _loaded:
        path = path_text if os.path.isabs(path_text) else _paths[name]
        return f"{kind}:{path}@{digest}", _loaded[name]
    file = _find(kind, path_text)
    content = _read(file)
    actual = subwords.content_digest(content)
    if digest not in (None, actual):
        raise SettingError(f"{file} has different content: its SHA-256 begins with {actual}, not {digest}")
    name = f"{kind}:{_label(path_text)}@{actual}"
    if name not in _loaded:
        _paths[name] = str(file)  # before _loaded: other threads look up the path of every loaded tokenizer
        load = subwords.load_tokens if kind == "hf" else subwords.load_pieces
        _loaded[name] = load(content, name, str(file))
    return f"{kind}:{file}@{actual}", _loaded[name]


def file_setting(tokenizer: Tokenizer) -> str | None:
    if _loaded.get(tokenizer.name) != tokenizer:
        return None
    kind, _, rest = tokenizer.name.partition(":")
    return f"{kind}:{_paths[tokenizer.name]}@{rest.rpartition('@')[2]}"


def _label(path_text: str) -> str:
    """Return the name of a file for signatures, which `FILE_IN_SIGNATURE` matches with the digest."""
    return re.sub(r"[^A-Za-z0-9.+_-]", "_", os.path.basename(path_text))


def _find(kind: str, path_text: str) -> Path:
    from pathlib import Path

    # Unlike methods of `Path`, functions of `os.path` do not raise for impossible paths.
    path = Path(os.path.expanduser(path_text))
    tried = [path] if path.name != path_text else [path, folder() / path]
    for candidate in tried:
        if os.path.isfile(candidate):
            return candidate.absolute()
    if os.path.isdir(path):
        raise SettingError(f"{path} is a directory: pass the path of a file after '{kind}:'")
    places = " or ".join(map(str, tried))
    raise SettingError(f"there is no file at {places}: pass the path of the model after '{kind}:'")
