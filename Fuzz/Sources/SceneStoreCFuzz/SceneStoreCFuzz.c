#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCFuzz.h"

#include <time.h>

uint64_t scenestore_fuzz_thread_time(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) {
        return 0;
    }
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
