"""Fetching ahead into the caches."""

cdef extern from "fetch.h" nogil:
    cdef struct ahead:
        const char *at[2]
        Py_ssize_t left[2]
        Py_ssize_t portion
    void fetch_ahead(ahead *) noexcept
    void fetch_rest(ahead *) noexcept
    void fetch_line "FETCH_LINE"(const void *) noexcept
