"""evaluate_catalogue: measures of the items that all lists show."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import pickle
LISTS = [[7, 2, 5], [2, 9], [], [7, 5, 2, 9, 11]]
ARRAY = np.array([[7, 2, 5, -1], [2, 9, -1, -1], [-1, -1, -1, -1], [7, 5, 2, 9]])
USERS = {"u3": ["c", "a", "b"], "u1": ["a"], "u2": ["d", "a", "e", "b"], "u0": []}
BIG = {"u": [2**53 + 1, 2**53, 4], "v": [4, -9], "w": [2**53]}
LARGE = np.array([[2**40, 3], [3, 2**40 + 1], [5, -1]])
COUNTS = {7: 10, 2: 3, 5: 3, 9: 1, 11: 2, 1: 6, 0: 20, 4: 0, 20: 1, 21: 1, 22: 1}
BY_ITEM = [20, 6, 3, 0, 0, 3, 1, 10, 1, 1, 0, 2]
LETTERS = {"a": 9, "b": 4, "c": 4, "d": 1, "e": 2, "f": 30, "g": 0}
VECTORS = {7: [1, 0], 2: [0, 2], 5: [3, 3], 9: [-1, 0.5], 11: [0.1, 0], 30: [0, 0]}
OF_LETTERS = {"a": [1, 0, 2], "b": [0, 1, 1], "c": [1, 1, 0], "d": [0, 0, 1], "e": [2, 2, 2]}
KINDS = {7: "x", 2: "y", 5: "x", 9: "y", 11: "z", 4: None}
SETS = {"a": ["k", "l"], "b": {"l"}, "c": (), "d": frozenset("km"), "e": "m", "f": None}
RELEVANT = [[2, 5], [9, 1], [7], {7: 0, 2: 1, 11: 2}]
OF_USERS = {"u1": ["a", "b"], "u2": {"d": 1, "a": 0, "e": -1, "b": 2}, "u3": {"c"}, "u0": []}
TRUTH = rg.Truth(np.eye(4, 12, 2) + np.eye(4, 12, 5))
ALL = dict(catalogue=30, popularity={**COUNTS}, baseline=[7, 2])
"""
FORMS = ["LISTS", "ARRAY", "iter(LISTS)", "[7, 2, 5]", "tuple(map(tuple, LISTS))"]
CALLS = [
    *drawn(
        90,
        "rg.evaluate_catalogue({f}, {m}, k={k}, {a})",
        f=FORMS,
        m=["['Coverage', 'Gini']", "['Entropy', 'Personalisation']", "['Novelty', 'Popularity', 'TailShare', 'NewItems']", "['Serendipity', 'Coverage@1', 'Gini@3']", "'Personalisation@3'"],
        k=["1", "2", "3", "10"],
        a=["**ALL", "catalogue=[7, 2, 5, 9, 11, 40], popularity=BY_ITEM, baseline=[[7], [9, 2], [], [5, 7]]",
           "catalogue={*range(12)}, popularity=np.array(BY_ITEM, 'f4'), baseline=[2], relevant=RELEVANT",
           "popularity=COUNTS, baseline=iter([[7, 5], [2], [1], [11]]), relevant=map(list, RELEVANT[:3] + [[7]])",
           "catalogue=np.arange(12), popularity=BY_ITEM, baseline=[7], relevant=TRUTH"],
    ),
    *drawn(
        40,
        "rg.evaluate_catalogue(USERS, {m}, k={k}, {a})",
        m=["['Coverage', 'Gini', 'Entropy']", "['Novelty', 'Popularity', 'TailShare']", "['Serendipity', 'Personalisation']", "['Serendipity@1', 'Serendipity@4', 'NewItems@2']"],
        k=["1", "2", "4"],
        a=["catalogue=list('abcdefgh'), popularity=LETTERS, baseline=['a', 'f']", "catalogue=LETTERS, popularity=LETTERS, baseline=USERS, relevant=OF_USERS",
           "popularity=LETTERS, baseline={'u0': ['a'], 'u1': ['b'], 'u2': ['a', 'd'], 'u3': [], 'u9': ['a']}, relevant=OF_USERS",
           "catalogue=iter('abcdef'), popularity=LETTERS, baseline=['d'], relevant={'u2': ['d', 'e'], 'u7': ['a']}"],
    ),
    *each(
        "rg.evaluate_catalogue({f}, ['ILD@2', 'ILD', 'ILD@1'], k={k}, {a})",
        f=["LISTS", "ARRAY"],
        k=["3", "5"],
        a=["features=VECTORS", "features=np.arange(24).reshape(12, 2) % 5 + 1", "categories=KINDS", "categories=[k % 3 for k in range(12)]",
           "categories={k: [k % 2, k % 3] for k in range(12)}", "features=np.ones((12, 1))", "features={k: np.array([k, 1], 'f4') for k in range(12)}"],
    ),
    *each(
        "rg.evaluate_catalogue(USERS, ['ILD@2', 'ILD@4'], {a})",
        a=["features=OF_LETTERS", "categories=SETS", "categories={k: str(v) for k, v in SETS.items()}", "categories={k: np.array(list(v or 'q')) for k, v in SETS.items()}"],
    ),
    *each(
        "rg.evaluate_catalogue({f}, ['Entropy@2', 'Coverage@1', 'Personalisation@2', 'Gini@2'], catalogue={c})",
        f=["BIG", "LARGE"],
        c=["2**60", "9", "[2**53, 2**53 + 1, 4, -9]", "[3, 5, 2**40, 2**40 + 1]", "3"],
    ),
    *each(
        "rg.evaluate_catalogue({f}, 'Popularity@2', popularity={p})",
        f=["BIG", "LARGE"],
        p=["{4: 1, 2**53: 3, 3: 8, 2**40 + 1: 5}", "[1, 2, 3]", "np.zeros(6)"],
    ),
    # What is refused, and what is warned of.
    *each(
        "rg.evaluate_catalogue(LISTS, {m})",
        m=["'Coverage'", "'Coverage@2'", "'Gini@2'", "'Novelty@2'", "'Popularity@1'", "'TailShare@2'", "'NewItems@2'", "'ILD@2'", "'ILD@2', features=VECTORS, categories=KINDS",
           "'Serendipity@2'", "'nDCG@2'", "['Coverage@2', 'RR'], catalogue=30", "'Cover@2'", "[]", "'Coverage', k=0, catalogue=30", "'Coverage', k=2.0, catalogue=30",
           "'Coverage', k=True, catalogue=30", "'Coverage@2', catalogue=2", "'Coverage@2', catalogue=[7, 2]", "'Coverage@2', catalogue=['7', '2']", "'Coverage@2', catalogue='items'",
           "'Coverage@2', catalogue=2.5", "'Coverage@2', catalogue=np.zeros((2, 2), int)", "'Coverage@2', catalogue=True", "'Coverage@2', catalogue=-1", "'Coverage@2', catalogue=[[1], [2]]",
           "'Coverage@2', catalogue={}", "'Novelty@2', popularity={7: 1, 2: 0, 5: 3, 9: 1}", "'Novelty@3', popularity={7: 1, 2: 4}", "'Novelty@2', popularity=[1, 2]",
           "'Novelty@2', popularity={7: -1, 2: 4}", "'Novelty@2', popularity={7: float('nan'), 2: 4, 9: 3}", "'Novelty@2', popularity={7: 'x', 2: 4}", "'Novelty@2', popularity={'7': 1}",
           "'Novelty@2', popularity='seven'", "'Novelty@2', popularity={7, 2}", "'Popularity@2', popularity=3", "'TailShare@2', popularity={}", "'Popularity@2', popularity=[]",
           "'ILD@2', features={7: [1, 0], 2: [1], 5: [1, 2], 9: [1]}", "'ILD@2', features={7: [1, 0]}", "'ILD@2', features={k: 1 for k in range(12)}", "'ILD@2', features=np.zeros((12, 2))",
           "'ILD@2', features=np.full((12, 2), np.inf)", "'ILD@2', features=np.ones((5, 2))", "'ILD@2', features=np.ones(12)",
           "'ILD@2', features={7: ['a', 'b'], 2: ['c', 'd'], 5: ['c', 'd'], 9: ['a', 'b']}", "'ILD@2', features='abc'", "'ILD@2', categories={7: 'x', 2: None, 5: 'x', 9: 'y'}",
           "'ILD@2', categories={7: 'x', 2: ['y', float('nan')], 5: 'x', 9: 'y'}", "'ILD@2', categories={7: {'x': 1}, 2: 'y', 5: 'x', 9: 'y'}", "'ILD@2', categories=np.zeros((12, 2))",
           "'ILD@2', categories={7: 'x'}", "'ILD@2', categories={7: [], 2: [], 5: [], 9: ['a']}", "'ILD@2', categories={7: [], 2: 'y', 5: 'x', 9: ['y']}",
           "'Serendipity@2', baseline=[[1], [2]]", "'Serendipity@2', baseline=['a']", "'Serendipity@2', baseline={'u': [1]}", "'Serendipity@2', baseline=[7], relevant=[[2]]",
           "'Serendipity@2', baseline=[7], relevant=[['a']] * 4", "'Serendipity@2', baseline=[7], relevant=[2, 5]",
           "'Serendipity@2', baseline=[7, -1], relevant=[[2, -1], [9], [1], [5, -1]]", "'Serendipity@2', baseline=[7, -2], relevant=[[2, -1], [9], [1], [5, -1]]"],
    ),
    *each(
        "rg.evaluate_catalogue({f}, 'Entropy@2')",
        f=["[[1, 2, 1]]", "[[3, 4], [1, 2, 2]]", "np.array([[3, 4], [2, 2]])", "np.array([[3, -1, 4]])", "np.array([[3.5, 4]])", "[[1, None]]", "[[1, 'a']]", "{'u': 3}", "'abc'", "[]", "{}",
           "np.zeros((0, 2), int)", "[[], []]", "np.array([[-3, 4], [2, -1]])", "{'u': {'a': 1.0, 'b': 2.0}, 'v': {'b': 3, 'c': 1}}", "[[('a', 1.0), ('b', 2.0)]]",
           "np.array([[0.5, 0.2], [0.1, 0.9]])"],
    ),
    *each(
        "rg.evaluate_catalogue(USERS, 'Serendipity@2', {a})",
        a=["baseline={'u0': [], 'u1': ['a'], 'u2': []}", "baseline=[['a'], ['b'], [], []]", "baseline=['a'], relevant={'u1': ['a']}",
           "baseline=['a'], relevant={'u1': ['a'], 'u2': ['e'], 'u0': []}", "baseline=['a'], relevant=[['a'], [], [], ['e']]", "baseline=['a'], relevant={}", "baseline=['a'], relevant={'z': ['a']}",
           "baseline=['a'], relevant={1: ['a']}", "baseline=['a'], relevant=['e']"],
    ),
    *each(
        "rg.evaluate_catalogue(LISTS, 'Entropy@2', {a})",
        a=["query='u'", "doc='i'", "label=None", "label='l'", "score='s'", "rank='r'"],
    ),
    # What can be done with the result.
    *each(
        "r = rg.evaluate_catalogue({f}, ['Coverage@2', 'Gini@3', 'Entropy@1', 'Popularity@2', 'Personalisation@2'], catalogue=30, popularity={p}); {s}",
        f=["LISTS"],
        p=["COUNTS", "BY_ITEM"],
        s=["r.intervals(method='t'); r.interval('Gini@3', level=0.8)", "r.by(['a', 'b', 'a', 'b'])", "rg.Evaluation.merge([r, r.by(['a', 'b', 'b', 'b'])['a']])",
           "pickle.loads(pickle.dumps(r)); r['Coverage@2']", "list(r.queries); r.recommended is None; len(r)", "r.to_dict()"],
    ),
    *each("rg.evaluate_catalogue({{'v': [7, 2], 'u': [5, -1]}}, 'Serendipity@2', baseline={b}, relevant={r})", b=["[9]", "{'u': [9, 5], 'v': [2, -1]}"], r=["{'u': [5, -1], 'v': [2, 9]}", "{'v': [-1, -1], 'u': [5, 7]}"]),
    "rg.evaluate_catalogue(LISTS, ['Coverage', 'Coverage@2', 'Coverage@1'], k=2, catalogue=20)",
    "r = rg.evaluate_catalogue(USERS, 'Coverage', k=2, catalogue=20); r['Coverage']; r['Coverage@2']; r.requested; r.settings",
    "[rg.evaluate_catalogue(LISTS, 'Coverage', k=k, catalogue=c).means for k, c in ((1, 20), (2, 20), (1, 40), (1, 20))]",
    "m = iter(['Entropy@1', 'Entropy@2']); rg.evaluate_catalogue(LISTS, m)",
    # Large tables of users and categories, which are filled a part at a time.
    "r = rg.evaluate_catalogue(np.arange(6000).reshape(1000, 6) % 97, ['ILD@6', 'ILD@2'], categories={k: k * 7919 for k in range(97)}); r.means; sum(r.per_query['ILD@6'] == 1)",
    "r = rg.evaluate_catalogue(np.arange(9000).reshape(3000, 3), ['ILD@3'], categories=(np.arange(9000) % 4000).tolist()); r.means",
    "r = rg.evaluate_catalogue(np.arange(9000).reshape(3000, 3), ['ILD@3'], categories=(np.arange(9000) // 2).tolist()); r.means; r.per_query['ILD@3'][:6]",
    "r = rg.evaluate_catalogue(np.arange(60).reshape(20, 3), ['ILD@3', 'ILD@2'], categories={k: {k % 5, k % 2 + 9, *range(k % 7)} for k in range(60)}); r.means; r.per_query['ILD@3']",
    "r = rg.evaluate_catalogue(np.arange(60).reshape(20, 3), ['ILD@3', 'ILD@2'], features=np.cos(np.arange(60 * 900).reshape(60, 900))); r.means; r.per_query['ILD@3']",
    *each(
        'rg.evaluate_catalogue({f})',
        f=["[[1]], 'Popularity', popularity={'1': 5}, k=3", "[[1]], 'NewItems', popularity={'1': 5}, k=3", "[['1']], 'NewItems', popularity={1: 5}, k=3",
           "[[1]], 'NewItems', popularity={1: 5, np.nan: 1}, k=3", "[[1]], 'ILD', features={'1': [1]}, k=3", "[[1]], 'ILD', categories={'1': 'a'}, k=3",
           "[[1]], 'Coverage', catalogue=['1'], k=3", "[[1]], 'Coverage', catalogue=[1, np.nan], k=3", "[[1]], 'Coverage', catalogue='abc', k=3",
           "[[1]], 'Coverage', catalogue=np.array([[1, 2]]), k=3", "[[1]], 'Coverage', catalogue=[[1], [2]], k=3", "[[1]], 'Coverage', catalogue=2.5, k=3",
           "[[1]], 'Serendipity', baseline=[['1']], k=3", "[[1]], 'Serendipity', relevant=[['1']], baseline=[[9]], k=3", "[[1]], 'Serendipity', relevant=[[np.nan]], baseline=[[9]], k=3",
           "{'u': [1]}, 'Serendipity', baseline={1: [2]}, k=3", "{'u': [1], 'v': [1]}, 'Serendipity', baseline={'u': [2]}, k=3", "{'u': [1]}, 'Serendipity', baseline=[[2]], k=3",
           "[[1]], 'Serendipity', baseline={'u': [2]}, k=3", "[[1, np.nan]], 'Entropy', k=3", "[[1, None]], 'Entropy', k=3", "[[1, 2.5]], 'Entropy', k=3", "[[1, 'a']], 'Entropy', k=3",
           "[[1, 2]], 'ILD', features={1: [1], 2: [1, 2]}, k=3", "[[1, 2]], 'ILD', features={1: ['a'], 2: ['b']}, k=3", "[[1, 2]], 'ILD', features=3, k=3",
           "[[1, 2]], 'ILD', categories={1: None, 2: 'a'}, k=3", "[[1, 2]], 'ILD', categories={1: {'a': 1}, 2: 'a'}, k=3", "[[1, 2]], 'ILD', categories={1, 2}, k=3",
           "[[1, 2]], 'Popularity', popularity={1: 'a', 2: 1}, k=3", "[[1, 2]], 'Popularity', popularity='ab', k=3", "[[1, 2, 1]], 'Coverage', catalogue=5, k=3",
           "np.array([[1, 1]]), 'Coverage', catalogue=5, k=3", "np.array([[1, -1, 2]]), 'Coverage', catalogue=5, k=3", "[[1, 'a']], 'Coverage', catalogue=5, k=3",
           "{1, 2}, 'Coverage', catalogue=5, k=3", "[[1, 2]], 'Coverage', k=3", "[[]], 'Coverage', catalogue=0, k=3", "[[1, 2]], 'Coverage', catalogue=1, k=3",
           "[[1, 2]], 'Gini', catalogue=[1, 3], k=3", "[[1, 2]], 'Novelty', k=3", "[[1, 2]], 'Popularity', k=3", "[[1, 2]], ['Entropy', 'TailShare@1'], k=3", "[[1, 2]], 'NewItems', k=3",
           "[[1, 2]], 'Gini@2', k=3", "[[1, 2]], 'Novelty', popularity={1: 3}, k=3", "[[1, 2]], 'Popularity', popularity={1: -3}, k=3", "[[1, 9]], 'Popularity', popularity=[1, 2], k=3",
           "[['x']], 'Popularity', popularity=[1, 2], k=3", "[[1, 2]], 'ILD', k=3", "[[1, 2]], 'ILD', features={1: [1.0]}, k=3", "[[1, 2]], 'ILD', features={1: [1.0], 2: [0.0]}, k=3",
           "[[1, 2]], 'ILD', features={1: 1.0, 2: 2.0}, k=3", "[[1, 2]], 'ILD', categories=np.ones((3, 2)), k=3", "[[1, 2]], 'Serendipity', k=3",
           "[[1, 2]], 'Serendipity', baseline=[[1], [2]], k=3", "[[1, 2]], 'nDCG', k=3", "[[1, 2]], 'Coverage', k=0", "[[1, 2]], 'Coverage', k=None, catalogue=2"],
    ),
]
