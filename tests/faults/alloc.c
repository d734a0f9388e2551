/* The n-th allocation fails, and the n-th start of a thread. Preloaded; the callers are chosen by fail_memory.

   A process starts with all that works. glibc's own names are behind the ones that are replaced, so nothing is looked up. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static const char *only = ""; /* a part of the path of the library whose allocations count */
static _Atomic long left = 0, threads = 0;
static __thread int inside = 0;

static int fails(void *caller) {
    Dl_info info;
    int counts;
    if (left == 0 || inside) return 0;
    inside = 1;
    counts = !*only || (dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, only));
    inside = 0;
    if (!counts || --left) return 0;
    errno = ENOMEM;
    return 1;
}

/* The n-th allocation from now on fails, of those by a library whose path has the text; 0: none. Returns how many are left. */
long fail_memory(long n, const char *library) {
    const long before = left;
    only = library;
    left = n;
    return before;
}

long fail_threads(long n) {
    const long before = threads;
    threads = n;
    return before;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (threads > 0 && --threads == 0) return EAGAIN;
    return real(thread, attributes, start, argument);
}
