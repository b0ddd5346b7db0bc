# The class and the scores of each built-in metric.

from refscore.metrics.bleu.metric import BLEU as BLEU, BLEUScore as BLEUScore
from refscore.metrics.character.metric import CharacTER as CharacTER, CharacTERScore as CharacTERScore
from refscore.metrics.chrf.metric import CHRF as CHRF, CHRFScore as CHRFScore
from refscore.metrics.cider.metric import CIDER as CIDER, CIDERScore as CIDERScore
from refscore.metrics.crystalbleu.metric import CrystalBLEU as CrystalBLEU, CrystalBLEUScore as CrystalBLEUScore
from refscore.metrics.eed.metric import EED as EED, EEDScore as EEDScore
from refscore.metrics.error_rate.cer import CER as CER, CERScore as CERScore
from refscore.metrics.error_rate.wer import WER as WER, WERScore as WERScore
from refscore.metrics.exact_match.metric import ExactMatch as ExactMatch, ExactMatchScore as ExactMatchScore
from refscore.metrics.gleu.metric import GLEU as GLEU, GLEUScore as GLEUScore
from refscore.metrics.meteor.metric import METEOR as METEOR, METEORScore as METEORScore
from refscore.metrics.nist.metric import NIST as NIST, NISTScore as NISTScore
from refscore.metrics.ribes.metric import RIBES as RIBES, RIBESScore as RIBESScore
from refscore.metrics.rouge.metric import ROUGE as ROUGE, ROUGEScore as ROUGEScore
from refscore.metrics.sari.metric import SARI as SARI, SARIScore as SARIScore
from refscore.metrics.ter.metric import TER as TER, TERScore as TERScore
from refscore.metrics.token_f1.metric import TokenF1 as TokenF1, TokenF1Score as TokenF1Score
