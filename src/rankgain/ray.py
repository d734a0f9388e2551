"""`rankgain.ray`: evaluation on Ray; the code is in `rankgain.integrations.ray`."""

from .integrations.ray import evaluate

__all__ = ["evaluate"]
