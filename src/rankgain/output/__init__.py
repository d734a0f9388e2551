"""What users see: text, CSV, JSON, LaTeX, the HTML report, pictures."""
