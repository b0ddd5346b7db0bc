"""The options of re-segmentation, and the files that it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from refscore.cli.option_group import F, option_group
from refscore.cli.systems import System

if TYPE_CHECKING:
    from refscore.resegmentation import Resegmenter

_SETTINGS = ("resegment_by", "resegment_cased", "resegment_punctuation", "resegment_ties")


@dataclass(frozen=True)
class Request:
    """A re-segmentation of all systems: its settings, and the files with the labels of documents.

    `hypothesis_documents` has one file per system, or none.
    """

    resegmenter: Resegmenter
    documents: str | None
    hypothesis_documents: list[str]

    @property
    def files(self) -> list[str]:
        """The files of labels."""
        return [*([] if self.documents is None else [self.documents]), *self.hypothesis_documents]


@dataclass(frozen=True)
class ResegmentOptions:
    """Whether and how to re-segment the systems."""

    resegment: bool = False
    resegment_by: str | None = None
    resegment_cased: bool = False
    resegment_punctuation: str = "keep"
    resegment_ties: str = "latest"
    documents: str | None = None
    hypothesis_documents: tuple[str, ...] = ()

    @property
    def signatures(self) -> list[str]:
        """The settings as a line below tables; none without --resegment."""
        return [self._resegmenter().signature] if self.resegment else []

    @property
    def content(self) -> dict[str, str]:
        """The settings as a part of JSON output; empty without --resegment."""
        return {"resegmentation": self.signatures[0]} if self.resegment else {}

    def _resegmenter(self) -> Resegmenter:
        from refscore.resegmentation import Resegmenter

        return Resegmenter(
            tokenizer=self.resegment_by,
            lowercase=not self.resegment_cased,
            punctuation=self.resegment_punctuation,  # type: ignore[arg-type]
            ties=self.resegment_ties,  # type: ignore[arg-type]
        )

    def request(self, systems: Sequence[System]) -> Request | None:
        """Return the re-segmentation of these systems; None without --resegment."""
        context = click.get_current_context(silent=True)
        if not self.resegment:
            names = [*_SETTINGS, "documents", "hypothesis_documents"]
            given = next((name for name in names if getattr(self, name) != getattr(ResegmentOptions, name)), None)
            if given is not None:
                option = f"--{given.replace('_', '-')}"
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
        return Request(self._resegmenter(), self.documents, files)


def resegment_options(*, flag: bool) -> Callable[[F], F]:
    """Return a decorator that adds the options. The command gets a `ResegmentOptions` as `resegmentation`.

    `flag` adds --resegment, and the prefix --resegment- to the names of the settings.
    """

    def option(name: str, **settings: Any) -> Any:
        spelling = f"--{name.replace('_', '-')}" if flag else f"--{name.removeprefix('resegment_')}"
        return click.option(spelling, name, **settings)

    by = option("resegment_by", metavar="TOKENIZER", help="Compare the tokens of a tokenizer, such as char, not words.")
    switch = click.option(
        "--resegment", is_flag=True, help="Cut each system's text into the segments of the references first."
    )
    return option_group(
        "resegmentation",
        ResegmentOptions,
        *([switch] if flag else []),
        by,
        option("resegment_cased", is_flag=True, help="Distinguish upper and lower case when cutting."),
        option(
            "resegment_punctuation",
            type=click.Choice(["keep", "ignore"]),
            default="keep",
            help="Compare punctuation too when cutting, or ignore it.",
        ),
        option(
            "resegment_ties",
            type=click.Choice(["latest", "earliest"]),
            default="latest",
            help="Which of several equally good cuts to choose.",
        ),
        click.option(
            "--documents",
            metavar="FILE",
            help="A file with the document of each reference, one label per line. Documents are cut separately.",
        ),
        click.option(
            "--hypothesis-documents",
            metavar="FILE",
            multiple=True,
            help="A file with the document of each line of a system; one for all systems, or one for each.",
        ),
    )
