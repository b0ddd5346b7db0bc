# The class of each built-in metric.

from refscore.metrics.bleu.metric import BLEU as BLEU
from refscore.metrics.character_ter.metric import CharacTER as CharacTER
from refscore.metrics.chrf.metric import CHRF as CHRF
from refscore.metrics.cider.metric import CIDER as CIDER
from refscore.metrics.crystalbleu.metric import CrystalBLEU as CrystalBLEU
from refscore.metrics.eed.metric import EED as EED
from refscore.metrics.error_rate.cer import CER as CER
from refscore.metrics.error_rate.wer import WER as WER
from refscore.metrics.exact_match.metric import ExactMatch as ExactMatch
from refscore.metrics.gleu.metric import GLEU as GLEU
from refscore.metrics.meteor.metric import METEOR as METEOR
from refscore.metrics.nist.metric import NIST as NIST
from refscore.metrics.ribes.metric import RIBES as RIBES
from refscore.metrics.rouge.metric import ROUGE as ROUGE
from refscore.metrics.sari.metric import SARI as SARI
from refscore.metrics.ter.metric import TER as TER
from refscore.metrics.token_f1.metric import TokenF1 as TokenF1
