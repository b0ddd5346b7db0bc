"""How often people agree with a difference between two systems, by its size (Kocmi et al., 2024)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, ClassVar

from refscore.errors import look_up
from refscore.tables import Column, Result, Table

# The 97.5 % quantile of the normal distribution.
_QUANTILE = 1.959963984540054


@dataclass(frozen=True)
class PairsOfSystems:
    """The pairs of systems with at least this difference.

    Attributes:
        difference: The smallest difference, on the printed scale.
        pairs: The number of pairs.
        agreeing: How many of them people order like the metric. Pairs that people tie do not count as such.

    Example:
        >>> from refscore.comparison import PairsOfSystems
        >>> row = PairsOfSystems(0.8, 218, 190)
        >>> round(row.share, 2), [round(end, 2) for end in row.interval]
        (0.87, [0.82, 0.91])
    """

    difference: float
    pairs: int
    agreeing: int

    @property
    def share(self) -> float:
        """The share of pairs that people order like the metric."""
        return self.agreeing / self.pairs

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share, as if pairs were independent."""
        square = _QUANTILE**2 / self.pairs
        middle = (self.share + square / 2) / (1 + square)
        half = math.sqrt(self.share * (1 - self.share) * square + square**2 / 4) / (1 + square)
        return max(0.0, middle - half), min(1.0, middle + half)

    def to_dict(self) -> dict[str, Any]:
        """Return the pairs as a dictionary, ready for JSON."""
        low, high = self.interval
        numbers = {"difference": self.difference, "pairs": self.pairs, "agreeing": self.agreeing}
        return {**numbers, "share": self.share, "low": low, "high": high}


@dataclass(frozen=True)
class AgreementByDifference(Result):
    """How often people agree with differences between systems, by metric and size of the difference.

    Attributes:
        conditions: The systems and the human scores.
        metrics: The pairs of systems by metric, the smallest difference first.
        signatures: The signatures of refscore's metrics, without the version.

    Example:
        >>> from refscore.comparison import published_agreement
        >>> table = published_agreement("wmt23")
        >>> found = table.look_up("bleu", 0.8)
        >>> found.difference, found.pairs > 200, 0.6 < found.share < 0.9
        (0.8, True, True)
    """

    conditions: str
    metrics: Mapping[str, tuple[PairsOfSystems, ...]]
    signatures: Mapping[str, str] = field(default_factory=dict)

    schema: ClassVar[str] = "meta"

    def __repr__(self) -> str:
        return f"<agreement with differences by {', '.join(self.metrics)}: {self.conditions}>"

    def look_up(self, name: str, difference: float) -> PairsOfSystems | None:
        """Return the pairs for the largest listed difference that is not larger. None if the metric is not listed.

        Args:
            name: A metric's name, or its signature.
            difference: A difference on the printed scale. Its sign does not count.
        """
        names = {signature: listed for listed, signature in self.signatures.items()}
        rows = self.metrics.get(names.get(without_version(name), name), ())
        smaller = [row for row in rows if row.difference <= abs(difference) + 1e-9]
        return smaller[-1] if smaller else None

    def tables(self, *, digits: int | None = None) -> list[Table]:
        """Return one table per metric."""
        places = 0 if digits is None else digits
        columns = [Column("difference ≥", "right"), Column("pairs", "right"), Column("people agree", "right")]
        columns.append(Column("95 % interval", "right"))
        return [
            Table(
                name,
                columns,
                [
                    [
                        f"{row.difference:g}",
                        f"{row.pairs:,}",
                        f"{row.share:.{places}%}",
                        "[" + ", ".join(f"{end:.{places}%}" for end in row.interval) + "]",
                    ]
                    for row in rows
                ],
            )
            for name, rows in self.metrics.items()
        ]

    def flat_table(self) -> Table:
        """Return one row per metric and difference with full precision."""
        names = ("metric", "difference", "pairs", "agreeing", "share", "low", "high")
        rows = [[name, *map(repr, row.to_dict().values())] for name, listed in self.metrics.items() for row in listed]
        return Table("", map(Column, names), rows)

    @property
    def all_signatures(self) -> list[str]:
        return [f"People: {self.conditions}", *self.signatures.values()]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dictionary, ready for JSON."""
        return {
            "conditions": self.conditions,
            "differences": [
                {"metric": name, "signature": self.signatures.get(name), "rows": [row.to_dict() for row in rows]}
                for name, rows in self.metrics.items()
            ],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> AgreementByDifference:
        """Return what `to_dict` returned as a dictionary."""
        metrics = {
            entry["metric"]: tuple(
                PairsOfSystems(row["difference"], row["pairs"], row["agreeing"]) for row in entry["rows"]
            )
            for entry in content["differences"]
        }
        signatures = {entry["metric"]: entry["signature"] for entry in content["differences"] if entry["signature"]}
        return cls(content["conditions"], metrics, signatures)


def without_version(signature: str) -> str:
    return signature.partition("|version:")[0]


# Made by this command, in the folder of mt-metrics-eval's data:
# refscore meta wmt23 --task wmt23 --differences -m bleu,chrf,chrf++,ter -o people_wmt23.json
PUBLISHED = {"wmt23": "people_wmt23.json"}


def published_agreement(name: str = "wmt23") -> AgreementByDifference:
    """Return the agreement of people with BLEU, chrF, chrF++ and TER, computed from public data.

    Args:
        name: The data: "wmt23", the 249 pairs of systems in en-de, he-en and zh-en of WMT 2023 with MQM scores.

    Example:
        >>> from refscore.comparison import published_agreement
        >>> found = published_agreement().look_up("chrf", 2)
        >>> f"people agree in {found.share:.0%} of {found.pairs} pairs"
        'people agree in 90% of 182 pairs'
    """
    file = look_up("data", name, PUBLISHED)
    text = resources.files("refscore.comparison").joinpath(file).read_text(encoding="utf-8")
    return AgreementByDifference.from_dict(json.loads(text))
