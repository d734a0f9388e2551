"""Commands that read tables: predictions with labels, and scores of another program."""

from recorded import command_files
from recorded.recording import drawn, each

NEEDS = ["narwhals", "pandas", "pyarrow"]
GIVEN = f"""{command_files.GIVEN}
tables = dict(
    rows=(
        "user_id,item_id,label,score,bm25,rank,model,weight,lang\\n"
        "u7,a,2,0.5,3,2,x,2,en\\nu7,b,0,0.9,1,1,x,2,en\\nu10,c,1,0.3,1,3,x,0.5,de\\nu7,c,1,0.5,2,3,x,2,en\\n"
        "u10,a,0,0.3,5,1,x,0.5,de\\nu10,d,3,0.1,4,2,x,0.5,de\\nu2,a,0,0.2,1,1,x,1,en\\n"
        "u7,a,2,0.1,3,2,y,2,en\\nu7,d,0,0.9,1,1,y,2,en\\nu10,c,1,0.8,1,1,y,0.5,de\\nu2,b,1,0.4,1,1,y,1,en\\n"
    ),
    part=(
        "user_id,item_id,label,score,bm25,rank,model,weight,lang\\n"
        "u3,z,1,0.7,1,1,x,1,fr\\nu3,y,0,0.7,1,2,x,1,fr\\nu3,z,1,0.7,1,2,y,1,fr\\n"
    ),
    plain="query_id,label,score\\n5,1,.5\\n5,0,.7\\n12,2,.1\\n12,0,.1\\n",
    odd="who,what,truth,guess 1\\nq2,a,1,0.4\\nq1,b,0,0.3\\nq2,c,0,0.6\\nq1,d,2,0.1\\n",
    again="query_id,doc_id,label,score\\nq,a,1,.5\\nq,b,0,.7\\nr,c,1,.2\\nq,b,2,.1\\nr,c,0,.9\\n",
    scores=(
        "system,task,f1,ms\\n" + "".join(
            f"{{system}},{{task}},{{f1}},{{ms}}\\n" for n, task in enumerate("hgfedcba")
            for system, f1, ms in (("new", 0.9 - 0.05 * (n % 3), 9 - n % 2), ("old", 0.5 - 0.03 * n, 1 + n % 3), ("=odd", 0.45 + 0.1 * (n % 5), 4 + n))
        )
    ),
    gaps="model,data set,acc\\nx,1,0.5\\nx,2,0.7\\ny,2,0.6\\ny,3,0.1\\nx,3,\\n",
    long="system,task,metric,value\\nx,1,f1,3\\nx,1,MR(a=b),2\\nx,2,f1,4\\nx,2,MR(a=b),7\\ny,1,f1,1\\ny,2,f1,2\\ny,1,MR(a=b),1\\ny,2,MR(a=b),9\\n",
    twice="system,task,f1\\nx,1,3\\nx,1,2\\ny,1,3\\n",
    words="system,task,f1\\nx,1,3\\nx,2,high\\ny,1,3\\n",
)
for name, text in tables.items():
    Path(f"{{name}}.csv").write_text(text)
Path("parts").mkdir()
Path("parts/1.csv").write_text(tables["rows"])
Path("parts/2.csv").write_text(tables["part"])
Path("seen.tsv").write_text(tables["plain"].replace(",", chr(9)))
"""
# fmt: off
TABLES = """
rows.csv --run model
rows.csv --run model --segment lang --weight weight
rows.csv part.csv --run model --query user_id --score score
parts --run model --rank rank
'parts/*.csv' --run model --score bm25 --segment lang --doc none
plain.csv
plain.csv --run none
seen.tsv
part.csv --run model --doc item_id
odd.csv --query who --label truth --score 'guess 1'
odd.csv --query who --label truth --score 'guess 1' --doc what
odd.csv --query who --query what --label truth --score 'guess 1' --run none
rows.csv --run model --label bm25 --score rank
rows.csv --query model --query user_id --label label --score a=bm25 --score b=score --run none
rows.csv --query model --query user_id --score bm25 --score score --run none --segment lang
again.csv --duplicates first
again.csv --duplicates first --score label
again.csv --duplicates best
again.csv --duplicates in_place
again.csv --doc none
""".strip().splitlines()
MEASURES = ["-m AP", "-m nDCG@2 -m P@1", '-m "nDCG(gain=exp2)@3" -m RR', "-m R@1 -m Unjudged@1 -m AP", "-m AUC -m AP"][:3]
OPTIONS = ["", "--convention trec", "--convention ranx", "--threads 1", "--per-query", "--as-is", "--per-query --as-is", "--convention sklearn",
           "--fail-under AP=0.6", "--fail-under RR=0.99 --fail-under nDCG@2=0.1"]
FORMATS = ["table", "csv", "tsv", "json", "jsonl", "markdown", "latex", "html"]
WRONG = """
table rows.csv -m AP
table rows.csv
table rows.csv -m AP --run model --rank rank --score score
table plain.csv -m AP --rank rank
table plain.csv -m AP --query none
table plain.csv -m AP --label ''
table plain.csv -m AP --run ''
table plain.csv -m AP --doc x
table plain.csv -m AP --weight w
table plain.csv -m AP --segment s
table plain.csv -m AP --score a=score --score b
table plain.csv -m AP --score =score
table plain.csv -m AP --score a=score --score a=label
table odd.csv -m AP
table odd.csv -m AP --query who
table odd.csv -m AP --query who --label truth
table odd.csv -m AP --query who --label truth --score guess
table again.csv -m AP
table plain.csv plain.csv -m AP
table none.csv -m AP
table qrels.txt -m AP
table empty.txt -m AP
table parts -m AP
table plain.csv -m AP --output plain.csv
table plain.csv -m AP --output x.xlsx
table plain.csv -m nDGC --threads 0
table plain.csv -m AP --threads 0
table plain.csv -m AP --convention nobody
table plain.csv -m AP,RR
table plain.csv -m 'RBP(p=2,weight=3)'
table plain.csv --fail-under AP
table plain.csv -m AP --segment label
compare scores.csv --names a,b,c
compare scores.csv --convention trec_eval
compare scores.csv --judged-only
compare scores.csv --exclude ''
compare scores.csv --documents '#'
compare scores.csv --duplicates last
compare scores.csv --threads 1
compare scores.csv --better ms=less
compare scores.csv --better less
compare scores.csv --better lower --better f1=higher
compare scores.csv --better x=lower
compare scores.csv -m nDCG
compare scores.csv -m f1,ms
compare scores.csv -m ''
compare scores.csv --fail-if-worse AP --baseline new
compare scores.csv --fail-if-worse f1
compare scores.csv --baseline x
compare scores.csv --baseline ''
compare scores.csv --run x
compare scores.csv --query x
compare scores.csv --values f1 --values x
compare scores.csv --values task
compare scores.csv --output scores.csv
compare scores.csv --report scores.csv
compare scores.csv --output ./scores.csv --format csv
compare scores.csv --by kinds.txt
compare scores.csv --changes 1
compare scores.csv --verdict --format latex
compare scores.csv --value-column f1
compare scores.csv --measure-column f1
compare long.csv --measure-column metric --value-column task
compare long.csv --value-column x
compare gaps.csv
compare gaps.csv --query 'data set'
compare twice.csv
compare words.csv
compare none.csv
compare rows.csv
""".strip().splitlines()
SCORES = """
scores.csv
scores.csv --better ms=lower
scores.csv --better lower --values ms
scores.csv --run system --query task --values f1
scores.csv --values ms --values f1 --better ms=lower --better f1=higher
scores.csv -m f1
scores.csv --baseline new
scores.csv --baseline old -m ms --better ms=lower
gaps.csv --queries common --query 'data set'
long.csv
long.csv --measure-column metric --value-column value --better 'MR(a=b)=lower'
long.csv --better 'MR(a=b)=lower' -m 'MR(a=b)'
scores.csv --by tasks --better ms=lower
""".strip().splitlines()
COMPARED = ["", "--test randomised_tukey --resamples 20", "--level 0.5", "--correction none --verdict", "--seed 3 --resamples 90 --correction bh"]
# Files written in the call, with the command that reads them.
TABLE = "table rows.csv -m AP"
FILES = [
    ("rows.csv", "query_id,lbl,score\\n1,1,.5\\n", TABLE), ("rows.csv", "query,label,score\\n1,1,.5\\n", f"{TABLE} --query x"),
    ("rows.csv", "query_id,user_id,label,score\\n1,1,1,.1\\n1,2,0,.2\\n", TABLE), ("rows.csv", "query_id,system,label,score\\n1,a,1,.1\\n1,b,0,.2\\n", TABLE),
    ("rows.csv", "query_id,label,my rank,rank\\n1,1,1,1\\n", f"{TABLE} --score 'my rank' --query 'the user'"),
    ("rows.csv", "query_id,label,rank\\n1,1,1\\n", TABLE), ("rows.csv", "query_id,two words,label,score\\n1,a,1,.1\\n1,b,0,.2\\n", f"{TABLE} --query query_id"),
    ("rows.csv", "query_id,run name,label,score\\n1,a,1,.1\\n1,b,0,.2\\n", TABLE), ("rank=3.csv", "query_id,score\\n1,.5\\n", "table rank=3.csv -m AP"),
    ("w.csv", "model,task,f1\\na,1,.5\\nb,1,.4\\n", "compare w.csv --run task"),
    ("w.csv", "system,task,MR(a=b)\\nx,1,3\\nx,2,4\\ny,1,1\\ny,2,2\\n", "compare w.csv --better 'MR(a=b)=lower'"),
    ("l.csv", "q,sys,kind,v\\n1,a,AP,.5\\n1,b,AP,.4\\n", "compare l.csv --run sys --query q --value-column v"),
    ("l.csv", "q,sys,metric,value,score\\n1,a,AP,.5,1\\n", "compare l.csv --run sys --query q"),
    *(("l.csv", "q,sys,metric,v\\n1,a,AP,.5\\n1,b,AP,.4\\n", f"compare l.csv --run sys --query q {options}")
      for options in ("", "--measure-column x", "--values v --value-column v", "--values v --values v")),
    ("log.tsv", "u1\\ti1\\t5\\t100\\nu1\\ti2\\t3\\t200\\n", "compare log.tsv a.txt b.txt -m AP"),
    *(("t.csv", "user,label,score\\n1,1,3\\n", f"table t.csv -m AP --{role} ''") for role in ("run", "query", "label", "score", "rank", "doc", "weight", "segment")),
    *(("s.csv", "system,task,f1\\nx,1,3\\ny,1,1\\n", f"compare s.csv --{option} ''")
      for option in ("measure", "baseline", "names", "convention", "exclude", "documents", "threads", "output", "by")),
]
CALLS = [
    *(f'with_file({path!r}, "{text}", {words!r})' for path, text, words in FILES),
    *drawn(64, "rankgain('table {t} {m} {o} --format {f}')", t=[t.replace("'", '"') for t in TABLES], m=MEASURES, o=OPTIONS, f=FORMATS),
    *drawn(40, "Path('tasks').write_text('a x\\nb x\\nc x\\nd y\\ne y\\nf x\\ng y\\nh y'); rankgain('compare {s} {c} --format {f}')",
           s=[s.replace("'", '"') for s in SCORES], c=[*COMPARED[:3], COMPARED[3].replace("--verdict", ""), COMPARED[4]],
           f=["table", "csv", "json", "markdown", "latex", "html"]),
    *drawn(12, "Path('tasks').write_text('a x\\nb x\\nc x\\nd y\\ne y\\nf x\\ng y\\nh y'); rankgain('compare {s} {c}')",
           s=[s.replace("'", '"') for s in SCORES], c=COMPARED),
    *each("rankgain('compare scores.csv {m} --baseline {b} {w} --format csv')", m=["", "-m ms", "-m f1 -m ms"], b=["new"],
          w=["--fail-if-worse f1", "--fail-if-worse f1 --fail-if-worse ms --better ms=lower", "--fail-if-worse ms --gate-on gates", "--fail-if-worse ms --better lower"]),
    *each("rankgain('compare scores.csv --baseline old --changes {n} {f} --better ms=lower')", n=[1, 3], f=["", "--format markdown --verdict"]),
    *each("rankgain('compare {w} -m {m}')", w=["rows.csv a.txt b.txt", "qrels.txt a.txt rows.csv", "qrels.txt a.txt scores.csv"], m=["AP"]),
    *(f"rankgain({words!r})" for words in WRONG),
    # Qrels and runs as tables, and paths with an equals sign.
    "Path('q.csv').write_text('query_id,doc_id,label\\nq2,a,1\\nq1,a,2\\nq1,f,1\\n'); rankgain('evaluate q.csv a.txt b.txt -m AP -m nDCG@2')",
    "Path('r.tsv').write_text('query_id\\tdoc_id\\tscore\\nq2\\ta\\t1\\nq2\\tx\\t3\\nq1\\tf\\t1\\n'); rankgain('evaluate qrels.txt r.tsv a.txt -m AP --per-query --format csv')",
    "Path('doc=1').mkdir(); Path('doc=1/rank=3.csv').write_text('query_id,score\\n1,.5\\n'); rankgain('table doc=1/rank=3.csv -m AP'); rankgain('table doc=1 -m AP')",
    "rankgain('table plain.csv -m AP --output x.csv'); show('x.csv'); rankgain('table odd.csv -m AP --output x.csv'); show('x.csv')",
]
