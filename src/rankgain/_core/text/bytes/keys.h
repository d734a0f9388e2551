/* The key of the hash of ids: random words, one set for a process. */

#ifndef RANKGAIN_KEYS_H
#define RANKGAIN_KEYS_H

#include <stdint.h>

#define HASH_KEYS 3

static uint64_t hash_keys[HASH_KEYS];

#endif
