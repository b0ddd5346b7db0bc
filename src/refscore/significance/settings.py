from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from refscore.errors import SettingError
from refscore.metrics import kernel_threads
from refscore.settings import (
    Choice,
    Flag,
    HasSettings,
    OrNone,
    Share,
    WholeNumber,
    choice,
    setting,
    unknown_setting,
    whole_number,
)

Units: TypeAlias = Iterable[Hashable]
Progress: TypeAlias = Callable[[int, int], object]
TestChoice: TypeAlias = Literal["both", "bootstrap", "randomization"]

if TYPE_CHECKING:
    from typing_extensions import TypedDict

    class ResamplingSettings(TypedDict, total=False):
        """The settings of `Resampling`."""

        resamples: int
        seed: int
        confidence: float

    class IntervalSettings(ResamplingSettings, total=False):
        """The settings of `Resampling`, and how draws are computed."""

        threads: int | None
        progress: Progress | None

    class DrawSettings(IntervalSettings, total=False):
        """Also the units to draw, and the settings of paired tests, of which each function accepts its own."""

        units: Units | None
        holm: bool
        paper: bool
        trials: int

    class TestsSettings(ResamplingSettings, total=False):
        """The settings of `Tests`."""

        test: TestChoice
        trials: int
        holm: bool
        alpha: float
        paper: bool
        power: float | None


# More draws are surely a mistake.
MOST_DRAWS = 10_000_000
MOST_SEED = 2**128 - 1

HOLM = setting(
    False,
    "Correct p-values for the number of systems, by Holm's method. Each metric is corrected separately.",
    Flag(),
    key="holm",
)
_THRESHOLD = Share(0.05)
ALPHA = setting(0.05, "The largest significant p-value.", _THRESHOLD)


@dataclass(frozen=True, kw_only=True)
class Resampling(HasSettings):
    """The settings of bootstrap intervals.

    Example:
        >>> from refscore.significance import Resampling
        >>> Resampling(seed=1)
        Resampling(resamples=1000, seed=1, confidence=0.95)
        >>> Resampling(confidence=99)
        Traceback (most recent call last):
        refscore.errors.SettingError: confidence must be a number between 0 and 1 such as 0.95, not 99
    """

    name = "resampling"

    resamples: int = setting(
        1000, "The number of resamples of the bootstrap.", WholeNumber(1, MOST_DRAWS), key="resamples"
    )
    seed: int = setting(
        12345,
        "The seed of the random numbers. The same seed gives the same result.",
        WholeNumber(0, MOST_SEED),
        key="seed",
    )
    confidence: float = setting(0.95, "The confidence of intervals.", Share(0.95), key="conf")


@dataclass(frozen=True, kw_only=True)
class Tests(Resampling):
    """The settings of significance tests.

    Example:
        >>> from refscore.significance import Tests
        >>> Tests(test="bootstrap", seed=1).chosen, Tests().chosen
        (['bootstrap'], ['bootstrap', 'randomization'])
    """

    name = "tests"

    test: TestChoice = choice(
        "both",
        "The paired tests to run. With both, the paired bootstrap decides.",
        {"both": "both tests", "bootstrap": "paired bootstrap", "randomization": "approximate randomization"},
    )
    trials: int = setting(
        10_000, "The number of random swaps of the randomization test.", WholeNumber(1, MOST_DRAWS), key="trials"
    )
    holm: bool = HOLM
    alpha: float = ALPHA
    paper: bool = setting(
        False,
        "Compute sacrebleu's intervals and p-values with its random generator and formulas, to check published tables.",
        Choice({True: "sacrebleu", False: "refscore"}),
        key="formulas",
        is_rare=True,
    )
    power: float | None = setting(
        None,
        "Also compute the smallest difference that the tests show with this probability, such as 0.8. With Holm's "
        "method, its alpha is divided by the number of systems.",
        OrNone(Share(0.8)),
    )

    def _check(self) -> None:
        if self.power is not None:
            whole_number("resamples", self.resamples, 2, None)
            if self.paper:
                raise SettingError("power is computed with refscore's formulas: omit paper=True")

    @property
    def chosen(self) -> list[str]:
        """The names of the tests to run. The first one decides the verdict."""
        return ["bootstrap", "randomization"] if self.test == "both" else [self.test]


@dataclass(frozen=True)
class Sampling:
    """The draws of a test: their number and seed, and how they are computed. `units` has one label per segment."""

    count: int
    seed: int = Resampling.seed
    confidence: float = Resampling.confidence
    units: Units | None = None
    threads: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        kernel_threads(self.threads)


def check_draws(given: Mapping[str, Any], *accepted: str) -> tuple[Tests, Sampling]:
    """Return the checked settings of a test, and its resamples.

    `given` are settings of `Resampling`, `accepted` ones of `Tests`, and `units`, `threads` and `progress`.
    """
    execution = {name: given[name] for name in ("units", "threads", "progress") if name in given}
    settings = {name: value for name, value in given.items() if name not in execution}
    for name in settings.keys() - {*Resampling.settings(), *accepted}:
        raise unknown_setting(Resampling, name)
    tests = Tests(**settings)
    return tests, Sampling(tests.resamples, tests.seed, tests.confidence, **execution)


def check_alpha(alpha: float) -> None:
    _THRESHOLD.check("alpha", alpha)
