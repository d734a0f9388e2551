"""Audit: the result of `audit`, as data and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..inputs.printable import count_of, printable
from ..text import preformat

PRINTED_CONVENTIONS = 3  # other conventions that print names
UNEXPLAINED = "differs, unexplained"
# What each error means. A result has its errors in this order.
SENTENCES = {
    "order lost": "documents are ranked by the order of the input, of ids or of a set, or the "
    "order does not matter at all",
    "order reversed": "the lowest score, or the last id, is ranked first",
    "cutoff ignored": "documents after rank k count",
    "unjudged documents dropped": "documents without a judgment are removed, so that others move "
    "up",
    "labels used as gains": "the gain is the label, although another gain is expected, such as "
    "2**label - 1",
    "exp2 used as gains": "the gain is 2**label - 1, although the label is expected; if exp2 is "
    "intended, audit it as nDCG(gain=exp2)",
    "grades ignored": "every label above 0 counts as 1",
    "discount off by one": "each rank has the discount of the next rank",
    "first two ranks undiscounted": "each rank has the discount of the previous rank, as in "
    "Jarvelin and Kekalainen's formula",
    "ideal from the retrieved": "the ideal contains only retrieved documents, so that missing a "
    "relevant document costs nothing",
    "cutoff not applied to the ideal": "the ideal is not cut at k, so that a perfect ranking "
    "scores below 1",
    "ideal cut at the number retrieved": "the ideal is as short as the ranking, so that a short "
    "ranking costs nothing",
    "ideal of k ones": "the ideal has k relevant documents, even if there are fewer",
    "ideal not sorted": "the ideal is taken in the order of the input",
    "divided by the number retrieved": "the divisor is the number of retrieved documents, so that "
    "retrieving less costs nothing",
    "divided by the hits": "the divisor is the number of relevant documents retrieved, so that "
    "missing others costs nothing",
    "divided by k": "the divisor is k, even if fewer documents are relevant",
    "ties for the system": "among equal scores, relevant documents are ranked first, as in the "
    'convention "pykeen-optimistic" for link prediction',
    "ties against the system": "among equal scores, relevant documents are ranked last, as in the "
    'convention "pykeen-pessimistic" for link prediction',
    "ties in no known order": "equal scores are neither in a known order nor averaged, as after "
    "an unstable sort",
    "labels truncated": "labels lose their fraction",
    "empty lists count 1": "a list without relevant documents counts as a perfect one",
    "empty lists dropped": "a list without relevant documents is removed from the mean",
    "lists without results dropped": "a list for which nothing was retrieved is removed from the "
    "mean, although it should count as 0",
    "queries without judgments counted": "unjudged queries lower the mean",
    "duplicates credited": "an id that is retrieved twice counts twice",
    "value beyond 1": "the value of a list is greater than 1",
    "NaN accepted": "a list with NaN gets a value",
    UNEXPLAINED: "the value is wrong, and no known mistake explains it",
}


class AuditExample(NamedTuple):
    """One call that shows an error: arguments, options, the value returned and the right value.

    `right` is None if the list has no right value and should be refused.
    """

    arguments: tuple[object, ...]
    options: dict[str, object]
    value: float
    right: float | None

    def __str__(self) -> str:
        words = []
        for argument in self.arguments:
            if isinstance(argument, set):
                # The order of a set of texts differs from process to process.
                words.append(f"{{{', '.join(map(repr, sorted(argument)))}}}")
            elif isinstance(argument, np.ndarray):
                words.append(repr(argument.tolist()))
            else:
                words.append(repr(argument))
        for name, value in self.options.items():
            words.append(f"{name}={value!r}")
        right = "an error"
        if self.right is not None:
            right = f"{self.right:.4f}"
        return f"f({', '.join(words)}) is {self.value:.4f}, not {right}"


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """The result of an audit; print it to read it.

    Attributes
    ----------
    errors : names of the errors; empty for a correct function.
    examples : error -> the smallest list that shows it, an `AuditExample`.
    convention : the first named convention that has all values of the function, or None.
    conventions : all conventions that have them.
    choices : the function's choices where tools differ: "gain", "ties", "score_dtype", "empty",
        "divisor", "repeated".
    function, form, measure : name of the function, form of its calls, and the measure.
    lists, refused : number of lists it was called with, and number of lists it refused.
    refusal : the error raised for the first list refused, or None.
    """

    errors: tuple[str, ...]
    examples: Mapping[str, AuditExample]
    convention: str | None
    conventions: tuple[str, ...]
    choices: Mapping[str, object]
    function: str
    form: str
    measure: str
    lists: int
    refused: int
    refusal: str | None

    def __repr__(self) -> str:
        errors = ", ".join(self.errors) or "no errors"
        return f"<Audit of {self.function} as {self.measure}: {errors}>"

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        count = "no errors"
        if self.errors:
            count = count_of(len(self.errors), "error")
        lines = [f"{printable(self.function)} as {self.measure}: {count}"]
        for error in self.errors:
            lines += ["", f"{error}: {SENTENCES[error]}", f"    {self.examples[error]}"]
        if self.errors:
            lines.append("")
        if self.convention is None:
            lines.append("matches no known convention")
        else:
            other_names = [f'"{name}"' for name in self.conventions[1:]]
            if len(other_names) > PRINTED_CONVENTIONS:
                other_names[PRINTED_CONVENTIONS:] = [
                    f"{len(other_names) - PRINTED_CONVENTIONS} more"
                ]
            line = f'matches the convention "{self.convention}"'
            if other_names:
                line += f" (and {', '.join(other_names)})"
            lines.append(line)
        # What a function chooses says little where its values are those of no choice.
        if self.choices and UNEXPLAINED not in self.errors:
            choices = [f"{name}={value}" for name, value in self.choices.items()]
            lines.append(f"its choices: {', '.join(choices)}")
        line = f"tested on {self.lists} generated lists"
        if self.refused:
            line += f"; it refused {self.refused} of them: {self.refusal}"
        lines.append(line)
        return "\n".join(lines)
