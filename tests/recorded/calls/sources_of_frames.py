"""Qrels and Run from data frames and files of tables: columns, types, ranks, subtopics, systems."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas", "polars", "pyarrow"]
GIVEN = """
import io, uuid
from pathlib import Path
import pandas as pd, polars as pl, pyarrow as pa, pyarrow.parquet

MAKE = {
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "lazy": lambda columns: pl.LazyFrame(columns, strict=False),
    "arrow": lambda columns: pa.table(columns),
    "chunks": lambda columns: pa.concat_tables([pa.table(columns)[:2], pa.table(columns)[2:]]),
    "slice": lambda columns: pa.table(columns)[1:],
    "dtypes": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "index": lambda columns: pd.DataFrame(columns, index=range(9, 9 + len(columns["s"]))),
    "objects": lambda columns: pd.DataFrame(columns, dtype=object),
}

def frame(columns, form):
    if form.startswith("."):
        data = pd.DataFrame(columns)
        name = "table" + form
        if form == ".parquet":
            data.to_parquet(name)
        else:
            separator = "," if form.startswith(".csv") else chr(9)
            data.to_csv(name, index=False, sep=separator)
        return name
    return MAKE[form](columns)

def of(kind, columns, form, *arguments, **options):
    made = kind.from_frame(frame(columns, form), *arguments, **options)
    return shown(made)

def shown(made):
    file = io.StringIO()
    with warnings.catch_warnings(action="ignore"):
        made.write(file)
        if type(made) is rg.Qrels:
            keys = rg.evaluate(made, {}, "P@1").queries
            return repr(made), made.to_dict(), made.subtopics, file.getvalue(), keys
    return repr(made), made.to_dict(), file.getvalue()

def run(columns, form="pandas", **options):
    return of(rg.Run, columns, form, **options)

def qrels(columns, form="pandas", **options):
    return of(rg.Qrels, columns, form, **options)

def both(columns, form="pandas"):
    # The usual names, by the class itself.
    return shown(rg.Run(frame(columns, form))), shown(rg.Qrels(frame(columns, form)))

import warnings
TEXT = {"q": ["q2", "q10", "q2", "q3", "q10"], "d": ["b", "a", "é", "b", "c"],
        "s": [0.5, 1.0, 0.5, -2.0, 7.0], "l": [1, 0, 2, -1, 3], "r": [1, 2, 4, 1, 1]}
WHOLE = {"q": [2, 10, 2, 3, 10], "d": [2**53 + 1, 4, 2**53, 4, 5], "s": [0.5, 1, 0.5, -2, 7],
         "l": [1, 0, 2, 1, 3], "r": [0, 1, 2, 0, 0]}
USUAL = {"query_id": TEXT["q"], "doc_id": TEXT["d"], "score": TEXT["s"], "label": TEXT["l"]}
RARE = {"uid": TEXT["q"], "movieId": TEXT["d"], "rating": [4.5, 3, 2, 1, 5], "score": [1, 2, 3, 4, 5]}
BEIR = {"query-id": TEXT["q"], "corpus-id": TEXT["d"], "score": [1, 2, 0, 1, 1]}
KEYS = {"a": ["x", "x", "y", "x", "y"], "b": [1, 2, 1, 1, 1], "d": ["m", "n", "o", "p", "m"],
        "s": [3, 2, 1, 5, 0.5], "l": [1, 2, 0, 1, 1]}
PARTS = {"q": ["q2", "q1", "q2", "q2", "q2"], "d": ["b", "a", "b", "c", "b"], "l": [1, 2, 0, 3, 1],
         "p": ["r", "x", "o", "r", "r"], "w": [2.0, 1.0, 0.5, 2.0, 2.0], "s": [1, 2, 3, 4, 5]}
SYSTEMS = {"qid": ["q1", "q1", "q2", "q1", "q2"], "doc": ["a", "b", "a", "a", "c"], "score": [3, 2, 1, 5, 7],
           "system": ["B", "B", "A", "A", "B"], "rank": [1, 2, 1, 1, 1]}
NAMES = dict(query="q", doc="d")
"""
FORMS = ["pandas", "polars", "lazy", "arrow", "chunks", "slice", "dtypes", "index", ".csv"]
FORMS += [".tsv", ".parquet", ".csv.gz"]
RUN = ['**NAMES, score="s"', '**NAMES, rank="r"', '**NAMES, score="l"', '**NAMES, score="r"']
QRELS = ['**NAMES, label="l"', '**NAMES, label="s"']
CHANGED = [
    "d=['b', None, 'c', 'd', 'e']",
    "q=['q2', 'q10', None, 'q3', 'q10']",
    "s=[0.5, 1.0, None, -2.0, 7.0]",
    "s=[0.5, 1.0, 2.0, np.nan, 7.0]",
    "s=[0.5, 1.0, np.inf, -2.0, -np.inf]",
    "s=['0.5', '1', '2', '-2e1', '7']",
    "s=['0.5', '1', 'x', '-2e1', 'y']",
    "s=[True, False, True, True, False]",
    "s=[2**53 + 1, 2**53, 1, 2, 3]",
    "s=[10**400, 1, 2, 3, 4]",
    "d=['b', 'a', 'b', 'b', 'c']",
    "d=['b', 'a', 'é', 'b', 'a']",
    "d=[1.5, 2.0, 3.0, 4.0, 5.0]",
    "d=[1.0, 2.0, 3.0, 4.0, 5.0], q=[1.0, 1.0, 2.0, 2.0, 3.0]",
    "q=[True, False, True, True, False]",
    "d=['', 'a', 'é', 'b', 'c']",
    "q=pd.Categorical(['q2', 'q10', 'q2', 'q3', 'q10'])",
    "d=pd.Categorical([2, 4, 6, 4, 5])",
    "r=[1, 2, 2, 1, 1]",
    "r=[1, 2, 0, 1, 1]",
    "r=[1.5, 2, 3, 1, 1]",
    "r=[1, 2, -3, 1, 1]",
    "s=[]*0 or [1, 1, 1, 1, 1], l=[0] * 5",
]
STORED = [change for change in CHANGED if "pd." not in change and "400" not in change]
OBJECTS = [
    "d=[uuid.UUID(int=i) for i in range(5)]",
    "d=['b', 7, 'é', 'b', 'c']",
    "d=['7', 'a', 7, 'b', 'c'], q=['x'] * 5",
    "q=[3, 4, 3, 'x', 4]",
    "q=[uuid.UUID(int=i % 2) for i in range(5)]",
    "d=['b', 2.5, 'é', 'b', 'c']",
    "s=[1, 'x', 2, 3, 4]",
    "s=[1, '2', 2.5, 3, 4]",
    "s=[1, [2], 2.5, 3, 4]",
    "s=[1, 10**400, 2.5, 3, 4]",
]
MISNAMED = [
    'query="none"',
    'doc="x"',
    'score="none"',
    "",
    'query="q"',
    "query=3",
    'query=["q", "none"]',
    'query="q", doc="q"',
    "query=[]",
    'query="q", doc="d", rank="none"',
    'score="s", rank="r"',
    'query=["q", "q"], doc="d", score="s"',
    'query="q", doc=["d"], score="s"',
]
CALLS = [
    *drawn(60, "run({t}, {f!r}, {o})", t=["TEXT", "WHOLE"], f=FORMS, o=RUN),
    *drawn(45, "qrels({t}, {f!r}, {o})", t=["TEXT", "WHOLE"], f=FORMS, o=QRELS),
    *each("both({t}, {f!r})", t=["USUAL", "RARE", "BEIR"], f=[*FORMS[:5], ".csv"]),
    *each("run(dict(TEXT, {c}), 'pandas', {o})", c=CHANGED, o=RUN[:2]),
    *each("qrels(dict(TEXT, {c}), 'pandas', {o})", c=CHANGED, o=QRELS),
    *drawn(
        40, "run(dict(TEXT, {c}), {f!r}, {o})", c=STORED, f=["polars", "arrow", ".parquet"], o=RUN
    ),
    *drawn(
        40, "qrels(dict(TEXT, {c}), {f!r}, {o})", c=STORED, f=["polars", "arrow", ".csv"], o=QRELS
    ),
    *each("run(dict(TEXT, {c}), 'objects', {o})", c=OBJECTS, o=RUN[:1]),
    *each("qrels(dict(TEXT, {c}), 'objects', {o})", c=OBJECTS, o=QRELS[1:]),
    *drawn(
        40,
        "{k}, duplicates={p!r})",
        k=[
            "run(dict(TEXT, q=['x'] * 5), 'pandas', **NAMES, score='s'",
            "run(dict(TEXT, q=['y', 'x', 'x', 'y', 'x'], d=[*'abbac']), 'polars', **NAMES, rank='r'",
            "qrels(dict(TEXT, q=['x'] * 5, d=[*'ababb']), 'arrow', **NAMES, label='l'",
            "qrels(dict(TEXT, q=['y', 'x', 'x', 'y', 'x'], d=[*'abbac']), '.csv', **NAMES, label='l'",
        ],
        p=["raise", "first", "last", "best", "mean", "in_place"],
    ),
    *each("run(TEXT, 'polars', {m})", m=MISNAMED),
    *each("qrels(TEXT, '.csv', {m})", m=[m.replace("score=", "label=") for m in MISNAMED[:9]]),
    *each("rg.Run.from_frame({x})", x=["3", "TEXT", "None", "np.eye(2)", "pd.Series([1])"]),
    *each("run(KEYS, {f!r}, query=['a', 'b'], doc='d', score='s')", f=FORMS[:6]),
    *each("qrels(KEYS, {f!r}, query=['b', 'a'], doc='d', label='l')", f=FORMS[:6]),
    "run(dict(KEYS, q=[dict(x=1, y='z'), dict(x=2, y='a')] * 2 + [dict(x=1, y='z')]), 'arrow', "
    "query='q', doc='d', score='s')",
    "rg.Run.from_frame(frame(KEYS, 'polars'), query=['a', 'b'], doc='d', score='s')['x', 1]",
    "('x', 2) in rg.Run.from_frame(frame(KEYS, 'polars'), query=['a', 'b'], doc='d', score='s')",
    "rg.evaluate(rg.Qrels.from_frame(frame(KEYS, 'pandas'), query=['a', 'b'], doc='d', label='l'), "
    "rg.Run.from_frame(frame(KEYS, 'arrow'), query=['a', 'b'], doc='d', score='s'), ['AP', 'RR'])",
    "run(dict(KEYS, query_id=KEYS['a'], user=[1, 2, 3, 1, 3]), query='query_id', score='s')",
    "run(dict(KEYS, query_id=['x'] * 5, session=[1, 2, 1, 2, 2]), doc='d', score='s')",
    *each("run(USUAL, 'pandas', {m})", m=["query=''", "doc=''", "score=''", "rank=''", "score='', rank=''"]),
    *each("qrels(USUAL, 'pandas', {m})", m=["query=''", "label=''", "subtopic=''", "importance=''",
          "importance={}", "subtopic='', importance=''"]),
    *each("rg.evaluate_runs({{'q': ['a']}}, frame(TEXT, 'polars'), 'AP', run={c!r})", c=["", "q", 3]),
    "rg.Run.from_frame(frame(dict(qid=[*'aaabbc'], doc=[*'xyzxyx'], rank=[1, 2, 3, 2, 1, 1], score=[3, 2, "
    "1, 2, 1, 1]), 'pandas'))",
    # Parts of queries.
    *each("qrels(PARTS, {f!r}, **NAMES, label='l', subtopic='p', duplicates='best')", f=FORMS),
    *each(
        "rg.evaluate(rg.Qrels.from_frame(frame(PARTS, {f!r}), **NAMES, label='l', subtopic='p', "
        "importance={i}), {{'q2': ['c', 'b'], 'q1': ['a']}}, ['D_nDCG@1', 'alpha_nDCG@2'])",
        f=["pandas", "polars", ".parquet"],
        i=["None", "'w'", "{'q2': {'r': 3, 'o': 0}, 'q1': {'x': 1}}", "'s'", "'none'", "'d'"],
    ),
    *each(
        "qrels(PARTS, 'polars', **NAMES, label='l', subtopic='p', importance={i})",
        i=[
            "{}", "{'q2': 3, 'q1': {'x': 1}}", "{'q2': {'r': 1}, 'q1': {'x': 1}}", "3", "['w']",
            "{'q2': {'r': 1, 'o': -1}, 'q1': {'x': 1}}", "{'q1': {'x': True}}",
            "{'q2': {'r': 1, 'o': np.inf}}", "{'q2': {'r': '1', 'o': 2}}",
            "{'q2': {'r': np.int8(1), 'o': 2}, 'q1': {'x': 0.5}}",
        ],
    ),
    *each(
        "qrels(dict(PARTS, {c}), 'arrow', **NAMES, label='l', subtopic='p', importance='w')",
        c=[
            "w=[2, 1, -1, 2, 2]", "w=[2, 1, 0, np.nan, 2]", "w=[2.0, 1, 0.5, 3, 2]", "w=['a'] * 5",
            "p=['r', 'x', 'o', None, 'r']", "p=[1, 2, 3, 1, 1]", "p=[1.5] * 5", "l=[1, 2, 0, 3, 2]",
            "w=[2, 1, 0.5, np.inf, -2]",
        ],
    ),
    "qrels(PARTS, **NAMES, label='l', importance='w')",
    "qrels(PARTS, **NAMES, label='l', importance={'q2': {'r': 1}})",
    "qrels(PARTS, **NAMES, label='l', subtopic='none')",
    "rg.Qrels(frame(PARTS, 'pandas'), subtopics=True)",
    "rg.Qrels(frame(PARTS, '.csv'), subtopics=True)",
    # Ranks beside scores, and frames of both.
    *each(
        "rg.{k}(frame(dict(USUAL, rank=[{r}]), {f!r})).to_dict()",
        k=["Run"],
        r=["1, 2, 2, 1, 1", "1, 1, 2, 1, 2", "2, 2, 1, 1, 1", "'a', 'b', 'c', 'd', 'e'"],
        f=["pandas", "arrow", ".csv"],
    ),
    "rg.Run(frame(dict(query_id=[1, 1], doc_id=[3, 2], rank=[1, 2]), 'polars'))",
    "rg.Run('x') if Path('x').write_text('') else rg.Run(frame(dict(qid=[1], doc=[3], rank=[1], "
    "s=[1]), '.csv'))",
    "table = frame(USUAL, 'pandas'); rg.evaluate(table, table, 'AP')",
    "table = frame(BEIR, 'pandas'); rg.evaluate(table, table, 'AP')",
    "path = frame(BEIR, '.csv'); rg.evaluate(path, Path(path), 'AP')",
    "rg.Run(frame(dict(USUAL, score=[1, 1, 2, 1, 2]), 'polars')).queries",
    "rg.Run.from_frame(frame(dict(USUAL, score=[1, 1, 2, 1, 2]), 'polars'), rank='score')",
    "rg.Qrels(frame({'query_id': [], 'doc_id': [], 'label': []}, 'pandas'))",
    "rg.Run(frame({'query_id': ['a'], 'doc_id': ['b'], 'score': [1.0]}, 'arrow')[:0])",
    # Systems.
    *each(
        "rg.evaluate_runs({{'q1': {{'a': 1}}, 'q2': {{'c': 1}}}}, frame(SYSTEMS, {f!r}), "
        "['AP', 'P@1'], run={c!r})",
        f=["pandas", "polars", "arrow", ".csv", ".parquet"],
        c=["system", "none", "qid", None],
    ),
    *each(
        "rg.evaluate_runs({{'q1': {{'a': 1}}}}, frame(dict(SYSTEMS, {c}), 'polars'), 'AP', "
        "run='system')",
        c=[
            "system=[1, 1, 2, 2, 1]", "system=['B', None, 'A', 'A', 'B']", "system=[1.5] * 5",
            "doc=['a', 'a', 'a', 'a', 'c']", "score=[1, 2, 3, None, 5]", "rank=[2, 1, 1, 1, 1]",
            "system=['B', 'B', '', 'A', 'B']", "score=[1, 2, 3, 'x', 5]",
        ],
    ),
    "rg.Run(frame(SYSTEMS, 'pandas'))",
    "rg.Run.from_frame(frame(SYSTEMS, 'pandas'), query='qid', doc='doc', score='score')",
    "rg.Run.from_frame(frame(SYSTEMS, 'pandas')[:3], query='qid', score='score').to_dict()",
]  # fmt: skip
