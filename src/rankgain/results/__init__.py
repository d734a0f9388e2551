"""What evaluations return, and how it is printed and written."""
