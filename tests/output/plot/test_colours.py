"""Colours stand out from their background, and from each other for readers who lack receptors."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from rankgain.output.plot.canvas import DARK, DASHES, LIGHT, Palette
from rankgain.output.plot.curves import spread

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
SEEN = {
    "all": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
APART = 10.0  # CIE 1976 difference in Lab; 2.3 is just noticeable
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> Any:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    x, y = sorted(float(XYZ[1] @ linear(one)) for one in (a, b))
    return (y + 0.05) / (x + 0.05)


def lab(colour: str, seen: Any) -> Any:
    ratio = XYZ @ np.clip(np.asarray(seen) @ linear(colour), 0, 1) / XYZ.sum(axis=1)
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_stand_out_from_their_ground(palette: Palette) -> None:
    assert contrast(palette.text, palette.background) >= 7
    assert min(contrast(one, palette.background) for one in (*palette.series, palette.muted)) >= 3


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_are_told_apart(palette: Palette, kind: str) -> None:
    for a, b in combinations(palette.series, 2):
        assert np.linalg.norm(lab(a, SEEN[kind]) - lab(b, SEEN[kind])) >= APART, (a, b)


def test_curves_are_told_apart_without_colours() -> None:
    assert len(set(DASHES)) == len(DASHES) == len(LIGHT.series) == len(DARK.series)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_names_are_spread_without_overlap_and_stay_near(n: int) -> None:
    random = np.random.default_rng(n)
    height = 0.08
    for _ in range(200):
        expected = random.random(n) ** random.choice([1, 4])
        places = np.array(spread(expected.tolist(), height))
        assert np.array_equal(
            np.argsort(places, kind="stable"), np.argsort(expected, kind="stable")
        )
        assert (np.diff(np.sort(places)) >= height - 1e-9).all()
        assert places.min() >= height / 2 - 1e-9
        assert places.max() <= 1 - height / 2 + 1e-9
    assert spread([0.2, 0.7], height) == [0.2, 0.7]
