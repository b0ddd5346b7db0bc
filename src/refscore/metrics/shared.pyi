# Names of `refscore.metrics` for other packages of refscore, not for users.

from refscore.inputs import Beside as Beside, flat as flat, is_column as is_column, with_none as with_none
from refscore.metrics.core.aggregation import check_weights as check_weights, one_number_each as one_number_each
from refscore.metrics.core.data_checks import (
    check_data as check_data,
    check_segments as check_segments,
    looping_segments as looping_segments,
    with_scores as with_scores,
)
from refscore.metrics.core.description import Description as Description
from refscore.metrics.core.limits import (
    check_limits as check_limits,
    check_reference_count as check_reference_count,
    check_tokens as check_tokens,
    current_limits as current_limits,
    has_limits as has_limits,
)
from refscore.metrics.core.prepared import Reading as Reading
from refscore.metrics.core.presets import Preset as Preset
from refscore.metrics.core.runner import (
    add_rows as add_rows,
    kernel_threads as kernel_threads,
    map_groups as map_groups,
    rows_and_counts as rows_and_counts,
)
from refscore.metrics.core.score import (
    RowCount as RowCount,
    RowNumber as RowNumber,
    Rows as Rows,
    Values as Values,
)
from refscore.metrics.core.selection import (
    DEFAULT_METRICS as DEFAULT_METRICS,
    NamedMetric as NamedMetric,
    ParsedMetrics as ParsedMetrics,
    decimals as decimals,
    metric_names as metric_names,
    metric_titles as metric_titles,
    parse_listed_name as parse_listed_name,
    parse_name as parse_name,
    parse_row_metric as parse_row_metric,
    parse_row_metrics as parse_row_metrics,
    text_metric as text_metric,
)
from refscore.metrics.given.metric import read_numbers as read_numbers
