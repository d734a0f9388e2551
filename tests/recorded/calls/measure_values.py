"""Values of every family of measures with every parameter, through several functions."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
QRELS = {
    "q10": {"a": 3, "b": 0, "c": 1, "d": 2, "z": 1}, "q9": {"a": 0, "c": 0}, "q1": {"b": 2, "e": 4},
    "q2": {"a": 1, "b": -1, "d": 1, "f": 0, "g": 3}, "only": {"a": 1}, "q7": {"c": 1, "x": 0, "a": 2},
}
RUN = {
    "q2": {"a": 0.5, "b": 0.7, "f": 0.7, "x": 0.7, "d": 0.7}, "q10": {"u": 9, "a": 5, "b": 8, "d": 5, "c": 1, "v": 0},
    "q1": {"e": -1.0, "b": 3, "w": 3}, "q9": {"a": 1.0, "u": 2, "c": 0}, "extra": {"a": 1.0}, "q7": {"c": 1.0},
}
OTHER = {"q10": {"c": 2.0, "u": 1}, "q1": {"e": 2.0}, "q2": {"g": 5.0, "a": 4}, "q9": {"c": 1.0, "a": 1}, "q7": {"x": 3.0, "a": 2}}
LABELS = [[3, 2, 0, 1, 0, 0, 4], [0, 0, 0, 0, 0, 0, 0], [1, 1, 2, 0, 4, 0, 0], [1, 2, 1, 1, 3, 1, 1]]
SCORES = [[0.5, 0.1, 0.5, 0.9, 0.2, 0.5, 0], [7, 5, 4, 3, 2, 1, 1], [1, 1, 1, 2, 0, 3, 1], [0, -1, 7, 7, 3, 1, 1]]
CHANCES = [[0.5, 0, 1, 0, 0.25, 0, 0], [0, 0, 0, 0, 0, 0, 0.0], [1, 0, 0, 0, 0, 0, 0.0], [0, 0, 0, 1, 1, 0.5, 0]]
WEIGHTS = {"q1": 2, "q10": 0.5, "q9": 1, "q2": 0, "only": 3, "q7": 1.5}
JUDGED = [[3, 2, 0, 1, 0, 0, 4, 4, 1], [0] * 7, [1, 1, 2, 0, 4, 0, 0, 1], [1, 2, 1, 1, 3, 1, 1, 0]]
RANKED = {"u2": [7, 2**53 + 1, 3], "u1": [5, 3, 9, 1], "u3": [2**53], "u0": []}
LIKED = {"u1": [9, 1, 8], "u2": {2**53 + 1: 2, 3: 1, 4: 3}, "u3": [2**53 + 1], "u0": [1]}
PARTS = rg.Qrels({
    "q10": {"a": {"s1": 1, "s3": 2}, "b": {"s2": 1}, "c": {"s1": 0}, "d": {"s1": 3, "s2": 1}, "g": {"s4": 1}},
    "q1": {"b": {"x": 1}, "e": {"x": 1, "y": 1}}, "q9": {"a": {"s1": 0}}, "q2": {"g": {"s": 1}, "a": {"t": 2}},
}, subtopics=True)
class Values:
    def __init__(self, result):
        self.text = " ".join(f"{name} {rg_number(mean)}:" + "".join(f" {rg_number(v)}" for v in
            result.per_query.get(name, [])) for name, mean in result.means.items())
def rg_number(value): return f"{value:.9g}"
def each(names, function, *data, **options):
    for name in names.split():
        try: print(Values(function(*data, name, **options)).text)
        except (TypeError, ValueError) as error: print(name, error)
def by_id(names, **options): each(names, rg.evaluate, QRELS, RUN, **options)
def arrays(names, **options): each(names, rg.evaluate_arrays, LABELS, SCORES, **options)
def chances(names, **options): each(names, rg.evaluate_arrays, CHANCES, SCORES, **options)
def ids(names, **options): each(names, rg.evaluate_ids, RANKED, LIKED, **options)
def parts(names, **options): each(names, rg.evaluate, PARTS, RUN, **options)
def order(names, by=lambda m: (QRELS, m)):
    for name in names.split():
        try: print(*rg.evaluate_runs(by(name)[0], {"run": RUN, "other": OTHER}, name).sort(name))
        except (TypeError, ValueError) as error: print(name, error)
def bounds(names, kind):
    for name in names.split():
        for convention in ("trec", "rankgain"):
            try: print(name, rg.evaluate(QRELS, RUN, name, bounds=kind, convention=convention).bound_means)
            except (TypeError, ValueError) as error: print(name, error)
"""
# Names of each family without parameters, and with each parameter.
OF_LISTS = ["CG CG@2 CG(gain=exp2)@3 CG(gain={0:0,1:5,2:7,3:7.5,4:20}) CG(min_label=2)@4 CG(rel=2,gain=binary)",
    "DCG DCG@2 DCG(gain=exp2)@3 DCG(discount=log,log_base=3)@3 DCG(discount=reciprocal) DCG(min_label=2)",
    "IDCG IDCG@2 IDCG(gain=exp2)@3 IDCG(discount=log,log_base=3)@5 IDCG(min_label=2) IDCG(rel=2,gain=binary)",
    "nDCG nDCG@2 nDCG(gain=exp2)@3 nDCG(discount=log,log_base=3)@3 nDCG(min_label=2)@4 nDCG(empty=1)@9",
    "AP AP@2 AP(rel=2) AP(divisor=hits)@3 AP(divisor=min)@3 AP(divisor=k)@3 AP(divisor=relevant)@2 AP(empty=.5)",
    "AP@R AP(rel=2)@R AP(empty=skip)@R AP(judged_only=True)@R AP(ties=worst)@R", "RR RR@2 RR(rel=2) RR(rank=optimistic) RR(rank=realistic)@3 RR(rank=pessimistic) RR(empty=skip)",
    "HitRate HitRate@2 HitRate(rel=2)@3 HitRate(per=item)@3 HitRate(rank=realistic)@2 HitRate(rank=optimistic)@2",
    "P P@2 P(rel=2)@3 P(divisor=min)@9 P(divisor=min_relevant)@4 P(divisor=k)@9 P(empty=skip)@3", "R R@2 R(rel=2)@3 R(divisor=min)@2 R(divisor=relevant)@2 R(empty=nan)@2 R@9",
    "F1 F1@3 F1(beta=2)@3 F1(rel=2) F1(divisor=min)@9 F1(beta=0)@2 F1(empty=1)", "RPrec RPrec(rel=2) RPrec(empty=1) RPrec(ties=best)",
    "RBP RBP@2 RBP(p=.5)@3 RBP(gain=linear) RBP(gain=exp2,p=.9)@3 RBP(rel=2) RBP(gain={0:0,1:.5,2:1,3:1,4:2})",
    "ERR ERR@2 ERR(max_label=7)@3 ERR(empty=1) nERR nERR@2 nERR(max_label=7)@3 nERR(empty=skip)", "NCG NCG@2 NCG(empty=1)@3 Q Q@2 Q(beta=2)@3 Q(beta=0) Q(empty=1)@9",
    "AUC AUC(rel=2) AUC(empty=.5) GAUC GAUC(weight=documents) GAUC(weight=positives) GAUC(rel=2) GAUC(empty=0)",
    "Bpref Bpref(rel=2) Bpref(empty=1) infAP infAP(rel=2) infAP(empty=1) GMBpref GMBpref(rel=2)",
    "IPrec@0 IPrec@.25 IPrec@.5 IPrec(rel=2)@.5 IPrec@1 IPrec(empty=1)@1 IPrecAvg IPrecAvg(rel=2)",
    "GMAP GMAP(rel=2) GMAP(empty=1) RnDCG RnDCG(gain=exp2) RnDCG(rel=2) RnDCG(min_label=2) RnDCG(empty=1)",
    "G G(gain=exp2) G(rel=2) G(min_label=2) G(empty=1) binG binG(rel=2) binG(empty=1)",
    "ndcg_rel ndcg_rel(gain=exp2) ndcg_rel(rel=2) ndcg_rel(min_label=2) ndcg_rel(discount=reciprocal)", "utility utility(rel=2) utility(empty=1) yaap yaap(rel=2) yaap(empty=1)",
    "Rprec_mult_0.20 Rprec_mult_1 Rprec_mult_1.5 Rprec_mult_2(rel=2) Rprec_mult(empty=1,multiple=.7)",
    "SetAP SetAP(rel=2) SetAP(empty=1) RelP RelP@2 RelP(rel=2)@3 RelP@9 RelP(empty=1)",
    "Judged Judged@2 Judged(divisor=k)@9 Judged(divisor=min)@9 Unjudged Unjudged@2 Unjudged(divisor=min)@9",
    "RBPResidual RBPResidual@2 RBPResidual(p=.5)@3 PRAUC PRAUC(rel=2) PRAUC(empty=1) lrap",
    "Lift Lift@2 Lift(share=.4) Lift(rel=2)@3 Gain Gain@2 Gain(share=.4) Gain(share=1) Gain(rel=2)@3",
    "MR MR(rank=optimistic) MR(rank=pessimistic) MR(rel=2) AMR AMR(rel=2) AMRI AMRI(rel=2) AMRI(empty=0)",
    "RankingLoss RankingLoss(rel=2) RankingLoss(empty=0) CoverageError CoverageError(rel=2)", "PFound PFound@2 PFound(decay=.5)@3 PFound(empty=1)",
    "INSQ(max_rel=4) INSQ(max_rel=4,T=2) INSQ(max_rel=3,min_rel=1) INSQ(max_rel=3)", "SDCG(max_rel=4)@3 SDCG(max_rel=4,min_rel=1)@2 SDCG(max_rel=3)@9 SDCG(max_rel=4)@1",
    "INST(max_rel=4) INST(max_rel=4,T=2) INST(max_rel=3,min_rel=1) INST(max_rel=4,T=.5)", "BPM(max_rel=4)@3 BPM(max_rel=4,T=2)@3 BPM(max_rel=3,min_rel=1)@2 BPM(max_rel=4,T=.4)@4",
    "NERR8(max_rel=4)@3 NERR8(max_rel=4,min_rel=1)@3 NERR8(max_rel=5)@1 NERR9(max_rel=4)@3 NERR9(max_rel=5)@2",
    "NERR10(max_rel=4) NERR10(max_rel=4,p=.5) NERR10(max_rel=5,min_rel=1) NERR9(max_rel=4,min_rel=1)@3", "NERR11(max_rel=4) NERR11(max_rel=4,T=2) NERR11(max_rel=5,min_rel=1)",
    "Compat Compat(p=.5) Compat(normalize=False) Compat(empty=1) Compat(normalize=True,p=.9)", "Accuracy Accuracy@2 Accuracy(rel=2) Accuracy@5 Accuracy(empty=1)@3",
    "NumQ NumRet NumRet@2 NumRet(rel=2) NumRel NumRel(rel=2) NumRelRet NumRelRet(rel=2)@3",
    "NumNonrelJudgedRet NumNonrelJudgedRet@2 NumNonrelJudgedRet(rel=2) NumRet(judged_only=True)"]
JUDGED_ONLY = """
CG@2 DCG@2 IDCG@2 nDCG@2 AP RR HitRate@1 P@2 R@2 F1@2 RPrec RBP ERR nERR@2 NCG@2 Q@2 Bpref infAP IPrec@.5 IPrecAvg
GMAP GMBpref RnDCG G binG ndcg_rel utility yaap SetAP RelP@2 Judged@3 Unjudged@3 RBPResidual PFound@2 NumRelRet@2
""".split()
OF_PARTS = ["alpha_DCG@2 alpha_DCG@9 alpha_DCG(alpha=.9)@3 alpha_DCG(rel=2)@3 alpha_DCG(empty=1)@3",
    "alpha_nDCG@2 alpha_nDCG@9 alpha_nDCG(alpha=0)@3 alpha_nDCG(alpha=1)@5 alpha_nDCG(rel=2)@3 alpha_nDCG(empty=1)@2",
    "ERR_IA@2 ERR_IA@9 ERR_IA(rel=2)@3 nERR_IA@2 nERR_IA@9 nERR_IA(rel=2)@3 nERR_IA(empty=skip)@3",
    "NRBP NRBP(alpha=.9) NRBP(beta=.3) NRBP(rel=2) nNRBP nNRBP(alpha=0) nNRBP(beta=.9) nNRBP(empty=1)",
    "AP_IA AP_IA(rel=2) AP_IA(empty=1) P_IA@2 P_IA@9 P_IA(rel=2)@3 P_IA(empty=1)@2", "StRecall@1 StRecall@2 StRecall@9 StRecall(rel=2)@5 StRecall(empty=1)@3",
    "D_nDCG D_nDCG@1 D_nDCG@3 D_nDCG(empty=1)@3 D#_nDCG@2 D#_nDCG(gamma=.1)@3 D#_nDCG(gamma=1)@3 D#_nDCG(rel=2)@3",
    "D#_nDCG(empty=1)@3 D#_nDCG(gamma=0)@3 nDCG@3 AP@2 Judged@3 RR R@3 P@2"]
DOORS = [
    *("arrays({n!r}, ties='stable')", "by_id({n!r}, convention='trec_eval-9')"),
    *("by_id({n!r})", "arrays({n!r})", "ids({n!r})", "arrays({n!r}, judged=JUDGED)"),
    *("by_id({n!r}, convention='rankgain', ties='stable')", "by_id({n!r}, weight=WEIGHTS)"),
]
OPTIONS = [
    *("ties='worst'", "ties='best'", "ties='reverse'", "ties='random', seed=5", "convention='catboost'",),
    *("convention='ranx'", "convention='lightgbm'", "convention='torchmetrics'", "weight=[1, 0, 2.5, 3]",),
    *("empty='skip'", "empty=0.25", "empty='raise'", "convention='ir_measures', ties='stable'", "rel=2",),
    *("convention='implicit'", "convention='xgboost-'", "convention='lenskit'", "weight=[0, 1, 0, 0]",),
]
FAMILIES = (
    [names.split()[0] for names in OF_LISTS]
    + """
AP@2 P@2 ndcg@2 nERR@2 Q@2 GAUC infAP GMBpref IPrecAvg RnDCG binG yaap utility RelP@2 Unjudged@2 PRAUC Gain@2
AMR AMRI CoverageError NERR9(max_rel=4)@3 R@2 NumRel NumRelRet NumNonrelJudgedRet HitRate(per=item)@2
""".split()
)
CALLS = [
    *each("by_id({n!r})", n=OF_LISTS),
    *each("arrays({n!r}, judged=JUDGED)", n=OF_LISTS),
    *drawn(90, "{door}", door=[door.format(n=names) for door in DOORS[1:] for names in OF_LISTS]),
    *drawn(90, "arrays({n!r}, {o})", n=OF_LISTS, o=OPTIONS),
    *each("chances({n!r})", n=[OF_LISTS[29], "PFound(ties=best)@4 PFound(decay=.9,judged_only=True) ERR"],),
    "arrays('PFound@3'); chances('PFound@3 PFound@1', ties='worst'); chances('PFound', empty=2)",
    *(f"by_id({' '.join(JUDGED_ONLY[p : p + 6])!r}, judged_only=True)" for p in range(0, 35, 6)),
    *each("by_id({n!r})", n=[f"{n.partition('@')[0]}(judged_only=True)" for n in JUDGED_ONLY]),
    *each("parts({n!r})", n=OF_PARTS),
    *drawn(16, "parts({n!r}, {o})", n=OF_PARTS, o=["ties='average'", "judged_only=True", "empty=1", "convention='rankgain', ties='stable'", "ties='worst'", "weight=WEIGHTS"],),
    *each("by_id({n!r})", n=[names.split()[0] for names in OF_PARTS]),
    *(f"order({' '.join(FAMILIES[p : p + 8])!r})" for p in range(0, len(FAMILIES), 8)),
    "order('alpha_nDCG@2 ERR_IA@2 AP_IA StRecall@2 D_nDCG@2 NRBP', lambda name: (PARTS, name))",
    *(f"bounds({' '.join(FAMILIES[p : p + 4])!r}, {k!r})" for p in range(0, len(FAMILIES), 4) for k in ("ties", "unjudged")),
]
UNAVERAGED = ("Q ", "infAP", "IPrec", "RnDCG", "G ", "ndcg_rel", "yaap", "INST", "BPM", "NERR", "Compat", "Accuracy")
CALLS += each("arrays({n!r}, ties='stable')", n=[names for names in OF_LISTS if any(name in names for name in UNAVERAGED)])
CALLS += ["arrays('AUC GAUC RankingLoss Accuracy AMR AMRI', ties='stable', empty=0.5)", "arrays('Accuracy@2 GAUC AUC(rel=2)', ties='reverse')"]
CALLS = [*dict.fromkeys(CALLS)]
