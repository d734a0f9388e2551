"""Long tables of predictions in pandas: columns, systems, ranks, copies, chunks and judgments."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas"]
GIVEN = """
import pandas as pd
BIG = 2**53 + 1
columns = {
    "user": [BIG + 1, -7, 10, BIG + 1, 9, -7, 10, BIG + 1, -7, 9, 3, BIG + 1],
    "name": ["q10", "é", "q9", "q10", "a", "é", "q9", "q10", "é", "a", "Z", "q10"],
    "item": [4, 5, 4, 1, 2**54, 1, 7, 9, 4, 1, 1, 5],
    "doc": ["d#1", "x#2", "d#1", "d#2", "b", "x#10", "d#2", "e", "c#1", "a", "d#3", "f#1"],
    "label": [2, 0, 1, 0, 3, 1, 0, 0, 1, 0, 0, 4],
    "grade": [1, 0, 1, 1, 2, 0, 1, 0, 3, 0, 1, 1],
    "score": [0.5, 2.0, 1.0, 0.5, 3.0, 2.0, -np.inf, 0.9, 1.0, 3.0, 7.0, 0.1],
    "other": [1, 2, 2, 9, 8, 7, 6, 5, 5, 5, 5, 5],
    "pos": [3, 1, 2, 3, 1, 4, 7, 1, 4, 2, 5, 9],
    "model": ["n", "m", "n", "n", "m", "n", "m", "m", "m", "n", "n", "n"],
    "part": [0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1],
    "w": [1.5, 2, 0.5, 1.5, 3, 2, 0.5, 1.5, 2, 3, 0, 1.5],
    "lang": ["de", "fr", "en", "de", "fr", "fr", "en", "de", "fr", "fr", "en", "de"]}
TABLE = pd.DataFrame(columns)
ROLES = dict(query="user", label="label", score="score", run=None, doc=None)
MEASURES = ["nDCG@2", "AP", "RR", "HitRate(per=item)@2", "NumRet"]
def ev(frame=TABLE, measures=MEASURES, **options):
    return rg.evaluate_frame(frame, measures, **{**ROLES, **options})
def usual(*names, **options):
    frame = TABLE[list(names)] if names else TABLE
    return rg.evaluate_frame(frame.rename(columns=options.pop("names", {})), "AP", **options)
def put(name, *cells, dtype=object):
    column = TABLE[name].astype(dtype).copy()
    for row, value in cells:
        column[row] = value
    return TABLE.assign(**{name: column})
def faults(**cells):
    table = TABLE.copy()
    for name, pairs in cells.items():
        table[name] = put(name, *pairs)[name]
    return table
"""
# fmt: off
KEYS = ["query='user'", "query='name'", "query=['user', 'part']", "query=['name', 'model', 'part']"]
SYSTEMS = ["score='score'", "score='other'", "score=['score', 'other']", "score={'b': 'other', 'a': 'score'}", "run='model'",
    "score=None, rank='pos'", "score=None, rank='pos', run='model'"]
OPTIONS = ["", "ties='best'", "ties='stable'", "ties='id', doc='item'", "ties='id_descending', doc='doc'", "weight='w'",
    "segment='lang'", "ignore=0", "empty='skip'", "gain='exp2'", "convention='sklearn'", "bounds='ties'",
    "doc='item', duplicates='first'", "weight='w', segment='lang', empty=1", "rel=2", "ties='random', seed=5", "threads=2"]
REPEATED = ["'raise'", "'first'", "'best'", "'in_place'"]
TIES = ["average", "best", "worst", "stable", "id", "random"]
CALLS = [
    *each("ev({k})", k=KEYS),
    *each("ev({s})", s=SYSTEMS),
    *each("ev({o})", o=OPTIONS),
    *drawn(90, "ev({k}, {s}, {o})", k=KEYS, s=SYSTEMS, o=OPTIONS),
    *each("ev(query='name', {o}).by()", o=["segment='lang'", "segment='part'", "segment='lang', weight='w'"]),
    "ev(put('lang', dtype=pd.CategoricalDtype(['fr', 'xx', 'de', 'en'])), segment='lang')",
    "ev(put('lang', dtype=pd.CategoricalDtype(['fr', 'xx', 'de', 'en'])), segment='lang', run='model')",
    # Usual names.
    *each("usual(names={n}{o})", n=["{'user': 'user_id', 'item': 'item_id'}", "{'name': 'query_id', 'user': 'u'}",
        "{'score': 'prediction', 'name': 'qid'}", "{'label': 'relevance', 'score': 'y_pred', 'name': 'query'}"], o=["",
        ", run=None", ", run='model'", ", run=None, doc=None", ", score='other', run=None", ", rank='pos', run=None"]),
    *each("usual({n})", n=["'user', 'label', 'score'", "'name', 'label', 'score', names={'name': 'query_id'}",
        "'user', 'name', 'label', 'score', names={'user': 'user_id', 'name': 'query_id'}", "'user', 'label'",
        "'label', 'score'", "'user', 'score', names={'user': 'user_id'}",
        "'user', 'label', 'score', names={'user': 'user_id'}",
        "'user', 'part', 'label', 'score', names={'user': 'user_id', 'part': 'session_id'}",
        "'user', 'item', 'label', 'score', names={'user': 'user_id', 'item': 'item_id'}, ties='id'",
        "'user', 'label', 'pos', names={'user': 'user_id', 'pos': 'rank'}",
        "'user', 'label', 'pos', names={'user': 'user_id', 'pos': 'rank'}, rank='rank'",
        "'user', 'label', 'pos', names={'user': 'user_id', 'pos': 'score'}",
        "'user', 'label', 'score', 'other', names={'user': 'user_id', 'other': 'prediction'}",
        "'user', 'label', 'score', 'model', names={'user': 'user_id'}",
        "'user', 'label', 'score', 'model', names={'user': 'user_id'}, run='model'"]),
    *each("ev({c})", c=["query='x'", "label='x'", "score='x'", "run='x'", "doc='x'", "weight='x'", "segment='x'",
        "score=['score', 'x']", "score=[]", "score={}", "score=['score', 'score']", "score={'a': 'score', 'b': 'score'}",
        "score=3", "query=[]", "query=['user', 'user']", "query=['user', 3]", "label=3", "rank='pos'",
        "score=None, rank='x'", "score=['score', 'other'], run='model'", "score={'a': 'score', '': 'other'}",
        "score={1: 'score', '1': 'other'}", "label='score'", "label='name'", "score='doc'", "weight='lang'",
        "weight='score'", "segment='item'", "weight='item'", "duplicates='last'", "duplicates='first'", "documents='#'",
        "documents={'d#1': 'd'}, doc='doc'", "documents=3, doc='doc'", "ties='id'", "ties='top'", "bounds='labels'",
        "measures='nothing'", "measures=[]", "measures='Coverage'", "ignore='x'", "convention='trek'", "truth=3",
        "threads=0", "weight='user', segment='w'"]),
    # Cells: each fault names its row and column; of two faults the first to be looked for.
    *each("ev(put({n!r}, (3, {v})))", n=["user", "label", "score"], v=["None", "np.nan", "'x'", "np.inf", "2.5", "True",
        "2**53 + 1", "'7'", "[1]", "(1, 2)", "2**64", "pd.NaT"]),
    *each("ev(put('name', (7, {v})), query='name')", v=["None", "5", "b'q'", "''", "'q10\\x00'"]),
    *each("ev(put('item', (7, {v})), doc='item')", v=["None", "4", "1.5", "'4'", "'d'"]),
    *each("ev(put({n!r}, (5, {v})), weight='w', segment='lang', doc='item', query='name')", n=["w", "lang"], v=["None", "-1",
        "np.inf", "7", "'en'", "np.nan"]),
    *each("ev(faults({c}), weight='w', segment='lang', doc='item', query='name')", c=["label=[(3, None)], score=[(1, None)]",
        "label=[(1, np.inf)], score=[(3, np.nan)]", "w=[(3, 1), (9, 7)]", "lang=[(3, 'x'), (9, 'y')]",
        "item=[(3, 4), (9, 2**54)]", "w=[(9, 7)], lang=[(3, 'x')]", "name=[(2, None)], label=[(1, 'x')]"]),
    *each("ev(put('pos', {c}), score=None, rank='pos', {r})", r=["", "run='model'"], c=["(4, 0)", "(4, -1)", "(4, 1.5)",
        "(4, None)", "(4, 2**31)", "(4, 'x')", "(4, np.inf)", "(0, 1), (3, 1)", "(2, 0), (4, -3)"]),
    *each("ev(TABLE[:{n}], {o})", n=[0, 1], o=["", "run='model'", "score=['score', 'other']", "score=None, rank='pos'"]),
    *each("ev({c})", c=["run=3", "score={'a': 3}", "put('model', (0, None)), run='model'", "put('model', (0, [1])), run='model'",
        "put('part', (3, '1')), run='part'", "TABLE.assign(w=-1), weight='w'", "TABLE.assign(label='click')", "TABLE[:0], run='model'"]),
    # Dtypes.
    *each("ev(TABLE.astype({t}))", t=["{'label': 'i1', 'score': 'f4'}", "{'label': 'f4'}", "{'label': 'Int64'}",
        "{'label': 'bool'}", "{'user': 'category'}", "{'user': 'Int64', 'score': 'Float64'}", "{'user': 'str'}",
        "{'score': 'f2'}", "{'user': 'object', 'label': 'object', 'score': 'object'}", "{'score': 'str'}",
        "{'label': 'str'}", "{'user': 'float'}"]),
    "ev(TABLE.set_index('user'))",
    "ev(TABLE.set_index(['user', 'part']), query=['user', 'part'])",
    "ev(TABLE[::-1]); ev(TABLE.sample(frac=1, random_state=3), ties='stable')",
    "ev(pd.concat([TABLE, TABLE['score']], axis=1))",
    "ev(TABLE.rename(columns={'score': 5}), score=5)",
    "ev(TABLE.rename(columns={'score': 5}), score='5')",
    "ev({'user': [1]})",
    "ev([1, 2])",
    "ev(TABLE['score'])",
    "ev(TABLE.to_numpy())",
    "ev(None)",
    # Copies of documents, and chunks.
    *drawn(60, "ev(query={q}, doc={d!r}, duplicates={p}, ties={t!r}{s})", q=["'name'", "['part', 'lang']", "'lang'"],
        d=["item", "doc"], p=REPEATED, t=TIES, s=["", ", score=['other', 'score']", ", score=None, rank='pos'",
        ", run='model'"]),
    *drawn(60, "ev(query={q}, label='grade', doc='doc', documents={d}, duplicates={p}, ties={t!r}{s})", q=["'name'",
        "'lang'"], d=["'#'", "lambda chunk: chunk[0]", "{c: c.split('#')[0] for c in columns['doc']}"], p=REPEATED, t=TIES,
        s=["", ", score=['other', 'score']", ", score=None, rank='pos'", ", run='model'"]),
    *each("ev(query='lang', label='grade', doc='doc', documents={d})", d=["''", "'/'", "lambda chunk: None", "{}",
        "lambda chunk: 3", "{'d#1': 'd'}"]),
    *each("ev(put('grade', (3, {v})), label='grade', query='lang', doc='doc', documents='#')", v=[2, 1, 5]),
    # Scores like ranks, gaps between ranks.
    *each("ev(TABLE.assign(score=TABLE.groupby('user').cumcount() + {b}), {s})", b=[0, 1], s=["score='score'",
        "score=['other', 'score']", "score=['score', 'other']", "run='model'", "score=None, rank='score'"]),
    *each("ev(TABLE[TABLE['pos'] > {n}], score=None, rank='pos', measures={m})", n=[1, 2], m=["['RR', 'P@3']", "'nDCG@5'",
        "['AUC', 'AP']"]),
    # Ignored rows.
    *each("ev(ignore={i}, {o})", i=["1", "[0, 4]", "-1", "[]", "np.nan", "None", "True"], o=["", "run='model'",
        "score=['score', 'other'], doc='item'"]),
    # State between calls.
    "a = ev(); b = ev(ties='best'); c = ev(); a == c, a == b; b.means",
    "ev(TABLE, iter(['AP', 'RR']))",
    "rg.evaluate_frame(TABLE[:4].assign(score=[1, 2, 3, 4], user=1), 'RR', **ROLES)",
    "f = TABLE.copy(); ev(f); f['score'] = f['other']; ev(f).means",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
