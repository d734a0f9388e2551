"""What Sphinx does not do by itself: pages from the code, pictures, and the pages as plain text.

Sphinx loads this as an extension. Everything that is generated goes to docs/made/, which is not
stored: the reference of public names, the table of measures, the options of the command line, the
pictures of the gallery, and copies of the pages that stand outside of docs/.
"""

import ast
import os
import re
from collections.abc import Callable, Iterator
from contextlib import chdir, suppress
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent
MADE = DOCS / "made"
PACKAGE = ROOT / "src" / "rankgain"
COPIES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "benchmarks/NOTES.md": "notes.md",
    "benchmarks/results.md": "results.md",
}
LONGEST_LINE = 130  # characters that scroll; the widest printed table has 105
# In the order of llms.txt.
FOLDERS = ["", "people", "tools", "coming_from", "guides", "concepts", "gallery", "notebooks"]
FOLDERS += ["reference", "made", "made/api", "development"]
# The headings of the reference, and what stands below each, the most used first.
GROUPS = {
    "Start here: one function for each form of data": """
        evaluate_arrays evaluate_ids evaluate evaluate_frame""",
    "Compare systems": """
        compare Comparison ComparisonRow power Power pool evaluate_models evaluate_runs
        corrected_mean judge_next agreement Agreement correlate Correlation""",
    "Understand a number": """
        explain Explanation Contributions reconcile reconcile_runs Reconciliation audit Audit""",
    "Recommenders: models with all their items, catalogues": """
        evaluate_factors evaluate_scores evaluate_catalogue neighbor_recall""",
    "Data larger than memory, databases, clusters": """
        evaluate_batches Accumulator PartialRanks sql evaluate_counts""",
    "Results": "Evaluation Evaluations",
    "Judgments, runs and labels": "Qrels Run Truth",
    "One measure of arrays": """
        ndcg dcg idcg cg average_precision reciprocal_rank hit_rate precision recall f1 r_precision
        rbp err auc gauc""",
    "Functions that scikit-learn has": """
        ndcg_score dcg_score label_ranking_average_precision_score label_ranking_loss
        coverage_error top_k_accuracy_score""",
    "Conventions, names of measures, warnings": """
        conventions Convention Measure measure parse_measure parse_measures RankgainWarning""",
}


# The reference ----------------------------------------------------------------------------------


def public_names() -> dict[str, list[str]]:
    """The public names of the package, by heading; those of no group stand last."""
    import rankgain as rg

    groups = {title: names.split() for title, names in GROUPS.items()}
    grouped = {name for names in groups.values() for name in names}
    other_names = sorted(set(rg.__all__) - grouped, key=str.lower)
    return groups | {"Other names": other_names} if other_names else groups


def adapters() -> dict[str, list[Any]]:
    """Public functions and classes of modules whose hosts may be absent, from their source."""
    folder = PACKAGE / "integrations"
    files = {f"rankgain.integrations.{path.stem}": [path] for path in sorted(folder.glob("*.py"))}
    del files["rankgain.integrations.__init__"], files["rankgain.integrations.hosts"]
    files["rankgain.spark"] = sorted((folder / "spark").glob("*.py"))
    for name in ("dask", "ray"):
        files[f"rankgain.{name}"] = files.pop(f"rankgain.integrations.{name}")
    return {
        module: [
            node
            for path in paths
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and is_public(module, node)
        ]
        for module, paths in files.items()
    }


def is_public(module: str, node: Any) -> bool:
    """Whether the pages on tools, or that on Spark, Ray or Dask, name it."""
    page = DOCS / "guides" / f"on_{module.removeprefix('rankgain.')}.md"
    pages = [page] if page.exists() else (DOCS / "tools").glob("*")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    return re.search(rf"\b{node.name}\b", text) is not None and ast.get_docstring(node) is not None


def heading(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n"


def write_reference(folder: Path) -> None:
    """A page for each public name, and their list."""
    import inspect

    import rankgain as rg
    from rankgain import plot

    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Public names", ""]
    lines += [
        "Every public name has a page with its arguments, its result and an example. Four "
        "functions cover most work; the others are grouped by what they are for.",
        "",
    ]
    groups = {
        title: [("rankgain", name) for name in names] for title, names in public_names().items()
    }
    groups["Plots"] = [("rankgain.plot", name) for name in plot.__all__]
    for title, names in groups.items():
        lines += [f"## {title}", "", "| name | what it is |", "| --- | --- |"]
        for module, name in names:
            thing = getattr(rg if module == "rankgain" else plot, name)
            said = (inspect.getdoc(thing) or "").strip().splitlines()
            first = said[0].replace("|", "\\|") if said and not isinstance(thing, tuple) else ""
            full = f"{module}.{name}"
            title_of_page = full.removeprefix("rankgain.")
            lines.append(f"| [{title_of_page}](api/{full}.rst) | {first} |")
            text = [heading(title_of_page), f".. currentmodule:: {module}", ""]
            if inspect.isclass(thing):
                text += [f".. autoclass:: {full}", "   :members:"]
            elif inspect.isroutine(thing):
                text += [f".. autofunction:: {full}"]
            else:
                text += [f".. autodata:: {full}", "   :no-value:"]
            write(folder / "api" / f"{full}.rst", "\n".join(text) + "\n")
        lines += ["", "```{toctree}", ":hidden:", ""]
        lines += [f"api/{module}.{name}" for module, name in names] + ["```", ""]
    lines += ["## Adapters", "", "| module | what it has |", "| --- | --- |"]
    modules = adapters()
    for module, nodes in modules.items():
        lines.append(
            f"| [{module}](api/{module}.rst) | {', '.join(f'`{n.name}`' for n in nodes)} |"
        )
        write(folder / "api" / f"{module}.rst", "\n".join(adapter_page(module, nodes)) + "\n")
    lines += ["", "```{toctree}", ":hidden:", "", *(f"api/{module}" for module in modules), "```"]
    write(folder / "reference.md", "\n".join(lines) + "\n")


def adapter_page(module: str, nodes: list[Any]) -> Iterator[str]:
    """A module that is read and not imported."""
    from numpydoc.docscrape_sphinx import SphinxDocString

    yield heading(module.removeprefix("rankgain."))
    path = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    yield ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    for node in nodes:
        made = node
        if isinstance(node, ast.ClassDef):
            made = next((one for one in node.body if getattr(one, "name", "") == "__init__"), None)
        arguments = (
            re.sub(r": [^,=()\[\]]+(\[[^\]]*\])?", "", ast.unparse(made.args)) if made else ""
        )
        kind = "class" if isinstance(node, ast.ClassDef) else "function"
        yield f"\n.. py:{kind}:: {module}.{node.name}({arguments.removeprefix('self, ')})\n"
        text = str(SphinxDocString(cleandoc(ast.get_docstring(node) or "")))
        yield "\n".join(f"   {line}".rstrip() for line in text.splitlines())


def one_line_types(
    app: "Sphinx", what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Join the type of a parameter that goes on in the next line; numpydoc wants one line."""
    text = re.sub(r"^(\w[\w, ]* : [^\n]*,)\n {4}(?=\S)", r"\1 ", "\n".join(lines), flags=re.M)
    lines[:] = text.split("\n")


def unlink_addresses(app: "Sphinx", tree: Any) -> None:
    """Names such as nDCG@10 are no addresses of mail, which docutils takes them for."""
    from docutils import nodes

    for link in list(tree.findall(nodes.reference)):
        if link.get("refuri", "").startswith("mailto:"):
            link.replace_self(nodes.Text(link.astext()))


def shape_blocks(app: "Sphinx", tree: Any) -> None:
    """Drop the empty line at the end of a block of code; sentences that a block prints may wrap."""
    from docutils import nodes

    for block in tree.findall(nodes.literal_block):
        text = block.rawsource or block.astext()
        if text.endswith("\n") and len(block.children) == 1:
            block.rawsource = text.rstrip("\n")
            block[:] = [nodes.Text(block.rawsource)]
        longest = max(text.splitlines(), key=len, default="")
        if len(longest) > LONGEST_LINE:
            block["classes"].append("sentences")


# Tables of what works with what -----------------------------------------------------------------


def table(rows: list[list[str]]) -> list[str]:
    head, *body = ("| " + " | ".join(row) + " |" for row in rows)
    return [head, "| " + " | ".join("---" for _ in rows[0]) + " |", *body]


def tried(call: Callable[[], Any]) -> str:
    """Whether a call works."""
    try:
        call()
    except (ValueError, TypeError):
        return ""
    return "yes"


def forms() -> dict[str, Callable[[str], Any]]:
    """A call for each form of input and each kind of result."""
    import pyarrow
    import scipy.sparse

    import rankgain as rg

    labels, scores = [[1, 0, 2], [0, 1, 0]], [[0.9, 0.8, 0.7], [0.3, 0.2, 0.1]]
    csr = scipy.sparse.csr_matrix(labels)
    qrels = {"a": {"x": 1, "y": 0, "z": 2}, "b": {"y": 1, "x": 0}}
    run = {"a": {"x": 3.0, "y": 2.0, "w": 1.0}, "b": {"x": 2.0, "y": 1.0}}
    columns = {
        "query_id": [0, 0, 0, 1, 1, 1],
        "label": [1, 0, 2, 0, 1, 0],
        "score": [0.9, 0.8, 0.7, 0.3, 0.2, 0.1],
    }
    rows = pyarrow.table(columns)
    keys = {"query": "query_id", "label": "label", "score": "score"}

    def counted(name: str) -> Any:
        query, label, score = (columns[key] for key in ("query_id", "label", "score"))
        hits = [at for at, one in enumerate(label) if one]
        partial = rg.PartialRanks(*([one[at] for at in hits] for one in (query, score, label)))
        partial.add(query, score)
        return partial.finish(name)

    return {
        "arrays": lambda name: rg.evaluate_arrays(labels, scores, name),
        "sparse labels": lambda name: rg.evaluate_arrays(csr, scores, name),
        "ids": lambda name: rg.evaluate_ids([["x", "y"]], [["x", "z"]], name),
        "qrels and run": lambda name: rg.evaluate(qrels, run, name),
        "table": lambda name: rg.evaluate_frame(rows, name),
        "sums of batches": lambda name: rg.evaluate_batches(
            rows.to_batches(), name, keep="sums", **keys
        ),
        "factors": lambda name: rg.evaluate_factors([[1.0]], [[1.0], [2.0], [3.0]], [[1]], name),
        "counts": counted,
        "averaged ties": lambda name: rg.evaluate(
            qrels, {"a": {"x": 1.0, "y": 1.0, "w": 1.0}}, name, ties="average"
        ),
        "bounds of ties": lambda name: rg.evaluate(qrels, run, name, bounds="ties"),
        "bounds of unjudged": lambda name: rg.evaluate(qrels, run, name, bounds="unjudged"),
    }


def measure_pages() -> Iterator[str]:
    """Measures beside arguments, forms and conventions; every cell is a call that was made."""
    import warnings

    import rankgain as rg
    from rankgain.convention.options import KINDS
    from rankgain.measures.families import PART_ROWS, ROWS

    warnings.simplefilter("ignore", rg.RankgainWarning)
    yield "# Measures: what works with what\n"
    yield (
        "The arguments, forms of data and conventions that each measure supports. Formulas are in "
        "[definitions](../reference/definitions.md).\n"
    )
    yield "## Names and arguments\n"
    every = (*ROWS, *PART_ROWS)
    taken = [name for name in KINDS if any(name in row.params for row in every)]
    yield (
        "Means are arithmetic if the column is empty. The functions and arguments that evaluate, "
        "such as `weight=` and `threads=`, are the same for all measures.\n"
    )
    rows = [["measure", "function", "cutoff", "mean", "arguments"]]
    for row in every:
        function = f"`{row.function}`" if row.function in rg.__all__ else ""
        cutoff = {"none": "", "recall": "@recall", "multiple": "_0.20"}.get(row.cutoff, "@k")
        arguments = ", ".join(f"`{name}`" for name in taken if name in row.params)
        mean = "" if row.mean == "mean" else row.mean
        rows.append([f"`{row.name}`", function, cutoff, mean, arguments])
    yield from table(rows)
    yield "\n## Forms of data and of results\n"
    yield (
        'An empty cell means "not supported". "Sums of batches" is an `Accumulator`, "counts" are '
        '`PartialRanks`, and "averaged ties" says whether ties have an exact average.\n'
    )
    calls = forms()
    endings = {"recall": "@0.5", "multiple": "_0.20", "required": "@10"}
    names = {row.name: row.example + endings.get(row.cutoff, "") for row in ROWS}
    rows = [["measure", *calls]]
    for name, asked in names.items():
        rows.append(
            [f"`{name}`", *(tried(lambda c=call, a=asked: c(a)) for call in calls.values())]
        )
    yield from table(rows)
    yield "\n## Conventions\n"
    yield (
        "The mean of `examples/run-b.txt`, which has ties, an undefined list and a missing one, "
        "under each convention that accepts its labels. An empty cell means that the convention "
        "refuses the run, mostly for its ties or a missing query. nan: no list has a value.\n"
    )
    shown = [names[one] for one in ("nDCG", "AP", "RR", "P", "R", "HitRate", "ERR", "Bpref", "AUC")]
    shown = [f"{one}@5" if one in ("nDCG", "P", "R", "HitRate") else one for one in shown]
    rows = [["convention", *(f"`{one}`" for one in shown)]]
    qrels, run = (rg.Qrels(ROOT / "examples/qrels.txt"), rg.Run(ROOT / "examples/run-b.txt"))
    for convention in rg.conventions:
        cells = []
        for one in shown:
            value = ""
            with suppress(ValueError, TypeError):
                value = f"{rg.evaluate(qrels, run, one, convention=convention)[one]:.4f}"
            cells.append(value)
        rows.append([f"`{convention}`", *cells])
    yield from table(rows)


def name_pages() -> Iterator[str]:
    """Names of measures in other tools, from the table that errors are made of."""
    from rankgain.measures.known_names import TABLE, read_table

    yield "# Names of measures in other tools\n"
    yield (
        "What to write for a name that you know from another tool. Names without a note are "
        "accepted as written; the others raise an error that quotes their row. `@10` "
        "stands for any cutoff. Tools differ in more than names: a "
        "[convention](../reference/conventions.md) has the other choices of a tool.\n"
    )
    known = read_table(TABLE)
    for tools in dict.fromkeys(row.tools for row in known):
        yield f"\n## {tools}\n"
        rows = [["name", "in rankgain", "note"]]
        for row in known:
            if row.tools == tools:
                measure = f"`{row.measure}`" if row.measure else "none"
                refusal = (
                    "" if row.is_read else "not accepted" if row.measure else "no such measure"
                )
                note = ": ".join(filter(None, [refusal, row.note]))
                rows.append([f"`{row.name}`", measure, note])
        yield from table(rows)


def option_pages() -> Iterator[str]:
    """The options of each command, from its parser."""
    from rankgain.cli.parser import COMMANDS, STATUSES, Parser

    yield "# Options of the command line\n"
    yield (
        "Every argument of every command. [The command line](../reference/command_line.md) shows "
        "the commands at work.\n"
    )
    for name, (define, purpose) in COMMANDS.items():
        parser = Parser(prog=f"rankgain {name}", add_help=False)
        define(parser.add_argument)
        yield f"## rankgain {name}\n\n{purpose[0].upper()}{purpose[1:]}.\n"
        rows = [["argument", "values", "meaning"]]
        for action in parser._actions:
            called = ", ".join(f"`{one}`" for one in action.option_strings)
            values = ", ".join(f"`{one}`" for one in action.choices or ())
            called = called or f"`{action.metavar}`"
            metavar = f"`{action.metavar}`" if action.metavar and action.option_strings else ""
            rows.append([called, values or metavar, (action.help or "").replace("|", "\\|")])
        yield from table(rows)
        yield ""
    yield f"E{' '.join(STATUSES.split())[1:]}.\n"


# The gallery ------------------------------------------------------------------------------------


def draw_gallery(page: Path, folder: Path) -> None:
    """Run the code of the page; after each block, save the picture that the page shows there."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    names: dict[str, Any] = {}
    extra = folder / "extra"  # what its code writes
    extra.mkdir(parents=True, exist_ok=True)
    text = page.read_text(encoding="utf-8")
    for code, picture in re.findall(
        r"^```python\n(.*?)^```\n+(?:!\[.*?\]\(\.\./made/(\w+)-light\.svg\))?", text, re.M | re.S
    ):
        settings = {"svg.hashsalt": "rankgain", "svg.fonttype": "none", "font.family": "sans-serif"}
        for theme in ("light", "dark") if picture else ("light",):
            with plt.style.context("dark_background" if theme == "dark" else "default"):
                plt.rcParams.update(settings)
                with chdir(extra):
                    exec(compile(code, str(page), "exec"), names)
                if picture:
                    meta = {"Date": None, "Creator": None}
                    path = folder / f"{picture}-{theme}.svg"
                    # Transparent, so that the page's own background shows in both themes.
                    names["ax"].figure.savefig(
                        path, metadata=meta, bbox_inches="tight", transparent=True
                    )
                plt.close("all")


# Pages from outside, links that lead outside ----------------------------------------------------


def write(path: Path, text: str) -> None:
    """Write a file that differs, so that Sphinx reads again only what changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def inside(text: str, folder: Path) -> str:
    """The text of a page whose links to pages outside of docs/ lead to their copies."""

    def lead(match: re.Match[str]) -> str:
        path, _, anchor = match[1].partition("#")
        target = Path(os.path.normpath(folder / path)).relative_to(ROOT).as_posix()
        anchor = f"#{anchor}" if anchor else ""
        if target in COPIES:
            return f"](/made/{COPIES[target]}{anchor})"
        if target.startswith("docs/") and folder not in (DOCS, *DOCS.rglob("*")):
            return f"](/{target.removeprefix('docs/')}{anchor})"
        return match[0]

    return re.sub(r"(?<=[^\"\]])\]\((?!https?:|#|/|mailto:)([^)\s\"<>]+)\)", lead, text)


def write_pages(app: "Sphinx") -> None:
    """Write docs/made/ before Sphinx looks for pages."""
    for source, name in COPIES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        write(MADE / name, inside(text, (ROOT / source).parent))
    write_reference(MADE)
    write(MADE / "measures.md", "\n".join(measure_pages()) + "\n")
    write(MADE / "names.md", "\n".join(name_pages()) + "\n")
    write(MADE / "options.md", "\n".join(option_pages()) + "\n")
    draw_gallery(DOCS / "gallery" / "index.md", MADE)
    app.config.html_extra_path = [str(MADE / "extra")]


def read_source(app: "Sphinx", name: str, content: list[str]) -> None:
    """Change the links of a page as Sphinx reads it."""
    if app.env.doc2path(name).suffix == ".md":
        content[0] = inside(content[0], (DOCS / name).parent)


# Plain text, and what a page must not do --------------------------------------------------------


def plain(app: "Sphinx", name: str) -> str:
    """A page as Markdown: its source, or its doctree's text where that is no Markdown."""
    path = app.env.doc2path(name)
    if path.suffix == ".md":
        return inside(path.read_text(encoding="utf-8"), path.parent)
    if path.suffix == ".ipynb":
        import nbformat

        cells = nbformat.read(path, 4).cells
        fence = {"code": "```python\n{}\n```", "markdown": "{}"}
        return "\n\n".join(fence[one.cell_type].format(one.source) for one in cells) + "\n"
    title = app.env.titles[name].astext()
    return f"# {title}\n\n{app.env.get_doctree(name).astext().removeprefix(title).strip()}\n"


def folder_of(name: str) -> str:
    return name.rpartition("/")[0]


def first_paragraph(text: str) -> str:
    parts = [part for part in text.split("\n\n") if re.match(r"[A-Z`\[]", part)]
    return " ".join(parts[0].split()) if parts else ""


def write_texts(app: "Sphinx", error: Exception | None) -> None:
    """Write llms.txt and a Markdown twin of each page; warn of what leads to another host."""
    from sphinx.util import logging

    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    lines = ["# rankgain", "", f"> {first_paragraph(plain(app, 'index'))}", ""]
    section = ""
    for name in sorted(app.env.all_docs, key=lambda one: (FOLDERS.index(folder_of(one)), one)):
        text = plain(app, name)
        path = out / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        head = folder_of(name).replace("_", " ") or "start"
        if head != section:
            lines += ["", f"## {head}", ""]
            section = head
        said = "" if name.startswith("made/api/") else f": {first_paragraph(text)}"
        lines.append(f"- [{app.env.titles[name].astext()}]({name}.md){said}")
    (out / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    log = logging.getLogger(__name__)
    loaded = r"<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*\""
    for page in out.rglob("*.html"):
        for tag in re.findall(loaded, page.read_text(encoding="utf-8")):
            if 'rel="canonical"' not in tag:
                log.warning("%s loads from another host: %s", page.relative_to(out), tag)
    for sheet in out.rglob("*.css"):
        for url in re.findall(
            r"(?:url\(|@import )[\"']?(?:https?:)?//\S+", sheet.read_text("utf-8")
        ):
            log.warning("%s loads from another host: %s", sheet.relative_to(out), url)


def setup(app: "Sphinx") -> dict[str, bool]:
    app.connect("builder-inited", write_pages, priority=100)
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", one_line_types, priority=100)  # before numpydoc
    app.connect("doctree-read", unlink_addresses)
    app.connect("doctree-read", shape_blocks)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
