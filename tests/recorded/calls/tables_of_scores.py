"""Evaluations.from_frame: wide and long tables of scores that another program computed, in files."""

from recorded.recording import drawn, each

# fmt: off

NEEDS = ["narwhals", "pyarrow"]
GIVEN = """
from pathlib import Path
def table(text, name="scores.csv"):
    Path(name).write_text(text)
    return name
WIDE = "run,query,acc,f1\\nb,q2,1,0.5\\na,q2,0,0.25\\nb,q1,,0.75\\na,q10,1,NaN\\na,q1,0.5,1\\n"
LONG = "system,query_id,metric,score\\nb,2,f1,0.5\\na,2,acc,1\\nb,1,acc,0\\na,10,f1,0.125\\nb,2,acc,0.25\\n"
PAIRS = "model,dataset,task,lang,value\\nx,d1,t1,de,1\\ny,d1,t1,de,0\\nx,d1,t2,de,3\\nx,d2,t1,fr,4\\ny,d2,t1,fr,2.5\\n"
TABS = "model\\ttask\\taccuracy\\tseconds\\nm2\\tqa\\tTrue\\t3\\nm1\\tqa\\tfalse\\t1\\nm2\\tsum\\tnull\\t2\\n"
"""
CALLS = [
    "rg.Evaluations.from_frame(table(WIDE))",
    "rg.Evaluations.from_frame(table(LONG))",
    "rg.Evaluations.from_frame(table(TABS, 's.tsv'))",
    *each(
        "rg.Evaluations.from_frame(table(PAIRS), query={q}{o})",
        q=["['dataset', 'task']", "'task'", "['task', 'dataset', 'lang']", "'dataset'", "[]", "['task', 'task']"],
        o=["", ", values='value'"],
    ),
    *drawn(
        90,
        "rg.Evaluations.from_frame(table({t}), {a}{b})",
        t=["WIDE", "LONG"],
        a=["values='f1'", "run='x'", "values=['f1', 'acc']", "values=('acc',)", "values=[]", "values=['f1', 'f1']", "values=['f2']", "values=3", "measure='metric'",
           "measure='metric', value='score'", "value='score'", "value='f1'", "measure='acc', value='f1'", "measure='query'", "run='system'", "run='run', query='query'",
           "run='query', query='run'", "query='query_id'", "run='run', query='run'", "values=['run']", "values='f1', measure='acc'", "measure='metric', value='metric'"],
        b=["", ", better='lower'", ", better={'f1': 'lower'}", ", better={'zz': 'lower'}"],
    ),
    *each(
        "rg.Evaluations.from_frame(table({t}))",
        t=["WIDE + 'b,q2,0,0\\n'", "WIDE + 'b,q2,0,0\\na,q1,1,1\\n'", "LONG + 'b,2,f1,1\\nb,2,f1,1\\n'", "WIDE.replace('0.75', 'high')", "WIDE.replace('0.75', 'inf')",
           "WIDE.replace('0.75', '-inf')", "LONG.replace('0.125', 'x')", "LONG.replace('0.125', '')", "LONG.replace('a,2', ',2')", "WIDE.replace('b,q1', ',q1')",
           "WIDE.replace('a,q1,', 'a,,')", "'run,query,acc\\n'", "'run,query\\na,b\\n'", "'query,acc\\na,1\\n'", "'run,acc\\na,1\\n'", "'run,system,query,acc\\na,a,q,1\\n'",
           "LONG.replace('acc', '7').replace('f1', '8')", "LONG.replace('score', 'points')", "LONG.replace('metric', 'measure')",
           "''.join(['run,query,f\\n'] + [f'r,q{i % 12},{i}\\n' for i in range(30)])", "'run,query,f\\n1,q,1\\n01,q,2\\n'",
           "LONG.replace('metric', 'metric,measure').replace(',f1', ',f1,x').replace(',acc', ',acc,y')"],
    ),
    "rg.Evaluations.from_frame([table(WIDE, 'a.csv'), table(WIDE.replace('b,', 'c,').replace('a,', 'd,'), 'b.csv')])",
    "rg.Evaluations.from_frame('none.csv')",
    *each("rg.Evaluations.from_frame(table('{{\"run\": \"a\", \"query\": 1, \"metric\": \"f\", \"value\": 1}}\\n{{\"run\": \"a\", \"query\": 2, \"metric\": {m}, \"value\": 2}}\\n', 'x.jsonl'))", m=["7", "null", '\"g\"']),
    "rg.Evaluations.from_frame(3)",
    'rg.Evaluations.from_frame(table(\'{"run": "a", "query": 1, "f": 0.5}\\n{"run": "a", "query": 2, "f": null}\\n\', \'x.jsonl\'))',
]
