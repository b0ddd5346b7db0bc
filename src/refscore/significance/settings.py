from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

from refscore.errors import SettingError
from refscore.metrics import kernel_threads
from refscore.progress import Progress
from refscore.settings import Flag, HasSettings, OrNone, Share, WholeNumber, choice, setting, unknown_setting

Units: TypeAlias = Iterable[Hashable]
TestChoice: TypeAlias = Literal["both", "bootstrap", "randomization", "mcnemar"]
Formulas: TypeAlias = Literal["refscore", "sacrebleu"]

K = TypeVar("K", bound="Resampling")

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
    """How bootstrap intervals are computed.

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
    """How significance tests are computed.

    Example:
        >>> from refscore.significance import Tests
        >>> Tests(test="bootstrap", seed=1).chosen, Tests().chosen
        (['bootstrap'], ['bootstrap', 'randomization'])
    """

    name = "tests"

    test: TestChoice = choice(
        "both",
        "The paired tests to run. With both, the paired bootstrap decides. McNemar's test is for scores of 0 and 1.",
        {
            "both": "paired bootstrap and approximate randomization",
            "bootstrap": "paired bootstrap",
            "randomization": "approximate randomization",
            "mcnemar": "McNemar's exact test",
        },
    )
    trials: int = setting(
        10_000, "The number of random swaps of the randomization test.", WholeNumber(1, MOST_DRAWS), key="trials"
    )
    holm: bool = HOLM
    alpha: float = ALPHA
    formulas: Formulas = choice(
        "refscore",
        "How intervals and p-values are computed: as refscore does, or as sacrebleu does, to check published tables.",
        {"refscore": "refscore's formulas", "sacrebleu": "sacrebleu's random generator and formulas"},
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
        if self.test == "mcnemar" and self.formulas != "refscore":
            raise SettingError(f"mcnemar needs refscore's formulas, not {self.formulas!r}: omit one setting")
        if self.power is None:
            return
        if self.formulas != "refscore":
            raise SettingError(f"power needs refscore's formulas, not {self.formulas!r}: omit one setting")
        if self.resamples < 2:
            raise SettingError(f"power needs at least 2 resamples, not {self.resamples}: raise resamples")

    @property
    def chosen(self) -> list[str]:
        """Which tests to run. The first one decides the verdict."""
        return ["bootstrap", "randomization"] if self.test == "both" else [self.test]


@dataclass(frozen=True)
class Sampling:
    """A test's draws: their number and seed, and how they are computed. `units` has one label per segment."""

    count: int
    seed: int = Resampling.seed
    confidence: float = Resampling.confidence
    units: Units | None = None
    threads: int | None = None
    progress: Progress | None = None
    step: str = "resampling"  # the name that `progress` gets


def merge_settings(kind: type[K], chosen: K | None, settings: Mapping[str, Any]) -> K:
    """Return the settings of an object, or the defaults of a class, with those replaced that are given by name."""
    if chosen is None:
        return kind(**settings)
    if not isinstance(chosen, kind):
        raise SettingError(f"the settings must be a {kind.__name__}, not {chosen!r}: pass {kind.__name__}(...)")
    return replace(chosen, **settings) if settings else chosen


def check_draws(
    chosen: Tests | None,
    settings: Mapping[str, Any],
    accepted: Iterable[str] = (),
    *,
    needs_resamples: bool = True,
    **execution: Any,
) -> tuple[Tests, Sampling]:
    """Return the checked settings of a test, and its resamples.

    `settings` are settings of `Resampling` or the `accepted` ones of `Tests`, and `execution` is `units`, `threads` and
    `progress`. A test that needs no resamples draws some only for intervals, if `chosen` or `resamples` is given.
    """
    draws = needs_resamples or settings.get("resamples", getattr(chosen, "resamples", 0)) != 0
    settings = {name: value for name, value in settings.items() if draws or name != "resamples"}
    for name in settings.keys() - {*Resampling.settings(), *accepted}:
        raise unknown_setting(Resampling, name)
    tests = merge_settings(Tests, chosen, settings)
    kernel_threads(execution.get("threads"))  # raises an error before any work
    return tests, Sampling(tests.resamples if draws else 0, tests.seed, tests.confidence, **execution)


def check_alpha(alpha: float) -> None:
    _THRESHOLD.check("alpha", alpha)
