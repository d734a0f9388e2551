"""evaluate and evaluate_runs: joins of qrels and runs under every option and convention."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
from pathlib import Path
import pickle
QRELS = {
    "q10": {"d1": 2, "d3": 0, "d10": 1}, "q2": {"d2": 1, "d4": -1, "d5": 3}, "q1": {"d9": 0, "d8": 0},
    "q7": {"d1": 1, "q7": 1}, "lost": {"d3": 2},
}
RUN = {
    "q2": {"d5": 0.5, "x1": 0.5, "d2": 0.5, "d4": 2.0}, "q10": {"d3": 3, "d10": 1, "x2": 2, "d1": 1, "x3": 1},
    "q7": {"q7": 9.0, "d1": 8.0, "d2": 8.0}, "q1": {"d8": 1.5, "x9": 1.0}, "other": {"d1": 1.0},
}
SECOND = {"q10": {"d1": 5.0}, "q1": {"d7": 1.0}, "lost": {"d3": 1.0, "d2": 1.0}}
FINE = {"q2": {"d5": 1 + 2**-30, "d2": 1.0, "d4": 1 - 2**-30}, "q10": {"d1": 2.0**60, "d3": 2.0**60 + 4096, "d10": 0}}
NUMBERED = {3: {10: 1, 2**53 + 1: 2}, 1: {5: 1, 6: 0}}, {1: {6: 2.0, 5: 1.0, 7: 1.0}, 3: {2**53 + 1: 0.1, 2**53: 0.2, 10: 0.1}}
PARTS = {"q1": {"a": {"s1": 1, "s2": 0}, "b": {"s2": 2}, "c": {"s1": 1, "s2": 1}}, "q2": {"a": {"s1": 1}, "e": {"s3": 0}}}
OF_PARTS = {"q2": {"e": 2.0, "a": 1.0}, "q1": {"x": 4.0, "b": 3.0, "a": 2.0, "c": 1.0}}
CHUNKS = {"q10": {"d3#1": 3.0, "d1#2": 2.5, "d3#2": 2.0, "d10#1": 1.0}, "q2": {"d5#7": 1.0, "d2": 1.0}, "lost": {"d4#1": 1.0}}
GAPS = {"q10": ["d3", "x1", "d1"], "q2": ["d2"], "lost": []}
def qrels_file(text="q2 0 d5 3\\nq10 0 d1 2\\nq2 0 d2 1\\nq10 0 d3 0\\nq9 0 d1 1\\n"):
    Path("qrels.txt").write_text(text)
    return "qrels.txt"
def run_file(name="run.txt", text="q10 Q0 d3 1 3.0 t\\nq10 Q0 d1 2 2.5 t\\nq2 Q0 d2 1 0.5 t\\nq2 Q0 d5 2 0.5 t\\nq8 Q0 d1 1 1 t\\n"):
    Path(name).write_text(text)
    return name
QUERY_WEIGHTS = {"q10": 1, "q2": 2, "q1": 4, "q7": 0.5, "lost": 3}
"""
INPUTS = [
    "QRELS, RUN",
    "QRELS, SECOND",
    "QRELS, FINE",
    "*NUMBERED",
    "QRELS, GAPS",
    "qrels_file(), run_file()",
    "rg.Qrels(QRELS), rg.Run(RUN)",
    "{'q10': ['d1', 'd3'], 'q2': {'d2'}}, RUN",
]
MEASURES = [
    "['nDCG@2', 'AP', 'RR']",
    "['P@2', 'Judged@2', 'Bpref', 'NumRet']",
    "['AP(judged_only=True)', 'AP', 'nDCG(ties=best)@3']",
    "['RR(rank=optimistic)', 'AP(rel=2)', 'R@3', 'RR(ties=worst)']",
    "['GMAP', 'ERR@3', 'RBP', 'RBPResidual']",
    "['MR', 'HitRate(per=item)@2', 'infAP(ties=stable)', 'Unjudged@3']",
    "'AUC'",
    "['nDCG(judged_only=True)@2', 'P(judged_only=False)@1', 'DCG(gain=exp2)', 'SetAP']",
]
OPTIONS = [
    *each(
        "ties={t!r}",
        t=["average", "stable", "reverse", "best", "worst", "random", "id", "id_descending"],
    ),
    "seed=7, ties='random'",
    "judged_only=True",
    "judged_only=False",
    "judged_only=np.True_, rel=2",
    "rel=2",
    "rel=0.5",
    "gain='exp2'",
    "gain={0: 0, 1: 5, 2: 1, 3: 2, -1: 0}",
    "empty='skip'",
    "empty=1",
    "empty='raise'",
    "bounds='ties'",
    "bounds='unjudged'",
    "bounds=('ties', 'unjudged')",
    "exclude={'q10': ['d3', 'x2'], 'q2': {'d5': 1}, 'q7': ['q7']}",
    "exclude='query'",
    "exclude={'q1': ['d8', 'd9'], 'q7': ['d1', 'q7']}",
    "exclude={'nowhere': ['d3']}",
    "weight=QUERY_WEIGHTS",
    "weight={'q10': 1, 'q2': 3, '1': 2, '3': 5}",
    "weight={1: 2, 3: 5}",
    "weight=[1, 2, 3, 4, 5]",
    "weight=[1, 2]",
    "documents='#'",
    "threads=2",
]
CONVENTIONS = [
    "trec",
    "trec_eval",
    "trec_eval-9",
    "pytrec_eval",
    "ir_measures",
    "gdeval",
    "ranx",
    "trectools",
    "msmarco",
    "beir",
    "mteb",
    "rankgain",
    "sentence_transformers",
    "haystack",
    "elasticsearch",
    "sklearn",
    "torchmetrics",
    "lightgbm",
    "spark",
    "jarvelin2002",
]
CALLS = [
    *each("rg.evaluate({i}, {m})", i=INPUTS, m=MEASURES),
    *drawn(200, "rg.evaluate({i}, {m}, {o})", i=INPUTS, m=MEASURES, o=OPTIONS),
    *drawn(96, "rg.evaluate({i}, {m}, convention={c!r})", i=INPUTS, m=MEASURES, c=CONVENTIONS),
    *drawn(
        72,
        "rg.evaluate({i}, {m}, convention={c!r}, {o})",
        i=INPUTS,
        m=MEASURES,
        c=CONVENTIONS,
        o=OPTIONS,
    ),
    # A convention that is changed.
    *drawn(
        48,
        "rg.evaluate({i}, {m}, convention=rg.conventions[{c!r}].replace({r}))",
        i=INPUTS[:5],
        m=MEASURES[:5],
        c=["trec", "rankgain", "ranx"],
        r=["missing='skip'", "missing='raise'", "missing='zero', unjudged='drop'", "truncate_labels=True, unjudged='drop'", "own_document='drop'", "ties='stable', negative='keep'",
           "ties='reverse', rel=2", "score_dtype='float32'", "ideal='list'", "unjudged='drop', negative='keep'", "empty='skip', mean='micro'", "summation='pairwise', round_mean=2",
           "round=2"],
    ),
    "rg.evaluate({'q': {'a': -1, 'b': 1}}, {'q': {'c': 2.0, 'a': 1.0, 'b': 0.5}}, 'nDCG', bounds='unjudged', convention='torchmetrics')",
    # Several runs.
    *drawn(
        60,
        "rg.evaluate_runs(QRELS, {r}, {m}, {o})",
        r=["{'b': RUN, 'a': SECOND}", "{'a': SECOND, 'b': RUN, 'c': GAPS}", "{'x': FINE}"],
        m=MEASURES,
        o=[o for o in OPTIONS if "1, 2]" not in o],
    ),
    *each(
        "rg.evaluate_runs(QRELS, measures=['AP', 'nDCG@2'], runs={r})",
        r=["{}", "[]", "3", "{'a': {}}", "{'a': RUN, 'b': {'q10': {'d1': float('nan')}}}", "{'a': RUN, 'b': {'q10': {'d1': 'x'}}}", "{1: RUN, '1': RUN}",
           "[run_file('b.txt'), run_file('a.txt')]", "run_file('c.run')", "[run_file(), 'absent.txt']", "'absent*.txt'", "{'a': RUN}, run='x'",
           "{'a': run_file(), 'b': run_file('b.txt', 'q10 Q0 d1 1 x t')}", "{'a': {'q3': {'d1': 1}}, 'b': {'q4': {'d7': 1}}, 'c': {'q10': {'d9': 1}, 'q2': {'d9': 1}, 'q7': {'u': 1}}}"],
    ),
    "rg.evaluate_runs(QRELS, {'a': RUN}, 'AP', exlude='query')",
    "rg.evaluate_runs(QRELS, {'a': RUN, 'b': SECOND}, iter(['AP', 'RR']), exclude=iter([]))",
    "rg.evaluate_runs(qrels_file(), {'a': run_file(), 'b': SECOND}, ['AP', 'RR'], exclude={'q10': iter(['d3'])})",
    "rg.evaluate_runs(qrels_file(), [run_file('x/../y.txt')], ['AP'])",
    # Chunks.
    *each(
        "rg.evaluate(QRELS, {r}, ['AP', 'nDCG@2', 'NumRet'], documents={d})",
        r=["CHUNKS", "rg.Run(CHUNKS)"],
        d=["'#'", "'##'", "''", "lambda chunk: chunk.partition('#')[0]", "{'d3#1': 'd3'}", "{c: c.partition('#')[0] for row in CHUNKS.values() for c in row}", "5"],
    ),
    "rg.evaluate(QRELS, rg.Run(CHUNKS, documents='#', duplicates='in_place'), ['AP', 'NumRet'])",
    "rg.evaluate(QRELS, CHUNKS, 'AP')",
    # Judgments with parts.
    *each(
        "rg.evaluate(PARTS, OF_PARTS, {m}, {o})",
        m=["['alpha_nDCG@2', 'StRecall@2', 'AP']", "['ERR_IA@3', 'nNRBP', 'NRBP', 'P_IA@2', 'AP_IA']", "['D_nDCG@3', 'D#_nDCG@3', 'nERR_IA@1']",
           "['alpha_nDCG(alpha=0.3)@5', 'alpha_DCG@3', 'nNRBP(beta=0.8)']"],
        o=["rel=1", "rel=2", "judged_only=True", "ties='stable'", "ties='average'", "bounds='ties'", "empty='skip'", "exclude={'q1': ['b']}", "weight={'q1': 1, 'q2': 3}",
           "convention='pytrec_eval'"],
    ),
    "rg.evaluate(QRELS, RUN, ['AP', 'StRecall@2'])",
    "rg.evaluate(PARTS, {'q1': {'a': 1.0, 'b': 1.0}}, 'alpha_nDCG@2', ties='average')",
    "rg.evaluate(PARTS, OF_PARTS, 'P_IA@5000000')",
    "rg.evaluate(PARTS, OF_PARTS, 'ERR_IA@5000000')",
    "rg.evaluate(PARTS, OF_PARTS, 'NRBP(beta=1)')",
    # What is wrong, and where.
    *each(
        "rg.evaluate({a}, {m})",
        a=["{'q1': {'a': float('nan')}}, RUN", "QRELS, {'q2': {'d1': 1}, 'q10': {'d1': 2, 'd3': float('nan')}}", "{'q1': {'a': 'x'}}, RUN", "QRELS, {'q2': {'a': None}}", "{}, RUN",
           "QRELS, {}", "3, RUN", "QRELS, 4", "{'q2': {}}, RUN", "QRELS, {'q2': {}}", "{1: {'a': 1}}, {'1': {'a': 1}}", "QRELS, {'zz': {'d1': 1}}",
           "QRELS, {'q2': {'D2': 1, 'D5': 2}, 'q10': {'D1': 1}, 'q1': {'x': 1}}", "QRELS, {'q2': {'d2#1': 1, 'd5#2': 2}, 'q10': {'d1#3': 1}, 'q7': {'x': 1}}", "RUN, QRELS",
           "qrels_file('q1 0 d1\\n'), RUN", "qrels_file('q1 0 d1 1\\nq1 0 d1 2\\n'), RUN", "QRELS, run_file(text='q2 Q0 d1 1 2 t\\nq2 Q0 d1 2 1 t\\n')",
           "qrels_file(), run_file(text='q7 Q0 d1 1 2 t\\n')", "run_file(), qrels_file()", "'none.txt', RUN", "qrels_file(''), run_file()", "qrels_file(), run_file(text='')"],
        m=["'AP'", "['nDCG', 'RR'], bounds='ties'"],
    ),
    *each(
        "rg.evaluate(QRELS, RUN, {m})",
        m=["'Coverage@2'", "'nDCGG'", "[]", "['AP', 'AP']", "['AP', 'map']", "'AP', judged_only='yes'", "'AP', judged_only=1", "'AP', k=3", "'AP', by='q'", "'AP', documnts='#'",
           "'AP', ties='tie'", "'AP(ties=best)', ties='worst'", "['AP(judged_only=True)'], judged_only=False", "'AP', exclude=3", "'AP', exclude=['d1']", "'AP', exclude='queries'",
           "'AP', weight={'q10': 1}", "'AP', weight={'q10': float('nan'), 'q2': 1, 'q1': 1, 'q7': 1, 'lost': 1}", "'AP', weight=[1e308] * 5", "'AP', gain='exp2'", "'AP', bounds='all'",
           "'Bpref', bounds='unjudged'", "'infAP'", "'infAP', bounds='ties'", "'AP@3000000000'", "'DCG', discount=lambda r: 1 / r", "'DCG', discount=[1, .5, .2]",
           "'DCG@2', discount=[1, .5, .2]", "'nDCG', ties='random', bounds='unjudged'", "['AP', 'Unjudged@2'], bounds='unjudged'", "'ERR', max_label=2", "'ERR(max_label=2)'",
           "'INST(max_rel=1,T=1)'", "['SDCG(max_rel=1)@2', 'SDCG(max_rel=2)@2']", "'AP', rel=9", "['AP', 'RR', 'P@2', 'R@2', 'nDCG'], rel=9", "'IPrec@0.5', ties='stable'",
           "'Lift(share=0.5)'", "'R(divisor=min)@2', divisor='relevant'", "'GAUC'", "'GAUC(weight=positives)'", "'NumQ'"],
    ),
    # Calls after other calls.
    "q, r = rg.Qrels(QRELS), rg.Run(RUN); [rg.evaluate(q, r, 'AP', **o).means for o in ({}, {'rel': 2}, {'ties': 'best'}, {'judged_only': True}, {'exclude': 'query'}, {'ties': 'id'}, {})]",
    "q = rg.Qrels(QRELS); [rg.evaluate(q, r, ['AP', 'nDCG@2']).means for r in (RUN, SECOND, FINE, RUN)]",
    "q, r = rg.Qrels(QRELS), rg.Run(RUN); [rg.evaluate(q, r, ['nDCG', 'Bpref'], convention=c).means for c in ('trec', 'rankgain', 'ranx', rg.conventions['trec'].replace(truncate_labels=True), 'trec_eval-9', 'trec')]",
    "q, r = rg.Qrels(QRELS), rg.Run(RUN); rg.evaluate(q, r, 'AP', bounds='ties'); rg.evaluate(q, r, 'AP')",
    "q = rg.Qrels(PARTS); [rg.evaluate(q, OF_PARTS, ['alpha_nDCG@2'], **o).means for o in ({}, {'rel': 2}, {}, {'judged_only': True})]; rg.evaluate(q, OF_PARTS, ['alpha_nDCG(alpha=0.9)@2', 'alpha_nDCG@2', 'nNRBP', 'AP']).means",
    "r = pickle.loads(pickle.dumps(rg.evaluate(QRELS, RUN, ['AP', 'RR(ties=best)'], bounds='ties', weight=QUERY_WEIGHTS))); r; r.rules",
    "rg.evaluate(*NUMBERED, ['AP', 'RR(ties=best)'], weight={1: 2, '3': 5}).to_dict()",
    "rg.evaluate(QRELS, RUN, ['RR', 'AP(judged_only=True)', 'AP', 'RR(ties=best)'], bounds='ties', empty='skip', convention=rg.conventions['trec'].replace(missing='skip'))",
    "rg.evaluate(QRELS, RUN, ['AP(judged_only=True)', 'HitRate(per=item)@2', 'nDCG(ties=best)'], bounds='ties', convention='pytrec_eval')",
    "q = {k: dict(v) for k, v in QRELS.items()}; a = rg.evaluate(q, RUN, 'AP'); q['q2']['d5'] = 0; a.means; rg.evaluate(q, RUN, 'AP').means",
]
