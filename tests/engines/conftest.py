"""Settings that Ray reads when it is imported."""

import os
import secrets

# The token keeps others out of the clusters of tests, and Ray's own out of the home directory.
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
