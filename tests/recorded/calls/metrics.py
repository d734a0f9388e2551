"""Functions of one measure: labels beside scores."""

from recorded.recording import drawn, each

GIVEN = """
LABELS = [[3, 2, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 2, 0, 4], [0, 1, 0, 0, 0]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2], [5, 4, 3, 2, 1], [1.0, 1.0, 1.0, 2.0, 0.0], [0, -1, 7, 7, 3]]
ARRAYS = [np.array(LABELS), np.array(SCORES, "f4")]
LISTS = [[2, 0], [1], [0, 1, 3]], [[0.1, 0.2], [3.0], [1.0, 1.0, 0.5]]
"""
FUNCTIONS = ["ndcg", "dcg", "idcg", "cg", "average_precision", "precision", "recall"]
INPUTS = ["LABELS, SCORES", "*ARRAYS", "*LISTS", "LABELS[2], SCORES[2]"]
TIES = ["average", "stable", "reverse", "best", "worst"]
CALLS = [
    *each("rg.{f}({i})", f=FUNCTIONS, i=INPUTS),
    *drawn(90, "rg.{f}({i}, k={k}, ties={t!r})", f=FUNCTIONS, i=INPUTS, k=[1, 2, 3, 100], t=TIES),
]
