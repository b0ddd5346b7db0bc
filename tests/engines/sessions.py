"""Spark sessions for tests: small, quiet, and removed afterwards."""

import contextlib
import os
import shutil
import sys

import pytest
from pyspark.sql import SparkSession

if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("needs Java 17 for Spark", allow_module_level=True)

# Tests are short, so compile less.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.log.level": "OFF",
    "spark.driver.extraJavaOptions": JAVA_OPTIONS,
    "spark.executor.extraJavaOptions": JAVA_OPTIONS,
}
MARKS = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # from Spark's sockets
]


@contextlib.contextmanager
def session_of(master):
    """Return a session whose workers use this Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = SparkSession.builder.master(master).config(map=SETTINGS).getOrCreate()
        try:
            yield session
        finally:
            session.stop()
