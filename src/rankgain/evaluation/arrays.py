"""Measures on labels and scores: of one model, of several, and grouped AUC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from ..engine.columns import ARRAYS
from ..engine.devices import read_any_lists
from ..engine.notices import warn_of_columns, warn_of_one_list, warn_of_swap
from ..engine.settings import with_shared_help
from ..inputs.axes import by_row
from ..inputs.truth import Truth
from .evaluation import Evaluation
from .evaluations import Evaluations, evaluate_each, refuse_same_names
from .one_pass import CallOptions, CallSettings, evaluate_lists, read_call, resolve_measures

if TYPE_CHECKING:
    from ..inputs.lists import Lists
    from ..inputs.types import (
        Excluded,
        Group,
        Ids,
        Ignored,
        Judged,
        Labels,
        Scores,
        Sizes,
        Weight,
    )
    from ..measures.types import Measures


@with_shared_help("rankgain")
def evaluate_arrays(
    y_true: Labels,
    y_score: Scores | None,
    measures: Measures,
    *,
    ids: Ids | None = None,
    judged: Judged | None = None,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    exclude: Excluded | None = None,
    ignore: Ignored = None,
    **options: Unpack[CallOptions],
) -> Evaluation:
    """Evaluate many measures on labels and scores, with one ranking per list.

    An argument applies to the measures that take it; a parameter in a name overrides it.

    Parameters
    ----------
    bounds : "ties", "unjudged" or a sequence of them
        Also find the bounds of each measure, per list and in the mean, for `Evaluation.bounds` and
        `Evaluation.bound_means`. "ties": the worst and the best value over all orders of equal
        scores. "unjudged": the lowest and the highest value over all ways to give each unjudged
        document no relevance or the top label, which is the largest judged one and at least `rel`.
        The ideal changes with these labels, also with those below the cutoff. Labels in between are
        not tried: they may raise nDCG, NCG, nERR and graded RBP above the upper bound, and move
        RnDCG beyond either bound. ERR may fall below the lower bound in a list where nothing is
        judged relevant and undefined values are skipped. A document without an entry in sparse
        labels is unjudged; dense labels judge every document and are refused.

    Returns
    -------
    Evaluation
        Means, values per list, and what was counted.

    Raises
    ------
    ValueError
        For an unknown measure, a parameter that it does not have, a NaN score or a label that is
        not finite; the message names it.
    TypeError
        For an argument that none of the measures supports.

    Notes
    -----
    Names in the result include a cutoff that the convention adds: AP@20 for AP under "gdeval".

    Examples
    --------
    >>> import rankgain as rg
    >>> print(rg.evaluate_arrays([[0, 2, 1]], [[0.1, 0.9, 0.4]], ["nDCG@2", "AP"]))
    measure   mean
    nDCG@2    1.0000
    AP        1.0000
    1 query (convention rankgain)
    """
    call = read_call(options, CallOptions, "evaluate_arrays", "rankgain", ARRAYS)
    if call.weight is not None and qid is None:
        call = call._replace(weight=by_row(call.weight, "weight", y_true, y_score))
    lists = read_any_lists(
        y_true,
        y_score,
        group=group,
        qid=qid,
        lengths=lengths,
        judged=judged,
        exclude=exclude,
        ids=ids,
        ignore=ignore,
    )
    return _evaluate(lists, measures, call, set())


def _evaluate(lists: Lists, measures: Measures, call: CallSettings, warned: set[str]) -> Evaluation:
    """Evaluate lists of arrays; warned: the kinds of warnings so far in the call."""
    if lists.longest == 1:
        warn_of_columns(lists)
    if lists.layout.single and "one list" not in warned:
        warn_of_one_list(lists, warned)
    resolved = resolve_measures(measures, call.settings, call.rules)
    if "swap" not in warned and warn_of_swap(lists, resolved.measures):
        warned.add("swap")
    return evaluate_lists(lists, resolved, call, warned=warned)


class ModelOptions(CallOptions, total=False):
    """Options of `evaluate_arrays` for the scores."""

    ids: Ids | None
    exclude: Excluded | None


def evaluate_models(
    y_true: Labels,
    scores: Mapping[str, Scores],
    measures: Measures,
    *,
    group: Group = None,
    qid: Group = None,
    lengths: Sizes | None = None,
    judged: Judged | None = None,
    ignore: Ignored = None,
    **options: Unpack[ModelOptions],
) -> Evaluations:
    """Evaluate several models on the same lists; labels and ideals are prepared once.

    Parameters
    ----------
    y_true : array, scipy.sparse CSR or Truth
        As in `evaluate_arrays`.
    scores : mapping of name -> y_score
        Of each model, as `evaluate_arrays` takes them.
    measures, group, qid, lengths, judged, ignore and the others
        As in `evaluate_arrays`.

    Returns
    -------
    Evaluations

    Notes
    -----
    Errors in the scores of a model are those of `evaluate_arrays`, with the name of the model.

    Examples
    --------
    >>> import rankgain as rg
    >>> labels = [[0, 1, 2], [1, 0, 0]]
    >>> scores = {"a": [[1, 2, 3], [3, 2, 1]], "b": [[3, 2, 1], [1, 2, 3]]}
    >>> print(rg.evaluate_models(labels, scores, ["nDCG", "RR"]))
    run    nDCG      RR
    a    1.0000  1.0000
    b    0.5600  0.4167
    2 queries (convention rankgain)
    """
    if not isinstance(scores, Mapping):
        raise TypeError(
            'scores must be a mapping name -> scores, such as {"a": scores}, not '
            f"{type(scores).__name__}"
        )
    refuse_same_names(scores, "models")
    of_scores: dict[str, Any] = {"ids": options.get("ids"), "exclude": options.get("exclude")}
    # Labels that were checked once serve all models.
    if isinstance(y_true, Truth):
        y_true.refuse_again(group=group, qid=qid, lengths=lengths, judged=judged)
        truth = y_true
        of_scores["ignore"] = ignore
    else:
        truth = Truth(y_true, group=group, qid=qid, lengths=lengths, judged=judged, ignore=ignore)
    call_options = {name: value for name, value in options.items() if name not in of_scores}
    call = read_call(call_options, CallOptions, "evaluate_models", "rankgain", ARRAYS)
    warned: set[str] = set()

    def evaluate_model(y_score: Any) -> Evaluation:
        weight = by_row(call.weight, "weight", truth, y_score)
        lists = read_any_lists(truth, y_score, **of_scores)
        return _evaluate(lists, measures, call._replace(weight=weight), warned)

    return evaluate_each(evaluate_model, scores, "model")


def gauc(
    y_true: Labels,
    y_score: Scores,
    *,
    qid: Group = None,
    group: Group = None,
    weight: Weight = None,
    exclude: Excluded | None = None,
    ignore: Ignored = None,
    rel: float = 1.0,
    threads: int | None = 1,
) -> float:
    """Mean of the AUC of lists, over those that have both classes (GAUC).

    `evaluate_arrays(..., "GAUC(weight=documents)")` computes the same mean, gives the values of the
    lists, and prints how many were left out.

    Parameters
    ----------
    y_true : array of shape (documents,) or (lists, documents)
        Labels; those of at least `rel` are positive.
    y_score : array of the same shape
        Scores, larger is better. Equal scores count half.
    qid : an id for each document, optional
        The list (user, session) that each document is of, in any order.
    group : sizes of the lists, optional
        Instead of qid, for lists one after the other.
    weight : None, "documents", "positives" or array of shape (lists,)
        None weights lists equally; "documents" by their number of documents, "positives" by that
        of relevant ones; an array has a finite weight >= 0 for each list.
    exclude : scipy.sparse CSR, or array of bool in the shape of the documents, optional
        Documents left out of each list.
    ignore : label, or several, optional
        Documents with these labels are left out of their list, as padding is.
    rel : float
        Labels >= rel are relevant.
    threads : int of at least 1, -1 or None
        Threads to use; -1 and None for all usable cores.

    Returns
    -------
    float
        In [0, 1]; nan where no list has both classes.

    Raises
    ------
    ValueError
        For a NaN score, a label that is not finite, and shapes that differ.

    Examples
    --------
    >>> import rankgain as rg
    >>> rg.gauc([1, 0, 1, 0, 0], [0.9, 0.4, 0.3, 0.8, 0.1], qid=[7, 7, 8, 8, 8])
    0.75
    >>> rg.gauc([1, 0, 1, 0, 0], [0.9, 0.4, 0.3, 0.8, 0.1], qid=[7, 7, 8, 8, 8], weight="documents")
    0.7

    References
    ----------
    Zhou et al. 2018, Deep Interest Network, KDD (weights by impressions); He and McAuley 2016 (one
    weight for each user).
    """
    name = "GAUC"
    weights = weight
    if isinstance(weight, str):
        if weight not in ("documents", "positives"):
            raise ValueError(
                f'weight must be None, "documents", "positives" or an array, not {weight!r}'
            )
        # The measure weighs each list itself, so it is not given weights.
        name = f"GAUC(weight={weight})"
        weights = None
    result = evaluate_arrays(
        y_true,
        y_score,
        name,
        qid=qid,
        group=group,
        exclude=exclude,
        ignore=ignore,
        rel=rel,
        weight=weights,
        threads=threads,
    )
    return result.means[name]
