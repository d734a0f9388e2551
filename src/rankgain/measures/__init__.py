"""Measures: the catalogue, their names and grammar, and one public function for each."""
