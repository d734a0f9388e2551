"""Write docs/reference/conventions.md: conventions, and what they make of the same input.

python docs/make_conventions.py            writes the page
python docs/make_conventions.py --check    fails if the page is not what would be written
"""

import inspect
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import rankgain as rg
from rankgain import Convention, conventions
from rankgain.convention import how_checked

PAGE = Path(__file__).parent / "reference" / "conventions.md"
DESCRIPTION = ("name", "version", "source", "reproduces", "leaves_out")
TIED_QRELS = {"q": {"b0": 0, "d3": 3, "a1": 1, "c2": 2}}
TIED_RUN = {"q": dict.fromkeys(TIED_QRELS["q"], 1.0)}

HEAD = """\
# Conventions

Two tools that compute "nDCG@10" rarely get the same number. A convention is a complete, named set
of the choices on which they differ. Every function that computes a measure accepts one:

```py
import rankgain as rg

rg.ndcg(y_true, y_score, k=10, convention="lightgbm")
rg.evaluate(qrels, run, ["nDCG@10", "AP"], convention="pytrec_eval")
rg.ndcg(y_true, y_score, convention=rg.conventions["xgboost"].replace(k=10))
print(rg.conventions["catboost"])
```

An explicit argument overrides the convention. Undefined behaviour, such as the order of ties in an
unstable sort or NaN scores, is not reproduced.

The column "checked" says how far to trust a row. "run": a test runs the tool on the same lists,
with ties, empty lists, graded, fractional and negative labels, and weights if the tool supports
them. "source only": the tool's source was read, but the tool was never run. "paper": the formula
comes from a paper.

Some tools count an id twice if it is retrieved twice. No convention does. `duplicates=` says what
happens to repeated ids, and [`rg.audit`](../guides/audit.md) finds metrics that count them twice.
"""

DIFFERENCES = """\
Each entry has the source, and gives only the choices that differ. A choice can depend on the
measure: "ties *: `id_descending`, judged: `id`" means `id` for Judged and `id_descending` for all
other measures."""

CALL = 'print(rg.reconcile(y_true, y_score, "sklearn", "lightgbm", measure="nDCG@3"))'
WHY = """\
`rg.reconcile` changes one convention into the other, one choice at a time. At each step it takes
the choice that brings the mean closest to the target. It returns a `Reconciliation`, whose changes
add up to the difference. For qrels and runs there is `rg.reconcile_runs`, on the command line
`rankgain reconcile`.
"""


def table(rows: list[tuple[str, ...]]) -> str:
    """Return a Markdown table; the first row is its head."""
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "| " + " | ".join("---" for _ in rows[0]) + " |", *body])


def words(value: Any) -> str:
    """Return a field's value as the page shows it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {words(one)}" for key, one in value.items())
    return f"`{value}`"


def differences(one: Convention) -> Iterator[str]:
    """Return the fields in which a convention differs from "rankgain"."""
    plain = conventions["rankgain"]
    for field in one.__dataclass_fields__:
        value = getattr(one, field)
        if field not in DESCRIPTION and value != getattr(plain, field):
            yield f"{field} {words(value)}"


def all_of_them() -> str:
    """Return what each convention reproduces, what it does not, and its choices."""
    reproduced = [("name", "checked", "version", "reproduces")]
    left_out = [("name", "not reproduced")]
    choices = []
    for name, convention in conventions.items():
        row = (f"`{name}`", how_checked(convention), convention.version, convention.reproduces)
        reproduced.append(row)
        if convention.leaves_out:
            left_out.append((f"`{name}`", convention.leaves_out))
        if name != "rankgain":
            fields = "; ".join(differences(convention))
            choices.append(f"- `{name}` ({convention.source}): {fields}")
    parts = [
        table(reproduced),
        "### What they do not reproduce",
        table(left_out),
        "### How they differ from `rankgain`",
        DIFFERENCES,
        "\n".join(choices),
    ]
    return "\n\n".join(parts)


def fields() -> str:
    """Return the fields as the class documents them."""
    text = inspect.cleandoc(Convention.__doc__ or "").split("----------", 1)[1]
    rows, name, said = [("field", "meaning")], "", []
    for line in [*text.splitlines(), "end"]:
        if line.startswith("    "):
            said.append(line.strip())
        elif line.strip():
            if said:
                rows.append((f"`{name}`", " ".join(said).replace("|", "\\|")))
            name, said = line.strip(), []
    return table(rows)


def tied() -> str:
    """Return the values of one list whose documents all have one score."""
    found: dict[str, list[str]] = {}
    for name, one in [*conventions.items(), ("sklearn, ignore_ties", conventions["sklearn"])]:
        ties = one.for_family("ties", "ndcg")
        if one.gain == "binary" or ties == "random" or one.ideal == "given":
            continue
        rules = one.replace(ties="reverse") if "ignore" in name else one
        discount = {"discount": "log2"} if one.discount == "log" else {}
        mean = rg.evaluate(
            TIED_QRELS, TIED_RUN, "nDCG", convention=rules, gain="linear", **discount
        )
        order = rules.for_family("ties", "ndcg")
        found.setdefault(f"{mean['nDCG']:.4f} | {order}", []).append(f"`{name}`")
    rows = [("nDCG", "order of ties", "conventions")]
    rows += [(*key.split(" | "), ", ".join(found[key])) for key in sorted(found, reverse=True)]
    return table(rows)


def value(measure: str, labels: Any, scores: Any = None, **options: Any) -> str:
    """Return one mean, or why there is none."""
    try:
        found = rg.evaluate_arrays(
            [labels], None if scores is None else [scores], measure, **options
        )
    except ValueError:
        return "refused"
    return f"{next(iter(found.means.values())):.4f}"


def cases() -> str:
    """Return more inputs on which the conventions part, one row each."""
    rows = [("input", "measure", "values")]

    def row(what: str, measure: str, names: str, *data: Any, **options: Any) -> None:
        found: dict[str, list[str]] = {}
        for name in names.split():
            result = value(measure, *data, convention=name, **options)
            found.setdefault(result, []).append(f"`{name}`")
        text = "; ".join(f"{result} {', '.join(found[result])}" for result in found)
        rows.append((what, measure, text))

    every = "trec ranx sklearn torchmetrics catboost lightgbm xgboost ranklib gdeval rax"
    row("labels 0, 1, 2, 3, 4 in ranked order", "nDCG@3", every, [0, 1, 2, 3, 4])
    row("nothing relevant", "nDCG@3", f"{every} xgboost- implicit", [0, 0, 0])
    row("labels .25, .5, 0", "nDCG", every, [0.25, 0.5, 0.0])
    row("labels -1, 2, 1", "nDCG", every, [-1, 2, 1])
    row(
        "40 documents, the relevant one at rank 35",
        "nDCG",
        "sklearn xgboost",
        [0] * 34 + [1] + [0] * 5,
    )
    close = ([1, 0], [1 + 1e-9, 1.0])
    row(
        "labels 1, 0, scores 1 + 1e-9, 1",
        "nDCG",
        "sklearn lightgbm catboost xgboost torchmetrics",
        *close,
    )
    judged = {"judged": [[1, 0, 1, 0, 1, 1, 1]]}
    ap = "trec xgboost lightgbm catboost torchmetrics rax"
    row("1 0 1 0 1, five judged relevant", "AP@3", ap, [1, 0, 1, 0, 1], [5.0, 4, 3, 2, 1], **judged)
    p = "trec xgboost catboost torchmetrics rax"
    row("1 0 1 0 1", "P@10", p, [1, 0, 1, 0, 1], [5.0, 4, 3, 2, 1])
    row(
        "R = 1, found at rank 3",
        "nDCG@10",
        "rectools rectools-achievable implicit recbole",
        [0, 0, 1, 0],
    )
    return table(rows)


def page() -> str:
    """Return the whole page."""
    y_true = [[3, 2, 0, 1], [0, 0, 0, 0], [0, 2, 1, 0]]
    y_score = [[0.9, 0.4, 0.4, 0.1], [0.5, 0.4, 0.3, 0.2], [0.7, 0.7, 0.7, 0.1]]
    found = rg.reconcile(y_true, y_score, "sklearn", "lightgbm", measure="nDCG@3")
    parts = [
        HEAD,
        "## The conventions\n",
        all_of_them(),
        "\n## One list with equal scores, six values\n",
        "nDCG of one list under each convention: labels 0, 3, 1, 2 of the documents b0, d3, a1, "
        "c2 in this order, all with the same score, linear gain, no cutoff.\n",
        tied(),
        "\n## Same input, different numbers\n",
        cases(),
        "\n## Why two numbers differ\n",
        WHY,
        f"```py\n{CALL}\n```\n",
        f"```text\n{found}\n```",
        "\n## The choices\n",
        fields(),
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    text = page()
    if "--check" in sys.argv[1:]:
        sys.exit(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
