#include "floor_rows.h"

#include <stdio.h>

// Fills a store for the measurements that need a large one: sealed rows, in one transaction.

static uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

static void write_identifier(uint64_t seed, uint64_t number, char text[37]) {
    uint64_t high = mix(seed + number * 0x9e3779b97f4a7c15u), low = mix(high + number);
    snprintf(
        text, 37, "%08X-%04X-4%03X-%04X-%012llX", (unsigned)(high >> 32),
        (unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xfff,
        (unsigned)(low >> 48 & 0x3fff) | 0x8000, (unsigned long long)(low & 0xffffffffffffu));
}

static int insert_session(floor_store *store, floor_session_row *row) {
    sqlite3_stmt *insert = floor_statement(store, FLOOR_INSERT_SESSION);
    if (!insert) return 0;
    row->checksum = floor_seal_session(store, row);
    const int64_t before[9] = {
        row->id, 0, row->epoch, row->configuration_id, row->is_open, row->is_front, row->recency,
        row->state_id, row->crash_count};
    const int64_t after[6] = {
        row->created_at, row->last_active_at, row->saved_at, row->generation, row->state_checksum,
        row->checksum};
    for (int i = 0; i < 9; i++) sqlite3_bind_int64(insert, i + 1, before[i]);
    for (int i = 0; i < FLOOR_JUDGEMENTS; i++)
        sqlite3_bind_int64(insert, i + 10, row->judgements[i]);
    for (int i = 0; i < 6; i++) sqlite3_bind_int64(insert, i + 26, after[i]);
    sqlite3_bind_text(insert, 2, row->identifier, (int)row->length, SQLITE_STATIC);
    if (!row->has_state) sqlite3_bind_null(insert, 8);
    sqlite3_bind_null(insert, 24);
    sqlite3_bind_null(insert, 25);
    if (!row->has_saved_at) sqlite3_bind_null(insert, 28);
    if (!row->has_state_checksum) sqlite3_bind_null(insert, 30);
    return floor_run_one(store, insert, "inserting a session");
}

static int insert_state(
    floor_store *store, const floor_state_row *row, const uint8_t *payload, size_t length) {
    sqlite3_stmt *insert = floor_statement(store, FLOOR_INSERT_STATE);
    if (!insert) return 0;
    const int64_t numbers[8] = {
        row->id, row->generation, row->saved_at, row->context_id, 0, row->content_hash,
        row->byte_count, row->checksum};
    for (int i = 0; i < 8; i++) sqlite3_bind_int64(insert, i + 1, numbers[i]);
    sqlite3_bind_text(insert, 5, row->activity_type, (int)row->length, SQLITE_STATIC);
    sqlite3_bind_blob64(insert, 9, payload, length, SQLITE_STATIC);
    return floor_run_one(store, insert, "inserting a state");
}

static int optional_text(sqlite3_stmt *select, int index, floor_seal *seal) {
    int is_there = sqlite3_column_type(select, index) != SQLITE_NULL;
    size_t length = (size_t)sqlite3_column_bytes(select, index);
    if (length > 128) return floor_fail("a name is longer than the floor takes");
    seal_number(seal, is_there);
    if (is_there) seal_bytes(seal, sqlite3_column_blob(select, index), length);
    return 1;
}

// Counts the new sessions in the first configuration, which all of them get.
static int count_open(floor_store *store, int64_t added, int64_t *configuration) {
    sqlite3_stmt *select = NULL, *update = NULL;
    sqlite3_prepare_v3(
        store->database,
        "SELECT id, epoch, role, name, scene_class, delegate_class, storyboard, immersion_style, "
        "resolution, open_sessions, checksum FROM configuration ORDER BY id LIMIT 1",
        -1, 0, &select, NULL);
    sqlite3_prepare_v3(
        store->database, "UPDATE configuration SET open_sessions = ?, checksum = ? WHERE id = ?",
        -1, 0, &update, NULL);
    int is_done = select && update && sqlite3_step(select) == SQLITE_ROW;
    if (is_done) {
        floor_seal seal;
        seal.count = 0;
        *configuration = sqlite3_column_int64(select, 0);
        int64_t open = sqlite3_column_int64(select, 9) + added;
        seal_number(&seal, *configuration);
        seal_number(&seal, sqlite3_column_int64(select, 1));
        size_t length = (size_t)sqlite3_column_bytes(select, 2);
        is_done = length <= 128;
        if (is_done) seal_bytes(&seal, sqlite3_column_blob(select, 2), length);
        for (int i = 3; i < 8 && is_done; i++) is_done = optional_text(select, i, &seal);
        seal_number(&seal, sqlite3_column_int64(select, 8));
        seal_number(&seal, open);
        int64_t checksum =
            (int64_t)floor_hash(seal.bytes, seal.count, store->seeds[FLOOR_CONFIGURATION]);
        store->row.row_digest = (int64_t)((uint64_t)store->row.row_digest
            - (uint64_t)sqlite3_column_int64(select, 10) + (uint64_t)checksum);
        sqlite3_reset(select);
        sqlite3_bind_int64(update, 1, open);
        sqlite3_bind_int64(update, 2, checksum);
        sqlite3_bind_int64(update, 3, *configuration);
        is_done = is_done && floor_run_one(store, update, "counting the sessions");
    }
    sqlite3_finalize(select);
    sqlite3_finalize(update);
    return is_done ? 1 : floor_fail("the store has no configuration");
}

int floor_fill(
    floor_store *store, size_t count, size_t states, uint64_t seed, const char *activity_type,
    const uint8_t *payload, size_t length, int64_t saved_at) {
    int64_t configuration = 0, owner = store->row.owner_epoch, before = store->row.generation;
    if (!floor_run(store, FLOOR_BEGIN) || !count_open(store, (int64_t)count, &configuration))
        return 0;
    int64_t hash = (int64_t)floor_hash(payload, length, 0);
    for (size_t i = 0; i < count; i++) {
        char identifier[37];
        write_identifier(seed, i, identifier);
        int has_state = i < states;
        floor_session_row session = {
            .id = ++store->row.last_id,
            .epoch = store->row.container_epoch,
            .configuration_id = configuration,
            .is_open = 1,
            // Every session was active once, in an order that is not that of the rows.
            .recency = before + 1 + (int64_t)((i * 7919 + 13) % count),
            .state_id = has_state ? store->row.last_id << 8 : 0,
            .has_state = has_state,
            .created_at = saved_at,
            .last_active_at = saved_at,
            .saved_at = has_state ? saved_at : 0,
            .has_saved_at = has_state,
            .generation = before + 1 + (int64_t)i,
            .judgements = {[FLOOR_IS_REMEMBERED] = 1},
            .length = 36,
            .identifier = identifier,
        };
        floor_state_row state = {
            .id = session.state_id,
            .generation = session.generation,
            .saved_at = saved_at,
            .context_id = store->context_id,
            .content_hash = hash,
            .byte_count = (int64_t)length,
            .length = strlen(activity_type),
            .activity_type = activity_type,
        };
        state.checksum = floor_seal_state(store, &state);
        session.state_checksum = has_state ? state.checksum : 0;
        session.has_state_checksum = has_state;
        if (!insert_session(store, &session)) return 0;
        store->row.open_count++;
        store->row.open_digest =
            (int64_t)((uint64_t)store->row.open_digest + (uint64_t)session.checksum);
        if (!has_state) continue;
        if (!insert_state(store, &state, payload, length)) return 0;
        store->row.row_digest =
            (int64_t)((uint64_t)store->row.row_digest + (uint64_t)state.checksum);
    }
    store->row.generation = before + (int64_t)count;
    return floor_exchange_row(store, owner, before) && floor_run(store, FLOOR_COMMIT)
        && floor_checkpoint(store);
}
