"""The options that limit the size of segments."""

from __future__ import annotations

import functools
from typing import Any

from refscore.cli.option_group import F, add_options, count_option
from refscore.metrics import limits


def limits_options(command: F) -> F:
    """Add --max-tokens and --max-references, which apply to all segments that the command scores."""

    @functools.wraps(command)
    def call_within_limits(*, max_tokens: int | None, max_references: int | None, **values: Any) -> Any:
        with limits(max_tokens=max_tokens, max_references=max_references):
            return command(**values)

    return add_options(  # type: ignore[return-value]
        call_within_limits,
        count_option(
            "--max-tokens",
            help="Refuse segments with more than N tokens (characters for chrF and CER).",
        ),
        count_option("--max-references", help="Refuse segments with more than N references."),
    )
