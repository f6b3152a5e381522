#include "floor_rows.h"

#include <stdlib.h>

// Texts lie in blocks that are freed together.
typedef struct block {
    struct block *next;
    size_t used, size;
    char bytes[];
} block;

typedef struct {
    int64_t id, configuration_id, recency, state_id, crash_count, judgements;
    int64_t created_at, last_active_at, saved_at;
    const char *identifier;
    uint32_t length;
    uint8_t is_front, has_state, has_conditions, has_saved_at;
} record;

typedef struct {
    int64_t recency;
    const record *record;
} sort_key;

struct floor_skeleton {
    block *texts;
    record *records;
    sort_key *order;
    size_t count, capacity;
};

static const char *keep(floor_skeleton *skeleton, const char *text, size_t length) {
    block *newest = skeleton->texts;
    if (!newest || newest->size - newest->used < length) {
        size_t size = length > (64 << 10) ? length : 64 << 10;
        newest = malloc(sizeof(block) + size);
        if (!newest) return NULL;
        *newest = (block){skeleton->texts, 0, size};
        skeleton->texts = newest;
    }
    char *kept = newest->bytes + newest->used;
    memcpy(kept, text, length);
    newest->used += length;
    return kept;
}

static int comes_before(const void *left, const void *right) {
    const sort_key *a = left, *b = right;
    if (a->recency != b->recency) return a->recency > b->recency ? -1 : 1;
    uint32_t shorter =
        a->record->length < b->record->length ? a->record->length : b->record->length;
    int order = memcmp(a->record->identifier, b->record->identifier, shorter);
    return order ? order : (int)a->record->length - (int)b->record->length;
}

static int add(floor_skeleton *skeleton, const floor_session_row *row) {
    if (skeleton->count == skeleton->capacity) return floor_fail("more sessions than recorded");
    const char *identifier = keep(skeleton, row->identifier, row->length);
    if (!identifier) return floor_fail("no memory");
    int64_t judgements = 0;
    for (int i = 0; i < FLOOR_JUDGEMENTS; i++) judgements = judgements << 4 | row->judgements[i];
    skeleton->records[skeleton->count++] = (record){
        .id = row->id,
        .configuration_id = row->configuration_id,
        .recency = row->recency,
        .state_id = row->state_id,
        .crash_count = row->crash_count,
        .judgements = judgements,
        .created_at = row->created_at,
        .last_active_at = row->last_active_at,
        .saved_at = row->saved_at,
        .identifier = identifier,
        .length = (uint32_t)row->length,
        .is_front = (uint8_t)row->is_front,
        .has_state = (uint8_t)row->has_state,
        .has_conditions = (uint8_t)row->has_conditions,
        .has_saved_at = (uint8_t)row->has_saved_at,
    };
    return 1;
}

static int read_all(floor_store *store, floor_skeleton *skeleton) {
    sqlite3_stmt *select = floor_statement(store, FLOOR_SELECT_OPEN);
    if (!select) return 0;
    sqlite3_bind_int64(select, 1, store->row.container_epoch);
    uint64_t digest = 0;
    int code, is_whole = 1;
    while (is_whole && (code = sqlite3_step(select)) == SQLITE_ROW) {
        floor_session_row row;
        floor_read_session(select, &row);
        is_whole = row.length <= FLOOR_TEXT && row.checksum == floor_seal_session(store, &row)
            && add(skeleton, &row);
        digest += (uint64_t)row.checksum;
    }
    sqlite3_reset(select);
    return is_whole && code == SQLITE_DONE && (int64_t)digest == store->row.open_digest
            && (int64_t)skeleton->count == store->row.open_count
        ? 1
        : floor_fail("the sessions are not those that were recorded");
}

floor_skeleton *floor_read_skeleton(floor_store *store) {
    floor_skeleton *skeleton = calloc(1, sizeof(*skeleton));
    if (!skeleton) return NULL;
    skeleton->capacity = (size_t)store->row.open_count;
    skeleton->records = malloc((skeleton->capacity + 1) * sizeof(record));
    skeleton->order = malloc((skeleton->capacity + 1) * sizeof(sort_key));
    if (!skeleton->records || !skeleton->order || !read_all(store, skeleton)) {
        floor_skeleton_free(skeleton);
        return NULL;
    }
    for (size_t i = 0; i < skeleton->count; i++)
        skeleton->order[i] = (sort_key){skeleton->records[i].recency, &skeleton->records[i]};
    qsort(skeleton->order, skeleton->count, sizeof(sort_key), comes_before);
    return skeleton;
}

size_t floor_skeleton_count(const floor_skeleton *skeleton) { return skeleton->count; }

uint64_t floor_order_digest(uint64_t digest, const char *identifier, size_t length) {
    return floor_hash(identifier, length, digest);
}

uint64_t floor_skeleton_digest(const floor_skeleton *skeleton) {
    uint64_t digest = 0;
    for (size_t i = 0; i < skeleton->count; i++) {
        const record *record = skeleton->order[i].record;
        digest = floor_order_digest(digest, record->identifier, record->length);
    }
    return digest;
}

void floor_skeleton_free(floor_skeleton *skeleton) {
    if (!skeleton) return;
    while (skeleton->texts) {
        block *old = skeleton->texts;
        skeleton->texts = old->next;
        free(old);
    }
    free(skeleton->records);
    free(skeleton->order);
    free(skeleton);
}

// Decoding.

static const cbor_floor_node *value_of(const cbor_floor_node *map, const char *key) {
    size_t length = strlen(key);
    if (!map || map->kind != CBOR_FLOOR_MAP) return NULL;
    for (uint32_t i = 0; i < map->count; i++) {
        const cbor_floor_node *name = &map->as.items[2 * i];
        if (name->count == length && !memcmp(name->as.bytes, key, length)) return name + 1;
    }
    return NULL;
}

static int decode(floor_store *store, sqlite3_stmt *select, cbor_floor_arena *arena,
                  const char *key, int64_t *found) {
    floor_state_row row;
    floor_read_state(select, &row);
    const uint8_t *payload = sqlite3_column_blob(select, 8);
    size_t count = (size_t)sqlite3_column_bytes(select, 8);
    if (row.length > FLOOR_TEXT || row.checksum != floor_seal_state(store, &row)
        || (int64_t)count != row.byte_count
        || row.content_hash != (int64_t)floor_hash(payload, count, 0))
        return floor_fail("a state is damaged");
    const cbor_floor_node *activity = cbor_floor_decode(arena, payload, count);
    const cbor_floor_node *value = value_of(value_of(activity, "info"), key);
    if (!value || value->kind != CBOR_FLOOR_INTEGER)
        return floor_fail("a state is not of the expected form");
    *found += value->as.integer;
    cbor_floor_arena_reset(arena);
    return 1;
}

int64_t floor_decode_states(
    floor_store *store, const floor_skeleton *skeleton, const char *key, int64_t *found) {
    sqlite3_stmt *select = floor_statement(store, FLOOR_SELECT_STATE);
    cbor_floor_arena *arena = cbor_floor_arena_create();
    int64_t states = 0;
    int is_whole = select && arena;
    *found = 0;
    for (size_t i = 0; i < skeleton->count && is_whole; i++) {
        const record *record = skeleton->order[i].record;
        if (!record->has_state) continue;
        sqlite3_bind_int64(select, 1, record->state_id);
        is_whole = sqlite3_step(select) == SQLITE_ROW ? decode(store, select, arena, key, found)
                                                      : floor_fail_sqlite(store, "reading a state");
        sqlite3_reset(select);
        states++;
    }
    if (arena) cbor_floor_arena_destroy(arena);
    return is_whole ? states : -1;
}

int floor_decode_front(floor_store *store, const char *key, int64_t *found) {
    sqlite3_stmt *select = NULL, *state = floor_statement(store, FLOOR_SELECT_STATE);
    cbor_floor_arena *arena = cbor_floor_arena_create();
    int is_whole = state && arena
        && sqlite3_prepare_v2(
               store->database,
               "SELECT " SESSION_COLUMNS " FROM session "
               "WHERE epoch = ? AND is_front = 1 ORDER BY recency DESC LIMIT 1",
               -1, &select, NULL)
            == SQLITE_OK;
    *found = 0;
    if (is_whole) {
        sqlite3_bind_int64(select, 1, store->row.container_epoch);
        floor_session_row row;
        is_whole = sqlite3_step(select) == SQLITE_ROW;
        if (is_whole) {
            floor_read_session(select, &row);
            is_whole = row.length <= FLOOR_TEXT
                && row.checksum == floor_seal_session(store, &row) && row.has_state;
        }
        if (is_whole) {
            sqlite3_bind_int64(state, 1, row.state_id);
            is_whole = sqlite3_step(state) == SQLITE_ROW
                && decode(store, state, arena, key, found);
            sqlite3_reset(state);
        }
    }
    sqlite3_finalize(select);
    if (arena) cbor_floor_arena_destroy(arena);
    return is_whole ? 1 : floor_fail("the session in front is missing or damaged");
}
