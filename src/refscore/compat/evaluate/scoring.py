"""Hugging Face's evaluation modules: one function each, and one table that lists them."""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import getdoc, signature
from typing import Any, NamedTuple
from xml.sax.saxutils import unescape

import numpy as np

from refscore.compat import sacrebleu as sacrebleu_drop_in
from refscore.compat.metric_cache import cached_metric
from refscore.compat.rouge_score.scoring import resampled_means
from refscore.errors import InputError, Location, NotInstalledError, SettingError, UnknownNameError
from refscore.metrics import (
    BLEU,
    CER,
    CHRF,
    GLEU,
    METEOR,
    NIST,
    ROUGE,
    SARI,
    TER,
    WER,
    CharacTER,
    ExactMatch,
    Metric,
    TokenF1,
)

Texts = Sequence[str]
References = Sequence[Any]
"""A reference or a list of references per prediction."""
Tokenize = Callable[[str], Sequence[Any]]
Results = dict[str, Any]


class Module(NamedTuple):
    """An evaluation module on the Hub.

    Attributes:
        class_name: Its class name. evaluate derives the module's name from it.
        compute: The function from predictions, references and options to the result.
        metric: The metric with the module's papers.
        references: What it accepts as references: "texts" (one or several), "text" (one), or "questions".
    """

    class_name: str
    compute: Callable[..., Any]
    metric: type[Metric[Any]]
    references: str = "texts"

    @property
    def inputs(self) -> list[str]:
        options = signature(self.compute).parameters
        return ["predictions", "references", *(["sources"] if "sources" in options else [])]

    @property
    def description(self) -> str:
        accepted = {
            "texts": "`predictions` are texts. `references` has a text or a list of texts for each.",
            "text": "`predictions` are texts. `references` has a text for each.",
            "questions": "`predictions` and `references` are dictionaries.",
        }
        sources = "\n`sources` has a text for each." if "sources" in self.inputs else ""
        return f"{getdoc(self.compute)}\n\n{accepted[self.references]}{sources}\n"

    @property
    def papers(self) -> list[str]:
        is_sacrebleu = self.compute in (chrf, sacrebleu, ter)
        return [*self.metric.papers, *([_SACREBLEU_PAPER] if is_sacrebleu else [])]


_SACREBLEU_PAPER = "Post (2018): A Call for Clarity in Reporting BLEU Scores. WMT."


def bleu(
    predictions: Texts,
    references: References,
    tokenizer: Tokenize | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> Results:
    """Compute BLEU like tensorflow/nmt, with the shortest reference length. `smooth` adds 1 to every order."""
    metric = cached_metric(BLEU, preset="evaluate-smooth" if smooth else "evaluate", max_order=max_order)
    score = metric.corpus(*_tokenized(predictions, references, tokenizer))
    has_length = score.hyp_len > 0 and score.ref_len > 0
    precisions = list(score.precisions) if score.hyp_len > 0 else [float(smooth)] * metric.max_order  # 1/1, or 0
    return {
        "bleu": score.value if has_length else 0.0,
        "precisions": precisions,
        "brevity_penalty": score.brevity_penalty if has_length else 0.0,
        "length_ratio": score.ratio,
        "translation_length": score.hyp_len,
        "reference_length": score.ref_len,
    }


def google_bleu(
    predictions: Texts, references: References, tokenizer: Tokenize | None = None, min_len: int = 1, max_len: int = 4
) -> Results:
    """Compute corpus GLEU with n-grams from `min_len` to `max_len`. Returns `google_bleu`."""
    metric = cached_metric(GLEU, preset="evaluate", min_order=min_len, max_order=max_len)
    return {"google_bleu": metric.corpus(*_tokenized(predictions, references, tokenizer)).value}


def sacrebleu(
    predictions: Texts,
    references: References,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> Results:
    """Compute BLEU like sacrebleu, from 0 to 100. `force` has no effect."""
    settings = smooth_method, smooth_value, True, lowercase, tokenize or "13a", use_effective_order
    score = sacrebleu_drop_in.corpus_bleu(predictions, _streams("sacrebleu", references), *settings)
    return _attributes(score, "score counts totals precisions bp sys_len ref_len")


def chrf(
    predictions: Texts,
    references: References,
    char_order: int = 6,
    word_order: int = 0,
    beta: int = 2,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> Results:
    """Compute chrF like sacrebleu, from 0 to 100. `word_order=2` is chrF++, and `char_order` the longest order."""
    metric = sacrebleu_drop_in.CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    score = metric.corpus_score(predictions, _streams("chrf", references))
    return _attributes(score, "score char_order word_order beta")


def ter(
    predictions: Texts,
    references: References,
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> Results:
    """Compute TER like sacrebleu. 0 is best, and it may exceed 100."""
    metric = sacrebleu_drop_in.TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    score = metric.corpus_score(predictions, _streams("ter", references))
    return _attributes(score, "score num_edits ref_length")


def rouge(
    predictions: Texts,
    references: References,
    rouge_types: Sequence[str] | None = None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
    tokenizer: Tokenize | None = None,
) -> Results:
    """Compute ROUGE's F-score like rouge-score. For "rougeLsum", texts must have one sentence per line.

    With `use_aggregator`, each number is the median of the means of 1000 random samples of the segments, drawn by
    NumPy's global generator. Without it, each type has a list of segment scores.
    """
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"] if rouge_types is None else list(rouge_types)
    settings: dict[str, Any] = {"stem": bool(use_stemmer) and tokenizer is None}
    if tokenizer is not None:
        settings |= {"tokenizer": tokenizer, "lowercase": False}
    metrics = {}
    for name in types:
        if not isinstance(name, str) or not re.fullmatch("rouge([1-9]|L|Lsum)", name):
            raise UnknownNameError.suggest("rouge type", name, ROUGE.presets)
        metrics[name] = ROUGE(variant=name.removeprefix("rouge"), **settings)
    values = {name: metric.segments(predictions, references) for name, metric in metrics.items()}
    if use_aggregator:
        return {name: np.percentile(resampled_means(each[:, np.newaxis], 1000), 50) for name, each in values.items()}
    return {name: each.tolist() for name, each in values.items()}


def wer(predictions: Texts, references: Texts, concatenate_texts: bool = False) -> float:
    """Compute the word error rate like jiwer, as a number. 0 is best, and it may exceed 1.

    `concatenate_texts` makes a difference only if no reference has words.
    """
    return _rate(WER(), predictions, references, concatenate_texts, "words")


def cer(predictions: Texts, references: Texts, concatenate_texts: bool = False) -> float:
    """Compute the character error rate like jiwer, as a number. 0 is best, and it may exceed 1."""
    return _rate(CER(), predictions, references, concatenate_texts, "characters")


_AGGREGATES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": statistics.mean,
    "median": statistics.median,
}


def character(
    predictions: Texts, references: References, aggregate: str = "mean", return_all_scores: bool = False
) -> Results:
    """Compute CharacTER like the package cer: the lowest score among several references. 0 is best."""
    if aggregate not in _AGGREGATES:
        raise SettingError("aggregate must be one of " + ", ".join(map(repr, _AGGREGATES)) + f", not {aggregate!r}")
    groups = _groups(references)
    if any(not text.strip() for group in groups for text in group):
        raise ZeroDivisionError("a reference has no words")
    scores = cached_metric(CharacTER, preset="cer").segments(predictions, groups).tolist()
    result = {"cer_score": _AGGREGATES[aggregate](scores)}
    return {**result, "cer_scores": scores} if return_all_scores else result


def meteor(
    predictions: Texts, references: References, alpha: float = 0.9, beta: float = 3, gamma: float = 0.5
) -> Results:
    """Compute METEOR like NLTK, as the mean over segments. Needs NLTK and its data `punkt_tab` and WordNet."""
    metric = METEOR(alpha=alpha, beta=beta, gamma=gamma, synonyms="wordnet")
    texts, groups = _tokenized(predictions, references, lambda text: [word.lower() for word in _words(text)])
    return {"meteor": np.float64(metric.corpus(texts, groups).value)}


def nist_mt(
    predictions: Texts, references: References, n: int = 5, lowercase: bool = False, western_lang: bool = True
) -> Results:
    """Compute NIST like NLTK, with n-grams up to order `n`. `lowercase` has an effect only with `western_lang`."""
    metric = NIST(tokenizer="13a" if western_lang else "none", lowercase=bool(lowercase and western_lang), max_order=n)
    texts, groups = _tokenized(predictions, references, lambda text: _nist_text(text, western_lang))
    return {"nist_mt": metric.corpus(texts, groups).value}


def sari(predictions: Texts, references: References, sources: Texts) -> Results:
    """Compute SARI for simplified `sources`, with n-grams up to 4, from 0 to 100."""
    metric = cached_metric(SARI, preset="evaluate")
    return {"sari": 100 * metric.corpus(predictions, _groups(references), sources=sources).value}


def exact_match(
    predictions: Sequence[str],
    references: Sequence[str],
    regexes_to_ignore: Iterable[str] | None = None,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
) -> Results:
    """Compute how many predictions equal their reference. Returns `exact_match`, from 0 to 1.

    An empty list as `regexes_to_ignore` and no other option compares all texts at once, so the result is 1 or 0.
    """
    patterns = None if regexes_to_ignore is None else tuple(regexes_to_ignore)
    if patterns == () and not (ignore_case or ignore_punctuation or ignore_numbers):
        return {"exact_match": np.float64(list(predictions) == list(references))}
    metric = cached_metric(
        ExactMatch,
        preset="evaluate",
        lowercase=bool(ignore_case),
        ignore_punctuation=bool(ignore_punctuation),
        ignore_numbers=bool(ignore_numbers),
        ignore_patterns=patterns or (),
    )
    return {"exact_match": np.float64(metric.corpus(predictions, references).value)}


def squad(predictions: Sequence[Mapping[str, Any]], references: Sequence[Mapping[str, Any]]) -> Results:
    """Compute exact match and F1 like the script of SQuAD 1.1. Returns `exact_match` and `f1`, from 0 to 100.

    A prediction has `id` and `prediction_text`, a reference `id` and `answers` with a list of texts as `text`. A
    question without a prediction scores 0, and its id is printed to the standard error.
    """
    questions = _questions(references)
    texts = {str(prediction["id"]): prediction["prediction_text"] for prediction in predictions}
    for i, (_, answers) in enumerate(questions):
        if not answers:
            raise InputError(Location("references", i), "has no answers", "use squad_v2 for questions without answers")
    for name, _ in questions:
        if name not in texts:
            print(f"Unanswered question {name} will receive score 0.", file=sys.stderr)
    answered = [(texts[name], answers) for name, answers in questions if name in texts]
    f1 = exact = 0.0
    if answered:
        f1, _, _, exact, _ = cached_metric(TokenF1, preset="squad").corpus(*zip(*answered, strict=True)).row.tolist()
    return {"exact_match": 100.0 * exact / len(questions), "f1": 100.0 * f1 / len(questions)}


def squad_v2(
    predictions: Sequence[Mapping[str, Any]], references: Sequence[Mapping[str, Any]], no_answer_threshold: float = 1.0
) -> Results:
    """Compute exact match and F1 like the script of SQuAD 2.0, from 0 to 100.

    Predictions and references are as for `squad`. Predictions also have a `no_answer_probability`, and a question
    without an answer has an empty list. `HasAns_` and `NoAns_` are the results of questions with and without answers,
    `best_` the best results of all thresholds.
    """
    questions = _questions(references)
    texts = {str(prediction["id"]): prediction["prediction_text"] for prediction in predictions}
    for i, (name, _) in enumerate(questions):
        if name not in texts:
            raise InputError(Location("references", i), f"has the id {name!r}, which no prediction has")
    # evaluate stores probabilities in single precision.
    probabilities = {
        str(prediction["id"]): float(np.float32(prediction["no_answer_probability"])) for prediction in predictions
    }
    answers = dict(questions)  # the last question of each id counts
    has_answer = np.array([bool(group) for group in answers.values()])
    rows = cached_metric(TokenF1, preset="squad_v2").stats(
        [texts[name] for name in answers], [group or [""] for group in answers.values()]
    )
    scores = {"exact": rows[:, 3], "f1": rows[:, 0]}
    abstains = np.array([probabilities[name] for name in answers]) > no_answer_threshold
    result: dict[str, Any] = {}
    for prefix, chosen in (("", np.full(len(answers), True)), ("HasAns_", has_answer), ("NoAns_", ~has_answer)):
        if chosen.any():
            for key, column in scores.items():
                values = np.where(abstains, ~has_answer, column)[chosen].tolist()
                result[f"{prefix}{key}"] = 100.0 * sum(values) / len(values)
            result[f"{prefix}total"] = len(values)
    # Without answers to any question, those without an answer are right. Answer one more at each threshold.
    order = [name for name in sorted(probabilities, key=probabilities.__getitem__) if name in answers]
    for key, column in scores.items():
        gains = dict(zip(answers, column.tolist(), strict=True))
        changes = [gains[name] if answers[name] else -float(bool(texts[name])) for name in order]
        sums = np.cumsum([float((~has_answer).sum()), *changes]).tolist()
        best = int(np.argmax(sums))
        result[f"best_{key}"] = 100.0 * sums[best] / len(answers)
        result[f"best_{key}_thresh"] = probabilities[order[best - 1]] if best else 0.0
    return result


MODULES: Mapping[str, Module] = {
    "bleu": Module("Bleu", bleu, BLEU),
    "cer": Module("CER", cer, CER, "text"),
    "character": Module("Character", character, CharacTER),
    "chrf": Module("ChrF", chrf, CHRF),
    "exact_match": Module("ExactMatch", exact_match, ExactMatch, "text"),
    "google_bleu": Module("GoogleBleu", google_bleu, GLEU),
    "meteor": Module("Meteor", meteor, METEOR),
    "nist_mt": Module("NistMt", nist_mt, NIST),
    "rouge": Module("Rouge", rouge, ROUGE),
    "sacrebleu": Module("Sacrebleu", sacrebleu, BLEU),
    "sari": Module("Sari", sari, SARI),
    "squad": Module("Squad", squad, TokenF1, "questions"),
    "squad_v2": Module("SquadV2", squad_v2, TokenF1, "questions"),
    "ter": Module("Ter", ter, TER),
    "wer": Module("WER", wer, WER, "text"),
}


def cite(module: str) -> str:
    papers = enumerate(MODULES[module].papers, 1)
    return "".join(f"@misc{{{module}-{n}, note = {{{paper}}}}}\n" for n, paper in papers)


def _groups(references: References) -> list[list[str]]:
    return [[group] if isinstance(group, str) else list(group) for group in references]


def _streams(name: str, references: References) -> list[tuple[str, ...]]:
    groups = _groups(references)
    if len({len(group) for group in groups}) > 1:
        raise InputError(None, f"predictions have different numbers of references, which {name} does not accept")
    return list(zip(*groups, strict=True))


def _attributes(score: Any, names: str) -> Results:
    return {name: getattr(score, name) for name in names.split()}


def _tokenized(
    predictions: Texts, references: References, tokenize: Callable[[str], Any] | None
) -> tuple[list[Any], list[Any]]:
    """Apply a function to both sides' texts. Without one, return them unchanged for the metric's tokenizer."""
    if tokenize is None:
        return list(predictions), _groups(references)
    return [tokenize(text) for text in predictions], [
        [tokenize(text) for text in group] for group in _groups(references)
    ]


def _words(text: str) -> Any:
    try:
        from nltk import word_tokenize

        return word_tokenize(text)
    except (ModuleNotFoundError, LookupError):
        raise NotInstalledError(
            "evaluate's meteor needs NLTK and its data punkt_tab: pip install 'refscore[wordnet]', then "
            "python -m nltk.downloader punkt_tab",
            name="nltk",
        ) from None


def _rate(metric: WER | CER, predictions: Texts, references: Texts, at_once: bool, what: str) -> float:
    score = metric.corpus(predictions, references)
    if score.ref_len == 0 and not at_once:
        raise ZeroDivisionError(f"the references have no {what}")
    return score.value


def _nist_text(text: str, western: bool) -> str:
    """Prepare a text so refscore splits it like NLTK's NIST, which differs in entities and end-of-line hyphens."""
    text = unescape(text.replace("<skipped>", ""), _ENTITIES).replace("\u2028", " ")
    # The tokenizer separates these characters anyway. Doing it now prevents reading them as part of an entity or of
    # <skipped>.
    return text.replace("&", " & ").replace("<", " < ").replace("\n", " ") if western else text


_ENTITIES = {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"}


# A test for dict first takes a tenth of the time.
_MAPPINGS = (dict, Mapping)


def check_questions(module: str, predictions: Sequence[Any], references: Sequence[Any]) -> None:
    """Raise an error unless all predictions and references are dictionaries as the module needs them."""
    names = ("id", "prediction_text", "no_answer_probability")[: 2 if module == "squad" else 3]
    fields = {*names}
    for i, prediction in enumerate(predictions):
        if not isinstance(prediction, _MAPPINGS) or not fields <= prediction.keys():
            needed = ", ".join(names[:-1])
            raise InputError(Location("predictions", i), f"must be a dictionary with {needed} and {names[-1]}")
        text = prediction["prediction_text"]
        if not isinstance(text, str):
            raise InputError(Location("predictions", i), f"must have a string as prediction_text, not {text!r}")
    _questions(references)


def _questions(references: Sequence[Any]) -> list[tuple[str, list[str]]]:
    questions = []
    for i, reference in enumerate(references):
        try:
            answers = reference["answers"]
            texts = answers["text"] if isinstance(answers, _MAPPINGS) else [answer["text"] for answer in answers]
            name = str(reference["id"])
        except (TypeError, KeyError):
            texts = None
        if isinstance(texts, (str, bytes)) or not isinstance(texts, (list, Iterable)):
            raise InputError(
                Location("references", i),
                "must be a dictionary with id and answers",
                'pass {"id": …, "answers": {"text": [a list of texts], "answer_start": [a list of numbers]}}',
            )
        group = list(texts)
        if {*map(type, group)} != {str} and not all(isinstance(text, str) for text in group):
            raise InputError(Location("references", i), f"must have strings as answers, not {group!r}")
        questions.append((name, group))
    return questions
