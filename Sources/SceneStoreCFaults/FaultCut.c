#include "FaultRandom.h"
#include "FaultState.h"

#include <stdlib.h>
#include <string.h>

// What a power cut leaves of a state. Drawn by lot from the seed alone, in the order of inodes and
// changes, so that the same state, seed and mode give the same disk in every run.

typedef struct cut {
    ssf_random random;
    int mode;
    unsigned keeps;   // chance in 256 that a piece reached the disk
    uint64_t horizon; // for SSF_CUT_PREFIX: the change during which the power went
    size_t sector;
    bool powersafe;
} cut;

// A part of one write that lies in one sector.
typedef struct piece {
    uint64_t offset;
    const uint8_t *bytes;
    size_t length;
} piece;

static piece piece_at(const cut *cut, const ssf_change *change, size_t done) {
    uint64_t offset = change->offset + done;
    size_t length = cut->sector - (size_t)(offset % cut->sector);
    if (length > change->buffer->length - done) length = change->buffer->length - done;
    return (piece){.offset = offset, .bytes = change->buffer->bytes + done, .length = length};
}

static void junk(cut *cut, uint8_t *bytes, size_t length) {
    bool isZero = ssf_chance(&cut->random, 128);
    for (size_t index = 0; index < length; index++) {
        bytes[index] = isZero ? 0 : (uint8_t)(ssf_next(&cut->random) >> 56);
    }
}

static void tear(cut *cut, ssf_content *into, piece piece) {
    uint8_t bytes[SSF_BLOCK_SIZE];
    if (!cut->powersafe && ssf_chance(&cut->random, 128)) {
        // The head was amid the sector: all of it is lost, with what lay beside the write.
        uint64_t start = piece.offset / cut->sector * cut->sector;
        if (start < into->size) {
            size_t length = cut->sector;
            if (length > into->size - start) length = (size_t)(into->size - start);
            junk(cut, bytes, length);
            ssf_content_write(into, start, bytes, length);
        }
        return;
    }
    size_t split = (size_t)ssf_below(&cut->random, piece.length + 1);
    bool keepsHead = ssf_chance(&cut->random, 160);
    if (keepsHead) {
        ssf_content_write(into, piece.offset, piece.bytes, split);
    } else {
        ssf_content_write(
            into, piece.offset + split, piece.bytes + split, piece.length - split);
    }
    if (ssf_chance(&cut->random, 96)) {
        size_t start = keepsHead ? split : 0;
        size_t length = keepsHead ? piece.length - split : split;
        junk(cut, bytes, length);
        ssf_content_write(into, piece.offset + start, bytes, length);
    }
}

static void keep_some(cut *cut, const ssf_inode *inode, ssf_content *into) {
    unsigned tears = cut->mode == SSF_CUT_TORN ? 64 : 0;
    for (size_t index = 0; index < inode->changeCount; index++) {
        const ssf_change *change = &inode->changes[index];
        if (!change->buffer) {
            if (ssf_chance(&cut->random, cut->keeps)) ssf_change_apply(change, into);
            continue;
        }
        for (size_t done = 0; done < change->buffer->length;) {
            piece piece = piece_at(cut, change, done);
            done += piece.length;
            uint64_t lot = ssf_next(&cut->random);
            if ((lot >> 56) < cut->keeps) {
                ssf_content_write(into, piece.offset, piece.bytes, piece.length);
            } else if (((lot >> 48) & 255) < tears) {
                tear(cut, into, piece);
            }
        }
    }
}

// Shuffles the pieces between two changes of size and writes a part of them, in the new order: of
// two versions of a sector the older one may win.
static void keep_reordered(cut *cut, const ssf_inode *inode, ssf_content *into) {
    size_t room = 64, count = 0;
    piece *pieces = ssf_allocate(room * sizeof *pieces);
    for (size_t index = 0; index <= inode->changeCount; index++) {
        const ssf_change *change = index < inode->changeCount ? &inode->changes[index] : NULL;
        if (change && change->buffer) {
            for (size_t done = 0; done < change->buffer->length;) {
                if (count == room) {
                    room *= 2;
                    pieces = ssf_reallocate(pieces, room * sizeof *pieces);
                }
                pieces[count] = piece_at(cut, change, done);
                done += pieces[count++].length;
            }
            continue;
        }
        size_t written = (size_t)ssf_below(&cut->random, count + 1);
        for (size_t place = 0; place < written; place++) {
            size_t other = place + (size_t)ssf_below(&cut->random, count - place);
            piece chosen = pieces[other];
            pieces[other] = pieces[place];
            pieces[place] = chosen;
            ssf_content_write(into, chosen.offset, chosen.bytes, chosen.length);
        }
        count = 0;
        if (change && ssf_chance(&cut->random, cut->keeps)) ssf_change_apply(change, into);
    }
    free(pieces);
}

static void keep_prefix(cut *cut, const ssf_inode *inode, ssf_content *into) {
    for (size_t index = 0; index < inode->changeCount; index++) {
        const ssf_change *change = &inode->changes[index];
        if (change->sequence > cut->horizon) break;
        if (change->sequence < cut->horizon) {
            ssf_change_apply(change, into);
        } else if (change->buffer) {
            size_t length = (size_t)ssf_below(&cut->random, change->buffer->length + 1);
            ssf_content_write(into, change->offset, change->buffer->bytes, length);
        }
    }
}

static void settle(cut *cut, const ssf_inode *inode, ssf_content *into) {
    if (!inode->changeCount || cut->mode == SSF_CUT_LOSE_ALL) return;
    switch (cut->mode) {
    case SSF_CUT_KEEP_ALL:
        for (size_t index = 0; index < inode->changeCount; index++) {
            ssf_change_apply(&inode->changes[index], into);
        }
        return;
    case SSF_CUT_PREFIX:
        keep_prefix(cut, inode, into);
        return;
    case SSF_CUT_REORDERED:
        keep_reordered(cut, inode, into);
        break;
    default:
        keep_some(cut, inode, into);
    }
    // The size may have been journalled without the data, which then reads as zeros.
    if (into->size < inode->cached.size && ssf_chance(&cut->random, 64)) {
        ssf_content_resize(into, inode->cached.size);
    }
}

static bool keeps_entry(cut *cut, const ssf_directory_change *change) {
    switch (cut->mode) {
    case SSF_CUT_KEEP_ALL: return true;
    case SSF_CUT_LOSE_ALL: return false;
    case SSF_CUT_PREFIX: return change->sequence < cut->horizon;
    default: return ssf_chance(&cut->random, 128);
    }
}

static bool touches(const ssf_directory_change *change, const char *name) {
    return !strcmp(change->name, name) || (change->target && !strcmp(change->target, name));
}

// The durable entries and those changes that were kept. A change is lost with any that it builds
// on: a name cannot be unlinked on a disk where it was never linked.
static void settle_directory(cut *cut, const ssf_state *from, ssf_directory *into) {
    for (size_t index = 0; index < from->durable.count; index++) {
        const ssf_entry *entry = &from->durable.entries[index];
        ssf_directory_set(into, entry->name, entry->inode);
    }
    bool *lost = ssf_allocate(from->changeCount * sizeof *lost);
    for (size_t index = 0; index < from->changeCount; index++) {
        const ssf_directory_change *change = &from->changes[index];
        bool isKept = keeps_entry(cut, change);
        for (size_t earlier = 0; isKept && earlier < index; earlier++) {
            const ssf_directory_change *other = &from->changes[earlier];
            isKept = !lost[earlier]
                     || !(touches(other, change->name)
                          || (change->target && touches(other, change->target)));
        }
        lost[index] = !isKept;
        if (isKept) ssf_directory_apply(into, change);
    }
    free(lost);
}

static uint64_t choose_horizon(cut *cut, const ssf_state *state) {
    uint64_t low = state->sequence + 1;
    if (state->changeCount) low = state->changes[0].sequence;
    for (size_t index = 0; index < state->inodeCount; index++) {
        const ssf_inode *inode = state->inodes[index];
        if (inode->changeCount && inode->changes[0].sequence < low) {
            low = inode->changes[0].sequence;
        }
    }
    return low + ssf_below(&cut->random, state->sequence + 2 - low);
}

static void prepare(cut *cut, const ssf_state *from, uint64_t seed, int mode) {
    static const uint8_t chances[8] = {16, 64, 96, 128, 160, 192, 224, 248};
    static const uint8_t modes[16] = {
        SSF_CUT_SUBSET,    SSF_CUT_SUBSET,    SSF_CUT_SUBSET, SSF_CUT_SUBSET, SSF_CUT_SUBSET,
        SSF_CUT_TORN,      SSF_CUT_TORN,      SSF_CUT_TORN,   SSF_CUT_TORN,   SSF_CUT_REORDERED,
        SSF_CUT_REORDERED, SSF_CUT_REORDERED, SSF_CUT_PREFIX, SSF_CUT_PREFIX, SSF_CUT_LOSE_ALL,
        SSF_CUT_KEEP_ALL};
    cut->random.state = seed;
    cut->mode = mode == SSF_CUT_MIXED ? modes[ssf_below(&cut->random, 16)] : mode;
    cut->keeps = chances[ssf_below(&cut->random, 8)];
    cut->sector = from->settings.sectorSize;
    cut->powersafe = from->settings.powersafeOverwrite;
    cut->horizon = choose_horizon(cut, from);
}

ssf_state *ssf_state_cut(const ssf_state *from, uint64_t seed, int mode) {
    cut cut;
    prepare(&cut, from, seed, mode);

    ssf_state *state = ssf_state_create(from->settings);
    state->sequence = from->sequence;
    ssf_directory entries = {0};
    settle_directory(&cut, from, &entries);
    ssf_inode **map = ssf_allocate(from->inodeCount * sizeof *map);
    // Every file draws its lots, also one that is lost: outcomes of files stay independent.
    for (size_t index = 0; index < from->inodeCount; index++) {
        const ssf_inode *old = from->inodes[index];
        if (old->isTransient) continue;
        ssf_inode *inode = ssf_inode_retain(ssf_inode_create(state));
        map[index] = inode;
        inode->identifier = old->identifier;
        ssf_content_clone(&inode->durable, &old->durable);
        settle(&cut, old, &inode->durable);
        ssf_content_clone(&inode->cached, &inode->durable);
    }
    for (size_t index = 0; index < from->inodeCount; index++) {
        for (size_t entry = 0; entry < entries.count; entry++) {
            if (entries.entries[entry].inode != from->inodes[index]) continue;
            ssf_directory_set(&state->cached, entries.entries[entry].name, map[index]);
            ssf_directory_set(&state->durable, entries.entries[entry].name, map[index]);
        }
    }
    for (size_t index = 0; index < from->inodeCount; index++) {
        if (map[index]) ssf_inode_release(map[index]);
    }
    free(map);
    ssf_directory_clear(&entries);
    state->nextIdentifier = from->nextIdentifier;
    return state;
}
