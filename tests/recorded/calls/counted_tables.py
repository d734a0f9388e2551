"""Ranks that were counted elsewhere: a row for each judged document, in any kind of table."""

from recorded.recording import drawn, each

GIVEN = """
import collections, sqlite3
NAMES = ("query", "doc", "label", "above", "equal", "size", "retrieved")
BIG = 2**53 + 1
ROWS = [(BIG + 1, "x", 2, 1, 2, 5, True), (-7, "y", 0, None, None, 3, False), (BIG, "x", 1, 0, 1, 4, True),
    (BIG + 1, "z", 1, 1, 2, 5, True), (-7, "a", 3, 2, 1, 3, True), (10, "x", 0, 0, 1, 2, True),
    (BIG + 1, "w", 0, 0, 1, 5, True), (9, "x", 1, None, None, 0, False), (BIG, "y", 4, None, None, 4, False)]
def rows(drop=(), texts=False, **changes):
    table = [list(row) for row in ROWS]
    for name, cells in changes.items():
        for row, value in cells.items():
            table[row][NAMES.index(name)] = value
    if texts:
        table = [[f"q{row[0]}", *row[1:]] for row in table]
    return [dict((name, cell) for name, cell in zip(NAMES, row) if name not in drop) for row in table]
def columns(**options):
    table = rows(**options)
    return {name: [row[name] for row in table] for name in table[0]}
def arrays(**options):
    return {name: np.array(column) for name, column in columns(**options).items()}
def tuples(**options):
    return [tuple(row.values()) for row in rows(**options)]
def named(**options):
    table = rows(**options)
    kind = collections.namedtuple("Row", table[0])
    return [kind(**row) for row in table]
def cursor(drop=(), names=NAMES, **options):
    table = tuples(drop=drop, **options)
    base = sqlite3.connect(":memory:")
    names = [name for name in names if name not in drop]
    base.execute(f"CREATE TABLE t ({', '.join(names)})")
    base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", table)
    return base.execute("SELECT * FROM t")
def keyed(**options):
    result = cursor(**options)
    result.row_factory = sqlite3.Row
    return result.fetchall()
class Row:
    def __init__(self, **cells):
        self.cells = cells
    def asDict(self):
        return self.cells
MEASURES = ["nDCG@2", "AP", "RR", "NumRet"]
count = rg.evaluate_counts
"""
# fmt: off
FORMS = ["rows", "columns", "tuples", "named", "cursor", "keyed"]
DROPPED = ["", "drop=('doc',)", "drop=('size',)", "drop=('retrieved',)", "drop=('doc', 'size', 'retrieved')"]
OPTIONS = ["", "ties='average'", "ties='best'", "ties='worst'", "convention='rankgain'", "empty=1", "gain='exp2'"]
OPTIONS += ["weight=[1, 2, 3, 4, 0.5]", "convention='sklearn'", "rel=2", "empty='skip'", "ties='id'", "threads=2"]
OPTIONS += ["weight={BIG: 2, 10: 0.5, BIG + 1: 1, 9: 4, -7: 3}", "convention='ranx'", "convention='pytrec_eval'"]
OPTIONS += ["convention='implicit'", "convention='beir'"]
UNTIED = "equal={0: 1, 3: 1}, above={3: 2}"
CALLS = [
    *each("count({f}(), MEASURES, ties='average')", f=FORMS),
    *each("count({f}({d}), ['AP', 'RR'], ties='average')", f=["rows", "columns", "cursor"], d=DROPPED),
    *each("count(rows({u}), ['nDCG@2', 'AP'], {o})", u=["", UNTIED], o=OPTIONS),
    *drawn(60, "count({f}({d}), {m}, {o})", f=FORMS, d=[UNTIED, "", "texts=True, " + UNTIED], o=OPTIONS,
        m=["['nDCG@2', 'AP']", "'P@1'", "['R@2', 'HitRate(per=item)@2', 'nDCG']", "'RBP'"]),
    *each("count(rows({d}), {m}, ties='average')", d=DROPPED[:3], m=["'AUC'", "'Bpref'", "'Judged@2'", "'P(divisor=min)@3'",
        "'AP(judged_only=True)'", "['RR', 'AUC']", "'NumRet'", "'F1'", "'nDCG(ties=id)'", "'ILD'"]),
    *each("count(rows(drop=('size',)), 'AP', ties='average', convention={c!r})", c=["trec", "ranx", "rankgain", "beir"]),
    # Names of columns.
    *each("t = {{n: columns()[c] for n, c in zip('abcdefg', NAMES)}}; count(t, 'AP', ties='average', {o})",
        o=["query='a', doc='b', label='c', above='d', equal='e', size='f', retrieved='g'",
        "query='a', doc=None, label='c', above='d', equal='e'",
        "query='a', doc='b', label='c', above='e', equal='d', size='f', retrieved='g'", "query='a'",
        "query='b', doc='a', label='c', above='d', equal='e', size='x', retrieved='g'",
        "query='a', label='c', above='d', equal='e', doc='z'"]),
    "count(tuples(), 'AP', ties='average', query='q')",
    "count(rows(), 'AP', ties='average', query=None)",
    # Forms of tables.
    "count([Row(**row) for row in rows()], 'AP', ties='average').per_query",
    "count([{'x': 1}], 'AP')",
    "count([rows()[0], {'query': 3}], 'AP')",
    "count([(1, 2)], 'AP')",
    "count([*tuples()[:2], 3], 'AP')",
    "count([], 'AP')",
    "count({name: [] for name in NAMES}, 'AP')",
    "count('SELECT *\\nFROM t', 'AP')",
    "count(sqlite3.connect(':memory:').cursor(), 'AP')",
    "count(cursor(names=('query', 'doc', 'label', 'above', 'equal', 'size', 'Query')), 'AP', ties='average')",
    "count(sqlite3.connect(':memory:').execute('SELECT 1 AS query, 2 AS query'), 'AP')",
    "count({**columns(), 'label': [1, 2]}, 'AP')",
    "count(arrays(above={1: 0, 7: 0, 8: 0}, equal={1: 1, 7: 1, 8: 1}, size={7: 9}, retrieved={1: True, 7: True, 8: 1}),"
    " 'AP', ties='average')",
    "count({**columns(), 'above': np.ma.array([1, 9, 0, 1, 2, 0, 0, 9, 9], mask=[0, 1, 0, 0, 0, 0, 0, 1, 1])}, 'AP',"
    " ties='average').per_query",
    "count(cursor(), 'AP', ties='average').queries, count(cursor(texts=True), 'AP', ties='average').queries",
    "t = iter(tuples()); count(list(t), 'AP', ties='best'); count(tuple(tuples()), 'AP', ties='worst')",
    # Cells, by their row and with two faults in both orders.
    *each("count(rows({c}), 'AP', ties='average')", c=["query={3: None}", "query={2: float('nan')}", "query={4: 1.5}",
        "query={4: '-7'}", "query={4: (1, 2)}", "query={5: [1]}", "doc={6: None}", "doc={6: 'z'}", "doc={3: 'x', 4: 'y'}",
        "doc={2: 5}", "doc={4: '5', 5: 5}", "label={2: None}", "label={2: float('nan')}", "label={5: float('inf')}",
        "label={4: -2}", "label={4: 'x'}", "label={4: '3'}", "label={4: 2**53 + 1}", "label={4: 10**400}", "label={4: True}",
        "label={4: 0.5}", "above={2: -1}", "above={2: 1.5}", "above={2: None}", "above={1: 0}", "above={4: 3}",
        "above={0: 9}", "above={0: 0}", "above={2: 2**31}", "above={4: ''}", "above={4: 'two'}", "equal={2: 0}",
        "equal={2: None}", "equal={8: 1}", "equal={0: 3}", "equal={0: 1}", "equal={6: 2}", "equal={2: 5}", "size={2: 5}",
        "size={3: 0}", "size={4: None}", "size={7: -1}", "size={1: 2.5}", "size={1: 2, 4: 2}", "size={2: 2**31, 8: 2**31}",
        "retrieved={3: 2}", "retrieved={3: 'true'}", "retrieved={3: 't', 4: 'TRUE', 1: 'f'}", "retrieved={3: False}",
        "retrieved={8: True}", "retrieved={3: 'maybe'}", "retrieved={3: 0.5}", "retrieved={4: None}",
        "label={4: None}, above={2: -1}", "above={4: -1}, label={2: None}", "size={4: None}, label={2: None}",
        "doc={6: 'z'}, above={2: -1}", "query={3: None}, doc={2: None}", "label={2: 'x'}, above={1: 'y'}",
        "equal={0: 3, 3: 3}", "above={0: 0, 3: 0}", "above={6: 1}, equal={6: 2}", "label={0: 0, 3: 0}"]),
    *each("count(rows(drop=('size', 'retrieved'), {c}), 'RR', ties='average')", c=["above={4: 3}", "equal={4: 7}",
        "above={i: None for i in range(9)}, equal={i: None for i in range(9)}", "above={4: None}, equal={4: None}"]),
    *each("count(columns({c}), 'AP', ties='average')", c=["label={2: None}", "above={4: -1}", "doc={6: 'z'}"]),
    "count([('q', 'a', 1, 5, 1, 9, True), ('q', 'b', 1, 0, 2, 9, True), ('q', 'c', 1, 1, 1, 9, True)], 'AP', ties='average')",
    "count([('q', 'a', 1, 0, 2, 4, True), ('q', 'b', 1, 0, 3, 4, True)], 'AP', ties='average')",
    *each("count(rows({u}), 'nDCG@10', convention={c!r})", u=[UNTIED], c=["rax", "mteb", "beir"]),
    "count([('q', 'a', 1, 1, 2, 9, True), ('q', 'b', 1, 2, 1, 9, True)], 'AP', ties='average')",
    *each("count({{'query': ['q'], 'label': [1], 'above': [None], 'equal': [None]}}, {m}, ties='id')", m=["'P'", "'AP'", "'RelP'"]),
    *each("count(rows(drop=('size',), {u}), 'AP', convention={c!r}, ties='id')", u=[UNTIED], c=["mteb", "trec"]),
    # Ids that may not match, rows of label 0, rules for ties.
    "count(rows(above={i: None for i in range(9)}, equal={i: None for i in range(9)}, retrieved=dict.fromkeys(range(9),"
    " False)), 'AP')",
    "count(rows(above={i: None for i in range(9)}, equal={i: None for i in range(9)}, retrieved=dict.fromkeys(range(9),"
    " False), size=dict.fromkeys(range(9), 0)), 'AP')",
    "count(rows(size={5: 0, 1: 0, 4: 0}, above={5: None, 4: None}, equal={5: None, 4: None}, retrieved={5: 0, 4: 0}),"
    " 'AP', ties='average')",
    "count([row for row in rows() if row['label']], ['AP', 'Bpref', 'Judged@1'], ties='average')",
    "count([row for row in rows() if row['label'] or row['query'] == 10], 'Bpref', ties='average')",
    "count([row for row in rows() if row['label']], 'AP', ties='average', convention='recbole')",
    *each("count(rows({u}), {m}, convention={c!r})", u=[UNTIED], m=["'AP'", "['P@2', 'AP']"], c=["rankgain", "trec",
        "sklearn", "ranx", "ir_measures"]),
    *each("count(rows(), {m}, {o})", m=["'AP'", "'AP(ties=best)'", "['RR(ties=id)', 'AP(ties=best)']"], o=["ties='id'",
        "ties='stable'", "ties='random'", "", "convention='rankgain', ties='id_descending'"]),
    *each("count(rows(), {m})", m=["[]", "'nothing'", "'ILD@2'", "'RR', weight=[1, 2]", "'RR', weight={10: 1}",
        "'RR', convention='sklear'"]),
    "t = rows(); a = count(t, 'AP', ties='best'); b = count(t, 'AP', ties='average'); a.means, b.means; t == rows()",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
