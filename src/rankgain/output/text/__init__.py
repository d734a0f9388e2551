"""Results as text: tables in every format, and JSON."""
