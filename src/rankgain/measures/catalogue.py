"""The catalogue of all measures, one row each, and the registry of their names.

A row has the names of a measure and how the core computes it. Measures with a public function come
first; docs/reference/definitions.md has the formulas and sources of the others. Conventions use the
name in `function`.
"""

from ..convention.options import KINDS
from ..engine.settings import Computation, Family
from .grammar import Spelling, spelling

FAMILIES: dict[str, Family] = {}
SPELLINGS: dict[str, Spelling] = {}

BINARY = ("ties", "seed", "rel", "judged_only", "empty")
DIVIDED = ("ties", "seed", "rel", "divisor", "judged_only", "empty")
CUMULATED = ("ties", "seed", "rel", "min_label", "judged_only", "empty")
DISCOUNTED = ("gain", "discount", "log_base", *CUMULATED)
COUNTED = ("ties", "seed", "rel", "judged_only")

ROWS = (
    Family("CG", "cg", ("gain", *CUMULATED), row=Computation("dot", "value", "requested", "ones")),
    Family(
        "DCG",
        "dcg",
        DISCOUNTED,
        aliases=("dcg_burges(gain=exp2)",),
        row=Computation("dot", "value", "requested", "discount"),
    ),
    Family(
        "IDCG",
        "idcg",
        DISCOUNTED,
        aliases=("ideal_dcg",),
        row=Computation("ideal", "value", "requested", "discount"),
    ),
    Family(
        "nDCG",
        "ndcg",
        DISCOUNTED,
        aliases=("ndcg_cut@required", "ndcg_burges(gain=exp2)", "ndcgat"),
        row=Computation("dot", "over_ideal", "requested", "discount"),
    ),
    Family(
        "AP",
        "average_precision",
        DIVIDED,
        aliases=(
            "map",
            "map_cut@required",
            "mean_average_precision",
            "averageprecision",
            "meanaverageprecision",
            "avg_precision",
        ),
        row=Computation(
            {"hits": "prefix_over_hits", "relevant": "prefix", "min": "prefix", "k": "prefix"},
            {"hits": "if_relevant", "relevant": "over_r", "min": "over_r_or_k", "k": "over_k"},
            counts_relevant=True,
        ),
    ),
    Family(
        "RR",
        "reciprocal_rank",
        ("rank", *BINARY),
        aliases=("mrr", "recip_rank", "mean_reciprocal_rank", "reciprocalrank"),
        row=Computation({"": "first", "rank": "first_rank"}, "if_relevant", counts_relevant=True),
    ),
    Family(
        "HitRate",
        "hit_rate",
        ("per", "rank", *BINARY),
        aliases=("success@required", "hr", "hit", "hit_ratio", "hitratio"),
        row=Computation(
            {"user": "any", "item": "count", "rank": "any_rank"},
            "if_relevant",
            counts_relevant=True,
        ),
    ),
    Family(
        "P",
        "precision",
        DIVIDED,
        aliases=("pre", "prec", "precisionat", "set_p@none", "setp@none"),
        row=Computation(
            "count",
            {"k": "over_k", "min": "over_k", "min_relevant": "over_r_or_n"},
            counts_relevant=True,
        ),
        variants={"relative": "relp"},
    ),
    Family(
        "R",
        "recall",
        DIVIDED,
        aliases=("recallat", "set_recall@none", "setr@none"),
        row=Computation(
            "count", {"relevant": "over_r", "min": "over_r_or_k"}, counts_relevant=True
        ),
    ),
    Family(
        "F1",
        "f1",
        ("ties", "seed", "rel", "divisor", "beta", "judged_only", "empty"),
        aliases=("f1_score", "f_measure", "fmeasure", "set_f@none", "setf@none"),
        row=Computation("count", "f_beta", counts_relevant=True),
    ),
    Family(
        "RPrec",
        "r_precision",
        BINARY,
        cutoff="none",
        aliases=("rprecision", "r_prec"),
        row=Computation("count_at_r", "over_r", counts_relevant=True),
    ),
    Family(
        "RBP",
        "rbp",
        ("gain", "ties", "seed", "rel", "p", "judged_only", "empty"),
        row=Computation("dot", "if_relevant", "binary", "geometric", counts_relevant=True),
    ),
    Family(
        "ERR",
        "err",
        ("ties", "seed", "max_label", "judged_only", "empty"),
        aliases=("expected_reciprocal_rank",),
        row=Computation("cascade", "if_positive"),
    ),
    Family(
        "AUC",
        "auc",
        ("ties", "seed", "rel", "empty"),
        cutoff="none",
        aliases=("roc_auc",),
        row=Computation("pairs", "over_pairs", counts_relevant=True),
    ),
    Family(
        "Bpref",
        "bpref",
        BINARY,
        cutoff="none",
        row=Computation("bpref", "over_r", counts_relevant=True, judged=True),
    ),
    Family(
        "infAP",
        "inferred_ap",
        BINARY,
        cutoff="none",
        row=Computation("inferred", "over_r", counts_relevant=True, judged=True, averages=False),
    ),
    Family(
        "IPrec",
        "interpolated_precision",
        ("recall", *BINARY),
        cutoff="recall",
        aliases=("iprec_at_recall",),
        row=Computation(
            "interpolated", "if_relevant", counts_relevant=True, averages=False, level="recall"
        ),
    ),
    Family(
        "IPrecAvg",
        "eleven_point_average",
        BINARY,
        cutoff="none",
        aliases=("11pt_avg",),
        row=Computation(
            "eleven_points", "if_relevant", counts_relevant=True, averages=False, level="recall"
        ),
    ),
    Family(
        "GMAP",
        "geometric_average_precision",
        BINARY,
        cutoff="none",
        aliases=("gm_map",),
        row=Computation("prefix", "over_r", counts_relevant=True),
        mean="geometric",
    ),
    Family(
        "GMBpref",
        "geometric_bpref",
        BINARY,
        cutoff="none",
        aliases=("gm_bpref",),
        row=Computation("bpref", "over_r", counts_relevant=True, judged=True),
        mean="geometric",
    ),
    Family(
        "RnDCG",
        "r_ndcg",
        DISCOUNTED,
        cutoff="none",
        row=Computation("r_ndcg", "if_relevant", "requested", "discount", "rel", averages=False),
    ),
    Family(
        "SetAP",
        "set_average_precision",
        BINARY,
        cutoff="none",
        aliases=("set_map",),
        row=Computation("count", "set_ap", counts_relevant=True),
    ),
    Family(
        "RelP",
        "relative_precision",
        BINARY,
        aliases=("relative_p@required", "set_relative_p@none", "setrelp@none"),
        row=Computation("count", "over_r_or_n", counts_relevant=True),
    ),
    Family(
        "Judged",
        "judged",
        ("ties", "seed", "divisor", "judged_only", "empty"),
        row=Computation("judged", "over_items", judged=True),
    ),
    Family(
        "Unjudged",
        "unjudged",
        ("ties", "seed", "divisor", "judged_only", "empty"),
        aliases=("unj@required",),
        row=Computation("judged", "others_over_items", judged=True),
        smaller_is_better=True,
    ),
    Family(
        "RBPResidual",
        "rbp_residual",
        ("p", "ties", "seed", "judged_only"),
        row=Computation("judged_dot", "rest", weights="geometric", judged=True),
        smaller_is_better=True,
    ),
    Family(
        "GAUC",
        "gauc",
        ("weight", "ties", "seed", "rel", "empty"),
        cutoff="none",
        aliases=("uauc", "wuauc(weight=documents)", "group_auc"),
        row=Computation("pairs", "over_pairs", counts_relevant=True),
    ),
    Family(
        "PRAUC",
        "pr_auc",
        ("rel", "empty"),
        cutoff="none",
        aliases=("lrap(empty=1)",),
        row=Computation("prefix_at_end", "over_r", counts_relevant=True),
    ),
    Family(
        "Lift",
        "lift",
        ("share", "ties", "seed", "rel", "empty"),
        row=Computation({"": "count", "share": "count_at_share"}, "lift", counts_relevant=True),
    ),
    Family(
        "Gain",
        "cumulative_gain_share",
        ("share", "ties", "seed", "rel", "empty"),
        aliases=("gains",),
        row=Computation({"": "count", "share": "count_at_share"}, "over_r", counts_relevant=True),
    ),
    Family(
        "MR",
        "mean_rank",
        ("rank", "rel", "empty"),
        cutoff="none",
        aliases=("arithmetic_mean_rank",),
        row=Computation("above", "mean_rank", counts_relevant=True),
        smaller_is_better=True,
    ),
    Family(
        "AMR",
        "adjusted_mean_rank",
        ("rel", "empty"),
        cutoff="none",
        aliases=("adjusted_arithmetic_mean_rank",),
        row=Computation("above", "over_expected_rank", counts_relevant=True),
        smaller_is_better=True,
    ),
    Family(
        "AMRI",
        "adjusted_mean_rank_index",
        ("rel", "empty"),
        cutoff="none",
        aliases=("adjusted_arithmetic_mean_rank_index",),
        row=Computation("above", "over_expected_above", counts_relevant=True),
    ),
    Family(
        "RankingLoss",
        "ranking_loss",
        ("rel", "empty"),
        cutoff="none",
        aliases=("label_ranking_loss",),
        row=Computation("above", "crossed", counts_relevant=True),
        smaller_is_better=True,
    ),
    Family(
        "CoverageError",
        "coverage_error",
        ("rel",),
        cutoff="none",
        row=Computation("last", "value", counts_relevant=True),
        smaller_is_better=True,
    ),
    Family(
        "PFound",
        "pfound",
        ("decay", "ties", "seed", "judged_only", "empty"),
        row=Computation("cascade_decay", "value", weights="decay"),
    ),
    Family("NumQ", "num_q", (), cutoff="none", row=Computation("count", "one"), mean="sum"),
    Family(
        "NumRet",
        "num_ret",
        ("judged_only",),
        row=Computation("count", "items"),
        mean="sum",
        variants={"rel": "numrelret"},
    ),
    Family(
        "NumRel",
        "num_rel",
        ("rel",),
        cutoff="none",
        row=Computation("count", "relevant", counts_relevant=True),
        mean="sum",
    ),
    Family(
        "NumRelRet",
        "num_rel_ret",
        COUNTED,
        row=Computation("count", "value", counts_relevant=True),
        mean="sum",
    ),
    Family(
        "NumNonrelJudgedRet",
        "num_nonrel_judged_ret",
        COUNTED,
        row=Computation("nonrelevant", "value", counts_relevant=True, judged=True),
        mean="sum",
        smaller_is_better=True,
    ),
)


# Measures of the items of all lists, which evaluate_catalogue computes. "whole": of all lists
# together, no mean over them.
CATALOGUE_ROWS = (
    Family("Coverage", "catalogue_coverage", (), aliases=("catalog_coverage",), mean="whole"),
    Family("Gini", "gini", (), aliases=("gini_index",), mean="whole", smaller_is_better=True),
    Family("Entropy", "entropy", (), aliases=("shannon_entropy",), mean="whole"),
    Family("Personalisation", "personalisation", (), aliases=("personalization",), mean="whole"),
    Family("Novelty", "novelty", (), aliases=("mean_self_information",)),
    Family("Popularity", "popularity", (), aliases=("arp",), smaller_is_better=True),
    Family("TailShare", "tail_share", ()),
    Family("NewItems", "new_items", ()),
    Family("ILD", "intra_list_diversity", ()),
    Family("Serendipity", "serendipity", ()),
)


def register(family: Family) -> Family:
    """Register a family under its name, its function's name and its aliases."""
    unknown = [name for name in family.params if name not in KINDS]
    if unknown:
        raise ValueError(f"family {family.name}: {unknown[0]!r} is no option")
    names = (family.name, family.function, *family.aliases)
    spellings: dict[str, Spelling] = {}
    for key, meaning in (spelling(name, family) for name in names if name):
        if key in FAMILIES or spellings.setdefault(key, meaning) != meaning:
            other = FAMILIES.get(key, family).name
            raise ValueError(f"family {family.name}: {key!r} is a spelling of {other} already")
    FAMILIES.update(dict.fromkeys(spellings, family))
    SPELLINGS.update(spellings)
    return family


for _row in (*ROWS, *CATALOGUE_ROWS):
    register(_row)
