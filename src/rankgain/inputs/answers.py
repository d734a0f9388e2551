"""JSON of search engines and of tools for judgments, as mappings of queries to documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .entries import (
    LABEL_FIELDS,
    Entries,
    are_entries,
    are_pairs,
    as_numbers,
    read_entries,
    read_id,
    read_pairs,
)
from .printable import describe, list_names
from .tables.roles import DOCUMENTS, QUERIES, normal_spelling

# Where answers hold their hits: Elasticsearch and OpenSearch, Solr, Qdrant, Pinecone, and others.
PATHS = (
    ("hits", "hits"),
    ("response", "docs"),
    ("result", "points"),
    ("hits",),
    ("matches",),
    ("points",),
    ("results",),
    ("docs",),
    ("documents",),
)
QUERY_FIELDS = ("query_text", "question_id", "question", "id", "name")  # if no usual one is there
# Fields of a query whose values may be plain ids, or a mapping of documents to numbers.
QRELS_FIELDS = frozenset(
    "ratings rated relevant_documents relevant judgments judgements qrels labels".split()
)
RUN_FIELDS = frozenset(
    (
        "results ranking ranked retrieved hits documents docs doc_ids docids document_ids ids "
        "predictions recommendations items run scores"
    ).split()
)
# The key of a document that holds judgments, and fields of which its first object has one.
JUDGMENT_FIELDS = {
    "requests": ("ratings",),
    "topics": ("query_groups",),
    "query_groups": ("relevant_documents",),
    "queries": ("relevant_documents", "ratings"),
    "query_doc_pairs": ("judgements", "judgments"),
    "ratings": LABEL_FIELDS,
    "judgments": LABEL_FIELDS,
    "judgements": LABEL_FIELDS,
}
READ = (
    "accepted forms are query -> document -> number, query -> list of ids, of pairs or of hits, "
    "answers of Elasticsearch and OpenSearch by query, and judgments of rank_eval, Quepid and RRE"
)


def plain(value: Any) -> Any:
    """An answer of a client as the JSON that it holds."""
    if type(value).__module__.partition(".")[0] == "elastic_transport":
        return value.body
    return value


def find_hits(answer: object) -> Sequence[Any] | None:
    """The hits of an answer of a search engine; None for other values."""
    answer = plain(answer)
    if not isinstance(answer, Mapping):
        return None
    for path in PATHS:
        value = _value_at(answer, path)
        if not isinstance(value, (list, tuple)):
            continue
        if not all(isinstance(hit, Mapping) for hit in value):
            continue
        # In a mapping of queries one may be called so. Then the others have hits, too, or, if this
        # one has none, are lists.
        looks_like_query = _has_hits
        if not value and len(path) == 1:
            looks_like_query = _is_list
        other_values = [item for name, item in answer.items() if name != path[0]]
        if any(map(looks_like_query, other_values)):
            return None
        return value
    return None


def _value_at(answer: Mapping[str, object], path: Iterable[str]) -> object:
    """The value in nested mappings; None if a mapping or a name is missing."""
    value: object = answer
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _has_hits(value: object) -> bool:
    return are_entries(value) or find_hits(value) is not None


def is_answer(value: object) -> bool:
    """Whether a value is an answer of a search engine to one query."""
    return find_hits(value) is not None


def read_list(value: object, place: str, is_qrels: bool) -> Entries | None:
    """The documents of one query, if they are hits, pairs or an answer; None for other values."""
    value = plain(value)
    if isinstance(value, Entries):
        return value
    if are_pairs(value):
        return read_pairs(value, place)
    if are_entries(value):
        return read_entries(value, place, is_qrels)
    hits = find_hits(value)
    if hits is None:
        return None
    if is_qrels:
        raise ValueError(
            f"{place} is an answer of a search engine, where judgments belong; qrels come before "
            "the run"
        )
    return read_entries(hits, place, False)


# ---- runs


def read_answers(source: Mapping[str, object], name: str) -> dict[object, object] | None:
    """The hits by query, of a document that is more than a mapping of queries; None: it is not."""
    answers = source.get("responses")
    if are_entries(answers) and all(map(is_answer, answers)):
        raise ValueError(
            f"{name} holds {len(answers)} responses without the ids of their queries; give these, "
            'as in dict(zip(query_ids, answer["responses"]))'
        )
    if is_answer(source):
        raise ValueError(
            f"{name} is the answer to one query, whose id it does not hold; give a mapping of "
            'queries, as in {"q1": answer}'
        )
    details = source.get("details")
    if isinstance(details, Mapping) and details and all(map(_is_detail, details.values())):
        hits_by_query: dict[object, object] = {}
        for query, detail in details.items():
            hits_by_query[query] = [hit["hit"] for hit in detail["hits"]]
        return hits_by_query
    if judged := _find_judgments(source):
        raise ValueError(f"{name} holds judgments ({judged}); qrels come before the run")
    return None


def _is_detail(value: object) -> bool:
    """Whether a value is what rank_eval returns for a query."""
    if not isinstance(value, Mapping):
        return False
    hits = value.get("hits")
    if not isinstance(hits, (list, tuple)):
        return False
    for hit in hits:
        if not isinstance(hit, Mapping) or not isinstance(hit.get("hit"), Mapping):
            return False
    return True


# ---- judgments


def _find_judgments(source: Mapping[str, object]) -> str:
    """The key of a document of judgments that holds them; "" if it is none."""
    judged = source.get("judgmentRatings")
    if isinstance(judged, Mapping) or are_entries(judged):
        return "judgmentRatings"
    for key, fields in JUDGMENT_FIELDS.items():
        values = source.get(key)
        if are_entries(values) and any(name in values[0] for name in fields):
            return key
    return ""


def read_judgments(source: Mapping[str, object], name: str) -> dict[object, Entries] | None:
    """Judgments by query, of a document that is more than a mapping of queries; None: it is not."""
    key = _find_judgments(source)
    if not key:
        if is_answer(source) or "responses" in source or "details" in source:
            hits = source.get("responses") or source.get("details")
            if is_answer(source) or isinstance(hits, (list, Mapping)):
                raise ValueError(
                    f"{name} is an answer of a search engine, where judgments belong; qrels come "
                    "before the run"
                )
        return None
    value = source[key]
    if isinstance(value, Mapping):
        result: dict[object, Entries] = {}
        for query, judged in value.items():
            result[query] = read_ratings(judged, f"{name}: query {query!r}")
        return result
    assert isinstance(value, Sequence)
    # A query may come several times, each time with some of its documents.
    columns: dict[object, tuple[list[object], list[object]]] = {}
    for query, entries in _judged_queries(value, key, name):
        ids, labels = columns.setdefault(query, ([], []))
        for identifier, label in entries.pairs(is_qrels=True):
            ids.append(identifier)
            labels.append(label)
    return {query: Entries(ids, labels) for query, (ids, labels) in columns.items()}


def _judged_queries(
    values: Sequence[object], key: str, name: str
) -> Iterator[tuple[object, Entries]]:
    """The queries of a list of objects, each with its judgments."""
    for index, item in enumerate(values):
        item_place = f"{name}: {key}[{index}]"
        if not isinstance(item, Mapping):
            raise TypeError(f"{item_place} is {describe(item)}; an object was expected")
        judges = item.get("judgements", item.get("judgments"))
        if "query_groups" in item:
            yield from _judged_queries(item["query_groups"], "query_groups", item_place)
        elif "relevant_documents" in item:
            entries = read_ratings(item["relevant_documents"], item_place)
            for query in _queries_of_group(item, item_place):
                yield query, entries
        elif "ratings" in item:
            yield _query_id(item, item_place), read_ratings(item["ratings"], item_place)
        elif isinstance(judges, (list, tuple)):
            labels = []
            for judgment in judges:
                label = _label(judgment) if isinstance(judgment, Mapping) else None
                if label is not None:  # None: a judge could not say
                    labels.append(label)
            ids = [read_id(item, item_place)] * len(labels)
            numbers = as_numbers(labels, f"{item_place}: a label")
            yield _query_id(item, item_place), Entries(ids, numbers)
        else:
            yield _query_id(item, item_place), read_entries([item], item_place, True)


def _label(item: Mapping[str, object]) -> object:
    """The label of a judgment; None if a judge could not say."""
    for name, value in item.items():
        if normal_spelling(name) in LABEL_FIELDS:
            return value
    return None


def has_label(item: Mapping[object, object]) -> bool:
    """Whether a field of an object is a label by its name."""
    return any(isinstance(name, str) and normal_spelling(name) in LABEL_FIELDS for name in item)


def _query_id(item: Mapping[str, object], place: str) -> object:
    """The id of a query."""
    field = query_field(item)
    if field is None:
        raise ValueError(
            f"{place}: no field names the query, such as query_id, query or id; there are "
            f"{list_names(item)}"
        )
    value = item[field]
    if isinstance(value, Mapping):
        return _query_id(value, place)
    return value


def query_field(item: Mapping[str, object]) -> str | None:
    """The field that names the query of an object; None if there is none."""
    names: list[str] = QUERIES.all_matching(item)
    for name in [*names, *QUERY_FIELDS]:
        if name not in item:
            continue
        value = item[name]
        if isinstance(value, Mapping):
            # An object with an id counts, a search in an engine's language does not.
            if query_field(value) is None:
                continue
        elif value is None or isinstance(value, (list, tuple, float)):
            continue
        return name
    return None


def _queries_of_group(item: Mapping[str, object], place: str) -> list[object]:
    """The texts of the queries that share judgments, or the name of their group."""
    queries = item.get("queries", [item])
    if isinstance(queries, (list, tuple)) and queries:
        texts = list(map(_query_text, queries))
        if None not in texts:
            return list(dict.fromkeys(texts))
    return [_query_id(item, place)]


def _query_text(query: object) -> str | None:
    """The text of a query of RRE: its placeholder `$query`, or the only one."""
    placeholders = query.get("placeholders") if isinstance(query, Mapping) else None
    if not isinstance(placeholders, Mapping):
        return None
    text = placeholders.get("$query")
    if len(placeholders) == 1:
        (text,) = placeholders.values()
    return text if isinstance(text, str) else None


def _are_documents_of_rre(entries: Iterable[object]) -> bool:
    """Whether these are objects with one field each, a document and its label, as RRE's are."""
    for entry in entries:
        if not isinstance(entry, Mapping) or len(entry) != 1:
            return False
        (name,) = entry
        if name == "id" or normal_spelling(name) in DOCUMENTS.names:
            return False
    return True


def read_ratings(value: object, place: str) -> Entries:
    """Documents with labels: ratings, a mapping document -> label, or label -> documents."""
    if isinstance(value, (list, tuple)):
        if not _are_documents_of_rre(value):
            return read_list(value, place, True) or Entries(list(value), None)
        by_document: dict[object, object] = {}
        for entry in value:
            by_document.update(entry)
        value = by_document
    if not isinstance(value, Mapping):
        raise TypeError(f"{place}: judgments are {describe(value)}; give documents with labels")
    documents: list[object] = []
    labels: list[object] = []
    for name, label in value.items():
        if isinstance(label, (list, tuple)):  # the name is a label, and these are its documents
            documents.extend(label)
            labels.extend([name] * len(label))
        elif isinstance(label, Mapping):
            gain = _label(label)
            if gain is None:
                hint = ""
                if label and set(map(type, label.values())) <= {int, float}:
                    hint = "; rankgain.Qrels(source, subtopics=True) reads labels by subtopic"
                raise ValueError(
                    f"{place}: document {name!r} has no gain or rating: {describe(label)}{hint}"
                )
            documents.append(name)
            labels.append(gain)
        elif label is not None and label != "":
            documents.append(name)
            labels.append(label)
    return Entries(documents, as_numbers(labels, f"{place}: a label"))


# ---- objects that hold a query and its documents, as on lines of JSON


def find_list(item: object, is_qrels: bool) -> tuple[str, str | None] | None:
    """The field with the query of an object, and that with its documents.

    The latter is None if the object is an answer; the result is None if it is a plain row.
    """
    if not isinstance(item, Mapping):
        return None
    query = query_field(item)
    if query is None:
        return None
    fields = {name: value for name, value in item.items() if name != query}
    for name, value in fields.items():
        if not _is_list(value) and normal_spelling(name) in DOCUMENTS.names:
            return None
    usual_names, names_of_other_side = RUN_FIELDS, QRELS_FIELDS
    if is_qrels:
        usual_names, names_of_other_side = QRELS_FIELDS, RUN_FIELDS
    usual: list[str] = []
    with_hits: list[str] = []
    of_other_side: list[str] = []  # with hits, too
    for name, value in fields.items():
        spelling = normal_spelling(name)
        if spelling in usual_names and _is_list(value):
            usual.append(name)
        if not _has_hits(value):
            continue
        if spelling in names_of_other_side:
            of_other_side.append(name)
        else:
            with_hits.append(name)
    # Hits are certain to be documents, and those under a usual name come first. A list of plain
    # values under a usual name counts only if nothing has hits.
    with_hits = with_hits or of_other_side
    found = [name for name in with_hits if name in usual] or with_hits or usual
    if len(found) > 1 and "scores" in found:
        found.remove("scores")
    if not found:
        if is_answer(item):
            return query, None
        return None
    if len(found) > 1:
        raise ValueError(
            f"{' and '.join(map(repr, found))} both may hold the documents of a query; give a "
            f"mapping of queries, as in {{row[{query!r}]: row[{found[0]!r}] for row in rows}}"
        )
    return query, found[0]


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple, Mapping))


def holds_lists(item: object, is_qrels: bool, place: str) -> bool:
    """Whether an object holds a query and its documents; other rows are of one document."""
    if isinstance(item, Mapping) and is_answer(item) and query_field(item) is None:
        raise ValueError(
            f"{place} is an answer of a search engine without the id of its query; give a mapping "
            'of queries, as in {"q1": answer}, or add a field query_id'
        )
    return find_list(item, is_qrels) is not None


def read_lists(
    items: Iterable[tuple[int, object]], is_qrels: bool, origin: str
) -> dict[object, object]:
    """The documents of each query, of objects that hold a query and its documents."""
    result: dict[object, object] = {}
    for number, item in items:
        place = f"{origin} {number}"
        found = find_list(item, is_qrels)
        if found is None or not isinstance(item, Mapping):
            raise ValueError(
                f"{place}: expected an object with a query and a list of its documents, as those "
                f"before, not {describe(item)}"
            )
        field, list_field = found
        query = item[field]
        if isinstance(query, Mapping):
            query = query[query_field(query)]
        if query in result:
            raise ValueError(f"{place}: the query {query!r} comes a second time; give it once")
        if list_field is None:
            result[query] = item
        else:
            result[query] = item[list_field]
    return result
