# The functions of metrics for special tasks. `refscore.__all__` does not list them, but refscore has them, too.

from refscore.metrics.accuracy.metric import accuracy as accuracy
from refscore.metrics.edit_similarity.metric import edit_similarity as edit_similarity
from refscore.metrics.error_rate.uwer import uwer as uwer
from refscore.metrics.gec_gleu.metric import gec_gleu as gec_gleu
from refscore.metrics.m2.metric import m2 as m2
from refscore.metrics.suber.metric import suber as suber
