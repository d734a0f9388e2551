"""Property tests draw the same examples in every run and keep no database; blocks are small."""

from hypothesis import settings

import sizes

sizes.set_low()

# Most property tests run once per measure, so that a few examples of each make many.
settings.register_profile(
    "rankgain", deadline=None, derandomize=True, database=None, max_examples=40
)
settings.load_profile("rankgain")
