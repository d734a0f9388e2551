"""Text between two markers of a page, such as <!-- path:start --> and <!-- path:end -->."""

from pathlib import Path


def put_between_markers(page: Path, text: str, name: str = "benchmarks") -> None:
    """Replace the text between the markers of this name; without them they come at the end."""
    start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    if start not in old or end not in old:
        old = f"{old.rstrip()}\n\n{start}\n{end}\n".lstrip()
    before, _, rest = old.partition(start)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{start}\n{text.strip()}\n{end}{after}", encoding="utf-8")
