"""Long tables of predictions with labels, in memory and in files."""
