"""The settings of a comparison, checked before any work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from refscore.errors import SettingError, UnknownNameError
from refscore.settings import whole_number
from refscore.significance import Sampling
from refscore.significance.inputs import MOST_DRAWS, between_0_and_1

if TYPE_CHECKING:
    from typing import TypedDict

    class ComparisonSettings(TypedDict, total=False):
        """The settings of `compare`."""

        test: TestChoice
        resamples: int
        trials: int
        seed: int
        confidence: float
        holm: bool
        alpha: float
        paper: bool
        by: str | None
        power: float | None
        threads: int | None
        progress: Progress | None


TestChoice: TypeAlias = Literal["both", "bootstrap", "randomization"]
Progress: TypeAlias = Callable[[str, int, int], object]

# The names of the tests in sentences. The first one decides the verdict.
TESTS = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization"}


@dataclass(frozen=True)
class Settings:
    """The arguments of `compare` except systems, references and metrics."""

    test: TestChoice = "both"
    resamples: int = 1000
    trials: int = 10_000
    seed: int = 12345
    confidence: float = 0.95
    holm: bool = False
    alpha: float = 0.05
    paper: bool = False
    by: str | None = None
    power: float | None = None
    threads: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.test not in ("both", *TESTS):
            raise UnknownNameError.suggest("test", self.test, ("both", *TESTS))
        whole_number("resamples", self.resamples, 1 if self.power is None else 2, MOST_DRAWS)
        whole_number("trials", self.trials, 1, MOST_DRAWS)
        between_0_and_1("alpha", self.alpha)
        if self.power is not None:
            between_0_and_1("power", self.power, 0.8)
            if self.paper:
                raise SettingError("power is computed with refscore's formulas: omit paper=True")
        Sampling(seed=self.seed, confidence=self.confidence, threads=self.threads)

    @classmethod
    def check(cls, given: Any) -> Settings:
        """Return the settings of keyword arguments. Raise an error for an unknown name."""
        names = [field.name for field in fields(cls)]
        for name in given:
            if name not in names:
                raise UnknownNameError.suggest("setting of compare", name, names)
        return cls(**given)

    @property
    def tests(self) -> list[str]:
        """The names of the tests to run."""
        return list(TESTS) if self.test == "both" else [self.test]
