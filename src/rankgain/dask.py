"""`rankgain.dask`: evaluation on Dask; the code is in `rankgain.integrations.dask`."""

from .integrations.dask import evaluate

__all__ = ["evaluate"]
