from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from refscore.cli.option_group import F, add_options
from refscore.errors import SettingError, UnknownNameError, look_up
from refscore.readers.files import Cuts
from refscore.readers.system_scores import System
from refscore.resegmentation import Resegmenter

_PREFIX = f"{Resegmenter.name}."
# The settings that name files of labels.
_FILES = ("documents", "hypothesis_documents")
# How to align subtitles.
_ALIGNMENTS = {"times": "times", "words": "words"}


@dataclass(frozen=True)
class ResegmentOptions:
    """Whether to re-segment the systems, and the values of --set that begin with `resegment.`."""

    resegment: bool = False
    settings: tuple[str, ...] = ()

    @property
    def content(self) -> dict[str, str]:
        cuts = self._cuts()
        return {} if cuts is None else {"resegmentation": cuts.signature}

    @property
    def files(self) -> list[str]:
        cuts = self._cuts()
        return [] if cuts is None else cuts.files

    def cuts(self, systems: Sequence[System]) -> Cuts | None:
        """Return the re-segmentation of these systems, or None without --resegment."""
        cuts = self._cuts()
        if cuts is None or not cuts.hypothesis_documents:
            return cuts
        files = [*cuts.hypothesis_documents]
        if cuts.documents is None:
            needed = f"--set {_PREFIX}documents"
            raise SettingError(f"--set {_PREFIX}hypothesis_documents needs {needed}: name the references' labels")
        if len(files) == 1:
            files *= len(systems)
        if len(files) != len(systems):
            problem = f"--set {_PREFIX}hypothesis_documents is given {len(files)} times for {len(systems)} systems"
            raise SettingError(f"{problem}: give it once, or once per system in their order")
        return Cuts(cuts.resegmenter, cuts.documents, files)

    def _cuts(self) -> Cuts | None:
        if not self.resegment:
            for text in self.settings:
                raise SettingError(f"--set {text} needs --resegment: add it, or leave out --set {text}")
            return None
        declared = Resegmenter.settings()
        settings: dict[str, Any] = {}
        files: dict[str, list[str]] = {name: [] for name in _FILES}
        align: Any = ""
        for text in self.settings:
            name, _, value = text.removeprefix(_PREFIX).partition("=")
            if name in files:
                files[name].append(value)
            elif name == "align":
                align = look_up("alignment of cues", value, _ALIGNMENTS)
            elif name in declared:
                settings[name] = declared[name].parse(value)
            else:
                raise UnknownNameError.suggest(f"setting of {Resegmenter.name}", name, [*declared, *_FILES, "align"])
        if align and (settings or any(files.values())):
            raise SettingError(f"--set {_PREFIX}align={align} has no other settings: leave out the others")
        documents, hypothesis_documents = files.values()
        return Cuts(Resegmenter(**settings), next(iter(documents), None), hypothesis_documents, align)


def resegment_options(command: F) -> F:
    """Add --resegment. The command gets a `ResegmentOptions` as `resegmentation`.

    The command must also have --set. It gets only the values of --set that are not for re-segmentation.
    """

    @functools.wraps(command)
    def call_with_resegmentation(*, settings: tuple[str, ...], resegment: bool, **values: Any) -> Any:
        own = tuple(text for text in settings if text.startswith(_PREFIX))
        others = tuple(text for text in settings if text not in own)
        return command(**values, settings=others, resegmentation=ResegmentOptions(resegment, own))

    return add_options(  # type: ignore[return-value]
        call_with_resegmentation,
        click.option(
            "--resegment",
            is_flag=True,
            help="Cut each system's text into the segments of the references first. --set resegment.tokenizer=char "
            "and so on change how.",
        ),
    )
