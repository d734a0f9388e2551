"""Property tests draw the same examples in every run and keep no database."""

from hypothesis import settings

settings.register_profile("rankgain", deadline=None, derandomize=True, database=None)
settings.load_profile("rankgain")
