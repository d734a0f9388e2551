"""Factors on a device: checked, and multiplied there a block of users at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...engine.devices import BLOCK_SCORES
from ...inputs.arrays import refuse_gradients
from ...inputs.devices import DeviceArray, is_device_array, library_of


def are_on_device(**factors: object) -> bool:
    """Whether factors are on a device; some of them on the host are refused."""
    passed = {name: value for name, value in factors.items() if value is not None}
    on_device = [name for name, value in passed.items() if is_device_array(value)]
    on_host = [name for name in passed if name not in on_device]
    if on_device and on_host:
        raise TypeError(
            f"{on_device[0]} is on a device, but {on_host[0]} is in the memory of the CPU; move "
            "one of them"
        )
    return bool(on_device)


def read_device_factors(array: DeviceArray, name: str) -> DeviceArray:
    """Finite factors, in float32."""
    refuse_gradients(array, name)
    result = library_of(array).to_float32(array)
    if not np.isfinite(largest_value(result)):
        raise ValueError(f"{name} has values that are not finite as float32; scale or remove them")
    return result


def largest_value(array: DeviceArray) -> float:
    """The largest absolute value, NaN if one is NaN."""
    if not all(array.shape):
        return 0.0
    return float(abs(array).max())


def device_products(
    users: DeviceArray, items: DeviceArray, bias: DeviceArray | None
) -> Iterator[DeviceArray]:
    """The scores of all items for a block of users at a time."""
    rows = max(1, BLOCK_SCORES // max(1, len(items)))
    for low in range(0, max(1, len(users)), rows):
        scores = users[low : low + rows] @ items.T
        if bias is not None:
            scores = scores + bias[None, :]
        yield scores
