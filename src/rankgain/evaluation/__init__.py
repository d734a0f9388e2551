"""Many measures in one pass, of every form of input; what these calls return."""
