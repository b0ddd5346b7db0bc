"""The options of re-segmentation, and the files that it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from refscore.cli.declared_options import setting_option
from refscore.cli.option_group import F, file_option, option_group
from refscore.readers.files import Cuts
from refscore.readers.system_scores import System
from refscore.resegmentation import Resegmenter
from refscore.settings import settings_by_name

# The options of settings, after --resegment-, and the prefix of their parameters.
_SPELLINGS = {"tokenizer": "by", "lowercase": "cased", "punctuation": "punctuation", "ties": "ties"}
_PREFIX = "resegment_"


@dataclass(frozen=True)
class ResegmentOptions:
    """Whether and how to re-segment the systems."""

    resegment: bool = False
    resegmenter: Resegmenter = field(default_factory=Resegmenter)
    documents: str | None = None
    hypothesis_documents: tuple[str, ...] = ()

    @property
    def signatures(self) -> list[str]:
        """The settings as a line below tables; none without --resegment."""
        return [self.resegmenter.signature] if self.resegment else []

    @property
    def content(self) -> dict[str, str]:
        """The settings as a part of JSON output; empty without --resegment."""
        return {"resegmentation": self.signatures[0]} if self.resegment else {}

    def _given(self) -> list[str]:
        """Return the options that need --resegment and differ from their defaults."""
        values, defaults = settings_by_name(self.resegmenter), settings_by_name(Resegmenter())
        given = [f"--resegment-{_SPELLINGS[name]}" for name in values if values[name] != defaults[name]]
        files = {"--documents": self.documents, "--hypothesis-documents": self.hypothesis_documents}
        return given + [option for option, value in files.items() if value]

    def cuts(self, systems: Sequence[System]) -> Cuts | None:
        """Return the re-segmentation of these systems; None without --resegment."""
        context = click.get_current_context(silent=True)
        if not self.resegment:
            for option in self._given():
                raise click.UsageError(f"{option} needs --resegment: add it, or leave out {option}", context)
            return None
        files = [*self.hypothesis_documents]
        if files and self.documents is None:
            raise click.UsageError("--hypothesis-documents needs --documents: name the references' labels", context)
        if len(files) == 1:
            files *= len(systems)
        if files and len(files) != len(systems):
            problem = f"--hypothesis-documents is given {len(files)} times for {len(systems)} systems"
            raise click.UsageError(f"{problem}: give it once, or once per system in their order", context)
        return Cuts(self.resegmenter, self.documents, files)


def resegment_options(*, flag: bool) -> Callable[[F], F]:
    """Return a decorator that adds the options. The command gets a `ResegmentOptions` as `resegmentation`.

    `flag` adds --resegment, and the prefix --resegment- to the names of the settings.
    """

    def option(name: str, **changes: Any) -> Any:
        spelling = f"--{'resegment-' if flag else ''}{_SPELLINGS[name]}"
        return setting_option(Resegmenter, name, spelling, parameter=_PREFIX + name, **changes)

    settings = option_group(
        "resegmenter",
        Resegmenter,
        option("tokenizer", metavar="TOKENIZER"),
        option(
            "lowercase",
            is_flag=True,
            type=None,
            default=False,
            callback=lambda _context, _option, cased: not cased,
            help="Distinguish upper and lower case when cutting.",
        ),
        option("punctuation"),
        option("ties"),
        prefix=_PREFIX,
    )
    switch = click.option(
        "--resegment", is_flag=True, help="Cut each system's text into the segments of the references first."
    )
    return option_group(
        "resegmentation",
        ResegmentOptions,
        *([switch] if flag else []),
        settings,
        file_option(
            "--documents",
            help="A file with the document of each reference, one label per line. Documents are cut separately.",
        ),
        file_option(
            "--hypothesis-documents",
            multiple=True,
            help="A file with the document of each line of a system; one for all systems, or one for each.",
        ),
    )
