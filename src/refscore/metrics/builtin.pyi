# The class and the scores of each built-in metric.

from refscore.metrics.bleu import BLEU as BLEU, BLEUScore as BLEUScore
from refscore.metrics.character import CharacTER as CharacTER, CharacTERScore as CharacTERScore
from refscore.metrics.chrf import CHRF as CHRF, CHRFScore as CHRFScore
from refscore.metrics.cider import CIDER as CIDER, CIDERScore as CIDERScore
from refscore.metrics.crystalbleu import CrystalBLEU as CrystalBLEU, CrystalBLEUScore as CrystalBLEUScore
from refscore.metrics.eed import EED as EED, EEDScore as EEDScore
from refscore.metrics.error_rate import CER as CER, WER as WER, CERScore as CERScore, WERScore as WERScore
from refscore.metrics.exact_match import ExactMatch as ExactMatch, ExactMatchScore as ExactMatchScore
from refscore.metrics.gleu import GLEU as GLEU, GLEUScore as GLEUScore
from refscore.metrics.meteor import METEOR as METEOR, METEORScore as METEORScore
from refscore.metrics.nist import NIST as NIST, NISTScore as NISTScore
from refscore.metrics.ribes import RIBES as RIBES, RIBESScore as RIBESScore
from refscore.metrics.rouge import ROUGE as ROUGE, ROUGEScore as ROUGEScore
from refscore.metrics.sari import SARI as SARI, SARIScore as SARIScore
from refscore.metrics.ter import TER as TER, TERScore as TERScore
from refscore.metrics.token_f1 import TokenF1 as TokenF1, TokenF1Score as TokenF1Score
