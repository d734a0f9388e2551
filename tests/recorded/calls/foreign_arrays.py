"""Arrays of libraries that are not installed here: sparse and nested tensors, lists of awkward, arrays on a device."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import contextlib
import sys
import types
NAN = float("nan")
LABELS = [[3, 0, 2, 1], [0, 1, 0, 0], [0, 0, 0, 0]]
SCORES = [[0.5, 0.25, 0.5, 0.75], [1.0, 2.0, 2.0, -1.0], [0.0, 0.0, 1.0, 2.0]]
RAGGED, RAGGED_SCORES = [[3, 0, 2], [1], [0, 1, 0, 2]], [[0.5, 0.25, 0.5], [7.0], [1.0, 2.0, 2.0, -1.0]]
MEASURES = ["nDCG@3", "AP", "RR", "P@2"]

class Tensor:
    "A tensor in the memory of the CPU."
    def __init__(self, values, dtype="f4"): self.values, self.requires_grad, self.is_nested, self.layout = np.array(values, dtype), False, False, "torch.strided"; self.shape, self.dtype, self.ndim = self.values.shape, self.values.dtype, self.values.ndim
    def __len__(self): return len(self.values)
    def __getitem__(self, key): return self.values[key]
    def __array__(self, dtype=None, copy=None): return self.values
    def tolist(self): return self.values.tolist()
    def detach(self): return self

class Half(Tensor):
    def __init__(self, values): super().__init__(values); self.dtype = "torch.bfloat16"
    def float(self): return Tensor(self.values)
    def __array__(self, dtype=None, copy=None): raise TypeError

class Nested:
    is_nested = True
    def __init__(self, rows): self.rows = rows
    def __len__(self): return len(self.rows)
    def unbind(self): return [Tensor(row, np.array(row).dtype) for row in self.rows]

class SparseTensor:
    def __init__(self, rows, layout="torch.sparse_csr", shape=None):
        rows = np.array(rows)
        self.dense, self.layout, self.shape = rows, layout, shape or rows.shape
    def to_dense(self): return self.dense
    def to_sparse_csr(self): return SparseTensor(self.dense)
    def values(self): return Tensor(self.dense[self.dense != 0], self.dense.dtype)
    def col_indices(self): return Tensor(np.nonzero(self.dense)[1], "i8")
    def crow_indices(self): return Tensor(np.append(0, np.cumsum((self.dense != 0).sum(1))), "i8")

class Awkward:
    ndim = 2
    def __init__(self, rows): self.rows = rows
    def __len__(self): return len(self.rows)
    def __iter__(self): return iter(self.rows)
Awkward.__module__ = "awkward.highlevel"

def flat(value, allow_missing=True):
    result = np.array(value, object if any(x is None for x in value) else None)
    if result.dtype.kind == "O" and not allow_missing: raise ValueError("missing")
    return result

@contextlib.contextmanager
def library(name, **functions):
    sys.modules[name] = types.SimpleNamespace(**functions)
    try: yield
    finally: del sys.modules[name]

def awkward(function):
    with library("awkward", num=lambda a: list(map(len, a.rows)), flatten=lambda a: [x for row in a.rows for x in row], to_numpy=flat): return function()

class CupyArray(np.ndarray):
    def __array__(self, dtype=None, copy=None): raise TypeError("implicit conversion")
    def get(self): return np.array(self.tolist(), self.dtype).reshape(self.shape)
CupyArray.__module__ = "cupy._core.core"

def of(values, dtype=None): return np.array(values, dtype).view(CupyArray)
def cupy(function):
    def wrap(name): return lambda *args, **options: np.asarray(getattr(np, name)(*args, **options)).view(CupyArray)
    functions = {name: wrap(name) for name in ("sort", "take", "where", "zeros", "isnan", "array")}
    with library("cupy", asarray=functions.pop("array"), nonzero=lambda a: tuple(places.view(CupyArray) for places in np.nonzero(a)), **functions): return function()

def evaluate(labels, scores, **options): return rg.evaluate_arrays(labels, scores, MEASURES, **options)
"""
CALLS = [
    *each("evaluate({y}, {s})", y=["Tensor(LABELS)", "LABELS", "Half(LABELS)", "[Tensor(row) for row in LABELS]"], s=["Tensor(SCORES)", "Half(SCORES)", "[Tensor(row) for row in SCORES]", "[Half(row) for row in SCORES]", "SCORES"]), *each("evaluate({y}, {s})", y=["Nested(RAGGED)", "RAGGED"], s=["Nested(RAGGED_SCORES)", "RAGGED_SCORES", "Nested(RAGGED_SCORES[:2])", "Nested([[0.5, 0.2, NAN], [7.0], [1.0, 2.0, 2.0, NAN]])"]), "rg.evaluate_ids(Nested([[2, 0], [1]]), Nested([[0], [3, 1]]), MEASURES)", "rg.evaluate_ids(Nested([[2, 0], [1]]), [[0], [3, 1]], MEASURES)",
    *drawn(24, "evaluate({y}, {s}, exclude={x})", y=["SparseTensor(LABELS)", "SparseTensor(LABELS, 'torch.sparse_coo')", "SparseTensor(np.array(LABELS, 'f4'), 'torch.sparse_csc')"], s=["SCORES", "Tensor(SCORES)"], x=["None", "SparseTensor([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])", "SparseTensor([[0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 0, 1]], 'torch.sparse_coo')"]), *each("evaluate({y}, {s})", y=["LABELS", "SparseTensor(LABELS)"], s=["SparseTensor(SCORES)", "SparseTensor(SCORES, 'torch.sparse_coo')"]), *each("rg.evaluate_ids({r}, {w}, MEASURES)", r=["[[2, 0], [1, 3], [0, 3]]", "Tensor([[2, 0], [1, 3], [0, 3]], 'i8')", "SparseTensor(SCORES)"], w=["SparseTensor(LABELS)", "SparseTensor(LABELS, 'torch.sparse_coo')", "[[2], [1], [3]]"]),
    "evaluate(SparseTensor([LABELS], shape=(1, 3, 4)), SCORES)", "evaluate(SparseTensor(LABELS, shape=(3, 4, 1)), SCORES)", "rg.Truth(SparseTensor(LABELS)).labels", "evaluate(LABELS, SCORES, ids=SparseTensor(LABELS))", "evaluate(LABELS, SCORES, weight=SparseTensor([[1, 2, 3]]))", "rg.neighbor_recall(SparseTensor(SCORES), [[1], [2], [3]])", "rg.evaluate_catalogue(SparseTensor(SCORES), 'Coverage@2', catalogue=4)",
    *each("awkward(lambda: evaluate({y}, {s}))", y=["Awkward(RAGGED)", "RAGGED", "Awkward([[3, 0], [1, 2]])", "Awkward([[3, None, 2], [1], [0, 1, 0, 2]])", "Awkward([['a', 'b', 'c'], ['d'], ['e', 'f', 'g', 'h']])"], s=["Awkward(RAGGED_SCORES)", "RAGGED_SCORES", "[[1, 2], [3, 4]]", "Awkward([[1, 2], [3, 4]])"]),
    *drawn(70, "cupy(lambda: evaluate({y}, {s}, ties={t!r}, exclude={x}, lengths={n}))", y=["LABELS", "of(LABELS)", "of(LABELS, 'f4')", "of(LABELS, '?')", "of(LABELS, 'f2')", "np.array(LABELS, 'i1')"], s=["of(SCORES)", "of(SCORES, 'f4')", "of(SCORES, 'f2')"], t=["average", "best", "worst", "stable"], x=["None", "np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], bool)", "None"], n=["None", "[4, 2, 3]", "None"]),
    *each("cupy(lambda: evaluate({y}, {s}))", y=["of(LABELS)", "of(LABELS[0])", "of([LABELS])", "of([[1.0, NAN, 0, 2], [0] * 4, [0] * 4])", "of([[1, -1, 0, 2], [0] * 4, [-2] * 4])", "rg.Truth(LABELS)", "RAGGED"], s=["of(SCORES)", "of(SCORES[0])", "of([SCORES])", "of([[1.0, NAN, 0, 2], [0] * 4, [NAN] * 4])", "of(SCORES[:2])", "of(SCORES, '?')", "of(SCORES, 'i4')"]),
    *each("cupy(lambda: rg.{f}({y}, {s}, k={k}))", f=["ndcg", "average_precision", "precision"], y=["of(LABELS)", "of(LABELS[0])"], s=["of(SCORES, 'f4')", "of(SCORES[0])"], k=[1, 3]), *each("cupy(lambda: evaluate(LABELS, of(SCORES), {o}))", o=["ignore=1", "judged=[[3, 2, 1, 1], [1], [2]]", "bounds='ties'", "qid=[1, 2, 3]", "ids=[list('abcd')] * 3, ties='id'", "weight=[1, 2, 3]", "threads=2", "convention='trec_eval'"]),
    *each("cupy(lambda: rg.evaluate_scores(lambda users: of(SCORES)[users], {w}, MEASURES, exclude={x}, batch={b}))", w=["[[0, 2], [1], [3]]", "[{0: 3, 2: 1}, {1: 1}, {}]"], x=["None", "(np.ones(2), np.array([1, 0]), np.array([0, 1, 2, 2]))"], b=["None", "2"]), "cupy(lambda: evaluate([3, 0, 2, 1, 0, 1], of([1.0, 2.0, 2.0, 1.0, 3.0, 1.0]), qid=[1, 1, 2, 2, 1, 2]))", "cupy(lambda: evaluate([3, 0, 2, 1, 0, 1], of([1.0, 2.0, 2.0, 1.0, 3.0, 1.0]), group=[2, 4]))", "cupy(lambda: rg.evaluate_models(LABELS, {'a': of(SCORES), 'b': of(SCORES)[:, ::-1]}, MEASURES))", "cupy(lambda: rg.evaluate_ids(of([[2, 0], [1, 3]]), [[0], [3]], MEASURES))",
    *each("cupy(lambda: rg.{f}({y}, {s}{k}))", f=["dcg", "idcg", "ndcg"], y=["of([[1, -1, 0, 2], [0, 0, 0, 0], [-2, 3, 0, -1]])", "[[1, -1, 0, 2], [0, 0, 0, 0], [-2, 3, 0, -1]]"], s=["of(SCORES)", "of(SCORES, 'f4')"], k=["", ", k=2"]), *each("cupy(lambda: rg.evaluate_arrays({y}, of(SCORES), 'nDCG@2', bounds={b}))", y=["of(LABELS)", "of(LABELS, 'f4')"], b=["'ties'", "'unjudged'"]),
    "cupy(lambda: rg.gauc([[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0]], of(SCORES)))", "s = of(SCORES); cupy(lambda: evaluate(LABELS, s)).means; np.array_equal(s.get(), SCORES)",
]
