"""What an audit runs: lists, ways to call a function, and values with one error or two."""
