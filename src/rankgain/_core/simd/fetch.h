/* Fetching ahead into the caches. */

#ifndef RANKGAIN_FETCH_H
#define RANKGAIN_FETCH_H

#include <stddef.h>

/* What is wanted soon: the labels and the scores of a list to come. */
struct ahead {
    const char *at[2];
    ptrdiff_t left[2];
    ptrdiff_t portion;
};

#if defined(__GNUC__) || defined(__clang__)
#define FETCH_LINE(address) __builtin_prefetch(address)
#define FETCH_INTO_SECOND(address) __builtin_prefetch(address, 0, 2)
#else
#define FETCH_LINE(address) ((void)(address))
#define FETCH_INTO_SECOND(address) ((void)(address))
#endif

/* Ask for some more cache lines, into the second cache. A processor holds some twenty requests to memory and drops what is
   beyond, so they are made in small portions all the time that another list is worked on, but not just before a pass over it,
   whose own requests would wait behind them. Lines past the end belong to the list that follows, or are ignored. */
static inline void fetch_ahead(struct ahead *ahead) {
    for (ptrdiff_t left = ahead->portion; left > 0; left -= 512) {
        const int which = ahead->left[0] <= 0;
        const char *at;
        if (ahead->left[which] <= 0) return;
        at = ahead->at[which];
        for (int byte = 0; byte < 512; byte += 64) FETCH_INTO_SECOND(at + byte);
        ahead->at[which] = at + 512;
        ahead->left[which] -= 512;
    }
}

/* What is not yet asked for. */
static inline void fetch_rest(struct ahead *ahead) {
    ahead->portion = (ahead->left[0] > 0 ? ahead->left[0] + 512 : 0) + ahead->left[1];
    fetch_ahead(ahead);
}

#endif
