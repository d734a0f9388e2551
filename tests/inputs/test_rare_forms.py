"""Values of forms that few people give, beside those of the usual form."""

import doctest
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.inputs.files import expand_paths

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
scipy_sparse = pytest.importorskip("scipy.sparse")


def scores_of(run: Any) -> dict[str, dict[str, float]]:
    return {query: dict(documents) for query, documents in rg.Run(run).items()}


@pytest.mark.filterwarnings("ignore:each of the 2 lists has one document")
def test_examples_of_the_text_beside_this() -> None:
    result = doctest.testfile("rare_forms.txt", globs=dict(globals()))
    assert result.failed == 0
    assert result.attempted > 40


def test_files_of_nested_folders_and_open_texts(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    path = tmp_path / "x" / "y" / "run.txt"
    path.write_bytes(b"q Q0 a\xff 1 1.0 s\n")
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        assert scores_of(file) == scores_of(path) == {"q": {"a\udcff": 1.0}}
    for pattern in ("**/run.txt", "**/**/run.txt", "**/*/**/run.txt", "x/**/**"):
        files = expand_paths([tmp_path / pattern])
        assert list(filter(os.path.isfile, files)) == [str(path)]


def test_no_argument_changes() -> None:
    labels, scores, out = np.ones((3, 3)), np.arange(9.0).reshape(3, 3), np.eye(3) > 0
    for convention in rg.conventions:
        options: dict[str, Any] = {"exclude": out, "convention": convention}
        for measure in ("nDCG@2", "AP", "RR"):
            rg.evaluate_arrays(labels, scores, measure, **options)
    assert labels.tolist() == np.ones((3, 3)).tolist()
    assert out.tolist() == (np.eye(3) > 0).tolist()


def test_sparse_labels_of_a_truth_that_change_later() -> None:
    matrix = scipy_sparse.csr_matrix([[1.0, 0, 2], [0, 3, 0]])
    truth = rg.Truth(matrix)
    expected = rg.ndcg(truth, [[1, 2, 3], [4, 5, 6]]).tolist()
    matrix.data[:] = 7
    matrix.indices[:] = 0
    assert rg.ndcg(truth, [[1, 2, 3], [4, 5, 6]]).tolist() == expected
