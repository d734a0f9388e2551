"""Read array-likes, ids, files and tables into the lists that the core takes; `Truth`."""
