"""Results written out: text tables, CSV, JSON, LaTeX, the HTML report, plots."""
