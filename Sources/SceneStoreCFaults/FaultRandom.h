#ifndef SCENESTORE_FAULT_RANDOM_H
#define SCENESTORE_FAULT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

// SplitMix64 (Steele, Lea, Flood 2014): one word of state, any seed is a good one.
typedef struct ssf_random {
    uint64_t state;
} ssf_random;

static inline uint64_t ssf_mix(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

static inline uint64_t ssf_next(ssf_random *random) {
    random->state += 0x9e3779b97f4a7c15u;
    return ssf_mix(random->state);
}

// A number below `bound`; the bias of a 64-bit remainder does not matter to rigs.
static inline uint64_t ssf_below(ssf_random *random, uint64_t bound) {
    return bound ? ssf_next(random) % bound : 0;
}

// True `chance` times in 256.
static inline bool ssf_chance(ssf_random *random, unsigned chance) {
    return (ssf_next(random) >> 56) < chance;
}

// A seed of its own for each place of a run.
static inline uint64_t ssf_seed(uint64_t seed, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t value = ssf_mix(seed + 0x9e3779b97f4a7c15u);
    value = ssf_mix(value ^ (a + 0x9e3779b97f4a7c15u));
    value = ssf_mix(value ^ (b + 0xd1b54a32d192ed03u));
    return ssf_mix(value ^ (c + 0x8cb92ba72f3d8dd7u));
}

#endif
