"""A table in blocks on several machines; a stand-in for Ray runs their tasks here."""

from recorded.recording import drawn, each

GIVEN = """
import pickle, sys, types
from unittest import mock
class Rows:
    def __init__(self, blocks, names=None):
        self.blocks, self.names = blocks, names or list(blocks[0])
    def schema(self):
        return types.SimpleNamespace(names=self.names)
    def select_columns(self, names):
        return Rows([{name: block[name] for name in names} for block in self.blocks])
    def map_batches(self, function, batch_format, batch_size):
        return Rows([function(block) for block in self.blocks], ["data"])
    def take_all(self):
        return [{"data": block["data"][0]} for block in self.blocks]
cluster = types.SimpleNamespace(put=pickle.dumps, get=pickle.loads)
def on_ray(blocks, measures=("nDCG@2", "AP", "RR"), query="q", label="y", **options):
    with mock.patch.dict(sys.modules, {"ray": cluster, "ray.data": cluster}):
        from rankgain.integrations.ray import evaluate
        return evaluate(Rows(blocks), measures, query=query, label=label, **options)
BIG = 2**53 + 1
QUERY = np.array([BIG + 1, -7, 10, BIG + 1, 9, -7, 10, BIG + 1, -7, 9, 3, BIG + 1])
NAMES = np.array(["q10", "é", "q9", "q10", "a", "é", "q9", "q10", "é", "a", "Z", "q10"])
TABLE = {"q": QUERY, "y": np.array([2, 0, 1, 0, 3, 1, 2, 0, 1, 0, 0, 4]), "name": NAMES,
    "s": np.array([0.5, 2.0, 1.0, 0.5, 3.0, 2.0, -np.inf, 0.9, 1.0, 3.0, 7.0, 0.1]),
    "r": np.array([1, 4, 2, 3, 1, 1, 9, 3, 1, 2, 5, 7]), "zero": np.arange(12) % 5}
def cut(*places, **changes):
    table = TABLE | changes
    bounds = [0, *places, 12]
    return [{name: np.asarray(column)[low:high] for name, column in table.items()}
        for low, high in zip(bounds, bounds[1:])]
def put(name, row, value, dtype=object):
    column = TABLE[name].astype(dtype)
    column[row] = value
    return {name: column}
"""
# fmt: off
CUTS = ["cut()", "cut(4, 7)", "cut(1, 1, 3, 11)", "cut(9)[::-1]", "cut(0, 5)", "cut(12)"]
ORDERS = ["score='s'", "rank='r'", "rank='zero'", "score='r'", "rank='s'"]
OPTIONS = ["", "ties='best'", "ties='worst'", "empty='skip'", "gain='exp2'", "convention='sklearn'"]
OPTIONS += ["threads=2", "empty=1"]
CALLS = [
    *each("on_ray({c}, {s})", c=CUTS, s=ORDERS[:3]),
    *drawn(60, "on_ray({c}, query={q!r}, {s}, {o})", c=CUTS, q=["q", "name"], s=ORDERS, o=OPTIONS),
    *each("on_ray(cut(4, 9, y=[0] * 12), {s})", s=ORDERS[:2]),
    *each("on_ray(cut(4, 9, y=[0.5, 1, 0, 0, 2, 0, 0, 0, -3, 1, 0, 0]), 'DCG', {s})", s=ORDERS[:2]),
    *each("on_ray([{{n: c[:0] for n, c in TABLE.items()}}] * {n}, {s})", n=[1, 2], s=ORDERS[:2]),
    *each("on_ray([{{n: c[:0] for n, c in TABLE.items()}}, TABLE], {s})", s=ORDERS[:2]),
    *each("on_ray(cut(6, **put({n!r}, {r}, {v})), {s})", n=["q", "y", "s"], r=[2, 8], v=["None", "float('nan')", "np.inf",
        "'x'", "1.5", "2**53 + 1", "2**64"], s=ORDERS[:1]),
    *each("on_ray(cut(6, **put({n!r}, {r}, {v}, {d!r})), {s})", n=["q", "y", "r"], r=[3, 9], d=["f8"], v=["np.nan", "np.inf",
        "2.5", "-1"], s=ORDERS[1:2]),
    *each("on_ray(cut(6, **put('r', {r}, {v}, 'i8')), rank='r')", r=[3, 9], v=[-1, 0, 2**40, 2**62]),
    *each("on_ray(cut(6, **put('name', 9, {v})), query='name', {s})", v=["None", "np.nan", "3"], s=ORDERS[:2]),
    "on_ray(cut(6, q=QUERY.astype(object)), score='s').queries",
    "on_ray(cut(6, q=QUERY.astype('M8[s]')), score='s')",
    "on_ray(cut(6, q=put('q', 2, 'NaT', 'M8[s]')['q']), score='s')",
    "on_ray(cut(6, q=QUERY == 10), score='s')",
    "on_ray(cut(6, s=TABLE['s'].astype('f4')), score='s', convention='pytrec_eval', ties='average')",
    "on_ray(cut(6), score='s', convention='pytrec_eval', ties='average')",
    "on_ray([cut(6, s=TABLE['s'].astype('f4'))[0], cut(6)[1]], score='s')",
    *each("on_ray(cut(6), {s})", s=["score='t'", "rank='t'", "score='s', rank='r'", "label='s2', score='s'",
        "query='x', score='s'", "label=None, score='s'", "measures='Bpref', score='s'", "measures=[], score='s'",
        "score='s', ties='stable'", "score='s', ties='id'", "measures='ILD', score='s'", "rank='r', ties='stable'"]),
    "on_ray(cut(6))",
    *each("on_ray([cut(6)[0], cut(6, q={c})[1]], {s})", s=ORDERS[:2], c=["NAMES", "NAMES.astype(object)"]),
    *each("on_ray([cut(6, q=NAMES.astype(object))[0], cut(6, q=NAMES)[1]], {s}).queries", s=ORDERS[:2]),
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
