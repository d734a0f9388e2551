"""The measures of trec_eval in its order, with parameters, and nicknames for sets of them."""

from typing import Literal, NamedTuple, TypeAlias

# Kinds of parameter strings: cutoffs or fractions (a value for each), coefficients, or
# name=value pairs.
Takes: TypeAlias = Literal["nothing", "cutoffs", "fractions", "numbers", "pairs"]
Mean: TypeAlias = Literal["mean", "sum", "geometric", "queries", "none"]


class TrecMeasure(NamedTuple):
    """A measure of trec_eval."""

    name: str
    takes: Takes = "nothing"
    default: tuple[float, ...] = ()
    mean: Mean = "mean"
    is_integer: bool = False  # printed as an integer
    per_query: bool = True  # printed for each query


RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

MEASURES = {
    measure.name: measure
    for measure in (
        TrecMeasure("runid", mean="none", per_query=False),
        TrecMeasure("num_q", mean="queries", is_integer=True, per_query=False),
        TrecMeasure("num_ret", mean="sum", is_integer=True),
        TrecMeasure("num_rel", mean="sum", is_integer=True),
        TrecMeasure("num_rel_ret", mean="sum", is_integer=True),
        TrecMeasure("map"),
        TrecMeasure("gm_map", mean="geometric", per_query=False),
        TrecMeasure("Rprec"),
        TrecMeasure("bpref"),
        TrecMeasure("recip_rank"),
        TrecMeasure("iprec_at_recall", "fractions", TENTHS),
        TrecMeasure("P", "cutoffs", RANKS),
        TrecMeasure("relstring", "numbers", (10.0,), mean="none"),
        TrecMeasure("recall", "cutoffs", RANKS),
        TrecMeasure("infAP"),
        TrecMeasure("gm_bpref", mean="geometric", per_query=False),
        TrecMeasure("Rprec_mult", "fractions", MULTIPLES),
        TrecMeasure("utility", "numbers", (1.0, -1.0, 0.0, 0.0)),
        TrecMeasure("11pt_avg", "numbers", TENTHS),
        TrecMeasure("binG"),
        TrecMeasure("G", "pairs"),
        TrecMeasure("dcg", "pairs"),
        TrecMeasure("ideal_dcg", "pairs"),
        TrecMeasure("ndcg", "pairs"),
        TrecMeasure("ndcg_rel", "pairs"),
        TrecMeasure("Rndcg", "pairs"),
        TrecMeasure("ndcg_cut", "cutoffs", RANKS),
        TrecMeasure("map_cut", "cutoffs", RANKS),
        TrecMeasure("relative_P", "cutoffs", RANKS),
        TrecMeasure("success", "cutoffs", (1, 5, 10)),
        TrecMeasure("set_P"),
        TrecMeasure("set_relative_P"),
        TrecMeasure("set_recall"),
        TrecMeasure("set_map"),
        TrecMeasure("set_F", "numbers", (1.0,)),
        TrecMeasure("num_nonrel_judged_ret", mean="sum", is_integer=True),
        TrecMeasure("yaap"),
        TrecMeasure("rbp", "pairs"),
        TrecMeasure("rbp_resid", "pairs"),
        TrecMeasure("unj", "cutoffs", (5, 10, 20)),
    )
}

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_SETS = ("utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_NOT_IN_ALL = ("dcg", "ideal_dcg", "yaap")

NICKNAMES = {
    "official": (
        *_COUNTS,
        *("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    ),
    "set": (*_COUNTS, *_SETS),
    "all_trec": tuple(name for name in MEASURES if name not in _NOT_IN_ALL),
}

# These need preferences or judgment groups.
REFUSED_MEASURES = ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "qrels_jg", "all_prefs")
REFUSED_FORMATS = ("prefs", "qrels_prefs", "qrels_jg")


def is_refused(name: str) -> bool:
    """Return whether a measure or nickname needs judgments of another kind."""
    return name in REFUSED_MEASURES or name == "prefs" or name.startswith("prefs_")
