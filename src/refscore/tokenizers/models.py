"""Where models of subwords are: in a file that the setting names, or in the folder that sacrebleu keeps its models in.

refscore fetches nothing: what is missing is named in the error, with the place it belongs to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.tokenizers.base import Tokenizer

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Model:
    """A model that sacrebleu has by name.

    Attributes:
        name: In signatures.
        file: In sacrebleu's folder, as sacrebleu calls it.
        address: Where the file comes from.
    """

    name: str
    file: str
    address: str

    @property
    def path(self) -> Path:
        """Where the file has to be."""
        return folder() / self.file

    @property
    def summary(self) -> str:
        """What its tokenizer does, in words that follow its name."""
        return f"splits into the pieces of the sentencepiece model {self.file}, for many languages"

    def load(self) -> Tokenizer:
        """Its tokenizer."""
        from refscore.tokenizers.subwords import pieces

        path = self.path
        if not os.path.isfile(path):
            raise NotInstalledError(
                f"the tokenizer {self.name!r} needs its sentencepiece model: get {self.address} and put it at {path} "
                "(sacrebleu does so at its first use), or pass tokenizer='spm:PATH'"
            )
        return pieces(_content(path), self.name, str(path), self.summary)


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
    """The folder that sacrebleu keeps its models in.

    >>> folder().name
    'models'
    """
    from pathlib import Path  # slow to import, and rarely needed

    # The same variable as sacrebleu's, so that both look into one place.
    return Path(os.environ.get("SACREBLEU") or os.path.expanduser("~/.sacrebleu")) / "models"


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(None, f"{path} cannot be read: {error.strerror or error}") from None


def _pieces(content: bytes, name: str, source: str) -> Tokenizer:
    from refscore.tokenizers.subwords import pieces

    return pieces(content, name, source)


def _json(content: bytes, name: str, source: str) -> Tokenizer:
    from refscore.tokenizers.subwords import tokens

    try:
        return tokens(content.decode(), name, source)
    except UnicodeDecodeError:
        raise SettingError(f"{source} is no tokenizer of Hugging Face's package (a tokenizer.json)") from None


# The kinds of files, by what stands before the colon of a setting.
KINDS: Mapping[str, Callable[[bytes, str, str], Tokenizer]] = {"hf": _json, "spm": _pieces}

_loaded: dict[str, Tokenizer] = {}
_paths: dict[str, str] = {}


def from_file(kind: str, place: str) -> tuple[str, Tokenizer]:
    """The tokenizer of a file, and the setting that stands for it from now on: with the digest of its content.

    Args:
        kind: One of `KINDS`.
        place: The file's path. A digest after an `@` has to be that of its content; a file's name alone, as
            signatures have it, is also looked for in sacrebleu's folder.
    """
    from refscore.tokenizers.subwords import digest_of

    path_text, digest = _parts(place)
    name = f"{kind}:{_label(path_text)}@{digest}"
    if name in _loaded:
        path = path_text if os.path.isabs(path_text) else _paths[name]
        return f"{kind}:{path}@{digest}", _loaded[name]
    found = _found(kind, path_text)
    content = _content(found)
    actual = digest_of(content)
    if digest not in (None, actual):
        raise SettingError(f"{found} is not the file that is meant: its SHA-256 begins {actual}, not {digest}")
    name = f"{kind}:{_label(path_text)}@{actual}"
    if name not in _loaded:
        _paths[name] = str(found)  # first, for other threads that find the tokenizer
        _loaded[name] = KINDS[kind](content, name, str(found))
    return f"{kind}:{found}@{actual}", _loaded[name]


def setting_of_file(tokenizer: Tokenizer) -> str | None:
    """The setting that stands for a tokenizer, if `from_file` gave it."""
    if _loaded.get(tokenizer.name) != tokenizer:
        return None
    kind, _, rest = tokenizer.name.partition(":")
    return f"{kind}:{_paths[tokenizer.name]}@{rest.rpartition('@')[2]}"


def _parts(place: str) -> tuple[str, str | None]:
    found = re.fullmatch(r"(.+)@([0-9a-f]{12})", place)
    return (found[1], found[2]) if found else (place, None)


def _label(path_text: str) -> str:
    """The file's name as a signature can have it."""
    return re.sub(r"[^A-Za-z0-9.+_-]", "_", os.path.basename(path_text))


def _found(kind: str, path_text: str) -> Path:
    from pathlib import Path

    # Those of `os.path`, unlike those of `Path`, raise no errors of their own for paths that cannot be.
    path = Path(os.path.expanduser(path_text))
    tried = [path] if path.name != path_text else [path, folder() / path]
    for candidate in tried:
        if os.path.isfile(candidate):
            return candidate.absolute()
    if os.path.isdir(path):
        raise SettingError(f"{path} is a directory: '{kind}:' needs the path of a file")
    places = " nor at ".join(map(str, tried))
    raise SettingError(f"there is no file at {places}: '{kind}:' needs the path of its model")
