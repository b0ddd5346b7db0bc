"""Settings that Ray reads at import, and a folder for its files."""

import contextlib
import os
import secrets
import shutil
import tempfile

import pytest

pytest.register_assert_rewrite("tests.engines.contract")

# The token keeps others out of the test clusters, and Ray's files out of the home directory.
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}


@contextlib.contextmanager
def ray_folder():
    """Give Ray a folder that no other process uses.

    By default, Ray writes the address of a test cluster to `ray/ray_current_cluster` in TMPDIR or /tmp. All clusters
    of a machine share this file, Ray removes it when one of them ends, and it does not create the folder for it.
    """
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # sockets need a short path
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", folder)
        yield
    shutil.rmtree(folder, ignore_errors=True)
