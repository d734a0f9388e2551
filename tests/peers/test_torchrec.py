"""Beside TorchRec's NDCG and GAUC, taken from its files, as it needs FBGEMM to be imported."""

import ast
import importlib.util
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from peers.groups import CASES, Groups, close, draw, ours

torch = pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.filterwarnings("default")


def functions(module: str) -> dict[str, Any]:
    """Return the functions of a file of TorchRec."""
    spec = importlib.util.find_spec("torchrec")
    if spec is None or spec.origin is None:
        pytest.skip("torchrec is not installed")
    path = Path(spec.origin).parent / "metrics" / f"{module}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    for one in tree.body:
        one.decorator_list = []
    result = {"torch": torch, "Dict": dict, "Tuple": tuple, "record_function": nullcontext}
    result |= {"SUM_NDCG": "sum", "NUM_SESSIONS": "sessions"}
    exec(compile(tree, path, "exec"), result)
    return result


def ndcg_of(groups: Groups, **options: Any) -> float:
    """Return TorchRec's mean over sessions."""
    states = functions("ndcg")["_get_ndcg_states"](
        labels=torch.tensor(groups.flat_labels, dtype=torch.float64)[None],
        predictions=torch.tensor(groups.flat_scores)[None],
        weights=torch.ones(1, len(groups.flat_labels), dtype=torch.float64),
        session_ids=torch.tensor(groups.qid)[None],
        report_ndcg_as_decreasing_curve=False,
        **options,
    )
    return float(states["sum"] / states["sessions"])


@pytest.mark.parametrize("case", CASES)
def test_ndcg(case: int) -> None:
    groups = draw(case, distinct=True)
    for k in (1, 5, -1):
        measure = "nDCG" if k == -1 else f"nDCG@{k}"
        result = ours(groups, [measure], "torchrec")
        close(result.means[measure], ndcg_of(groups, exponential_gain=False, k=k), 1e-6)
        result = ours(groups, [measure], "torchrec", gain="exp2")
        close(result.means[measure], ndcg_of(groups, exponential_gain=True, k=k), 1e-6)


@pytest.mark.parametrize("case", CASES)
def test_gauc(case: int) -> None:
    groups = draw(case, (0, 1), distinct=True, low=6, high=7)
    labels, scores = (
        torch.tensor([list(map(float, one)) for one in side], dtype=torch.float64)[None]
        for side in (groups.labels, groups.scores)
    )
    states = functions("gauc")["compute_gauc_3d"](scores, labels, torch.ones_like(labels))
    result = ours(groups, ["AUC"], "torchrec")
    close(result.means["AUC"], float(states["auc_sum"] / states["num_samples"]), 1e-9)
    defined = result.counts["queries"] - result.counts["undefined"]["AUC"]
    assert int(states["num_samples"]) == defined
