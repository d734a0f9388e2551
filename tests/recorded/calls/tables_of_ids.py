"""evaluate_ids and evaluate_catalogue for frames: columns, systems, and ranks with gaps."""

from recorded.recording import drawn, each

# fmt: off

NEEDS = ["pandas", "narwhals"]
GIVEN = """
import pandas
RETRIEVED = pandas.DataFrame({"query_id": ["q2", "q1", "q2", "q2", "q1", "q9"], "doc_id": ["a", "b", "c", "d", "a", "a"],
    "rank": [3, 1, 1, 6, 2, 1], "score": [0.5, 1, 0.25, 2, 1, 7], "model": ["m", "k", "k", "m", "m", "k"]})
RELEVANT = pandas.DataFrame({"query_id": ["q1", "q2", "q1", "q3", "q2"], "doc_id": ["b", "c", "z", "a", "d"], "label": [1, 2, 3, 1, 0]})
def without(frame, *names):
    return frame.drop(columns=list(names))
BY_SCORE, BY_RANK, OWN = without(RETRIEVED, "rank", "model"), without(RETRIEVED, "score", "model"), without(RETRIEVED, "model", "rank", "score")
SYSTEMS = without(RETRIEVED, "score")
OTHER = RETRIEVED.rename(columns={"query_id": "u", "doc_id": "i", "rank": "r", "score": "s"})
TRUTH = RELEVANT.rename(columns={"query_id": "u", "doc_id": "i", "label": "l"})
TWO = RETRIEVED.assign(day=[1, 1, 2, 2, 1, 1])
LISTS = pandas.DataFrame({"user": [7, 3], "rec_1": ["a", "b"], "rec_2": ["b", "c"], "rec_3": ["z", None]})
JOINED = pandas.DataFrame({"user": [7, 3], "items": ["a b z", "b c"]})
OF_LISTS = {3: ["c", "b"], 7: ["z"]}
COLUMN = pandas.Series([["a", "b"], ["c"]], index=["q1", "q2"])
FRAME = pandas.DataFrame({"user": [1], "item": ["a"], "rank": [1], "m": ["x"]})
CLICKS = pandas.DataFrame({"user": [1, 2, 2, 3], "item": ["a", "a", "b", "d"]})
"""
ITEMS = "['Coverage@2', 'Entropy@1', 'Popularity@2', 'Serendipity@2']"
CALLS = [
    *drawn(
        75,
        "rg.evaluate_ids({f}, {r}, {m}{o})",
        f=["BY_SCORE", "BY_RANK", "OWN", "RETRIEVED", "without(RETRIEVED, 'model')"],
        r=["RELEVANT", "without(RELEVANT, 'label')", "{'q1': ['b'], 'q2': {'c': 2}, 'q3': []}"],
        m=["['RR', 'nDCG@3']", "['MR', 'P@6', 'Lift(share=0.5)']", "['NumRet', 'AP', 'RBP']", "['AUC', 'HitRate(per=item)@3']"],
        o=["", ", run='model'", ", run=None", ", label=None", ", rank='rank'", ", score='score'", ", label='label'", ", query='query_id', doc='doc_id'", ", query='doc_id', doc='query_id'",
           ", rank='score'", ", exclude=without(RELEVANT, 'label')", ", duplicates='first'", ", bounds='unjudged'", ", convention='ranx'", ", rel=2", ", weight={'q1': 1, 'q2': 2, 'q3': 3}"],
    ),
    *each(
        "rg.evaluate_ids({f}, {r}, ['RR', 'nDCG@2'], {o})",
        f=["OTHER", "OTHER[['u', 'i', 'r']]", "TWO", "SYSTEMS"],
        r=["TRUTH", "RELEVANT"],
        o=["query='u', doc='i', rank='r', run='model'", "query='u', doc='i', score='s', label='l', run='model'", "query='u', doc='i'", "query=['query_id', 'day']", "run='model'",
           "run='day'", "run='system'", "query='v'", "doc=['i']", "label='points'"],
    ),
    *each(
        "rg.evaluate_ids({f}, {r}, ['RR', 'R@2'], {o})",
        f=["LISTS", "LISTS.assign(rec_1=[None, 'b'])", "JOINED", "COLUMN", "LISTS.set_index('user')"],
        r=["OF_LISTS", "{'q1': ['b'], 'q2': ['d']}", "JOINED"],
        o=["empty=0", "query='user'", "doc=['rec_2', 'rec_1']", "doc='items'"],
    ),
    *each(
        "rg.evaluate_ids({f}, RELEVANT, ['MR', 'nDCG@2', 'RBP', 'infAP'], convention='trec', {o})",
        f=["BY_RANK", "BY_RANK.iloc[::-1]", "BY_RANK.assign(rank=[3, 2, 2, 6, 3, 2])", "BY_RANK.assign(rank=[3, 1, 1, 6, 2, 0])", "BY_RANK.assign(rank=[3, 1, 1, 1.5, 2, 1])",
           "BY_RANK.assign(rank=[3, 1, 1, -6, 2, 1])", "BY_RANK.assign(rank=[3, 1, 1, None, 2, 1])"],
        o=["empty=0", "rel=2"],
    ),
    *each(
        "rg.evaluate_ids({f}, RELEVANT, {m}, run='model', {o})",
        f=["SYSTEMS", "SYSTEMS.iloc[::-1]", "SYSTEMS.assign(rank=0)", "SYSTEMS.assign(rank=[3, 1, 1, 6, 2, 0])", "SYSTEMS.assign(model=['m', None, 'k', 'm', 'm', 'k'])",
           "SYSTEMS.assign(model=[1, 2, 1, 2, 1, 2])"],
        m=["['RR', 'Lift(share=0.5)']", "['AP', 'Coverage@2']"],
        o=["catalogue=9", "empty=1"],
    ),
    *each(
        "rg.evaluate_catalogue({f}, " + ITEMS + ", catalogue={c}, popularity={p}, baseline={b})",
        f=["BY_RANK", "BY_SCORE"],
        c=["OWN", "CLICKS", "9"],
        p=["CLICKS", "{'a': 3, 'b': 1, 'c': 1, 'd': 4}", "pandas.Series({'a': 3, 'b': 1, 'c': 2, 'd': 4})"],
        b=["['a']", "BY_RANK"],
    ),
    *each(
        "rg.evaluate_catalogue({f})",
        f=["BY_RANK, 'Coverage@2', catalogue=9, query='q'", "OTHER, 'Coverage@2', catalogue=9, query='u', doc='i', rank='r'", "OTHER, 'Entropy@2', query='u', doc='i', score='s'",
           "BY_RANK, 'ILD@2', features=CLICKS", "BY_RANK, 'ILD@2', categories=CLICKS", "BY_RANK, 'ILD@2', categories=pandas.Series(['x', 'y', 'x', 'x'], list('abcd'))",
           "BY_RANK, 'ILD@2', categories=pandas.Series(['x', 'y', 'x', 'x', 'y'], list('abcda'))", "BY_RANK, 'Popularity@2', popularity=pandas.Series([1, 2], ['a', 'a'])",
           "RETRIEVED, 'Entropy@2'", "SYSTEMS, 'Entropy@2', label='x'", "BY_RANK, 'Serendipity@2', baseline=['a'], relevant=RELEVANT",
           "BY_RANK, 'Serendipity@2', baseline=['a'], relevant=RELEVANT, label=None", "BY_RANK, 'Serendipity@2', baseline=['a'], relevant=RELEVANT, label='label'"],
    ),
    "rg.evaluate_ids(BY_RANK, BY_RANK, 'RR')",
    "rg.evaluate_ids(BY_SCORE.assign(score=['x'] * 6), RELEVANT, 'RR')",
    "rg.evaluate_ids(BY_SCORE.assign(score=[1, 2, 3, float('nan'), 5, 6]), RELEVANT, 'RR')",
    "rg.evaluate_ids(BY_SCORE, RELEVANT.assign(label=[1, 2, 3, 'x', 5]), 'RR')",
    "rg.evaluate_ids(BY_SCORE, RELEVANT.assign(label=[1, 2, None, 2, 5]), 'RR')",
    "rg.evaluate_ids(BY_SCORE.assign(doc_id='a'), RELEVANT, 'RR')",
    "rg.evaluate_ids(BY_SCORE.assign(doc_id=['a', 'b', None, 'd', 'a', 'a']), RELEVANT, 'RR')",
    *each(
        'rg.evaluate_ids({f})',
        f=["FRAME, {1: ['a']}, 'RR', run='n'", "FRAME[:0], {1: ['a']}, 'RR', run='m'", "FRAME, measures='RR'"],
    ),
]
