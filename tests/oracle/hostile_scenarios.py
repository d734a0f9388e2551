"""Scripts that give rankgain what no caller should: see test_crash.py."""

PRELUDE = """
import _thread, contextlib, gc, signal, sys, threading
import numpy as np
import rankgain as rg

signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
CUT = ["cg", "dcg", "idcg", "ndcg", "average_precision", "reciprocal_rank", "hit_rate", "precision",
       "recall", "f1", "rbp", "err"]
ALL = CUT + ["r_precision", "auc"]
TIES = ["average", "stable", "reverse", "best", "worst", "random"]
rng = np.random.default_rng(7)
L = rng.integers(0, 3, (50, 40))
S = rng.random((50, 40))

def refused(call, *errors):
    try:
        value = call()
    except errors or (ValueError, TypeError) as error:
        assert str(error), "no message"
    else:
        raise SystemExit(f"accepted: {value!r}")

def survives(call):
    try:
        return call()
    except (ValueError, TypeError):
        return None

@contextlib.contextmanager
def meanwhile(change):
    # Another thread makes a change again and again.
    stop = threading.Event()
    def work():
        draw = np.random.default_rng(1)
        while not stop.is_set():
            change(draw)
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        yield
    finally:
        stop.set()
        worker.join()

def is_interrupted(call):
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        timer.join()
    else:
        raise SystemExit("not interrupted")

def same(a, b):
    assert np.array_equal(a, b, equal_nan=True), (a, b)
"""

SCENARIOS = {
    "objects": """
        kinds = [np.zeros(3, dtype) for dtype in ("V8", "M8[s]", complex, [("a", "f8")], "U3")]
        ragged = np.array([[1], [2, 3]], object)
        for bad in (*kinds, ragged, np.empty(3, object), np.array([1, None, 2], object), {1, 2, 3},
                    {0: 1}, "abc", b"abc", iter([1, 2, 3]), object(), float, None, 5, [[]],
                    [[1, 2], [3]], lambda: 3):
            survives(lambda: rg.ndcg(bad, [1.0, 2, 3]))
            survives(lambda: rg.ndcg([1.0, 2, 3], bad))
            survives(lambda: rg.ndcg([1.0, 2, 3], [3.0, 2, 1], judged=bad))
            survives(lambda: rg.ndcg([1.0, 2, 3], [3.0, 2, 1], group=bad))
            survives(lambda: rg.ndcg([1.0, 2, 3], [3.0, 2, 1], qid=bad))
            survives(lambda: rg.ndcg([[1.0, 2, 3]], [[3.0, 2, 1]], lengths=bad))
            survives(lambda: rg.ndcg([[1.0, 2, 3]], [[3.0, 2, 1]], exclude=bad))
            survives(lambda: rg.ndcg([1.0, 2, 3], [3.0, 3, 3], ids=bad, ties="id"))
        good = np.array([1.0, 2, 3]); rg.ndcg(good, good)
        for bad in (*kinds, np.zeros(3, []), np.zeros(3, "V0")):
            refused(lambda: rg.ndcg(bad, good))
            refused(lambda: rg.ndcg(good, bad))
            survives(lambda: rg.dcg([1.0, 2, 3], [3.0, 3, 3], gain=bad))
            survives(lambda: rg.dcg([1.0, 2, 3], [3.0, 3, 3], discount=bad))
    """,
    "lying objects": """
        class Raises:
            def __array__(self, *a, **k): raise ValueError("no array")
        class Wrong:
            def __array__(self, *a, **k): return 3
        class Cuda:
            def __dlpack_device__(self): return (2, 0)
            def __dlpack__(self, **k): raise BufferError("on a device")
        class Long(list):
            def __len__(self): return 2**40
        for bad in (Raises(), Wrong(), Cuda(), Long([1, 2, 3])):
            survives(lambda: rg.ndcg(bad, bad))
    """,
    "extreme values": """
        tiny, big = np.finfo(float).tiny, np.finfo(float).max
        values = np.array([0.0, -0.0, tiny, -tiny, 5e-324, -5e-324, big, -big, np.inf, -np.inf])
        for dtype in (np.float32, np.float64):
            with np.errstate(over="ignore"):
                scores = values.astype(dtype)
            for name in ALL:
                for ties in TIES:
                    getattr(rg, name)(np.arange(10) % 2, scores, ties=ties)
        for name in CUT:
            survives(lambda: getattr(rg, name)(np.full(10, big), np.arange(10.0)))
            survives(lambda: getattr(rg, name)(np.full(10, -big), np.arange(10.0)))
        refused(lambda: rg.dcg([1e308, 1], [1.0, 2], gain="exp2"))
        for dtype in (np.int64, np.uint64):
            ends = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 3], dtype)
            survives(lambda: rg.dcg(ends, [1.0, 2, 3]))
            survives(lambda: rg.dcg([1, 2, 3], ends))
    """,
    "released buffers": """
        import array
        base = np.arange(4000.0).reshape(100, 40)
        view = base[::2]; expected = rg.dcg(L, view.copy())
        del base; gc.collect()
        same(rg.dcg(L, view), expected)
        raw = bytearray(S.tobytes())
        same(rg.dcg(L, np.frombuffer(raw).reshape(50, 40)), rg.dcg(L, S))
        same(rg.dcg(L[0], memoryview(array.array("d", S[0]))), rg.dcg(L[0], S[0]))
        holder = [S.copy()]
        def gain(labels):
            holder.clear(); gc.collect()
            return labels
        same(rg.dcg(L, holder[0], gain=gain), rg.dcg(L, S))
        scores = array.array("d", S[0])
        def grow(labels):
            try:
                scores.extend([1.0] * 10**6)
            except BufferError:
                pass
            return labels
        survives(lambda: rg.dcg(L[0], memoryview(scores), gain=grow))
        owned = np.array(S[0])
        def resize(labels):
            try:
                owned.resize(10**6)
            except ValueError:
                pass
            return labels
        survives(lambda: rg.dcg(L[0], owned, gain=resize))
    """,
    "strides": """
        from numpy.lib.stride_tricks import as_strided
        vast = np.zeros(2**22)
        wide = as_strided(vast, (50, 40), (2**19, 2**13))
        wide[...] = S
        same(rg.dcg(L, wide), rg.dcg(L, S))
        same(rg.dcg(np.broadcast_to(L[0], L.shape), np.broadcast_to(S[0], S.shape)),
             np.full(50, rg.dcg(L[0], S[0])))
        flipped = rg.dcg(L[::-1, ::-1], S[::-1, ::-1], ties="stable")
        same(flipped, rg.dcg(L, S, ties="reverse")[::-1])
        same(rg.dcg(np.asfortranarray(L), np.asfortranarray(S)), rg.dcg(L, S))
        same(rg.dcg(L[0, ::2], S[0, ::-2]), rg.dcg(L[0, ::2].copy(), S[0, ::-2].copy()))
        odd = np.frombuffer(b"x" + S.tobytes(), np.float64, offset=1).reshape(S.shape)
        same(rg.dcg(L.astype(">i4"), odd), rg.dcg(L, S))
        same(rg.dcg(L[0], odd[0]), rg.dcg(L[0], S[0]))
        record = np.zeros((50, 40), [("pad", "i1"), ("score", "f8")]); record["score"] = S
        same(rg.dcg(L, record["score"]), rg.dcg(L, S))
        rg.ndcg(np.broadcast_to(1, (3, 2_000_000)), np.broadcast_to(0.5, (3, 2_000_000)), k=10)
    """,
    "callables": """
        def fails(labels): raise KeyError("mine")
        refused(lambda: rg.dcg(L, S, gain=fails), KeyError)
        refused(lambda: rg.dcg(L, S, discount=fails), KeyError)
        refused(lambda: rg.dcg(L, S, gain=fails, threads=2), KeyError)
        def writes(labels):
            labels[...] = np.nan
            return np.ones_like(labels)
        before = L.astype(float); mine = before.copy()
        survives(lambda: rg.dcg(mine, S, gain=writes))
        same(mine, before)
        truth = rg.Truth(mine); expected = rg.ndcg(L, S)
        survives(lambda: rg.ndcg(truth, S, gain=writes))
        same(rg.ndcg(truth, S), expected)
        def changes_input(labels):
            mine[...] = -1e9
            return labels
        survives(lambda: rg.dcg(mine, S, gain=changes_input))
        kept = []
        def keeps(labels):
            kept.append(labels)
            return labels
        value = rg.dcg(L, S, gain=keeps)
        for array in kept:
            survives(lambda: array.fill(9.0))
        same(rg.dcg(L, S, gain=keeps), value)
        same(rg.dcg(L, S, gain=lambda r: r + 0 * rg.ndcg(L, S).sum()), rg.dcg(L, S))
        for wrong in (None, "x", 3.0, [], np.zeros((50, 41)), np.zeros(0), object()):
            refused(lambda: rg.dcg(L, S, gain=lambda r: wrong))
            refused(lambda: rg.dcg(L, S, discount=lambda r: wrong))
    """,
    "threads with errors": """
        for ties in TIES:
            for at in (0, 25, 49):
                scores = S.copy(); scores[at, 39] = np.nan
                for threads in (2, 3, 64):
                    refused(lambda: rg.ndcg(L, scores, ties=ties, threads=threads), ValueError)
                labels = L.astype(float); labels[at, 0] = np.inf
                refused(lambda: rg.ndcg(labels, S, ties=ties, threads=2), ValueError)
        same(rg.ndcg(L, S, threads=1000), rg.ndcg(L, S))
        survives(lambda: rg.ndcg(L, S, threads=10**30))
    """,
    "sparse": """
        def csr(data, indices, indptr):
            return np.asarray(data, float), np.asarray(indices), np.asarray(indptr)
        good = [0] + [1] * 50
        one = [([40], good), ([-1], good), ([2**31 - 1], good), ([2**62], good), ([0.5], good),
               ([0], [0] + [2] * 50), ([0], [1] * 51), ([0], [0, 1]), ([0], [0] + [2**62] * 50),
               ([0], [0, -1] + [1] * 49), ([], good)]
        for labels in (*(csr([1], *rest) for rest in one), csr([], [0], good),
                       csr([np.nan], [0], good), csr([1, 1], [3, 3], [0] + [2] * 50),
                       csr([[1]], [[0]], [good]), (None, None, None), (1, 2, 3), (np.ones(1),)):
            for name in ALL:
                survives(lambda: getattr(rg, name)(labels, S))
                survives(lambda: getattr(rg, name)(labels, S, k=3) if name in CUT else 0)
            survives(lambda: rg.ndcg(L, S, judged=labels))
            survives(lambda: rg.ndcg(L, S, exclude=labels))
            survives(lambda: rg.evaluate_ids(np.arange(100).reshape(50, 2), labels, ["P@2"]))
        refused(lambda: rg.dcg(csr([1], [40], good), S))
        refused(lambda: rg.dcg(csr([1], [-1], good), S))
        refused(lambda: rg.dcg(csr([1], [0], [0] + [2**62] * 50), S))
    """,
    "hostile ids": """
        relevant = [np.array([0, 1])] * 3
        good = np.array([[0, 1]] * 3)
        for ids in (good + (2**63 - 2), good - 2**62 - 2**62, good * 0 - 1, good.astype(np.uint64),
                    np.full((3, 2), 2**64 - 1, np.uint64), good[:, :0], good[:0],
                    good.astype(">i8"),
                    good.astype(np.int8), good.astype(bool), good.astype(str), [[0, 1], [1]]):
            for measures in (["P@2"], ["nDCG@2", "AP", "HitRate@10"]):
                survives(lambda: rg.evaluate_ids(ids, relevant, measures))
                survives(lambda: rg.evaluate_ids(ids, [np.array([2**63 - 1])] * 3, measures))
                survives(lambda: rg.evaluate_ids(ids, [np.zeros(0, int)] * 3, measures))
    """,
    "one Truth, many threads": """
        truth = rg.Truth(L); expected = rg.ndcg(L, S, k=[1, 10]); wrong = []
        def work():
            for _ in range(50):
                if not np.array_equal(rg.ndcg(truth, S, k=[1, 10]), expected):
                    wrong.append(1)
        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers: worker.start()
        for worker in workers: worker.join()
        assert not wrong
    """,
    "lengths that lie": """
        short = np.broadcast_to(np.float32(0.5), (2**40,))
        refused(lambda: rg.ndcg(short, short[:5]))
        refused(lambda: rg.ndcg(np.ones(5), short))
        refused(lambda: rg.dcg(np.ones(5), np.ones(5), group=np.broadcast_to(2**40, (2**10,))))
    """,
    "a signal ends a long list": """
        n = 300_000  # the expectation over one tie block takes minutes
        labels, scores = rng.integers(0, 3, n), np.ones(n)
        for threads in (1, 2):
            is_interrupted(lambda: rg.err(labels, scores, threads=threads))
    """,
    "a signal ends many lists": """
        labels, scores = rng.integers(0, 3, (4000, 5000)), np.ones((4000, 5000))
        sparse = np.ones(10), np.arange(10), np.array([0, 10])
        unjudged = rng.random((1, 30_000))
        calls = [
            lambda: rg.err(labels, scores),
            lambda: rg.err(labels, scores, threads=2),
            lambda: rg.evaluate_arrays(labels, scores, ["ERR", "AP(divisor=hits)@2000"]),
            lambda: rg.evaluate_arrays(sparse, unjudged, "AUC", bounds="unjudged"),
        ]
        rg.err(labels[:2], scores[:2])  # the next call goes the short way
        for call in calls:
            is_interrupted(call)
    """,
    "another thread runs during one long list": """
        labels, scores = rng.integers(0, 3, 4_000_000), rng.random(4_000_000)
        rg.ndcg(labels, scores)  # now the short way is known
        seen, lock = [], threading.Lock()
        sys.setswitchinterval(100)  # no thread gives up the interpreter's lock by itself
        lock.acquire()
        def wait():
            lock.acquire()
            seen.append(1)
        thread = threading.Thread(target=wait)
        thread.start()
        lock.release()
        rg.ndcg(labels, scores)
        assert seen, "the whole call held the lock"
        thread.join()
    """,
    "sparse labels change under a call": """
        n = 300
        data, indices = np.ones(200 * 30), np.tile(np.arange(30), 200)
        indptr, scores = np.arange(0, 6001, 30), rng.random((200, n))
        def change(draw):
            indices[:] = draw.integers(-5, n + 5, len(indices))
            indptr[1:-1] = draw.integers(0, 10**6, len(indptr) - 2)
            data[:] = draw.integers(-1, 40, len(data))
            indptr[:] = np.arange(0, 6001, 30)
            indices[:] = np.tile(np.arange(30), 200)
        with meanwhile(change):
            for _ in range(400):
                sparse = data, indices, indptr
                for names in (["nDCG@10", "AP", "ERR(max_label=50)"], ["AUC", "nDCG(gain=exp2)"]):
                    survives(lambda: rg.evaluate_arrays(sparse, scores, names))
                survives(lambda: rg.evaluate_arrays(sparse, scores, "AP", bounds="ties"))
    """,
    "scores change beside sparse labels": """
        low = rng.random((8, 4000))  # long enough for candidates to be selected
        class Csr:  # as scipy.sparse has it
            format, shape, nnz = "csr", (8, 4000), 32_000
            data, indices = np.ones(32_000), np.tile(np.arange(4000), 8)
            indptr = np.arange(0, 32_001, 4000)
            tocsr = None
        for dtype in (np.float32, np.float64):
            scores = low.astype(dtype)
            at_first, higher = scores.copy(), scores + 2
            def change(draw):
                scores[:] = higher
                scores[:] = at_first
            with meanwhile(change):
                for _ in range(1000):
                    survives(lambda: rg.evaluate_arrays(Csr(), scores, ["DCG@10"]))
    """,
    "recommended ids change under a call": """
        ids = np.tile(np.arange(20), (3000, 1))
        small = ids.astype(np.int32)
        def change(draw):
            for array in (ids, small):
                array[:] = draw.integers(-1, 2**31 - 1, array.shape)
                array[:] = np.arange(20)
        class Csr:  # as scipy.sparse has it
            format, shape, nnz = "csr", (3000, 100), 9000
            data, indices = np.ones(9000), np.tile([1, 2, 3], 3000)
            indptr = np.arange(0, 9001, 3)
            tocsr = None
        sparse = Csr()
        with meanwhile(change):
            for _ in range(300):
                for array in (ids, small):
                    survives(lambda: rg.evaluate_ids(array, sparse, ["nDCG@10", "R@20"]))
    """,
    "labels and scores change under a call": """
        labels, scores = rng.integers(0, 3, (200, 300)), rng.random((200, 300))
        def change(draw):
            labels[:] = draw.integers(-1, 900, labels.shape)
            scores[:] = draw.integers(0, 4, scores.shape)
            scores[draw.integers(200), draw.integers(300)] = np.nan
            labels[:] = draw.integers(0, 2, labels.shape)
            scores[:] = draw.random(scores.shape)
        with meanwhile(change):
            for turn in range(300):
                ties = TIES[turn % len(TIES)]
                for k in (3, 40, None):
                    survives(lambda: rg.ndcg(labels, scores, k=k, ties=ties, threads=2))
                    survives(lambda: rg.err(labels, scores, k=k, ties=ties))
                    survives(lambda: rg.average_precision(labels, scores.astype("f4"), k=k))
                names = ["R@10", "AUC", "RPrec", "P@7"]
                survives(lambda: rg.evaluate_arrays(labels, scores, names, ties=ties))
    """,
    "more threads than there is work": """
        labels, scores = rng.integers(0, 3, (400, 100)), rng.random((400, 100))
        most = []
        def count(function, arguments):
            most.append(1)
            return start(function, arguments)
        from rankgain.engine import threads as batches
        start, batches.start_new_thread = batches.start_new_thread, count
        same(rg.ndcg(labels, scores, threads=10**5), rg.ndcg(labels, scores))
        assert 0 < len(most) < 40, len(most)
    """,
    "dicts changed by other threads while they are read": """
        documents = [f"d{i}" for i in range(60)]
        queries = [f"q{i}" for i in range(12)]
        labels = {q: {d: i % 3 for i, d in enumerate(documents[::2])} for q in queries}
        scores = {q: {d: 1.5 * i for i, d in enumerate(documents)} for q in queries}
        numbers = {q: {i: 1.5 * i for i in range(60)} for q in queries}
        wide = {q: {d: np.float64(s) for d, s in found.items()} for q, found in scores.items()}
        done = threading.Event()
        sys.setswitchinterval(1e-6)

        def change(seed):
            draw = np.random.default_rng(seed)
            made = 0
            while not done.is_set():
                for source in (labels, scores, numbers, wide):
                    inner = source[queries[draw.integers(len(queries))]]
                    key = int(draw.integers(60)) if source is numbers else f"d{draw.integers(60)}"
                    made += 1
                    what = draw.integers(4)
                    if what == 0:
                        inner.pop(key, None)
                    elif what == 1:
                        inner[key] = made + 0.5
                    elif what == 2:
                        inner[made if source is numbers else f"new {made}"] = made + 0.5
                    elif len(inner) > 100:
                        inner.clear()

        threads = [threading.Thread(target=change, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        judged = {q: {i: 1 + i % 2 for i in range(0, 60, 3)} for q in queries}
        kept = rg.Qrels({q: {f"d{i}": 1 for i in range(0, 60, 3)} for q in queries})
        pairs = [(labels, scores), (judged, numbers), (labels, wide), (kept, scores), (kept, wide)]
        for turn in range(400):
            for qrels, run in pairs:
                try:
                    means = rg.evaluate(qrels, run, ["AP", "nDCG@10"]).means
                    assert all(0 <= value <= 1 for value in means.values()), means
                except RuntimeError as error:
                    assert "changed size" in str(error), error
        done.set()
        for thread in threads:
            thread.join()
        """,
    "recommended ids chosen to collide": """
        # Under a factor that everybody knows, a million ids of one slot: hours of looking.
        inverse = pow(0x9e3779b97f4a7c15, -1, 2**64)
        found = (inverse * j % 2**64 for j in range(1, 2_100_000))
        ids = np.array([one for one in found if one < 2**63][:1_000_000], np.int64)
        means = rg.evaluate_ids(ids[None], [ids[:3]], ["RR@10", "P@10"]).means
        assert means == {"RR@10": 1.0, "P@10": 0.3}, means
    """,
}
