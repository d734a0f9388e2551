"""The rows of measures, and the arguments of a call: checked, completed, and as text.

A function's docstring describes only its special arguments; the others are added from the table of
arguments. A signature shows the values of the default convention.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from ..convention import UNSET, Convention, DiscountRule, get_convention
from ..convention.fields import Frozen
from ..convention.options import (
    ARGUMENTS,
    DEFAULTS,
    DIVISORS,
    KINDS,
    MAX_CUTOFF,
    TOP_LABEL,
    Word,
    read_cutoff,
)

Options: TypeAlias = Mapping[str, Any]
Function = TypeVar("Function", bound=Callable[..., Any])
ORDER = {name: position for position, name in enumerate(ARGUMENTS)}


class Computation(NamedTuple):
    """How the core computes a family: the shape of its walk over the hits, and the finish."""

    # Each is one word, or a table with a word for each variant of the measure. The keys of a table
    # are divisors, "rank" and "share" (that setting is given), the values of `per` ("user" and
    # "item"; only of a shape), "normalized" and "plain" (`normalize`, of a row with a `level`), and
    # "" for a measure without any of these. Several may apply to a call: `_variant` in
    # `engine/plan.py` takes the first of them.
    shape: str | Mapping[str, str]
    finish: str | Mapping[str, str]
    # "requested", "binary", "linear", "labels" (not below 0), or "scaled" from min_rel to max_rel.
    gain: str | None = None
    # The weight of each rank: the "discount" of the settings, powers of their "beta", or a kind of
    # `make_weight_table`, such as "geometric" (RBP).
    weights: str | None = None
    # Whether the finish needs R, the number of judged documents with a label of at least `rel`. If
    # the gain is "requested" and graded, it is the number of labels above 0, unless this is "rel".
    # If the gain is "labels", it is that number in any case: such measures have no `rel`.
    counts_relevant: bool | Literal["rel"] = False
    judged: bool = False  # documents judged not relevant are hits too
    # Judged documents count once, as in the qrels: a list's further copies of a document, which
    # duplicates="in_place" keeps, are passed over.
    skips_copies: bool = False
    averages: bool = True  # ties have a closed form
    # The setting that the walk reads as its level, such as "recall". A measure with `rank` or
    # `share` in its settings reads that instead.
    level: str | None = None
    # The finish of the divisor of the mean, if that is the value of a random order.
    expected: str | None = None
    # What the core reads in place of the labels of hits. "parts": the number of the judged
    # document, by which walks look up what parts it covers. "importance": the sum of the gains of
    # its parts.
    reads: Literal["labels", "parts", "importance"] = "labels"
    # By what the value of a walk over parts is divided, in Python: `engine/parts.py`.
    part_divisor: str = ""
    # The finish if a gain is passed, of measures whose gain is otherwise binary.
    graded_finish: str | None = None
    last_rank: int | None = None  # the last rank that counts, whatever the cutoff


# A NamedTuple is made in a sixth of the import time that a frozen dataclass takes.
class Family(NamedTuple):
    """Measures that differ only in parameters and cutoff: nDCG@5 and nDCG(gain=exp2)."""

    name: str
    function: str  # the name by which conventions know the family
    params: tuple[str, ...]  # that a name may have in parentheses, in printed order
    # "recall": it is a level of recall
    # "multiple": it is a multiple of R
    cutoff: Literal["optional", "none", "required", "recall", "multiple"] = "optional"
    row: Computation = Computation("", "")  # of a measure of the items of all lists: none
    mean: Literal["mean", "sum", "geometric", "whole"] = "mean"  # "whole": one value of all lists
    # Parameters with which the name means another family, and a spelling of that family.
    variants: Mapping[str, str] = MappingProxyType({})
    smaller_is_better: bool = False
    takes_blocks: bool = False  # tied documents count together: no order of them changes a value
    block_rank: str | None = None  # the rank of tied documents, unless `rank` says another
    skips_undefined: bool = False  # no number can replace an undefined value in a mean
    needs_pairs: bool = False  # undefined without relevant documents, and without others
    has_ideal: bool = False  # each convention may define the ideal in its own way
    # Which orders of ties, and which labels of unjudged documents, are best and worst is known.
    has_bounds: bool = True
    has_micro_mean: bool = False  # the mean may be a ratio of sums
    # The value depends on all documents of a list, also on those below the last relevant one.
    needs_whole_lists: bool = False
    counts_rows: bool = False  # the value is a number of rows, which gaps between ranks are not
    # "graded": up to max_label; "chances": up to 1.
    label_scale: Literal["any", "graded", "chances"] = "any"
    compute: Callable[..., object] | None = None  # of a ranking, in Python: a measure of one's own
    required: Mapping[str, str] = MappingProxyType({})  # parameters that a name needs, and examples
    defaults: Mapping[str, object] = MappingProxyType({})  # of parameters, under any convention
    at_r: str | None = None  # the spelling of the measure whose cutoff is R

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def divisors(self) -> tuple[str, ...]:
        """The divisors, if there is a choice."""
        return DIVISORS.get(self.function, ())

    @property
    def example(self) -> str:
        """The name with the parameters that it needs."""
        inside = ",".join(f"{name}={value}" for name, value in self.required.items())
        if not inside:
            return self.name
        return f"{self.name}({inside})"


class ListsView(NamedTuple):
    """Changes of lists before they are ranked; measures with equal views share a ranking."""

    float32: bool = False  # scores are compared in float32
    truncate: bool = False  # labels are truncated to integers
    # "list": the labels of the list alone, for R too. "returned": the judged labels, cut at the
    # length of the list; only for measures with an ideal, as R must not be cut.
    ideal: Literal["judged", "list", "returned"] = "judged"
    drop: float | None = None  # documents scored at most this are not relevant
    reads: str = "labels"  # as in Computation


UNCHANGED = ListsView()


class Settings(NamedTuple):
    """All arguments of one measure, except arrays."""

    family: Family
    k: int | None
    gain: object
    discount: DiscountRule
    log_base: float
    undiscounted_below_base: bool
    ties: str
    seed: int
    rel: float
    floor: float  # labels below it have the gain 0
    negative: str  # of labels: "keep" their gain, "zero" or "raise"
    divisor: str
    beta: float
    p: float
    recall: float  # level of recall
    recall_rounding: float  # added to recall * R before truncation; -1: round up instead
    max_label: float
    empty: Any
    undefined: str  # when nDCG is: "not_positive" IDCG, "zero", "zero_sum" or "never"
    ideal: str  # "judged", "list", "ones", "given" or "returned", explained in `Convention`
    per: str
    score_dtype: str | None
    drop: float | None
    truncate_labels: bool
    labels: str  # that the convention's tool accepts: "any", "integer" or "binary"
    largest_label: float | None  # that the tool accepts
    result_dtype: str
    round: int | None
    micro: bool  # the mean is a ratio of sums
    convention: str  # the name, for errors
    rank: str | None  # place of a tied document: optimistic, realistic or pessimistic
    share: float | None  # a fraction of the list, instead of a cutoff
    decay: float
    list_weight: str | None  # the weight of a list in the mean: its documents, or its positives
    max_rel: float | None
    min_rel: float
    T: float
    normalize: bool
    multiple: float
    alpha: float  # how much of a part's gain a document takes that covers it
    gamma: float  # what StRecall counts in D#_nDCG

    @property
    def view(self) -> ListsView:
        """The view of lists that these settings need."""
        # "ones" and "given" do not change the lists, only how the ideal is computed from them.
        ideal: Literal["judged", "list", "returned"] = "judged"
        if self.ideal == "list":
            ideal = "list"
        elif self.ideal == "returned" and self.family.has_ideal:
            ideal = "returned"
        reads = self.family.row.reads
        truncate = self.truncate_labels and reads == "labels"
        return ListsView(self.score_dtype == "float32", truncate, ideal, self.drop, reads)

    @property
    def takes_blocks(self) -> bool:
        """Whether the value depends on tie blocks only, not on the order within them."""
        return self.rank is not None or self.family.takes_blocks


def resolve(family: Family, options: Options, rules: Convention, per: str = "user") -> Settings:
    """Complete the options from the convention, and check each value."""
    function = family.function
    passed = {name: option for name, option in options.items() if option is not UNSET}
    k = passed["k"] if "k" in passed else rules.of_family(function)["k"]
    if k is not None and not (type(k) is int and 0 < k <= MAX_CUTOFF):
        k = read_cutoff(k)

    # Later values replace earlier ones: defaults, the convention's, and those that are passed.
    fields = rules.of_family(function, k is not None)
    values = {**DEFAULTS, **fields, **family.defaults}
    for name, option in passed.items():
        if name in KINDS:
            values[name] = KINDS[name].read(name, option)

    divisors = DIVISORS.get(function)
    if divisors and values["divisor"] not in divisors:
        Word(*divisors).read("divisor", values["divisor"])  # raises the error
    if not divisors:
        values["divisor"] = ""

    is_micro = fields["mean"] == "micro"
    if is_micro and not family.has_micro_mean:
        raise ValueError(f'{function} has no micro mean, but the convention has mean="micro"')

    # What is not an option of a call, and what the family decides.
    values |= {"family": family, "k": k, "convention": rules.name, "per": per}
    values |= {"drop": fields["drop_scores_at_most"], "micro": is_micro}
    values |= {"list_weight": values["weight"], "rank": values["rank"] or family.block_rank}
    if "rank" in passed or family.takes_blocks:
        values["ties"] = "average"
    if rules.recall_rounding == "up":
        values["recall_rounding"] = -1.0
    if family.label_scale == "chances":
        values["max_label"] = 1.0
    if family.skips_undefined and "empty" not in passed:
        values["empty"] = "skip"

    _resolve_labels(values, family, fields, rules, passed)
    of_parts = family.row.reads != "labels"
    if family.row.finish != "over_ideal" or of_parts:
        values["undefined"] = "not_positive"
    if of_parts:  # labels below 0 cover nothing; the ideal is the measure's own
        values |= {"negative": "keep", "ideal": "judged", "labels": "any", "largest_label": None}
    if family.row.weights == "beta" and values["beta"] >= 1:
        raise ValueError(f"beta of {family.name} must be below 1, not {values['beta']:g}")
    return Settings(**{name: values[name] for name in Settings._fields})


def _resolve_labels(
    values: dict[str, Any], family: Family, fields: Options, rules: Convention, passed: Options
) -> None:
    """Complete what depends on labels in `values`: gain, `rel`, the floor, and refused labels."""
    gain_is_passed = "gain" in passed
    is_binary_by_default = family.row.graded_finish is not None
    if gain_is_passed:  # the tool's limits are those of its own gains
        values |= {"labels": "any", "largest_label": None}
    elif is_binary_by_default:
        values["gain"] = "binary"
    if rules.rel_strict and "rel" not in passed:
        values["rel"] = math.nextafter(values["rel"], math.inf)
    values["floor"] = -math.inf
    if fields["negative"] == "zero":
        values["floor"] = 0.0
    if values["min_label"] is not None:
        values["floor"] = max(values["floor"], values["min_label"])
        values["rel"] = max(values["rel"], values["min_label"])
    takes_chances = family.label_scale == "chances" or (is_binary_by_default and gain_is_passed)
    if takes_chances and fields["negative"] == "keep":
        values["negative"] = "raise"


def describe_label_limits(measures: Iterable[tuple[Family, Settings]], label: float) -> str:
    """The limits of the measures that do not accept a label, and what to do."""
    # Dicts, as measures with several cutoffs are named once and in order.
    limits: dict[str, None] = {}
    examples: dict[str, None] = {}
    to_rescale: dict[str, None] = {}
    for family, settings in measures:
        if family.label_scale == "any" or not label > settings.max_label:
            continue
        if family.label_scale == "chances":
            limits[f"1, the limit of {family.name}, which reads labels as probabilities"] = None
        else:
            limits[f"max_label={settings.max_label:g} of {family.name}"] = None
        if family.label_scale == "chances" or label > TOP_LABEL:
            to_rescale[family.name] = None
        else:
            # Rounded up, so that the example accepts the label.
            examples[f"{family.name}(max_label={math.ceil(label)})"] = None
    remedies = []
    if examples:
        remedies.append(f"raise max_label to the top of the scale: {' and '.join(examples)}")
    if to_rescale:
        remedies.append(f"rescale the labels for {' and '.join(to_rescale)}")
    return f"{' and '.join(limits)}; {', and '.join(remedies)}"


class DefaultText(str):
    """A default in a signature that is not one value."""

    __slots__ = ()
    __repr__ = str.__str__


BY_MEASURE = DefaultText("by measure")
BY_NAME = DefaultText("the usual name")  # of a column


def defaults(rules: Convention, family: Family | None = None) -> dict[str, object]:
    """The defaults of arguments: of a measure function, or of a function that takes any measure."""
    # Without a family, one for the settings that are the same in all: the others become BY_MEASURE.
    # In a convention, these are mappings by family, stored as Frozen.
    result = resolve(family or Family("", "ndcg", ()), {}, rules)._asdict()
    if family is None:
        result |= {name: BY_MEASURE for name in result if type(getattr(rules, name, 0)) is Frozen}
    result |= {"judged_only": rules.unjudged == "drop", "convention": rules.name}
    return {**result, "doc": BY_NAME, "weight": None, "threads": 1, "bounds": ()}


def describe_arguments(names: Iterable[str], doc: str) -> str:
    """Add the shared arguments to the section Parameters of a docstring."""
    section = re.search(r"(?<=\nParameters\n----------\n).*?(?=\n\n\S)", doc, re.DOTALL)
    if section is None:
        raise ValueError("the docstring has no section Parameters")
    entries = re.split(r"\n(?=\S)", section[0])
    described: set[str] = set()
    for entry in entries:
        described |= set(entry.partition(" : ")[0].split(", "))
    entries += [ARGUMENTS[name] for name in names if name in ORDER and name not in described]
    entries.sort(key=lambda entry: ORDER.get(re.split(r"\W", entry)[0], -1))
    return doc[: section.start()] + "\n".join(entries) + doc[section.end() :]


def with_shared_help(convention: str, **special_defaults: object) -> Callable[[Function], Function]:
    """Add shared arguments to a docstring, and a convention's values to the signature.

    Keywords from a TypedDict (`**options: Unpack[...]`) are listed one by one in the signature.
    special_defaults: the defaults of arguments that are not shared, unless they are None.
    """

    def complete(function: Function) -> Function:
        signature = inspect.signature(function)
        values = {**defaults(get_convention(convention)), **special_defaults}
        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            if parameter.default is UNSET:
                parameter = parameter.replace(
                    default=values[parameter.name], annotation=_kind_of(parameter.annotation)
                )
            if parameter.kind is parameter.VAR_KEYWORD:
                options_name = parameter.annotation.removeprefix("Unpack[").removesuffix("]")
                for name, annotation in function.__globals__[options_name].__annotations__.items():
                    text = _kind_of(getattr(annotation, "__forward_arg__", annotation))
                    keyword = inspect.Parameter(name, parameter.KEYWORD_ONLY, annotation=text)
                    parameters.append(keyword.replace(default=values.get(name)))
            else:
                parameters.append(parameter)
        # Of the keywords special ones come first, then the shared ones in the order of the table.
        parameters.sort(key=_order_of_parameter)
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        if function.__doc__ is not None:  # python -OO has none
            names_taken = {parameter.name for parameter in parameters}
            names = [name for name in ORDER if name in names_taken]
            function.__doc__ = describe_arguments(names, inspect.cleandoc(function.__doc__))
        return function

    return complete


def _order_of_parameter(parameter: inspect.Parameter) -> tuple[int, int]:
    """The key by which the parameters of a signature are sorted."""
    if parameter.kind is not parameter.KEYWORD_ONLY:
        return parameter.kind, 0
    return parameter.kind, ORDER.get(parameter.name, -1)


def _kind_of(annotation: object) -> str:
    return str(annotation).replace(" | Unset", "")
