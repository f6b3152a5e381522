#include "floor_rows.h"

// XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

static inline uint64_t rotate(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
    return value;
}

static inline uint64_t round_of(uint64_t lane, uint64_t input) {
    return rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

uint64_t floor_hash(const void *bytes, size_t count, uint64_t seed) {
    const uint8_t *next = bytes, *end = next + count;
    uint64_t hash = seed + PRIME_5;
    if (count >= 32) {
        uint64_t a = seed + PRIME_1 + PRIME_2, b = seed + PRIME_2, c = seed, d = seed - PRIME_1;
        while (end - next >= 32) {
            a = round_of(a, load(next));
            b = round_of(b, load(next + 8));
            c = round_of(c, load(next + 16));
            d = round_of(d, load(next + 24));
            next += 32;
        }
        hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
        hash = (hash ^ round_of(0, a)) * PRIME_1 + PRIME_4;
        hash = (hash ^ round_of(0, b)) * PRIME_1 + PRIME_4;
        hash = (hash ^ round_of(0, c)) * PRIME_1 + PRIME_4;
        hash = (hash ^ round_of(0, d)) * PRIME_1 + PRIME_4;
    }
    hash += count;
    for (; end - next >= 8; next += 8)
        hash = rotate(hash ^ round_of(0, load(next)), 27) * PRIME_1 + PRIME_4;
    if (end - next >= 4) {
        uint32_t word;
        memcpy(&word, next, 4);
        hash = rotate(hash ^ (uint64_t)word * PRIME_1, 23) * PRIME_2 + PRIME_3;
        next += 4;
    }
    for (; next < end; next++) hash = rotate(hash ^ *next * PRIME_5, 11) * PRIME_1;
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}

// Seals.

static int64_t finish(const floor_store *store, int table, const floor_seal *seal) {
    return (int64_t)floor_hash(seal->bytes, seal->count, store->seeds[table]);
}

int64_t floor_seal_store(const floor_store *store, const floor_store_row *row) {
    floor_seal seal;
    seal.count = 0;
    seal_bytes(&seal, row->uuid, 16);
    seal_number(&seal, row->container_epoch);
    seal_number(&seal, row->owner_epoch);
    seal_number(&seal, row->generation);
    seal_number(&seal, row->last_id);
    seal_number(&seal, row->open_count);
    seal_number(&seal, row->open_digest);
    seal_number(&seal, row->row_digest);
    seal_number(&seal, row->event_count);
    seal_number(&seal, row->launch_number);
    seal_number(&seal, row->launch_state);
    seal_optional(&seal, row->has_restoring_session, row->restoring_session);
    seal_number(&seal, row->erasure_pending);
    seal_number(&seal, row->features_ignorable);
    seal_number(&seal, row->features_read_only);
    seal_number(&seal, row->features_required);
    seal_number(&seal, row->app_identifier.is_there);
    if (row->app_identifier.is_there)
        seal_bytes(&seal, row->app_identifier.text, row->app_identifier.length);
    seal_bytes(&seal, row->written_by.text, row->written_by.length);
    seal_number(&seal, row->created_at);
    return finish(store, FLOOR_STORE, &seal);
}

int64_t floor_seal_session(const floor_store *store, const floor_session_row *row) {
    floor_seal seal;
    seal.count = 0;
    seal_number(&seal, row->id);
    seal_bytes(&seal, row->identifier, row->length);
    seal_number(&seal, row->epoch);
    seal_number(&seal, row->configuration_id);
    seal_number(&seal, row->is_open);
    seal_number(&seal, row->is_front);
    seal_number(&seal, row->recency);
    seal_optional(&seal, row->has_state, row->state_id);
    seal_number(&seal, row->crash_count);
    for (int i = 0; i < FLOOR_JUDGEMENTS; i++) seal_number(&seal, row->judgements[i]);
    seal_optional(&seal, row->has_conditions, row->conditions_id);
    seal_optional(&seal, row->has_value_hash, row->value_hash);
    seal_number(&seal, row->created_at);
    seal_number(&seal, row->last_active_at);
    seal_optional(&seal, row->has_saved_at, row->saved_at);
    seal_number(&seal, row->generation);
    seal_optional(&seal, row->has_state_checksum, row->state_checksum);
    return finish(store, FLOOR_SESSION, &seal);
}

int64_t floor_seal_state(const floor_store *store, const floor_state_row *row) {
    floor_seal seal;
    seal.count = 0;
    seal_number(&seal, row->id);
    seal_number(&seal, row->generation);
    seal_number(&seal, row->saved_at);
    seal_number(&seal, row->context_id);
    seal_bytes(&seal, row->activity_type, row->length);
    seal_number(&seal, row->content_hash);
    seal_number(&seal, row->byte_count);
    return finish(store, FLOOR_STATE, &seal);
}

// Columns. Types are STRICT's; a text longer than the floor takes is refused by its caller.

static int64_t optional(sqlite3_stmt *statement, int index, int *is_there) {
    *is_there = sqlite3_column_type(statement, index) != SQLITE_NULL;
    return *is_there ? sqlite3_column_int64(statement, index) : 0;
}

void floor_read_session(sqlite3_stmt *statement, floor_session_row *row) {
    row->id = sqlite3_column_int64(statement, 0);
    row->identifier = sqlite3_column_blob(statement, 1);
    row->length = (size_t)sqlite3_column_bytes(statement, 1);
    row->epoch = sqlite3_column_int64(statement, 2);
    row->configuration_id = sqlite3_column_int64(statement, 3);
    row->is_open = sqlite3_column_int64(statement, 4);
    row->is_front = sqlite3_column_int64(statement, 5);
    row->recency = sqlite3_column_int64(statement, 6);
    row->state_id = optional(statement, 7, &row->has_state);
    row->crash_count = sqlite3_column_int64(statement, 8);
    for (int i = 0; i < FLOOR_JUDGEMENTS; i++)
        row->judgements[i] = sqlite3_column_int64(statement, 9 + i);
    row->conditions_id = optional(statement, 23, &row->has_conditions);
    row->value_hash = optional(statement, 24, &row->has_value_hash);
    row->created_at = sqlite3_column_int64(statement, 25);
    row->last_active_at = sqlite3_column_int64(statement, 26);
    row->saved_at = optional(statement, 27, &row->has_saved_at);
    row->generation = sqlite3_column_int64(statement, 28);
    row->state_checksum = optional(statement, 29, &row->has_state_checksum);
    row->checksum = sqlite3_column_int64(statement, 30);
}

void floor_read_state(sqlite3_stmt *statement, floor_state_row *row) {
    row->id = sqlite3_column_int64(statement, 0);
    row->generation = sqlite3_column_int64(statement, 1);
    row->saved_at = sqlite3_column_int64(statement, 2);
    row->context_id = sqlite3_column_int64(statement, 3);
    row->activity_type = sqlite3_column_blob(statement, 4);
    row->length = (size_t)sqlite3_column_bytes(statement, 4);
    row->content_hash = sqlite3_column_int64(statement, 5);
    row->byte_count = sqlite3_column_int64(statement, 6);
    row->checksum = sqlite3_column_int64(statement, 7);
}
