"""Results as frames of pandas and polars, and labels and scores that come in them."""

from recorded.recording import each

NEEDS = ["narwhals", "pandas", "polars", "pyarrow"]
GIVEN = """
import pandas as pd, polars as pl, pyarrow as pa
LABELS = [[3, 0, 1, 0], [0, 0, 0], [0, 1], [2, 0, 0, 1, 1], [1]]
SCORES = {"b": [[4, 3, 2, 1], [1, 2, 2], [1, 0], [5, 4, 4, 2, 0], [1]], "a": [[1, 2, 3, 4], [0, 0, 0], [0, 1], [1, 1, 1, 1, 1], [0]]}
IDS = [2**53 + 1, -7, 10, 9, 2**53 + 2]
QID = ["q10", "q9", "=q", "é", "z"]
def one(name="b", measures=("nDCG@2", "RR"), ids=QID, **options):
    qid = [id for id, labels in zip(ids, LABELS) for _ in labels]
    return rg.evaluate_arrays(sum(LABELS, []), sum(SCORES[name], []), measures, qid=qid, **options)
def runs(**options):
    return rg.Evaluations({name: one(name, **options) for name in SCORES})
values = rg.Evaluation.from_values({"t": [1, None, 3], "acc (%)": [0.5, 1, 0]}, ["x", "y", "z"], better={"t": "lower"})
pooled = rg.pool({"news": runs(), "wiki": runs(ids=IDS)})
total = rg.Accumulator()
total.add(one(), segment="s"); total.add(one("a", ids=IDS), segment=3)
TABLE = pd.DataFrame({"model": ["y", "x", "y", "x"], "task": ["qa", "qa", "sum", "sum"], "accuracy": [0.7, 0.5, None, 0.6], "seconds": [1.0, 2, 1.5, 2.5]})
"""
# fmt: off
FRAMES = ["to_pandas", "to_polars"]
RESULTS = ["one()", "one(ids=IDS)", "one(empty=float('nan'))", "one(bounds='ties')", "values", "pooled['a']",
    "one(ids=IDS, weight=[1, 2, 3, 4, 5])", "one()._replace(queries=['a', 3, 'b', 1, 'c'])",
    "rg.evaluate_arrays(LABELS[0], SCORES['b'][0], 'RR')", "one()._replace(queries=['a', '\\udc80', 'b', ('x', 1), 'c'])"]
LABELLED = ["['x', 'y', 'x', 'z', 'y']", "[1, 2, 1, 3, 2]"]
CALLS = [
    *each("{r}.{f}()", r=RESULTS, f=FRAMES),
    *each("runs({o}).{f}({t})", o=["", "empty=float('nan')"], f=FRAMES, t=["", "sort='RR'", "transpose=True",
        "intervals=True", "sort='nDCG@2', transpose=True", "intervals=True, transpose=True"]),
    *each("{r}.{f}({t})", r=["pooled", "rg.Evaluations({'é\\\\udc80': values, 'w': one()})",
        "rg.Evaluations({1: one(), 2: one('a')})"], f=FRAMES, t=["", "transpose=True", "intervals=True"]),
    "total.result().to_pandas()",
    "rg.Accumulator().result().to_pandas()",
    "b = total.to_arrow(); b.num_rows; rg.Accumulator.from_arrow(b) == total; rg.Accumulator.from_arrow(pa.Table.from_batches([b, b])).count",
    "rg.Accumulator.from_arrow(pa.table({'x': [1]}))",
    "rg.Accumulator.from_arrow(total.to_arrow().slice(0, 0)).count",
    "one().to_pandas().columns.tolist(), one().to_pandas().index.name, one().to_polars().columns",
    "f = one().to_pandas(); f.iloc[0, 0] = 9; one().to_pandas().iloc[0, 0]",
    # Labels of queries.
    *each("one().by({k})", k=[f"pd.Series({n}{t})" for n in LABELLED for t in ("", ", index=QID", ", dtype='category'")]),
    *each("one().by({k})", k=[f"{w}({n})" for n in LABELLED for w in ("pl.Series", "pa.array", "np.array")]),
    "one().by(pd.Series(['p', 'q', 'p', 'r', 'q'], index=QID[::-1]))",
    "one().by(pd.Series(['p', 'q', 'p', 'r'], index=QID[:4]))",
    "one().by(pd.Series(['p', None, 'p', 'r', 'q']))",
    "one().by(pd.Categorical(['p', 'q', 'p', 'r', 'q'], categories=['r', 'w', 'q', 'p']))",
    "one().by(pl.Series(['p', 'q', 'p', 'r', 'q'], dtype=pl.Enum(['r', 'w', 'q', 'p'])))",
    "one().by(pl.DataFrame({'a': [1]}))",
    "one().by(pd.DataFrame({'lang': ['p', 'q', 'p', 'r', 'q']})['lang'])",
    "one().interval('RR', by=pd.Series([1, 2, 1, 3, 2], index=QID), method='t')",
    "one().intervals(by=pl.Series([1, 2, 1, 3, 2]), method='t')",
    # Tables of scores.
    *each("rg.Evaluations.from_frame({f}{o})", f=["TABLE", "pl.from_pandas(TABLE)", "pa.Table.from_pandas(TABLE)"], o=["",
        ", better='lower'", ", better={'seconds': 'lower'}", ", run='model', query='task', values='seconds'",
        ", values=['seconds', 'accuracy']"]),
    *each("rg.Evaluations.from_frame(TABLE.melt(['model', 'task']){o})", o=["", ", measure='variable', value='value'",
        ", measure='variable', value='value', better='lower'", ", measure='variable'", ", value='x'"]),
    *each("rg.Evaluations.from_frame({f})", f=["TABLE, run='x'", "TABLE, values='model'", "TABLE.assign(task='qa')",
        "TABLE.drop(columns='model')", "TABLE[:0]", "TABLE.assign(seconds=np.inf)", "TABLE, values=[]",
        "TABLE, better={'s': 'lower'}", "TABLE, query=['task', 'seconds'], values='accuracy'", "3"]),
    *each("rg.Evaluations.from_frame(TABLE{c})", c=[", query='what'", ", values=['x']", ", values=3", ", values=['seconds', 'seconds']",
        ", values='seconds', measure='task'", ", measure='m'", "[['model', 'task']]", ".assign(note='x')", ".assign(model=[None, *'abc'])",
        ".assign(task=[1.0, np.nan, 2, 3])"]),
    *each("rg.Evaluations.from_frame(TABLE.melt(['model', 'task'], var_name='metric', value_name='score'){c})", c=["", ", value='m'",
        ".assign(metric=['f1', 'f1', 'f1', *[3] * 5])", ".sample(11, replace=True, random_state=1)"]),
    "rg.Evaluations.from_frame(pd.concat([TABLE, TABLE[:1]]))",
    # Arrays that are columns, in another order.
    *each("rg.evaluate_scores(lambda users: {w}(np.array(SCORES['b'][3])[None, :][users * 0]), [[0], [3]], 'RR').per_query",
        w=["pd.DataFrame", "pl.DataFrame"]),
    *each("rg.evaluate_factors({w}({{'f': [1.0, 2], 'g': [0.0, 1]}}), [[1, 2], [3, 4], [0, 1]], [[0], [2]], 'RR').per_query",
        w=["pd.DataFrame", "pl.DataFrame"]),
    *each("rg.evaluate_factors(pd.DataFrame({{'f': [1.0, 2]}}, index=[5, 6]), [[1], [3], [0]], {r}, 'RR'{w})",
        r=["[[0], [2]]"], w=["", ", weight=pd.Series([1, 3], index=[6, 5])", ", weight=pd.Series([1, 3], index=[5, 6])",
        ", exclude=pd.DataFrame([[True, False, False]] * 2, index=[6, 5])"]),
    "rg.evaluate_counts(pd.DataFrame([(1, 'a', 1, 0, 1, 2, True), (2, 'b', 1, None, None, 0, False)], columns=['query', 'doc', 'label', 'above', 'equal', 'size',"
    " 'retrieved']), 'RR')",
    *each("t = pl.DataFrame({{'query': [1, 2, 2], 'label': [1, 2, 0], 'above': [0, None, 1], 'equal': [1, None, 1]}}); rg.evaluate_counts({w}, ['RR', 'AP'], ties='average')",
        w=["t", "t.lazy()", "t.to_arrow()", "t.to_pandas()", "t.with_columns(label=pl.Series([1, None, 0]))"]),
    *each("p = rg.PartialRanks({q}, [2.0, 1], [1, 2]); p.add({q}, [2.0, 1]); p.finish('RR')", q=["pd.Series([7, 5])",
        "pl.Series(['b', 'a'])", "pa.array([7, 5])", "pd.Series([7, 5], index=[1, 0])", "pd.Series([7, None])",
        "pd.Series(['b', None])"]),
    "rg.PartialRanks([1], [1], [1], judged=(pd.Series([1, 2]), pd.Series([1, 0], index=[1, 0])))",
    "p = rg.PartialRanks([1, 2], [1, 2], [1, 1]); p.add(pd.Series([1, 2]), pd.Series([2.0, 1], index=[1, 0]))",
    "rg.PartialRanks(pd.Series([7, 5]), pd.Series([2.0, 1], index=[1, 0]), [1, 2])",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
