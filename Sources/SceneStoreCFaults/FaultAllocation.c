#include <sqlite3.h>
#include <stddef.h>

#include "SceneStoreCFaults.h"

// Failing allocations. Armed for one thread at a time, so that tests may run side by side in one
// process; the allocator itself can only be put in before SQLite is initialised.

static sqlite3_mem_methods original;
static bool isInstalled;

static _Thread_local struct {
    bool isArmed, isPermanent;
    uint64_t first, seen, failed;
} armed;

static bool fails(void) {
    armed.seen++;
    if (!armed.isArmed) return false;
    if (armed.seen != armed.first && !(armed.isPermanent && armed.seen > armed.first)) {
        return false;
    }
    armed.failed++;
    return true;
}

static void *allocate(int size) { return fails() ? NULL : original.xMalloc(size); }

static void *reallocate(void *memory, int size) {
    return fails() ? NULL : original.xRealloc(memory, size);
}

int ssf_allocation_install(void) {
    if (isInstalled) return SQLITE_OK;
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    if (code) return code;
    sqlite3_mem_methods methods = original;
    methods.xMalloc = allocate;
    methods.xRealloc = reallocate;
    code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    isInstalled = code == SQLITE_OK;
    return code;
}

void ssf_allocation_arm(uint64_t first, bool permanent) {
    armed.isArmed = first > 0;
    armed.isPermanent = permanent;
    armed.first = first;
    armed.seen = 0;
    armed.failed = 0;
}

uint64_t ssf_allocation_disarm(void) {
    armed.isArmed = false;
    return armed.failed;
}

uint64_t ssf_allocation_count(void) { return armed.seen; }

int ssf_configure_for_rigs(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

int ssf_seed_sqlite(uint32_t seed) {
    // A seed of nought means "none" to SQLite.
    return sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, seed ? (int)seed : 1, (sqlite3 *)0);
}
