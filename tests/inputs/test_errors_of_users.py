"""An error of a user's code stays that error, with its class and attributes; a place is added."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import pytest

import rankgain as rg
from rankgain.evaluation.tables import frame as long_file

SOURCES = Path(rg.__file__).parent
LABELS = [[1, 0, 2], [0, 1, 1]]
SCORES = [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]
QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}}
COLUMNS = {"qid": [1, 1, 2, 2], "label": [1, 0, 0, 1], "score": [0.1, 0.2, 0.3, 0.4]}
NAMES = dict(zip(("query", "label", "score"), COLUMNS, strict=True))


class Coded(ValueError):
    """An error that a text alone cannot make."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class Refusing(Mapping[str, Any]):
    """A number, a table and a mapping of records that raise an error when they are read."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def fail(self, *_: object) -> NoReturn:
        raise self.error

    __getitem__ = __iter__ = __float__ = __index__ = items = fail

    def __len__(self) -> int:
        return 1


def evaluate_file(path: Path, gain: Any) -> None:
    pytest.importorskip("pyarrow")
    rows = zip(*COLUMNS.values(), strict=True)
    path.write_text("\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(long_file, "BYTES", 16)  # read in parts
        rg.evaluate_frame(path, ["nDCG"], gain=gain)


def evaluate_stream(gain: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rg.evaluate_batches(pyarrow.table(COLUMNS).to_batches(), ["nDCG"], gain=gain, **NAMES)


# What reads the refusing object, and the text of its error `{}` with the place.
PLACES: dict[str, tuple[Callable[[Refusing, Path], object], str]] = {
    "model": (
        lambda bad, _: rg.evaluate_models(LABELS, {"m": SCORES}, ["nDCG"], gain=bad.fail),
        "model 'm': {}",
    ),
    "gain": (
        lambda bad, _: rg.ndcg(LABELS, SCORES, gain={1: bad}),
        "gain must map numbers to numbers: {}",
    ),
    "cutoff": (lambda bad, _: rg.Measure("nDCG", bad), "measure 'nDCG': {}"),
    "option": (
        lambda bad, _: rg.evaluate_arrays(LABELS, SCORES, ["nDCG(gain=exp2)"], log_base=bad),
        "measure 'nDCG(gain=exp2)': {}",
    ),
    "excluded": (lambda bad, _: rg.evaluate(QRELS, RUN, ["P"], exclude=bad), "exclude: {}"),
    # Only errors of the library get the name of the run.
    "run": (lambda bad, _: rg.evaluate_runs(QRELS, {"r": bad}, ["P"]), "{}"),
    "file": (lambda bad, folder: evaluate_file(folder / "rows.csv", bad.fail), "{}"),
    "batches": (lambda bad, _: evaluate_stream(bad.fail), "{}"),
}
# Errors of a part keep their text; the note that says where the part starts.
PARTS = {
    "file": "list 0 is that of '1', which starts in {}, row 1",
    "batches": "list 0 is that of 1, which starts in the stream, row 1",
}


def raised_in(place: str, error: Exception, folder: Path) -> None:
    with pytest.raises(type(error)) as raised:
        PLACES[place][0](Refusing(error), folder)
    assert raised.value is error


@pytest.mark.parametrize("place", PLACES)
def test_an_error_that_prints_its_attributes_gets_a_note(place: str, tmp_path: Path) -> None:
    error = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad start")
    text, args = str(error), error.args
    raised_in(place, error, tmp_path)
    assert (str(error), error.args) == (text, args)
    expected = [PLACES[place][1].format(text)]
    if place == "run":
        expected = []
    if place in PARTS:
        expected = [PARTS[place].format(tmp_path / "rows.csv")]
    assert getattr(error, "__notes__", []) == expected


@pytest.mark.parametrize("place", PLACES)
def test_an_error_with_a_text_gets_another(place: str, tmp_path: Path) -> None:
    error = Coded("run: qrels: list 0", 7)
    raised_in(place, error, tmp_path)
    text = PLACES[place][1].format("run: qrels: list 0")
    assert (str(error), error.code) == (text, 7)
    expected = [PARTS[place].format(tmp_path / "rows.csv")] if place in PARTS else []
    assert getattr(error, "__notes__", []) == expected


def test_no_error_is_made_of_the_class_of_another() -> None:
    for path in SOURCES.rglob("*.py"):
        assert "raise type(" not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("run", [{"q": {"a": None}}, {1: ["a"], "1": ["b"]}, {"q": 3}])
def test_an_error_is_the_same_after_a_pickle(run: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        rg.evaluate_runs(QRELS, {"bad": run}, "AP")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is type(caught.value)
    assert str(copy) == str(caught.value)
    assert vars(copy) == vars(caught.value)
