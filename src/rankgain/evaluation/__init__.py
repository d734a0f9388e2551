"""The `evaluate...` functions, one for each form of input, and the results that they return."""
