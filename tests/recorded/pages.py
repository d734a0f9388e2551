"""A page of HTML as text: a line for each block and each element of a picture."""

from html.parser import HTMLParser

BLOCKS = set(
    "h1 h2 p table caption tr section details summary figure figcaption svg g path rect circle "
    "text dl dt dd script style meta title html main div head body".split()
)
INSIDE = {"td": "|", "th": "|", "b": "*", "sup": "^"}  # how they begin, in a line


class Page(HTMLParser):
    """The lines of a page by section; "" has what stands before the first, and no style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.sections: dict[str, list[str]] = {"": [""]}
        self.section = ""
        self.is_heading = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("section", "style", "script"):
            self.section = tag.removeprefix("section")
            self.sections.setdefault(self.section, [""])
        self.is_heading = tag == "h2"
        words = " ".join(f"{name}={value!r}" for name, value in attrs)
        if tag in BLOCKS:
            self.sections[self.section].append(f"{tag} {words}".rstrip() + ": ")
        elif words or tag not in INSIDE:
            start = f" {INSIDE.get(tag, '')}<{tag} {words}"
            self.sections[self.section][-1] += f"{start.rstrip()}> "
        else:
            self.sections[self.section][-1] += f" {INSIDE[tag]} "

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script"):
            self.section = ""

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if self.is_heading and words:
            self.section = words
            self.sections[words] = [""]
            self.is_heading = False
        self.sections[self.section][-1] += words


def show_page(text: str, *names: str, limit: int = 400) -> str:
    """The sections of these names, by default all, each with so many lines at most."""
    page = Page(text)
    lines = []
    for name in names or page.sections:
        section = [line.strip() for line in page.sections.get(name, ["(no such section)"])]
        lines += [f"[{name}]", *filter(None, section[:limit])]
        if len(section) > limit:
            lines.append(f"... {len(section) - limit} more lines, the last: {section[-1]}")
    return "\n".join(lines)
