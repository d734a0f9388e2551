"""Where a number comes from: a list's table, what its ranks add, the way to another number."""
