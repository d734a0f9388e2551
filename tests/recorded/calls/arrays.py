"""Labels and scores as arrays: dtypes, shapes, lists of different lengths, and what is no number."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
from array import array
from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction
WIDE = 2**53 + 1
LABELS = [[3, 0, 2, 1], [0, 1, 0, 0], [0, 0, 0, 0]]
SCORES = [[0.5, 0.25, 0.5, 0.75], [1.0, 2.0, 2.0, -1.0], [0.0, 0.0, 1.0, 2.0]]
RAGGED = [[3, 0, 2], [1], [], [0, 1, 0, 2, 1]]
RAGGED_SCORES = [[0.5, 0.25, 0.5], [7.0], [], [1.0, 2.0, 2.0, -1.0, 3.0]]
COUNTS = [[5, 3, 5], [7], [], [1, 2, 2, -1, 3]]
LARGE = [[2**53 + 1, 2**53, 2**53 + 2, 1], [2**62 + 1, 2**62, 2**62 + 3, 2**62 + 2], [-(2**62), -(2**62) + 1, 5, -(2**62) + 2]]
HUGE = [[2**63, 2**63 + 1, 2**64 - 1, 0], [2**63 + 2, 2**63, 4, 2**63 + 1], [1, 2, 2**64 - 2, 2**64 - 1]]
MEASURES = ["nDCG@3", "AP", "P@2", "RR", "DCG@2"]

class Frozen:
    shape, ndim, dtype, requires_grad = (), 0, np.dtype("f4"), True

class Tracer:
    shape, ndim, dtype = (2,), 1, np.dtype("f4")

class OnDevice:
    shape, ndim, dtype = (3, 4), 2, np.dtype("f4")
    def __dlpack_device__(self): return (2, 0)
    def __array__(self, dtype=None, copy=None): raise AssertionError

class Converted:
    def __init__(self, rows): self.rows = rows
    def __array__(self, dtype=None, copy=None): return np.array(self.rows, "f4")

class Exported:
    def __init__(self, rows): self.rows = np.array(rows, "f8")
    def __dlpack_device__(self): return self.rows.__dlpack_device__()
    def __dlpack__(self, **options): return self.rows.__dlpack__(**options)

class Small:
    dtype = "bfloat16"
    def __init__(self, rows): self.rows = rows
    def __array__(self, dtype=None, copy=None): return np.array(self.rows, "f8")

def start(function, size=90):
    try: return function()
    except Exception as error: return f"{type(error).__name__}: {str(error)[:size]}"

def put(rows, value, *place, dtype=None):
    result = np.array(rows, dtype)
    result[place] = value
    return result

def evaluate(labels, scores, **options): return rg.evaluate_arrays(labels, scores, MEASURES, **options)
"""
LABEL_TYPES = ["?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d", "g", ">i2", ">i4", ">f4", ">f8", ">u8", "O"]
SCORE_TYPES = ["b", "h", "i", "q", "e", "f", "d", "g", ">i2", ">i8", ">f4", ">f8", ">f2", "O"]
LISTS = [
    "{0}", "tuple({0})", "[tuple(row) for row in {0}]", "UserList({0})", "deque({0})", "[np.array(row) for row in {0}]",
    "[np.array(row, 'f4') for row in {0}]", "np.array([np.array(row) for row in {0}], object)", "[UserList(row) for row in {0}]",
    "np.array([list(row) for row in {0}], object)",
]
RAGGED_LABELS = [form.format("RAGGED") for form in LISTS]
RAGGED_SCORES = [form.format("RAGGED_SCORES") for form in LISTS] + [form.format("COUNTS") for form in LISTS[:4]]
PLAIN = ["{0}", "tuple(map(tuple, {0}))", "np.array({0})", "np.asfortranarray({0})", "np.array({0})[:, ::-1][:, ::-1]", "np.matrix({0})",
         "np.ma.array({0})", "np.ma.array({0}, mask=False)", "Converted({0})", "Exported({0})", "Small({0})", "np.array({0}, object)",
         "[[np.float32(x) for x in row] for row in {0}]", "[[Fraction(x) for x in row] for row in {0}]", "[[Decimal(x) for x in row] for row in {0}]",
         "np.repeat({0}, 2, axis=1)[:, ::2]", "UserList({0})", "[np.array(row) for row in {0}]", "memoryview(np.array({0}))"]
CALLS = [
    *drawn(70, "evaluate(np.array(LABELS, {a!r}), np.array(SCORES, {b!r}), ties={t!r})", a=LABEL_TYPES, b=SCORE_TYPES, t=["average", "stable", "reverse"]),
    *drawn(60, "evaluate({a}, {b})", a=[form.format("LABELS") for form in PLAIN], b=[form.format("SCORES") for form in PLAIN]),
    *drawn(70, "evaluate({a}, {b}, ties={t!r})", a=RAGGED_LABELS, b=RAGGED_SCORES, t=["average", "stable", "best"]),
    *drawn(60, "rg.{f}({a}[{i}], {b}[{i}])", f=["ndcg", "average_precision", "reciprocal_rank"], a=["LABELS", "np.array(LABELS, 'f4')", "[tuple(row) for row in LABELS]"],
           b=["SCORES", "np.array(SCORES, '>f4')", "[array('d', row) for row in SCORES]"], i=[0, 1, 2]),
    # Scores beyond 2**53 keep their order.
    *each("evaluate(LABELS, np.array({s}, {d!r}))", s=["LARGE"], d=["i8", ">i8", "O"]),
    *each("evaluate(LABELS, {s})", s=["LARGE", "HUGE", "np.array(HUGE, 'u8')", "np.array(HUGE, '>u8')", "np.array(HUGE, object)"]),
    *each("evaluate({y}, {s})", y=["[[1, 2, 0, 3], [0, 1]]"], s=["[[2**62 + 1, 2**62, 2**62 + 3, 2**62 + 2], [1, 2]]", "[np.array([2**62 + 1, 2**62, 2**62 + 3, 2**62 + 2]), [1, 2]]",
         "[np.array([2**63 + 1, 2**63, 2**64 - 1, 7], 'u8'), np.array([3, 1])]", "[[2**63 + 1, 2**63, 2**64 - 1, 7], [3, 1]]", "[[2**62 + 1, 2**62, 3, 4], [0.5, 1.5]]",
         "[[0.5, 1.5, 3.0, 4.0], [2**62 + 1, 2**62]]", "[np.array([2**63 + 1, 2**63, 2**64 - 1, 7], 'u8'), np.array([-3, 1])]", "[[], [2**62, 2**62 + 1]]", "[[1, 2, 3, True], [False, 2]]",
         "[[np.int64(3), 2, 1, 5], [4, np.float64(0.5)]]", "[[Decimal('0.3'), 2, 1, 5], [Fraction(1, 3), 1]]", "[[True, False, True, True], [False, True]]", "[[1, 2**53 - 1, 2**53 - 2, 0], [0.5, 1]]"]),
    *each("rg.ndcg([1, 2, 0], {s})", s=["[2**62, 2**62 + 1, 0.5]", "[2**63, 2**63 + 1, 5]", "[2**63, 2**63 + 1, -5]", "[2**64, 1, 5]", "[Decimal(2**53 + 1), 1.5, 2]", "[1.5, WIDE, 2]", "[1.5, np.int64(WIDE), 2]",
         "[float(2**62), 2.0, 1.0]", "np.array([2**53 + 1, 1.5, 2], object)", "np.array([-np.inf, np.inf, 0.0])", "[np.inf, np.inf, 1e300]", "np.array([1e300, 1e301, 3], 'f8')", "np.array([7, np.nan, 3], 'g')",
         "[1, float('nan'), 3]", "np.array([1, 3, np.nan], 'f2')", "array('f', [3, 1, 2])", "range(3)", "memoryview(np.array([1.0, 3.0, 2.0]))", "UserList([3, 1, 2])"]),
    *each("rg.dcg({y}, [3, 2, 1])", y=["[2**53, 1, 0]", "[2**53 + 1, 1, 0]", "[0, 1, 2**53 + 2]", "np.array([1, 2**63, 5], 'u8')", "np.array([1, 2**64 - 1, 5], 'u8')", "[1, 2, -(2**53) - 1]", "np.array([1, 2, -(2**63)])",
         "[1.5, 2**53 + 1, 0]", "[-1, 0.5, -2.5]", "[1, np.inf, 0]", "[0, 1, -np.inf]", "[np.nan, 1, 0]", "np.array([1, np.nan, 2], 'g')", "np.array([1, 1, 2], 'e')", "[True, False, True]", "[True, 2, 0]"]),
    # What is no number, in one row and in the second of several faults.
    *each("rg.ndcg({y}, {s})", y=["[1, 0]"], s=["[1, 'x']", "[None, 1]", "['3', '2']", "[b'1', 2]", "[1, 2j]", "np.array([1j, 2])", "np.array(['2020-01-01', '2020-01-02'], 'M8[D]')", "np.array([b'a', b'b'])",
         "{1, 2}", "'ab'", "b'ab'", "None and 1", "np.float64(3.0)", "3", "np.zeros((1, 1, 2))", "np.array([[[1, 2]]], object)", "object()", "Frozen()", "[Frozen(), 1]", "Tracer()", "[1, Tracer()]", "OnDevice()",
         "np.ma.array([1, 2], mask=[False, True])", "np.array([1, None], object)", "[[1], [2]]"]),
    *each("start(lambda: {call}, 60)", call=["rg.ndcg([1, 0], [1, [2]])", "evaluate(LABELS, [[1, 2, 3, 4], [1, 2, [3], 4], [1, 2, 3, 4]])", "evaluate(RAGGED, [[0.5, 0.2, 0.5], [7], [], [[1], 2, 2, 3, 4]])"]),
    *each("evaluate({y}, SCORES)", y=["put(LABELS, None, 1, 2, dtype=object)", "put(LABELS, 'x', 2, 0, dtype=object)", "put(LABELS, np.nan, 1, 3, dtype='f8')", "put(LABELS, np.inf, 2, 2, dtype='f4')",
         "put(LABELS, -1, 1, 2)", "put(LABELS, -2.5, 2, 1, dtype='f8')", "put(LABELS, WIDE, 1, 1)", "put(put(LABELS, -3, 2, 1), -1, 1, 3)", "put(put(LABELS, np.nan, 2, 1, dtype='f8'), -1, 1, 3)",
         "put(put(LABELS, np.nan, 1, 1, dtype='f8'), -1, 2, 3)", "LABELS[:2]", "np.array(LABELS)[:, :3]", "LABELS[0]", "[[]]", "[]", "np.zeros((3, 0))", "np.zeros((0, 4))", "None", "'LABELS'",
         "np.ma.array(LABELS, mask=[[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])", "[[1, 2, 3, 4], None, [1, 2, 3, 4]]", "[[1, 2, 3, 4], 5, [1, 2, 3, 4]]", "[[1, 2, 3, 4], 'abcd', [1, 2, 3, 4]]",
         "[[1, 2, 3, 4], [1, 2, 3, 'x'], [1, 2, None, 4]]", "[[1, 2, 3, 4], np.zeros((2, 2)), [1, 2, 3, 4]]", "[[1, 2, 3, 4], np.array(['a', 'b']), [1, 2, 3, 4]]",
         "[[1, 2, 3, 4], Frozen(), [1, 2, 3, 4]]", "[[1, 2, 3, 4], [1, 2, Frozen(), 4], [1, 2, 3, 4]]", "[[1, 2, 3, 4], [1, 2, Tracer(), 4], [1, 2, 3, 4]]"]),
    *each("evaluate(LABELS, {s})", s=["put(SCORES, np.nan, 1, 2)", "put(put(SCORES, np.nan, 2, 1), np.nan, 1, 3)", "put(SCORES, np.nan, 2, 0, dtype='f4')", "put(SCORES, None, 2, 3, dtype=object)", "OnDevice()",
         "SCORES[:2]", "SCORES[1]", "np.array(SCORES)[:, :3]", "RAGGED_SCORES", "[[0.5, 0.25, 0.5, 0.75], [1.0, 2.0], [0.0, 0.0, 1.0, 2.0]]", "put(SCORES, -np.inf, 0, 0)", "[]", "np.array(SCORES, complex)"]),
    *each("evaluate(RAGGED, {s})", s=["RAGGED_SCORES[:3]", "SCORES", "SCORES[0]", "[[0.5, 0.25, 0.5], [7.0], [1.0], [1.0, 2.0, 2.0, -1.0, 3.0]]", "[[0.5, 0.25, 0.5], [7.0], [], [1.0, 2.0, 2.0]]", "[[0.5, 0.25], [7.0, 1.0], [], [1.0]]",
         "[[0.5, np.nan, 0.5], [7.0], [], [1.0, 2.0, 2.0, -1.0, 3.0]]", "[[0.5, 0.2, 0.5], [7.0], [], [1.0, 2.0, 2.0, np.nan, np.nan]]", "[[0.5, 0.2, 0.5], ['x'], [], [1.0, None, 2.0, 3.0, 4.0]]",
         "[[0.5, 0.2, 0.5], [7], [], 'abcde']", "[[0.5, 0.2, 0.5], [7], [], None]", "[np.zeros(3), np.zeros((1, 1)), np.zeros(0), np.zeros(5)]", "np.zeros((4, 3))", "np.zeros((4, 0))"]),
    *each("evaluate({y}, RAGGED_SCORES)", y=["[[3, 0, 2], [1], [], [0, 1, 0, -2, 1]]", "[[3, 0, 2], [1.5], [], [0, 1, 0, np.nan, 1]]", "[[3, 0, 2], [-0.5], [], [0, 1, 0, -7, 1]]", "[[3, 0, 2], [WIDE], [], [0, 1, 0, 2, 1]]",
         "[[3, 0, 2], [0.5], [], [0, 1, WIDE, 2, 1]]", "[[3, 0, 2], [True], [], [0, 1, 0, 2, 1]]", "[[True, False, True], [True], [], [False, True, False, False, True]]", "np.zeros(4)", "np.zeros((4, 2))", "RAGGED[::-1]"]),
    # Swapped arguments, and fractions of labels.
    "rg.ndcg([0.5, -0.25, 1.5], [1, 0, 2])", "rg.ndcg([0.5, -0.25, 1.5], [1, 0, 2.5])", "rg.ndcg([0.5, -0.25, 1.5], [1, 0, -2])", "rg.ndcg([2, -1, 1], [1, 0, 2])", "rg.ndcg([2, -1.5, 1], [0.5, 0, 2])",
    "rg.ndcg([[1, 0], [0.5, -1]], [[0.5, 1.5], [3, 2]])", "rg.ndcg([[1, 0], [0.5, -100]], [[0.5, 1.5], [3.5, 2]])", "rg.ndcg([[1.5, 0], [1, -100]], [[0.5, 1.5], [3, 2]])",
    "rg.ndcg([1, 0, 2], [3, 2, 1], gain='exp2')", "rg.ndcg([1, 1100, 2000], [3, 2, 1], gain='exp2')", "rg.ndcg([[1, 0], [5, 3000]], [[1, 2], [2, 1]], gain='exp2')", "rg.ndcg([1, 0], [3, 2], judged=[1, 0, 5000], gain='exp2')",
    "rg.err([1, 5, 0], [3, 2, 1])", "rg.err([[1, 2], [0, 9]], [[3, 2], [1, 2]], max_label=8)", "rg.err([1, 2], [3, 2], judged=[1, 2, 7], max_label=6)", "rg.err([[1, 2]], [[3, 2]], judged=[[1, -2]])",
    "rg.ndcg(LABELS)", "rg.ndcg(RAGGED)", "rg.ndcg(LABELS[0])", "rg.ndcg([0, 1, -1])", "rg.ndcg(np.array(LABELS), k=2)", "start(lambda: rg.ndcg([[1, 2], [3, [4]]], [[1, 2], [3, 4]]))",
    "start(lambda: rg.ndcg([1, 2], [1, 10**400]), 60)", "start(lambda: rg.ndcg([1, 2], [[1, 2], [3]]), 120)", "start(lambda: rg.ndcg([1, 2], [[1, 2], Tracer()]), 120)", "start(lambda: rg.ndcg([1, 2], np.array(['a', 'b'])))",
    "y = np.array(LABELS, 'f4'); s = np.array(SCORES); evaluate(y, s).means; y[0] = 0; s[1] = s[1, ::-1]; evaluate(y, s).means; y, s",
]
