"""Qrels and runs as answers of search engines and as documents of tools for judgments, in dicts and JSON."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
import json
from pathlib import Path
NAN = float("nan")
QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"x": 1}, "q3": {"z": 3}}
RUN = {"q2": {"y": 2.0, "x": 1.0}, "q1": {"b": 3.0, "a": 2.0, "e": 1.0}, "q4": {"a": 1.0}}
MEASURES = ["AP", "nDCG@2", "judged@2"]
def answer(ids, scores=None):
    return {"took": 3, "hits": {"total": 9, "hits": [{"_index": "i", "_id": d, "_score": 9.0 - n if scores is None else scores[n], "_source": {"id": "other"}} for n, d in enumerate(ids)]}}
def path(value, name="source.json"):
    text = json.dumps(value) if not isinstance(value, list) or name.endswith("json") else "\\n".join(map(json.dumps, value))
    Path(name).write_text(text); return name
def lines(*values, name="source.jsonl"): Path(name).write_text("\\n".join(json.dumps(value) for value in values)); return name
def seen(source): return {query: dict(documents) for query, documents in source.items()}
class Client:
    def __init__(self, body): self.body = body
Client.__module__ = "elastic_transport._response"
"""
LISTS = ["{'a': 2, 'b': 1, 'c': 0}", "['b', 'a', 'c']", "[('b', 1), ('a', 3)]", "[['b', 1], ['a', 3]]", "[{'id': 'b', 'score': 1.5}, {'id': 'a', 'score': 2}]", "[{'doc_id': 'b', 'relevance': 0}, {'doc_id': 'a', 'relevance': 2}]", "answer(['b', 'a', 'c'])", "answer(['b', 'a', 'c'], [1, 7, 2])", "[{'_id': 'b', 'rating': '1'}, {'_id': 'a', 'rating': '2'}]",
         "[{'corpus_id': 'b', 'score': 1}, {'corpus_id': 'a', 'score': 2}]", "{'response': {'docs': [{'id': 'a'}, {'id': 'b'}]}}", "{'results': [{'id': 'a', 'score': 1}]}", "[]", "{}", "{'a': '2', 'b': '1'}", "[{'docid': 'b', 'rank': 2}, {'docid': 'a', 'rank': 1}]", "{'points': [{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 0.75}]}", "{'b', 'a'} and ('b',)", "[{'document': 'a', 'label': 1}, {'document': 'b', 'label': 0}]"]
QRELS = [
    "{'requests': [{'id': 'q1', 'ratings': [{'_index': 'i', '_id': 'a', 'rating': 2}, {'_index': 'i', '_id': 'c', 'rating': 1}]}, {'id': 'q2', 'ratings': [{'_id': 'x', 'rating': 0}]}, {'id': 'q1', 'ratings': [{'_id': 'e', 'rating': 3}]}]}",
    "{'topics': [{'description': 't', 'query_groups': [{'name': 'g', 'queries': [{'placeholders': {'$query': 'q1'}}, {'placeholders': {'$query': 'q2', '$x': 1}}], 'relevant_documents': {'3': ['a', 'x'], '1': ['c']}}]}]}",
    "{'query_groups': [{'name': 'q1', 'relevant_documents': [{'a': {'gain': 2}}, {'c': {'gain': 1}}]}, {'name': 'q2', 'queries': [], 'relevant_documents': {'x': {'gain': '3'}}}]}", "{'query_groups': [{'name': 'q1', 'relevant_documents': {'a': {'gain': 2}, 'b': {'gain': 0}, 'e': None, 'f': ''}}]}",
    "{'queries': [{'query': 'q1', 'ratings': {'a': 2, 'c': '1', 'e': None}}, {'query': 'q2', 'ratings': {'x': 1}}]}", "{'queries': [{'query_id': 'q1', 'relevant_documents': ['a', 'c']}, {'query_id': 'q2', 'relevant_documents': {'x': 2}}]}", "{'query_doc_pairs': [{'query_text': 'q1', 'doc_id': 'a', 'judgements': [{'rating': 3}, {'rating': None}, {'rating': 1}]}, {'query_text': 'q1', 'doc_id': 'c', 'judgements': []}]}",
    "{'query_doc_pairs': [{'query': {'query_text': 'q1', 'id': 'q1'}, 'doc_id': 'a', 'judgments': [{'rating': 3}]}, {'query': {'id': 'q2'}, 'doc_id': 'x', 'judgments': [{'judgment': 2}]}]}", "{'ratings': [{'query_id': 'q1', 'doc_id': 'a', 'rating': 2}, {'query_id': 'q2', 'doc_id': 'x', 'rating': 1}, {'query_id': 'q1', 'doc_id': 'c', 'rating': 1}]}",
    "{'judgments': [{'query': 'q1', 'docid': 'a', 'label': 2}]}", "{'judgements': [{'question': 'q1', 'id': 'a', 'grade': 2}]}", "{'judgmentRatings': {'q1': {'a': 2, 'c': 1}, 'q2': [{'docId': 'x', 'rating': '1'}]}}", "{'judgmentRatings': [{'query': 'q1', 'ratings': [{'docId': 'a', 'rating': '2.5'}]}, {'query': 'q2', 'ratings': []}]}",
    "{'ratings': {'a': 1}, 'q1': {'a': 2}}", "{'queries': {'a': 1}, 'q1': {'a': 2}}", "{'requests': ['a', 'b'], 'q1': ['c']}", "{'ratings': [{'id': 'a', 'score': 1}], 'q1': [{'id': 'b'}]}",
    # refused
    "{'requests': [{'id': 'q1', 'ratings': [{'_id': 'a', 'rating': 2}]}, 5]}", "{'requests': [{'id': 'q1', 'ratings': [{'_id': 'a', 'rating': 2}]}, {'ratings': [{'_id': 'a', 'rating': 2}]}]}", "{'requests': [{'id': 'q1', 'ratings': [{'_id': 'a', 'rating': 2}]}, {'id': 'q2', 'ratings': 'x'}]}", "{'requests': [{'id': 'q1', 'ratings': [{'_id': 'a', 'rating': 'x'}]}]}",
    "{'requests': [{'id': 'q1', 'ratings': [{'_id': 'a', 'rating': 2}, {'_id': 'c'}]}]}", "{'requests': [{'id': 'q1', 'ratings': [{'rating': 2}]}]}", "{'requests': [{'id': 'q1', 'ratings': [{'_id': 'a', 'rating': 1}, {'_id': 'a', 'rating': 2}]}]}", "{'query_groups': [{'name': 'q1', 'relevant_documents': {'a': {'x': 2}}}]}", "{'query_groups': [{'name': 'q1', 'relevant_documents': {'a': {'t': 'x'}}}]}",
    "{'queries': [{'query': 'q1', 'ratings': {'a': 2, 'c': 'x'}}]}", "{'queries': [{'query': 'q1', 'ratings': {'a': 2, 'c': [1]}}]}", "{'query_doc_pairs': [{'query_text': 'q1', 'judgements': [{'rating': 3}]}]}", "{'query_doc_pairs': [{'query_text': 'q1', 'doc_id': 'a', 'judgements': [{'rating': 'x'}, {'rating': 2}]}]}", "{'ratings': [{'doc_id': 'a', 'rating': 2}]}", "{'judgmentRatings': {'q1': 5}}",
    "answer(['a'])", "{'responses': [answer(['a'])]}", "{'details': {'q1': {'hits': []}}}", "{'responses': 5, 'q1': {'a': 1}}", "{'q1': answer(['a'])}", "{'q1': [{'id': 'a', 'score': 2}]}", "{'q1': [{'id': 'a', 'label': 1}, {'id': 'b'}]}", "{'q1': {'a': 1}, 'q2': [('x', 'y')]}", "{'q1': {'a': 1}, 'q2': 5}", "{'q1': {'a': 1}, 'q2': None}", "{'q1': {'a': 1, 'b': NAN}}", "{'q1': {'a': 1, 'b': [1]}}",
]
RUNS = [
    "{'q1': answer(['b', 'a', 'e']), 'q2': answer(['x'])}", "{'q1': Client(answer(['b', 'a'], [1, 2])), 'q2': answer([])}", "Client({'q1': answer(['a'])})", "{'details': {'q1': {'hits': [{'hit': {'_index': 'i', '_id': 'b', '_score': 2.0}}, {'hit': {'_id': 'a', '_score': 1.0, '_index': 'i'}}]}, 'q2': {'hits': [{'hit': {'_id': 'x', '_score': 5.0, '_index': 'i'}}]}}}",
    "{'details': {'q1': {'hits': []}, 'q2': {'a': 1}}}", "{'details': {'a': 1.0}, 'q1': {'a': 2.0}}", "{'q1': ['b', 'a'], 'q2': [('y', 1), ('x', 2)], 'q3': [{'id': 'z', 'score': 1}]}", "{'q1': {'response': {'docs': [{'id': 'b', 'score': 1.0}, {'id': 'a', 'score': 2.0}]}}}", "{'hits': [{'id': 'a'}], 'q1': [{'id': 'b'}]}", "{'docs': {'a': 1.0}, 'q1': {'b': 1.0}}",
    "answer(['a'])", "{'hits': [{'id': 'a'}]}", "{'responses': [answer(['a']), answer(['b'])]}", "{'responses': [], 'q1': {'a': 1.0}}", QRELS[0], QRELS[4], QRELS[8], QRELS[11], "{'q1': answer(['a', None])}", "{'q1': {'hits': {'hits': ['a']}}}", "{'q1': [('b', 1.0), 'a']}", "{'q1': [{'id': 'a', 'score': 'x'}]}", "{'q1': [{'id': 'a', 'score': 1}, {'id': 'b', 'score': None}]}", "{'q1': {'a': 1.0, 'b': 'x'}}",
    "{'q1': {'a': 1.0, 'b': NAN}}", "{'q1': {'a': {'x': 1}}}", "{'q1': 5}", "{'q1': [['a']]}", "{'q1': [('a', 1.0), ('a', 2.0)]}", "{'q1': [{'title': 'a'}]}", "{'q1': [{'id': 'a', '_id': 'b'}]}",
]
OBJECTS = ["{'query_id': 'q1', 'results': ['b', 'a']}, {'query_id': 'q2', 'results': ['x']}", "{'qid': 'q1', 'hits': [{'id': 'b', 'score': 1}, {'id': 'a', 'score': 2}]}, {'qid': 'q2', 'hits': [{'id': 'x', 'score': 2}]}", "{'query': 'q1', 'ratings': {'a': 2, 'c': 1}}, {'query': 'q2', 'ratings': {'x': 1}}", "{'question': 'q1', 'relevant': ['a']}, {'question': 'q2', 'relevant': ['x', 'y']}",
           "{'query': {'id': 'q1', 'text': 't'}, 'docs': [{'id': 'a', 'score': 2.0}]}, {'query': {'id': 'q2'}, 'docs': []}", "{'query_id': 'q1', **answer(['b', 'a'])}, {'query_id': 'q2', **answer(['x'])}", "{'id': 'q1', 'scores': {'b': 1.0, 'a': 2.0}, 'results': ['b', 'a']}, {'id': 'q2', 'scores': {'x': 1.0}, 'results': ['x']}", "{'query': 'q1', 'judgments': [{'doc_id': 'a', 'label': 2}]}, {'query': 'q2', 'judgments': []}",
           "{'query': 'q1', 'results': [{'id': 'b'}], 'relevant': [{'id': 'a'}]}, {'query': 'q2', 'results': [], 'relevant': []}", "{'query': 'q1', 'found': [{'id': 'b'}], 'also': [{'id': 'a'}]}, {'query': 'q2', 'found': []}", "{'query': 'q1', 'results': ['a']}, {'query': 'q1', 'results': ['b']}", "{'query': 'q1', 'results': ['a']}, {'query': 'q2', 'doc_id': 'b'}", "{'query': 'q1', 'results': ['a']}, 5", "{'query': 'q1', 'results': ['a']}, {'results': ['a']}",
           "answer(['a']), answer(['b'])", "{'query_id': 'q1', 'doc_id': 'a', 'score': 2}, {'query_id': 'q1', 'doc_id': 'b', 'score': 3}, {'query_id': 'q2', 'doc_id': 'x', 'score': 1}", "{'query_id': 'q1', 'doc_id': 'a', 'relevance': 2}, {'query_id': 'q2', 'doc_id': 'x', 'relevance': 1}", "{'text': 'q1', 'results': ['a']}, {'text': 'q2', 'results': ['b']}", "{'name': 'q1', 'ids': ['a', 'b']}, {'name': 'q2', 'ids': []}", "{'query': 'q1', 'ids': ['a'], 'results': ['b']}, {'query': 'q2', 'ids': ['a'], 'results': ['b']}"]
CALLS = [
    *each("seen(rg.Qrels({{'q2': {{'x': 1}}, 'q1': {v}}}))", v=LISTS), *each("seen(rg.Run({{'q2': {{'x': 1}}, 'q1': {v}}}))", v=LISTS), *each("seen(rg.Qrels({{'q1': {v}, 'q2': {v}}}))", v=LISTS), *each("seen(rg.Run({{'q1': {v}, 'q2': {v}}}))", v=LISTS),
    *each("seen(rg.Qrels({q}))", q=QRELS), *each("seen(rg.Run({r}))", r=RUNS), *drawn(40, "seen(rg.Qrels.read(path({q})))", q=[q for q in QRELS if "NAN" not in q and "None}" not in q and "('x'" not in q]), *drawn(30, "seen(rg.Run.read(path({r})))", r=[r for r in RUNS if "NAN" not in r and "Client" not in r and "(" not in r]),
    *each("rg.evaluate({q}, RUN, MEASURES)", q=QRELS[:12]), *each("rg.evaluate(QRELS, {r}, MEASURES)", r=RUNS[:9]), *each("rg.evaluate_runs(QRELS, {{'s': {r}, 't': RUN}}, MEASURES)", r=RUNS[:6]),
    "rg.Qrels({'x': {'a': '1'}, 'y': {'a': 1}})", "rg.Qrels({'x': {'a': 1}, 'y': {'a': '1'}})", "rg.Qrels({'x': {'a': 'high'}})", "rg.Qrels({'name': 'x', 'n': 3})", "rg.Run({'x': [{'id': 'b'}, {'id': 'a', 'score': 1.0}]})", "rg.Run({'x': [(0.5, 3)]})", "rg.Run({'x': [{'id': 'chunk-1', 'doc_id': 'a', 'score': 1.0}]})", "rg.Run({'x': [{'url': 'a', 'score': 1.0}]})", "rg.Run([answer('x')])",
    "rg.Qrels({'ratings': [{'query_text': 'x', 'doc_id': 'a', 'rating': 1}, {'query_text': 'x', 'rating': 1}]})", "rg.Qrels([{'qid': 'x', 'doc': 'a', 'rel': '1'}, {'qid': 'x', 'doc': 'b', 'rel': 1}])", "rg.Qrels({'x': answer(['a'])})", "rg.Qrels({'x': [{'docno': 'a', 'score': 0.5}]})", "rg.evaluate_ids({'x': {'a': NAN}}, {'x': ['a']}, 'RR')",
    *each("seen(rg.Run([{o}]))", o=OBJECTS), *each("seen(rg.Qrels([{o}]))", o=OBJECTS), *each("seen(rg.Run(lines({o})))", o=OBJECTS), *each("seen(rg.Qrels(lines({o})))", o=OBJECTS), *each("rg.evaluate([{o}], RUN, MEASURES)", o=[OBJECTS[2], OBJECTS[3], OBJECTS[7], OBJECTS[16]]),
    "rg.Qrels({'q1': {'a': {'t1': 1, 't2': 2}}}, subtopics=True).to_dict()", "rg.Qrels({'q1': {'a': {'t1': 1}}})", "rg.Run({'q1': {'a': True, 'b': np.float32(0.5), 'c': 2**53 + 1}}).to_dict()", "rg.Run({'q1': {'a': '9007199254740993'}})", "rg.Qrels({'q1': {'a': '1_0'}})", "rg.Qrels({'q1': {'a': '٣'}})", "rg.Qrels({'q1': {'a': ' 2 ', 'b': 'true', 'c': 'False'}}).to_dict()", "rg.Qrels({'q1': {'a': '1', 'b': 2}})",
]
