"""From lists and settings to values: plans for the core, threads, the cache, means."""
