from refscore.metrics.bleu.metric import ngram_precision_score as ngram_precision_score
from refscore.metrics.builtin import *
from refscore.metrics.character_ter.metric import CharacTERAlignment as CharacTERAlignment
from refscore.metrics.cider.metric import DocumentFrequencies as DocumentFrequencies
from refscore.metrics.core.alignments import AlignsWords as AlignsWords, WordEdit as WordEdit
from refscore.metrics.core.description import describe as describe
from refscore.metrics.core.limits import limits as limits
from refscore.metrics.core.metric import Metric as Metric
from refscore.metrics.core.prepared import PreparedReferences as PreparedReferences
from refscore.metrics.core.python_metric import PythonMetric as PythonMetric
from refscore.metrics.core.registry import METRICS as METRICS, from_signature as from_signature, register as register
from refscore.metrics.core.row_metric import RowMetric as RowMetric
from refscore.metrics.core.row_sums import (
    GroupedRowSum as GroupedRowSum,
    RowSum as RowSum,
    sum_rows as sum_rows,
    sum_rows_by as sum_rows_by,
)
from refscore.metrics.core.score import Score as Score
from refscore.metrics.core.selection import (
    DEFAULT_METRICS as DEFAULT_METRICS,
    MetricChoice as MetricChoice,
    MetricChoices as MetricChoices,
    parse_metric as parse_metric,
    parse_metrics as parse_metrics,
)
from refscore.metrics.crystalbleu.metric import FrequentNgrams as FrequentNgrams
from refscore.metrics.diversity import distinct_n as distinct_n, self_bleu as self_bleu
from refscore.metrics.eed.metric import EEDPath as EEDPath, EEDStep as EEDStep
from refscore.metrics.error_rate.glm import GLM as GLM, GLMRule as GLMRule
from refscore.metrics.error_rate.metric import EditRun as EditRun
from refscore.metrics.error_rate.word_list import WordList as WordList
from refscore.metrics.given.metric import Given as Given, GivenScore as GivenScore
from refscore.metrics.meteor.word_matches import MatchedWord as MatchedWord
from refscore.metrics.nist.metric import Information as Information
from refscore.metrics.ribes.metric import AlignedWord as AlignedWord, ascending_pairs as ascending_pairs
from refscore.metrics.scores import *
from refscore.metrics.shared import *
from refscore.metrics.suber.metric import SubtitlePart as SubtitlePart
from refscore.metrics.ter.metric import TERAlignment as TERAlignment
from refscore.metrics.without_references import *
