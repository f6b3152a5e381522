#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include "floor_rows.h"

// What is done to a store seldom: closing windows and giving them back, a reset, pruning, checking
// and copying it. The statements are the store's own; rows that nobody compares afterwards are
// written without their seals, which makes this floor the lower.

static int execute(floor_store *store, const char *sql) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK
        ? 1
        : floor_fail_sqlite(store, sql);
}

// Prepares, binds up to three numbers, runs and forgets a statement.
static int run_once(floor_store *store, const char *sql, int64_t a, int64_t b, int64_t c) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        return floor_fail_sqlite(store, sql);
    const int64_t numbers[] = {a, b, c};
    int count = sqlite3_bind_parameter_count(statement);
    for (int i = 0; i < count && i < 3; i++) sqlite3_bind_int64(statement, i + 1, numbers[i]);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) continue;
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? 1 : floor_fail_sqlite(store, sql);
}

static int note(floor_store *store, int64_t now) {
    store->row.event_count++;
    return run_once(
        store,
        "INSERT OR REPLACE INTO event (id, epoch, serial, generation, launch, happened_at, kind, "
        "checksum) VALUES (?1, 1, ?1, ?2, 0, ?3, 'floor', 0)",
        store->row.event_count, store->row.generation, now);
}

static int commit(floor_store *store) {
    return floor_exchange_row(store, store->row.owner_epoch, store->row.generation - 1)
        && floor_run(store, FLOOR_COMMIT);
}

static int begin(floor_store *store) {
    if (!floor_run(store, FLOOR_BEGIN)) return 0;
    store->row.generation++;
    return 1;
}

int floor_discard(floor_store *store, int64_t key, int64_t now) {
    return begin(store)
        && run_once(
               store,
               "INSERT INTO discard (id, epoch, identifier, configuration_id, cause, delivery, "
               "offered_launch, discarded_at, generation, checksum) SELECT id, epoch, identifier, "
               "configuration_id, 'user', 0, 0, ?2, ?3, 0 FROM session WHERE id = ?1",
               key, now, store->row.generation)
        && run_once(
               store, "UPDATE session SET is_open = 0, is_front = 0, generation = ?2 WHERE id = ?1",
               key, store->row.generation, 0)
        && run_once(
               store,
               "UPDATE configuration SET open_sessions = open_sessions - 1 WHERE id = "
               "(SELECT configuration_id FROM session WHERE id = ?1)",
               key, 0, 0)
        && note(store, now) && commit(store);
}

int floor_reopen(floor_store *store, int64_t key, int64_t now) {
    return begin(store) && run_once(store, "DELETE FROM discard WHERE id = ?1", key, 0, 0)
        && run_once(
               store, "UPDATE session SET is_open = 1, generation = ?2 WHERE id = ?1", key,
               store->row.generation, 0)
        && run_once(
               store,
               "UPDATE configuration SET open_sessions = open_sessions + 1 WHERE id = "
               "(SELECT configuration_id FROM session WHERE id = ?1)",
               key, 0, 0)
        && note(store, now) && commit(store);
}

int floor_reset(floor_store *store, int64_t now) {
    if (!begin(store)) return 0;
    store->row.container_epoch++;
    store->row.open_count = store->row.open_digest = store->row.row_digest = 0;
    return note(store, now) && commit(store);
}

int floor_prune(floor_store *store) {
    return begin(store)
        && run_once(
               store,
               "DELETE FROM state WHERE id >> 8 IN (SELECT id FROM session WHERE is_open = 0)", 0,
               0, 0)
        && run_once(store, "DELETE FROM session WHERE is_open = 0", 0, 0, 0)
        && run_once(store, "DELETE FROM discard", 0, 0, 0) && commit(store);
}

int64_t floor_history(floor_store *store, int64_t key) {
    sqlite3_stmt *select = floor_statement(store, FLOOR_SELECT_SLOTS);
    if (!select) return -1;
    sqlite3_bind_int64(select, 1, key << 8);
    sqlite3_bind_int64(select, 2, key << 8 | 255);
    int64_t count = 0;
    while (count >= 0 && sqlite3_step(select) == SQLITE_ROW) {
        floor_state_row row;
        floor_read_state(select, &row);
        count = row.length <= FLOOR_TEXT && row.checksum == floor_seal_state(store, &row)
            ? count + 1
            : floor_fail("a state is damaged") - 1;
    }
    sqlite3_reset(select);
    return count;
}

// Pages by SQLite itself, sessions and states by their seals and the states' bytes.
int64_t floor_verify(floor_store *store) {
    if (!execute(store, "PRAGMA integrity_check(1); PRAGMA foreign_key_check")) return -1;
    sqlite3_stmt *select = NULL;
    floor_skeleton *skeleton = floor_read_skeleton(store);
    if (!skeleton) return -1;
    int64_t rows = (int64_t)floor_skeleton_count(skeleton);
    floor_skeleton_free(skeleton);
    if (sqlite3_prepare_v2(
            store->database,
            "SELECT id, generation, saved_at, context_id, activity_type, content_hash, byte_count, "
            "checksum, payload FROM state",
            -1, &select, NULL)
        != SQLITE_OK)
        return floor_fail_sqlite(store, "reading the states") - 1;
    while (rows >= 0 && sqlite3_step(select) == SQLITE_ROW) {
        floor_state_row row;
        floor_read_state(select, &row);
        const void *bytes = sqlite3_column_blob(select, 8);
        size_t count = (size_t)sqlite3_column_bytes(select, 8);
        rows = row.length <= FLOOR_TEXT && row.checksum == floor_seal_state(store, &row)
                && row.content_hash == (int64_t)floor_hash(bytes, count, 0)
            ? rows + 1
            : floor_fail("a state is damaged") - 1;
    }
    sqlite3_finalize(select);
    return rows;
}

int floor_backup(floor_store *store, const char *path) {
    sqlite3 *copy = NULL;
    int code = sqlite3_open(path, &copy);
    if (code == SQLITE_OK) {
        sqlite3_exec(copy, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
        sqlite3_backup *backup = sqlite3_backup_init(copy, "main", store->database, "main");
        code = backup ? sqlite3_backup_step(backup, -1) : SQLITE_ERROR;
        if (backup) sqlite3_backup_finish(backup);
    }
    sqlite3_close(copy);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int is_durable = file >= 0 && fsync(file) == 0;
    if (file >= 0) close(file);
    return code == SQLITE_DONE && is_durable ? 1 : floor_fail("copying the store");
}

// Merging: every session and its states' bytes, of store after store, into one table.

struct floor_merge {
    sqlite3 *database;
    sqlite3_stmt *insert;
};

floor_merge *floor_merge_open(const char *path) {
    floor_merge *merge = sqlite3_malloc(sizeof(*merge));
    if (!merge) return NULL;
    *merge = (floor_merge){NULL, NULL};
    if (sqlite3_open(path, &merge->database) == SQLITE_OK
        && sqlite3_exec(
               merge->database,
               "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;"
               "CREATE TABLE activity (device TEXT, session TEXT, type TEXT, state BLOB); BEGIN",
               NULL, NULL, NULL)
            == SQLITE_OK
        && sqlite3_prepare_v2(
               merge->database, "INSERT INTO activity VALUES (?, ?, ?, ?)", -1, &merge->insert,
               NULL)
            == SQLITE_OK)
        return merge;
    floor_fail("the merged file cannot be made");
    floor_merge_close(merge);
    return NULL;
}

int64_t floor_merge_add(floor_merge *merge, const char *path) {
    sqlite3 *source = NULL;
    sqlite3_stmt *select = NULL;
    int64_t rows = 0;
    if (sqlite3_open_v2(path, &source, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK
        || sqlite3_prepare_v2(
               source,
               "SELECT session.identifier, state.activity_type, state.payload FROM session "
               "LEFT JOIN state ON state.id = session.state_id",
               -1, &select, NULL)
            != SQLITE_OK)
        rows = floor_fail("a store cannot be merged") - 1;
    while (rows >= 0 && sqlite3_step(select) == SQLITE_ROW) {
        sqlite3_bind_text(merge->insert, 1, path, -1, SQLITE_STATIC);
        for (int i = 0; i < 3; i++)
            sqlite3_bind_value(merge->insert, i + 2, sqlite3_column_value(select, i));
        int code = sqlite3_step(merge->insert);
        sqlite3_reset(merge->insert);
        rows = code == SQLITE_DONE ? rows + 1 : floor_fail("a row cannot be merged") - 1;
    }
    sqlite3_finalize(select);
    sqlite3_close(source);
    return rows;
}

int floor_merge_close(floor_merge *merge) {
    int code = sqlite3_exec(merge->database, "COMMIT", NULL, NULL, NULL);
    sqlite3_finalize(merge->insert);
    sqlite3_close(merge->database);
    sqlite3_free(merge);
    return code == SQLITE_OK ? 1 : floor_fail("the merged file cannot be finished");
}
