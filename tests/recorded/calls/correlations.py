"""Rankings and runs correlated: every coefficient, ties, cutoffs, refusals."""

from recorded.recording import drawn, each

# fmt: off
GIVEN = """
MANY = {f"d{i}": i * 7 % 5 for i in range(14)}, {f"d{i}": i * 5 % 4 + (i == 3) for i in range(14)}
LONG = [i * 37 % 101 for i in range(70)], [i * 53 % 101 for i in range(70)]
nan = float("nan")
RUN = {"q9": {"a": 1.0, "b": 2.0, "c": 2.0}, "q10": {"x": 1, "y": 0}, "q1": {"a": 3}, "only": {"a": 1, "b": 2}, "q2": {"d": 1.0, "e": 1.0, "f": 1.0}}
OTHER = {"q10": {"y": 5, "x": 7}, "q9": {"b": 1.0, "a": 3.0, "c": 2.0}, "q1": {"a": 1}, "q2": {"f": 3.0, "e": 1.0, "d": 2.0}}
LISTS, MIXED = {"q": ["a", "b", "c"], "r": ["x"]}, {"q": ["c", "b", "a"], "r": {"x": 2.0}}
A, B = np.array([[1, 2, 3, 4], [4, 3, 2, 1], [9, 8, 7, 6]]), np.array([[2, 1, 3, 4], [4, 3, 2, 1], [6, 9, 7, 8]])
C = np.array([[1, 2, 3, 4], [4, 3, 5, 1], [9, 1, 2, 3]])
BIG = np.array([[2**53, 2**53 + 1, -5]]), np.array([[2**53 + 1, 2**53, -5]])
def tried(function, *arguments, **options):
    try: result = function(*arguments, **options)
    except (TypeError, ValueError, KeyError) as error: print(type(error).__name__, error)
    else: print(result, result.value, result.low, result.high, result.per_query, result.mean)
"""
COEFFICIENTS = ["tau_b", "tau", "tau_ap", "spearman", "rbo", "overlap"]
SAME = [
    *("'abcdef', 'badcfe'", "[3, 1, 2], [1, 2, 3]", "{'a': 1, 'b': 2, 'c': 2, 'd': 0}, {'a': 1, 'b': 1, 'c': 3, 'd': 0.5}", "['b', 'a', 'c'], {'a': 1, 'b': 1, 'c': 0}", "'a', 'a'",
        "'', ''",),
    *("{'a': 1, 'b': 1, 'c': 1}, 'cab'", "{'a': 1, 'b': 1}, {'a': 2, 'b': 2}", "'abcdef', 'fedcba'", "np.array([5, 2, 9]), [9, 5, 2]", "{'a': -0.0, 'b': 0.0, 'c': 1}, 'bca'",
        "RUN, OTHER", "LISTS, MIXED", "A, B", "*BIG",),
    *("rg.Run(RUN), OTHER", "A[:, :1], B[:, :1] * 0 + A[:, :1]", "{'a': 2**53 + 1, 'b': 2**53, 'c': 0}, 'bac'", "A[:0], B[:0]", "{'q': 'ab'}, {'q': 'ba'}",
        "[2**53, 2**53 + 1, 1], [1, 2**53 + 1, 2**53]",),
]
OTHER_IDS = ["'abcd', 'bxaz'", "'NHMACFL', 'CGNA'", "{'a': 1, 'b': 1, 'c': 1}, 'xbc'", "A, C", "'ab', ''", "'abc', 'a'", "{'q': 'abc', 'r': 'xy'}, {'r': 'yz', 'q': 'cd'}",
    "{'a': 3, 'b': 2, 'c': 2, 'd': 1}, {'c': 9, 'e': 9, 'a': 1}"]
REFUSED = (
    """
'aba', 'abc'|'abc', 'abb'|'abc', 'abd'|'ab', 'abc'|{'a': nan, 'b': 1}, 'ab'|{'a': 'x', 'b': 1.0}, 'ab'|{'a': None}, 'a'|3, 'a'|'a', 3|b'ab', 'ab'|[[1], [2]], [1, 2]|[1, 2], np.eye(2)|A, 'abc'|A, A[:2]|A, A.astype(float)|A.astype(float), A
RUN, 'abc'|'abc', RUN|RUN, {'z': {'a': 1}}|{'q': 'aba'}, {'q': 'ab'}|{'q': 'ab'}, {'q': {'a': nan, 'b': 1}}|{'q': 'ab', 'r': 'x'}, {'q': 'ac', 'r': 'x'}|A, C|np.array([[1, 1]]), np.array([[1, 2]])|np.array([[1, 2]]), np.array([[2, 2]])
'ab', 'ba', 'kendall'|'ab', 'ba', None|'ab', 'ba', 'rbo', p=1|'ab', 'ba', 'rbo', p=0|'ab', 'ba', 'rbo', p='x'|'ab', 'ba', 'rbo', p=nan|'ab', 'ba', k=0|'ab', 'ba', k=1.5|'ab', 'ba', k=True|np.ones((2, 2, 2)), 'a'
{}, {}|{'q': {}}, {'q': {}}|RUN, {}|{'q': 3}, {'q': 'a'}|{'q': ['a']}, {'q': 4}|None, 'a'|rg.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'P@1'), 'a'|A, np.array([[1, 2, 3, 4], [4, 3, 2, 9], [9, 8, 7, 5]])
""".strip()
    .replace("\n", "|")
    .split("|")
)
CALLS = [
    *each("tried(rg.correlate, {a}, {m!r})", a=SAME, m=COEFFICIENTS),
    *each("tried(rg.correlate, {a}, {m!r}, {o})", a=OTHER_IDS, m=["rbo", "overlap"], o=["", "k=1", "k=2", "k=3, p=0.5", "k=9", "p=0.99"],),
    *drawn(60, "tried(rg.correlate, {a}, {m!r}, k={k})", a=SAME, m=COEFFICIENTS, k=[1, 2, 3, 9]),
    *each("tried(rg.correlate, {a}, {m!r})", a=OTHER_IDS[:4], m=["tau", "spearman"]),
    *each("tried(rg.correlate, {a})", a=REFUSED),
    "rg.correlate(RUN, OTHER)",
    "rg.correlate(RUN, OTHER, 'rbo', p=0.5)",
    "rg.correlate({'q': 'ab'}, {'q': 'ba', 'r': 'c'})",
    "rg.correlate('ab', 'ba')",
    "rg.correlate(LISTS, MIXED, 'tau'); rg.correlate(LISTS, MIXED, 'overlap').per_query; rg.correlate(A, B, 'overlap', k=2).per_query",
]
CALLS += [
    *each("tried(rg.correlate, {a}, {m!r})", a=["*MANY", "MANY[1], MANY[0]", "*LONG"], m=["rbo", "overlap"]),
    *each("tried(rg.correlate, {a}, {m!r})", a=["*MANY", "MANY[1], MANY[0]", "LONG[0], sorted(LONG[0])", "sorted(LONG[0]), LONG[0]"], m=COEFFICIENTS[:4]),
    *each("tried(rg.correlate, {a}, {m!r}, k=5)", a=["*MANY", "MANY[1], MANY[0]"], m=["rbo", "overlap"]),
]
CALLS = [*dict.fromkeys(CALLS)]
