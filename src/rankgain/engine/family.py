"""Families of measures: how the core computes them, and their names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from ..convention.kinds import DIVISORS


class Computation(NamedTuple):
    """How the core computes a family: the shape of its walk over the hits, and the finish.

    shape and finish may depend on the divisor. gain: "requested" or "binary". weights: of the
    "discount", "ones", the "geometric" weights of RBP, or the powers of a "decay".
    counts_relevant: the finish needs R, the number of documents with a gain above 0 where the gain
    is "requested", or of relevant ones ("rel"). judged: documents judged not relevant are hits too.
    averages: ties have a closed form.
    """

    shape: str | Mapping[str, str]
    finish: str | Mapping[str, str]
    gain: str | None = None
    weights: str | None = None
    counts_relevant: bool | Literal["rel"] = False
    judged: bool = False
    averages: bool = True


# A NamedTuple is made in a sixth of the import time that a frozen dataclass takes.
class Family(NamedTuple):
    """Measures that differ only in their parameters and their cutoff: nDCG@5 and nDCG(gain=exp2).

    An alias is another spelling of the name, in lower case with underscores. It may imply
    parameters, `ndcg_burges(gain=exp2)`, and a rule for cutoffs, `success@required` or
    `set_p@none`; the cutoff "recall" is a level of recall. The name of the public function is a
    spelling too. params: the parameters that a name may have in parentheses, in printed order;
    row: how the core computes the family; mean: how the values of lists are combined, "whole" for
    one value of all lists; variants: parameters with which the name means another family, and a
    spelling of that family.
    """

    name: str
    function: str
    params: tuple[str, ...]
    cutoff: Literal["optional", "none", "required", "recall"] = "optional"
    aliases: tuple[str, ...] = ()
    row: Computation = Computation("", "")  # of a measure of the items of all lists: none
    mean: Literal["mean", "sum", "geometric", "whole"] = "mean"
    variants: Mapping[str, str] = MappingProxyType({})
    smaller_is_better: bool = False

    @property
    def divisors(self) -> tuple[str, ...]:
        """The divisors, if there is a choice."""
        return DIVISORS.get(self.function, ())
