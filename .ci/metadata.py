"""What setup.py adds to a release: addresses, the page that the index shows, the bill of materials.

All addresses follow from `repository` under [tool.rankgain] in pyproject.toml.
"""

import json
import re
import tomllib
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REPOSITORY: str = PYPROJECT["tool"]["rankgain"]["repository"]
RAW = REPOSITORY.replace("//github.com/", "//raw.githubusercontent.com/")
VERSION = re.search(
    r'^__version__ = "(.*)"', (ROOT / "src/rankgain/__init__.py").read_text("utf-8"), re.M
)[1]
URLS = {
    "Documentation": "https://{}.github.io/{}/".format(*REPOSITORY.split("/")[-2:]),
    "Source": REPOSITORY,
    "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
    "Issues": f"{REPOSITORY}/issues",
}


def long_description() -> str:
    """The README with absolute links: pages and pictures as the version's tag has them."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    here = r"(?!https?:|mailto:|#)"
    page = re.sub(rf"\]\({here}", f"]({REPOSITORY}/blob/v{VERSION}/", page)
    return re.sub(rf'(src|srcset)="{here}', rf'\1="{RAW}/v{VERSION}/', page)


def materials() -> str:
    """The bill of materials (CycloneDX): the package, what is compiled in, and what it requires.

    No time and no serial number: two builds give the same bytes.
    """
    project = PYPROJECT["project"]
    cython = {
        "type": "library",
        "bom-ref": "cython",
        "name": "Cython",
        "version": installed("Cython"),
        "description": "the runtime support that Cython writes into the modules that it generates",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "purl": f"pkg:pypi/cython@{installed('Cython')}",
    }
    required: list[dict[str, Any]] = [
        {
            "type": "library",
            "bom-ref": name,
            "name": name,
            "description": f"required at run time ({name}{rest}), not in the wheel",
            "purl": f"pkg:pypi/{name}",
        }
        for name, rest in (
            re.match(r"([\w-]+)(.*)", one).groups() for one in project["dependencies"]
        )
    ]
    package = {
        "type": "library",
        "bom-ref": "rankgain",
        "name": "rankgain",
        "version": VERSION,
        "licenses": [{"license": {"id": project["license"]}}],
        "purl": f"pkg:pypi/rankgain@{VERSION}",
        "externalReferences": [{"type": "vcs", "url": REPOSITORY}],
    }
    parts = [cython, *required]
    return json.dumps(
        {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {"component": package},
            "components": parts,
            "dependencies": [
                {"ref": "rankgain", "dependsOn": [one["bom-ref"] for one in parts]},
                *({"ref": one["bom-ref"]} for one in parts),
            ],
        },
        indent=1,
    )


def write_materials(dist_info: str) -> None:
    """Write the bill of materials where PEP 770 puts it."""
    folder = Path(dist_info, "sboms")
    folder.mkdir()
    (folder / "rankgain.cdx.json").write_text(materials(), encoding="utf-8", newline="\n")
