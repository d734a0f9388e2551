"""Write the example beside this file: qrels, two runs in TREC's formats, and a table of scores.

    python examples/make_example.py [folder]

The same bytes come out everywhere: the generator is written out, and no float decides anything.

What the example holds, on purpose:
- labels from 0 (judged, not relevant) to 3
- ties: run-b's scores have one decimal, so documents share them; run-a's have four
- q07 has judged documents, none of them relevant: its nDCG is undefined
- q11 is judged, but run-b returned nothing for it
- q13 is in both runs, but nobody judged it
- runs return documents that nobody judged, and miss some that are relevant
- scores.csv has the accuracy and the seconds of three models on 60 tasks: "large" is a bit better
  than "base" and slower, "small" is worse; one accuracy is missing
"""

import sys
from collections.abc import Iterator
from pathlib import Path

QUERIES = [f"q{number:02}" for number in range(1, 14)]
DOCUMENTS = [f"d{number:03}" for number in range(1, 201)]
NOTHING_RELEVANT, MISSED_BY_B, UNJUDGED = "q07", "q11", "q13"
POOL, JUDGED, RETRIEVED = 100, 30, 50
TASKS = 60
MODELS = {"base": (55, 20), "large": (59, 34), "small": (45, 11)}  # percent, tenths of a second


def generator(seed: int) -> Iterator[int]:
    """Numbers in [0, 2**31) from Knuth's 64-bit linear congruential generator (MMIX), high bits."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def draw(numbers: Iterator[int], among: list[str], count: int) -> list[str]:
    """`count` different members of `among`, in the order drawn."""
    left = list(among)
    return [left.pop(next(numbers) % len(left)) for _ in range(count)]


def label(numbers: Iterator[int], query: str) -> int:
    """0 for most documents, 1, 2 and 3 for fewer and fewer."""
    value = (0, 0, 0, 0, 0, 1, 1, 1, 2, 3)[next(numbers) % 10]
    return 0 if query == NOTHING_RELEVANT else value


def score(numbers: Iterator[int], relevance: int, noise: int) -> int:
    """A score in ten-thousandths: relevance, blurred by `noise`."""
    return 20_000 + 8_000 * relevance + next(numbers) % noise


def run_lines(query: str, scores: dict[str, int], step: int, decimals: int, tag: str) -> list[str]:
    """The best documents of one query; scores are cut to multiples of `step`."""
    cut = {document: value - value % step for document, value in scores.items()}
    ranked = sorted(cut, key=lambda document: (-cut[document], document))[:RETRIEVED]
    return [
        f"{query} Q0 {document} {rank} {cut[document] / 10_000:.{decimals}f} {tag}"
        for rank, document in enumerate(ranked, start=1)
    ]


def score_lines() -> list[str]:
    """A table of scores that another program might have written: a row for each model and task."""
    numbers = generator(54)
    easy = [next(numbers) % 41 - 20 for _ in range(TASKS)]  # percent that a task is easier
    lines = ["model,task,accuracy,seconds"]
    for model, (percent, tenths) in MODELS.items():
        for task, easier in enumerate(easy, start=1):
            accuracy = f"0.{percent + easier + next(numbers) % 21 - 10:02}"
            seconds = tenths + next(numbers) % 7
            if (model, task) == ("small", 13):
                accuracy = ""  # the program failed here
            lines.append(f"{model},t{task:02},{accuracy},{seconds // 10}.{seconds % 10}")
    return lines


def main(folder: Path) -> None:
    numbers = generator(2026)
    qrels: list[str] = []
    run_a: list[str] = []
    run_b: list[str] = []
    for query in QUERIES:
        pool = draw(numbers, DOCUMENTS, POOL)
        labels = {document: label(numbers, query) for document in pool[:JUDGED]}
        if query != UNJUDGED:
            qrels += [f"{query} 0 {document} {labels[document]}" for document in sorted(labels)]
        good = {document: score(numbers, labels.get(document, 0), 40_000) for document in pool}
        poor = {document: score(numbers, labels.get(document, 0), 80_000) for document in pool}
        run_a += run_lines(query, good, step=1, decimals=4, tag="run-a")
        if query != MISSED_BY_B:
            run_b += run_lines(query, poor, step=1_000, decimals=1, tag="run-b")
    for name, lines in {"qrels": qrels, "run-a": run_a, "run-b": run_b}.items():
        text = "".join(line + "\n" for line in lines)
        (folder / f"{name}.txt").write_text(text, encoding="ascii", newline="\n")
    table = "".join(line + "\n" for line in score_lines())
    (folder / "scores.csv").write_text(table, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
