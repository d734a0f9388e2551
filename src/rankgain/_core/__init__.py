"""The compiled core (Cython, C): ranks lists, computes measures, reads and joins text. Private."""

# Where a name is compiled. A module is loaded when one of its names is first asked for.
_HOMES = {
    "inputs.groups": "Places number_keys scatter_rows survey_codes survey_runs",
    "inputs.ids": "IdMatch count_values join_arrays read_integers read_numbers",
    "ranking.arrays": "LabelArray Runs are_alike are_small_and_whole check_indices",
    "ranking.counts": "count_rows",
    "ranking.bounds": "Holes bound count_ties list_with_tie rank_lists",
    "ranking.lists": "RANKERS SIMD Stop evaluate evaluate_plain hits prepare",
    "ranking.parts": "rank_greedily select_covered",
    "ranking.plan": "Gain Parts Plan PlanRow Weights sum_parts take_logarithms",
    "ranking.topk": "MOST_AS_BITS count_shared find_list_with_repeat find_matches gather_bits "
    "match_few match_many write_places",
    "sampling.pairs": "count_far find_tails",
    "text.dicts": "DictJoin plain_numbers",
    "text.join": "gather_ids hash_ids index_lists join_lists order_lists "
    "share_ranks sort_descending table_starts",
    "text.rows": "Memory Rows",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name):
    from importlib import import_module

    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = result = getattr(import_module(f".{home}", __name__), name)
    return result


def __dir__():
    return sorted(_HOME_OF)
