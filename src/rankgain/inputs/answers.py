"""JSON of search engines and of tools for judgments, as mappings of queries to documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

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
LISTS = (
    "ratings rated relevant_documents relevant judgments judgements qrels labels",
    "results ranking ranked retrieved hits documents docs doc_ids docids document_ids ids "
    "predictions recommendations items run scores",
)
READ = (
    "read are query -> document -> number, query -> list of ids, of pairs or of hits, answers of "
    "Elasticsearch and OpenSearch by query, and judgments of rank_eval, Quepid and RRE"
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
        value: Any = answer
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, (list, tuple)) and all(isinstance(hit, Mapping) for hit in value):
            # In a mapping of queries one may be called so. Then the others have hits, too, or, if
            # this one has none, are lists.
            other_values = [other for name, other in answer.items() if name != path[0]]
            looks_like_query = _is_list if not value and len(path) == 1 else _has_hits
            if any(map(looks_like_query, other_values)):
                return None
            return value
    return None


def _has_hits(value: object) -> bool:
    return are_entries(value) or find_hits(value) is not None


def is_answer(value: object) -> bool:
    """Whether a value is an answer of a search engine to one query."""
    return find_hits(value) is not None


def read_list(value: Any, place: str, is_qrels: bool) -> Entries | None:
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


def read_answers(source: Mapping[str, object], name: str) -> dict[Any, Any] | None:
    """The hits by query, of a document that is more than a mapping of queries; None: it is not."""
    answers: Any = source.get("responses")
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
        hits_by_query = {}
        for query, detail in details.items():
            hits_by_query[query] = [hit["hit"] for hit in detail["hits"]]
        return hits_by_query
    if judged := _find_judgments(source):
        raise ValueError(f"{name} holds judgments ({judged}); qrels come before the run")
    return None


def _is_detail(value: object) -> bool:
    """Whether a value is what rank_eval returns for a query."""
    hits = value.get("hits") if isinstance(value, Mapping) else None
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
    for key, fields in (
        ("requests", ("ratings",)),
        ("topics", ("query_groups",)),
        ("query_groups", ("relevant_documents",)),
        ("queries", ("relevant_documents", "ratings")),
        ("query_doc_pairs", ("judgements", "judgments")),
        ("ratings", LABEL_FIELDS),
        ("judgments", LABEL_FIELDS),
        ("judgements", LABEL_FIELDS),
    ):
        values = source.get(key)
        if are_entries(values) and any(name in values[0] for name in fields):  # type: ignore[index]
            return key
    return ""


def read_judgments(source: Mapping[str, object], name: str) -> dict[Any, Any] | None:
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
    value: Any = source[key]
    if isinstance(value, Mapping):
        return {
            query: read_ratings(judged, f"{name}: query {query!r}")
            for query, judged in value.items()
        }
    result: dict[object, Entries] = {}
    for query, entries in _judged_queries(value, key, name):
        collected = result.setdefault(query, Entries([], []))
        collected.ids.extend(entries.ids)
        numbers = [1] * len(entries.ids) if entries.numbers is None else entries.numbers
        cast("list[Any]", collected.numbers).extend(numbers)
    return result


def _judged_queries(values: Sequence[object], key: str, name: str) -> Iterator[tuple[Any, Entries]]:
    """The queries of a list of objects, each with its judgments."""
    for index, item in enumerate(values):
        item_place = f"{name}: {key}[{index}]"
        if not isinstance(item, Mapping):
            raise TypeError(f"{item_place} is {describe(item)}; an object was expected")
        judges = next((item[name] for name in ("judgements", "judgments") if name in item), None)
        if "query_groups" in item:
            yield from _judged_queries(item["query_groups"], "query_groups", item_place)
        elif "relevant_documents" in item:
            entries = read_ratings(item["relevant_documents"], item_place)
            for query in _queries_of_group(item, item_place):
                yield query, entries
        elif "ratings" in item:
            yield _query_id(item, item_place), read_ratings(item["ratings"], item_place)
        elif isinstance(judges, (list, tuple)):
            labels = [_label(judgment) for judgment in judges if isinstance(judgment, Mapping)]
            labels = [label for label in labels if label is not None]  # a judge could not say
            ids = [read_id(item, item_place)] * len(labels)
            numbers = as_numbers(labels, f"{item_place}: a label")
            yield _query_id(item, item_place), Entries(ids, numbers)
        else:
            yield _query_id(item, item_place), read_entries([item], item_place, True)


def _label(item: Mapping[str, object]) -> Any:
    """The label of a judgment; None if a judge could not say."""
    return next((item[name] for name in item if normal_spelling(name) in LABEL_FIELDS), None)


def has_label(item: Mapping[object, object]) -> bool:
    """Whether a field of an object is a label by its name."""
    return any(isinstance(name, str) and normal_spelling(name) in LABEL_FIELDS for name in item)


def _query_id(item: Mapping[str, object], place: str) -> Any:
    """The id of a query."""
    field = query_field(item)
    if field is None:
        raise ValueError(
            f"{place}: no field names the query, such as query_id, query or id; there are "
            f"{list_names(item)}"
        )
    value = item[field]
    return _query_id(value, place) if isinstance(value, Mapping) else value


def query_field(item: Mapping[str, object]) -> Any:
    """The field that names the query of an object; None if there is none."""
    for name in [*QUERIES.all_matching(list(item)), *QUERY_FIELDS]:
        if name not in item:
            continue
        value = item[name]
        if isinstance(value, Mapping):  # an object with an id; a search in an engine's language
            if query_field(value) is None:
                continue
        elif value is None or isinstance(value, (list, tuple, float)):
            continue
        return name
    return None


def _queries_of_group(item: Mapping[str, object], place: str) -> list[Any]:
    """The texts of the queries that share judgments, or the name of their group."""
    queries: Any = item.get("queries", [item])
    texts = []
    if not isinstance(queries, (list, tuple)):
        queries = []
    for query in queries:
        placeholders = query.get("placeholders") if isinstance(query, Mapping) else None
        if isinstance(placeholders, Mapping) and placeholders:
            only = next(iter(placeholders.values())) if len(placeholders) == 1 else None
            text = placeholders.get("$query", only)
            if isinstance(text, str):
                texts.append(text)
    if texts and len(texts) == len(queries):
        return list(dict.fromkeys(texts))
    return [_query_id(item, place)]


def read_ratings(value: object, place: str) -> Entries:
    """Documents with labels: ratings, a mapping document -> label, or label -> documents."""
    if isinstance(value, (list, tuple)):
        if all(isinstance(entry, Mapping) and len(entry) == 1 for entry in value) and not any(
            normal_spelling(name) in DOCUMENTS.names or name == "id"
            for entry in value
            for name in entry
        ):
            value = {name: label for entry in value for name, label in entry.items()}  # of RRE
        elif not value:
            return Entries([], [])
        else:
            return read_list(value, place, True) or Entries(list(value), None)
    if not isinstance(value, Mapping):
        raise TypeError(f"{place}: judgments are {describe(value)}; give documents with labels")
    pairs: list[tuple[object, object]] = []
    for name, label in value.items():
        if isinstance(label, (list, tuple)):  # the documents of a label
            pairs += [(document, name) for document in label]
        elif isinstance(label, Mapping):
            gain = _label(label)
            if gain is None:
                hint = ""
                if label and all(type(value) in (int, float) for value in label.values()):
                    hint = "; rankgain.Qrels(source, subtopics=True) reads labels by subtopic"
                raise ValueError(
                    f"{place}: document {name!r} has no gain or rating: {describe(label)}{hint}"
                )
            pairs.append((name, gain))
        elif label is not None and label != "":
            pairs.append((name, label))
    numbers = as_numbers((label for _, label in pairs), f"{place}: a label")
    return Entries([document for document, _ in pairs], numbers)


# ---- objects that hold a query and its documents, as on lines of JSON


def find_list(item: object, is_qrels: bool) -> tuple[Any, Any] | None:
    """The query of an object, and the field with its documents; None if it is a plain row."""
    if not isinstance(item, Mapping):
        return None
    query = query_field(item)
    if query is None:
        return None
    names = [name for name in item if name != query]
    if any(normal_spelling(name) in DOCUMENTS.names for name in names if _is_id(item[name])):
        return None
    usual, of_other_side = (names.split() for names in (LISTS if is_qrels else LISTS[::-1]))
    listed = [name for name in names if normal_spelling(name) in usual and _is_list(item[name])]
    deep = [name for name in names if _has_hits(item[name])]
    deep = [name for name in deep if normal_spelling(name) not in of_other_side] or deep
    found = [name for name in deep if name in listed] or deep or listed
    if len(found) > 1 and "scores" in found:
        found.remove("scores")
    if not found:
        return (query, None) if is_answer(item) else None
    if len(found) > 1:
        raise ValueError(
            f"{' and '.join(map(repr, found))} both may hold the documents of a query; give a "
            f"mapping of queries, as in {{row[{query!r}]: row[{found[0]!r}] for row in rows}}"
        )
    return query, found[0]


def _is_id(value: object) -> bool:
    return not isinstance(value, (list, tuple, Mapping))


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
        query = item[found[0]]
        if isinstance(query, Mapping):
            query = query[query_field(query)]
        if query in result:
            raise ValueError(f"{place}: the query {query!r} comes a second time; give it once")
        result[query] = item if found[1] is None else item[found[1]]
    return result
