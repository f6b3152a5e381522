#include "floor_rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char message[256] = "nothing failed";

const char *floor_error(void) { return message; }

int floor_fail(const char *what) {
    snprintf(message, sizeof(message), "%s", what);
    return 0;
}

int floor_fail_sqlite(floor_store *store, const char *what) {
    snprintf(message, sizeof(message), "%.90s: %.150s", what, sqlite3_errmsg(store->database));
    return 0;
}

// Statements.

#define STATE_COLUMNS \
    "id, generation, saved_at, context_id, activity_type, content_hash, byte_count, checksum"

static const char *const texts[FLOOR_STATEMENTS] = {
    [FLOOR_BEGIN] = "BEGIN IMMEDIATE",
    [FLOOR_COMMIT] = "COMMIT",
    [FLOOR_ROLLBACK] = "ROLLBACK",
    [FLOOR_UPDATE_STORE] =
        "UPDATE store SET container_epoch = ?, owner_epoch = ?, generation = ?, last_id = ?, "
        "open_count = ?, open_digest = ?, row_digest = ?, event_count = ?, launch_number = ?, "
        "launch_state = ?, restoring_session = ?, erasure_pending = ?, written_by = ?, "
        "checksum = ? WHERE id = 1 AND owner_epoch = ? AND generation = ?",
    [FLOOR_SELECT_SESSION] = "SELECT " SESSION_COLUMNS " FROM session WHERE id = ?",
    [FLOOR_SELECT_SLOTS] =
        "SELECT " STATE_COLUMNS " FROM state WHERE id BETWEEN ? AND ? ORDER BY generation",
    [FLOOR_INSERT_STATE] =
        "INSERT INTO state (" STATE_COLUMNS ", payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [FLOOR_UPDATE_STATE] =
        "UPDATE state SET generation = ?, saved_at = ?, context_id = ?, activity_type = ?, "
        "content_hash = ?, byte_count = ?, checksum = ?, payload = ? WHERE id = ?",
    [FLOOR_UPDATE_SESSION] =
        "UPDATE session SET state_id = ?, saved_at = ?, generation = ?, state_checksum = ?, "
        "checksum = ? WHERE id = ?",
    [FLOOR_SELECT_STATE] = "SELECT " STATE_COLUMNS ", payload FROM state WHERE id = ?",
    [FLOOR_SELECT_OPEN] =
        "SELECT " SESSION_COLUMNS " FROM session NOT INDEXED WHERE epoch = ? AND is_open = 1",
    [FLOOR_INSERT_SESSION] =
        "INSERT INTO session (" SESSION_COLUMNS
        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?)",
    [FLOOR_INSERT_EVENT] =
        "INSERT INTO event (id, epoch, serial, generation, launch, happened_at, kind, detail, "
        "checksum) VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?)",
};

sqlite3_stmt *floor_statement(floor_store *store, int which) {
    sqlite3_stmt **statement = &store->statements[which];
    if (!*statement
        // As the library: without the persistent flag, which makes preparing slower.
        && sqlite3_prepare_v3(store->database, texts[which], -1, 0, statement, NULL) != SQLITE_OK)
        floor_fail_sqlite(store, texts[which]);
    return *statement;
}

int floor_run_one(floor_store *store, sqlite3_stmt *statement, const char *what) {
    int code = sqlite3_step(statement);
    int changes = sqlite3_changes(store->database);
    if (sqlite3_reset(statement) != SQLITE_OK || code != SQLITE_DONE)
        return floor_fail_sqlite(store, what);
    return changes == 1 ? 1 : floor_fail(what);
}

int floor_run(floor_store *store, int which) {
    sqlite3_stmt *statement = floor_statement(store, which);
    if (!statement) return 0;
    int code = sqlite3_step(statement);
    if (sqlite3_reset(statement) != SQLITE_OK || code != SQLITE_DONE)
        return floor_fail_sqlite(store, texts[which]);
    return 1;
}

int floor_exchange_row(floor_store *store, int64_t owner_epoch, int64_t generation) {
    floor_store_row *row = &store->row;
    row->checksum = floor_seal_store(store, row);
    sqlite3_stmt *update = floor_statement(store, FLOOR_UPDATE_STORE);
    if (!update) return 0;
    sqlite3_bind_int64(update, 1, row->container_epoch);
    sqlite3_bind_int64(update, 2, row->owner_epoch);
    sqlite3_bind_int64(update, 3, row->generation);
    sqlite3_bind_int64(update, 4, row->last_id);
    sqlite3_bind_int64(update, 5, row->open_count);
    sqlite3_bind_int64(update, 6, row->open_digest);
    sqlite3_bind_int64(update, 7, row->row_digest);
    sqlite3_bind_int64(update, 8, row->event_count);
    sqlite3_bind_int64(update, 9, row->launch_number);
    sqlite3_bind_int64(update, 10, row->launch_state);
    if (row->has_restoring_session)
        sqlite3_bind_int64(update, 11, row->restoring_session);
    else
        sqlite3_bind_null(update, 11);
    sqlite3_bind_int64(update, 12, row->erasure_pending);
    sqlite3_bind_text(
        update, 13, row->written_by.text, (int)row->written_by.length, SQLITE_STATIC);
    sqlite3_bind_int64(update, 14, row->checksum);
    sqlite3_bind_int64(update, 15, owner_epoch);
    sqlite3_bind_int64(update, 16, generation);
    return floor_run_one(store, update, "the store's row was not the expected one");
}

// Opening.

static int execute(floor_store *store, const char *sql) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK
        ? 1
        : floor_fail_sqlite(store, sql);
}

static int count_frames(void *context, sqlite3 *database, const char *name, int frames) {
    (void)database;
    (void)name;
    ((floor_store *)context)->frames = frames;
    return SQLITE_OK;
}

static int configure(floor_store *store) {
    static const struct {
        int option, value;
    } switches[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},     {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},         {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_ENABLE_FKEY, 1},     {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0},
    };
    static const struct {
        int limit, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, 64 << 20},     {SQLITE_LIMIT_SQL_LENGTH, 256 << 10},
        {SQLITE_LIMIT_COLUMN, 200},          {SQLITE_LIMIT_EXPR_DEPTH, 100},
        {SQLITE_LIMIT_COMPOUND_SELECT, 50},  {SQLITE_LIMIT_VDBE_OP, 100000},
        {SQLITE_LIMIT_FUNCTION_ARG, 100},    {SQLITE_LIMIT_ATTACHED, 1},
        {SQLITE_LIMIT_VARIABLE_NUMBER, 250}, {SQLITE_LIMIT_TRIGGER_DEPTH, 10},
    };
    for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++)
        if (sqlite3_db_config(
                store->database, switches[i].option, switches[i].value, (int *)NULL)
            != SQLITE_OK)
            return floor_fail_sqlite(store, "setting an option");
    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        sqlite3_limit(store->database, limits[i].limit, limits[i].value);
    sqlite3_busy_timeout(store->database, 2000);
    sqlite3_wal_autocheckpoint(store->database, 0);
    sqlite3_wal_hook(store->database, count_frames, store);
    return execute(
        store,
        "PRAGMA cell_size_check = 1; PRAGMA temp_store = 2; PRAGMA mmap_size = 0;"
        "PRAGMA journal_mode = WAL; PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1;"
        "PRAGMA synchronous = FULL; PRAGMA secure_delete = 0");
}

// The sum of the hashes of all objects, each over type, name, table and text.
static int check_schema(floor_store *store, uint64_t expected) {
    sqlite3_stmt *select = NULL;
    if (sqlite3_prepare_v3(
            store->database, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid",
            -1, 0, &select, NULL)
        != SQLITE_OK)
        return floor_fail_sqlite(store, "reading the schema");
    uint64_t digest = 0;
    static _Thread_local uint8_t buffer[16 << 10];
    int is_whole = 1;
    while (sqlite3_step(select) == SQLITE_ROW && is_whole) {
        size_t used = 0;
        for (int i = 0; i < 4; i++) {
            const void *text = sqlite3_column_blob(select, i);
            int64_t length = sqlite3_column_bytes(select, i);
            is_whole = used + 8 + (size_t)length <= sizeof(buffer);
            if (!is_whole) break;
            memcpy(buffer + used, &length, 8);
            if (text) memcpy(buffer + used + 8, text, (size_t)length);
            used += 8 + (size_t)length;
        }
        digest += floor_hash(buffer, used, 0);
    }
    sqlite3_finalize(select);
    return is_whole && digest == expected ? 1 : floor_fail("the schema is not the expected one");
}

static int read_text(sqlite3_stmt *select, int index, floor_text *text) {
    text->is_there = sqlite3_column_type(select, index) != SQLITE_NULL;
    text->length = text->is_there ? (size_t)sqlite3_column_bytes(select, index) : 0;
    if (text->length > FLOOR_TEXT) return floor_fail("a text is longer than the floor takes");
    const void *bytes = sqlite3_column_blob(select, index);
    if (bytes) memcpy(text->text, bytes, text->length);
    return 1;
}

static int read_row(floor_store *store) {
    sqlite3_stmt *select = NULL;
    if (sqlite3_prepare_v3(
            store->database,
            "SELECT uuid, container_epoch, owner_epoch, generation, last_id, open_count, "
            "open_digest, row_digest, event_count, launch_number, launch_state, "
            "restoring_session, erasure_pending, features_ignorable, features_read_only, "
            "features_required, app_identifier, written_by, created_at, checksum "
            "FROM store WHERE id = 1",
            -1, 0, &select, NULL)
        != SQLITE_OK)
        return floor_fail_sqlite(store, "reading the store's row");
    floor_store_row *row = &store->row;
    int is_read = sqlite3_step(select) == SQLITE_ROW && sqlite3_column_bytes(select, 0) == 16;
    if (is_read) {
        memcpy(row->uuid, sqlite3_column_blob(select, 0), 16);
        int64_t *numbers[] = {
            &row->container_epoch, &row->owner_epoch, &row->generation,    &row->last_id,
            &row->open_count,      &row->open_digest, &row->row_digest,    &row->event_count,
            &row->launch_number,   &row->launch_state, &row->restoring_session,
            &row->erasure_pending, &row->features_ignorable, &row->features_read_only,
            &row->features_required,
        };
        for (int i = 0; i < 15; i++) *numbers[i] = sqlite3_column_int64(select, i + 1);
        row->has_restoring_session = sqlite3_column_type(select, 11) != SQLITE_NULL;
        is_read = read_text(select, 16, &row->app_identifier)
            && read_text(select, 17, &row->written_by);
        row->created_at = sqlite3_column_int64(select, 18);
        row->checksum = sqlite3_column_int64(select, 19);
        for (uint64_t table = 1; table < FLOOR_TABLES; table++)
            store->seeds[table] = floor_hash(row->uuid, 16, table);
    }
    sqlite3_finalize(select);
    return is_read && row->checksum == floor_seal_store(store, row)
        ? 1
        : floor_fail("the store's row is damaged");
}

static int check_migrations(floor_store *store) {
    sqlite3_stmt *select = NULL;
    if (sqlite3_prepare_v3(
            store->database,
            "SELECT number, name, text_checksum, applied_at, checksum FROM migration "
            "ORDER BY number",
            -1, 0, &select, NULL)
        != SQLITE_OK)
        return floor_fail_sqlite(store, "reading the migrations");
    int is_whole = 1;
    while (sqlite3_step(select) == SQLITE_ROW && is_whole) {
        floor_seal seal;
        seal.count = 0;
        size_t length = (size_t)sqlite3_column_bytes(select, 1);
        is_whole = length <= FLOOR_TEXT;
        if (!is_whole) break;
        seal_number(&seal, sqlite3_column_int64(select, 0));
        seal_bytes(&seal, sqlite3_column_blob(select, 1), length);
        seal_number(&seal, sqlite3_column_int64(select, 2));
        seal_number(&seal, sqlite3_column_int64(select, 3));
        is_whole = sqlite3_column_int64(select, 4)
            == (int64_t)floor_hash(seal.bytes, seal.count, store->seeds[FLOOR_MIGRATION]);
    }
    sqlite3_finalize(select);
    return is_whole ? 1 : floor_fail("a migration's row is damaged");
}

static int read_context(floor_store *store) {
    sqlite3_stmt *select = NULL;
    if (sqlite3_prepare_v3(
            store->database, "SELECT id FROM save_context WHERE epoch = ?", -1, 0, &select, NULL)
        != SQLITE_OK)
        return floor_fail_sqlite(store, "reading the contexts");
    sqlite3_bind_int64(select, 1, store->row.container_epoch);
    if (sqlite3_step(select) == SQLITE_ROW) store->context_id = sqlite3_column_int64(select, 0);
    sqlite3_finalize(select);
    return 1;
}

// The journal's entry of an opening. The floor never fills the journal's ring.
static int note_opening(floor_store *store, int64_t now) {
    floor_store_row *row = &store->row;
    char identity[33];
    for (int i = 0; i < 16; i++) snprintf(identity + 2 * i, 3, "%02x", row->uuid[i]);
    int64_t serial = ++row->event_count;
    const int64_t numbers[] = {
        serial, row->container_epoch, serial, row->generation, row->launch_number, now};
    sqlite3_stmt *insert = floor_statement(store, FLOOR_INSERT_EVENT);
    if (!insert) return 0;
    floor_seal seal;
    seal.count = 0;
    for (int i = 0; i < 6; i++) {
        seal_number(&seal, numbers[i]);
        sqlite3_bind_int64(insert, i + 1, numbers[i]);
    }
    seal_bytes(&seal, "open", 4);
    seal_number(&seal, 0);
    seal_number(&seal, 1);
    seal_bytes(&seal, identity, 32);
    uint64_t checksum = floor_hash(seal.bytes, seal.count, store->seeds[FLOOR_EVENT]);
    row->row_digest = (int64_t)((uint64_t)row->row_digest + checksum);
    sqlite3_bind_text(insert, 7, identity, 32, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 8, (int64_t)checksum);
    return floor_run_one(store, insert, "noting the opening");
}

static int mark_owner(floor_store *store, int64_t now) {
    if (!floor_run(store, FLOOR_BEGIN)) return 0;
    store->row.owner_epoch++;
    store->row.generation++;
    return note_opening(store, now)
        && floor_exchange_row(
               store, store->row.owner_epoch - 1, store->row.generation - 1)
        && floor_run(store, FLOOR_COMMIT);
}

floor_store *floor_open(
    const char *path, const char *vfs, uint64_t schema_digest, int64_t now) {
    floor_store *store = calloc(1, sizeof(*store));
    if (!store) {
        floor_fail("no memory");
        return NULL;
    }
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(path, &store->database, flags, vfs) == SQLITE_OK && configure(store)
        && check_schema(store, schema_digest) && read_row(store) && check_migrations(store)
        && read_context(store) && mark_owner(store, now))
        return store;
    sqlite3_close_v2(store->database);
    free(store);
    return NULL;
}

int floor_set_durable(floor_store *store, int durable) {
    return execute(store, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
}

int floor_checkpoint(floor_store *store) {
    int frames = 0, done = 0;
    int code = sqlite3_wal_checkpoint_v2(
        store->database, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &done);
    return code == SQLITE_OK && frames == done ? 1 : floor_fail_sqlite(store, "checkpointing");
}

int floor_frames(const floor_store *store) { return store->frames; }

int floor_close(floor_store *store) {
    int code = sqlite3_wal_checkpoint_v2(
        store->database, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    for (int i = 0; i < FLOOR_STATEMENTS; i++) sqlite3_finalize(store->statements[i]);
    int closed = sqlite3_close(store->database);
    for (size_t i = 0; i < store->session_capacity; i++) {
        floor_session *session = store->sessions[i];
        if (session && session->is_owned) free((void *)session->payload);
        free(session);
    }
    free(store->sessions);
    free(store);
    return code == SQLITE_OK && closed == SQLITE_OK ? 1 : floor_fail("closing the store");
}
