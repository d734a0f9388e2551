"""Adapters for the tools that people evaluate from, a module each; they compute nothing themselves.

`from rankgain.integrations.lightgbm import lightgbm_metric`. A module imports its host, so only
those that are used are imported; the extra of that name installs the host.
"""
