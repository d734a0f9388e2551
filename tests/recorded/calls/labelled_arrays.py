"""Arrays with labels of rows and columns: pandas' frames and Series beside each other, and weights and segments by label."""

from recorded.recording import drawn, each

NEEDS = ["pandas", "narwhals"]
# fmt: off
GIVEN = """
import pandas as pd
from decimal import Decimal
NAN = float("nan")
Y = pd.DataFrame([[3, 0, 2], [0, 1, 0], [1, 0, 2]], ["u", "v", "w"], ["a", "b", "c"])
S = pd.DataFrame([[0.5, 0.25, 0.5], [1.0, 2.0, 3.0], [0.0, 1.0, 2.0]], ["u", "v", "w"], ["a", "b", "c"])
FLAT = pd.Series([3, 0, 2, 0, 1], list("klmno"))
SCORES = pd.Series([0.5, 0.25, 0.5, 1.0, 2.0], list("klmno"))
QID = pd.Series([7, 7, 3, 3, 7], list("klmno"))
MEASURES = ["nDCG@2", "AP", "RR"]
def evaluate(labels, scores, **options): return rg.evaluate_arrays(labels, scores, MEASURES, **options)
def rows(frame): return [frame.loc[label] for label in frame.index]
E = rg.evaluate_arrays([1, 0, 2, 0, 0, 1], [1, 2, 3, 4, 2, 1], ["RR", "AP"], qid=["v", "v", "u", "u", "w", "w"])
N = rg.evaluate_arrays([1, 0, 2, 0, 0, 1], [1, 2, 3, 4, 2, 1], ["RR"], qid=[1, 1, 0, 0, 2, 2])
class Dims:
    def __init__(self, frame, dims=("row", "col"), indexes=True): self.values, self.dims = frame.to_numpy(), dims; self.indexes = {"row": list(frame.index), "col": list(frame.columns)} if indexes else {}; self.shape = self.values.shape; self.dtype = self.values.dtype
    def __len__(self): return len(self.values)
    def __array__(self, dtype=None, copy=None): return self.values
"""
LABELS = ["Y", "Y.to_numpy()", "Y.loc[['w', 'u', 'v']]", "Y[['c', 'a', 'b']]", "Y.reset_index(drop=True)", "Y.set_axis([0, 1, 2], axis=1)", "Y.set_axis([2, 0, 1], axis=0)", "Y.set_axis(['u', 'v', 'x'], axis=0)", "Y.set_axis(['a', 'b', 'z'], axis=1)", "Y.set_axis(['x', 'y', 'z'], axis=0)", "rows(Y)", "rows(Y[['c', 'a', 'b']])", "Dims(Y)", "Dims(Y.loc[['w', 'u', 'v']])", "Dims(Y, ('col', 'row'))", "Dims(Y, indexes=False)", "Y.set_axis(['u', 'u', 'v'], axis=0)"]
SCORES = [label.replace("Y", "S") for label in LABELS]
CALLS = list(dict.fromkeys([
    *drawn(110, "evaluate({y}, {s})", y=LABELS, s=SCORES), *each("evaluate(Y, {s})", s=SCORES), *each("evaluate({y}, S)", y=LABELS), *each("evaluate(FLAT, {s}, qid={q})", s=["SCORES", "SCORES[::-1]", "SCORES.reset_index(drop=True)", "SCORES.to_numpy()", "SCORES.rename({'o': 'z'})", "SCORES.set_axis(list('vwxyz'))", "SCORES.set_axis([4, 3, 2, 1, 0])", "SCORES.set_axis([NAN] * 5)"], q=["QID", "QID[::-1]", "QID.to_numpy()", "QID.astype(str)", "QID.rename({'k': 'z'})"]),
    *each("evaluate({y}, {s})", y=["Y.set_axis([0, 1, 2], axis=0)", "Y.set_axis([1, 0, 2], axis=0)", "Y.set_axis([0, 1, 2], axis=1)", "Y.set_axis([0.0, 1.0, 2.0], axis=0)"], s=["S.set_axis([2, 0, 1], axis=0)", "S.set_axis([0, 1, 2], axis=0)", "S.set_axis([1, 0, 2], axis=1)", "S.set_axis([5, 0, 1], axis=0)"]), *each("evaluate({y}, {s}, group={g})", y=["FLAT"], s=["SCORES", "SCORES[::-1]"], g=["pd.Series([2, 3])", "pd.Series([2, 3], ['k', 'l'])", "pd.Series([1, 1, 1, 1, 1], list('lkmno'))", "pd.Series([2, 3, 0, 0, 0], list('klmnz'))"]),
    *each("evaluate({y}, S, {o})", y=["Y", "Y.to_numpy()", "rg.Truth(Y)", "rg.Truth(Y.loc[['w', 'u', 'v']])", "rg.Truth(Y, judged=Y)"], o=["exclude=(Y > 2).loc[['w', 'u', 'v']]", "exclude=Y > 2", "lengths=pd.Series([3, 2, 1], ['u', 'v', 'w'])", "lengths=pd.Series([3, 2, 1], ['w', 'v', 'u'])", "judged=Y.set_axis(['x', 'y', 'z'], axis=1)", "judged=Y.loc[['v', 'u', 'w']]", "judged=Y.set_axis(['u', 'v', 'x'], axis=0)", "ids=pd.DataFrame([list('xyz')] * 3, Y.index, Y.columns), ties='id'", "ids=pd.DataFrame([list('xyz')] * 3, Y.index[::-1], Y.columns), ties='id'", "weight=pd.Series([3, 2, 1], ['w', 'v', 'u'])", "weight=pd.Series([3, 2, 1], ['w', 'v', 'x'])", "weight=pd.Series([3, 2, 1])",
         "weight=pd.Series([3, 2, 1], ['u', 'v', 'w'])", "weight={0: 1, 1: 2, 2: 3}", "weight=pd.Series([3, 2], ['w', 'v'])", "weight=pd.Series([3, 2, 1], [2, 1, 0])", "weight=pd.Series([3, 2, 1, 4], ['w', 'v', 'u', 'x'])"]),
    *each("rg.ndcg({y}, {s})", y=["Y.loc['u']", "FLAT", "Y['a']"], s=["S.loc['u']", "S.loc['u'][::-1]", "SCORES", "SCORES[::-1]", "S['a']", "S['a'][::-1]"]), *each("evaluate([{a}, {b}], [{c}, {d}])", a=["FLAT"], b=["Y.loc['u']", "[1, 0, 2]"], c=["SCORES", "SCORES[::-1]"], d=["S.loc['u']", "S.loc['u'][::-1]", "S.loc['u'].set_axis(['a', 'b', 'x'])", "[1, 2, 3]"]),
    *each("evaluate(pd.Series([[3, 0], [1, 2, 0]], ['u', 'v']), {s})", s=["pd.Series([[1, 2], [3, 2, 1]], ['u', 'v'])", "pd.Series([[1, 2], [3, 2, 1]], ['v', 'u'])", "pd.Series([pd.Series([1, 2]), pd.Series([3, 2, 1], [2, 1, 0])])"]), *each("evaluate(Y.astype({d!r}), S.astype({e!r}))", d=["Int64", "f4", "boolean", "object", "category"], e=["Float64", "f4", "object"]), "evaluate(Y.astype('Int64').mask(Y == 2), S)", "evaluate(Y, S.mask(S == 2))", "evaluate(Y.astype(object).mask(Y == 2, 'x'), S)",
    # Values of each query: by the label, or by place.
    *each("{e}.by({b})", e=["E", "N"], b=["pd.Series(['x', 'y', 'x'], ['u', 'v', 'w'])", "pd.Series(['x', 'y', 'x'], ['w', 'v', 'z'])", "pd.Series(['x', 'y', 'x'])", "pd.Series(['x', 'y', 'x'], [2, 0, 1])", "pd.Series(['x', 'y', 'x'], [0, 1, 2])", "pd.Series(['x', 'y', 'x'], ['0', '1', '2'])", "pd.Series(['x', 'y', 'x', 'z'], ['u', 'v', 'w', 'u'])", "pd.Series(pd.Categorical(['x', 'y', 'x'], ['z', 'y', 'x'], ordered=True))", "pd.Categorical(['x', 'y', 'x'], ['y', 'x'])", "pd.Series([1.5, NAN, 1.5])", "pd.Series(['x', None, 'x'])", "pd.Series([2, 1, 2], dtype='Int64')", "pd.Index(['x', 'y', 'x'])", "pd.Series(['x', 'y'], ['u', 'v'])", "{'u': 1, 'v': 2, 'w': 1}", "pd.Series([3, 1, 3], range(1, 4))"]),
    *each("{e}.weighted({b}) if hasattr({e}, 'weighted') else None", e=["E"], b=["pd.Series([1, 2, 3], ['u', 'v', 'w'])"]), "y, s = Y.copy(), S.copy(); t = rg.Truth(y); y.iloc[0] = 9; evaluate(t, s).means; evaluate(t, s[::-1])",
    *each("rg.evaluate_ids({r}, {w}, MEASURES)", r=["pd.Series([['b', 'a'], ['x']], ['u', 'v'])", "pd.Series([['b', 'a'], ['x']])", "pd.Series([['b', 'a'], ['x']], [1, 0])", "pd.Series(['b', 'a'])"], w=["pd.Series([['x'], ['a']], ['v', 'u'])", "pd.Series(['x', 'a'], ['v', 'u'])", "[['a'], ['x']]", "pd.Series([{'a'}, {'x'}])", "{'u': ['a'], 'v': ['y']}", "pd.Series(['a', 'x'])", "pd.Series([['a'], ['x']], [0, 1])"]),
    *each("rg.evaluate_ids({r}, {w}, MEASURES)", r=["pd.DataFrame([[7, 3], [1, 4]], ['u', 'v'])", "np.array([[7, 3], [1, 4]])"], w=["pd.DataFrame([[3, 9], [1, 8]], ['v', 'u'])", "pd.DataFrame([[3, 9], [1, 8]], ['u', 'v'])", "pd.Series([[3], [1]], ['v', 'u'])", "[[3], [1]]"]),
    *each("rg.evaluate_ids({r}, {w}, MEASURES)", r=["pd.Series([['b', 'a'], ['x']], ['u', 'u'])", "{'u': ['b'], 'v': ['x']}"], w=["pd.Series([['x'], ['a'], ['b']], ['v', 'u', 'u'])", "{'u': ['a']}", "pd.Series([['x'], ['a'], ['b']], ['u', 'v', 'v'])"]), "rg.evaluate_ids({'u': ['b'], 'v': ['x']}, {'u': ['b'], 'v': ['y']}, MEASURES, exclude=pd.Series([['x'], ['a']], ['v', 'v']))",
]))
