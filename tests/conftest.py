"""Property tests draw the same examples in every run and keep no database; blocks are small."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

import sizes

sizes.set_low()

# Most property tests run once per measure, so that a few examples of each make many.
settings.register_profile(
    "rankgain", deadline=None, derandomize=True, database=None, max_examples=40
)
settings.load_profile("rankgain")


@pytest.fixture(autouse=True)
def _usual_sizes_where_slow(request: pytest.FixtureRequest) -> Iterator[None]:
    """Simulations and large cases would take hours with small blocks."""
    if request.node.get_closest_marker("slow") is None:
        yield
        return
    with sizes.usual_sizes():
        yield
