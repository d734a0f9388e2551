"""evaluate_ids for one system: forms of ids, and every option."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import pickle
RETRIEVED = {
    "q9": ["d3", "d10", "d1"], "q1": ["d2", "d7", "d3", "d8", "d9"], "q4": [],
    "q10": ["x1", "d1"], "extra": ["d1"],
}
RELEVANT = {
    "q1": {"d3": 2, "d9": 1, "d0": 3}, "q10": ["d1"], "q4": {"d5"}, "q9": {"d10": 1, "d3": 0},
    "lost": ("d1", "d2"),
}
SEEN = {"q1": ["d2", "d9"], "q9": {"d3"}, "q10": ["nowhere"]}
BIG = 2**53
NUMBERS = {-7: [BIG + 1, BIG, 4], 12: [4, -9, BIG], 3: [BIG + 2, 4]}
GRADED = {3: {4: 3, BIG + 2: 1}, -7: {BIG: 2, BIG + 1: 0}, 12: {-9: -1, BIG: 1.5}}
ROWS = [[4, 2, 7, -1], [1, 3, -1, -1], [9, 8, 5, 0], [-1, -1, -1, -1]]
ANSWERS = [[2, 9], [5, 3, 1], [], [6]]
GAINS = [[3, 1], [0, 2, 1], [], [1]]
MATRIX = np.array(ROWS, np.int32), np.array([[2, 9, -1], [5, 3, 1], [0, 9, 8], [6, -1, -1]])
PAIRS = {
    "u2": [("b", 0.5), ("a", 0.75), ("c", 0.5)], "u1": [("c", 2.0)], "u3": [("a", -1.0), ("e", 0.0)],
}
HITS = {"u1": [{"corpus_id": "b", "score": 0.1}, {"corpus_id": "c", "score": 0.9}],
        "u2": {"a": 1, "c": 3, "b": 3}}
OF_PAIRS = {"u1": [("c", 2), ("b", 1)], "u2": ["a", "c"], "u3": {"e": 0, "f": 1}}
TUPLES = [(("a", 1), ("b", 2)), (("b", 2), ("c", 3), ("a", 1))], [{("b", 2)}, [("a", 1), ("z", 9)]]
WORDS = [["b", "a", "c"], ["c", "e"], ["a"]], [["a"], {"e": 2, "b": 1}, ["q", "a"]]
CHUNKS = {
    "q2": ["a#2", "b#1", "a#1", "c", "b#3"], "q1": ["c#1", "d#9", "c#2"], "q3": ["e"],
}
DOCUMENTS = {"q1": ["d", "e"], "q2": {"b": 2, "a": 1, "c": 1}, "q3": ["e", "f"]}
OF_CHUNK = {"a#2": "a", "b#1": "b", "a#1": "a", "c": "c", "b#3": "b", "c#1": "c", "d#9": "d",
            "c#2": "c", "e": "e"}
SEARCHES = {
    "q2": [["a", "b"], ["c", "a", "d"], []], "q1": [["e"], ["e", "f", "a"]], "q3": [["b"]],
}
FOUND = {"q1": ["f", "z"], "q2": {"d": 3, "a": 1}, "q3": ["c"]}
REPEATED = {"q1": ["a", "b", "a", "c"], "q2": ["c", "c", "d"], "q3": ["d"]}
GROUPS = {
    "q1": [["a", "b"], ["c"]], "q2": [["d", "e"], ["a"], ["f", "g"]], "q3": [{"h"}],
}
OF_GROUPS = {"q3": ["a", "h"], "q1": ["x", "b", "a", "c"], "q2": ["g", "e", "d", "f"]}
LABELS = np.zeros((4, 10)); LABELS[0, [2, 9]] = 3, 1; LABELS[1, 5] = 2; LABELS[3, [6, 0]] = 1
TRUTH = rg.Truth(LABELS)
"""
FORMS = [
    "RETRIEVED, RELEVANT",
    "NUMBERS, GRADED",
    "ROWS, ANSWERS",
    "*MATRIX",
    "PAIRS, OF_PAIRS",
    "HITS, OF_PAIRS",
    "*TUPLES",
    "*WORDS",
    "ROWS, TRUTH",
    "iter(ROWS), map(list, ANSWERS)",
    "RETRIEVED['q1'], RELEVANT['q1']",
    "ROWS[0], ANSWERS[0]",
    "np.array(ROWS[2]), np.array([0, 9])",
    "{key: iter(row) for key, row in RETRIEVED.items()}, RELEVANT",
    "np.array([['b', 'a'], ['c', 'd']]), [['a'], ['e', 'd', 'c']]",
]
MEASURES = [
    "['nDCG@2', 'AP', 'RR', 'R@3']",
    "'P@1'",
    "['RBP', 'nDCG', 'HitRate@2', 'F1@3', 'RPrec']",
    "['AP(rel=2)', 'nDCG(gain=exp2)@3', 'R@2', 'NumRel', 'GMAP']",
    "('ERR@3', 'DCG@4', 'AP', 'MR')",
    "['HitRate(per=item)@2', 'Judged@2', 'nDCG@5']",
]
OPTIONS = [
    "",
    ", exclude=SEEN",
    ", rel=2",
    ", gain='exp2'",
    ", empty='skip'",
    ", empty=0.5",
    ", empty=float('nan')",
    ", bounds='unjudged'",
    ", convention='ranx'",
    ", convention='trec'",
    ", convention='gdeval'",
    ", convention='pytrec_eval'",
    ", discount='reciprocal'",
    ", p=0.5, rel=1",
    ", threads=2",
    ", duplicates='first'",
    ", duplicates='in_place'",
    ", convention='trec_eval'",
    ", divisor='min'",
    ", beta=2",
    ", gain={0: 0, 1: 2, 2: 3, 3: 7, 1.5: 4, -1: 0}",
    ", convention='implicit'",
    ", max_label=3, log_base=3, discount='log'",
]
ALIKE = "['AP', 'nDCG@2', 'R@5']"
CALLS = [
    *each("rg.evaluate_ids({f}, ['nDCG@2', 'AP', 'RR', 'R@4'])", f=FORMS),
    *drawn(160, "rg.evaluate_ids({f}, {m}{o})", f=FORMS, m=MEASURES, o=OPTIONS),
    # Weights, gains and what is left out.
    *each(
        "rg.evaluate_ids({f}, ['R@2', 'RR'], weight={w})",
        f=["ROWS, ANSWERS", "RETRIEVED, RELEVANT", "NUMBERS, GRADED", "ROWS, TRUTH"],
        w=["[1, 2, 0.5, 4]", "[3, 1, 2, 0.5, 1]", "{'q1': 3, 'q10': 1, 'q4': 2, 'q9': 0.5, 'lost': 7}", "{3: 1, '12': 2.5, -7: 4}", "{3: 1, 12: 2.5}", "[1, -2, 3]",
           "[1, 2, float('inf'), 4]", "['a', 'b', 'c', 'd']", "np.array([0, 0, 0, 0])"],
    ),
    *each(
        "rg.evaluate_ids({f}, ['nDCG@3', 'AP'], gains={g}{o})",
        f=["ROWS, ANSWERS", "*MATRIX", "*WORDS", "RETRIEVED, RELEVANT"],
        g=["GAINS", "[[1, 2], [3, 0]]", "[[3, 1, 0], [1, 2, 4], [1, 0, 2], [2, 9, 9]]", "[[1], [2, 3], [0, 4]]"],
        o=["", ", duplicates='first'", ", rel=2"],
    ),
    *each(
        "rg.evaluate_ids({f}, ['nDCG@3', 'AP', 'R@1'], exclude={e}{o})",
        f=["ROWS, ANSWERS", "RETRIEVED, RELEVANT", "ROWS, TRUTH", "*MATRIX"],
        e=["SEEN", "[[4], [1, 5], [9, 0], []]", "[[2, 7]]", "TRUTH", "{'q1': ['d3']}", "[4, 1]"],
        o=["", ", duplicates='in_place'"],
    ),
    # Repeats, chunks and searches.
    *each(
        "rg.evaluate_ids({f}, {m}, duplicates={d!r}{e})",
        f=["REPEATED, FOUND", "[[1, 2, 1], [3, 3, 4]], [[2], [4]]", "[['a', 'b', 'a']], [['b', 'b']]"],
        m=["['P@2', 'RR', 'AP']", "'nDCG'"],
        d=["raise", "first", "in_place", "last"],
        e=["", ", exclude=[['b'], ['c'], ['d']]"],
    ),
    *each(
        "rg.evaluate_ids({f}, DOCUMENTS, ['RR', 'nDCG@2', 'R@3'], documents={d}, duplicates={u!r})",
        f=["CHUNKS", "list(CHUNKS.values())"],
        d=["'#'", "OF_CHUNK", "lambda chunk: chunk[0]", "{'a#2': 'a'}", "''", "3", "lambda chunk: None"],
        u=["raise", "first", "in_place"],
    ),
    "rg.evaluate_ids({'q1': ['c#1', 'c#1'], 'q2': ['a']}, DOCUMENTS, 'RR', documents='#')",
    "rg.evaluate_ids({'q2': ['a'], 'q1': ['e', 'c#1', 'd#1', 'c#1']}, DOCUMENTS, 'RR', documents='#')",
    "rg.evaluate_ids(CHUNKS, DOCUMENTS, 'RR', documents='#', exclude={'q2': ['b'], 'q1': ['c']})",
    *each(
        "rg.evaluate_ids({f}, {r}, ['RR', 'nDCG@2', 'R@3'], calls={c!r}, duplicates={u!r})",
        f=["SEARCHES", "list(SEARCHES.values())", "RETRIEVED"],
        r=["FOUND", "[['a'], ['f', 'a'], ['c', 'b']]"],
        c=["in_order", "round_robin", "by_score"],
        u=["raise", "first", "in_place"],
    ),
    "rg.evaluate_ids(SEARCHES, FOUND, 'RR', calls='round_robin').counts",
    "rg.evaluate_ids({'q1': [['a#1', 'b#2'], ['b#1']], 'q2': [['d#1']]}, FOUND, 'RR', calls='in_order', documents='#')",
    *each(
        "rg.evaluate_ids({f}, 'R@9', {o})",
        f=["SEARCHES, FOUND", "CHUNKS, DOCUMENTS", "[[[3, 1], [4]], [[1]]], TRUTH", "REPEATED, FOUND"],
        o=["calls='in_order'", "documents='#'", "duplicates='first'"],
    ),
    "rg.evaluate_ids([[1, -1, 3], [-2, 4, -1]], [[-1], [4]], ['RR', 'Coverage@3', 'Entropy@1'], catalogue=9)",
    "rg.evaluate_ids([[1, 3, -1], [4, -1, -1]], [[-1], [4]], ['RR', 'Coverage@3', 'Entropy@1'], catalogue=9)",
    "rg.evaluate_ids(ROWS, ANSWERS, 'RR', convention='trec').versions['convention']",
    # Groups of relevant ids.
    *each(
        "rg.evaluate_ids({f}, {m}{o})",
        f=["OF_GROUPS, GROUPS", "list(OF_GROUPS.values()), list(GROUPS.values())"],
        m=["['StRecall@2', 'StRecall@3']", "['StRecall@5', 'alpha_nDCG@3']", "['AP', 'nDCG@2']", "['StRecall@2', 'RR']"],
        o=["", ", gains=[[1], [2], [3]]", ", bounds='ties'", ", exclude={'q1': ['b'], 'q2': ['g']}", ", empty='skip'"],
    ),
    "rg.evaluate_ids(RETRIEVED, RELEVANT, 'StRecall@5')",
    # Cutoffs beyond all rows, and ids that do not match.
    *each(
        "rg.evaluate_ids({f}, {m})",
        f=["ROWS, ANSWERS", "*MATRIX", "RETRIEVED, RELEVANT", "[[1], [2]], [[1], [3]]", "[[], []], [[1], [3]]", "[[1, 2]], [[2]]", "[['a'], ['b']], [['a'], ['c']]"],
        m=["'nDCG@20'", "['R@6', 'P@7']", "['R@6', 'P@7', 'nDCG@5', 'RR@30', 'AP@9']"],
    ),
    "rg.evaluate_ids(ROWS, ANSWERS, 'AP', convention='gdeval')",
    "rg.evaluate_ids(ROWS, ANSWERS, ['nDCG', 'ERR'], convention='gdeval')",
    *each(
        "rg.evaluate_ids({f}, 'RR')",
        f=["[['a1', 'b'], ['c']], [['A1'], ['C']]", "[['a#1', 'b'], ['c#2']], [['a'], ['c']]", "[['c::2', 'd'], ['a']], [['b', 'x'], ['c']]", "[['doc-1-2']], [['doc-1']]",
           "[['doc']], [['dok']]", "[[], ['k', 'l', 'm'], ['n']], [['o'], [], ['p', 'q', 'r']]", "{'a': [1, 2, 3], 'b': [4]}, {'a': [7], 'b': [8, 9, 10]}",
           "{'a': [], 'b': ['x_1', 'y']}, {'b': ['x'], 'a': ['c']}", "{'a': ['x'], 'b': ['y']}, {'c': ['x'], 'd': ['y'], 'e': ['z']}", "{'a': ['x']}, {'c': ['x'], 'd': ['y'], 'a': ['x']}",
           "{'b': ['x'], 'a': ['x'], 'k': ['x'], 'l': ['y'], 'm': ['q']}, {'c': ['x'], 'd': ['y'], 'a': ['x'], 'b': ['z'], 'e': ['z'], 'f': 'g'}", "{1: ['x']}, {'1': ['x'], '2': ['y']}",
           "np.array([[3, 4], [5, 6]]), np.array([[1, 2], [8, 9]])", "np.array([[-1, -1], [5, 6]]), np.array([[1, 2], [8, 7]])", "[[3, 4, 7], [1, 0]], TRUTH", "[[3], [4], [7], [1]], TRUTH"],
    ),
    # What is refused.
    *each(
        "rg.evaluate_ids({f}, 'RR')",
        f=["[['a', None], ['b']], [['a'], ['b']]", "[['b'], ['a', float('nan')]], [['a'], ['b']]", "[['b'], ['c', 3]], [['a'], ['b']]", "[['b'], ['c']], [[1], [2]]",
           "[['b'], ['c', 'a', 'c']], [['a'], ['b']]", "[[1, 2], [4, 7, 4]], [[1], [2]]", "[[1, -1, 2], [4]], [[1], [2]]", "[[4, 1], [1, -1, 2]], [[1], [2]]",
           "[[4, 1], [1, 2]], [[1], [-1, 2]]", "[[4, 1], [1, -2, -1]], [[1], [-1, 2]]", "[[4, 1]], [[1], [2]]", "[['a'], ['b'], ['c']], [['a'], ['b']]", "{'a': ['b']}, [['b']]",
           "[['b'], ['c']], {'a': ['b'], 'd': ['e']}", "[[1, 12], [2, 3], [4], [5]], TRUTH", "[['a']] * 4, TRUTH", "[[0.5, 1.5]], [[1]]", "np.array([[0.5, 1.5], [2.5, 3.5]]), [[1], [2]]",
           "np.array([[0.5, 0.1, 0.3], [0.2, 0.4, 0.6]]), np.array([[0, 1, 0], [1, 0, 0]])", "[[1, 2, 3], [4, 5, 6]], np.array([[0, 1, 0], [1, 0, 1]])",
           "[[1, 2, 3], [4, 5, 6]], [[0, 1, 1], [1, 0, 0]]", "'abc', ['a']", "7, [[7]]", "[['a']], 'a'", "[[['a']]], [['a']]", "[['a'], 'b'], [['a'], ['b']]",
           "[{'a': 1, 'b': 'x'}], [['a']]", "[{'a': 1, 'b': float('nan')}], [['a']]", "[[('a', 1), ('b', None)]], [['a']]", "[['b']], [{'a': float('inf')}]",
           "[['b'], ['a']], [['b'], {'a': 'high'}]", "[['b'], ['a']], [['b'], {'a': None}]", "[['b'], [['a']]], [['b'], ['a']]", "rg.evaluate_ids(ROWS, ANSWERS, 'RR'), ANSWERS",
           "ROWS, rg.evaluate_ids(ROWS, ANSWERS, 'RR')", "{}, {}", "[], []", "np.zeros((0, 3), int), np.zeros((0, 2), int)", "[], ['a']", "[['a']], [[]]"],
    ),
    *each(
        "rg.evaluate_ids(ROWS, ANSWERS, {m})",
        m=["'Coverage@2'", "'nDGC'", "['RR', 'AP', 'RR']", "[]", "'RR', k=3", "'RR', gian='exp2'", "'RR', by='a'", "'RR', keep=1", "'RR', document='a'", "'RR', weigth=[1]", "'RR', run='x'",
           "'RR', systems=True", "'RR', systems=False", "'RR', query='a'", "'RR', doc='a'", "'RR', label='a'", "'RR', score='a'", "'RR', rank='a'", "'RR', label=None", "'RR', retrieved='a'",
           "'RR', retrieved=ROWS", "'RR', popularity={1: 2}", "'RR', baseline=[1]", "'RR', catalogue=9", "'RR', bounds='both'", "'RR', bounds=3", "'RR', bounds=None", "'RR', bounds=[]",
           "'RR', empty='raise'", "'RR', convention='trek'", "'RR', threads=0", "'RR', gain='exp'", "'nDCG', gain=[0, 1, 3]", "'nDCG', gain=lambda label: label * 2", "'nDCG', gain={1: -1}",
           "'GMAP', bounds='unjudged'", "'Coverage@2', gain='exp2'", "'Coverage@2', catalogue=20, rel=2", "'RR', documents=3", "'RR(k=3)'", "'AP(judged_only=true)'",
           "'nDCG', discount=[1, 0.5, 0.25]", "'nDCG', discount=[1, 0.5]", "'nDCG@2', discount=lambda rank: 1 / rank", "'DCG', rel=True", "'R', rel='2'"],
    ),
    "rg.evaluate_ids()",
    "rg.evaluate_ids(ROWS)",
    "rg.evaluate_ids(ROWS, ANSWERS)",
    "rg.evaluate_ids(ROWS, measures='RR')",
    "rg.evaluate_ids(relevant=ANSWERS, measures='RR')",
    "rg.evaluate_ids(retrieved=ROWS, relevant=ANSWERS, measures=['RR', 'AP'])",
    "rg.evaluate_ids(relevant=RELEVANT, retrieved=RETRIEVED, measures=['RR', 'AP'])",
    # Measures of ranked lists beside those of shown items.
    *drawn(
        60,
        "rg.evaluate_ids({f}, {m}{o}{d})",
        f=["ROWS, ANSWERS", "RETRIEVED, RELEVANT", "*MATRIX", "REPEATED, FOUND", "*WORDS", "[[1, 2], [3, 0], [2, 5], [7, 8]], TRUTH"],
        m=["['Coverage@2', 'RR']", "['RR', 'Novelty@2', 'Coverage@1']", "['Entropy@2', 'Personalisation@2']", "['nDCG@2', 'Serendipity@2']", "['Gini@3', 'TailShare@3', 'AP']"],
        o=["", ", catalogue=30", ", popularity={k: i + 1 for i, k in enumerate([*range(10), *'abcdefghqz', *map('d{}'.format, range(11)), 'x1'])}, baseline=[1, 2], catalogue=40",
           ", catalogue=30, exclude=[[4], [1], [8], []]"],
        d=["", ", duplicates='first'", ", duplicates='in_place'", ", convention='ranx'", ", weight=[1, 2, 3, 4]"],
    ),
    "rg.evaluate_ids(REPEATED, FOUND, ['Entropy@2', 'Entropy@1'], duplicates='in_place')",
    "rg.evaluate_ids(REPEATED, FOUND, ['Entropy@3'], duplicates='in_place')",
    "rg.evaluate_ids(ROWS, ANSWERS, 'Coverage', catalogue=10)",
    # One object after the other, and again.
    f"a = rg.evaluate_ids(RETRIEVED, RELEVANT, {ALIKE}); b = rg.evaluate_ids(RETRIEVED, RELEVANT, {ALIKE}, rel=2); a.means; b.means; rg.evaluate_ids(RETRIEVED, RELEVANT, {ALIKE}).means; b.settings",
    f"[rg.evaluate_ids(ROWS, ANSWERS, {ALIKE}, rel=r).means for r in (1, 1.0, 2, 1)]",
    f"[rg.evaluate_ids(ROWS, ANSWERS, {ALIKE}, empty=e).means for e in (0, 1, 'skip', 0.0, True)]",
    f"m = iter({ALIKE}); rg.evaluate_ids(ROWS, ANSWERS, m).means; rg.evaluate_ids(ROWS, ANSWERS, m)",
    "r = pickle.loads(pickle.dumps(rg.evaluate_ids(RETRIEVED, RELEVANT, ['AP', 'R@2'], empty='skip', weight=[1, 2, 3, 4, 5]))); r; r.by(['a', 'b', 'a', 'b', 'b'])",
    "[rg.evaluate_ids(ROWS, ANSWERS, 'nDCG', gain=g).means for g in ({1: 1}, {1: 2, 0: 1}, 'exp2', [0, 5])]",
    *each(
        'rg.evaluate_ids({f})',
        f=["[['1', '2']], [[1]], 'RR'", "[[1, 2]], [['1']], 'RR'", "[['a', 2]], [['a']], 'RR'", "[['a'], ['b', None]], [['a'], ['b']], 'RR'", "[['a', float('nan')]], [['a']], 'RR'",
           "[[1, np.nan]], [[1]], 'RR'", "[[1.5]], [['a']], 'RR'", "[[True]], [['a']], 'RR'", "[['a', ['b']]], [['a']], 'RR'", "[['a'], ['a', 'b', 'a']], [['a'], []], 'RR'",
           "[['a']], [['c', 'b', 'b']], 'RR'", "{'u': ['a', 'a']}, {'u': ['a']}, 'RR'", "{'u': [1, 1]}, {'u': [1]}, 'RR'", "{'u': ['a']}, [['a']], 'RR'", "{'1': ['a']}, {1: ['a']}, 'RR'",
           "[['a']], ['a', 'b'], 'RR'", "[{'a'}], [['a']], 'RR'", "[{'a': 'x'}], [['a']], 'RR'", "[['a']], [{'a': 'x'}], 'RR'",
           "[['a']], [{'a': np.inf}], 'RR'", "[['a']], [['a'], ['b']], 'RR'", "[['a']], [['a']], 'RR', duplicates='last'", "[['a']], [['a']], 'RR', exclude=[[1]]",
           "[['a']], [['a']], 'RR', exclude=[['a'], ['b']]", "[['a']], rg.Truth([[1]]), 'RR'", "[['a']], (np.ones(1), np.array([0]), np.array([0, 1])), 'RR'", "[['a']], 3, 'RR'",
           "[['a']], [['a', 1.5]], 'RR'", "[['a']], [['a']], 'RR', exclude={'u': ['a']}", "{'u': ['a']}, {'u': ['a']}, 'RR', gains=[[1]]", "[['a']], [{'a': 1}], 'RR', gains=[[1]]",
           "[['a']], [['a']], 'RR', gains=[[1], [2]]", "[['a']], [['a']], 'RR', gains=[[1, 2]]", "[['a']], [['a', 'a']], 'RR', gains=[[1, 2]]", "[[0]], [[0]], 'RR', gains=[[[1]]]",
           "[[0]], [[0]], 'RR', gains=[np.ones((1, 1))]", "[[0]], rg.Truth([[1]]), 'RR', gains=[[1]]", "[[0]], [{0: 1}], 'RR', gains=[[1]]",
           "[[0]], np.ma.array([[0]], mask=[[True]]), 'RR'", "np.array([[0]]), 3, 'RR'", "[[0]], rg.Truth([1, 0], group=[2]), 'RR'",
           "[[0]], rg.Truth([[1]], judged=[[1]]), 'nDCG', exclude=[[0]]"],
    ),
    *each(
        'rg.evaluate_ids({f})',
        f=["[['a']], [['a']]", "measures='RR'", "[['a']], measures='RR'", "[['a']], [['a']], 'RR', retrieved=[['a']]", "[['a']], [['a']], 'RR', retrieved='x'",
           "[['a']], [['a']], 'RR', systems=True", "{}, [['a']], 'RR', systems=True", "[['a']], [['a']], 'RR', run='m'", "{'a': [['x']], 'b': []}, [['x']], 'RR'",
           "{1: [['x']], '1': [['x']]}, [['x']], 'RR'", "'a.csv', measures='RR'", "'not_here', measures='RR'", "'a.jsonl', ['RR']"],
    ),
]
