"""rouge-chinese's `rouge_chinese.rouge`: the scores of texts and files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from refscore.compat.rouge import rouge
from refscore.compat.rouge_chinese.rouge_score import rouge_l_summary_level

__all__ = ["FilesRouge", "Rouge"]

# The ends of sentences, and the characters that must not follow. Each is one step, as the next step sees its breaks.
_ENDS = [
    re.compile(f"({end})([^{others}])")
    for end, others in (("[。！？?]", "”’"), (r"\.{6}", "”’"), ("…{2}", "”’"), ("[。！？?][”’]", "，。！？?"))
]


class Rouge(rouge.Rouge):
    """Score texts by ROUGE-1 to ROUGE-5 and ROUGE-L. Words are separated by spaces, and 。！？ end a sentence.

    Example:
        >>> from refscore.compat.rouge_chinese import Rouge
        >>> Rouge(metrics=["rouge-l"]).get_scores("我 是 猫", "我 是 一 只 猫")
        [{'rouge-l': {'r': 0.6, 'p': 1.0, 'f': 0.7499999953125}}]
    """

    AVAILABLE_METRICS: ClassVar[dict[str, Callable[..., Any]]] = {
        **rouge.Rouge.AVAILABLE_METRICS,
        "rouge-l": rouge_l_summary_level,
    }

    def cut_sent(self, para: str) -> list[str]:
        """Return the sentences of a text."""
        for end in _ENDS:
            para = end.sub(r"\1\n\2", para)
        return para.rstrip().split("\n")

    def _sentences(self, text: str) -> list[str]:
        return self.cut_sent(text)


class FilesRouge(rouge.FilesRouge):
    r"""Score files, with one text per line. Takes the arguments of `Rouge`.

    Example:
        >>> import pathlib, tempfile
        >>> from refscore.compat.rouge_chinese import FilesRouge
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = [pathlib.Path(folder, name) for name in ("hyp.txt", "ref.txt")]
        ...     _ = files[0].write_text("我 是 猫\n"), files[1].write_text("我 不 是\n")
        ...     FilesRouge(metrics=["rouge-1"]).get_scores(*files, avg=True)["rouge-1"]["r"]
        0.6666666666666666
    """

    _kind = Rouge
