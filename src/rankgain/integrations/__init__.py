"""Adapters for other tools, a module each; all values are computed by the package itself.

`from rankgain.integrations.lightgbm import lightgbm_metric`. A module imports its host, so only
those that are used are imported; the extra of that name installs the host.
"""
