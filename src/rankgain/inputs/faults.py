"""Errors for faults of labels and scores that the core finds, and places added to errors."""

from typing import NoReturn

import numpy as np

from .lists import Lists


def overflowing(lists: Lists, row: int) -> tuple[str, int, int, float]:
    """The fault for gains that overflow; it names the largest label of the list."""
    values, places = lists.row(row)
    sizes = np.abs(values.astype(np.float64))
    if lists.runs is not None:
        level = lists.runs.level[int(lists.runs.first[row]) : int(lists.runs.first[row + 1])]
        if np.abs(level).max(initial=0.0) > sizes.max(initial=0.0):
            return "judged_overflow", row, 0, 0.0
    at = int(np.argmax(sizes))
    return "gain_overflow", row, int(places[at]), float(values[at])


_WORDS = {
    "nan_score": "y_score: {list}, {document} is NaN; a score must be a number that orders it",
    "bad_label": "{name}: {list}, {document} is {value}; labels must be finite numbers",
    "label_negative": "{name}: {list}, {document} has the negative label {number}, which "
    "this measure does not take; dcg does",
    "label_above_max": "{name}: {list}, {document} has label {number}, above max_label (1 for "
    "PFound); raise max_label to the top of the scale",
    "judged_negative": "{judged}: {list} has the negative label {number}, which this measure "
    "does not take; dcg does",
    "judged_above_max": "{judged}: {list} has label {number}, above max_label (1 for PFound); "
    "raise max_label to the top of the scale",
    "wide_integer": "{name}: {list}, {document} is an integer beyond 2**53, which a double "
    "does not hold exactly; scale the labels",
    "gain_overflow": "gain: the gains of {list} overflow a double ({document} has label "
    "{number}); use smaller labels or another gain",
    "judged_overflow": "gain: the gains of the judged labels of {list} overflow a double; use "
    "smaller labels or another gain",
    "fewer_judged": "{judged}: {list} has {doc} relevant documents, but only {number} are judged "
    "relevant; judged must hold all labels of the list",
    "bad_index": "{name}: index {number} is out of range for {list}",
    "repeated_index": "{name}: {list} has index {number} twice; keep one of them, and let no "
    "other thread change the arrays meanwhile",
    "no_walk": "the core has no walk for shape {number} of a measure; please report this",
    "no_finish": "the core has no finish {number} for a measure; please report this",
}


def raise_fault(
    fault: tuple[str, int, int, float], name: str = "y_true", lists: Lists | None = None
) -> NoReturn:
    """Raise a fault of the core as ValueError; name: the argument, if there are no `lists`."""
    code, at, doc, value = fault
    place = f"list {at}" if lists is None else lists.place(at)
    document = f"document {doc}" if lists is None else lists.document(doc)
    name = name if lists is None else lists.called
    judged = "judged" if lists is None else lists.judged_called
    number = int(value) if float(value).is_integer() else f"{value:g}"
    parts = {"name": name, "judged": judged, "list": place, "document": document, "doc": doc}
    raise ValueError(_WORDS[code].format(**parts, value=value, number=number))


def reword_error(error: Exception, text: str) -> None:
    """Give an error another text, to be raised on; where its own cannot change, as a note.

    The error keeps its class and attributes: a class such as UnicodeDecodeError cannot be made of
    a text alone, and prints its attributes.
    """
    if type(error).__str__ is BaseException.__str__:
        error.args = (text,)
    elif text != str(error):
        error.add_note(text)
