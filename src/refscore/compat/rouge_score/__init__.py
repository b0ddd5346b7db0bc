"""rouge-score over refscore: the names, arguments, defaults and numbers of rouge-score 0.1.2.

`from refscore.compat.rouge_score import rouge_scorer, scoring` takes the place of the same import from `rouge_score`,
and `refscore.compat.install("rouge_score")` does it for code that is not to be changed. rouge-score itself is not
needed.
"""

__all__: list[str] = []
