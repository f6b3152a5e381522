#include "FaultState.h"

#include <stdlib.h>
#include <string.h>

// A file that is never synced would pile up changes for ever; a kernel writes old ones back.
#define CHANGE_LIMIT 8192u

ssf_state *ssf_state_create(ssf_settings settings) {
    ssf_state *state = ssf_allocate(sizeof *state);
    state->settings = settings;
    state->nextIdentifier = 1;
    return state;
}

// MARK: Inodes

ssf_inode *ssf_inode_create(ssf_state *state) {
    ssf_inode *inode = ssf_allocate(sizeof *inode);
    inode->identifier = state->nextIdentifier++;
    inode->state = state;
    if (state->inodeCount == state->inodeRoom) {
        state->inodeRoom = state->inodeRoom * 2 + 4;
        state->inodes =
            ssf_reallocate(state->inodes, state->inodeRoom * sizeof *state->inodes);
    }
    state->inodes[state->inodeCount++] = inode;
    return inode;
}

ssf_inode *ssf_inode_retain(ssf_inode *inode) {
    inode->references++;
    return inode;
}

static void clear_changes(ssf_inode *inode) {
    for (size_t index = 0; index < inode->changeCount; index++) {
        ssf_buffer_release(inode->changes[index].buffer);
    }
    inode->changeCount = 0;
}

static void clear_forgotten(ssf_inode *inode) {
    free(inode->forgotten);
    inode->forgotten = NULL;
    inode->forgottenCount = 0;
}

void ssf_inode_release(ssf_inode *inode) {
    if (--inode->references) return;
    ssf_state *state = inode->state;
    for (size_t index = 0; state && index < state->inodeCount; index++) {
        if (state->inodes[index] != inode) continue;
        // Order is kept: a cut draws its lots in this order.
        memmove(state->inodes + index, state->inodes + index + 1,
                (state->inodeCount - index - 1) * sizeof *state->inodes);
        state->inodeCount--;
        break;
    }
    clear_changes(inode);
    free(inode->changes);
    clear_forgotten(inode);
    ssf_content_clear(&inode->durable);
    ssf_content_clear(&inode->cached);
    free(inode);
}

void ssf_inode_append(
    ssf_inode *inode, uint64_t sequence, uint64_t offset, ssf_buffer *buffer) {
    if (inode->changeCount == inode->changeRoom) {
        inode->changeRoom = inode->changeRoom * 2 + 8;
        inode->changes =
            ssf_reallocate(inode->changes, inode->changeRoom * sizeof *inode->changes);
    }
    inode->changes[inode->changeCount++] = (ssf_change){
        .sequence = sequence,
        .offset = offset,
        .buffer = buffer ? ssf_buffer_retain(buffer) : NULL,
    };
}

void ssf_change_apply(const ssf_change *change, ssf_content *content) {
    if (change->buffer) {
        ssf_content_write(
            content, change->offset, change->buffer->bytes, change->buffer->length);
    } else {
        ssf_content_resize(content, change->offset);
    }
}

// MARK: Changes of files

static bool is_forgotten(const ssf_inode *inode, size_t block) {
    return block < inode->forgottenCount && inode->forgotten[block];
}

static void note_change(
    ssf_state *state, ssf_inode *inode, uint64_t offset, ssf_buffer *buffer) {
    ssf_inode_append(inode, ++state->sequence, offset, buffer);
    if (inode->changeCount < CHANGE_LIMIT) return;
    size_t half = inode->changeCount / 2;
    for (size_t index = 0; index < half; index++) {
        ssf_change_apply(&inode->changes[index], &inode->durable);
        ssf_buffer_release(inode->changes[index].buffer);
    }
    memmove(inode->changes, inode->changes + half,
            (inode->changeCount - half) * sizeof *inode->changes);
    inode->changeCount -= half;
}

void ssf_state_write(
    ssf_state *state, ssf_inode *inode, uint64_t offset, ssf_buffer *buffer) {
    if (!buffer->length) return;
    ssf_content_write(&inode->cached, offset, buffer->bytes, buffer->length);
    if (inode->isTransient) return;
    ssf_trace_append(
        state->trace, SSF_STEP_WRITE, inode->identifier, offset, buffer, NULL, NULL);
    size_t first = (size_t)(offset / SSF_BLOCK_SIZE);
    size_t last = (size_t)((offset + buffer->length - 1) / SSF_BLOCK_SIZE);
    bool widens = is_forgotten(inode, first) || is_forgotten(inode, last);
    if (!widens) {
        for (size_t block = first; block <= last && block < inode->forgottenCount; block++) {
            inode->forgotten[block] = 0;
        }
        note_change(state, inode, offset, buffer);
        return;
    }
    // Invariant 2: the page as a whole is dirty again, with what the failed sync left in it.
    uint64_t start = (uint64_t)first * SSF_BLOCK_SIZE;
    uint64_t end = (uint64_t)(last + 1) * SSF_BLOCK_SIZE;
    if (end > inode->cached.size) end = inode->cached.size;
    uint8_t *page = ssf_allocate((size_t)(end - start));
    ssf_content_read(&inode->cached, start, page, (size_t)(end - start));
    ssf_buffer *whole = ssf_buffer_create(page, (size_t)(end - start));
    free(page);
    for (size_t block = first; block <= last && block < inode->forgottenCount; block++) {
        inode->forgotten[block] = 0;
    }
    note_change(state, inode, start, whole);
    ssf_buffer_release(whole);
}

void ssf_state_resize(ssf_state *state, ssf_inode *inode, uint64_t size) {
    if (size == inode->cached.size) return;
    ssf_content_resize(&inode->cached, size);
    if (inode->isTransient) return;
    ssf_trace_append(
        state->trace, SSF_STEP_RESIZE, inode->identifier, size, NULL, NULL, NULL);
    for (size_t block = inode->cached.count; block < inode->forgottenCount; block++) {
        inode->forgotten[block] = 0;
    }
    note_change(state, inode, size, NULL);
}

void ssf_state_sync(ssf_state *state, ssf_inode *inode) {
    if (inode->isTransient) return;
    ssf_trace_append(state->trace, SSF_STEP_SYNC, inode->identifier, 0, NULL, NULL, NULL);
    for (size_t index = 0; index < inode->changeCount; index++) {
        const ssf_change *change = &inode->changes[index];
        if (!change->buffer) {
            ssf_content_resize(&inode->durable, change->offset);
            continue;
        }
        size_t block = (size_t)(change->offset / SSF_BLOCK_SIZE);
        size_t last = (size_t)((change->offset + change->buffer->length - 1) / SSF_BLOCK_SIZE);
        for (; block <= last && block < inode->cached.count; block++) {
            if (!is_forgotten(inode, block)) {
                ssf_content_share(&inode->durable, &inode->cached, block);
            }
        }
    }
    ssf_content_resize(&inode->durable, inode->cached.size);
    clear_changes(inode);
}

void ssf_state_forget(ssf_state *state, ssf_inode *inode) {
    if (inode->isTransient) return;
    ssf_trace_append(state->trace, SSF_STEP_FORGET, inode->identifier, 0, NULL, NULL, NULL);
    size_t blocks = inode->cached.count;
    if (blocks > inode->forgottenCount) {
        inode->forgotten = ssf_reallocate(inode->forgotten, blocks);
        memset(inode->forgotten + inode->forgottenCount, 0, blocks - inode->forgottenCount);
        inode->forgottenCount = blocks;
    }
    for (size_t index = 0; index < inode->changeCount; index++) {
        const ssf_change *change = &inode->changes[index];
        if (!change->buffer) continue;
        size_t block = (size_t)(change->offset / SSF_BLOCK_SIZE);
        size_t last = (size_t)((change->offset + change->buffer->length - 1) / SSF_BLOCK_SIZE);
        for (; block <= last && block < blocks; block++) inode->forgotten[block] = 1;
    }
    clear_changes(inode);
    // The size is metadata, which a failed write-back of data does not take along.
    if (inode->durable.size != inode->cached.size) {
        note_change(state, inode, inode->cached.size, NULL);
    }
}

void ssf_state_drop_cache(ssf_state *state) {
    ssf_trace_append(state->trace, SSF_STEP_DROP_CACHE, 0, 0, NULL, NULL, NULL);
    for (size_t index = 0; index < state->inodeCount; index++) {
        ssf_inode *inode = state->inodes[index];
        if (inode->isTransient || !inode->forgotten) continue;
        uint64_t size = inode->cached.size;
        ssf_content_clear(&inode->cached);
        ssf_content_clone(&inode->cached, &inode->durable);
        for (size_t change = 0; change < inode->changeCount; change++) {
            ssf_change_apply(&inode->changes[change], &inode->cached);
        }
        ssf_content_resize(&inode->cached, size);
        clear_forgotten(inode);
    }
}

uint64_t ssf_state_used(const ssf_state *state) {
    uint64_t used = 0;
    for (size_t index = 0; index < state->inodeCount; index++) {
        const ssf_inode *inode = state->inodes[index];
        bool isVisible = inode->handles > 0;
        for (size_t entry = 0; !isVisible && entry < state->cached.count; entry++) {
            isVisible = state->cached.entries[entry].inode == inode;
        }
        if (isVisible) used += (inode->cached.size + 511) / 512 * 512;
    }
    return used;
}

// MARK: Cloning

static size_t position(const ssf_state *state, const ssf_inode *inode) {
    size_t index = 0;
    while (index < state->inodeCount && state->inodes[index] != inode) index++;
    return index;
}

ssf_state *ssf_state_clone(const ssf_state *from) {
    ssf_state *state = ssf_state_create(from->settings);
    size_t bytes = from->inodeCount * sizeof(ssf_inode *);
    ssf_inode **map = ssf_allocate(bytes);
    for (size_t index = 0; index < from->inodeCount; index++) {
        const ssf_inode *old = from->inodes[index];
        ssf_inode *inode = ssf_inode_retain(ssf_inode_create(state));
        map[index] = inode;
        inode->identifier = old->identifier;
        inode->isTransient = old->isTransient;
        ssf_content_clone(&inode->durable, &old->durable);
        ssf_content_clone(&inode->cached, &old->cached);
        for (size_t change = 0; change < old->changeCount; change++) {
            const ssf_change *each = &old->changes[change];
            ssf_inode_append(inode, each->sequence, each->offset, each->buffer);
        }
        if (old->forgotten) {
            inode->forgotten = ssf_allocate(old->forgottenCount);
            memcpy(inode->forgotten, old->forgotten, old->forgottenCount);
            inode->forgottenCount = old->forgottenCount;
        }
    }
    for (size_t index = 0; index < from->cached.count; index++) {
        const ssf_entry *entry = &from->cached.entries[index];
        ssf_directory_set(&state->cached, entry->name, map[position(from, entry->inode)]);
    }
    for (size_t index = 0; index < from->durable.count; index++) {
        const ssf_entry *entry = &from->durable.entries[index];
        ssf_directory_set(&state->durable, entry->name, map[position(from, entry->inode)]);
    }
    state->changeRoom = state->changeCount = from->changeCount;
    state->changes = ssf_allocate(from->changeCount * sizeof *state->changes);
    for (size_t index = 0; index < from->changeCount; index++) {
        const ssf_directory_change *old = &from->changes[index];
        state->changes[index] = (ssf_directory_change){
            .sequence = old->sequence,
            .kind = old->kind,
            .name = ssf_duplicate(old->name),
            .target = old->target ? ssf_duplicate(old->target) : NULL,
            .inode = ssf_inode_retain(map[position(from, old->inode)]),
        };
    }
    // Files that only an open handle kept alive go here: a clone has no handles.
    for (size_t index = 0; index < from->inodeCount; index++) ssf_inode_release(map[index]);
    free(map);
    state->nextIdentifier = from->nextIdentifier;
    state->sequence = from->sequence;
    return state;
}
