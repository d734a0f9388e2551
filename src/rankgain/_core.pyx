"""The compiled core: rankers, hits, shapes. Private."""
