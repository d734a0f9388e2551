"""Memory that will be wanted soon."""

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define fetch_soon(address) __builtin_prefetch(address)
    #else
    #define fetch_soon(address) ((void) (address))
    #endif
    #ifdef Py_GIL_DISABLED
    #define FREE_THREADED 1
    #else
    #define FREE_THREADED 0
    #endif
    """
    void fetch_soon(const void *) noexcept nogil
    bint FREE_THREADED
