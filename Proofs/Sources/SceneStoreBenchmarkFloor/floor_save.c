#include "floor_rows.h"

#include <stdlib.h>

// Sessions that were used, by key.

static size_t place_of(const floor_store *store, int64_t key) {
    size_t mask = store->session_capacity - 1;
    size_t index = (size_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (store->sessions[index] && store->sessions[index]->row.id != key)
        index = (index + 1) & mask;
    return index;
}

static int make_room(floor_store *store) {
    if ((store->session_count + 1) * 2 <= store->session_capacity) return 1;
    size_t old_capacity = store->session_capacity;
    floor_session **old = store->sessions;
    store->session_capacity = old_capacity ? old_capacity * 2 : 64;
    store->sessions = calloc(store->session_capacity, sizeof(*store->sessions));
    if (!store->sessions) {
        store->sessions = old;
        store->session_capacity = old_capacity;
        return floor_fail("no memory");
    }
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i]) store->sessions[place_of(store, old[i]->row.id)] = old[i];
    free(old);
    return 1;
}

static int read_session(floor_store *store, int64_t key, floor_session *session) {
    sqlite3_stmt *select = floor_statement(store, FLOOR_SELECT_SESSION);
    if (!select) return 0;
    sqlite3_bind_int64(select, 1, key);
    int is_read = sqlite3_step(select) == SQLITE_ROW;
    if (is_read) {
        floor_read_session(select, &session->row);
        is_read = session->row.length <= FLOOR_TEXT
            && session->row.checksum == floor_seal_session(store, &session->row);
    }
    if (is_read) {
        memcpy(session->identifier, session->row.identifier, session->row.length);
        session->row.identifier = session->identifier;
    }
    sqlite3_reset(select);
    return is_read ? 1 : floor_fail("a session is missing or damaged");
}

static int read_slots(floor_store *store, floor_session *session) {
    sqlite3_stmt *select = floor_statement(store, FLOOR_SELECT_SLOTS);
    if (!select) return 0;
    sqlite3_bind_int64(select, 1, session->row.id << 8);
    sqlite3_bind_int64(select, 2, session->row.id << 8 | 255);
    int is_whole = 1;
    while (is_whole && sqlite3_step(select) == SQLITE_ROW) {
        floor_state_row row;
        floor_read_state(select, &row);
        is_whole = session->slot_count < FLOOR_RING && row.length <= FLOOR_TEXT
            && row.checksum == floor_seal_state(store, &row);
        if (is_whole)
            session->slots[session->slot_count++] =
                (floor_slot){row.id, row.content_hash, row.byte_count, row.checksum};
    }
    sqlite3_reset(select);
    return is_whole ? 1 : floor_fail("a state is damaged, or there are too many");
}

static floor_session *session_of(floor_store *store, int64_t key) {
    if (store->session_capacity) {
        floor_session *known = store->sessions[place_of(store, key)];
        if (known) return known;
    }
    floor_session *session = calloc(1, sizeof(*session));
    if (!session || !make_room(store) || !read_session(store, key, session)
        || !read_slots(store, session)) {
        free(session);
        return NULL;
    }
    store->sessions[place_of(store, key)] = session;
    store->session_count++;
    return session;
}

// Saving.

typedef struct {
    floor_session *session;
    const char *activity_type;
    const uint8_t *payload;
    size_t count;
    int64_t hash;
    int is_owned;
} changed_state;

// The slot that is written: one of equal content, else the oldest of a full ring, else a free one.
// It leaves the list; `checksum` is that of the row that stood there.
static int64_t choose_slot(floor_session *session, const changed_state *state, int64_t *checksum) {
    int chosen = -1;
    for (int i = 0; i < session->slot_count && chosen < 0; i++)
        if (session->slots[i].content_hash == state->hash
            && session->slots[i].byte_count == (int64_t)state->count
            && session->slots[i].id != session->row.state_id)
            chosen = i;
    if (chosen < 0 && session->slot_count == FLOOR_RING) chosen = 0;
    if (chosen < 0) {
        *checksum = 0;
        uint64_t taken = 0;
        for (int i = 0; i < session->slot_count; i++) taken |= 1u << (session->slots[i].id & 31);
        return session->row.id << 8 | __builtin_ctzll(~taken);
    }
    int64_t id = session->slots[chosen].id;
    *checksum = session->slots[chosen].checksum;
    session->slot_count--;
    memmove(
        session->slots + chosen, session->slots + chosen + 1,
        (size_t)(session->slot_count - chosen) * sizeof(floor_slot));
    return id;
}

static int write_state(floor_store *store, const floor_state_row *row, int is_new,
                       const changed_state *state) {
    sqlite3_stmt *write = floor_statement(store, is_new ? FLOOR_INSERT_STATE : FLOOR_UPDATE_STATE);
    if (!write) return 0;
    int next = 1;
    if (is_new) sqlite3_bind_int64(write, next++, row->id);
    sqlite3_bind_int64(write, next++, row->generation);
    sqlite3_bind_int64(write, next++, row->saved_at);
    sqlite3_bind_int64(write, next++, row->context_id);
    sqlite3_bind_text(write, next++, row->activity_type, (int)row->length, SQLITE_STATIC);
    sqlite3_bind_int64(write, next++, row->content_hash);
    sqlite3_bind_int64(write, next++, row->byte_count);
    sqlite3_bind_int64(write, next++, row->checksum);
    sqlite3_bind_blob64(write, next++, state->payload, state->count, SQLITE_STATIC);
    if (!is_new) sqlite3_bind_int64(write, next, row->id);
    return floor_run_one(store, write, "writing a state");
}

static int write_session(floor_store *store, floor_session_row *row) {
    sqlite3_stmt *update = floor_statement(store, FLOOR_UPDATE_SESSION);
    if (!update) return 0;
    sqlite3_bind_int64(update, 1, row->state_id);
    sqlite3_bind_int64(update, 2, row->saved_at);
    sqlite3_bind_int64(update, 3, row->generation);
    sqlite3_bind_int64(update, 4, row->state_checksum);
    sqlite3_bind_int64(update, 5, row->checksum);
    sqlite3_bind_int64(update, 6, row->id);
    return floor_run_one(store, update, "writing a session");
}

static int save_one(floor_store *store, const changed_state *state, int64_t saved_at) {
    floor_session *session = state->session;
    int64_t replaced;
    floor_state_row row = {
        .id = choose_slot(session, state, &replaced),
        .generation = store->row.generation,
        .saved_at = saved_at,
        .context_id = store->context_id,
        .content_hash = state->hash,
        .byte_count = (int64_t)state->count,
        .length = strlen(state->activity_type),
        .activity_type = state->activity_type,
    };
    row.checksum = floor_seal_state(store, &row);
    if (!write_state(store, &row, replaced == 0, state)) return 0;
    store->row.row_digest = (int64_t)((uint64_t)store->row.row_digest - (uint64_t)replaced
        + (uint64_t)row.checksum);
    session->slots[session->slot_count++] =
        (floor_slot){row.id, row.content_hash, row.byte_count, row.checksum};
    floor_session_row *skeleton = &session->row;
    int64_t old = skeleton->checksum;
    skeleton->state_id = row.id;
    skeleton->has_state = 1;
    skeleton->saved_at = saved_at;
    skeleton->has_saved_at = 1;
    skeleton->generation = store->row.generation;
    skeleton->state_checksum = row.checksum;
    skeleton->has_state_checksum = 1;
    skeleton->checksum = floor_seal_session(store, skeleton);
    store->row.open_digest = (int64_t)((uint64_t)store->row.open_digest - (uint64_t)old
        + (uint64_t)skeleton->checksum);
    return write_session(store, skeleton);
}

// Encodes and hashes; 0 when the state is the stored one, -1 when something failed.
static int look_at(floor_store *store, const floor_state *state, changed_state *changed) {
    floor_session *session = session_of(store, state->session);
    if (!session) return -1;
    const uint8_t *payload = state->payload;
    size_t count = state->count;
    if (state->root && !(payload = cbor_floor_encode(state->root, &count)))
        return floor_fail("encoding a state") - 1;
    int64_t hash = (int64_t)floor_hash(payload, count, 0);
    const floor_slot *current =
        session->slot_count ? &session->slots[session->slot_count - 1] : NULL;
    if (current && current->id == session->row.state_id && current->content_hash == hash
        && current->byte_count == (int64_t)count && session->payload
        && !memcmp(session->payload, payload, count)) {
        if (state->root) free((void *)payload);
        return 0;
    }
    *changed = (changed_state){
        session, state->activity_type, payload, count, hash, state->root != NULL};
    return 1;
}

int floor_save(floor_store *store, const floor_state *states, size_t count, int64_t saved_at) {
    enum { MOST = 64 };
    changed_state changed[MOST];
    int found = 0;
    if (count > MOST) return floor_fail("too many states at once") - 1;
    for (size_t i = 0; i < count; i++) {
        int answer = look_at(store, &states[i], &changed[found]);
        if (answer < 0) return -1;
        found += answer;
    }
    if (!found) return 0;
    if (!floor_run(store, FLOOR_BEGIN)) return -1;
    store->row.generation++;
    for (int i = 0; i < found; i++)
        if (!save_one(store, &changed[i], saved_at)) return -1;
    if (!floor_exchange_row(store, store->row.owner_epoch, store->row.generation - 1)
        || !floor_run(store, FLOOR_COMMIT))
        return -1;
    for (int i = 0; i < found; i++) {
        floor_session *session = changed[i].session;
        if (session->is_owned) free((void *)session->payload);
        session->payload = changed[i].payload;
        session->count = changed[i].count;
        session->is_owned = changed[i].is_owned;
    }
    return found;
}
