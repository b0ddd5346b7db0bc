"""The classes of metrics that are Java programs. To create one is an error."""

from __future__ import annotations

from typing import Any

from refscore.errors import SettingError

__all__: list[str] = []


def refusing(name: str, program: str, alternative: str, module: str) -> type:
    """Return a class that raises an error, because refscore does not reproduce the program."""
    message = (
        f"{name.upper()} of pycocoevalcap is a Java program ({program}), which refscore does not reproduce: "
        f"{alternative}. For {program}, pip install pycocoevalcap==1.2 and use its own class"
    )

    def refuse(self: Any) -> None:
        raise SettingError(message)

    doc = f"Raise an error: refscore does not reproduce {program}."
    return type(name, (), {"__init__": refuse, "__doc__": doc, "__module__": module})
