"""Qrels and runs, as dicts and as files: no tied scores, and scores that float32 holds."""

import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import data

Dicts = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Track:
    """Judgments and one run of a made-up track, as arrays: document numbers, scores, labels."""

    retrieved: data.Ints
    scores: data.Floats
    judged: data.Ints
    labels: data.Ints

    def run(self) -> Dicts:
        """Python floats, as a JSON file or a search engine gives them."""
        return {
            f"q{query}": {f"doc{number}": score for number, score in zip(row, scores, strict=True)}
            for query, (row, scores) in enumerate(
                zip(self.retrieved.tolist(), self.scores.tolist(), strict=True)
            )
        }

    def qrels(self) -> Grades:
        return {
            f"q{query}": {f"doc{number}": label for number, label in zip(row, labels, strict=True)}
            for query, (row, labels) in enumerate(
                zip(self.judged.tolist(), self.labels.tolist(), strict=True)
            )
        }


def track(queries: int, retrieved: int, judged: int) -> Track:
    """A third of the judged documents are retrieved; one judged document in four is relevant."""
    rng = data.generator()
    numbers = data.distinct_items(rng, queries, retrieved, 20 * retrieved)
    others = data.distinct_items(rng, queries, judged, 20 * retrieved) + 20 * retrieved
    both = min(retrieved, judged) // 3
    others[:, :both] = numbers[:, :both]
    labels = rng.integers(1, 4, others.shape) * (rng.random(others.shape) < 0.25)
    labels[:, 0] = 1
    order = rng.permuted(np.tile(np.arange(retrieved), (queries, 1)), axis=1)
    numbers = np.take_along_axis(numbers, order, axis=1)
    return Track(numbers, data.tie_free(rng, queries, retrieved), others, labels)


@dataclass(frozen=True)
class Files:
    """A qrels file and a run file; their folder goes when this goes."""

    qrels: Path
    run: Path


def files(made: Track) -> Files:
    folder = Path(tempfile.mkdtemp(prefix="rankgain-benchmark-"))
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    with qrels.open("w") as out:
        for query, (row, labels) in enumerate(zip(made.judged, made.labels, strict=True)):
            pairs = zip(row.tolist(), labels.tolist(), strict=True)
            out.writelines(f"q{query} 0 doc{number} {label}\n" for number, label in pairs)
    with run.open("w") as out:
        for query, (row, scores) in enumerate(zip(made.retrieved, made.scores, strict=True)):
            order = np.argsort(-scores)
            pairs = zip(row[order].tolist(), scores[order].tolist(), strict=True)
            out.writelines(
                f"q{query} Q0 doc{number} {rank} {score!r} made\n"
                for rank, (number, score) in enumerate(pairs, 1)
            )
    written = Files(qrels, run)
    weakref.finalize(written, shutil.rmtree, folder)
    return written
