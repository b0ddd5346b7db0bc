# The classes of metrics for special tasks. `refscore.__all__` does not list them, but refscore has them, too.

from refscore.metrics.accuracy.metric import Accuracy as Accuracy
from refscore.metrics.edit_similarity.metric import EditSimilarity as EditSimilarity
from refscore.metrics.error_rate.uwer import UWER as UWER
from refscore.metrics.gec_gleu.metric import GECGLEU as GECGLEU
from refscore.metrics.m2.metric import M2 as M2
from refscore.metrics.suber.metric import SubER as SubER
