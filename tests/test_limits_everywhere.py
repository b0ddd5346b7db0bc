"""`limits` applies to every public function that scores, aligns or cuts text."""

import importlib
import inspect
from types import SimpleNamespace

import pytest

import refscore
from refscore import compat, meetings
from refscore.compat.rouge_score import rouge_scorer
from refscore.errors import LimitError
from refscore.metrics import METRICS, limits
from tests.derived_sources import derive_sources

SHORT, LONG = "b c d e f g", "b c d e f g h " * 3

# Functions by package, called with one hypothesis and one reference.
CALLS = {
    "refscore": {
        "compare": lambda h, r: refscore.compare({"a": [h, "b"], "b": ["b", "b"]}, [r, "b"], "bleu"),
        "evaluate": lambda h, r: refscore.evaluate([h], [r], "bleu"),
        "ngram_precision_score": lambda h, r: refscore.ngram_precision_score(h.split(), [r.split()], 2),
        "scores": lambda h, r: refscore.scores([h], [r]),
        "segment_scores": lambda h, r: refscore.segment_scores([h], [r]),
        **{
            name: lambda h, r, kind=kind: derive_sources(kind().fit([SHORT])).corpus([h], [r])
            for name, kind in METRICS.items()
            if kind.needs_references
        },
    },
    "refscore.alignments": {
        "alignment_view": lambda h, r: refscore.alignments.alignment_view([h], [r]),
        "word_errors": lambda h, r: refscore.alignments.word_errors([h], [r]),
    },
    "refscore.conventions": {
        "compare_conventions": lambda h, r: refscore.conventions.compare_conventions([h], [r], "bleu"),
    },
    "refscore.frames": {
        name: lambda h, r, name=name: getattr(refscore.frames, name)(table(h, r), "h", "r", "bleu")
        for name in ("corpus", "evaluate", "totals", "with_scores")
    },
    "refscore.mbr": {"choose": lambda h, r: refscore.mbr.choose([h, SHORT], [r], metric="bleu")},
    "refscore.meetings": {
        "evaluate": lambda h, r: meetings.evaluate({"a": spoken(h)}, spoken(r)),
        "score": lambda h, r: meetings.score(spoken(r), spoken(h), "cpwer"),
    },
    "refscore.metrics": {
        "distinct_n": lambda h, r: refscore.metrics.distinct_n([h, r]),
        "self_bleu": lambda h, r: refscore.metrics.self_bleu([h, r]),
        "compression_ratio": lambda h, r: refscore.metrics.compression_ratio([h], [r], tokenizer="none"),
        "latency": lambda h, r: refscore.metrics.latency([h], [r], tokenizer="none"),
        "repetition": lambda h, r: refscore.metrics.repetition([h], [r]),
    },
    "refscore.report": {"build_report": lambda h, r: refscore.report.build_report({"a": [h]}, [r])},
    "refscore.resegmentation": {"resegment": lambda h, r: refscore.resegmentation.resegment(h, [r])},
    "refscore.compat.jiwer": {
        name: lambda h, r, name=name: getattr(compat.jiwer, name)(r, h)
        for name in ("cer", "mer", "wer", "wil", "wip", "process_characters", "process_words")
    },
    "refscore.compat.nltk": {
        **{
            name: lambda h, r, name=name: getattr(compat.nltk, name)([r.split()], h.split())
            for name in (
                "bleu",
                "sentence_bleu",
                "gleu",
                "sentence_gleu",
                "nist",
                "sentence_nist",
                "ribes",
                "sentence_ribes",
            )
        },
        **{
            name: lambda h, r, name=name: getattr(compat.nltk, name)([[r.split()]], [h.split()])
            for name in ("corpus_bleu", "corpus_gleu", "corpus_nist", "corpus_ribes")
        },
        **{
            name: lambda h, r, name=name: getattr(compat.nltk, name)([r.split()], h.split(), wordnet=NO_SYNONYMS)
            for name in ("meteor", "meteor_score")
        },
        **{
            name: lambda h, r, name=name: getattr(compat.nltk, name)(r.split(), h.split())
            for name in ("chrf", "sentence_chrf", "exact_match", "stem_match", "word_rank_alignment")
        },
        "edit_distance": compat.nltk.edit_distance,
        "corpus_chrf": lambda h, r: compat.nltk.corpus_chrf([r.split()], [h.split()]),
        "modified_precision": lambda h, r: compat.nltk.modified_precision([r.split()], h.split(), 2),
        "align_words": lambda h, r: compat.nltk.align_words(h.split(), r.split(), wordnet=NO_SYNONYMS),
        "wordnetsyn_match": lambda h, r: compat.nltk.wordnetsyn_match(h.split(), r.split(), wordnet=NO_SYNONYMS),
        "single_meteor_score": lambda h, r: compat.nltk.single_meteor_score(r.split(), h.split(), wordnet=NO_SYNONYMS),
        "chrf_precision_recall_fscore_support": lambda h, r: compat.nltk.chrf_precision_recall_fscore_support(
            list(r), list(h), 2
        ),
    },
    "refscore.compat.editdistance": {
        **{name: lambda h, r, name=name: getattr(compat.editdistance, name)(h, r) for name in ("eval", "distance")},
        **{
            name: lambda h, r, name=name: getattr(compat.editdistance, name)(h, r, 100)
            for name in ("eval_criterion", "distance_le_than")
        },
    },
    "refscore.compat.sacrebleu": {
        **{
            name: lambda h, r, name=name: getattr(compat.sacrebleu, name)([h], [[r]])
            for name in ("corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu")
        },
        **{
            name: lambda h, r, name=name: getattr(compat.sacrebleu, name)(h, [r])
            for name in ("sentence_bleu", "sentence_chrf", "sentence_ter")
        },
    },
    "refscore.compat.torchmetrics.functional": {
        **{
            name: lambda h, r, name=name: functional(name)([h], [[r]])
            for name in (
                "bleu_score",
                "chrf_score",
                "ribes_score",
                "sacre_bleu_score",
                "translation_edit_rate",
                "extended_edit_distance",
            )
        },
        **{
            name: lambda h, r, name=name: functional(name)([h], [r])
            for name in (
                "char_error_rate",
                "edit_distance",
                "match_error_rate",
                "word_error_rate",
                "word_information_lost",
                "word_information_preserved",
            )
        },
        "rouge_score": lambda h, r: functional("rouge_score")([h], [[r]], rouge_keys="rougeL"),
        "squad": lambda h, r: functional("squad")(
            [{"prediction_text": h, "id": "1"}], [{"answers": {"answer_start": [0], "text": [r]}, "id": "1"}]
        ),
    },
}

# Methods, with the object that has them.
METHODS = {
    **{
        f"meetings.score {name}": lambda h, r, name=name: meetings.score(spoken(r), spoken(h), name)
        for name, kind in meetings.MEETING_METRICS.items()
        if kind.needs_words
    },
    "Evaluation.add": lambda h, r: refscore.Evaluation("bleu").add([h], [r]),
    "Resegmenter.cut": lambda h, r: refscore.resegmentation.Resegmenter().cut([h], [r]),
    "Reward": lambda h, r: refscore.rewards.Reward("bleu")(completions=[h], reference=[r]),
    "TER.alignment": lambda h, r: refscore.TER().alignment(h, r),
    "TER.operations": lambda h, r: refscore.TER().operations([1] * len(h.split()), [1] * len(r.split()), 2),
    "EED.path": lambda h, r: refscore.EED().path(h, r),
    "CharacTER.alignment": lambda h, r: refscore.CharacTER().alignment(h, r),
    "METEOR.alignment": lambda h, r: refscore.METEOR().alignment(h, r),
    "RIBES.alignment": lambda h, r: refscore.RIBES().alignment(h, r),
    "WER.word_alignments": lambda h, r: refscore.WER().word_alignments([h], [r]),
    "WER.alignments": lambda h, r: refscore.WER().alignment(h, r),
    "sacrebleu.BLEU.corpus_score": lambda h, r: compat.sacrebleu.BLEU().corpus_score([h], [[r]]),
    "edit_distance with transpositions": lambda h, r: compat.nltk.edit_distance(h, r, transpositions=True),
    "rouge_chinese.Rouge.get_scores": lambda h, r: compat.rouge_chinese.Rouge().get_scores(h, r),
    "Rouge.get_scores": lambda h, r: compat.rouge.Rouge().get_scores(h, r),
    "RougeScorer.score": lambda h, r: rouge_scorer.RougeScorer(["rougeL"]).score(r, h),
}
NO_SYNONYMS = SimpleNamespace(synsets=lambda word: [])


def functional(name):
    return getattr(importlib.import_module("refscore.compat.torchmetrics.functional"), name)


def table(hypothesis, reference):
    import pyarrow as pa

    return pa.table({"h": [hypothesis], "r": [reference]})


def spoken(text):
    return [meetings.Utterance("s", "Ann", text, 0, 5)]


ALL = {f"{package}.{name}": call for package, calls in CALLS.items() for name, call in calls.items()} | METHODS


@pytest.mark.parametrize("name", ALL)
def test_a_long_text_is_refused(name):
    call = ALL[name]
    with limits(max_tokens=20):
        call(SHORT, SHORT)
        for sides in ((LONG, SHORT), (SHORT, LONG)):
            with pytest.raises(LimitError):
                call(*sides)
    call(LONG, SHORT)


# Functions that take no text, that only split or count it in linear time, or that call one of the others.
OTHERS = {
    "refscore": "from_signature from_streams load tokenize",
    "refscore.comparison": "compare_evaluation",
    "refscore.compat": "install uninstall",
    "refscore.compat.evaluate": "combine load script",
    "refscore.compat.jiwer": "collect_error_counts visualize_alignment visualize_error_counts",
    "refscore.compat.nltk": "brevity_penalty closest_ref_length nist_length_penalty find_increasing_sequences "
    "kendall_tau position_of_ngram spearman_rho",
    "refscore.compat.sacrebleu": "download_test_set extract_char_ngrams extract_word_ngrams get_available_testsets "
    "get_langpairs_for_testset get_reference_files get_source_file smart_open",
    "refscore.frames": "merge score_totals",
    "refscore.meetings": "assign_speakers read_turns read_utterances",
    "refscore.meta": "agreement average judge_evaluation rank_metrics",
    "refscore.metrics": "ascending_pairs describe limits parse_metric parse_metrics register sum_rows sum_rows_by",
    "refscore.normalizers": "available get normalize register",
    "refscore.overlap": "find",
    "refscore.readers": "evaluate_files open_segments parquet_batches prefetch read_aligned read_lines",
    "refscore.report": "render_page report_evaluation write_report",
    "refscore.settings": "choice setting with_default",
    "refscore.significance": "all_pairs approximate_randomization bootstrap minimum_detectable_difference "
    "paired_bootstrap",
    "refscore.tables": "escape_latex render verbatim",
    "refscore.tokenizers": "available get register",
}


def public_functions(package):
    """Return the functions that a package exposes, without those of `refscore` itself."""
    module = importlib.import_module(package)
    found = {name for name in getattr(module, "__all__", ()) if inspect.isfunction(getattr(module, name))}
    return found if package == "refscore" else {name for name in found if getattr(refscore, name, None) is None}


def test_every_public_function_is_listed():
    packages = {"refscore", *CALLS, *OTHERS}
    packages |= {
        f"refscore.compat.{name}" for name in ("editdistance", "evaluate", "jiwer", "nltk", "rouge", "sacrebleu")
    }
    packages |= {f"refscore.{name}" for name in refscore.__all__ if inspect.ismodule(getattr(refscore, name))}
    listed = {f"{package}.{name}" for package, names in OTHERS.items() for name in names.split()} | {*ALL} - {*METHODS}
    functions = {f"{package}.{name}" for package in packages for name in public_functions(package)}
    assert functions <= listed


def test_a_document_may_have_as_many_tokens_as_its_segments_together():
    references = [SHORT] * 4
    with limits(max_tokens=6):
        refscore.resegmentation.resegment([LONG, "x y z"], references)
        with pytest.raises(LimitError, match="25 tokens, and the limit max_tokens is 6 for each of 4 segments"):
            refscore.resegmentation.resegment([LONG, "x y z u"], references)
