#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "floor_rows.h"

// The least that SQLite can be asked for: one row of one table is written over. No seal, no
// history, no owner; what any save in any store costs at least.

struct floor_bare {
    sqlite3 *database;
    sqlite3_stmt *update, *begin, *commit;
};

static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    return sqlite3_reset(statement) == SQLITE_OK && code == SQLITE_DONE;
}

floor_bare *floor_bare_open(const char *path, int durable, size_t count) {
    floor_bare *bare = calloc(1, sizeof(*bare));
    if (!bare) return NULL;
    char sql[512];
    snprintf(
        sql, sizeof(sql),
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; PRAGMA wal_autocheckpoint = 0;"
        "CREATE TABLE state (id INTEGER PRIMARY KEY, payload BLOB NOT NULL);"
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %zu)"
        "INSERT INTO state SELECT i, x'' FROM n",
        durable ? "FULL" : "NORMAL", count);
    if (sqlite3_open(path, &bare->database) == SQLITE_OK
        && sqlite3_exec(bare->database, sql, NULL, NULL, NULL) == SQLITE_OK
        && sqlite3_prepare_v3(
               bare->database, "UPDATE state SET payload = ? WHERE id = ?", -1,
               SQLITE_PREPARE_PERSISTENT, &bare->update, NULL)
            == SQLITE_OK
        && sqlite3_prepare_v2(bare->database, "BEGIN IMMEDIATE", -1, &bare->begin, NULL)
            == SQLITE_OK
        && sqlite3_prepare_v2(bare->database, "COMMIT", -1, &bare->commit, NULL) == SQLITE_OK)
        return bare;
    floor_fail("the bare store cannot be made");
    floor_bare_close(bare);
    return NULL;
}

int floor_bare_save(floor_bare *bare, int64_t row, const uint8_t *payload, size_t count) {
    sqlite3_bind_blob64(bare->update, 1, payload, count, SQLITE_STATIC);
    sqlite3_bind_int64(bare->update, 2, row);
    return run(bare->begin) && run(bare->update) && run(bare->commit)
        ? 1
        : floor_fail("a bare update failed");
}

int floor_bare_checkpoint(floor_bare *bare) {
    int code = sqlite3_wal_checkpoint_v2(
        bare->database, "main", SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return code == SQLITE_OK ? 1 : floor_fail("checkpointing the bare store");
}

int floor_bare_close(floor_bare *bare) {
    if (!bare) return 1;
    sqlite3_finalize(bare->update);
    sqlite3_finalize(bare->begin);
    sqlite3_finalize(bare->commit);
    int code = sqlite3_close(bare->database);
    free(bare);
    return code == SQLITE_OK ? 1 : floor_fail("closing the bare store");
}
