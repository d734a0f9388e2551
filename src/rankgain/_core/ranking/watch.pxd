"""Whether a long call is to end: because of a signal to the interpreter, or of the thread that waits for it."""

cdef extern from "<time.h>" nogil:
    ctypedef long clock_t
    clock_t clock()
    const clock_t CLOCKS_PER_SEC

cdef extern from "Python.h":
    int signal_handlers_failed "PyErr_CheckSignals"() noexcept

cdef enum:
    BETWEEN_LOOKS = 1 << 17  # documents, some 50 microseconds of ranking
    SQUARES_OF_A_DOCUMENT = 256  # for slow walks, whose time grows with n * n, n * n / 256 counts as documents

# Looking for signals takes the interpreter's lock, which other threads may hold for milliseconds.
# So it is done once in a tenth of a second of the processor time of all threads.
cdef struct Watch:
    double work  # documents since the last look at the clock
    clock_t last
    const int *stop  # set by another thread, or NULL


cdef inline void open_watch(Watch *watch, const int *stop) noexcept nogil:
    watch.work = 0.0
    watch.last = -1
    watch.stop = stop


cdef inline bint handler_failed(Watch *watch) noexcept nogil:
    """Let handlers of signals run, in the main thread; one that fails leaves its exception behind, as KeyboardInterrupt."""
    cdef bint failed
    cdef clock_t now = clock()
    watch.work = 0.0
    if watch.last == -1:
        watch.last = now
    if now - watch.last < CLOCKS_PER_SEC // 10:
        return False
    watch.last = now
    with gil:
        failed = signal_handlers_failed() != 0
    return failed


cdef inline bint must_end(Watch *watch, Py_ssize_t n, bint slow) noexcept nogil:
    """Count a list of n documents; returns whether the call must end, with an exception that is set or because it was stopped."""
    watch.work += n + 64  # what a list costs besides its documents
    if slow:
        watch.work += <double> n * <double> n / SQUARES_OF_A_DOCUMENT
    if watch.stop != NULL and watch.stop[0]:
        return True
    return watch.work >= BETWEEN_LOOKS and handler_failed(watch)
