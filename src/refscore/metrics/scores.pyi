# The score of each built-in metric.

from refscore.metrics.accuracy.metric import AccuracyScore as AccuracyScore
from refscore.metrics.bleu.metric import BLEUScore as BLEUScore
from refscore.metrics.character_ter.metric import CharacTERScore as CharacTERScore
from refscore.metrics.chrf.metric import CHRFScore as CHRFScore
from refscore.metrics.cider.metric import CIDERScore as CIDERScore
from refscore.metrics.crystalbleu.metric import CrystalBLEUScore as CrystalBLEUScore
from refscore.metrics.edit_similarity.metric import EditSimilarityScore as EditSimilarityScore
from refscore.metrics.eed.metric import EEDScore as EEDScore
from refscore.metrics.error_rate.cer import CERScore as CERScore
from refscore.metrics.error_rate.uwer import UWERScore as UWERScore
from refscore.metrics.error_rate.wer import WERScore as WERScore
from refscore.metrics.exact_match.metric import ExactMatchScore as ExactMatchScore
from refscore.metrics.gec_gleu.metric import GECGLEUScore as GECGLEUScore
from refscore.metrics.gleu.metric import GLEUScore as GLEUScore
from refscore.metrics.m2.metric import M2Score as M2Score
from refscore.metrics.meteor.metric import METEORScore as METEORScore
from refscore.metrics.nist.metric import NISTScore as NISTScore
from refscore.metrics.ribes.metric import RIBESScore as RIBESScore
from refscore.metrics.rouge.metric import ROUGEScore as ROUGEScore
from refscore.metrics.sari.metric import SARIScore as SARIScore
from refscore.metrics.suber.metric import SubERScore as SubERScore
from refscore.metrics.ter.metric import TERScore as TERScore
from refscore.metrics.token_f1.metric import TokenF1Score as TokenF1Score
