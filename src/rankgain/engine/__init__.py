"""From lists and settings to values: plans for the core, threads, what is kept between calls."""
