"""Array-likes, ids, files and columns of tables as lists that the core reads; `Truth`."""
