"""The drop-in for trec_eval: its options, measures, files and messages."""

from recorded.recording import drawn, each

GIVEN = """
import gzip, io, sys
from contextlib import redirect_stdout
from rankgain.trec.trec_eval import main

def write(name, text):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    with open(name, "wb") as file:
        file.write(data)

def program(*arguments):
    # The lines that the program prints, and its exit status, which is not 0 in most errors.
    with io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape", newline="") as out:
        with redirect_stdout(out):
            status = main(list(arguments))
        text = out.buffer.getvalue().decode("utf-8", "backslashreplace")
    # The sign of a NaN depends on the processor.
    text = text.replace("  -nan", "   nan")
    lines = [line.replace("\\t", "|") for line in text.splitlines()]
    return "\\n".join([f"status {status}", *lines])

def of(text, *arguments):
    return program(*text.split(), *arguments)

def piped(text, data):
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data))
    try:
        return of(text)
    finally:
        sys.stdin = before

QRELS = '''q10 0 a 1
q10 0 b 0
q10 0 c 3
q10 0 e -1
q2 0 a 2
q2 0 b 1
q2 0 z 2
q2 0 y 1
q9 0 m 0
q9 0 n 0
q1 0 k 12
q1 0 l 1
q1 0 a 4
q1 0 b 4
'''
RUN = '''q2 Q0 x 1 9.5 first
q2 Q0 b 2 9.5 first
q2 Q0 a 3 8 first
q2 Q0 w 4 7 first
q2 Q0 v 5 7 first
q2 Q0 y 6 1 first
q10 Q0 b 1 3 second
q10 Q0 a 2 2 second
q10 Q0 d 3 2 second
q10 Q0 e 4 1 second
q10 Q0 c 5 -1 second
q7 Q0 a 1 1 second
q9 Q0 o 1 1 second
q9 Q0 n 2 0.5 third
q1 Q0 b 1 2 third
q1 Q0 a 2 5 third
q1 Q0 s 3 1 third
q1 Q0 k 4 0 third
'''
GAP = '\\n'.join(line for line in RUN.splitlines() if not line.startswith('q10')) + '\\n'
NEGATIVE = 'q0 0 a -1\\nq0 0 b -2\\n' + QRELS + 'q3 0 a -1\\nq3 0 c -2\\n'
LONGER = RUN + 'q0 Q0 a 1 4 t\\nq0 Q0 x 2 3 t\\nq3 Q0 c 1 2 t\\nq3 Q0 a 2 3 t\\n'
for name in ("QRELS", "RUN", "GAP", "NEGATIVE", "LONGER"):
    write(name.lower(), globals()[name])
"""
FLAGS = ["", "-q", "-q -n", "-q -c", "-c", "-q -J", "-J -l2", "-q -l 2", "-q -l3 -c", "-q -M2"]
FLAGS += ["-M 3 -J -q", "-q -l0", "-q -l-1", "-N40 -q", "-q -J -M1 -c", "-q -M0", "-q -J -M0"]
FLAGS += ["--level_for_rel=2 -q", "--Max_retrieved_per_topic 4 -q", "-q -l -2 -J", "-q -c -M0"]
FLAGS += ["--Judged_docs_only -q", "--query_eval_wanted", "--Number_docs_in_coll=7 -q", "-q -l4"]
MEASURES = ["-m all_trec", "-m official", "-m set", "", "-m map -m bpref", "-m relstring.3 -m P.2"]
MEASURES += ["-m G -m dcg -m ideal_dcg", "-m yaap -m runid", "-m ndcg_cut.3,1,2 -m recall.2,1"]
MEASURES += ["-m ndcg.1=3,2=7 -m dcg.3=1,1=0", "-m Rndcg -m ndcg_rel.1=5 -m ndcg_rel"]
MEASURES += ["-m rbp -m rbp.p=0.5", "-m rbp.p=0.5,1=0.5,3=1", "-m rbp_resid.p=0.7 -m relstring"]
MEASURES += ["-m utility.3,-1,-0.5,0.25 -m num_rel", "-m iprec_at_recall.0.35,0.1 -m 11pt_avg"]
MEASURES += ["-m 11pt_avg.0.5,1.0 -m infAP", "-m set_F.0.5 -m set_F.2 -m success.1,2", "-m gm_map"]
MEASURES += ["-m map_cut.2,4 -m relative_P.1,3 -m unj.1,3", "-m Rprec_mult.0.2,1.7 -m Rprec"]
MEASURES += ["-m G.3=1,2=0.5,1=-2 -m Rndcg.12=2,4=0.5", "-m gm_bpref -m num_nonrel_judged_ret"]
MEASURES += ["-m ndcg.4=0.5,1=0.2,4=9 -m dcg.-1=3", "-m ndcg.0=2,1=5", "-m rbp.1=-3,3=4 -m num_q"]
MEASURES += ["-m ndcg.7=1.5,8=2.4,9=1.2,10=3.1,2=0.7 -m ideal_dcg.1=1.9,2=1.2,3=0.5,4=2.8"]
MEASURES += ["-m rbp.x=2,p=0.3 -m binG", "-m P.1,5 -m P.3 -m all_trec", "-m set -m num_ret -m P"]
FILES = ["qrels run", "negative longer", "qrels longer", "negative run"]
USUAL = "-m map -m P.2 -m num_q"

CALLS = [
    *drawn(260, 'of("{f} {m} {i}")', f=FLAGS, m=MEASURES, i=FILES),
    # Queries that are missing in the run.
    *drawn(50, 'of("{f} {m} {i} gap")', f=[*FLAGS[:8], "-q -c -M0"], m=MEASURES, i=["qrels"]),
    # The command line.
    'of("-h")',
    'of("-v")',
    'of("--version qrels")',
    'of("-h qrels run")',
    'of("-h -m nothing")',
    'of("-h -R other")',
    'of("")',
    'of("qrels")',
    'of("qrels run run")',
    'of("-x qrels run")',
    'of("-l")',
    'of("--nothing qrels run")',
    'of("--level 2 -m map qrels run")',
    'of("qrels -m map run -q")',
    'of("-m map qrels run -- -q")',
    'of("-m mapp qrels run")',
    'of("-m P. qrels run")',
    'of("-m .5 qrels run")',
    'of("-m P.0 qrels run")',
    'of("-m P.-3,2 qrels run")',
    'of("-m P.3,5,3 qrels run")',
    'of("-m recall.x qrels run")',
    'of("-m iprec_at_recall.0.5,0.50 qrels run")',
    'of("-m Rprec_mult.12345.678,-1,1e3 -m iprec_at_recall.inf,1 qrels run")',
    'of("-m ndcg.1 qrels run")',
    'of("-m ndcg_rel.1=2,3=4=5 qrels run")',
    'of("-m rbp.p=2=3 qrels run")',
    'of("-m utility.1,2,3 qrels run")',
    'of("-q -m map -m utility.1,2,3 qrels run")',
    'of("-q -m utility.1,2,3,4,5 -m num_q qrels run")',
    'of("-m map_avgjg qrels run")',
    'of("-m P_avgjg.5 qrels run")',
    'of("-m prefs_simp qrels run")',
    'of("-m all_prefs qrels run")',
    'of("-R prefs qrels run")',
    'of("-R qrels_jg qrels run")',
    'of("-R other qrels run")',
    'of("-T other qrels run")',
    'of("-R qrels -T trec_results -m map qrels run")',
    'of("--Rel_info_format=qrels_prefs qrels run")',
    'of("--Results_format other qrels run")',
    'of("-Z file qrels run")',
    'of("--Zscore=file qrels run")',
    'of("-o -m map qrels run")',
    'of("-M-1 qrels run")',
    'of("-M -2 -Z f qrels run")',
    'of("-Z f -M -2 qrels run")',
    'of("-M 2x -q -m num_ret qrels run")',
    'of("-l 99999999999999999999999 -q -m num_rel -m map qrels run")',
    'of("-l -99999999999999999999999 -q -m num_rel -m map qrels run")',
    'of("-D 1.q2 -q -m map qrels run")',
    'of("-D 1.q2 -D 3 -m map -m num_q qrels run")',
    'of("-D 1.q2 -c -m map -m num_q -m num_rel qrels run")',
    'of("-D 1.none -m map qrels run")',
    'of("--Debug_level=2.q10 -m num_ret -m runid qrels run")',
    'of("-D 1.q10 -m map qrels gap")',
    *each(
        'of("{a} nowhere nowhere")',
        a=[
            "-R qrels_prefs -m nothing", "-m nothing -R qrels_jg", "-Z z", "-m prefs",
            "-m all_prefs", "-R prefs",
        ],
    ),
    'of("-m qrels_jg")',
    'of("-c -m utility.1 qrels run")',
    'write("x", "# comment\\n1 Q0 a 1 1 t\\n1 Q0 b 2 1\\n"); of("qrels x")',
    'write("x", "1 0 a 1x\\n1 0 b 0.9\\n1 0 c high\\n1 0 d +2\\n"); write("y", "1 Q0 a 1 2abc t\\n1 Q0 b 2 '
    '0x10 t\\n1 Q0 c 3 none t\\n1 Q0 d 4 1e1e t\\n1 Q0 e 5 inf t\\n"); of("-q -n -m relstring x y")',
    *each('of("-q -n -c -m relstring{p} qrels gap")', p=["", ".10", ".2,9", ".1", ".0"]),
    # Files.
    'of("-m map none run")',
    'of("-m map qrels none")',
    'of("-m map none none")',
    'write("empty", ""); of("empty run"); of("qrels empty")',
    'write("x", "q1 0 a\\n"); of("x run"); of("qrels x")',
    'write("x", "q1 0 a 1\\nq1 0 b 1 2\\n"); of("x run")',
    'write("x", "q1 0 a 1\\nq2 0 b one\\n"); of("-m num_rel x run")',
    'write("x", "q1 0 a 1.7\\nq1 0 b 9223372036854775808\\n"); of("-q -m num_rel -m ndcg x run")',
    'write("x", RUN.replace("q1 Q0 a 2 5 third", "q1 Q0 a 2")); of("qrels x")',
    'write("x", RUN.replace(" 9.5", " nan")); of("-q -m map qrels x")',
    'write("x", RUN.replace(" 9.5", " two")); of("-q -m recip_rank qrels x")',
    'write("x", RUN.replace("first", "tag")); of("-m runid qrels x")',
    'write("x", RUN + "q1 Q0 b 9 -4 t\\n"); of("-q -m P.3 qrels x")',
    'write("x", RUN + "q9 Q0 n 9 -4 t\\nq9 Q0 m 9 -4 t\\nq9 Q0 m 9 -3 t\\n"); of("-q qrels x")',
    'write("x", QRELS + "q10 0 c 1\\n"); of("-q -m map x run")',
    'write("x", QRELS + "q2 0 y 1\\nq2 0 b 2\\nq2 0 a 1\\n"); of("-q -m P x run")',
    'write("x", QRELS + "q2 0 y 1\\n"); of("-q -m num_q -m runid x run")',
    'write("x", QRELS + "q2 0 y 1\\n"); of("-q -m map -D 1.q1 x run")',
    'write("x", "q1 0 a 1\\n"); write("y", RUN + "q1 Q0 b 9 -4 t\\n"); of("-q -m map x y")',
    'of("-q -m map qrels gap"); of("-m num_q -m runid qrels gap"); of("-q -n -m map qrels gap")',
    'of("-q -c -m all_trec qrels gap")',
    'of("-q -c -m num_rel -l2 qrels gap"); of("-c -m num_rel -l2 negative longer")',
    'write("x", "q1 0 a 1\\nq3 0 a 1\\n"); of("-q -c -m rbp_resid -m relstring x run")',
    'write("x", "q1 0 a -1\\n"); of("-q -m map x run"); of("-m num_q -m runid x run")',
    'write("x", "q1 0 a -1\\nq2 0 a 1\\n"); of("-q -m map -m ndcg.1=2 x run")',
    'write("x%d", RUN.replace("q1 ", "q%s ")); write("y", QRELS.replace("q1 ", "q%s ")); '
    'of("-q -m map -m relstring.2%s -m utility.1%d,2,3,4 y x%d")',
    'write("x", RUN.replace("q1 ", "q\\xe9\\udcff ")); write("y", QRELS.replace("q1 ", '
    '"q\\xe9\\udcff ")); of("-q -m map y x")',
    'write("x", gzip.compress(RUN.encode())); of("-q -m map -m runid qrels x")',
    'write("x", gzip.compress(QRELS.encode())); of("-q -m map x run")',
    'write("x", gzip.compress(RUN.encode())[:40]); of("-q -m map qrels x")',
    'write("x", gzip.compress(QRELS.encode())[:30]); of("-q -m map x run")',
    'piped("-q -m map -m runid qrels -", RUN.encode())',
    'piped("-q -m map -m runid -q qrels -", gzip.compress(LONGER.encode()))',
    'write("x", "\\n".join(sorted(RUN.splitlines(), key=lambda line: line[::-1]))); '
    'of("-q -m map -m P.2 -m runid qrels x")',
    'write("run-", RUN); of("-q -m map -m runid qrels run-")',
    'piped("-m map -m runid qrels -- -run", GAP.encode() + RUN.encode()[-300:])',
    'write("x", QRELS.replace("k 12", "k 9").replace("c 3", "c 10")); of("-q -m relstring x run")',
    'of("-q -m set_F.0.5,2 qrels run"); of("-q -m set_F.2,0.5 qrels run")',
    # Long lists.
    'write("x", "".join(f"q1 Q0 d{i * 7 % 50} {i} {-i} t\\n" for i in range(50))); '
    'write("y", "".join(f"q1 0 d{i} {i % 4 - 1}\\n" for i in range(0, 50, 3))); '
    'of("-q -n -m all_trec y x")',
    'write("x", "".join(f"q{i % 3} Q0 d{i * 7 % 50} {i} {-i} t\\n" for i in range(50))); '
    'write("y", "".join(f"q{i % 3} 0 d{i} {i % 5 - 1}\\n" for i in range(0, 50, 2))); '
    'of("-q -n -m infAP -m bpref -m binG -m Rndcg -m ndcg_rel -m G -m yaap -m rbp_resid y x")',
    'write("x", "".join(f"q{i % 3} Q0 d{i * 7 % 50} {i} {-i} t\\n" for i in range(50))); '
    'write("y", "".join(f"q{i % 3} 0 d{i} {i % 5 * 300}\\n" for i in range(0, 50, 2))); '
    'of("-q -n -m Rndcg -m ndcg.600=1.5,300=2.4,1200=2.2 -m G.900=1.5,300=1.4,1200=2.2 y x")',
    'write("y", QRELS.replace(" 12\\n", " 3000000000\\n")); '
    'of("-q -n -m Rndcg -m ndcg -m G -m ndcg.3=5 -m relstring y run")',
    'write("y", QRELS.replace(" 12\\n", " 1023\\n")); of("-q -n -m ndcg.3=5,1=2 -m G y run")',
    'write("y", QRELS.replace(" 12\\n", " 1024\\n")); of("-q -n -m ndcg.3=5,1=2 -m G y run")',
]  # fmt: skip
