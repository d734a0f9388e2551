"""Arrays of torch, CuPy and JAX on a device: the operations that these libraries spell apart."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from .types import Array, Integers

# Of torch, CuPy or JAX, whose types are known only where these are installed.
DeviceArray: TypeAlias = Any

# Tests set this, so that the code for devices runs on arrays of the CPU.
TREAT_CPU_AS_DEVICE = False


class DeviceLibrary(Protocol):
    """The operations on device arrays; each returns arrays on the same device."""

    def to_device(self, array: Array) -> DeviceArray:
        """A copy of an array of the host."""
        ...

    def to_host(self, array: DeviceArray) -> Array:
        """A copy for the host."""
        ...

    def widen(self, array: DeviceArray) -> DeviceArray:
        """The array with its 16-bit floats as float32 and its booleans as int8; both are exact."""
        ...

    def to_float32(self, array: DeviceArray) -> DeviceArray:
        """The array in float32."""
        ...

    def sort_rows(self, matrix: DeviceArray) -> DeviceArray:
        """Each row in ascending order."""
        ...

    def take(self, flat: DeviceArray, places: DeviceArray) -> DeviceArray:
        """The entries of a flat array at some places, in the shape of the places."""
        ...

    def where(self, mask: DeviceArray, values: DeviceArray, other: object) -> DeviceArray:
        """The values where the mask is True, and the other ones elsewhere."""
        ...

    def mask_places(self, shape: tuple[int, int], places: Integers) -> DeviceArray:
        """A matrix of False with True at some places of its flat form."""
        ...

    def is_nan(self, array: DeviceArray) -> DeviceArray:
        """Mask of the NaN entries."""
        ...

    def nonzero(self, flat: DeviceArray) -> DeviceArray:
        """The places of a flat array that are not 0 or False."""
        ...


class TorchLibrary:
    """Tensors of torch."""

    def __init__(self, tensor: DeviceArray) -> None:
        self.torch = sys.modules["torch"]
        self.tensor = tensor

    def to_device(self, array: Array) -> DeviceArray:
        return self.torch.as_tensor(array).to(self.tensor.device)

    def to_host(self, array: DeviceArray) -> Array:
        return np.asarray(array.cpu())

    def widen(self, array: DeviceArray) -> DeviceArray:
        if array.dtype in (self.torch.float16, self.torch.bfloat16):
            return array.to(self.torch.float32)
        if array.dtype == self.torch.bool:
            return array.to(self.torch.int8)
        return array

    def to_float32(self, array: DeviceArray) -> DeviceArray:
        return array.to(self.torch.float32)

    def sort_rows(self, matrix: DeviceArray) -> DeviceArray:
        return self.torch.sort(matrix, dim=1).values

    def take(self, flat: DeviceArray, places: DeviceArray) -> DeviceArray:
        return self.torch.take(flat, places)

    def where(self, mask: DeviceArray, values: DeviceArray, other: object) -> DeviceArray:
        return self.torch.where(mask, values, other)

    def mask_places(self, shape: tuple[int, int], places: Integers) -> DeviceArray:
        mask = self.torch.zeros(
            shape[0] * shape[1], dtype=self.torch.bool, device=self.tensor.device
        )
        mask[self.to_device(places)] = True
        return mask.reshape(shape)

    def is_nan(self, array: DeviceArray) -> DeviceArray:
        return self.torch.isnan(array)

    def nonzero(self, flat: DeviceArray) -> DeviceArray:
        return self.torch.nonzero(flat).reshape(-1)


class ModuleLibrary:
    """Arrays of a module with NumPy's names: CuPy's, and with `JaxLibrary` JAX's."""

    def __init__(self, module: str) -> None:
        self.module = sys.modules[module]

    def to_device(self, array: Array) -> DeviceArray:
        return self.module.asarray(array)

    def to_host(self, array: DeviceArray) -> Array:
        return np.asarray(array.get())

    def widen(self, array: DeviceArray) -> DeviceArray:
        if array.dtype.name in ("float16", "bfloat16"):
            return array.astype("float32")
        if array.dtype.name == "bool":
            return array.astype("int8")
        return array

    def to_float32(self, array: DeviceArray) -> DeviceArray:
        return array.astype("float32")

    def sort_rows(self, matrix: DeviceArray) -> DeviceArray:
        return self.module.sort(matrix, axis=1)

    def take(self, flat: DeviceArray, places: DeviceArray) -> DeviceArray:
        return self.module.take(flat, places)

    def where(self, mask: DeviceArray, values: DeviceArray, other: object) -> DeviceArray:
        return self.module.where(mask, values, other)

    def mask_places(self, shape: tuple[int, int], places: Integers) -> DeviceArray:
        mask = self.module.zeros(shape[0] * shape[1], bool)
        mask[self.to_device(places)] = True
        return mask.reshape(shape)

    def is_nan(self, array: DeviceArray) -> DeviceArray:
        return self.module.isnan(array)

    def nonzero(self, flat: DeviceArray) -> DeviceArray:
        return self.module.nonzero(flat)[0]


class JaxLibrary(ModuleLibrary):
    """Arrays of JAX, which are immutable."""

    def __init__(self, array: DeviceArray) -> None:
        super().__init__("jax.numpy")
        self.jax = sys.modules["jax"]
        self.device = next(iter(array.devices()))

    def to_device(self, array: Array) -> DeviceArray:
        return self.jax.device_put(array, self.device)

    def to_host(self, array: DeviceArray) -> Array:
        return np.asarray(array)

    def mask_places(self, shape: tuple[int, int], places: Integers) -> DeviceArray:
        mask = self.module.zeros(shape[0] * shape[1], bool, device=self.device)
        return mask.at[self.to_device(places)].set(True).reshape(shape)


def _package(value: object) -> str:
    """The package of a value's class, or of the class that it is derived from."""
    for kind in type(value).__mro__:
        package = kind.__module__.partition(".")[0]
        if package in ("torch", "cupy", "jaxlib", "jax"):
            return package
    return ""


def is_device_array(value: DeviceArray) -> bool:
    """Whether a value is an array in memory that the CPU cannot read."""
    if type(value) is np.ndarray:
        return False
    package = _package(value)
    if package == "torch" and hasattr(value, "device") and hasattr(value, "layout"):
        is_dense = "strided" in str(value.layout)
        return is_dense and (TREAT_CPU_AS_DEVICE or value.device.type not in ("cpu", "meta"))
    if package == "cupy" and hasattr(value, "dtype"):
        return True
    if package in ("jax", "jaxlib") and callable(getattr(value, "devices", None)):
        if any(kind.__name__ == "Tracer" for kind in type(value).__mro__):
            return False  # it has no values, and the reader of arrays says so
        platforms = {device.platform for device in value.devices()}
        return TREAT_CPU_AS_DEVICE or platforms != {"cpu"}
    return False


def library_of(array: DeviceArray) -> DeviceLibrary:
    """The library of an array, for operations where the array is."""
    package = _package(array)
    if package == "torch":
        return TorchLibrary(array.detach())
    if package == "cupy":
        return ModuleLibrary("cupy")
    return JaxLibrary(array)


def labels_to_host(labels: DeviceArray, name: str) -> Array:
    """Dense labels as an array of the host; only those that are not 0 are transferred."""
    if len(labels.shape) not in (1, 2):
        raise ValueError(f"{name} has {len(labels.shape)} dimensions; it must have 1 or 2")
    library = library_of(labels)
    if hasattr(labels, "detach"):  # of torch
        labels = labels.detach()
    flat = library.widen(labels).reshape(-1)
    places = library.nonzero(flat)
    values = library.to_host(library.take(flat, places))
    dense = np.zeros(len(flat), values.dtype)
    dense[library.to_host(places)] = values
    return dense.reshape(tuple(labels.shape))
