"""Names of measures: every spelling, what it stands for, and names that are refused."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import copy, pickle
from rankgain.measures.known_names import TABLE, read_table
M, parse, parses = rg.Measure, rg.parse_measure, rg.parse_measures
def read(names):
    for name in names:
        try: print(repr(name), *parses(name))
        except (TypeError, ValueError) as error: print(error)
def make(family, *options):
    for option in options:
        try: print(repr(M(family, **option)), M(family, **option))
        except (TypeError, ValueError) as error: print(error)
OWN = rg.measure("own", len)
CUT_OWN = rg.measure("own", lambda ranking, k: k, cutoff=True)
class Foreign:
    __module__ = "ir_measures.measures"
    def __init__(self, text): self.text = text
    def __str__(self): return self.text
"""
# Names and functions of all families, and their other spellings.
FAMILIES = """
CG DCG IDCG nDCG AP AP@R RR HitRate P R F1 RPrec RBP ERR nERR NCG Q AUC Bpref infAP IPrecAvg GMAP
GMBpref RnDCG G binG ndcg_rel utility yaap Rprec_mult SetAP RelP Judged Unjudged RBPResidual GAUC
PRAUC Lift Gain MR AMR AMRI RankingLoss CoverageError PFound INSQ SDCG INST BPM NERR8 NERR9 NERR10
NERR11 Compat Accuracy NumQ NumRet NumRel NumRelRet NumNonrelJudgedRet alpha_DCG alpha_nDCG ERR_IA
nERR_IA NRBP nNRBP AP_IA P_IA StRecall D_nDCG D#_nDCG Coverage Gini Entropy Personalisation Novelty
Popularity TailShare NewItems ILD Serendipity IPrec
cg dcg idcg ndcg average_precision average_precision_at_r reciprocal_rank hit_rate precision recall
f1 r_precision rbp err normalized_err normalized_cg q_measure auc bpref inferred_ap
interpolated_precision eleven_point_average geometric_average_precision geometric_bpref r_ndcg
normalized_gain binary_gain ndcg_at_hits utility r_precision_multiple set_average_precision
relative_precision judged unjudged rbp_residual gauc pr_auc lift cumulative_gain_share mean_rank
adjusted_mean_rank adjusted_mean_rank_index ranking_loss coverage_error pfound insq scaled_dcg inst
bejeweled_player_model nearly_err_8 nearly_err_9 nearly_err_10 nearly_err_11 compatibility accuracy
num_q num_ret num_rel num_rel_ret num_nonrel_judged_ret alpha_dcg alpha_ndcg err_ia nerr_ia nrbp
nnrbp average_precision_ia precision_ia subtopic_recall d_ndcg d_sharp_ndcg catalogue_coverage gini
entropy personalisation novelty popularity tail_share new_items intra_list_diversity serendipity
dcg_burges ideal_dcg ndcg_cut ndcg_burges ndcgat map map_cut mean_average_precision averageprecision
meanaverageprecision avg_precision mrr recip_rank mean_reciprocal_rank reciprocalrank success hr hit
hit_ratio hitratio pre prec precisionat set_p setp recallat set_recall setr f1_score f_measure
fmeasure set_f setf rprecision r_prec expected_reciprocal_rank roc_auc iprec_at_recall 11pt_avg
gm_map gm_bpref set_map relative_p set_relative_p setrelp unj normalized_expected_reciprocal_rank
normalized_cumulative_gain uauc wuauc group_auc lrap gains arithmetic_mean_rank
adjusted_arithmetic_mean_rank adjusted_arithmetic_mean_rank_index label_ranking_loss
catalog_coverage gini_index shannon_entropy personalization mean_self_information α_dcg α_ndcg
map_ia strec i_rec
""".split()
FORMS = ["{}", "{}@10", "{}_5", "{}(rel=2)", "{}(max_rel=3)@2", "{}(empty=1)@3,2", "{}@0.25", "{}.5"]
FORMS += ["{}@R", "{}(max_rel=4,min_rel=.5)", "{}(share=0.5)", "{}-l2", "{}(divisor=min)@4"]
OTHER_TOOLS = (
    """
ndcg_cut.5,10|ndcg.1=3.5,2=9|ndcg.-1=2,3=4|map_cut.10|P.5,10|recall_100|success.1,5,10|nDCG@5,10
RBP(p=0.5)@3, 4|IPrec@0.1,0.2|ndcg@5,10-l2|set_F.0.25|SetF(beta=4)|set_F.x|SetF(beta=-1)|set_F_4
iprec_at_recall_0.10|iprec_at_recall..10,.25,1|iprec_at_recall_0.10,x|unj_5|rbp.p=0.9|rbp.p=.9,q=2
rbp.p=0.9,p=0.8|nDCG(dcg='exp-log2')@10|nDCG(dcg="log2")@10|nDCG(gains={1:1,2:3})|nDCG(cutoff=7)
nDCG(gains={2: 3, 1: 1}, judged_only=True)@20|SetP(relative=True)|SetP(relative=False)|P(relative=1)
P(relative=True)@5|NumRet(rel=2)|NumRet(rel=2)@5|Success(rel=2)@5|INST(T=2,max_rel=3)|INST(t=2,max_rel=3)
rbp.95|rbp.8,0.95|rbp.0.8,95|rbp_0.8|rbp_0.8,.95|rbp_at_10|rbp.95-l2|r-precision-l2|recall@10-l2
ndcg_burges@10-l2|err@10-l2|ndcg@5-|ndcg-|map@10-|ndcg@-|-|ndcg@5-l|ndcg@5-lx|ndcg-l2-|ndcg@5--
NDCG:top=5;type=Exp|NDCG:top=5;type=Base|NDCG:top=-1|NDCG:top=5;denominator=Position|MAP:top=10|ERR:top=4
DCG:top=10;type=Exp;denominator=LogPosition|MRR:top=5|PrecisionAt:top=5|RecallAt:top=5|PFound:decay=0.9
NDGC:top=5|NDCG:top=0|NDCG:top=5;top=6|NDCG:top=5;type=Log|NDCG:denominator=Rank|NDCG:hints=x|NDCG:
PrecisionAt:top=5;border=2|MAP:type=Exp|NDCG:top|PFound:top=3;decay=2|Recall: top = 5 ; |ndcg_burges:type=Exp
map_at_100|hit_rate_at_5|P @ R|nDCG @ 10| nDCG ( gain = exp2 ) @ 10 |AP(empty=NaN)|AP(rel=2.0)|AP()
mAP@R|AP(rel=2)@R|recall@r|R@R|nDCG@R|RPrec@R|Rprec_mult|Rprec_mult.0.2|Rprec_mult_0.2,.4|Rprec_mult@.3
Rprec_mult_0.20(rel=2)|Rprec_mult(multiple=0.123)|Rprec_mult_0|Rprec_mult_1e-3|Compat(normalize=False)
GAUC(weight=documents)|wuauc|wuauc(weight=positives)|GAUC(weight=0)|lrap(empty=0)|Lift(share=0.1)@5
HitRate(per=item)@10|HitRate(per=item,rank=realistic)|RR(rank=optimistic,ties=worst)|RR(rank=x)
D#_nDCG(gamma=.25)@5|D#-nDCG@5|alpha-nDCG@5|α-nDCG@5|NRBP(alpha=0.1,beta=.9)|NRBP(beta=2)|Q(beta=1)@5
""".strip()
    .replace("\n", "|")
    .split("|")
)
MISREAD = (
    """
nDCG(gain=exp2)(rel=2)|ndcg@5-l²|AP(rel=')|AP(rel='')|AP(rel='2')|AP(empty="skip")|AP(ties='best")|IPrec(recall=.5)@.5|AP(rel=(2))
alpha_nDCG(alpha=1.01)@2|alpha_nDCG(alpha=1)@2|alpha_nDCG(alpha=-0.1)@2|alpha_nDCG(alpha=0)@2|D#_nDCG(gamma=1.1)@2|D#_nDCG(gamma=1)@2|D#_nDCG(gamma=-1)@2|NRBP(alpha=2)|Compat(p=1)|Compat(p=0.01)
INSQ(max_rel=3,min_rel=-1)|INSQ(max_rel=inf)|INSQ(max_rel=-1,min_rel=-2)|BPM(max_rel=3,T=inf)@2|BPM(max_rel=3,T=0.01)@2|PFound(decay=0)|PFound(decay=0.01)|Rprec_mult@inf|Rprec_mult@-1|F1(beta=inf)|NERR10(max_rel=3,p=1)
Compat(normalize=1)|Compat(normalize=no)|IPrec@1.01|IPrec@1.0|Lift(share=1)|Lift(share=-0.1)|GAUC(weight=DOCUMENTS)|DCG(log_base=1.01)|DCG(log_base=inf)|ERR(max_label=-1)|nDCG(min_label=inf)|AP(seed=0)|AP(seed=1.5)|HitRate(per=ITEM)
pearson|nDCG@True|AP(gain=exp2)|RR(p=0.8)|RBP(p=0)|AP(rel=high)|SetP(relative=True)@5|nDCG(gain=1:1)|P_10
Rprec|nDCG(dcg="exp-log2")@10|IPrec(recall=0.1)|IPrec(rel=2,judged_only=True)@0.1|RBP(p=0.8, rel=1)@10|rbp.8,95|r-precision|NDCG:type=Exp|ndcg@10-l2
RR(rank=average)|RR(rank=realistic,ties=best)|HitRate(per=item,rank=realistic)@3|Lift(share=0)|Lift(share=1.5)|Lift(share=0.1)@3|AMR(rank=optimistic)|GAUC(weight=users)|PFound(decay=1)
mrr(rank=realistic)@10|PFound:top=5;decay=0.9|Hole@20|NCRR@20|NERR11(max_rel=3)@10|NDCG:top=5;type=Exp;denominator=LogPosition|map-l2|nDCG@999999999999999999999999999999
nDCG10|NDCG[5]|recall10|AUC3|ndcg-at-10|ndcg_at_10_|precison|ndgc@10|ndcg_cot_10|avr_precision|zzz|ARP
kendall|accuracy?!|recal@5|MMR|NR|MRRR@5|preccision@1|hitrate|hit-rate@3|map@@5|nDCG@0|nDCG@-1|nDCG@1.5
nDCG@1_0|nDCG@²|nDCG@9223372036854775808|nDCG@9223372036854775807|nDCG@010|nDCG@10 foo|nDCG@5,|nDCG@5,0
nDCG@10,AP|P(rel=2)@5, nDCG(gain=exp2,rel=2)@3|map,ndcg_cut|nDCG@10; AP(rel=2)@5|nDCG@10 AP|nDCG 10
['nDCG@10', 'AP']|nDCG@10,nothing|["P@5"]|ndcg_cut_0|P.5,x|P.5,|nDCG@|nDCG@5@10|@10||  |P_5@10|(rel=2)@3
nDCG(k=5)@10|nDCG@10(gain=exp2)|nDCG(gain=exp2|nDCG(gain=exp2)10|nDCG(gain=exp2)@10)|nDCG(exp2)
nDCG(gain=)|nDCG(=exp2)|nDCG(gain=exp2,)|nDCG(gain=exp2,gain=linear)|ndcg_burges(gain=linear)@10
nDCG(gain=exp2,dcg='log2')|nDCG(dcg=ln)|nDCG(colour=red)|nDCG(gain=cubic)|nDCG(gain={1:1,1.0:2})
nDCG(gain={1:x})|nDCG(gain={1})|nDCG(gain={})|nDCG(gain={1:nan})|nDCG(gain={1:23)|nDCG(gain='exp2')
nDCG(gain="exp2')|nDCG(gain={3:1,-1:-0.5,2:2.50})|nDCG(discount=sqrt)|DCG(log_base=1)|DCG(log_base=1e400)
RBP(p=2)|RBP(p=1)|rbp.0|rbp.5|AP(rel=nan)|AP(rel=inf)|AP(rel=1_0)|AP(rel=1e999)|F1(beta=-1)|F1(beta=0)
AP(rel=9007199254740993)|AP(rel=9007199254740992.0)|AP(rel=-0.5)|AP(rel=1e30)|ERR(max_label=0)
ERR(max_label=1023)|ERR(max_label=1024)|SetP(relative=1)|IPrec@10|IPrec@0.1x|IPrec@-1|unj|Bpref@10
NumQ(rel=1)|P(divisor=hits)|R(divisor=k)|AP(divisor=all)|F1(divisor=min_relevant)|HitRate(per=list)@5
AP(ties=coin)|AP(ties=WORST)|AP(seed=x)|AP(seed=-1)|AP(seed=18446744073709551615)|AP(empty=one)
AP(empty=RAISE)|AP(empty=-inf)|AP(empty=1e999)|AP(judged_only=2)|AP(judged_only=TRUE)|AP(judged_only=)
hits@10|hits_5|hits|hits-5|INSQ|BPM@10|BPM(max_rel=3)|NERR10(max_rel=3)@10|INSQ(max_rel=0)|INSQ(T=0,max_rel=3)
INSQ(max_rel=1,min_rel=2)|Diversity@10|recall_cap@5|recall_cap_at_5|hole_at_20|hole_at_k|CMC_3|CMC_3@5
mapk@7|MIUF_12|APK@K|count_of_ranks|rbp_resid|RBO|relstring|nAUC@5|LWLRAP|average_precision_score@3
P@5,5|P@5,10,5|P@10 5|ndcg_cut_5,10@3|ndcg_cut@5|success|map_cut|MAP_CUT_10|setf_2|Personalisation@3
""".strip()
    .replace("\n", "|")
    .split("|")
)
SPECS = [
    *("'P.5,10'", "'nDCG@5'", "' map '", "b'AP'", "None", "1.5", "['AP']", "M('AP')", "OWN"),
    *("CUT_OWN", "CUT_OWN @ 3", "Foreign('nDCG@20')", "Foreign('x')", "['AP', 'map', 'P.5,10']"),
    *("[]", "()", "set()", "{'P@5', 'AP', 'nDCG@10'}", "frozenset({'RR', 'map'})", "iter(['AP', 'P@2'])",),
    *("['AP', 10]", "['AP', None]", "[M('P', k=5), 'P@5', 'P@3']", "[OWN, OWN]", "[OWN, CUT_OWN @ 3]",),
    *("[OWN, rg.measure('own', max)]", "[CUT_OWN]", "[Foreign('P@5'), 'P@5']", "['nDCG@5', ['AP']]",),
    *("['ndcg_cut.5,10', 'map', 'P@5', 'AP']", "('zzz', 'AP')", "{'AP': 1}", "np.array(['P@1', 'AP'])",),
]
# Several faults: the first one in the order of the checks is named.
MADE = ["'HitRate', {'colour': 1, 'size': 2, 'rank': 'x', 'k': 0}, {'k': 0, 'per': 'item', 'seed': -1}",
    "'HitRate', {'k': 0, 'per': 'item', 'seed': -1, 'ties': 'coin', 'rank': 'realistic'}",
    "'HitRate', {'per': 'item', 'seed': 1, 'ties': 'best', 'rank': 'realistic'}, {'rank': 'realistic'}",
    "'HitRate', {'per': 'item', 'seed': 1, 'rank': 'realistic'}, {'per': 'item', 'rank': 'realistic'}",
    "'R', {'k': 0, 'divisor': 'k'}, {'divisor': 'min'}, {'k': np.int8(3), 'divisor': 'relevant'}",
    "'BPM', {'k': 0}, {'max_rel': 3}, {'max_rel': 1, 'min_rel': 2}, {'max_rel': 2.0, 'k': 1}",
    "'INSQ', {'k': 0}, {'max_rel': 3, 'k': 2}, {'T': 2.5, 'max_rel': 3}, {'max_rel': 2, 'min_rel': 2}",
    "'Lift', {'share': 0.5, 'k': 0}, {'share': 0.5}, {'share': 1.5}, {'k': 5}, {'share': True}",
    "'AUC', {'k': 0}, {}, {'rel': 3}, {'empty': float('nan')}, {'empty': 'skip'}, {'empty': None}",
    "'IPrec', {'k': 0}, {}, {'recall': 0.5}, {'recall': '0.25', 'rel': 2}, {'recall': 2}",
    "'Rprec_mult', {}, {'multiple': 0.2}, {'multiple': 1 / 3, 'rel': 2}, {'multiple': 2}, {'multiple': -1}",
    "'P', {'k': -3}, {'k': 2**63}, {'k': 2**63 - 1}, {'k': True}, {'k': 10.0}, {'k': '10'}, {'k': None}",
    "'nDCG', {'rel': True}, {'rel': [1]}, {'rel': 10**400}, {'gain': [0, 1]}, {'gain': {}}, {'gain': max}",
    "'nDCG', {'gain': {2: 3, 1: 0.5, -1.5: 7}}, {'gain': 'EXP2'}, {'discount': 'LOG'}, {'log_base': 2.5}",
    "'nDCG', {'judged_only': 1}, {'judged_only': True}, {'judged_only': 'false'}, {'seed': 2**64}",
    "'nDCG', {'seed': '12'}, {'seed': 1.0}, {'ties': 'Best', 'seed': 2**60 + 1}, {'min_label': '2.0'}", "'AP@R', {}, {'rel': 2}, {'k': 3}, {'divisor': 'min'}",
    "'D#_nDCG', {'k': 3}, {'k': 3, 'gamma': 0}, {'gamma': 2, 'k': 1}, {}", "'map', {}", "'nDCG@10', {}", "'ndcg', {}, {'k': 4}", "'ndcg_burges', {}", "'Foo', {'k': -1}", "3, {}",
    "None, {}"]
SAME = """
a = parse({a!r}); b = parse({b!r})
a == b, hash(a) == hash(b), a != b, a == {a!r}, a is copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))
a.family, a.k, dict(a.params), a.definition.name, str(a), repr(b)
"""
AGAIN = "read([{a!r} + c for c in ('@5', '@7', '@010', '@5', '@0', '@x', '', '@3,1')])"
CHANGED = """
a = parse('nDCG(gain=exp2)@5')
try: {change}
except (AttributeError, TypeError) as error: print(type(error).__name__, str(error)[:60])
print(a)
"""
CANONICAL = ["AP(rel=2)@100", "nDCG(gain={1:1,2:3})@3", "HitRate(per=item)@10", "IPrec(rel=2)@0.5"]
CANONICAL += ["AP(empty=nan)", "AP@R", "Rprec_mult_0.20", "INSQ(max_rel=3)", "AP(judged_only=True)@2"]
CALLS = [
    *(f"read(n + '' for n in {[form.format(name) for form in FORMS]})" for name in FAMILIES),
    *(f"read({OTHER_TOOLS[place : place + 6]})" for place in range(0, len(OTHER_TOOLS), 6)),
    *(f"read({MISREAD[place : place + 6]})" for place in range(0, len(MISREAD), 6)),
    *each("read(row.name for row in read_table(TABLE) if row.tools[:1] in {i!r})", i="tiMnrsLpOPKTRAN"),
    "read(name.upper() for name in ('ndcg_cut_5', 'map@3-l2', 'rbp.p=0.5', 'NumRet(rel=2)', 'AP@R'))",
    *each("parse({s})", s=SPECS),
    *each("parses({s})", s=SPECS),
    *(f"make({arguments})" for arguments in MADE),
    *each(AGAIN, a=["nDCG", "ndcg_cut", "map", "IPrec", "P(rel=2)", "success", "AUC", "P.5,10", "x"]),
    *drawn(18, SAME, a=CANONICAL, b=["AP(rel=2.0)@100", "map@R", "INSQ(T=1,max_rel=3)", "ap(empty=NaN)"],),
    *each(CHANGED, change=["a.k = 3", "del a.k", "a.params['rel'] = 2", "a.colour = 'red'", "del a.x"]),
    "a = CUT_OWN @ 3; a, str(a), a.k, a.family, dict(a.params), a @ 4, a == CUT_OWN @ 3, CUT_OWN, OWN",
    "sorted(map(str, {parse('map'), parse('AP'), parse('P@5'), M('P', k=5), M('P', k=6)}))",
]
CALLS = [*dict.fromkeys(CALLS)]
