#include "SceneStoreCWalks.h"

#include <sqlite3.h>
#include <stddef.h>

static scenestore_walk counts;

scenestore_walk scenestore_walk_counts(void) {
    return counts;
}

// Other linkers can't put functions in front of others; nothing is counted there.
#if defined(__linux__)

static int count_commit(void *unused) {
    (void)unused;
    counts.transactions += 1;
    return 0;
}

int __real_sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs);

int __wrap_sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs) {
    int code = __real_sqlite3_open_v2(path, database, flags, vfs);
    if (*database != NULL) { sqlite3_commit_hook(*database, count_commit, NULL); }
    return code;
}

int __real_sqlite3_step(sqlite3_stmt *statement);

int __wrap_sqlite3_step(sqlite3_stmt *statement) {
    if (!sqlite3_stmt_busy(statement)) { counts.statements += 1; }
    return __real_sqlite3_step(statement);
}

void __real_scenestore_lock_enter(void *lock);

void __wrap_scenestore_lock_enter(void *lock) {
    counts.locks += 1;
    __real_scenestore_lock_enter(lock);
}

#endif
