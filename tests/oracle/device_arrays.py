"""Arrays on a device, as tests make them: a stand-in for CuPy over NumPy, and torch and JAX.

The stand-in refuses every way to its values but `get`, and counts the numbers that leave it.
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import rankgain.inputs.devices


class DeviceMemory(np.ndarray[Any, Any]):
    """An array that only functions of its own module read."""

    transferred = 0

    def get(self) -> Any:
        DeviceMemory.transferred += self.size
        return np.array(self)

    def __array_finalize__(self, _: Any) -> None:
        return None

    def tolist(self) -> Any:
        raise AssertionError("the values of a device array were read one by one")


DeviceMemory.__module__ = "cupy"


def on_device(array: Any) -> Any:
    return np.asarray(array).view(DeviceMemory)


def _module() -> ModuleType:
    """A module of CuPy's name with the functions of NumPy that work where the arrays are."""
    module = ModuleType("cupy")

    def placed(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **options: on_device(function(*arguments, **options))

    for name in ("asarray", "sort", "take", "where", "zeros", "isnan"):
        setattr(module, name, placed(getattr(np, name)))
    module.nonzero = lambda array: tuple(map(on_device, np.nonzero(array)))  # type: ignore[attr-defined]
    return module


LIBRARIES = ("cupy", "torch", "jax")


def to_device_with(library: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    """A function that moves NumPy arrays to the device of a library."""
    if library == "cupy":
        monkeypatch.setitem(sys.modules, "cupy", _module())
        return on_device
    if library == "torch":
        torch = pytest.importorskip("torch")
        monkeypatch.setattr(rankgain.inputs.devices, "TREAT_CPU_AS_DEVICE", True)
        tensor: Callable[[Any], Any] = torch.tensor
        return tensor
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    monkeypatch.setattr(rankgain.inputs.devices, "TREAT_CPU_AS_DEVICE", True)
    array: Callable[[Any], Any] = jax.numpy.asarray
    return array
