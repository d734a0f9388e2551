"""From lists and arguments to values: settings, plans for the core, threads, caches, means."""
