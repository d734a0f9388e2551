"""Names of measures in other tools: which measure here each is, what to write, or why it is absent.

TABLE has a tool in a line that ends with a colon, and below it a name in each line:

    name = measure; note     the name may be written here, and is this measure
    name > measure; note     it is no name here; the line to write
    name - reason            there is no such measure here

"@10" and "_10" stand for any cutoff. A name under two tools with two meanings is an error here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

# The names are those of the tools' documentation and source.
TABLE = """\
trec_eval, pytrec_eval:
map = AP
map_cut_10 = AP@10
gm_map = GMAP
Rprec = RPrec
bpref = Bpref
gm_bpref = GMBpref
recip_rank = RR
P_10 = P@10
recall_10 = R@10
success_10 = HitRate@10
ndcg = nDCG
ndcg_cut_10 = nDCG@10
ndcg_rel = ndcg_rel
Rndcg = RnDCG
G = G
binG = binG
yaap = yaap
utility = utility
set_P = P
set_recall = R
set_F = F1
set_map = SetAP
set_relative_P = RelP
relative_P_10 = RelP@10
Rprec_mult_0.20 = Rprec_mult_0.20
infAP = infAP
11pt_avg = IPrecAvg
iprec_at_recall_0.10 = IPrec@0.1
unj_10 = Unjudged@10
rbp = RBP; with p = 0.8. Under the conventions trec and trec_eval it is RBP(gain=linear,p=0.9)
rbp_resid > RBPResidual; it has another formula there, see trec_eval's help
num_q = NumQ
num_ret = NumRet
num_rel = NumRel
num_rel_ret = NumRelRet
num_nonrel_judged_ret = NumNonrelJudgedRet
relstring - a text, and values are numbers: rankgain trec_eval -q -m relstring prints it
runid - a text, and values are numbers: rankgain trec_eval -m runid prints it
prefs_avgjg - preferences between documents, which qrels do not hold
prefs_pair - preferences between documents, which qrels do not hold
prefs_simp - preferences between documents, which qrels do not hold
qrels_jg - judgments by several groups of judges; evaluate each group with its own qrels

ir_measures:
MAP@10 = AP@10
MRR@10 = RR@10
NDCG@10 = nDCG@10
Precision@10 = P@10
Recall@10 = R@10
Success@10 = HitRate@10
BPref = Bpref
SetP = P
SetR = R
SetF = F1
SetAP = SetAP
SetRelP = RelP
Judged@10 = Judged@10
Accuracy@10 = Accuracy@10
Compat = Compat
INSQ(max_rel=3) = INSQ(max_rel=3)
INST(max_rel=3) = INST(max_rel=3)
BPM(max_rel=3)@10 = BPM(max_rel=3)@10
SDCG(max_rel=3)@10 = SDCG(max_rel=3)@10
NERR8(max_rel=3)@10 = NERR8(max_rel=3)@10
NERR9(max_rel=3)@10 = NERR9(max_rel=3)@10
NERR10(max_rel=3) = NERR10(max_rel=3)
NERR11(max_rel=3) = NERR11(max_rel=3)
alpha_nDCG@10 = alpha_nDCG@10
α_nDCG@10 = alpha_nDCG@10
alpha_DCG@10 = alpha_DCG@10
ERR_IA@10 = ERR_IA@10
nERR_IA@10 = nERR_IA@10
NRBP = NRBP
nNRBP = nNRBP
MAP_IA = AP_IA
P_IA@10 = P_IA@10

ndeval, pyndeval:
alpha-nDCG@10 = alpha_nDCG@10
ERR-IA@10 = ERR_IA@10
nERR-IA@10 = nERR_IA@10
MAP-IA = AP_IA
P-IA@10 = P_IA@10
strec@10 = StRecall@10
s_recall@10 > StRecall@10
subtopic_recall@10 = StRecall@10

ranx:
hit_rate@10 = HitRate@10
f1@10 = F1@10
r_precision = RPrec
mrr@10 = RR@10
ndcg_burges@10 = nDCG(gain=exp2)@10
dcg_burges@10 = DCG(gain=exp2)@10

MTEB, BEIR, sentence-transformers:
ndcg_at_10 = nDCG@10
map_at_10 = AP@10
recall_at_10 = R@10
precision_at_10 = P@10
mrr_at_10 = RR@10
hit_rate_at_10 = HitRate@10
recall_cap@10 > R(divisor=min)@10
R_cap@10 > R(divisor=min)@10
hole@10 > Unjudged@10
top_k_accuracy@10 > HitRate@10
nAUC - how well scores say which queries fail (abstention), not a measure of a ranking
max_sim - a similarity of embeddings, not a measure of a ranking

scikit-learn:
ndcg_score > nDCG; or the function rg.ndcg_score
dcg_score > DCG; or the function rg.dcg_score
roc_auc = AUC
roc_auc_score > AUC; GAUC is its mean over lists weighted by documents
average_precision = AP
average_precision_score > PRAUC; it counts tied documents as one rank
label_ranking_loss = RankingLoss
label_ranking_average_precision_score > PRAUC(empty=1); or the function of this name
top_k_accuracy_score > HitRate@10; or the function rg.top_k_accuracy_score
balanced_accuracy - of a classifier, not of a ranking
MCC - Matthews' correlation, of a classifier and not of a ranking
log_loss - of a classifier's chances, not of a ranking

LightGBM, XGBoost, CatBoost:
ndcg@10 = nDCG@10
map@10 = AP@10
pre@10 = P@10
PFound = PFound
QueryAUC > GAUC
auc_mu - AUC of several classes, not of a ranking
lambdarank - a loss to train with, not a measure
rank_xendcg - a loss to train with, not a measure
YetiRank - a loss to train with, not a measure
PairLogit - a loss to train with, not a measure
QueryRMSE - the error of predicted numbers, not a measure of a ranking
FilteredDCG - a DCG of documents that a model accepts; leave the others out and take DCG

torchmetrics:
RetrievalMAP > AP
RetrievalMRR > RR
RetrievalNormalizedDCG > nDCG
RetrievalPrecision > P@10
RetrievalRecall > R@10
RetrievalHitRate > HitRate@10
RetrievalRPrecision > RPrec
RetrievalAUROC > AUC
RetrievalFallOut - documents not relevant that are retrieved, over all of them: not here

TensorFlow Ranking:
ARP - average relevance position, the mean rank weighted by labels; MR is the mean rank
ordered_pair_accuracy > AUC; with two grades of labels, pairs of more grades are not here
precision_ia@10 = P_IA@10
alpha_dcg@10 = alpha_DCG@10

pytorch-metric-learning, Open Metric Learning:
mAP@R = AP@R
mean_average_precision_at_r > AP@R
mean_average_precision = AP
mean_reciprocal_rank = RR
precision_at_1 = P@1
CMC@10 > HitRate@10
AMI - of clusters, not of a ranking
NMI - of clusters, not of a ranking
FNMR - an error rate of verification, not of a ranking

RecTools, Elliot, RecBole, Cornac, RecPack:
ARP > Popularity@10; average popularity of the recommended items
PAP - the area under a part of the ROC curve: not here; AUC is the whole area
PAUC - the area under a part of the ROC curve: not here; AUC is the whole area
LAUC - the area under a part of the ROC curve: not here; AUC is the whole area
MIUF@10 > Novelty@10; mean inverse user frequency
AvgRecPopularity@10 > Popularity@10
averagepopularity@10 > Popularity@10
IntraListDiversity@10 > ILD@10
Diversity@10 > ILD@10; diversity within a list, by features: alpha_nDCG@10 is that of subtopics
div@10 > ILD@10; diversity within a list, by features: alpha_nDCG@10 is that of subtopics
dissimilarity@10 > ILD@10
aggregate_diversity@10 > Coverage@10
unexpectedness@10 > Serendipity@10
itemcoverage@10 > Coverage@10
CatalogCoverage@10 > Coverage@10
item_coverage@10 > Coverage@10
giniindex@10 > Gini@10
shannonentropy@10 > Entropy@10
tailpercentage@10 > TailShare@10
APLT@10 > TailShare@10; the share of the long tail
ACLT@10 - a number of items of the long tail: TailShare@10 is the share
PopREO - a difference of recall between groups of items: not here
PopRSP - a difference of exposure between groups of items: not here
EPC@10 - expected popularity complement with discounts: not here; Novelty@10 is the nearest
EFD@10 - expected free discovery with discounts: not here; Novelty@10 is the nearest
MAR@10 - mean average recall: not here; evaluate R at each cutoff and average
NCRR@10 > nDCG(discount=reciprocal)@10
nDCGRendle2020@10 > nDCG(gain=binary)@10
CalibratedRecall@10 > R(divisor=min)@10
CalibratedPrecision@10 > P(divisor=min_relevant)@10
FMeasure = F1
uAUC = GAUC
wuAUC = GAUC(weight=documents)
MPR - mean percentile rank (0 is the best): not here; AMR is the nearest
MAE - it measures the error of predicted ratings, not a ranking
RMSE - it measures the error of predicted ratings, not a ranking
MSE - it measures the error of predicted ratings, not a ranking
SufficientReco - whether users get enough recommendations: counts of the print say it
UnrepeatedReco - repeated recommendations: duplicates= says what happens to them

PyKEEN, OGB:
arithmetic_mean_rank = MR
adjusted_arithmetic_mean_rank = AMR
adjusted_arithmetic_mean_rank_index = AMRI
inverse_harmonic_mean_rank > RR(rank=realistic)
mrr_list > RR(rank=realistic)
geometric_mean_rank - not here; MR and RR are arithmetic and harmonic
median_rank - not here; take the median of per_query["MR"]
count_of_ranks > NumRel

Kaggle:
apk@10 > AP(divisor=min)@10
mapk@12 > AP(divisor=min)@12; with duplicates="in_place" a repeat keeps its rank

NTCIREVAL:
Q-measure@10 = Q@10
nERR@10 = nERR@10
nCG@10 = NCG@10
MSnDCG@10 > nDCG@10
I-rec@10 = StRecall@10
D-nDCG@10 = D_nDCG@10
D#-nDCG@10 = D#_nDCG@10
P-plus - Sakai's P+: not here; Q@10 is its relative
O-measure - Sakai's O-measure: not here; Q@10 is its relative
RBU - rank-biased utility of diversified lists: not here
GAP - graded average precision: not here

LLM platforms (ragas, LlamaIndex, FreshStack, TruLens):
context_precision > AP(divisor=hits)
context_recall > R; of ids, in evaluate_ids
hit_rate = HitRate
faithfulness - it measures an answer's text, not a ranking
answer_relevancy - it measures an answer's text, not a ranking

Audio, statistics:
LWLRAP > AP; weight= gives each list the number of its relevant documents
RBO - compares two rankings: rg.correlate(a, b, "rbo"); Compat compares a ranking with its judgments
kendall_tau - compares two rankings: rg.correlate(a, b, "tau")
spearman - compares two rankings: rg.correlate(a, b, "spearman")
precision_recall_curve - a curve: rankgain.plot.precision_recall draws it
lift_chart > Lift(share=0.1)
"""


class KnownName(NamedTuple):
    """A name of other tools, and the answer to it."""

    name: str
    tools: str
    is_read: bool  # it may be written here
    measure: str  # the measure that it is, or the line to write; "" if there is none
    note: str


def read_table(text: str) -> list[KnownName]:
    """Read the rows of a table in the form of TABLE."""
    rows: list[KnownName] = []
    tools = ""
    for line in filter(None, text.splitlines()):
        if line.endswith(":"):
            tools = line[:-1]
            continue
        name, mark, answer = re.split(r" ([=>-]) ", line, maxsplit=1)
        if mark == "-":  # no measure, only a reason
            measure, note = "", answer
        else:
            measure, _, note = answer.partition("; ")
        rows.append(KnownName(name, tools, mark == "=", measure, note))
    return rows


def stem_of(name: str) -> str:
    """A name in lower case without its cutoff: CalibratedRecall@10 and @k are one name."""
    stem = re.sub(r"(@|_at_|_)(\d+|k)$", "", name.lower())
    return stem.replace("-", "_")


@cache
def rows_by_stem() -> dict[str, list[KnownName]]:
    """The rows of names that are not read here, by `stem_of` their names."""
    rows: dict[str, list[KnownName]] = {}
    for row in read_table(TABLE):
        if not row.is_read:
            rows.setdefault(stem_of(row.name), []).append(row)
    return rows


def answer_to(name: str, cutoff: str | None = None) -> str | None:
    """What to write for a name of another tool; None if no tool is known to have it."""
    number = re.search(r"(?:@|_at_|_)(\d+)$", name)
    if not cutoff and number is not None:
        cutoff = number[1]
    rows = rows_by_stem().get(stem_of(name))
    if rows is None:
        return None
    if len(rows) == 1:
        return _sentence(rows[0], cutoff)
    meanings = "; ".join(f"of {row.tools}: {_sentence(row, cutoff)}" for row in rows)
    return f"it has {len(rows)} meanings, {meanings}"


def _sentence(row: KnownName, cutoff: str | None) -> str:
    if not row.measure:
        return row.note
    line = row.measure
    if cutoff is not None and cutoff.strip().isdigit():
        line = re.sub(r"@\d+$", f"@{cutoff.strip()}", line)
    sentence = f"write {line}"
    if row.note:
        sentence += f" ({row.note})"
    return sentence
