"""What evaluations say when they are looked at: one list explained, two conventions reconciled."""
