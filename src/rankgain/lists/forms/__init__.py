"""The forms in which labels and scores come: arrays, lists of lists, sparse matrices, Series."""
