"""Rankings and relevant ids whose rows hold more than ids: pairs, fields of hits, answers of engines."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
from decimal import Decimal
NAN = float("nan")
IDS = {"q1": ["b", "a", "c"], "q2": ["x", "y"], "q3": []}
RELEVANT = {"q2": ["y"], "q1": ["a", "c"], "q3": ["z"]}
LISTS, WANTED = [["b", "a", "c"], ["x", "y"]], [["a", "c"], ["y"]]
MEASURES = ["AP", "RR", "nDCG@2"]
def evaluate(retrieved, relevant=RELEVANT, **options): return rg.evaluate_ids(retrieved, relevant, MEASURES, **options)
def answer(ids, scores=None):
    hits = [{"_index": "i", "_id": d, "_score": 9.0 - n if scores is None else scores[n], "_source": {"id": "other", "doc_id": n}} for n, d in enumerate(ids)]
    return {"took": 3, "hits": {"total": {"value": 9}, "max_score": 9.0, "hits": hits}}
class Client:
    def __init__(self, body): self.body = body
Client.__module__ = "elastic_transport._response"
"""
ROWS = [  # of q1, of q2
    "[('b', 0.5), ('a', 0.7), ('c', 0.1)]", "[['b', 3], ['a', 1], ['c', 2]]", "{'b': 0.5, 'a': 0.7, 'c': 0.1}", "[{'id': 'b', 'score': 2}, {'id': 'a', 'score': 3}, {'id': 'c', 'score': 1}]", "[{'doc_id': 'b', 'rank': 3}, {'doc_id': 'a', 'rank': 1}, {'doc_id': 'c', 'rank': 2}]", "[{'docno': 'b'}, {'docno': 'a'}]",
    "[{'_id': 'b', '_score': 1.0}, {'_id': 'a', '_score': 3.0}]", "[{'_id': 'b', '_score': 5.0}, {'_id': 'a', '_score': 3.0}]", "[{'corpus_id': 'b', 'score': 1.0}, {'corpus_id': 'a', 'score': 3.0}]", "[{'document': 'b', 'similarity': '0.5'}, {'document': 'a', 'similarity': '0.75'}]", "[{'document': {'id': 'b', 'text': 't'}, 'pred': 1}, {'document': {'id': 'a'}, 'pred': 2}]",
    "[{'Doc-ID': 'b', 'Score': np.float32(0.5)}, {'Doc-ID': 'a', 'Score': np.float32(2.5)}]", "answer(['b', 'a', 'c'])", "answer(['b', 'a', 'c'], [1, 5, 2])", "Client(answer(['a', 'b']))", "{'response': {'docs': [{'id': 'b', 'score': 1.0}, {'id': 'a', 'score': 2.0}]}}", "{'result': {'points': [{'id': 'a', 'score': 0.9}]}}", "{'hits': [{'objectID': 'a'}, {'objectID': 'b'}]}",
    "{'matches': [{'id': 'c', 'score': 0.2}, {'id': 'a', 'score': 0.4}]}", "{'results': [{'id': 'b', 'relevance_score': 0.2}, {'id': 'a', 'relevance_score': 0.1}]}", "{'documents': [{'id': 'a'}]}", "[('b', 2**53), ('a', 2**53 + 1), ('c', 2.0**53)]", "[('b', Decimal('0.5')), ('a', Decimal('0.51'))]", "[('b', True), ('a', False)]", "[('b', np.uint8(200)), ('a', np.uint8(250))]", "[('b', '1'), ('a', '2')]",
    "[{'id': 'b', 'score': None}, {'id': 'a', 'score': None}]", "[{'id': 'b', 'passage_id': 'b'}, {'id': 'a', 'passage_id': 'a'}]", "{'docs': [{'id': 'b'}, {'id': 'a'}], 'numFound': 2}", "[{'id': 'b', 'score': 1, 'rank': 1}, {'id': 'a', 'score': 2, 'rank': 2}]", "{'b': '0.5', 'a': '7'}", "{'b': True, 'a': 2}", "{'points': []}", "answer([])", "('b', 'a')", "np.array(['b', 'a'])",
]
JUDGED = [
    "[('a', 2), ('c', 0), ('b', 1)]", "[{'doc_id': 'a', 'relevance': 2}, {'doc_id': 'b', 'relevance': 1}]", "[{'id': 'a', 'label': '3'}, {'id': 'c', 'label': '1'}]", "[{'corpus_id': 'a', 'score': 1}, {'corpus_id': 'b', 'score': 2}]", "{'a': 1, 'c': 2}", "{'a': '1', 'c': '2'}", "[{'id': 'a'}, {'id': 'c'}]", "{'a', 'c'}", "[{'docid': 'a', 'grade': 1.5}]", "[('a', True), ('b', False)]", "['a']", "[{'_id': 'a', 'rating': 2}, {'_id': 'b', 'rating': 0}]",
]
BAD = ["[('b', 0.5), 'a']", "[('b', 0.5), ('a', 'x')]", "[('b', NAN), ('a', 1)]", "[('b', None), ('a', 1)]", "[(1.5, 0.5), ('a', 2)]", "[('b', 1), (['a'], 2)]", "[('b', 1), ({'id': 'a'}, 2)]", "[{'id': 'b'}, 'a']", "[{'id': 'b'}, {'name': 'a'}]", "[{'text': 'b'}]", "[{'id': 'b', 'score': 1}, {'id': 'a'}]", "[{'id': 'b', 'score': 1}, {'id': 'a', 'score': 'x'}]",
       "[{'id': 'b', 'score': 1}, {'id': 'a', 'score': '2'}]", "[{'id': 'b', 'score': NAN}, {'id': 'a', 'score': 1}]", "[{'id': 'b', 'doc_id': 'c'}, {'id': 'a', 'doc_id': 'a'}]", "[{'id': 'b'}, {'id': None}]", "[{'id': 'b'}, {'id': 1.5}]", "[{'id': 'b'}, {'id': ['a']}]", "{'b': 0.5, 'a': 'x'}", "{'b': 0.5, 'a': None}", "{'b': 0.5, 'a': NAN}", "{'b': '0.5', 'a': 'x'}", "{'b': '1_0', 'a': '2'}", "{'b': '٣', 'a': '2'}",
       "{'b': '9007199254740993', 'a': '2'}", "[{'id': 'b', 'rank': 1}, {'id': 'a', 'rank': None}]", "[{'id': 'b', 'label': 1}]", "[('b', 1, 2), ('a', 2, 3)]", "[{'id': 'b', 'score': {'x': 1}}]", "[{}]", "[{'id': {'x': 1}}]", "[{'document': {'name': 'b'}}]"]
CALLS = [
    *each("evaluate({{'q1': {r}, 'q2': ['x', 'y']}})", r=ROWS), *each("evaluate({{'q3': ['z'], 'q1': {r}}})", r=ROWS), *each("evaluate([{r}, ['x', 'y']], WANTED)", r=ROWS), *each("evaluate([[], {r}], [['a'], ['a', 'c']])", r=ROWS), *each("evaluate({r}, {w})", r=ROWS, w=["['a', 'c']"]), *each("evaluate({r}, {{'a': 2, 'c': 1}})", r=ROWS[:8]),
    *each("evaluate(IDS, {{'q1': {j}, 'q3': ['z']}})", j=JUDGED), *each("evaluate(LISTS, [{j}, ['y']])", j=JUDGED), *each("evaluate(LISTS, [{{'a': 3}}, {j}])", j=JUDGED), *each("evaluate(['b', 'a', 'c'], {j})", j=JUDGED), *drawn(60, "evaluate({{'q2': {r}, 'q1': {r}}}, {{'q1': {j}, 'q2': {j}}})", r=ROWS, j=JUDGED),
    *each("evaluate({{'q2': [('x', 1)], 'q1': {r}}})", r=BAD), *each("evaluate([[{{'id': 'x'}}], {r}], WANTED)", r=BAD), *each("evaluate({r}, ['a'])", r=BAD), *each("evaluate({{'q1': {r}, 'q2': [('x', 'y')]}})", r=BAD[1:20]), "evaluate({'q2': ['x'], 'q1': [('b', 2)]})", "evaluate({'q2': ['x'], 'q1': [{'id': 'b'}]})",
    *each("evaluate(IDS, {{'q2': [{{'id': 'y', 'label': 1}}], 'q1': {j}}})", j=[*BAD, "[('a', 1), ('c', 1), ('a', 2)]", "[{'id': 'a', 'label': 1}, {'id': 'c', 'label': 2}, {'id': 'a', 'label': 3}]", "[{'id': 'a', 'score': 1}]", "answer(['a'])", "[{'id': 'a', 'label': 1}, {'id': 'c'}]", "{'a': {'x': 1}}", "[('a', -1)]", "[{'id': 'a', 'label': 'x'}]"]),
    *each("evaluate(LISTS, [[('a', 2)], {j}])", j=[*BAD[:10], "[('a', 1), ('c', 1), ('a', 2)]", "[{'id': 'a', 'score': 1}]", "answer(['a'])"]), "evaluate(answer(['b', 'a']), ['a'])", "evaluate({'responses': [answer(['b', 'a', 'c']), answer(['x', 'y'])]}, WANTED)", "evaluate({'responses': [answer(['b', 'a', 'c']), answer(['x', 'y'])]}, RELEVANT)", "evaluate(IDS, answer(['a']))", "evaluate(Client({'responses': [answer(['b'])]}), [['a']])",
    "evaluate({'hits': ['a', 'b'], 'docs': ['c']}, {'hits': ['b'], 'docs': ['c']})", "evaluate({'hits': [{'id': 'a'}], 'docs': [{'id': 'c'}]}, {'hits': ['a'], 'docs': ['d']})", "evaluate({'hits': [], 'docs': ['c']}, {'hits': ['a'], 'docs': ['c']})", "evaluate({'results': [], 'q': [{'id': 'a'}]}, {'q': ['a'], 'results': ['b']})", "evaluate([('a', 1), ('b', 2)], [('b', 2), ('c', 1)])", "evaluate([('a', 'x'), ('b', 'y')], [('b', 'y')])",
    "evaluate([[('a', 1), ('b', 2)]], [[('b', 2)]])", "evaluate([[('a', 1), ('b', 2)], [('c', 1)]], [[('b', 2)], [('c', 2)]])", "evaluate([[('a', 1)]], [{('a', 1)}])", "evaluate([[('a', 1)]], [{('a', 1): 2}])", "evaluate({'q': [('a', 1), ('b', 2)]}, {'q': [('b', 2)]})", "evaluate([(1, 0.5), (2, 0.75)], [2])", "evaluate([[1, 2], [3, 4]], [[2], [3]])", "evaluate([[1, 0.5], [2, 0.75]], [[2], [3]])", "evaluate({1: 0.5, 2: 0.75}, [2])", "evaluate({1: 0.5, 2: 0.75}, {2: 1})", "evaluate([[], []], [[('a', 1)], []])",
    "evaluate({'q1': {'b': 1.0, 'a': 2.0}}, {'q1': {'a': 1}})", "evaluate({'q1': np.array(['b', 'a'])}, {'q1': np.array(['a'])})", "r = {'q1': [{'id': 'b', 'score': 1}, {'id': 'a', 'score': 2}]}; evaluate(r); r",
]
