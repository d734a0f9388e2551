"""The examples in the docstrings of everything public run and hold."""

import doctest

import pytest

import rankgain as rg
from examples_need import imported, skip_without, typed

PUBLIC = sorted(
    name for name in dir(rg) if not name.startswith("_") and callable(getattr(rg, name))
)


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name):
    thing = getattr(rg, name)
    for example in doctest.DocTestFinder().find(thing, name, module=False, globs={name: thing}):
        skip_without(imported(typed(example.docstring or "")))
        assert doctest.DocTestRunner().run(example).failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    result = [name for name in PUBLIC if any(t.examples for t in finder.find(getattr(rg, name)))]
    assert len(result) >= 15
