from refscore import (
    alignments as alignments,
    citation as citation,
    comparison as comparison,
    compat as compat,
    conventions as conventions,
    data_warnings as data_warnings,
    engines as engines,
    errors as errors,
    evaluation as evaluation,
    frames as frames,
    gate as gate,
    inputs as inputs,
    mbr as mbr,
    meetings as meetings,
    meta as meta,
    metrics as metrics,
    normalizers as normalizers,
    overlap as overlap,
    pytest_plugin as pytest_plugin,
    readers as readers,
    report as report,
    resegmentation as resegmentation,
    rewards as rewards,
    settings as settings,
    significance as significance,
    steps as steps,
    tables as tables,
    tokenizers as tokenizers,
)
from refscore._version import __version__ as __version__
from refscore.comparison import compare as compare
from refscore.errors import (
    InputError as InputError,
    RefscoreError as RefscoreError,
    SettingError as SettingError,
)
from refscore.evaluation import (
    Evaluation as Evaluation,
    evaluate as evaluate,
    load as load,
    scores as scores,
    segment_scores as segment_scores,
)
from refscore.inputs import from_streams as from_streams
from refscore.metrics import (
    Given as Given,
    from_signature as from_signature,
    ngram_precision_score as ngram_precision_score,
)
from refscore.metrics.builtin import *
from refscore.metrics.signatures import *
from refscore.metrics.special import *
from refscore.tokenizers import tokenize as tokenize
