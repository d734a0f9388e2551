"""The table of all measures, a row for each family, and the registry of their names.

A row has the names of a measure and how the core computes it. Measures with a public function come
first; docs/reference/definitions.md has the formulas and sources of the others. Conventions use the
name in `function`.
"""

from functools import partial
from types import MappingProxyType

from ..convention.options import KINDS
from ..engine.parts import STRECALL
from ..engine.plan import LAST_READ
from ..engine.settings import Computation, Family
from .grammar import Spelling, parse_alias

FAMILIES: dict[str, Family] = {}
SPELLINGS: dict[str, Spelling] = {}

# The parameters that several measures share, by what the measures read.
BINARY = ("ties", "seed", "rel", "judged_only", "empty")
DIVIDED = ("ties", "seed", "rel", "divisor", "judged_only", "empty")
CUMULATED = ("ties", "seed", "rel", "min_label", "judged_only", "empty")
DISCOUNTED = ("gain", "discount", "log_base", *CUMULATED)
COUNTED = ("ties", "seed", "rel", "judged_only")
ITEMS = ("ties", "seed", "divisor", "judged_only", "empty")
BLOCKS = ("rel", "empty")
TIED = ("ties", "seed", *BLOCKS)
SHARED = ("share", *TIED)

JUDGED_LABELS = ("ties", "seed", "judged_only", "empty")
MAX_REL = MappingProxyType({"max_rel": "3"})

# Rows with defaults of their own.
smaller = partial(Family, smaller_is_better=True)
of_blocks = partial(Family, takes_blocks=True)
of_ranks = partial(of_blocks, block_rank="realistic", skips_undefined=True)
discounted = partial(Computation, gain="requested", weights="discount")
relevant = partial(Computation, counts_relevant=True)
in_order = partial(Computation, averages=False)
without_bounds = partial(Family, has_bounds=False)
cwl = partial(Family, required=MAX_REL)
# A reader who goes on from each rank with a chance (C/W/L, "cool"); ties are not averaged.
reader = partial(cwl, has_bounds=False)
read_down = partial(in_order, finish="value", gain="scaled", last_rank=LAST_READ)
of_parts = partial(Family, has_bounds=False)
over_parts = partial(Computation, "part_dot", "value", reads="parts", level="alpha", averages=False)
WHOLE_OR_SHARE = {"": "count", "share": "count_at_share"}

ROWS = (
    # The measures with a public function, which have their sources in docs/reference/definitions.
    Family("CG", "cg", ("gain", *CUMULATED), row=Computation("dot", "value", "requested", "ones")),
    Family("DCG", "dcg", DISCOUNTED, row=discounted("dot", "value")),
    Family("IDCG", "idcg", DISCOUNTED, row=discounted("ideal", "value"), has_ideal=True),
    Family("nDCG", "ndcg", DISCOUNTED, row=discounted("dot", "over_ideal"), has_ideal=True),
    Family(
        "AP",
        "average_precision",
        DIVIDED,
        row=relevant(
            {"hits": "prefix_over_hits", "relevant": "prefix", "min": "prefix", "k": "prefix"},
            {"hits": "if_relevant", "relevant": "over_r", "min": "over_r_or_k", "k": "over_k"},
        ),
        at_r="ap@r",
    ),
    Family("AP@R", "average_precision_at_r", BINARY, "none", relevant("prefix_at_r", "over_r")),
    Family(
        "RR",
        "reciprocal_rank",
        ("rank", *BINARY),
        row=relevant({"": "first", "rank": "first_rank"}, "if_relevant"),
    ),
    Family(
        "HitRate",
        "hit_rate",
        ("per", "rank", *BINARY),
        row=relevant({"user": "any", "item": "count", "rank": "any_rank"}, "if_relevant"),
    ),
    Family(
        "P",
        "precision",
        DIVIDED,
        row=relevant("count", {"k": "over_k", "min": "over_k", "min_relevant": "over_r_or_n"}),
        variants={"relative": "relp"},
        has_micro_mean=True,
        at_r="rprec",
    ),
    Family(
        "R",
        "recall",
        DIVIDED,
        row=relevant("count", {"relevant": "over_r", "min": "over_r_or_k"}),
        has_micro_mean=True,
        at_r="rprec",
    ),
    Family(
        "F1",
        "f1",
        ("ties", "seed", "rel", "divisor", "beta", "judged_only", "empty"),
        row=relevant("count", "f_beta"),
    ),
    Family("RPrec", "r_precision", BINARY, "none", relevant("count_at_r", "over_r")),
    Family(
        "RBP",
        "rbp",
        ("gain", "ties", "seed", "rel", "p", "judged_only", "empty"),
        row=relevant("dot", "if_relevant", "binary", "geometric", graded_finish="over_largest"),
    ),
    Family(
        "ERR",
        "err",
        ("ties", "seed", "max_label", "judged_only", "empty"),
        row=Computation("cascade", "if_positive"),
        label_scale="graded",
    ),
    Family(
        "nERR",
        "normalized_err",
        ("ties", "seed", "max_label", "judged_only", "empty"),
        row=Computation("cascade", "over_ideal_cascade"),
        label_scale="graded",
    ),
    # Normalised gain without a discount, and Sakai's Q-measure (2004), which blends it with AP.
    Family(
        "NCG",
        "normalized_cg",
        JUDGED_LABELS,
        row=Computation("dot", "over_ideal_labels", "labels", "ones"),
    ),
    without_bounds(
        "Q",
        "q_measure",
        ("beta", *JUDGED_LABELS),
        row=in_order("blended", "over_r_or_k", "labels", counts_relevant=True, level="beta"),
    ),
    Family(
        "AUC",
        "auc",
        TIED,
        "none",
        relevant("pairs", "over_pairs"),
        needs_pairs=True,
        needs_whole_lists=True,
    ),
    # For incomplete judgments: bpref (Buckley and Voorhees 2004) with trec_eval's min(N, R), and
    # inferred AP (Yilmaz and Aslam 2006).
    Family(
        "Bpref",
        "bpref",
        BINARY,
        "none",
        relevant("bpref", "over_r", judged=True, skips_copies=True),
    ),
    Family(
        "infAP",
        "inferred_ap",
        BINARY,
        "none",
        relevant("inferred", "over_r", judged=True, averages=False),
        has_bounds=False,
    ),
    # The cutoff of IPrec is a level of recall, "IPrec@0.1", not a rank.
    Family(
        "IPrec",
        "interpolated_precision",
        ("recall", *BINARY),
        "recall",
        relevant("interpolated", "if_relevant", averages=False, level="recall"),
    ),
    Family(
        "IPrecAvg",
        "eleven_point_average",
        BINARY,
        "none",
        relevant("eleven_points", "if_relevant", averages=False, level="recall"),
    ),
    # Geometric means of AP and bpref over the queries (Robertson 2006).
    Family(
        "GMAP",
        "geometric_average_precision",
        BINARY,
        "none",
        relevant("prefix", "over_r"),
        mean="geometric",
    ),
    Family(
        "GMBpref",
        "geometric_bpref",
        BINARY,
        "none",
        relevant("bpref", "over_r", judged=True, skips_copies=True),
        mean="geometric",
    ),
    # Measures that are defined by trec_eval's source alone: m_Rndcg.c, m_G.c, and so on.
    Family(
        "RnDCG",
        "r_ndcg",
        DISCOUNTED,
        "none",
        discounted("r_ndcg", "if_relevant", counts_relevant="rel", averages=False),
    ),
    without_bounds(
        "G",
        "normalized_gain",
        ("gain", *CUMULATED),
        "none",
        in_order("g", "if_relevant", "requested", counts_relevant="rel"),
    ),
    Family(
        "binG",
        "binary_gain",
        BINARY,
        "none",
        relevant("binary_g", "over_r", averages=False),
    ),
    without_bounds(
        "ndcg_rel",
        "ndcg_at_hits",
        DISCOUNTED,
        "none",
        discounted("ndcg_at_hits", "if_relevant", counts_relevant="rel", averages=False),
    ),
    Family("utility", "utility", BINARY, "none", relevant("count", "less_others")),
    Family("yaap", "yaap", BINARY, "none", relevant("prefix", "log_odds", averages=False)),
    Family(
        "Rprec_mult",
        "r_precision_multiple",
        ("multiple", *BINARY),
        "multiple",
        relevant("precision_at_multiple", "if_relevant", level="multiple"),
    ),
    Family("SetAP", "set_average_precision", BINARY, "none", relevant("count", "set_ap")),
    Family("RelP", "relative_precision", BINARY, row=relevant("count", "over_r_or_n")),
    # How much of a list is judged, and how much of RBP the unjudged documents could add.
    Family("Judged", "judged", ITEMS, row=Computation("judged", "over_items", judged=True)),
    smaller(
        "Unjudged", "unjudged", ITEMS, row=Computation("judged", "others_over_items", judged=True)
    ),
    smaller(
        "RBPResidual",
        "rbp_residual",
        ("p", "ties", "seed", "judged_only"),
        row=Computation("judged_dot", "rest", weights="geometric", judged=True),
    ),
    # Measures of predictions, such as clicks: AUC by list, area under the PR curve, lift and gain.
    Family(
        "GAUC",
        "gauc",
        ("weight", *TIED),
        "none",
        relevant("pairs", "over_pairs"),
        skips_undefined=True,
        needs_pairs=True,
        needs_whole_lists=True,
    ),
    of_blocks("PRAUC", "pr_auc", BLOCKS, "none", relevant("prefix_at_end", "over_r")),
    Family("Lift", "lift", SHARED, row=relevant(WHOLE_OR_SHARE, "lift"), needs_whole_lists=True),
    Family("Gain", "cumulative_gain_share", SHARED, row=relevant(WHOLE_OR_SHARE, "over_r")),
    # Ranks of the relevant documents among the others, as in link prediction (PyKEEN).
    of_ranks(
        "MR",
        "mean_rank",
        ("rank", *BLOCKS),
        "none",
        relevant("above", "mean_rank"),
        smaller_is_better=True,
    ),
    of_ranks(
        "AMR",
        "adjusted_mean_rank",
        BLOCKS,
        "none",
        relevant("above", "over_expected_rank", expected="expected_rank"),
        smaller_is_better=True,
        needs_whole_lists=True,
    ),
    of_ranks(
        "AMRI",
        "adjusted_mean_rank_index",
        BLOCKS,
        "none",
        relevant("above", "over_expected_above", expected="expected_above"),
        needs_whole_lists=True,
    ),
    # Measures of multilabel classification, as scikit-learn has them.
    of_ranks(
        "RankingLoss",
        "ranking_loss",
        BLOCKS,
        "none",
        relevant("above", "crossed"),
        smaller_is_better=True,
        block_rank="pessimistic",
        needs_pairs=True,
        needs_whole_lists=True,
    ),
    of_blocks(
        "CoverageError",
        "coverage_error",
        ("rel",),
        "none",
        relevant("last", "value"),
        smaller_is_better=True,
    ),
    # Models of readers: PFound is CatBoost's, the others are those of C/W/L and ir_measures.
    Family(
        "PFound",
        "pfound",
        ("decay", "ties", "seed", "judged_only", "empty"),
        row=Computation("cascade_decay", "value", weights="decay"),
        label_scale="chances",
    ),
    cwl(
        "INSQ",
        "insq",
        ("max_rel", "T", "min_rel", "ties", "seed"),
        "none",
        Computation("dot", "value", "scaled", "inverse_square"),
    ),
    cwl(
        "SDCG",
        "scaled_dcg",
        ("max_rel", "min_rel", "ties", "seed"),
        "required",
        Computation("dot", "over_weights", "scaled", "log", last_rank=LAST_READ),
    ),
    reader(
        "INST",
        "inst",
        ("max_rel", "T", "min_rel", "ties", "seed"),
        "none",
        read_down("inst", level="T"),
    ),
    reader(
        "BPM",
        "bejeweled_player_model",
        ("max_rel", "T", "min_rel", "ties", "seed"),
        "required",
        read_down("bpm", level="T"),
    ),
    reader(
        "NERR8",
        "nearly_err_8",
        ("max_rel", "min_rel", "ties", "seed"),
        "required",
        read_down("nerr8"),
    ),
    reader(
        "NERR9",
        "nearly_err_9",
        ("max_rel", "min_rel", "ties", "seed"),
        "required",
        read_down("nerr9"),
    ),
    reader(
        "NERR10",
        "nearly_err_10",
        ("max_rel", "p", "min_rel", "ties", "seed"),
        "none",
        read_down("nerr10", level="p"),
        defaults=MappingProxyType({"p": 0.9}),
    ),
    reader(
        "NERR11",
        "nearly_err_11",
        ("max_rel", "T", "min_rel", "ties", "seed"),
        "none",
        read_down("nerr11", level="T"),
    ),
    # Rank-biased overlap with the nearest ideal ranking (Clarke, Vtyurina and Smucker 2021).
    without_bounds(
        "Compat",
        "compatibility",
        ("p", "normalize", "ties", "seed", "empty"),
        "none",
        in_order(
            {"normalized": "overlap", "plain": "overlap_of_weights"},
            "if_relevant",
            "labels",
            counts_relevant=True,
            level="p",
        ),
        defaults=MappingProxyType({"p": 0.95}),
    ),
    without_bounds(
        "Accuracy",
        "accuracy",
        TIED,
        row=relevant("accuracy", "value", averages=False),
        skips_undefined=True,
        needs_pairs=True,
        needs_whole_lists=True,
    ),
    # trec_eval's counts, which are summed over the queries.
    Family("NumQ", "num_q", (), "none", Computation("count", "one"), mean="sum"),
    Family(
        "NumRet",
        "num_ret",
        ("judged_only",),
        row=Computation("count", "items"),
        mean="sum",
        variants={"rel": "numrelret"},
        counts_rows=True,
    ),
    Family("NumRel", "num_rel", ("rel",), "none", relevant("count", "relevant"), mean="sum"),
    Family("NumRelRet", "num_rel_ret", COUNTED, row=relevant("count", "value"), mean="sum"),
    smaller(
        "NumNonrelJudgedRet",
        "num_nonrel_judged_ret",
        COUNTED,
        row=relevant("nonrelevant", "value", judged=True),
        mean="sum",
    ),
)

# Measures of the parts of a query: subtopics, nuggets, pieces of evidence. They need judgments with
# parts, as `rankgain.Qrels` has them.
PART_ROWS = (
    of_parts(
        "alpha_DCG",
        "alpha_dcg",
        ("alpha", *BINARY),
        "required",
        over_parts(weights="log", part_divisor="full"),
    ),
    of_parts(
        "alpha_nDCG",
        "alpha_ndcg",
        ("alpha", *BINARY),
        "required",
        over_parts(weights="log", part_divisor="ideal"),
    ),
    of_parts(
        "ERR_IA",
        "err_ia",
        BINARY,
        "required",
        over_parts(weights="reciprocal", part_divisor="full"),
    ),
    of_parts(
        "nERR_IA",
        "nerr_ia",
        BINARY,
        "required",
        over_parts(weights="reciprocal", part_divisor="ideal"),
    ),
    of_parts(
        "NRBP",
        "nrbp",
        ("alpha", "beta", *BINARY),
        "none",
        over_parts(weights="beta", part_divisor="persistence"),
        defaults={"beta": 0.5},
    ),
    of_parts(
        "nNRBP",
        "nnrbp",
        ("alpha", "beta", *BINARY),
        "none",
        over_parts(weights="beta", part_divisor="ideal"),
        defaults={"beta": 0.5},
    ),
    of_parts(
        "AP_IA",
        "average_precision_ia",
        BINARY,
        "none",
        Computation("part_prefix", "value", reads="parts", averages=False, part_divisor="parts"),
    ),
    of_parts(
        "P_IA",
        "precision_ia",
        BINARY,
        "required",
        over_parts(weights="ones", part_divisor="cells"),
        defaults={"alpha": 0.0},
    ),
    of_parts(
        "StRecall",
        "subtopic_recall",
        BINARY,
        "required",
        STRECALL.row,
        defaults={"alpha": 1.0},
    ),
    of_parts(
        "D_nDCG",
        "d_ndcg",
        ("ties", "seed", "judged_only", "empty"),
        row=Computation("dot", "over_ideal", "linear", "log", reads="importance"),
    ),
    of_parts(
        "D#_nDCG",
        "d_sharp_ndcg",
        ("gamma", *BINARY),
        "required",
        Computation(
            "dot",
            "over_ideal",
            "linear",
            "log",
            reads="importance",
            averages=False,
            part_divisor="gamma",
        ),
    ),
)


# Measures of the items of all lists, which evaluate_catalogue computes. "whole": of all lists
# together, no mean over them.
ITEM_ROWS = (
    Family("Coverage", "catalogue_coverage", (), mean="whole"),
    smaller("Gini", "gini", (), mean="whole"),
    Family("Entropy", "entropy", (), mean="whole"),
    Family("Personalisation", "personalisation", (), mean="whole"),
    Family("Novelty", "novelty", ()),
    smaller("Popularity", "popularity", ()),
    Family("TailShare", "tail_share", ()),
    Family("NewItems", "new_items", ()),
    Family("ILD", "intra_list_diversity", ()),
    Family("Serendipity", "serendipity", ()),
)

# Other spellings of names, in lower case with underscores. One may imply parameters,
# `ndcg_burges(gain=exp2)`, and a rule for cutoffs, `success@required`: success_10 is HitRate@10,
# and success alone is an error.
ALIASES = """\
DCG: dcg_burges(gain=exp2)
IDCG: ideal_dcg
nDCG: ndcg_cut@required ndcg_burges(gain=exp2) ndcgat
AP: map map_cut@required mean_average_precision averageprecision meanaverageprecision avg_precision
RR: mrr recip_rank mean_reciprocal_rank reciprocalrank
HitRate: success@required hr hit hit_ratio hitratio
P: pre prec precisionat set_p@none setp@none
R: recallat set_recall@none setr@none
F1: f1_score f_measure fmeasure set_f@none setf@none
RPrec: rprecision r_prec
ERR: expected_reciprocal_rank
AUC: roc_auc
IPrec: iprec_at_recall
IPrecAvg: 11pt_avg
GMAP: gm_map
GMBpref: gm_bpref
SetAP: set_map
RelP: relative_p@required set_relative_p@none setrelp@none
Unjudged: unj@required
Q: q_measure
nERR: normalized_expected_reciprocal_rank
NCG: normalized_cumulative_gain
Compat: compatibility
GAUC: uauc wuauc(weight=documents) group_auc
PRAUC: lrap(empty=1)
Gain: gains
MR: arithmetic_mean_rank
AMR: adjusted_arithmetic_mean_rank
AMRI: adjusted_arithmetic_mean_rank_index
RankingLoss: label_ranking_loss
Coverage: catalog_coverage
Gini: gini_index
Entropy: shannon_entropy
Personalisation: personalization
Novelty: mean_self_information
alpha_DCG: α_dcg
alpha_nDCG: α_ndcg
AP_IA: map_ia
StRecall: strec i_rec
"""


def register(family: Family, *aliases: str) -> None:
    """Register a family under its name, its function's name and its aliases."""
    for name in family.params:
        if name not in KINDS:
            raise ValueError(f"family {family.name}: {name!r} is not an option")
    spellings: dict[str, Spelling] = {}
    for name in filter(None, (family.name, family.function, *aliases)):
        key, meaning = parse_alias(name, family)
        if key in FAMILIES or spellings.setdefault(key, meaning) != meaning:
            owner = FAMILIES.get(key, family).name
            raise ValueError(f"family {family.name}: {key!r} is a spelling of {owner} already")
    FAMILIES.update(dict.fromkeys(spellings, family))
    SPELLINGS.update(spellings)


_aliases = dict(line.split(": ") for line in ALIASES.splitlines())
for _row in (*ROWS, *PART_ROWS, *ITEM_ROWS):
    register(_row, *_aliases.get(_row.name, "").split())
