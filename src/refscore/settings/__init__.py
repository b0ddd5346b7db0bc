"""Settings: their declaration, checks and signatures, for everything that has settings."""

from refscore.settings.declaration import (
    MOST_ORDERS,
    Setting,
    Stage,
    choice,
    declared_settings,
    order_setting,
    setting,
    settings_by_name,
    unknown_setting,
    with_default,
)
from refscore.settings.has_settings import HasSettings
from refscore.settings.kinds import (
    Choice,
    Flag,
    Kind,
    Number,
    OrNone,
    Share,
    WholeNumber,
    alternatives,
    as_float,
    check_flag,
    show_value,
    whole_number,
)
from refscore.settings.signature_text import join, split, split_value
from refscore.settings.signatures import read_signature, signature_pairs

__all__ = [
    "MOST_ORDERS",
    "Choice",
    "Flag",
    "HasSettings",
    "Kind",
    "Number",
    "OrNone",
    "Setting",
    "Share",
    "Stage",
    "WholeNumber",
    "alternatives",
    "as_float",
    "check_flag",
    "choice",
    "declared_settings",
    "join",
    "order_setting",
    "read_signature",
    "setting",
    "settings_by_name",
    "show_value",
    "signature_pairs",
    "split",
    "split_value",
    "unknown_setting",
    "whole_number",
    "with_default",
]
