#ifndef SCENESTORE_FLOOR_ROWS_H
#define SCENESTORE_FLOOR_ROWS_H

// The rows that a save and a relaunch touch, and their seals: XXH64 over the columns, seeded by the
// store's UUID and the table, as the store's own code makes them.

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "include/SceneStoreBenchmarkFloor.h"

enum {
    FLOOR_STORE = 1,
    FLOOR_MIGRATION = 2,
    FLOOR_CONFIGURATION = 3,
    FLOOR_SESSION = 5,
    FLOOR_STATE = 7,
    FLOOR_EVENT = 13,
    FLOOR_TABLES = 17
};

// Texts that the floor meets are identifiers and type names; longer ones are refused.
#define FLOOR_TEXT 192
// Rows of a session's ring.
#define FLOOR_RING 10

uint64_t floor_hash(const void *bytes, size_t count, uint64_t seed);

typedef struct {
    size_t count;
    uint8_t bytes[1024];
} floor_seal;

static inline void seal_number(floor_seal *seal, int64_t number) {
    memcpy(seal->bytes + seal->count, &number, 8);
    seal->count += 8;
}

static inline void seal_bytes(floor_seal *seal, const void *bytes, size_t count) {
    seal_number(seal, (int64_t)count);
    memcpy(seal->bytes + seal->count, bytes, count);
    seal->count += count;
}

static inline void seal_optional(floor_seal *seal, int is_there, int64_t number) {
    seal_number(seal, is_there);
    seal_number(seal, is_there ? number : 0);
}

typedef struct {
    int is_there;
    size_t length;
    char text[FLOOR_TEXT];
} floor_text;

typedef struct {
    uint8_t uuid[16];
    int64_t container_epoch, owner_epoch, generation, last_id;
    int64_t open_count, open_digest, row_digest, event_count;
    int64_t launch_number, launch_state, restoring_session, erasure_pending;
    int64_t features_ignorable, features_read_only, features_required;
    int64_t created_at, checksum;
    int has_restoring_session;
    floor_text app_identifier, written_by;
} floor_store_row;

#define SESSION_COLUMNS \
    "id, identifier, epoch, configuration_id, is_open, is_front, recency, state_id, crash_count, " \
    "is_stale, is_held, is_remembered, is_pinned, privacy, is_withheld, withheld_reason, " \
    "is_offered, was_offered, is_suspect, parked, is_reopened, has_children, is_child, " \
    "conditions_id, value_hash, created_at, last_active_at, saved_at, generation, " \
    "state_checksum, checksum"

// The columns of a session that say what was judged of it, is_stale to is_child.
enum { FLOOR_JUDGEMENTS = 14, FLOOR_IS_REMEMBERED = 2 };

typedef struct {
    int64_t id, epoch, configuration_id, is_open, is_front, recency, state_id, crash_count;
    int64_t judgements[FLOOR_JUDGEMENTS];
    int64_t conditions_id, value_hash, created_at, last_active_at, saved_at, generation;
    int64_t state_checksum, checksum;
    int has_state, has_conditions, has_value_hash, has_saved_at, has_state_checksum;
    size_t length;
    const char *identifier;
} floor_session_row;

typedef struct {
    int64_t id, generation, saved_at, context_id, content_hash, byte_count, checksum;
    size_t length;
    const char *activity_type;
} floor_state_row;

// What a save has to know of a state that is there already.
typedef struct {
    int64_t id, content_hash, byte_count, checksum;
} floor_slot;

// A session that is being saved: its row, its ring of states (oldest first) and the bytes of the
// current one, NULL while they are not at hand.
typedef struct {
    floor_session_row row;
    char identifier[FLOOR_TEXT];
    int slot_count;
    floor_slot slots[FLOOR_RING + 1];
    const uint8_t *payload;
    size_t count;
    int is_owned;
} floor_session;

enum {
    FLOOR_BEGIN,
    FLOOR_COMMIT,
    FLOOR_ROLLBACK,
    FLOOR_UPDATE_STORE,
    FLOOR_SELECT_SESSION,
    FLOOR_SELECT_SLOTS,
    FLOOR_INSERT_STATE,
    FLOOR_UPDATE_STATE,
    FLOOR_UPDATE_SESSION,
    FLOOR_SELECT_STATE,
    FLOOR_SELECT_OPEN,
    FLOOR_INSERT_SESSION,
    FLOOR_INSERT_EVENT,
    FLOOR_STATEMENTS
};

struct floor_store {
    sqlite3 *database;
    sqlite3_stmt *statements[FLOOR_STATEMENTS];
    uint64_t seeds[FLOOR_TABLES];
    floor_store_row row;
    int64_t context_id;
    int frames;
    // By key, in a table with open addresses; a power of two.
    floor_session **sessions;
    size_t session_capacity, session_count;
};

int floor_fail(const char *what);
int floor_fail_sqlite(floor_store *store, const char *what);
// The prepared statement, made at its first use.
sqlite3_stmt *floor_statement(floor_store *store, int which);
// Runs a bound statement that has to change exactly one row.
int floor_run_one(floor_store *store, sqlite3_stmt *statement, const char *what);
// Runs one that answers no row.
int floor_run(floor_store *store, int which);
// Writes the store's row over the one that is expected.
int floor_exchange_row(floor_store *store, int64_t owner_epoch, int64_t generation);

int64_t floor_seal_store(const floor_store *store, const floor_store_row *row);
int64_t floor_seal_session(const floor_store *store, const floor_session_row *row);
int64_t floor_seal_state(const floor_store *store, const floor_state_row *row);

// Reads the columns of a row of `session`; the identifier is SQLite's own memory.
void floor_read_session(sqlite3_stmt *statement, floor_session_row *row);
// Reads the columns of a row of `state` but the payload; the type is SQLite's own memory.
void floor_read_state(sqlite3_stmt *statement, floor_state_row *row);

#endif
