# The function of each built-in metric, which has the metric's name.

from refscore.metrics.bleu import bleu as bleu
from refscore.metrics.character import character as character
from refscore.metrics.chrf import chrf as chrf
from refscore.metrics.cider import cider as cider
from refscore.metrics.crystalbleu import crystalbleu as crystalbleu
from refscore.metrics.eed import eed as eed
from refscore.metrics.error_rate import cer as cer, wer as wer
from refscore.metrics.exact_match import exact_match as exact_match
from refscore.metrics.gleu import gleu as gleu
from refscore.metrics.meteor import meteor as meteor
from refscore.metrics.nist import nist as nist
from refscore.metrics.ribes import ribes as ribes
from refscore.metrics.rouge import rouge as rouge
from refscore.metrics.sari import sari as sari
from refscore.metrics.ter import ter as ter
from refscore.metrics.token_f1 import token_f1 as token_f1
