#ifndef SCENESTORE_CFUZZ_H
#define SCENESTORE_CFUZZ_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop: reads its flags from the arguments and calls back with each input.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/// What this thread has computed so far, in nanoseconds; waiting doesn't count.
uint64_t scenestore_fuzz_thread_time(void);

#endif
