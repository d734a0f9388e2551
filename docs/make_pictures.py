"""Draw the pictures of docs/guides/pictures.md from synthetic values, the same in every run.

python docs/make_pictures.py
"""

from pathlib import Path

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt  # the backend comes first
import numpy as np

import rankgain as rg
from rankgain.output import plot

GUIDES = Path(__file__).parent / "guides"
STYLES = {"light": "default", "dark": "dark_background"}
SETTINGS = {"svg.hashsalt": "rankgain", "font.size": 8, "axes.labelsize": 8, "axes.titlesize": 8}
SETTINGS |= {"xtick.labelsize": 7, "ytick.labelsize": 7, "svg.fonttype": "none"}
KS = [f"nDCG@{k}" for k in (1, 3, 5, 10, 20, 50)]


def made() -> rg.Evaluations:
    """Six models of different noise on the same 60 lists."""
    rng = np.random.default_rng(7)
    labels = rng.integers(0, 3, (60, 50)) * (rng.random((60, 50)) < 0.4)
    names = ("bm25", "dense", "hybrid", "tuned", "reranked", "random")
    noise = dict(zip(names, (3.0, 2.2, 1.6, 1.4, 1.0, 9.0), strict=True))
    scores = {name: labels + rng.normal(0, size, labels.shape) for name, size in noise.items()}
    return rg.evaluate_models(labels, scores, [*KS, "P@5"])


def draw(path: Path, theme: str = "light") -> None:
    """Draw on a transparent background, so that the page's own shows."""
    found = made()
    with plt.style.context([STYLES[theme], SETTINGS]):
        figure, axes = plt.subplots(2, 2, figsize=(6.6, 5.2), layout="constrained")
        plot.differences(found, "nDCG@10", "reranked", "hybrid", ax=axes[0, 0], theme=theme)
        plot.by_cutoff(found, ax=axes[0, 1], theme=theme)
        plot.scatter(found, "P@5", "reranked", "bm25", ax=axes[1, 0], theme=theme)
        kinds = found["dense"].by(["long", "short", "question"] * 20)
        plot.segments(kinds, "nDCG@10", ax=axes[1, 1], theme=theme)
        metadata = {"Date": None, "Creator": None}
        figure.savefig(path, metadata=metadata, transparent=True)


if __name__ == "__main__":
    for theme in STYLES:
        draw(GUIDES / f"pictures-{theme}.svg", theme)
