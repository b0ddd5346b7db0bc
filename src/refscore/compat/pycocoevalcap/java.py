"""The error for metrics that are Java programs."""

from __future__ import annotations

from refscore.errors import SettingError

__all__: list[str] = []


def not_reproduced(name: str, program: str, alternative: str) -> SettingError:
    """Return the error for a metric that refscore does not reproduce."""
    return SettingError(
        f"{name} of pycocoevalcap is a Java program ({program}), which refscore does not reproduce: {alternative}. For "
        f"{program}, pip install pycocoevalcap==1.2 and use its own class"
    )
