"""A table of retrieved rows against judgments in a second table, a mapping or a file."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas"]
GIVEN = """
import pathlib
import pandas as pd
BIG = 2**53 + 1
columns = {
    "query": [BIG + 1, -7, 10, BIG + 1, 9, -7, 10, BIG + 1, -7, 9, 3, BIG],
    "qid": ["q10", "é", "q9", "q10", "a", "é", "q9", "q10", "é", "a", "Z", "c"],
    "item": [4, 5, 6, 1, 8, 1, 7, 9, 4, 1, 1, 5],
    "doc": ["d#1", "x#2", "d#1", "d#2", "b", "x#10", "d#2", "e", "c#1", "a", "d#3", "f#1"],
    "score": [0.5, 2.0, 1.0, 0.5, 3.0, 2.0, -4.5, 0.9, 1.0, 3.0, 7.0, 0.1],
    "other": [1, 2, 2, 9, 8, 7, 6, 5, 5, 5, 5, 5],
    "pos": [3, 1, 2, 4, 1, 4, 7, 1, 5, 2, 5, 9],
    "model": ["n", "m", "n", "n", "m", "n", "m", "m", "m", "n", "n", "k"]}
judged = {
    "query": [10, BIG + 1, BIG + 1, -7, -7, 9, 4, BIG + 1, 3, BIG],
    "qid": ["q9", "q10", "q10", "é", "é", "a", "no", "q10", "Z", "c"],
    "item": [6, 1, 4, 1, 2, 8, 1, 7, 2, 5],
    "doc": ["d#1", "d#2", "d#1", "x#10", "y", "b", "b", "g", "z", "k"],
    "label": [1, 3, 2, 1, 2, 1, 1, 4, 1, 0],
    "grade": [0, 1, 2, 0, 1, 3, 1, 1, 2, 1]}
RUN, TRUTH = pd.DataFrame(columns), pd.DataFrame(judged)
QRELS = {"q10": {"d#1": 2, "d#2": 3}, "é": {"x#10": 1}, "no": {"b": 1}, "a": {"b": 0}}
WHOLE = {"q10": {"d": 2, "g": 1}, "é": {"x": 1}, "no": {"b": 1}, "q9": {"d": 3}}
def ev(frame=RUN, truth=TRUTH, measures=("nDCG@2", "AP", "R@2"), **options):
    names = {"query": "query", "doc": "item", "label": "label", "score": "score", "run": None, **options}
    return rg.evaluate_frame(frame, measures, truth=truth, **names)
def text(**options):
    return ev(**{"query": "qid", "doc": "doc", **options})
def put(frame, name, *cells):
    column = frame[name].astype(object).copy()
    for row, value in cells:
        column[row] = value
    return frame.assign(**{name: column})
"""
# fmt: off
DOORS = ["ev", "text"]
SYSTEMS = ["", "score=['score', 'other']", "run='model'", "score=None, rank='pos'", "score={'b': 'other'}",
    "score=None, rank='pos', run='model'"]
OPTIONS = ["", "convention='rankgain'", "convention='beir'", "convention='ranx'", "convention='sklearn'", "ties='average'",
    "ties='id'", "label='grade'", "empty='skip'", "bounds='unjudged'", "bounds=['ties', 'unjudged'], ties='average'",
    "rel=2", "gain='exp2'", "threads=2", "duplicates='first'"]


def added(options):
    return [option and f", {option}" for option in options]


CALLS = [
    *each("{d}({s})", d=DOORS, s=SYSTEMS),
    *each("{d}({o})", d=DOORS, o=OPTIONS),
    *drawn(70, "{d}(measures={m}{s}{o})", d=DOORS, m=["['nDCG', 'AP']", "['Bpref', 'Judged@2', 'nDCG@1']"], s=added(SYSTEMS),
        o=added(OPTIONS)),
    *each("text(truth={t}, {s})", t=["QRELS", "rg.Qrels(QRELS)", "TRUTH[['qid', 'doc', 'label']]", "TRUTH[::-1]"], s=SYSTEMS),
    *each("text(weight={w})", w=["{'q10': 2, 'é': 1, 'no': 3, 'a': 4}", "'qid'", "[1, 2]"]),
    *drawn(40, "text(truth={t}, documents={d}, duplicates={p}{s}{o})", t=["WHOLE"], d=["'#'", "lambda chunk: chunk[0]",
        "{c: c.split('#')[0] for c in columns['doc']}"], p=["'raise'", "'first'", "'best'", "'in_place'"], s=added(SYSTEMS),
        o=added(["", "ties='average'", "convention='beir'", "measures='AP'"])),
    *each("{d}({f}, duplicates={p})", d=["ev"], f=["put(RUN, 'item', (3, 4), (8, 5))", "put(RUN, 'item', (7, 4), (3, 4))"],
        p=["'raise'", "'first'", "'best'", "'in_place'", "'last'"]),
    *each("ev(truth=put(TRUTH, {c}))", c=["'item', (2, 1)", "'item', (2, 1)).drop(columns='grade'", "'label', (4, None)",
        "'label', (4, float('nan'))", "'label', (4, 'x')", "'label', (4, float('inf'))", "'label', (5, -1)",
        "'item', (5, None)", "'query', (6, None)", "'query', (6, 'a')", "'item', (6, 'a')", "'label', (4, 2.5)",
        "'label', (2, 2**53 + 1)"]),
    *each("ev(put(RUN, {c}))", c=["'item', (5, None)", "'query', (6, None)", "'query', (6, 'a')", "'item', (6, 'a')",
        "'score', (7, None)", "'score', (7, float('nan'))", "'score', (7, 'x')", "'score', (7, float('inf'))",
        "'score', (3, None), (1, None)", "'score', (3, 2**53 + 1)"]),
    *each("ev({c})", c=["query='x'", "doc='x'", "label='x'", "score='x'", "run='x'", "weight='model'", "segment='model'",
        "doc=None", "rank='pos'", "ignore=1", "score=None, rank='x'", "score=['score', 'x']", "score=['score'], run='model'",
        "query=['query', 'qid']", "measures='nothing'", "measures=[]", "convention='trek'", "truth=TRUTH[:0]", "truth={}",
        "truth=3", "frame=RUN[:0]", "frame=RUN[:1]", "truth=TRUTH[:1]", "truth=TRUTH.drop(columns='label')", "label=None",
        "truth=TRUTH.rename(columns={'item': 'doc_id', 'doc': 'd2'})",
        "frame=RUN.rename(columns={'item': 'doc_id', 'doc': 'd2'})", "frame=3", "documents=3",
        "truth=TRUTH.rename(columns={'query': 'query_id', 'qid': 'q2'})", "truth=put(TRUTH, 'query', (0, '10'))",
        "truth=TRUTH.astype({'item': str})", "frame=RUN.astype({'query': str})", "frame=RUN.astype({'query': float})"]),
    *each("rg.evaluate_frame(RUN.rename(columns={r}), 'AP', truth=TRUTH.rename(columns={t}){o})", r=["{}",
        "{'item': 'doc_id', 'doc': 'd2', 'qid': 'q2'}"], t=["{}", "{'item': 'doc_id', 'doc': 'd2', 'qid': 'q2'}",
        "{'grade': 'relevance', 'qid': 'q2', 'doc': 'd2'}"], o=added(["", "run=None", "run='model'", "label='grade'",
        "score='score', run=None"])),
    "TRUTH.to_csv('t.csv', index=False); RUN.to_csv('r.csv', index=False); ev('r.csv', 't.csv'); text(frame='r.csv', truth='t.csv', run='model')",
    "pathlib.Path('q.txt').write_text('q10 0 d#1 2\\né 0 x#10 1\\n', encoding='utf-8'); text(truth='q.txt')",
    "pathlib.Path('q.txt').write_text('', encoding='utf-8'); text(truth='q.txt')",
    "a = ev(); b = ev(label='grade'); a == ev(), a == b",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
