"""What a release shows and carries: its page on the index, its addresses, its bill of materials."""

import json
import re
import runpy
from importlib.metadata import distribution
from typing import Any

import pytest

import rankgain as rg
from places import ROOT

METADATA = runpy.run_path(str(ROOT / ".ci" / "metadata.py"))
PAGE: str = METADATA["long_description"]()
REPOSITORY: str = METADATA["REPOSITORY"]
PLACES = {  # where files of the tag are read
    f"{REPOSITORY}/blob/v{rg.__version__}/",
    f"{METADATA['RAW']}/v{rg.__version__}/",
}


def targets(html: str) -> list[str]:
    return re.findall(r'\b(?:href|src|srcset)="([^"]*)"', html)


def heads(page: str) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    lines = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line.lower()).strip().replace(" ", "-") for line in lines}


def is_dead(target: str) -> bool:
    place = next((one for one in PLACES if target.startswith(one)), None)
    if place is None:
        return not target.startswith("https://")
    path, _, anchor = target.removeprefix(place).partition("#")
    file = ROOT / path
    return not file.exists() or bool(anchor and anchor not in heads(file.read_text("utf-8")))


def test_links_and_pictures_of_the_index_are_absolute_and_lead_to_files_of_the_tag() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", PAGE)
    result = [*links, *targets(PAGE)]
    assert [one for one in result if is_dead(one)] == []
    assert len(result) == len(re.findall(r"\]\([^)\s]+\)", readme)) + len(targets(readme)) > 20
    assert sum(one.startswith(METADATA["RAW"]) for one in result) >= 2
    # What the test takes for dead:
    assert all(map(is_dead, ["docs/trust.md", f"{REPOSITORY}/blob/v{rg.__version__}/absent.md"]))


def test_the_index_renders_the_page_with_its_picture() -> None:
    markdown = pytest.importorskip("readme_renderer.markdown")
    html = markdown.render(PAGE)
    assert html is not None, "needs readme_renderer[md]"
    pictures = re.findall(r'<img [^>]*src="([^"]*)"', html)
    assert any(one.endswith("/docs/speed-light.svg") for one in pictures)
    assert [one for one in targets(html) if is_dead(one) and not one.startswith("#")] == []


def test_the_owner_stands_in_one_place() -> None:
    owner = REPOSITORY.split("/")[-2]
    hosts = rf"(?:github|githubusercontent)\.(?:com|io)/{owner}\b|\b{owner}\.github\.io"
    folders = [ROOT, ROOT / "docs", ROOT / ".github", ROOT / ".ci", ROOT / "src"]
    files = [path for path in ROOT.iterdir() if path.is_file()]
    files += [path for folder in folders[1:] for path in folder.rglob("*") if path.is_file()]
    texts = {".cff", ".md", ".py", ".toml", ".txt", ".yaml", ".yml", ".in"}
    naming = {path.name for path in files if path.suffix in texts and re.search(hosts, text(path))}
    assert naming == {"pyproject.toml"}
    assert text(ROOT / "pyproject.toml").count(REPOSITORY) == 1


def text(path: Any) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def installed() -> Any:
    """The distribution, where it was installed from a wheel."""
    result = distribution("rankgain")
    if json.loads(result.read_text("direct_url.json") or "{}").get("dir_info", {}).get("editable"):
        pytest.skip("the installation is editable: its metadata may be old")
    return result


def test_the_wheel_has_that_page_and_those_addresses() -> None:
    data = installed().metadata
    assert data["Description"].strip() == PAGE.strip()
    assert data["Description-Content-Type"] == "text/markdown"
    urls = dict(line.split(", ") for line in data.get_all("Project-URL"))
    assert urls == METADATA["URLS"]


def test_the_bill_of_materials_names_what_is_in_the_wheel_and_what_it_requires() -> None:
    pytest.importorskip("Cython")
    bill = json.loads(METADATA["materials"]())
    assert bill["metadata"]["component"]["version"] == rg.__version__
    assert [one["name"] for one in bill["components"]] == ["Cython", "numpy"]
    known = {one["bom-ref"] for one in [bill["metadata"]["component"], *bill["components"]]}
    assert {one["ref"] for one in bill["dependencies"]} == known


def test_the_wheel_has_its_bill_of_materials() -> None:
    (path,) = (one for one in installed().files if one.match("*.dist-info/sboms/*.cdx.json"))
    bill = json.loads(path.read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["purl"] == f"pkg:pypi/rankgain@{rg.__version__}"


def test_the_citation_names_the_version() -> None:
    assert f"\nversion: {rg.__version__}\n" in text(ROOT / "CITATION.cff")
