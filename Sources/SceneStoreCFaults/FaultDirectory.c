#include "FaultState.h"

#include <stdlib.h>
#include <string.h>

// MARK: One directory

static size_t find(const ssf_directory *directory, const char *name) {
    size_t index = 0;
    while (index < directory->count && strcmp(directory->entries[index].name, name)) index++;
    return index;
}

ssf_inode *ssf_directory_lookup(const ssf_directory *directory, const char *name) {
    size_t index = find(directory, name);
    return index < directory->count ? directory->entries[index].inode : NULL;
}

void ssf_directory_set(ssf_directory *directory, const char *name, ssf_inode *inode) {
    ssf_inode_retain(inode);
    size_t index = find(directory, name);
    if (index < directory->count) {
        ssf_inode_release(directory->entries[index].inode);
        directory->entries[index].inode = inode;
        return;
    }
    if (directory->count == directory->room) {
        directory->room = directory->room * 2 + 4;
        directory->entries =
            ssf_reallocate(directory->entries, directory->room * sizeof *directory->entries);
    }
    directory->entries[directory->count++] =
        (ssf_entry){.name = ssf_duplicate(name), .inode = inode};
}

void ssf_directory_remove(ssf_directory *directory, const char *name) {
    size_t index = find(directory, name);
    if (index == directory->count) return;
    ssf_entry entry = directory->entries[index];
    memmove(directory->entries + index, directory->entries + index + 1,
            (directory->count - index - 1) * sizeof *directory->entries);
    directory->count--;
    free(entry.name);
    ssf_inode_release(entry.inode);
}

void ssf_directory_clear(ssf_directory *directory) {
    for (size_t index = 0; index < directory->count; index++) {
        free(directory->entries[index].name);
        ssf_inode_release(directory->entries[index].inode);
    }
    free(directory->entries);
    *directory = (ssf_directory){0};
}

void ssf_directory_apply(ssf_directory *directory, const ssf_directory_change *change) {
    switch (change->kind) {
    case SSF_LINK:
        ssf_directory_set(directory, change->name, change->inode);
        break;
    case SSF_UNLINK:
        ssf_directory_remove(directory, change->name);
        break;
    default:
        ssf_directory_set(directory, change->target, change->inode);
        ssf_directory_remove(directory, change->name);
    }
}

// MARK: The state's directory

static void note(
    ssf_state *state, int kind, const char *name, const char *target, ssf_inode *inode) {
    if (state->changeCount == state->changeRoom) {
        state->changeRoom = state->changeRoom * 2 + 8;
        state->changes =
            ssf_reallocate(state->changes, state->changeRoom * sizeof *state->changes);
    }
    ssf_directory_change change = {
        .sequence = ++state->sequence,
        .kind = kind,
        .name = ssf_duplicate(name),
        .target = target ? ssf_duplicate(target) : NULL,
        .inode = ssf_inode_retain(inode),
    };
    state->changes[state->changeCount++] = change;
    ssf_directory_apply(&state->cached, &change);
    if (state->settings.directory == SSF_DIRECTORY_IMMEDIATE) {
        ssf_state_sync_directory(state, NULL);
    }
}

static void drop(ssf_directory_change *change) {
    free(change->name);
    free(change->target);
    ssf_inode_release(change->inode);
}

void ssf_state_free(ssf_state *state) {
    if (!state) return;
    ssf_directory_clear(&state->cached);
    ssf_directory_clear(&state->durable);
    for (size_t index = 0; index < state->changeCount; index++) drop(&state->changes[index]);
    free(state->changes);
    // What is left is held by open files, which outlive their world as dead ones.
    for (size_t index = 0; index < state->inodeCount; index++) {
        state->inodes[index]->state = NULL;
    }
    free(state->inodes);
    ssf_trace_release(state->trace);
    free(state);
}

ssf_inode *ssf_state_lookup(const ssf_state *state, const char *name) {
    return ssf_directory_lookup(&state->cached, name);
}

ssf_inode *ssf_state_find(const ssf_state *state, uint64_t identifier) {
    for (size_t index = 0; index < state->inodeCount; index++) {
        if (state->inodes[index]->identifier == identifier) return state->inodes[index];
    }
    return NULL;
}

ssf_inode *ssf_state_make(ssf_state *state, const char *name) {
    ssf_inode *inode = ssf_inode_create(state);
    if (!name) {
        inode->isTransient = true;
        return inode;
    }
    ssf_trace_append(
        state->trace, SSF_STEP_MAKE, inode->identifier, 0, NULL, name, NULL);
    note(state, SSF_LINK, name, NULL, inode);
    return inode;
}

bool ssf_state_unlink(ssf_state *state, const char *name) {
    ssf_inode *inode = ssf_state_lookup(state, name);
    if (!inode) return false;
    ssf_trace_append(state->trace, SSF_STEP_UNLINK, 0, 0, NULL, name, NULL);
    note(state, SSF_UNLINK, name, NULL, inode);
    return true;
}

bool ssf_state_rename(ssf_state *state, const char *from, const char *to) {
    ssf_inode *inode = ssf_state_lookup(state, from);
    if (!inode) return false;
    if (!strcmp(from, to)) return true;
    ssf_trace_append(state->trace, SSF_STEP_RENAME, 0, 0, NULL, from, to);
    note(state, SSF_RENAME, from, to, inode);
    return true;
}

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static bool is_beside(const char *name, const char *path) {
    size_t length = folder_length(path);
    return folder_length(name) == length && !strncmp(name, path, length);
}

// Makes the marked changes durable, in order, and forgets them.
static void settle(ssf_state *state, const bool *marked) {
    size_t kept = 0;
    for (size_t index = 0; index < state->changeCount; index++) {
        ssf_directory_change *change = &state->changes[index];
        if (!marked[index]) {
            state->changes[kept++] = *change;
            continue;
        }
        ssf_directory_apply(&state->durable, change);
        drop(change);
    }
    state->changeCount = kept;
}

static bool touches(const ssf_directory_change *change, const char *name) {
    return !strcmp(change->name, name) || (change->target && !strcmp(change->target, name));
}

static bool meet(const ssf_directory_change *left, const ssf_directory_change *right) {
    return touches(left, right->name) || (right->target && touches(left, right->target));
}

// Whatever a marked change builds on was changed before it, so it becomes durable with it.
static void mark_grounds(const ssf_state *state, bool *marked) {
    for (size_t later = state->changeCount; later-- > 0;) {
        if (!marked[later]) continue;
        for (size_t earlier = 0; earlier < later; earlier++) {
            if (meet(&state->changes[earlier], &state->changes[later])) marked[earlier] = true;
        }
    }
}

void ssf_state_sync_directory(ssf_state *state, const char *path) {
    ssf_trace_append(state->trace, SSF_STEP_SYNC_DIRECTORY, 0, 0, NULL, path, NULL);
    state->directorySyncs++;
    bool *marked = ssf_allocate(state->changeCount * sizeof *marked);
    for (size_t index = 0; index < state->changeCount; index++) {
        const ssf_directory_change *change = &state->changes[index];
        marked[index] = !path || is_beside(change->name, path)
                        || (change->target && is_beside(change->target, path));
    }
    mark_grounds(state, marked);
    settle(state, marked);
    free(marked);
}

void ssf_state_sync_entry(ssf_state *state, ssf_inode *inode) {
    bool isPending = false;
    bool *marked = ssf_allocate(state->changeCount * sizeof *marked);
    for (size_t index = 0; index < state->changeCount; index++) {
        const ssf_directory_change *change = &state->changes[index];
        marked[index] = change->kind == SSF_LINK && change->inode == inode;
        isPending = isPending || marked[index];
    }
    if (isPending) {
        ssf_trace_append(
            state->trace, SSF_STEP_SYNC_ENTRY, inode->identifier, 0, NULL, NULL, NULL);
        mark_grounds(state, marked);
        settle(state, marked);
    }
    free(marked);
}

bool ssf_state_import(
    ssf_state *state, const char *name, const void *bytes, size_t length) {
    if (length > SSF_FILE_LIMIT) return false;
    ssf_inode *inode = ssf_state_lookup(state, name);
    if (!inode) inode = ssf_state_make(state, name);
    ssf_state_resize(state, inode, 0);
    ssf_buffer *buffer = ssf_buffer_create(bytes, length);
    ssf_state_write(state, inode, 0, buffer);
    ssf_buffer_release(buffer);
    ssf_state_sync(state, inode);
    ssf_state_sync_directory(state, name);
    return true;
}
