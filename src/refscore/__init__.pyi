from refscore import (
    alignments as alignments,
    comparison as comparison,
    compat as compat,
    conventions as conventions,
    engines as engines,
    errors as errors,
    evaluation as evaluation,
    frames as frames,
    mbr as mbr,
    meetings as meetings,
    meta as meta,
    metrics as metrics,
    normalizers as normalizers,
    overlap as overlap,
    readers as readers,
    report as report,
    resegmentation as resegmentation,
    rewards as rewards,
    settings as settings,
    significance as significance,
    steps as steps,
    tokenizers as tokenizers,
)
from refscore._citation import citation as citation
from refscore._version import __version__ as __version__
from refscore.alignments import alignment_view as alignment_view, word_errors as word_errors
from refscore.comparison import compare as compare
from refscore.conventions import compare_conventions as compare_conventions
from refscore.data_warnings import (
    DataWarning as DataWarning,
    IdenticalTextWarning as IdenticalTextWarning,
    LengthWarning as LengthWarning,
    SingleSegmentWarning as SingleSegmentWarning,
    TokenizedTextWarning as TokenizedTextWarning,
    UnspacedTextWarning as UnspacedTextWarning,
    ZeroScoreWarning as ZeroScoreWarning,
)
from refscore.errors import (
    EmptyReferenceError as EmptyReferenceError,
    InputError as InputError,
    LimitError as LimitError,
    NotInstalledError as NotInstalledError,
    RefscoreError as RefscoreError,
    SettingError as SettingError,
    SignatureError as SignatureError,
    SignatureWarning as SignatureWarning,
    UnknownNameError as UnknownNameError,
)
from refscore.evaluation import (
    Evaluation as Evaluation,
    evaluate as evaluate,
    load as load,
    scores as scores,
    segment_scores as segment_scores,
)
from refscore.inputs import from_streams as from_streams, padded as padded
from refscore.metrics import (
    GLM as GLM,
    Given as Given,
    GivenScore as GivenScore,
    PythonMetric as PythonMetric,
    WordList as WordList,
    distinct_n as distinct_n,
    from_signature as from_signature,
    limits as limits,
    ngram_precision_score as ngram_precision_score,
    self_bleu as self_bleu,
)
from refscore.metrics.builtin import *
from refscore.metrics.functions import *
from refscore.report import write_report as write_report
from refscore.resegmentation import resegment as resegment
from refscore.tokenizers import tokenize as tokenize
