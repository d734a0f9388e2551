"""Array-likes as lists that the core reads: labels, scores, layouts, judged labels."""
