"""The families of measures as the names tests know them, where none are registered yet."""

from rankgain.measures import FAMILIES, Family, register

GRADED = ("gain", "discount", "log_base", "ties", "rel", "min_label", "judged_only", "empty")
ROWS = [
    Family("CG", "cg", ("gain", "ties", "rel", "min_label", "judged_only", "empty")),
    Family("DCG", "dcg", GRADED, aliases=("dcg_burges(gain=exp2)",)),
    Family("IDCG", "idcg", GRADED, aliases=("ideal_dcg",)),
    Family("nDCG", "ndcg", GRADED, aliases=("ndcg_cut@required", "ndcg_burges(gain=exp2)")),
    Family(
        "AP",
        "average_precision",
        ("ties", "rel", "divisor", "judged_only", "empty"),
        aliases=(
            "map",
            "map_cut@required",
            "mean_average_precision",
            "averageprecision",
            "setap@none",
        ),
        divisors=("relevant", "min", "hits"),
    ),
    Family(
        "RR",
        "reciprocal_rank",
        ("ties", "rel", "judged_only", "empty"),
        aliases=("mrr", "recip_rank", "mean_reciprocal_rank", "reciprocalrank"),
    ),
    Family(
        "HitRate",
        "hit_rate",
        ("per", "ties", "rel", "judged_only", "empty"),
        aliases=("success@required", "hr"),
    ),
    Family(
        "P",
        "precision",
        ("ties", "rel", "divisor", "judged_only", "empty"),
        aliases=("pre", "precisionat", "set_p@none", "setp@none"),
        divisors=("k", "min"),
    ),
    Family(
        "R",
        "recall",
        ("ties", "rel", "divisor", "judged_only", "empty"),
        aliases=("recallat", "set_recall@none", "setr@none"),
        divisors=("relevant", "min"),
    ),
    Family(
        "F1",
        "f1",
        ("ties", "rel", "divisor", "beta", "judged_only", "empty"),
        aliases=("set_f@none", "setf@none"),
        divisors=("k", "min"),
    ),
    Family(
        "RPrec",
        "r_precision",
        ("ties", "rel", "judged_only", "empty"),
        cutoff="none",
        aliases=("rprecision",),
    ),
    Family("RBP", "rbp", ("ties", "rel", "p", "judged_only", "empty")),
    Family("ERR", "err", ("ties", "max_label", "judged_only", "empty")),
    Family("AUC", "auc", ("ties", "rel", "empty"), cutoff="none"),
]
for row in ROWS:
    if row.name.lower() not in FAMILIES:
        register(row)
