"""Data frames: scores of segments as columns, and scores of corpora by groups.

Its modules `arrow`, `pandas`, `polars` and `duckdb` need the package of their name, and are imported one by one.
"""

__all__: list[str] = []
