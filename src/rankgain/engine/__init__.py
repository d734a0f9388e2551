"""From lists and arguments to values: settings, plans, threads, caches, means and intervals."""
