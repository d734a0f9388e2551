"""Inputs of the workloads, made from a fixed seed: arrays, recommended ids, qrels and runs.

Scores have no ties inside a list, so every tool must give the same value, and values are compared
before anything is timed. Labels are 0 to 4 with one document in five above 0. Every list has a
label above 0, because tools differ on lists without one.
"""

import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def generator(seed: int = 20_261_120) -> np.random.Generator:
    return np.random.default_rng(seed)


def tie_free(rng: np.random.Generator, lists: int, docs: int) -> Floats:
    """Normal float32 scores, redrawn where two of one list are equal."""
    scores = rng.standard_normal((lists, docs), dtype=np.float32)
    rows = np.arange(lists)
    while rows.size:
        part = scores[rows]
        order = np.argsort(part, axis=1)
        ascending = np.take_along_axis(part, order, axis=1)
        row, place = np.nonzero(ascending[:, 1:] == ascending[:, :-1])
        again = rng.standard_normal(row.size, dtype=np.float32)
        scores[rows[row], order[row, place]] = again
        rows = np.unique(rows[row])
    return scores


def graded(
    rng: np.random.Generator, lists: int, docs: int, *, relevant: float = 0.2, levels: int = 4
) -> Floats:
    """Labels 1..levels for a fraction of the documents and for one of each list, 0 for the rest."""
    labels = rng.integers(1, levels + 1, (lists, docs), dtype=np.int8).astype(np.float32)
    labels[rng.random((lists, docs), dtype=np.float32) >= relevant] = 0
    labels[np.arange(lists), rng.integers(0, docs, lists)] = levels
    return labels


def scores_and_labels(lists: int, docs: int, relevant: float = 0.2) -> tuple[Floats, Floats]:
    """The dense lists that most workloads use."""
    rng = generator()
    return tie_free(rng, lists, docs), graded(rng, lists, docs, relevant=relevant)


@dataclass(frozen=True)
class Ragged:
    """Flat lists of different lengths, and the same padded for tools that want a rectangle."""

    labels: Floats
    scores: Floats
    sizes: Ints
    padded_labels: Floats
    padded_scores: Floats


def ragged(rng: np.random.Generator, lists: int, docs: int) -> Ragged:
    """Lists of `docs` documents on average, half to one and a half times as long."""
    sizes = rng.integers(docs // 2, docs + docs // 2 + 1, lists)
    longest = int(sizes.max())
    cell = np.arange(longest) < sizes[:, None]
    scores = tie_free(rng, lists, longest)
    labels = graded(rng, lists, longest)
    labels[:, 0] = np.maximum(labels[:, 0], 1)
    flat_labels, flat_scores = labels[cell], scores[cell]
    scores[~cell] = -np.inf
    labels[~cell] = 0
    return Ragged(flat_labels, flat_scores, sizes, labels, scores)


def distinct_items(rng: np.random.Generator, lists: int, per_list: int, items: int) -> Ints:
    """Different items per list, in no order: one from each of `per_list` parts of the catalogue."""
    part = items // per_list
    first = np.arange(per_list) * part
    drawn = first + rng.integers(0, part, (lists, per_list))
    return rng.permuted(drawn, axis=1)


def sparse_truth(rng: np.random.Generator, lists: int, items: int, relevant: int) -> sp.csr_matrix:
    """Binary CSR labels, the same number of relevant items in every list."""
    columns = np.sort(distinct_items(rng, lists, relevant, items), axis=1).astype(np.int32)
    pointers = np.arange(0, lists * relevant + 1, relevant, dtype=np.int32)
    values = np.ones(columns.size, dtype=np.float32)
    return sp.csr_matrix((values, columns.ravel(), pointers), shape=(lists, items))


def ranked_ids(
    rng: np.random.Generator, lists: int, docs: int, relevant: int, items: int = 50_000
) -> tuple[NDArray[np.int32], list[NDArray[np.int32]]]:
    """A matrix of ranked ids, and an array of relevant ids for each list, half of them ranked."""
    drawn = distinct_items(rng, lists, docs + relevant, items).astype(np.int32)
    drawn = rng.permuted(drawn, axis=1)
    ranked = np.ascontiguousarray(drawn[:, :docs])
    absent = relevant - relevant // 2
    places = np.argsort(rng.random((lists, docs)), axis=1)[:, : relevant // 2]
    found = np.take_along_axis(ranked, places, axis=1)
    columns = np.concatenate([found, drawn[:, docs : docs + absent]], axis=1)
    return ranked, [row.copy() for row in rng.permuted(columns, axis=1)]


@dataclass(frozen=True)
class Recommendations:
    """Ranked item ids per user, and each user's relevant items."""

    recommended: NDArray[np.int32]
    truth: sp.csr_matrix


def recommendations(
    rng: np.random.Generator, users: int, width: int, items: int, most_relevant: int = 16
) -> Recommendations:
    """One to `most_relevant` relevant items per user, about one in five of them recommended."""
    counts = rng.integers(1, most_relevant + 1, users)
    drawn = distinct_items(rng, users, most_relevant, items)
    recommended = distinct_items(rng, users, width, items).astype(np.int32)
    # A relevant item takes the place of the recommended one of its own part, so that none repeats.
    part = items // width
    for column in range(most_relevant):
        hit = np.nonzero((rng.random(users) < 0.2) & (column < counts))[0]
        item = drawn[hit, column]
        place = np.argmax(recommended[hit] // part == (item // part)[:, None], axis=1)
        same_part = recommended[hit, place] // part == item // part
        recommended[hit[same_part], place[same_part]] = item[same_part]
    relevant = np.arange(most_relevant) < counts[:, None]
    rows = np.repeat(np.arange(users), counts)
    values = np.ones(rows.size, dtype=np.float32)
    truth = sp.csr_matrix((values, (rows, drawn[relevant])), shape=(users, items))
    truth.sort_indices()
    return Recommendations(recommended, truth)


@dataclass(frozen=True)
class Track:
    """Judgments and one run of a made-up track, as arrays: document numbers, scores, labels."""

    retrieved: Ints
    scores: Floats
    judged: Ints
    labels: Ints

    def run(self) -> Run:
        """Python floats, as a JSON file or a search engine gives them."""
        return by_query(self.retrieved, self.scores)

    def qrels(self) -> Qrels:
        return by_query(self.judged, self.labels)


def by_query(documents: Ints, values: NDArray[Any]) -> dict[str, dict[str, Any]]:
    return {
        f"q{query}": {f"doc{number}": value for number, value in zip(row, of_row, strict=True)}
        for query, (row, of_row) in enumerate(zip(documents.tolist(), values.tolist(), strict=True))
    }


def track(queries: int, retrieved: int, judged: int) -> Track:
    """A third of the judged documents are retrieved; one judged document in four is relevant.

    Scores do not tie, and float32 holds them.
    """
    rng = generator()
    numbers = distinct_items(rng, queries, retrieved, 20 * retrieved)
    others = distinct_items(rng, queries, judged, 20 * retrieved) + 20 * retrieved
    both = min(retrieved, judged) // 3
    others[:, :both] = numbers[:, :both]
    labels = rng.integers(1, 4, others.shape) * (rng.random(others.shape) < 0.25)
    labels[:, 0] = 1
    order = rng.permuted(np.tile(np.arange(retrieved), (queries, 1)), axis=1)
    numbers = np.take_along_axis(numbers, order, axis=1)
    return Track(numbers, tie_free(rng, queries, retrieved), others, labels)


@dataclass(frozen=True)
class Files:
    """A qrels file and a run file; their folder is deleted with this object."""

    qrels: Path
    run: Path


def write_files(track: Track) -> Files:
    folder = Path(tempfile.mkdtemp(prefix="rankgain-benchmark-"))
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    with qrels.open("w") as out:
        for query, (row, labels) in enumerate(zip(track.judged, track.labels, strict=True)):
            pairs = zip(row.tolist(), labels.tolist(), strict=True)
            out.writelines(f"q{query} 0 doc{number} {label}\n" for number, label in pairs)
    with run.open("w") as out:
        for query, (row, scores) in enumerate(zip(track.retrieved, track.scores, strict=True)):
            order = np.argsort(-scores)
            pairs = zip(row[order].tolist(), scores[order].tolist(), strict=True)
            out.writelines(
                f"q{query} Q0 doc{number} {rank} {score!r} made\n"
                for rank, (number, score) in enumerate(pairs, 1)
            )
    written = Files(qrels, run)
    weakref.finalize(written, shutil.rmtree, folder)
    return written
