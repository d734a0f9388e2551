"""Draw the folders of the package into docs/architecture.md, from their imports.

python docs/draw_rooms.py            writes the figure and the list of rooms
python docs/draw_rooms.py --check    fails if the page is not what would be written
python docs/draw_rooms.py --counts   prints sizes, class names used twice, parameters of type Any
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).with_name("architecture.md")
SOURCES = Path(__file__).parents[1] / "src" / "rankgain"
SUFFIXES = (".py", ".pyi", ".pyx", ".pxd", ".h")
START, END = "<!-- rooms:start -->\n", "<!-- rooms:end -->\n"


def needs() -> dict[str, set[str]]:
    """The rooms that the files of each room import from."""
    rooms = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    imports: dict[str, set[str]] = {room: set() for room in rooms}
    for path in SOURCES.rglob("*.py"):
        here = path.relative_to(SOURCES).parts
        if here[0] not in rooms:
            continue
        for node in run_statements(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == len(here):
                names = [node.module] if node.module else [one.name for one in node.names]
                imports[here[0]] |= {name.split(".")[0] for name in names} & rooms
    return {room: others - {room} for room, others in imports.items()}


def run_statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a file but what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from run_statements(node)


def below(room: str, graph: dict[str, set[str]]) -> set[str]:
    """All rooms that a room stands on."""
    direct = graph[room]
    return direct.union(*(below(other, graph) for other in direct))


def node(room: str) -> str:
    """A room as a node of the figure, whose ids take no underscore in front."""
    return room if room == room.strip("_") else f"{room.strip('_')}[{room}]"


def drawn() -> str:
    """The figure, without arrows that others imply, and a line for each room from the top down."""
    graph = needs()
    height = {room: len(below(room, graph)) for room in graph}
    rooms = sorted(graph, key=lambda room: (-height[room], room))
    lines = ["```mermaid", "flowchart TD"]
    for room in rooms:
        implied = set().union(*(below(other, graph) for other in graph[room]))
        others = sorted(graph[room] - implied)
        if others:
            lines.append(f"    {node(room)} --> {' & '.join(map(node, others))}")
    lines += ["```", "", "| room | what is in it |", "| --- | --- |"]
    for room in rooms:
        tree = ast.parse((SOURCES / room / "__init__.py").read_text(encoding="utf-8"))
        lines.append(f"| `{room}/` | {(ast.get_docstring(tree) or '').splitlines()[0]} |")
    return "\n".join(lines) + "\n"


def counted() -> str:
    """Files and lines of each room, class names that are used twice, and parameters of type Any."""
    lines = []
    for room in sorted(needs()):
        sources = [path for path in (SOURCES / room).rglob("*") if path.suffix in SUFFIXES]
        total = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in sources)
        lines.append(f"{room:<13}{len(sources):>5} files{total:>8,} lines")
    nodes = [
        node
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    classes = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    repeated = sorted(name for name, times in classes.items() if times > 1)
    annotations = [node.annotation for node in nodes if isinstance(node, ast.arg)]
    untyped = sum(one is not None and ast.unparse(one) == "Any" for one in annotations)
    lines.append(f"class names used twice: {len(repeated)} ({', '.join(repeated)})")
    lines.append(f"parameters of type Any: {untyped}")
    return "\n".join(lines)


def main() -> int:
    if "--counts" in sys.argv[1:]:
        print(counted())
        return 0
    page = PAGE.read_text(encoding="utf-8")
    head, rest = page.split(START)
    new = head + START + drawn() + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        return int(new != page)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
