"""Intervals of means by every method, of few and of many lists, with clusters, weights and sums."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
def lists(count, seed=0, width=5):
    cells = (np.arange(count * width) * 7919 + seed * 104729) % 9973
    labels = ((cells % 7) * (cells % 3 == 0) % 4).reshape(count, width)
    return labels, (cells * 31 % 11 / 4).reshape(count, width)
def arrays(count, measures="AP", seed=0, **options):
    return rg.evaluate_arrays(*lists(count, seed), measures, **options)
def weights(count):
    return np.arange(count) % 5 + 0.5
def given(values, **options):
    return rg.Evaluation.from_values({"v": values}, **options)
"""
MEASURES = [
    "'AP'",
    "['nDCG@2', 'GMAP', 'NumRel']",
    "['HitRate(per=item)@2', 'AUC']",
    "['GAUC(weight=documents)', 'P@2']",
    "['P(divisor=min)@3', 'AMRI']",
]
OPTIONS = [
    "seed=1, resamples=64",
    "level=0.8, resamples=90",
    "level=0.5, seed=3, resamples=40",
    "resamples=150",
    "resamples=97, level=0.99",
    "seed=2, resamples=1",
]
CALLS = [
    *drawn(
        90,
        "arrays({n}, {m}{o}).intervals(method={k!r}, {i})",
        n=["1", "2", "8", "39", "40", "41", "90", "256", "257", "300"],
        m=MEASURES,
        o=["", ", empty='skip'", ", rel=2, empty='skip'", ", convention='sklearn'", ", convention=rg.conventions['rankgain'].replace(mean='geometric')", ", seed=5"],
        k=["bootstrap", "bca", "t"],
        i=OPTIONS,
    ),
    *drawn(
        45,
        "arrays({n}, {m}, weight=weights({n}){o}).intervals(method={k!r}, {i})",
        n=["45", "300", "7"],
        m=MEASURES,
        o=["", ", empty='skip'", ", convention='lightgbm'", ", convention='xgboost'"],
        k=["bootstrap", "bca", "t"],
        i=OPTIONS,
    ),
    *drawn(
        40,
        "arrays({n}, {m}).intervals(method={k!r}, by=np.arange({n}) % {c}, {i})",
        n=["90", "300", "60"],
        m=MEASURES[:3],
        k=["bootstrap", "bca", "t"],
        c=["3", "45", "50", "1"],
        i=OPTIONS,
    ),
    *each(
        "arrays(41).interval('AP', {i})",
        i=["level=0", "level=1", "level=1.5", "level='a'", "level=float('nan')", "method='normal'", "resamples=0", "resamples=2.5", "resamples='x'", "resamples=True", "seed=-1", "seed=0.5",
           "seed=3.0, resamples=30", "resamples=100.0", "by=[1, 2]", "by='lang'", "by={i: i % 2 for i in range(41)}", "by={0: 1}", "seed=None"],
    ),
    *each(
        "arrays({e}, ['AP', 'GMAP']).interval({n!r}, resamples=90)",
        e=["8", "60"],
        n=["AP", "GMAP", "P@2", "map", "XX"],
    ),
    # Thousands of lists, which resamples share.
    *each(
        "arrays({n}, ['RR', 'nDCG@2']).intervals({i})",
        n=["9999", "10000"],
        i=["resamples=64", "resamples=70, method='bca', seed=4", "resamples=100, level=0.6"],
    ),
    "arrays(700, 'RR', convention='rankgain').interval('RR', resamples=300)",
    # Values that are extreme, equal or absent.
    *each(
        "given({v}).intervals(method={k!r}, resamples=300)",
        v=["[1.0] * 50", "[0.25] * 3", "[1e300 * (i % 3) for i in range(50)]", "[1e-310 * i for i in range(50)]", "[None] * 45 + [1]", "[None] * 5", "[(i % 7) ** 9 for i in range(64)]",
           "[float(i == 3) for i in range(50)]", "[2**60 + i for i in range(45)]", "[-i for i in range(45)]", "[1e308, 1e308, -1e308] * 20", "[0.1, 1e16, 0.3] * 20"],
        k=["bootstrap", "bca", "t"],
    ),
    # Means of values whose exact sums round once.
    *each(
        "given({v}).means",
        v=["[1e308, 1e308, 1e308]", "[1e308, -1e308, 1e-300]", "[0.1] * 10", "[1e16, 1, -1e16, 1]", "[5e-324, 5e-324, 0]", "[1e308] * 300", "[0.1 * i for i in range(1000)]",
           "[(-1) ** i * 1e17 + i for i in range(400)]", "[1e300, 1, -1e300] * 100", "[2.0**970, 1, -2.0**970] * 90", "np.full(20000, 0.1)", "np.arange(40000) / 3"],
    ),
    *each(
        "rg.evaluate_arrays(np.array({y}), np.array({s}), ['DCG', 'CG'], weight={w}).means",
        y=["[[1e308, 0], [1e308, 1]]", "[[1e-308, 0], [3, 1e-300]]", "[[1, 2], [1e16, 1]]"],
        s=["[[1, 2], [2, 1]]"],
        w=["None", "[1e-300, 1e300]", "[0.1, 0.2]", "[3, 0]", "[0, 0]", "[1e308, 1e-308]", "[2.0**500, 2.0**-500]"],
    ),
    *each(
        "arrays(40, {m}, weight=weights(40) * {w}, convention={c!r}).means",
        m=MEASURES,
        w=["1e-200", "1e200", "1", "0.1"],
        c=["rankgain", "trec", "sklearn", "xgboost"],
    ),
    *each(
        "arrays({n}, {m}, convention=rg.conventions['rankgain'].replace({r})).means",
        n=["5", "300"],
        m=MEASURES,
        r=["summation='pairwise'", "summation='by_id'", "round_mean=2", "mean='geometric'", "round=1", "empty='skip', mean='micro'", "empty='skip'"],
    ),
    # Sums of parts with replicates of a bootstrap.
    *each(
        "a = rg.Accumulator(bootstrap={b}, seed={s}); [a.add(arrays(n, ['AP', 'NumRel', 'GMAP', 'HitRate(per=item)@2'], seed=n), queries=range(n * 100, n * 101)) for n in {n}]; a.means; a.result(); a.result(level=0.5)",
        b=["0", "5", "33"],
        s=["0", "9"],
        n=["(30, 20, 7)", "(1,)", "(1, 1)", "(39,)", "(90, 3)"],
    ),
    *each(
        "a = rg.Accumulator(bootstrap=20, seed=1); a.add(arrays(50, {m}, weight=weights(50) * {w}), queries=['q%d' % i for i in range(50)]); a.result()",
        m=["['AP', 'DCG']", "['GMAP', 'AUC']"],
        w=["1", "1e-300", "1e300", "2.0**490", "0.1"],
    ),
    "a = rg.Accumulator(bootstrap=4100); a.add(given([0.5, 0.25, 1] * 2, queries=range(6))); a.result()",
    "a, b = rg.Accumulator(bootstrap=33, seed=2), rg.Accumulator(bootstrap=33, seed=2); a.add(arrays(30), queries=range(30)); b.add(arrays(25, seed=4), queries=range(30, 55)); a.merge(b); a.result(); b.result()",
]
