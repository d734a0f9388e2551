"""What an earlier version stored, this one reads."""

import importlib.util
import json
import pickle
from pathlib import Path

import pytest

import rankgain as rg

FOLDER = Path(__file__).parent / "stored"
READERS = {
    "evaluation": rg.Evaluation.read,
    "evaluations": rg.Evaluations.read,
    "comparison": rg.Comparison.read,
    "accumulator": lambda path: rg.Accumulator.from_dict(json.loads(Path(path).read_text())),
}


def stored_objects():
    spec = importlib.util.spec_from_file_location("make_stored", FOLDER / "make_stored.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.stored_objects()


def comparable(value):
    """What two equal objects have equal, without the versions that wrote them."""
    if hasattr(value, "to_json"):
        return without_versions(json.loads(value.to_json()))
    if hasattr(value, "to_dict"):
        return without_versions(value.to_dict())
    if isinstance(value, rg.Truth):
        return rg.dcg(value, [[1, 2, 3], [3, 2, 1]]).tolist()
    return value


def without_versions(data):
    if isinstance(data, dict):
        return {
            key: without_versions(part)
            for key, part in data.items()
            if key not in ("rankgain", "versions")
        }
    return [without_versions(part) for part in data] if isinstance(data, list) else data


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*")), ids=lambda path: path.name)
def test_stored_by_each_version(path):
    expected = comparable(stored_objects()[path.stem])
    is_json = path.suffix == ".json"
    read = READERS[path.stem](path) if is_json else pickle.loads(path.read_bytes())
    assert json.dumps(comparable(read), default=repr) == json.dumps(expected, default=repr)


def test_this_version_is_stored():
    kinds = {path.name for path in (FOLDER / rg.__version__).iterdir()}
    assert kinds == {f"{name}.pickle" for name in stored_objects()} | {
        f"{name}.json" for name in READERS
    }
