"""torchmetrics' functions: a class' result in one call, without states."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

import torch

from refscore.compat.torchmetrics import text as _text
from refscore.compat.torchmetrics.sums import Results, SumsMetric

_BATCH = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("preds", "target")]


def _function_of(kind: type[SumsMetric], name: str) -> Callable[..., Any]:
    scoring = kind._scoring_type

    def function(preds: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
        return scoring(*args, **kwargs).call(preds, target, Results(torch.get_default_dtype()))

    function.__name__ = function.__qualname__ = name
    function.__signature__ = Signature([*_BATCH, *signature(scoring).parameters.values()])  # type: ignore[attr-defined]
    function.__doc__ = f"Return the result of `{kind.__name__}` with these settings for one or several predictions."
    return function


bleu_score = _function_of(_text.BLEUScore, "bleu_score")
char_error_rate = _function_of(_text.CharErrorRate, "char_error_rate")
chrf_score = _function_of(_text.CHRFScore, "chrf_score")
edit_distance = _function_of(_text.EditDistance, "edit_distance")
extended_edit_distance = _function_of(_text.ExtendedEditDistance, "extended_edit_distance")
match_error_rate = _function_of(_text.MatchErrorRate, "match_error_rate")
ribes_score = _function_of(_text.RIBESScore, "ribes_score")
rouge_score = _function_of(_text.ROUGEScore, "rouge_score")
sacre_bleu_score = _function_of(_text.SacreBLEUScore, "sacre_bleu_score")
squad = _function_of(_text.SQuAD, "squad")
translation_edit_rate = _function_of(_text.TranslationEditRate, "translation_edit_rate")
word_error_rate = _function_of(_text.WordErrorRate, "word_error_rate")
word_information_lost = _function_of(_text.WordInfoLost, "word_information_lost")
word_information_preserved = _function_of(_text.WordInfoPreserved, "word_information_preserved")

__all__ = [name for name, value in vars().items() if getattr(value, "__module__", "") == __name__ and name[0] != "_"]
