# The function of each built-in metric, which has the metric's name.

from refscore.metrics.bleu.metric import bleu as bleu
from refscore.metrics.character_ter.metric import character_ter as character_ter
from refscore.metrics.chrf.metric import chrf as chrf
from refscore.metrics.cider.metric import cider as cider
from refscore.metrics.crystalbleu.metric import crystalbleu as crystalbleu
from refscore.metrics.eed.metric import eed as eed
from refscore.metrics.error_rate.cer import cer as cer
from refscore.metrics.error_rate.wer import wer as wer
from refscore.metrics.exact_match.metric import exact_match as exact_match
from refscore.metrics.gleu.metric import gleu as gleu
from refscore.metrics.meteor.metric import meteor as meteor
from refscore.metrics.nist.metric import nist as nist
from refscore.metrics.ribes.metric import ribes as ribes
from refscore.metrics.rouge.metric import rouge as rouge
from refscore.metrics.sari.metric import sari as sari
from refscore.metrics.ter.metric import ter as ter
from refscore.metrics.token_f1.metric import token_f1 as token_f1
