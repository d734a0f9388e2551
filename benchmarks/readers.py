"""Time C/W/L measures, Compat and Accuracy in ir_measures: its own providers beside this package's.

python benchmarks/readers.py        needs ir_measures and cwl-eval

Both run in this process, on the same dicts: 50 queries of 1,000 documents, a tenth of them judged.
The best of three runs counts. Values are compared before they are timed.
"""

import random
import time
from collections.abc import Callable

import ir_measures

from rankgain.integrations.ir_measures import provider

NAMES = (
    "INSQ(max_rel=3) INST(max_rel=3) BPM(max_rel=3)@10 SDCG(max_rel=3)@10 NERR8(max_rel=3)@10 "
    "NERR9(max_rel=3)@10 NERR10(max_rel=3) NERR11(max_rel=3) Compat Accuracy@100"
).split()
QUERIES, DOCUMENTS, RUNS = 50, 1000, 3
Values = dict[object, float]


def draw() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Qrels and a run without ties."""
    rng = random.Random(1)
    qrels, run = {}, {}
    for query in (f"q{i}" for i in range(QUERIES)):
        documents = [f"d{i}" for i in range(DOCUMENTS)]
        run[query] = {document: rng.random() for document in documents}
        judged = rng.sample(documents, DOCUMENTS // 10)
        qrels[query] = {document: rng.choice([0, 0, 1, 2, 3]) for document in judged}
    return qrels, run


def best_of(calculate: Callable[[], Values]) -> tuple[float, Values]:
    """The least of the seconds of several runs, and the values."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        values = calculate()
        seconds.append(time.perf_counter() - start)
    return min(seconds), values


def main() -> None:
    """Print a row for each measure, and one of all in one call."""
    qrels, run = draw()
    providers = ir_measures.DefaultPipeline.providers
    print(f"{'measure':24} {'host, s':>9} {'here, s':>9} {'ratio':>7}")
    for names in [*([name] for name in NAMES), NAMES]:
        measures = [ir_measures.parse_measure(name) for name in names]

        def calculate(measures: list[object] = measures) -> Values:
            values: Values = ir_measures.calc_aggregate(measures, qrels, run)
            return values

        here, ours = best_of(calculate)
        providers.remove(provider)
        host, theirs = best_of(calculate)
        providers.insert(1, provider)
        assert all(abs(ours[measure] - theirs[measure]) < 1e-9 for measure in measures)
        label = names[0] if len(names) == 1 else "all in one call"
        print(f"{label:24} {host:9.4f} {here:9.4f} {host / here:7.1f}")


if __name__ == "__main__":
    main()
