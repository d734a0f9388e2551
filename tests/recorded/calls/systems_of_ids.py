"""evaluate_ids for several systems, and what its first argument is taken for."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
RELEVANT = {"q2": {"a": 2, "c": 1}, "q1": ["b"], "q3": ["z", "a"]}
SYSTEMS = {
    "pop": {"q1": ["a", "b"], "q2": ["c", "d", "a"], "q3": []},
    "als": {"q2": ["a"], "q1": ["c", "b", "d"], "q9": ["a"]},
    "bm25": {"q3": ["a", "z", "b", "c"]},
}
ROWS = [["a"], ["b", "c"]]
OF_ROWS = {"x": [["a", "b"], ["c"]], "w": [["d"], ["c", "b"]]}
NUMBERS = {"x": np.array([[1, 2], [3, -1]]), 7: np.array([[5, 4], [2, 3]])}
OF_NUMBERS = [[2, 4], [3, 9, 2]]
TRUTH = rg.Truth(np.eye(2, 6))
SCORED = {"s": {"q1": {"a": 1.0, "b": 3.0}, "q2": {"c": 1, "a": 1}}, "t": {"q2": {"a": 0.5}}}
SPLIT = {"s": {"q1": [["a"], ["b"]], "q2": [["c", "a"]]}, "t": {"q2": [["d"], ["a", "c"]], "q1": [[]]}}
ANSWER = {"hits": {"hits": [{"_id": "b", "_score": 2.5}, {"_id": "a", "_score": 3}]}}
"""
PAIRS = [
    "SYSTEMS, RELEVANT",
    "OF_ROWS, ROWS",
    "NUMBERS, OF_NUMBERS",
    "NUMBERS, TRUTH",
    "SCORED, RELEVANT",
]
MEASURES = [
    "'RR'",
    "['nDCG@2', 'R@3', 'AP']",
    "['Coverage@1', 'P@2']",
    "['Entropy@2', 'Serendipity@2']",
]
OPTIONS = [
    "",
    ", systems=True",
    ", systems=False",
    ", catalogue=20, baseline=iter(['a', 'c'])",
    ", catalogue=['a', 'b', 'c', 'd', 'z'], baseline={'q1': ['a'], 'q2': ['c'], 'q3': []}",
    ", exclude={'q1': ['a'], 'q2': iter(['c'])}",
    ", exclude=map(list, [['a'], ['c']])",
    ", exclude=[[1], [3, 2]]",
    ", duplicates='first'",
    ", empty='skip'",
    ", weight={'q1': 2, 'q2': 1, 'q3': 4}",
    ", weight=[3, 1]",
    ", rel=2",
    ", convention='ranx'",
    ", bounds='unjudged'",
    ", calls='in_order'",
]
CALLS = [
    *each("rg.evaluate_ids({p}, {m})", p=PAIRS, m=MEASURES[:2]),
    *drawn(120, "rg.evaluate_ids({p}, {m}{o})", p=PAIRS, m=MEASURES, o=OPTIONS[1:]),
    *each(
        "rg.evaluate_ids(SPLIT, RELEVANT, ['RR', 'R@2']{o})",
        o=[", calls='in_order'", ", calls='round_robin'", ", systems=True, calls='round_robin'", ", systems=False, calls='in_order'", ""],
    ),
    # One ranking, rankings by query, or systems.
    *each(
        "rg.evaluate_ids({f}, {r}, 'RR'{s})",
        f=["{'a': ['b', 'c'], 'd': ['e']}", "{'a': [['b', 'c'], ['d']]}", "{'q1': [['b', 'c'], ['d']], 'q2': [['a']]}", "{'m': {'q1': ['b']}}", "{'m': {}, 'n': {'q1': ['b']}}", "{'m': {}}",
           "{'b': 0.5, 'c': 2}", "{'m': {'b': 0.5, 'c': 2}}", "{'m': {'q2': {'b': 0.5, 'c': 2}}}", "{'q1': [['b', 0.5], ['c', 2.0]]}", "{'m': [[1, 2], [3]]}",
           "{'m': np.array([[1, 2], [3, 4]])}", "{'m': [{'b'}, {'c'}]}", "{'m': ()}", "{}", "ANSWER", "{'responses': [ANSWER, ANSWER]}", "{'m': ANSWER, 'n': ANSWER}", "[['b'], ['c']]",
           "['b', 'c']", "np.array([['b', 'c'], ['a', 'd']], object)"],
        r=["RELEVANT", "ROWS", "['b']", "[[1], [3]]"],
        s=["", ", systems=True"],
    ),
    # What is wrong with one of the systems.
    *each(
        "rg.evaluate_ids({f}, RELEVANT, 'RR', systems=True)",
        f=["{'m': {'q1': ['a']}, 'n': {'q1': ['b', 'b']}}", "{'m': {'q1': ['a', 'a']}, 'n': {'q1': ['b', 'b']}}", "{1: {'q1': ['a']}, '1': {'q1': ['b']}}",
           "{'m': {'q1': ['a']}, 'n': {'q1': [None]}}", "{'m': {'q7': ['a']}, 'n': {'q1': ['b'], 'q8': ['c']}}",
           "{'m': {'q1': ['b#1'], 'q2': ['u'], 'q3': ['v']}, 'n': {'q1': ['w'], 'q2': ['x'], 'q3': ['y']}}", "{None: {'q1': ['a']}}", "{'': {'q1': ['a']}}", "{'m': 3}", "{'m': None}"],
    ),
    "rg.evaluate_ids(SYSTEMS, RELEVANT, 'nDCG@30')",
    "rg.evaluate_ids(SYSTEMS, RELEVANT, 'AP', run='m')",
    "rg.evaluate_ids(SYSTEMS, RELEVANT, 'AP', run=None)",
    "rg.evaluate_ids({'m': SYSTEMS['pop']}, RELEVANT, 'AP', run=None, systems=True)",
    "rg.evaluate_ids(SYSTEMS['pop'], RELEVANT, 'AP', run=None)",
    "rg.evaluate_ids(SYSTEMS['pop'], RELEVANT, 'AP', run='x', systems=True)",
    "rg.evaluate_ids(iter([['a']]), RELEVANT, 'AP', systems=True)",
    "rg.evaluate_ids(SYSTEMS, iter([['a']]), 'AP')",
    "rg.evaluate_ids(OF_ROWS, map(list, ROWS), 'AP')",
    "rg.evaluate_ids(SYSTEMS, {key: iter(ids) for key, ids in RELEVANT.items()}, 'AP')",
    "rg.evaluate_ids(SYSTEMS, RELEVANT, iter(['AP', 'RR']))",
]
