"""Settings: the arguments that are not arrays, checked and completed from the convention."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..convention import Convention
from ..convention.kinds import (
    BLOCK_MEASURES,
    DIVISORS,
    MAX_CUTOFF,
    MEAN_RANKS,
    SKIPPED,
    UNSET,
    Word,
    check_weights,
    read_cutoff,
)
from ..convention.options import DEFAULTS, KINDS

Options: TypeAlias = Mapping[str, Any]
WITH_IDEAL = ("ndcg", "idcg")  # families for which conventions define other ideals


class ListsView(NamedTuple):
    """Changes of lists before they are ranked; measures with equal views share a ranking."""

    float32: bool = False  # scores are compared in float32
    truncate: bool = False  # labels are truncated to integers
    ideal: str = "judged"  # or "list", "returned"
    drop: float | None = None  # documents scored at most this are not relevant


UNCHANGED = ListsView()


class Settings(NamedTuple):
    """All arguments of one measure, except arrays."""

    function: str
    k: int | None
    gain: Any
    discount: Any
    log_base: float
    undiscounted_below_base: bool
    ties: str
    seed: int
    rel: float
    floor: float  # labels below it have the gain 0
    negative: str
    divisor: str
    beta: float
    p: float
    recall: float  # level of recall
    recall_rounding: float  # added to recall * R before truncation; -1: round up instead
    max_label: float
    empty: Any
    undefined: str  # when nDCG is undefined
    ideal: str
    per: str
    score_dtype: str | None
    drop: float | None
    truncate_labels: bool
    labels: str
    largest_label: float | None
    result_dtype: str
    round: int | None
    micro: bool  # the mean is a ratio of sums
    convention: str  # the name, for errors
    rank: str | None  # place of a tied document: optimistic, realistic or pessimistic
    share: float | None  # a fraction of the list, instead of a cutoff
    decay: float
    list_weight: str | None  # the weight of a list in the mean: its documents, or its positives

    @property
    def view(self) -> ListsView:
        """The view of lists that these settings need."""
        ideal = self.ideal
        if ideal == "returned":
            ideal = ideal if self.function in WITH_IDEAL else "judged"
        elif ideal != "list":
            ideal = "judged"
        return ListsView(self.score_dtype == "float32", self.truncate_labels, ideal, self.drop)

    @property
    def takes_blocks(self) -> bool:
        """Whether the value depends on tie blocks only, not on the order within them."""
        return self.rank is not None or self.function in BLOCK_MEASURES


def evaluate_discount(discount: Callable[[Any], Any], n: int) -> Any:
    """Evaluate a callable discount at ranks 1 .. n and check it."""
    weights = np.asarray(discount(np.arange(1.0, n + 1.0)))
    if weights.shape != (n,) or weights.dtype.kind not in "biuf":
        raise ValueError(
            f"discount: the callable returned shape {weights.shape} of {weights.dtype} for {n} "
            "ranks; it must return one weight per rank"
        )
    return check_weights(weights)


_RANKS = {"ranking_loss": "pessimistic"} | dict.fromkeys(MEAN_RANKS, "realistic")


def resolve(function: str, options: Options, rules: Convention, per: str = "user") -> Settings:
    """Complete the options from the convention, and check each value."""
    passed = {name: value for name, value in options.items() if value is not UNSET}
    k = passed["k"] if "k" in passed else rules.of_family(function)["k"]
    if k is not None and not (type(k) is int and 0 < k <= MAX_CUTOFF):
        k = read_cutoff(k)
    fields = rules.of_family(function, k is not None)
    value = {**DEFAULTS, **fields}
    value |= {name: KINDS[name].read(name, one) for name, one in passed.items() if name in KINDS}
    default_gain = "gain" not in passed
    # RBP is binary without a gain option, whatever the convention's gain is.
    gain = "binary" if function == "rbp" and default_gain else value["gain"]
    strict = rules.rel_strict and "rel" not in passed
    rel = math.nextafter(value["rel"], math.inf) if strict else value["rel"]
    floor = 0.0 if fields["negative"] == "zero" else -math.inf
    if value["min_label"] is not None:
        rel, floor = max(rel, value["min_label"]), value["min_label"]
    refused = function == "pfound" or (function == "rbp" and not default_gain)
    words, divisor = DIVISORS.get(function), value["divisor"]
    if words and divisor not in words:
        Word(*words).read("divisor", divisor)  # raises the error
    if fields["mean"] == "micro" and function not in ("precision", "recall"):
        raise ValueError(f'{function} has no micro mean, but the convention has mean="micro"')
    rounding = rules.recall_rounding
    return Settings(
        function=function,
        k=k,
        gain=gain,
        discount=value["discount"],
        log_base=value["log_base"],
        undiscounted_below_base=rules.undiscounted_below_base,
        # Measures of whole blocks keep them.
        ties="average" if "rank" in passed or function in BLOCK_MEASURES else value["ties"],
        seed=value["seed"],
        rel=rel,
        floor=floor,
        negative="raise" if refused and fields["negative"] == "keep" else fields["negative"],
        divisor=divisor if words else "",
        beta=value["beta"],
        p=value["p"],
        recall=value["recall"],
        recall_rounding=-1.0 if rounding == "up" else rounding,
        max_label=1.0 if function == "pfound" else value["max_label"],
        empty="skip" if function in SKIPPED and "empty" not in passed else value["empty"],
        undefined=rules.undefined if function == "ndcg" else "not_positive",
        ideal=rules.ideal,
        per=per,
        score_dtype=fields["score_dtype"],
        drop=fields["drop_scores_at_most"],
        truncate_labels=rules.truncate_labels,
        labels=fields["labels"] if default_gain else "any",
        largest_label=rules.largest_label if default_gain else None,
        result_dtype=rules.result_dtype,
        round=fields["round"],
        micro=fields["mean"] == "micro",
        convention=rules.name,
        rank=value["rank"] or _RANKS.get(function),
        share=value["share"],
        decay=value["decay"],
        list_weight=value["weight"],
    )
