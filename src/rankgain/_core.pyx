"""The compiled core: plans, weight tables, and the drivers that run lists without the GIL. Private; use rankgain's functions."""

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_Next
from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from cpython.object cimport PyObject
from libc.math cimport INFINITY, NAN, log, log2
from libc.stdint cimport INT32_MAX, INT64_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcpy, memset

from ._types cimport *
from ._labels cimport *
from ._gain cimport gain_of
from ._shapes cimport stay
from ._lists cimport hits_stand_alone, open_workspace, own_labels, run_list, run_ranked
from ._bounds cimport MARKS, HoleView, bound_ties, bound_unjudged, by_score, has_tie, tied_documents
from ._ideal cimport sparse_ideal
from ._wide cimport wide_best, wide_level
from ._topk cimport (
    GAP, ID_BELOW, ID_BEYOND, MATCHED, TWICE, Lookup, drop_zeros, id_type, labels_of, match_ids, wanted_type,
)

from ._read cimport EXACT, GREATEST_POWER, HASH_KEYS, LEAST_POWER, Powers, hash_bytes, hash_keys, same_bytes
from ._read_lists cimport (
    MANY, Ids, Item, JoinScratch, index_list, is_canonical, join_list, join_scratch_free, join_scratch_init, longest_list, sort_hits,
    sort_labels, sort_rows,
)
from ._read_number cimport plain_decimal, read_decimal
from ._read_rows cimport (
    END, HARD_NUMBER, NO_RANK, NO_RANK_OR_NO_TAG, NO_SCORE, NUL_BYTE, ROW, TOO_FEW, TOO_MANY, Row, Scan, line_end,
    next_qrels_row, next_run_row,
)
from ._read_dicts cimport (
    Buckets, DictHit, borrowed_item, compare_strings, count_scores, first_below, float_value, integer_value, is_float,
    is_id, is_plain_integer, own_dict, sort_hits_by_rank, sort_hits_by_score, thresholds_of, utf8_of,
)
from ._read_gains cimport (
    dcg, ideal_dcg, ndcg, ndcg_at, ndcg_rel, normalized_gain, place_of, r_ndcg, rbp, rbp_residual,
)
from ._read_measures cimport (
    NOT_IN_POOL, UNJUDGED, Calculate, LevelGain, Parameters, Ranked, average_precision, average_precision_at,
    binary_g, bpref, eleven_point, inferred_ap, iprec_at_recall, log_average_precision, log_bpref,
    num_nonrel_judged_ret, num_rel, num_rel_ret, num_ret, precision_at, r_precision,
    r_precision_multiples, recall_at, reciprocal_rank, relative_precision_at, set_f, set_map,
    set_precision, set_recall, set_relative_precision, success_at, unjudged_at, utility, yaap,
)
from ._read_stream cimport (
    FoundHits, Group, Judgments, Scratch, group_add, group_clear, group_free, group_init, look_up, scratch_free,
)
from ._read_table cimport (
    Names, Store, add_name, append_bytes, append_word, find, find_name, is_interrupted, names_free, names_init,
    release, reserve, reserve_items, slot_value, slots_for,
)

import os
import re


def _choose_simd():
    """The widest instruction set of this machine, or what RANKGAIN_SIMD says: plain, avx2 or avx512."""
    global wide_level
    wanted = os.environ.get("RANKGAIN_SIMD", "")
    levels = {"plain": 0, "avx2": 1, "avx512": 2}
    if wanted and wanted not in levels:
        raise ImportError(f"RANKGAIN_SIMD must be plain, avx2 or avx512, not {wanted!r}")
    wide_level = min(wide_best(), levels.get(wanted, 2))  # no-cython-lint
    return ("plain", "avx2", "avx512")[wide_level]


SIMD = _choose_simd()


include "_plan.pxi"
include "_arrays.pxi"
include "_ranking.pxi"
include "_bounding.pxi"
include "_matching.pxi"
include "_reading.pxi"
include "_joining.pxi"
include "_streaming.pxi"
include "_trec_eval.pxi"
include "_dicts.pxi"
