"""The one way up: methods of results use modules of rooms above their class.

`Evaluation.to_json` is written in `output`, and `Evaluations.compare` in `analysis`; both rooms are
made of evaluations and import them. Such a method gets the upper module here, when it is called.
`tests/house/test_rooms.py` finds every use and compares it with the list of those that are meant.
"""

from importlib import import_module
from typing import Any


def above(module: str) -> Any:
    """A module of the package by its name, such as "output.text.stored"."""
    return import_module(f"{__package__}.{module}")
