"""Measures that are asked by name: those of trec_eval and ir_measures that have no function here.

docs/definitions.md has their formulas and sources. `function` is what a convention calls them.
"""

from ..engine.plan import Row
from .measure import Family, register

__all__: list[str] = []

BINARY = ("ties", "seed", "rel", "judged_only", "empty")
COUNTED = ("ties", "seed", "rel", "judged_only")

register(
    Family(
        "Bpref",
        "bpref",
        BINARY,
        cutoff="none",
        row=Row("bpref", "over_r", counts_relevant=True, judged=True),
    )
)
register(
    Family(
        "infAP",
        "inferred_ap",
        BINARY,
        cutoff="none",
        row=Row("inferred", "over_r", counts_relevant=True, judged=True, averages=False),
    )
)
register(
    Family(
        "IPrec",
        "interpolated_precision",
        ("recall", *BINARY),
        cutoff="recall",
        aliases=("iprec_at_recall",),
        row=Row("interpolated", "if_relevant", counts_relevant=True, averages=False),
    )
)
register(
    Family(
        "IPrecAvg",
        "eleven_point_average",
        BINARY,
        cutoff="none",
        aliases=("11pt_avg",),
        row=Row("eleven_points", "if_relevant", counts_relevant=True, averages=False),
    )
)
register(
    Family(
        "GMAP",
        "geometric_average_precision",
        BINARY,
        cutoff="none",
        aliases=("gm_map",),
        row=Row("prefix", "over_r", counts_relevant=True),
        mean="geometric",
    )
)
register(
    Family(
        "GMBpref",
        "geometric_bpref",
        BINARY,
        cutoff="none",
        aliases=("gm_bpref",),
        row=Row("bpref", "over_r", counts_relevant=True, judged=True),
        mean="geometric",
    )
)
register(
    Family(
        "RnDCG",
        "r_ndcg",
        ("gain", "discount", "log_base", *BINARY[:3], "min_label", *BINARY[3:]),
        cutoff="none",
        row=Row("r_ndcg", "if_relevant", "asked", "discount", "rel", averages=False),
    )
)
register(
    Family(
        "SetAP",
        "set_average_precision",
        BINARY,
        cutoff="none",
        aliases=("set_map",),
        row=Row("count", "set_ap", counts_relevant=True),
    )
)
register(
    Family(
        "RelP",
        "relative_precision",
        BINARY,
        aliases=("relative_p@required", "set_relative_p@none", "setrelp@none"),
        row=Row("count", "over_r_or_n", counts_relevant=True),
    )
)
register(
    Family(
        "Judged",
        "judged",
        ("ties", "seed", "divisor", "judged_only", "empty"),
        divisors=("min", "k"),
        row=Row("judged", "over_items", judged=True),
    )
)
register(
    Family(
        "Unjudged",
        "unjudged",
        ("ties", "seed", "divisor", "judged_only", "empty"),
        aliases=("unj@required",),
        divisors=("k", "min"),
        row=Row("judged", "others_over_items", judged=True),
        smaller_is_better=True,
    )
)
register(
    Family(
        "RBPResidual",
        "rbp_residual",
        ("p", "ties", "seed", "judged_only"),
        row=Row("judged_dot", "rest", weights="geometric", judged=True),
        smaller_is_better=True,
    )
)
register(Family("NumQ", "num_q", (), cutoff="none", row=Row("count", "one"), mean="sum"))
register(
    Family(
        "NumRet",
        "num_ret",
        ("judged_only",),
        row=Row("count", "items"),
        mean="sum",
        variants={"rel": "numrelret"},
    )
)
register(
    Family(
        "NumRel",
        "num_rel",
        ("rel",),
        cutoff="none",
        row=Row("count", "relevant", counts_relevant=True),
        mean="sum",
    )
)
register(
    Family(
        "NumRelRet",
        "num_rel_ret",
        COUNTED,
        row=Row("count", "value", counts_relevant=True),
        mean="sum",
    )
)
register(
    Family(
        "NumNonrelJudgedRet",
        "num_nonrel_judged_ret",
        COUNTED,
        row=Row("nonrelevant", "value", counts_relevant=True, judged=True),
        mean="sum",
        smaller_is_better=True,
    )
)
