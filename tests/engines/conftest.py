"""Settings that Ray reads at import."""

import os
import secrets

# The token keeps others out of the test clusters, and Ray's files out of the home directory.
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
