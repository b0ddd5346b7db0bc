from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, ClassVar

from refscore.cli.help import command
from refscore.cli.option_group import file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.evaluation import Evaluation
from refscore.evaluation.file_format import VERSION
from refscore.tables import Column, Result, Table
from refscore.text_display import counted


@command(epilog="Example: refscore show main.refscore")
@file_argument("file", metavar="FILE")
@run_options("table digits")
def show(file: str, run: RunOptions) -> None:
    """Print what the record FILE holds: systems, metrics, scores, digests, labels and versions."""
    run.show(_Record(file, os.path.getsize(file) if os.path.isfile(file) else 0, Evaluation.load(file)))


@dataclass(frozen=True)
class _Record(Result):
    schema: ClassVar[str] = "show"

    file: str
    size: int
    evaluation: Evaluation

    def tables(self, *, digits: int | None = None) -> list[Table]:
        return [self._contents(), *self.evaluation.summary().tables(digits=digits)]

    def flat_table(self) -> Table:
        return self.evaluation.summary().flat_table()

    def _contents(self) -> Table:
        evaluation, digests = self.evaluation, self.evaluation.digests
        fewest, most = evaluation.reference_counts or (None, None)
        retained = {"rows": "of all segments", "sums": "none"}.get(str(evaluation.retain))
        groups = (f"{name} ({counted(len({*labels}), 'group')})" for name, labels in evaluation.groups.items())
        texts = zip(evaluation.runs, digests.hypotheses, strict=True)
        lines = {
            "file": f"{self.file}, {self.size:,} bytes, format {VERSION}",
            "computed by": f"refscore {', '.join(evaluation.versions)}",
            "segments": f"{evaluation.segments:,}",
            "references per segment": "unknown" if fewest is None else str(fewest) if fewest == most else "varying",
            "rows": retained or f"of {evaluation.retain:,} random segments",
            "texts": "no" if evaluation.texts is None else "yes",
            "units": "segments" if evaluation.units is None else f"{len({*evaluation.units}):,}",
            "groups": ", ".join(groups) or "none",
            "digest of references": _digest(digests.references),
            "digest of sources": _digest(digests.sources),
            **{f"digest of {name}": _digest(digest) for name, digest in texts},
        }
        return Table("", [Column("record"), Column("")], [[*line] for line in lines.items()])

    @property
    def all_signatures(self) -> list[str]:
        return self.evaluation.summary().all_signatures

    def to_dict(self) -> dict[str, Any]:
        evaluation = self.evaluation
        return {
            "file": self.file,
            "bytes": self.size,
            "format": VERSION,
            "versions": [*evaluation.versions],
            "references": evaluation.reference_counts,
            "retain": evaluation.retain,
            "texts": evaluation.texts is not None,
            "units": None if evaluation.units is None else len({*evaluation.units}),
            "groupings": {name: len({*labels}) for name, labels in evaluation.groups.items()},
            "digests": evaluation.digests.to_dict(),
            **evaluation.summary().to_dict(),
        }


def _digest(digest: object) -> str:
    return "unknown" if digest is None else str(digest)
