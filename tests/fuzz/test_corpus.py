"""The kept corpus is replayed, without the fuzzer: no input of it is a finding any more."""

import warnings

import pytest

from corpus import KEPT, inputs_of
from targets import TARGETS

NEEDS = {"batches": "pyarrow", "tasks": "pyarrow", "tables": "polars"}


@pytest.mark.parametrize("target", TARGETS)
def test_the_corpus_is_replayed(target: str) -> None:
    if target in NEEDS:
        pytest.importorskip(NEEDS[target])
    if target == "tables":
        pytest.importorskip("narwhals")
    inputs = inputs_of(target)
    assert inputs
    for one in [b"", *inputs]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                TARGETS[target](one)
            except BaseException as error:
                error.add_note(f"the input of {target}: {one!r}")
                raise


def test_each_target_has_a_corpus_and_all_are_small() -> None:
    assert {path.stem for path in KEPT.iterdir()} == set(TARGETS)
    assert sum(path.stat().st_size for path in KEPT.iterdir()) <= 300_000
