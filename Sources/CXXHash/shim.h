#include <xxhash.h>
// Where the library chooses by processor at run time, which its header does by macros that Swift does not see.
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

static inline XXH64_hash_t magpie_xxh3_64bits_with_seed(const void *bytes, size_t count, XXH64_hash_t seed) {
    return seed == 0 ? XXH3_64bits(bytes, count) : XXH3_64bits_withSeed(bytes, count, seed);
}

static inline void magpie_xxh3_64bits_update(XXH3_state_t *state, const void *bytes, size_t count) {
    XXH3_64bits_update(state, bytes, count);
}
