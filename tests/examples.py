"""The number of generated examples of a test: few in the quick run, more in CI, many more at night."""

from hypothesis import settings


def examples(count):
    """Return the settings of a test that CI runs with `count` examples. The loaded profile scales them."""
    return settings(max_examples=max(1, round(count * settings.default.max_examples / 100)))
