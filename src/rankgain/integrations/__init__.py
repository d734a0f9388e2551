"""Adapters for other tools, one module each: they convert arguments and results.

`from rankgain.integrations.lightgbm import lightgbm_metric`. A module imports its host, so only
those that are used are imported; the extra of that name installs the host.
"""
