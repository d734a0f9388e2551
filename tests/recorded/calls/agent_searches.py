"""documents=: chunks that stand for documents; calls=: the searches of an agent as one ranking."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
CHUNKS = {"q1": ["d2#1", "d1#0", "d2#0", "d9"], "q2": ["d3#a#1", "d4#2"], "q3": []}
JUDGED = {"q2": {"d3#a": 2, "d4": 1}, "q1": {"d1": 1, "d2": 3}, "q3": {"d1": 1}}
LISTS, WANTED = [["d2#1", "d1#0", "d2#0"], ["d3#a#1", "d4#2"]], [["d1", "d2"], ["d4"]]
ENTRIES = {"d2#1": "d2", "d1#0": "d1", "d2#0": "d2", "d9": "d9", "d3#a#1": "d3#a", "d4#2": "d4"}
NUMBERS, OF_NUMBERS = [[31, 10, 30, 42], [12, 11]], [[1, 3], [1]]
RUN = {"q1": {"d2#1": 3.0, "d1#0": 2.5, "d2#0": 7.0, "d9": 1.0}, "q2": {"d3#a#1": 1.0, "d4#2": 1.0, "d3#a#7": 0.5}}
SEARCHES = {"q1": [["a", "b"], ["b", "c", "d"], []], "q2": [["x"]], "q3": []}
RELEVANT = {"q1": ["b", "d"], "q2": ["y", "x"], "q3": ["a"], "q4": ["z"]}
MEASURES = ["AP", "P@2", "RR", "nDCG@3"]
def evaluate(retrieved, relevant, **options): return rg.evaluate_ids(retrieved, relevant, MEASURES, **options)
"""
OF = ["'#'", "ENTRIES", "lambda chunk: chunk.rpartition('#')[0] or chunk", "lambda chunk: chunk.partition('#')[0]", "'d'", "str.upper", "len", "'zz'"]
CALLS = [
    *drawn(50, "evaluate({r}, {w}, documents={d}, duplicates={p!r})", r=["CHUNKS", "{q: tuple(row) for q, row in CHUNKS.items()}"], w=["JUDGED", "{q: list(row) for q, row in JUDGED.items()}"], d=OF, p=["raise", "first", "in_place"]),
    *drawn(40, "evaluate({r}, WANTED, documents={d}, duplicates={p!r}, exclude={x})", r=["LISTS", "[['d2#1', 'd2#1', 'd1#0'], ['d4#2', 'd4#1', 'd4#2']]"], d=OF[:6], p=["raise", "first", "in_place"], x=["None", "[['d2'], []]", "[['d2#1'], ['d4']]"]),
    *drawn(20, "evaluate(NUMBERS, OF_NUMBERS, documents={d}, duplicates={p!r})", d=["lambda chunk: chunk // 10", "{31: 3, 10: 1, 30: 3, 42: 4, 12: 1, 11: 1}", "'#'", "lambda chunk: np.int64(chunk // 10)", "lambda chunk: chunk / 10", "lambda chunk: str(chunk)[0]", "{31: 3, 10: 1}"], p=["raise", "first", "in_place"]),
    *drawn(20, "rg.evaluate({j}, {r}, MEASURES, documents={d})", j=["{q: d for q, d in JUDGED.items()}"], r=["RUN", "rg.Run(RUN)", "{q: list(row) for q, row in RUN.items()}"], d=OF[:6]), *each("rg.Run(RUN, documents={d}).to_dict() if hasattr(rg.Run, 'to_dict') else rg.evaluate(JUDGED, rg.Run(RUN, documents={d}), MEASURES)", d=OF[:6]),
    *each("evaluate({r}, JUDGED, documents={d})", r=["CHUNKS"], d=["''", "5", "None", "lambda chunk: None", "lambda chunk: 1.5", "lambda chunk: True", "lambda chunk: ['d1']", "{'d2#1': 'd2'}", "{**ENTRIES, 'd1#0': None}", "{**ENTRIES, 'd4#2': 2.5}", "{}", "lambda chunk: {}[chunk]", "b'#'"]),
    *each("evaluate({r}, JUDGED, documents='#', duplicates={p!r})", r=["{'q1': ['d1#0', 'd1#0', 'd2#1']}", "{'q1': ['d1', 'd2#1', 'd1#5'], 'q2': ['d4#2', 'd3#1', 'd4#2']}", "{'q1': [1, 2]}"], p=["raise", "first"]),
    # Searches.
    *drawn(60, "evaluate({s}, {w}, calls={o!r}, duplicates={p!r})", s=["SEARCHES", "{q: [tuple(found) for found in calls] for q, calls in SEARCHES.items()}", "{q: [np.array(found, 'U1') for found in calls] for q, calls in SEARCHES.items()}", "{'q1': [{'a': 0.5, 'b': 2.0}, {'c': 1.0, 'b': 3.0}], 'q3': [[('z', 1.0), ('a', 2.0)]]}", "{'q1': [[{'id': 'd', 'score': 1.0}, {'id': 'b', 'score': 5.0}], ['c']]}"],
           w=["RELEVANT", "{q: dict.fromkeys(row, 2) for q, row in RELEVANT.items()}", "{q: set(row) for q, row in RELEVANT.items()}"], o=["in_order", "round_robin"], p=["first", "in_place", "raise"]),
    *drawn(30, "evaluate({s}, {w}, calls={o!r}, duplicates={p!r})", s=["list(SEARCHES.values())", "[[['a', 'b'], ['c']], [['x'], ['y', 'z', 'w'], ['v']], []]", "tuple([tuple(calls) for calls in SEARCHES.values()])"], w=["[['b', 'd'], ['x', 'y', 'v'], ['a']]", "[['c'], [], ['q']]"], o=["in_order", "round_robin"], p=["first", "in_place"]),
    *drawn(20, "evaluate({s}, {w}, calls={o!r}, duplicates={p!r})", s=["[['a', 'b'], ['b', 'c', 'd'], []]", "(('a', 'b'), ['c'])", "[[1, 2], [3, 1, 4]]", "[]"], w=["['b', 'd']", "{'d'}", "{'b': 2, 'd': 1}", "[3, 4]"], o=["in_order", "round_robin"], p=["first", "in_place"]),
    *drawn(16, "evaluate({s}, RELEVANT, calls={o!r}, documents={d}, duplicates={p!r})", s=["{'q1': [['a#1', 'b#2'], ['b#1', 'd#0', 'a#7']], 'q2': [['x#1']]}"], o=["in_order", "round_robin"], d=["'#'", "lambda chunk: chunk[0]"], p=["first", "in_place", "raise"]),
    *each("evaluate({s}, {w}, calls={o!r}, duplicates='first')", s=["{'bm25': {'q1': [['a'], ['b']]}, 'dense': {'q1': [['b', 'd']]}}", "{'bm25': [[['a'], ['b']], [['y']]], 'dense': [[['b', 'd']], []]}"], w=["{'q1': ['b', 'd']}", "[['b', 'd'], ['x', 'y']]"], o=["in_order", "round_robin"]),
    *each("evaluate({s}, RELEVANT, calls={o})", s=["SEARCHES"], o=["'first'", "None", "True", "'IN_ORDER'", "['in_order']"]), *each("evaluate({s}, {w}, calls='in_order')", s=["{'q1': ['a', 'b'], 'q2': [['x']]}", "{'q1': [['a'], 'b']}", "{'q1': [['a'], None]}", "{'q1': [['a'], {'b'}]}", "{'q1': 'ab'}", "{'q1': None, 'q2': [['x']]}", "{'q1': [['a'], 5]}", "{'q1': [['a'], [None]]}", "{'q1': [{'a': 'x'}]}", "{'q1': [{'a': float('nan')}]}", "{}"], w=["RELEVANT"]),
    *each("evaluate({s}, {w}, calls='round_robin')", s=["[['a', 'b'], ['c']]", "'ab'", "5", "np.array([['a', 'b']])", "[[['a'], ['b']], ['c', 'd']]", "[[['a'], ['b']], [['c'], 'd']]", "[[['a']], None]", "iter([['a']])"], w=["[['a'], ['c']]", "['a', 'c']"]), "evaluate(SEARCHES, RELEVANT)", "evaluate(list(SEARCHES.values()), [['b'], ['x'], ['a']])", "evaluate([['a', 'b'], ['c']], {'q': ['a']})",
]
