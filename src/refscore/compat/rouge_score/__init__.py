"""rouge-score on refscore, with rouge-score 0.1.2's names, arguments, defaults and numbers.

`from refscore.compat.rouge_score import rouge_scorer, scoring` replaces the same import from `rouge_score`.
`refscore.compat.install("rouge_score")` does it for all code, without changes. rouge-score need not be installed.
"""

from refscore.compat.overrides import take_missing_names as _take_missing_names
from refscore.compat.rouge_score import rouge_scorer, scoring, tokenize, tokenizers  # noqa: F401 - `take_missing_names` needs them

__all__: list[str] = []

_take_missing_names(__name__)
