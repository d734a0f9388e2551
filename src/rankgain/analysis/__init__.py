"""Analysis of results: comparison and its statistics, explain, reconcile, audit, judge_next."""
