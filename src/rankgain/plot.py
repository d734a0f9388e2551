"""`rankgain.plot`: the pictures of `rankgain.output.plot` under their public name."""

from .output.plot import *  # noqa: F403
from .output.plot import __all__ as __all__
