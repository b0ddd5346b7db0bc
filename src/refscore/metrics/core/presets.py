from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any


@dataclass(frozen=True, eq=False, repr=False)
class Preset(Mapping[str, Any]):
    """Settings by name, with the tool that they reproduce.

    Args:
        settings: The settings that differ from the metric's defaults.
        tool: The program, package or paper.
        version: Its version, empty if it has none.
        part: The tool's function or option, if it has several.
        scale: 100 if the tool prints scores from 0 to 100, 1 for scores from 0 to 1.
        note: A remark for users: one sentence without a full stop.
    """

    settings: Mapping[str, Any]
    _: KW_ONLY
    tool: str
    version: str = ""
    part: str = ""
    scale: float
    note: str = ""

    @property
    def source(self) -> str:
        """The tool with its version and part, in one line."""
        name = f"{self.tool} {self.version}" if self.version else self.tool
        return f"{name}, {self.part}" if self.part else name

    def __getitem__(self, name: str) -> Any:
        return self.settings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.settings)

    def __len__(self) -> int:
        return len(self.settings)

    def __repr__(self) -> str:
        return f"<preset of {self.source}: {self.settings}>"


SACREBLEU = partial(Preset, tool="sacrebleu", version="2.6.0", scale=100)
NLTK = partial(Preset, tool="NLTK", version="3.10.4", scale=1)
TAKES_TOKENS = "it takes tokens, so refscore splits text at whitespace"
