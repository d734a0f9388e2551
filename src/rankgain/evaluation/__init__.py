"""Many measures in one pass, of arrays, recommended ids, qrels and runs; means and bounds."""
