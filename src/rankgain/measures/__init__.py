"""The measures: the table of families, the grammar of their names, and their public functions."""
