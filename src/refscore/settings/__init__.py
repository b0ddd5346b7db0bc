"""Settings: their declaration, checks and signatures, for everything that has settings."""

from refscore.settings.declaration import (
    MOST_ORDERS as MOST_ORDERS,
    Setting,
    Stage as Stage,
    choice,
    declared_settings as declared_settings,
    order_setting as order_setting,
    setting,
    settings_by_name as settings_by_name,
    unknown_setting as unknown_setting,
    with_default,
)
from refscore.settings.has_settings import HasSettings
from refscore.settings.kinds import (
    Choice,
    Digested as Digested,
    DigestKind as DigestKind,
    Flag,
    Kind,
    Number,
    OrNone,
    Share,
    WholeNumber,
    alternatives as alternatives,
    as_float as as_float,
    check_flag as check_flag,
    show_value as show_value,
    whole_number as whole_number,
)
from refscore.settings.signatures import (
    join as join,
    read_signature as read_signature,
    signature_pairs as signature_pairs,
    split as split,
    split_value as split_value,
)

# Names that are imported with `as` are only for refscore itself.
__all__ = [
    "Choice",
    "Flag",
    "HasSettings",
    "Kind",
    "Number",
    "OrNone",
    "Setting",
    "Share",
    "WholeNumber",
    "choice",
    "setting",
    "with_default",
]
