"""The measures: their catalogue, the grammar of their names, and their public functions."""
