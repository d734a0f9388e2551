"""Draw the folders of the package into docs/development/, from their imports.

python docs/draw_rooms.py            writes the list of rooms and the picture rooms.svg
python docs/draw_rooms.py --check    fails if one of them is not what would be written
python docs/draw_rooms.py --counts   prints sizes, class names used twice, parameters of type Any
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PICTURE = Path(__file__).parent / "development" / "rooms.svg"
PAGE = Path(__file__).parent / "development" / "architecture.md"
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
    """What runs when a file is imported; methods of results import from rooms above their own."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.FunctionDef):
            continue
        yield node
        yield from run_statements(node)


def below(room: str, graph: dict[str, set[str]]) -> set[str]:
    """All rooms that a room stands on."""
    direct = graph[room]
    return direct.union(*(below(other, graph) for other in direct))


def arrows(room: str, graph: dict[str, set[str]]) -> list[str]:
    """The rooms that a room imports from, without those that others imply."""
    return sorted(graph[room] - set().union(*(below(other, graph) for other in graph[room])))


def listed(graph: dict[str, set[str]]) -> str:
    """The picture, and a line for each room from the top down."""
    height = {room: len(below(room, graph)) for room in graph}
    lines = ["![The rooms, and what each imports from](rooms.svg)", ""]
    lines += ["| room | what is in it |", "| --- | --- |"]
    for room in sorted(graph, key=lambda room: (-height[room], room)):
        tree = ast.parse((SOURCES / room / "__init__.py").read_text(encoding="utf-8"))
        lines.append(f"| `{room}/` | {(ast.get_docstring(tree) or '').splitlines()[0]} |")
    return "\n".join(lines) + "\n"


def drawn(graph: dict[str, set[str]]) -> str:
    """The picture: a room stands just under the lowest of the rooms that import from it."""
    floors: dict[str, int] = {}
    for room in sorted(graph, key=lambda room: (len(below(room, graph)), room)):
        floors[room] = 1 + max((floors[other] for other in graph[room]), default=-1)
    for room in sorted(graph, key=lambda room: -floors[room]):
        above = [floors[other] for other in graph if room in graph[other]]
        floors[room] = min(above, default=floors[room] + 1) - 1
    top, width, high = max(floors.values()), 110, 30
    place: dict[str, tuple[int, int]] = {}
    for floor in range(top + 1):
        rooms = sorted(room for room in floors if floors[room] == floor)
        for at, room in enumerate(rooms):
            place[room] = (round(240 + 150 * (at - (len(rooms) - 1) / 2)), 30 + 62 * (top - floor))
    size = f'width="480" height="{62 * top + 60}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 480 {62 * top + 60}" '
        'font-family="sans-serif" font-size="14" text-anchor="middle">',
        '<rect width="100%" height="100%" rx="6" fill="#ffffff"/>',
        '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>',
    ]
    for room in sorted(place):
        for other in arrows(room, graph):
            (x, y), (to_x, to_y) = place[room], place[other]
            parts.append(
                f'<path d="M{x} {y + high // 2}L{to_x} {to_y - high // 2}" stroke="#57606a" '
                'fill="none" marker-end="url(#end)"/>'
            )
    for room, (x, y) in sorted(place.items()):
        parts.append(
            f'<rect x="{x - width // 2}" y="{y - high // 2}" width="{width}" height="{high}" '
            'rx="5" fill="#e8f0fe" stroke="#57606a"/>'
            f'<text x="{x}" y="{y + 5}" fill="#1f2328">{room}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


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
    page, graph = PAGE.read_text(encoding="utf-8"), needs()
    head, rest = page.split(START)
    new = head + START + listed(graph) + END + rest.split(END)[1]
    picture = drawn(graph)
    if "--check" in sys.argv[1:]:
        return int(new != page or picture != PICTURE.read_text(encoding="utf-8"))
    PAGE.write_text(new, encoding="utf-8")
    PICTURE.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
