"""Models that score all items: a function of users, or factors, evaluated a block at a time."""

from recorded.recording import drawn, each

GIVEN = """
from unittest import mock
from rankgain.evaluation.partial import users as model_users
def sizes(cells, low=16, high=1024):
    names = {"MAX_BLOCK_CELLS": cells, "BLOCK": cells, "MIN_USERS": low, "MAX_USERS": high}
    return mock.patch.multiple(model_users, **names)
RELEVANT = [[3, 0], [], [2], [5, 4, 1], [2, 1]]
EXCLUDED = (np.ones(8), np.array([1, 0, 5, 0, 2, 5, 3, 1]), np.array([0, 1, 3, 3, 5, 8]))
SCORES = np.array([[3, 1, 2, 2, 0, 5], [9, 8, 7, 1, 1, 0], [1, 1, 1, 1, 1, 1], [0, 2, 4, 2, 2, -np.inf],
    [0.5, 7, 7, 0.25, 2, 9.0]])
USERS = np.array([[1.0, 0, 2], [0, 1, 1], [0, 0, 0], [3, 1, -1], [-2, 0.5, 1]])
ITEMS = np.array([[3.0, 1, 0], [2, 2, 1], [1, 3, 1], [1, 3, 1], [0, -1, 2], [2, 2, 1]])
BIAS = [0, 0.5, -1, 0, 2, 0.25]
MEASURES = ["nDCG@3", "AP", "RR", "HitRate@2", "NumRet"]
def csr(*arrays):
    return tuple(map(np.array, arrays))
MATRIX = np.zeros((5, 6))
for user, items in enumerate(RELEVANT):
    MATRIX[user, items] = np.arange(1, len(items) + 1)
def score(users, matrix=SCORES, calls=None):
    if calls is not None:
        calls.append(users.tolist())
    return matrix[users]
def evaluate(measures=MEASURES, relevant=RELEVANT, function=score, **options):
    return rg.evaluate_scores(function, relevant, measures, **options)
def factors(measures=MEASURES, relevant=RELEVANT, users=USERS, items=ITEMS, **options):
    return rg.evaluate_factors(users, items, relevant, measures, **options)
def with_nan(*cells):
    matrix = SCORES.copy()
    for user, item in cells:
        matrix[user, item] = np.nan
    return lambda users: matrix[users]
"""
# fmt: off
OPTIONS = ["", "ties='best'", "ties='stable'", "ties='id'", "ties='id_descending'", "ties='random', seed=3"]
OPTIONS += ["weight=[1, 2, 3, 0.5, 4]", "empty='skip'", "empty=1", "gain='exp2'", "convention='implicit'"]
OPTIONS += ["convention='recbole'", "threads=2", "convention='sklearn'"]
EXCLUDES = ["", "exclude=EXCLUDED", "exclude=MATRIX > 0", "exclude=SCORES == 2"]
TAKEN = ["", "users=[4, 0, 2]", "users=np.array([3], 'i1')", "users=[1, 3, 2, 4, 0]", "batch=1", "batch=2",
    "batch=4, users=[4, 3, 0, 1]"]


def added(options):
    return [option and f", {option}" for option in options]


FEW = ["MEASURES", "'AP'", "['R@2', 'nDCG']", "['AUC', 'RR']"]
CALLS = [
    *each("evaluate({e})", e=EXCLUDES),
    *each("evaluate({o})", o=OPTIONS),
    *drawn(110, "evaluate({m}{e}{t}{o})", m=FEW, e=added(EXCLUDES), t=added(TAKEN), o=added(OPTIONS[:6] + OPTIONS[7:])),
    *each("evaluate(weight={w}, {t})", w=["[1, 2, 3]", "[1, 2, 3, 4, 5]", "np.array([2, 0, 1])"], t=TAKEN[:2]),
    *each("factors({e})", e=EXCLUDES),
    *each("factors({o})", o=OPTIONS),
    *drawn(70, "factors({m}{e}{b}{o})", m=FEW, e=added(EXCLUDES), o=added(OPTIONS), b=added(["", "item_bias=BIAS",
        "item_bias=np.zeros(6)"])),
    *each("{f}(relevant={r})", f=["evaluate", "factors"], r=["MATRIX", "MATRIX > 1", "[[]] * 5", "[[1]] * 4",
        "[np.array([3, 0]), (), [2], np.array([5, 4, 1], 'i2'), [2, 1]]", "[[6], [], [], [], []]", "np.zeros((5, 7))",
        "[[-1], [], [], [], []]", "[[1, 1], [], [2], [], []]", "3", "[]", "[[1], ['a'], [], [], []]",
        "[[], [], [2, 9], [7], []]"]),
    *each("{f}(exclude={r})", f=["evaluate", "factors"], r=["MATRIX", "SCORES > 9", "SCORES[:4] > 1", "SCORES[:, :5] > 1",
        "np.zeros((5, 7), bool)", "[[1], [0, 5], [], [0, 2], [5, 3, 1]]", "3", "csr([1, 1], [2, 9], [0, 0, 1, 2, 2, 2])",
        "csr(np.ones(3), [2, 0, 5], [0, 2, 2, 3, 3, 3])", "csr([1, 1], [2, 1], [0, 0, 1, 2, 2])",
        "csr([1, 1, 1], [2, 2, 1], [0, 0, 2, 3, 3, 3])", "csr([1], [-1], [0, 0, 1, 1, 1, 1])"]),
    *each("evaluate(users={u})", u=["[0, 0]", "[5]", "[-1]", "[1, 3, 1, 7]", "[1, 7, 1, 9]", "[]", "[0.5]", "['a']", "3",
        "[[1]]", "range(2)", "np.array([True, False, True, True, True])"]),
    *each("evaluate(batch={b}).means", b=["0", "-1", "1.5", "True", "'2'", "np.uint8(2)", "10**9"]),
    *each("c = []; e = evaluate('RR', function=lambda users: score(users, calls=c), {t}); c", t=TAKEN),
    *each("c = []\nwith sizes({n}, 16, {h}):\n    e = evaluate('RR', RELEVANT * 3, lambda users: score(users % 5, calls=c))\n"
        "c; e", n=[1, 12, 36, 1000], h=[4, 50]),
    *each("with sizes({n}, {m}, {h}):\n    e = factors({o})\ne == factors({o})", n=[1, 12, 36], m=[1, 2], h=[2, 3, 50], o=["",
        "item_bias=BIAS, exclude=EXCLUDED"]),
    # What the function returns.
    *each("evaluate('RR', function=lambda users: {s})", s=["SCORES[users].tolist()", "SCORES[users].astype('f4')",
        "SCORES[users] // 2", "SCORES[users][:, :4]", "SCORES", "SCORES[users][:-1]", "SCORES[0]", "3.0", "None",
        "SCORES[users, :, None]", "SCORES[users] > 1", "SCORES[users].astype(str)", "SCORES.T[users % 6].T[:5]",
        "np.asfortranarray(SCORES[users])", "SCORES[users].astype('>f4')", "SCORES[users] + 1j"]),
    "evaluate('RR', function=lambda users: SCORES[users][:, :6 - users[0]], batch=1)",
    "evaluate('RR', function=lambda users: SCORES[users][:, :3 + users[0]], batch=1, relevant=[[1]] * 5)",
    "def fails(users):\n    raise KeyError('no model')\nevaluate('RR', function=fails)",
    "def changes(users):\n    users[:] = 0\n    return SCORES[:2]\nevaluate('RR', function=changes, batch=2, users=[0, 1])",
    "b = np.empty((2, 6))\ndef reuses(users):\n    b[:len(users)] = SCORES[users]\n    return b[:len(users)]\n"
    "evaluate(function=reuses, batch=2) == evaluate(); evaluate(function=reuses, batch=2, exclude=EXCLUDED) =="
    " evaluate(exclude=EXCLUDED)",
    "s = SCORES.copy(); evaluate(function=lambda u: s[:] if len(u) == 5 else s[u], exclude=EXCLUDED); (s == SCORES).all()",
    *each("evaluate(function=with_nan({c}), {o})", c=["(0, 2)", "(3, 1), (1, 4)", "(4, 5)", "(0, 1), (4, 3), (4, 5)",
        "(4, 3), (4, 2)", "(1, 0), (3, 2), (3, 4)", "(1, 5), (2, 3)", "(3, 0), (4, 3), (4, 2), (4, 0)"], o=["",
        "exclude=EXCLUDED", "batch=2", "users=[4, 1, 0], batch=1", "ties='id', exclude=EXCLUDED"]),
    "evaluate(function=SCORES)",
    "evaluate(function='model')",
    *each("{f}({m})", f=["evaluate", "factors"], m=["[]", "'nothing'", "'Coverage@2'", "['RR', 'ILD']", "'Bpref'",
        "'RR', weight=[1, 2]", "'RR', empty='raise'", "'RR', convention='sklear'", "'RR', ties='top'", "'RR', threads=0",
        "['RR', 'P@1', 'RR']", "iter(['RR', 'AP'])", "'RR', weight=[1, -2, 1, 1, 1]"]),
    *each("a = {f}(ties='best').means, {f}().means, {f}(exclude=EXCLUDED).means, {f}().means; a", f=["evaluate", "factors"]),
    *each("{f}([rg.measure('first', lambda ranking: float(ranking.labels[0])), 'RR'])", f=["evaluate", "factors"]),
    # Factors.
    *each("factors({c})", c=["users=USERS[0]", "items=ITEMS[0]", "users=USERS[:4]", "items=ITEMS[:, :2]", "users=3",
        "users=[[np.nan] * 3] * 5", "items=np.where(ITEMS == -1, np.inf, ITEMS)", "users=USERS * 1e30, items=ITEMS * 1e10",
        "users=USERS * 1e39", "users=USERS.astype('f4'), items=ITEMS.astype('f2')",
        "users=USERS.tolist(), items=ITEMS.tolist()", "users=USERS.astype(str)", "item_bias=[1, 2]", "item_bias=[BIAS]",
        "item_bias=[0, 1, np.nan, 2, np.inf, 0]", "item_bias=[1e39] * 6", "users=np.zeros((5, 0)), items=np.zeros((6, 0))",
        "users=USERS.astype(int)", "users=np.zeros((0, 3)), relevant=[]", "items=np.zeros((0, 3)), relevant=[[]] * 5",
        "users=USERS[:, :2]"]),
    "factors(['AP', 'RR'], relevant=[[i % 6] for i in range(2100)], users=np.tile(USERS, (420, 1))).means",
]
CALLS = [*dict.fromkeys(CALLS)]  # templates give some calls twice
