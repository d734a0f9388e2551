"""Which column of a table has which role: named by the caller, or found by its usual name.

The roles have the same words in every function that takes a table: query, doc, label, score, rank,
run, weight and segment. A column without a role may still show that the table is misread: a second
key of the query, labels under an unusual name, or a column of systems. `find_leftovers` finds such
columns by name; `refuse_split_lists` and `refuse_unnamed_labels` look at their values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..grouping import Groups, group_rows
from ..printable import NUMBER, describe, list_names
from .columns import Numbers, is_nested, keys, label_values, select_values

if TYPE_CHECKING:
    from ..ignored import IgnoreRule
    from ..types import Array, Integers
    from .columns import Column, Key
    from .source import Origin


class UsualNames:
    """The usual names of a column, best first; the rarer ones count if there is none of these."""

    def __init__(self, names: str, rarer: str = "", examples: str = "") -> None:
        self.names = names.split()
        self.rarer = rarer.split()
        self.examples = examples.split() or self.names[:3]  # for errors

    def matching(self, columns: Iterable[Any]) -> list[Any]:
        """The columns with a usual name, best first; with a rarer one if there is none."""
        spelled = [(normal_spelling(column), column) for column in columns]
        for usual in (self.names, self.rarer):
            matches = [pair for pair in spelled if pair[0] in usual]
            if matches:
                matches.sort(key=lambda pair: usual.index(pair[0]))
                return [column for _, column in matches]
        return []

    def all_matching(self, columns: Iterable[Any]) -> list[Any]:
        """The columns with a usual or a rarer name, in their order."""
        names = {*self.names, *self.rarer}
        return [column for column in columns if normal_spelling(column) in names]


QUERIES = UsualNames(
    "query_id qid q_id queryid topic_id query user_id userid user topic",
    "uid customer_id customerid session_id sessionid reviewer_id reviewerid visitor_id visitorid",
    examples="query_id qid user_id",
)
# Of the names of queries, those that name a user.
USERS = UsualNames(
    "user_id userid user uid",
    "customer_id customerid reviewer_id reviewerid visitor_id visitorid",
)
DOCUMENTS = UsualNames(
    "doc_id docno docid document_id doc document corpus_id item_id itemid item pid",
    "iid movie_id movieid product_id productid article_id articleid news_id newsid video_id "
    "videoid track_id trackid song_id songid book_id bookid business_id recipe_id artist_id "
    "artistid asin",
    examples="doc_id docno item_id",
)
LABELS = UsualNames(
    "label relevance rel relevance_label rating gain",
    "grade target clicked click is_click is_clicked click_bool liked stars overall",
)
SCORES = UsualNames("score sim similarity prediction pred")
RANKS = UsualNames("rank position")


class UserIds(list[Any]):
    """The ids of lists, which are users by the names of their columns."""


def name_users(ids: list[Any], columns: Collection[str]) -> list[object]:
    """The ids of lists as UserIds, if the names of their columns are those of users."""
    if len(USERS.all_matching(columns)) < len(columns):
        return ids
    return UserIds(ids)


# Columns that may be a part of the key of a list. Those in the first line always are if a list
# holds several of their values; those in the second only if they group rows at all, since logs
# also number each row under such a name.
SECOND_KEYS = UsualNames(
    "session session_key session_id sessionid window timestamp_window time_window",
    "impression_id impressionid impression request_id requestid search_id searchid srch_id "
    "visit_id visitid slate_id slateid conversation_id conversationid search_term search_terms "
    "search_query query_text question question_id questionid prompt prompt_id promptid",
)
SYSTEMS = UsualNames(
    "system systems system_id system_name run run_id runid run_name model model_id model_name "
    "algorithm algo algorithm_name retriever ranker recommender reranker method pipeline engine "
    "experiment experiment_id"
)

# Columns of few distinct numbers that are ordinary beside users and items: places, times,
# attributes and counts. Their names are compared word by word: "hour_of_day" has the word "hour".
ORDINARY_WORDS = frozenset(
    "position pos rank place index idx row id ids code no number num count counts n times freq "
    "frequency plays quantity qty amount units views price cost sales discount age gender sex "
    "year month week weekday weekend day dow date time timestamp ts hour minute second duration "
    "season holiday lat lon lng latitude longitude zip zipcode zone region city country state "
    "device platform os browser tab page channel source domain site store category cat genre "
    "brand color colour size length width height fold split train test group segment bucket "
    "cluster version step depth level stops nights adults children rooms guests stay votes vote "
    "helpful useful funny cool votes verified premium member active new history len seq order "
    "random promotion type kind points".split()
)
# Names of columns that hold labels or events, whatever the number of their distinct values.
LABEL_WORDS = frozenset("score relevance_score y y_true ground_truth".split())
EVENT_WORDS = frozenset(
    "event event_type feedback behavior behaviour behavior_type behaviour_type action action_type "
    "interaction interaction_type reaction".split()
)
# Texts of a column that says whether a row is relevant, or what a user did.
LABEL_TEXTS = frozenset(
    "yes no y n true false t f relevant irrelevant nonrelevant non-relevant positive negative none "
    "nan null view viewed click clicked impression purchase purchased buy bought cart addtocart "
    "add_to_cart transaction like liked dislike disliked skip skipped".split()
) | {"", "not relevant", "non relevant"}
MAX_LABELS = 11  # distinct values of a column of labels: grades from 0 to 10
LARGEST_GRADE = 10


def normal_spelling(name: object) -> str:
    """A name in lower case, with underscores, without the types of RecBole (user_id:token)."""
    text = str(name).strip().lower().removesuffix(":token").removesuffix(":float")
    return text.replace("-", "_").replace(" ", "_")


def scores_as_labels(
    columns: Sequence[Any], ids: Sequence[Any] = (), in_table: bool = False
) -> list[Any]:
    """The column `score`, if it holds labels: beside BEIR's ids, or alone with ids in a table."""
    # Of columns with one spelling the first counts.
    by_spelling = {normal_spelling(column): column for column in reversed(columns)}
    if "score" not in by_spelling:
        return []
    score = by_spelling["score"]
    is_of_beir = {"query_id", "corpus_id"} <= by_spelling.keys()
    is_alone = in_table and {*columns} == {*ids, score}
    if is_of_beir or is_alone:
        return [score]
    return []


# ---- the columns that a caller names


class ColumnNames(NamedTuple):
    """The columns that the caller names; None: search for a usual name, if the role needs one."""

    run: str | None = None
    query: str | Sequence[str] | None = None
    label: str | None = None
    score: object = None  # or several columns, each of a system
    rank: str | None = None
    doc: str | None = None
    weight: str | None = None
    segment: str | None = None
    ruled_out: Set[str] = frozenset()  # roles that the caller says no column has
    ignore: IgnoreRule | None = None  # the labels whose rows are left out
    takes_run: bool = True  # whether the function that was called has the argument run
    companions: tuple[object, ...] = ()  # the other tables of the call, as they were passed


def keep_columns_in(
    names: Sequence[str], requested: ColumnNames, origin: Origin
) -> tuple[ColumnNames, Origin]:
    """The columns of a second table: query and doc as in the first, if it has these names."""
    if requested.query is not None and not isinstance(requested.query, str):
        choose_query(names, requested.query, origin)  # a list of columns needs all of them
    elsewhere = {}
    for role in ("query", "doc"):
        name = getattr(requested, role)
        if isinstance(name, str) and name not in names:
            elsewhere[role] = name
    if requested.doc not in names:
        requested = requested._replace(doc=None)
    if "query" in elsewhere:
        requested = requested._replace(query=None)
    return requested, origin._replace(elsewhere=elsewhere)


def leave_to_companions(
    names: Sequence[str],
    requested: ColumnNames,
    companion_names: Callable[[], Collection[str]],
    origin: Origin,
) -> tuple[ColumnNames, Origin]:
    """The columns of a first table, without the names that only another table of the call has.

    Their columns in the first table are then found by usual names, of which only one may fit.
    """
    elsewhere = {}
    for role, all_usual in (("query", (QUERIES, SECOND_KEYS)), ("doc", (DOCUMENTS,))):
        name = getattr(requested, role)
        if not isinstance(name, str) or name in names or name not in companion_names():
            continue
        matches = []
        for usual in all_usual:
            matches += usual.all_matching(names)
        candidates = list(dict.fromkeys(matches))
        if len(candidates) > 1:
            raise ValueError(
                f"{origin.name}: no column {name!r} ({role}=), and "
                f"{' and '.join(map(repr, candidates))} both fit {role}=; rename one of them to "
                f"{name!r}"
            )
        elsewhere[role] = name
    if "query" in elsewhere:
        requested = requested._replace(query=None)
    if "doc" in elsewhere:
        requested = requested._replace(doc=None)
    return requested, origin._replace(elsewhere=elsewhere)


# ---- one column for a role


def require(names: Sequence[str] | None, name: object, argument: str, origin: Origin) -> str:
    """The name of a column, which must be there; names: None if they are not known."""
    if not isinstance(name, str):
        words = f"{argument} must be the name of a column, not {describe(name)}"
        remedy = name_columns(names or ())
        if remedy:
            words = f"{words}; {remedy}"
        raise TypeError(words)
    if names is not None and name not in names:
        raise ValueError(
            f"{origin.name}: no column {describe(name)} ({argument}=). Columns: {list_names(names)}"
        )
    return name


def choose(
    names: Sequence[str] | None, name: object, argument: str, usual: UsualNames, origin: Origin
) -> str:
    """The column with this name, or the only one with a usual name."""
    if name is not None or names is None:
        return require(names, name, argument, origin)
    matches = sorted(usual.matching(names), key=names.index)
    if not matches:
        raise ValueError(no_column(names, argument, usual, origin))
    if len(matches) > 1:
        raise ValueError(several_fit(matches, argument, origin))
    return str(matches[0])


def several_fit(columns: Sequence[str], argument: str, origin: Origin) -> str:
    """The error for several columns that fit one role."""
    remedy = origin.hint(argument) or "rename or remove one of them"
    return f"{origin.name}: {' and '.join(map(repr, columns))} both fit {argument}=; {remedy}"


def no_column(names: Sequence[str], argument: str, usual: UsualNames, origin: Origin) -> str:
    """The error for a role without a column."""
    example = usual.names[0]
    remedy = name_columns(names) or origin.hint(argument) or f"rename it to {example!r}"
    examples = ", ".join(usual.examples)
    return (
        f"{origin.name}: no {argument} column found (looked for {examples}, ...). Columns: "
        f"{list_names(names)}; {remedy}{no_header(names)}"
    )


def no_header(names: Sequence[object]) -> str:
    """The end of an error for names of columns of which some are numbers, as data are."""
    if not any(isinstance(name, str) and NUMBER.fullmatch(name.strip()) for name in names):
        return ""
    return (
        "; the first line was taken for the header: if it holds data, write the names of the "
        "columns above it"
    )


def name_columns(names: Sequence[object]) -> str:
    """What to do with a frame whose columns have numbers as names; "" for other frames."""
    if not any(isinstance(name, (int, float, np.number)) for name in names):
        return ""
    return (
        'names of columns must be text: set_axis(["query", "doc", ...], axis=1) of pandas gives '
        "some, or pass frame.to_numpy() if each row is a list"
    )


# ---- the columns that name lists and documents


class KeyColumns(NamedTuple):
    """The columns that name the lists, or the documents, and columns that could as well."""

    names: list[str]
    rivals: list[str]


def choose_query(names: Sequence[str] | None, requested: object, origin: Origin) -> KeyColumns:
    """The columns of the query: one or several that the caller names, or the best usual name."""
    if requested is not None or names is None:
        columns: Sequence[object] = [requested]
        if isinstance(requested, (list, tuple)) and requested:
            columns = requested
            if any(name is None for name in columns):
                raise TypeError(
                    f"query must hold names of columns, not None: {describe(requested)}"
                )
        found = []
        for index, name in enumerate(columns):
            role = f"query[{index}]" if index else "query"
            found.append(require(names, name, role, origin))
        return KeyColumns(found, [])
    matches = QUERIES.matching(names)
    if not matches:
        raise ValueError(no_column(names, "query", QUERIES, origin))
    rivals = dict.fromkeys([*QUERIES.all_matching(names), *SECOND_KEYS.all_matching(names)])
    return KeyColumns(matches[:1], [name for name in rivals if name != matches[0]])


def choose_document(names: Sequence[str] | None, requested: object, origin: Origin) -> KeyColumns:
    """The column of the documents: the one that the caller names, or the best usual name."""
    if requested is not None or names is None:
        return KeyColumns([require(names, requested, "doc", origin)], [])
    matches = DOCUMENTS.matching(names)
    if not matches:
        raise ValueError(no_column(names, "doc", DOCUMENTS, origin))
    return KeyColumns(matches[:1], matches[1:])


# ---- columns that are left over


class Leftovers(NamedTuple):
    """Columns without a role whose values may show that the table is misread."""

    queries: tuple[str, ...] = ()  # may be a second key of the lists
    docs: tuple[str, ...] = ()  # may name the documents
    systems: tuple[str, ...] = ()  # may name systems, whose lists would be mixed

    @property
    def names(self) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys([*self.queries, *self.docs, *self.systems]))


def find_leftovers(
    names: Sequence[str] | None,
    query: KeyColumns,
    doc: KeyColumns,
    taken_names: Iterable[str],
    may_hold_systems: bool,
) -> Leftovers:
    """The columns to look at; taken_names: the columns that have another role."""
    taken = {*taken_names, *query.names, *doc.names}
    free = [name for name in names or () if name not in taken]
    queries = tuple(filter(free.__contains__, query.rivals))
    documents = tuple(filter(free.__contains__, doc.rivals))
    systems = SYSTEMS.all_matching(free) if may_hold_systems else []
    return Leftovers(queries, documents, tuple(systems))


class CheckedKeys(NamedTuple):
    """The keys of the rows of a table, to look at what is left over."""

    query: Key
    query_names: Sequence[str]
    doc: Column | None
    groups: Groups  # of the rows by query


def refuse_split_lists(
    leftovers: Leftovers, columns: Mapping[str, Column], table: CheckedKeys, origin: Origin
) -> None:
    """Refuse lists that hold several values of a column that names lists or systems.

    A column that is constant within each list changes nothing. One that is constant for each
    document describes the documents, as the topic of an article or the model of a phone does.
    """
    if not len(table.groups.codes):
        return
    documents = None if table.doc is None else group_rows(codes_of(table.doc))
    for name in leftovers.queries:
        codes = codes_of(columns[name])
        row = _first_difference(codes, table.groups)
        if row is None or _describes(documents, codes):
            continue
        if normal_spelling(name) in SECOND_KEYS.rarer and _is_unique(codes):
            continue  # a number of each row
        is_in_list = table.groups.codes == table.groups.codes[row]
        first_row = int(np.flatnonzero(is_in_list & (codes != MISSING))[0])
        raise ValueError(_second_key(columns[name], first_row, row, table, origin))
    for name in leftovers.docs:
        if documents is None or table.doc is None:
            break
        if _first_difference(codes_of(columns[name]), documents) is not None:
            raise ValueError(several_fit([table.doc.name, name], "doc", origin))
    for name in leftovers.systems:
        codes = codes_of(columns[name])
        row = _first_difference(codes, table.groups)
        if row is None or _describes(documents, codes):
            continue
        codes_in_list = codes[table.groups.codes == table.groups.codes[row]]
        count = len(np.unique(codes_in_list[codes_in_list != MISSING]))
        [query] = select_values(table.query, [row])
        raise ValueError(_mixed_systems(name, count, query, origin))


def _mixed_systems(name: str, count: int, query: object, origin: Origin) -> str:
    """The error for a column without a role that may name the systems of the rows of a query."""
    return (
        f"{origin.name}: column {describe(name)} has {count} values within query "
        f"{describe(query)}, so lists of several systems would be mixed; "
        f"{origin.run_hint.format(repr(name))}"
    )


class SystemsOfQueries:
    """What columns that may name systems hold in each query of a stream, in any order of rows."""

    def __init__(self) -> None:
        self.values: dict[str, dict[object, object]] = {}  # by column and query

    def add(
        self,
        leftovers: Mapping[str, Column],
        queries: Sequence[object],
        first: Integers,
        origin: Origin,
    ) -> None:
        """Add the values of the first rows of these queries; refuse a second one of a query."""
        for name, column in leftovers.items():
            values = self.values.setdefault(name, {})
            for query, value in zip(queries, select_values(column, first), strict=True):
                if value is not None and values.setdefault(query, value) != value:
                    raise ValueError(_mixed_systems(name, 2, query, origin))


def _second_key(
    column: Column, first_row: int, row: int, table: CheckedKeys, origin: Origin
) -> str:
    """The error for a list that holds two values of a key, in these rows."""
    [query] = select_values(table.query, [row])
    first_value, value = map(describe, select_values(column, [first_row, row]))
    first_place = origin.row_beside(first_row, row)
    if first_row == table.groups.first[table.groups.codes[row]]:
        first_place = "its first row"
    [key] = table.query_names  # a key of several columns is named by the caller, so is sure
    pair_hint = origin.hint("query", [key, column.name])
    if pair_hint:
        remedy = (
            f"if each pair of {key!r} and {column.name!r} is one list, {pair_hint}; if {key!r} "
            f"alone identifies the lists, {origin.hint('query', key)}"
        )
    else:
        remedy = (
            "join the columns to one if they identify the lists together, else remove "
            f"{column.name!r}"
        )
    return (
        f"{origin.row(row)}: query {describe(query)} ({key!r}) has the {describe(column.name)} "
        f"{value}, but {first_value} in {first_place}; {remedy}"
    )


MISSING = -1  # the code of a missing value


def codes_of(column: Column) -> Array:
    """A number for each value of any column; MISSING for a missing one."""
    if isinstance(column, Numbers):
        return group_rows(keys(column)).codes
    if is_nested(column):  # says nothing of lists
        return np.zeros(len(column), np.int32)
    missing = column.is_null().to_numpy()
    if not missing.any():
        return group_rows(keys(column)).codes
    codes = np.full(len(column), MISSING, np.int32)
    codes[~missing] = group_rows(keys(column.drop_nulls())).codes
    return codes


def _first_difference(codes: Array, groups: Groups) -> int | None:
    """The first row whose code differs from that of the first row of its group; or None."""
    # Missing values are no evidence: compare each row with the first known one of its group.
    present = np.flatnonzero(codes != MISSING)
    group_of_row = groups.codes[present]
    # Of several rows of a group the last assignment stays, so in reverse the first row decides.
    first_code = np.full(len(groups.first), MISSING, codes.dtype)
    first_code[group_of_row[::-1]] = codes[present][::-1]
    differs = codes[present] != first_code[group_of_row]
    if not differs.any():
        return None
    return int(present[differs.argmax()])


def _describes(groups: Groups | None, codes: Array) -> bool:
    """Whether a column depends on a key: a key comes twice, and never with two values."""
    if groups is None or not (groups.sizes > 1).any():
        return False
    return _first_difference(codes, groups) is None


def _is_unique(codes: Array) -> bool:
    return len(np.unique(codes)) == len(codes)


# ---- labels under another name


def refuse_unnamed_labels(
    names: Sequence[str],
    columns: Mapping[str, Column],
    user: Key,
    item: Column,
    origin: Origin,
) -> None:
    """Refuse a truth table without a column of labels in which another one looks like labels.

    Without labels each row is relevant, so a click of 0 would count as a relevant document.
    """
    by_user = by_item = None
    for name in names:
        column = columns[name]
        values = label_values(column, origin)
        spelling = normal_spelling(name)
        if values is None:
            if isinstance(column, Numbers):
                continue
            groups = group_rows(codes_of(column))
            if not 1 < len(groups.first) <= MAX_LABELS:
                continue
            texts = {str(value).strip().lower() for value in select_values(column, groups.first)}
            if spelling not in EVENT_WORDS and not texts <= LABEL_TEXTS:
                continue
        elif not (spelling in LABEL_WORDS or _are_grades(values)):
            continue
        codes = codes_of(column) + 1  # here a missing value is a value: no label
        if by_user is None or by_item is None:
            by_user = group_rows(keys(user))
            by_item = group_rows(codes_of(item))
        if _describes(by_user, codes) or _describes(by_item, codes):
            continue  # an attribute of the users or of the items
        raise ValueError(
            f"{origin.name}: no column of labels was found, and {name!r} looks like one; pass "
            f"label={name!r} if it holds labels, or label=None if each row is relevant"
        )


def may_hold_labels(name: str) -> bool:
    """Whether a column is worth a look: its name has no word of an ordinary column."""
    spelling = normal_spelling(name)
    if spelling in LABEL_WORDS or spelling in EVENT_WORDS:
        return True
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(name))  # deviceGroup is device_Group
    return ORDINARY_WORDS.isdisjoint(normal_spelling(words).split("_"))


def _are_grades(values: Array) -> bool:
    """Whether numbers look like labels: few distinct whole or half grades."""
    missing = np.isnan(values)
    distinct = np.unique(values[~missing])
    count = len(distinct) + bool(missing.any())  # after a join, a missing label says "none"
    if not (1 < count <= MAX_LABELS and len(distinct)):
        return False
    # Twice a half grade is a whole number.
    doubled = 2 * distinct
    in_halves = (doubled == np.floor(doubled)).all()
    return bool(in_halves and np.abs(distinct).max() <= LARGEST_GRADE)
