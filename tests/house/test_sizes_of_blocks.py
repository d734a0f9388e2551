"""The sizes that the suite sets low are there, and are lower than those of users."""

import os

import pytest

import sizes


@pytest.mark.skipif(os.environ.get("RANKGAIN_TEST_SIZES") == "usual", reason="none is set")
@pytest.mark.parametrize("room", sizes.LOW)
def test_sizes_that_are_set_low_are_those_of_the_package(room: str) -> None:
    for name, size in sizes.LOW[room].items():
        assert (room, name) in sizes.USUAL, f"rankgain.{room} has no {name}: tests/oracle/sizes.py"
        assert sizes.USUAL[room, name] > size
