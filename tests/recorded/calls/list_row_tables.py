"""evaluate_ids for frames whose rows hold retrieved and relevant ids."""

from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas"]
# fmt: off
GIVEN = """
import json
import pandas as pd
from pathlib import Path
NAN = float("nan")
COLUMNS = {"query": ["k", "j", "i", "k"], "retrieved": [["b", "a", "c"], ["c"], [], ["a", "z"]], "relevant": [["a"], {"d": 1, "c": 2}, ["q"], ["z", "a"]], "scores": [[1, 3, 2], [7], [], [1, 1]], "run": ["one", "one", "one", "two"], "other": [["a"], ["d"], ["q"], ["z"]], "score": [0.5, 0.7, 0.1, 0.2], "question": ["w", "x", "y", "z"]}
MEASURES = ["AP", "nDCG@2", "RR"]
def rows(*names, n=3, **changes):
    columns = {name: COLUMNS[name][:n] for name in names or ("query", "retrieved", "relevant")} | changes
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
def put(name, place, value, n=3):
    values = list(COLUMNS[name][:n])
    values[place] = value
    return values
def lines(frame, name="t.jsonl"): Path(name).write_text("".join(json.dumps(row) + "\\n" for row in frame.to_dict("records"))); return name
def saved(frame, name="t.csv"): frame.to_csv(name, index=False); return name
def evaluate(source, **options): return rg.evaluate_ids(source, measures=MEASURES, **options)
"""
ARGUMENTS = ["", "retrieved='retrieved', relevant='relevant'", "relevant='other'", "retrieved='other'", "query='query'", "query='question'", "query='run'", "score='scores'", "score='score'", "run='run'", "query=None", "retrieved='none'", "relevant='none'", "query='none'", "score='none'", "run='none'"]
ALL = "rows(*COLUMNS, n={n})"
CALLS = [
    *each("evaluate({s}, **({{'retrieved': 'retrieved', 'relevant': 'relevant'}} | dict({o})))", s=["rows('query', 'retrieved', 'relevant', 'other')", "rows(*COLUMNS)"], o=ARGUMENTS), *each("evaluate(rows(*COLUMNS, n=4), **({{'retrieved': 'retrieved', 'relevant': 'relevant'}} | dict({o})))", o=["run='run'", "", "run='run', score='scores'", "run='run', query='question'", "query=None, run='run'", "run='run', relevant='other'"]),
    *drawn(40, "evaluate({f}(rows(*COLUMNS, n={n})), **({{'retrieved': 'retrieved', 'relevant': 'relevant'}} | dict({o})))", f=["lines", ""], n=[3, 4], o=["run='run'", "run='run', score='scores'", "run='run', retrieved='other'", "query='question'", "query='question', relevant='other'"]),
    *each("evaluate({s}, retrieved='retrieved', relevant='relevant')", s=["rows('retrieved', 'relevant')", "rows('question', 'retrieved', 'relevant')", "rows(n=0)", "rows(n=1)", "rows('query', 'retrieved', 'relevant', 'scores')", "rows('query', 'retrieved', 'relevant', 'score')", "rows('query', 'retrieved', 'relevant', score=COLUMNS['scores'][:3])", "rows(retrieved=[np.array(row, 'U1') for row in COLUMNS['retrieved'][:3]])", "rows(retrieved=[tuple(row) for row in COLUMNS['retrieved'][:3]])", "rows(retrieved=[[{'id': 'b', 'score': 1}, {'id': 'a', 'score': 2}], ['c'], []])", "rows(retrieved=[{'b': 1, 'a': 2}, ['c'], []])",
         "rows(retrieved=[[('b', 1), ('a', 2)], ['c'], []])", "rows(relevant=[['a'], [('c', 2), ('d', 1)], [{'id': 'q', 'label': 3}]])", "rows(relevant=[{'a': '2', 'b': '1'}, {'c': 1, 'd': None}, ['q']])", "rows('query', 'relevant', retrieved=['b a c', 'c', ''])", "rows('query', 'relevant', retrieved=['[\"b\", \"a\"]', '[c]', '[]'])", "rows(query=[3, 1, 2])", "rows(query=[2**53 + 1, 2**53, 5])", "saved(rows(retrieved=['b a', 'c', 'x'], relevant=['a', 'c d', 'q']))", "saved(rows(retrieved=['b a', 'c', 'x'], relevant=['a', 'c d', 'q']).drop(columns='query'))"]),
    *each("evaluate({s}, retrieved='retrieved', relevant='relevant', run={r})", r=["None"], s=["rows(query=['k', 'j', 'k'])", "rows(query=['k', None, 'i'])", "rows(query=['k', 5, 'i'])", "rows(query=['k', ['j'], 'i'])", "rows(query=['k', {'a': 1}, 'i'])", "rows(retrieved=put('retrieved', 1, None))", "rows(retrieved=put('retrieved', 1, 'c'))", "rows(retrieved=put('retrieved', 1, 5))", "rows(retrieved=put('retrieved', 1, ['c', None]))", "rows(retrieved=put('retrieved', 2, ['c', 'd', 'c']))", "rows(retrieved=put('retrieved', 1, {'c': 'x'}))", "rows(retrieved=put('retrieved', 1, 'c,d'))", "rows(relevant=put('relevant', 1, None))", "rows(relevant=put('relevant', 1, 5))", "rows(relevant=put('relevant', 1, 'c'))",
         "rows(relevant=put('relevant', 1, {'c': 'x', 'd': 2}))", "rows(relevant=put('relevant', 1, {'c': -1}))", "rows(relevant=put('relevant', 1, [('c', 1), ('c', 2)]))", "rows(relevant=put('relevant', 1, [{'id': 'c', 'score': 1}]))", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 1, [7, 8]))", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 1, None))", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 1, [None]))", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 1, [NAN]))", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 1, ['x']))", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 0, ['1', '3', '2']))",
         "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 1, 5))", "rows('query', 'retrieved', 'relevant', 'scores', retrieved=[{'b': 1, 'a': 2}, ['c'], []])", "rows('query', 'retrieved', 'relevant', 'scores', scores=put('scores', 0, ['1', 3, 2]))"]),
    *each("evaluate({s}, retrieved='found.ids', relevant='truth.gold.labels', {o})", o=["query='query'", "query='truth.name'"], s=["rows('query', found=[{'ids': ['b', 'a']}, {'ids': ['c']}, {'ids': []}], truth=[{'gold': {'labels': ['a']}, 'name': 7}, {'gold': {'labels': ['d']}, 'name': 3}, {'gold': {'labels': ['e', 'f']}, 'name': 5}])", "rows('query', found=[[{'ids': 'b'}, {'ids': 'a'}], [{'ids': 'c'}], []], truth=[{'gold': {'labels': ['a']}, 'name': 7}] * 3)", "lines(rows('query', found=[{'ids': ['b', 'a']}, {'ids': ['c']}, {'ids': []}], truth=[{'gold': {'labels': ['a']}, 'name': 7}, {'gold': {'labels': ['d']}, 'name': 3}, {'gold': {'labels': ['e']}, 'name': 5}]))",
         "rows('query', found=[{'ids': ['b', 'a']}, {'id': ['c']}, {'ids': []}], truth=[{'gold': {'labels': ['a']}, 'name': 7}] * 3)", "rows('query', found=[{'ids': ['b', 'a']}, {'ids': ['c']}, {'ids': []}], truth=[{'gold': {'x': ['a']}, 'name': 7}] * 3)", "rows('query', found=[{'ids': ['b', 'a']}, 5, {'ids': []}], truth=[{'gold': {'labels': ['a']}, 'name': 7}] * 3)"]),
    *each("evaluate({s}, retrieved='retrieved', relevant='relevant', run='run')", s=["rows('query', 'retrieved', 'relevant', 'run', run=['a', 'b', 'a'])", "rows('retrieved', 'relevant', 'run')", "rows('query', 'retrieved', 'relevant', 'run', run=['a', 'a', None])", "rows('query', 'retrieved', 'relevant', 'run', run=[1, '1', 1])", "rows('query', 'retrieved', 'relevant', 'run', query=['k', 'j', 'k'])", "rows('query', 'retrieved', 'relevant', 'run', query=['k', 'k', 'k'], run=['a', 'b', 'a'])", "rows('query', 'retrieved', 'relevant', 'run', query=['k', 'k', 'j'], run=['a', 'b', 'a'])"]),
    "evaluate(rows(), retrieved='retrieved')", "evaluate(rows(), relevant='relevant')", "evaluate(rows())", "evaluate([lines(rows(n=2), 'a.jsonl'), lines(rows('query', 'retrieved', 'relevant', query=['m', 'n', 'o']), 'b.jsonl')], retrieved='retrieved', relevant='relevant')", "evaluate([lines(rows(n=2), 'a.jsonl'), lines(rows(n=2), 'b.jsonl')], retrieved='retrieved', relevant='relevant')", "evaluate([saved(rows(n=2), 'a.csv'), saved(rows(n=2), 'b.csv')], retrieved='retrieved', relevant='relevant')", "Path('t.jsonl').write_text('5\\n'); evaluate('t.jsonl', retrieved='retrieved', relevant='relevant')", "Path('t.jsonl').write_text('{\"query\": 1, \"retrieved\": {\"a\": null}, \"relevant\": [\"a\"]}\\n'); evaluate('t.jsonl', retrieved='retrieved', relevant='relevant')",
]
