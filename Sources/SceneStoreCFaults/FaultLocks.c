#include "FaultDisk.h"

#include <stdlib.h>
#include <string.h>

// File locks and shared memory between the connections of one process, by the rules of SQLite's
// unix VFS (https://www.sqlite.org/lockingv3.html, https://www.sqlite.org/walformat.html).

// MARK: File locks

int ssf_locks_raise(ssf_file *file, int level) {
    if (level <= file->level) return SQLITE_OK;
    ssf_locks *locks = &file->inode->locks;
    bool othersWait = (locks->pending && locks->pending != file)
                      || (locks->exclusive && locks->exclusive != file);
    if (level == SQLITE_LOCK_SHARED) {
        if (othersWait) return SQLITE_BUSY;
        locks->shared++;
        file->level = SQLITE_LOCK_SHARED;
        return SQLITE_OK;
    }
    if (othersWait || (locks->reserved && locks->reserved != file)) return SQLITE_BUSY;
    if (level == SQLITE_LOCK_RESERVED) {
        locks->reserved = file;
        file->level = SQLITE_LOCK_RESERVED;
        return SQLITE_OK;
    }
    locks->pending = file;
    if (file->level < SQLITE_LOCK_PENDING) file->level = SQLITE_LOCK_PENDING;
    if (level == SQLITE_LOCK_PENDING) return SQLITE_OK;
    if (locks->shared > 1) return SQLITE_BUSY;
    locks->exclusive = file;
    file->level = SQLITE_LOCK_EXCLUSIVE;
    return SQLITE_OK;
}

void ssf_locks_lower(ssf_file *file, int level) {
    if (level >= file->level) return;
    ssf_locks *locks = &file->inode->locks;
    if (locks->reserved == file) locks->reserved = NULL;
    if (locks->pending == file) locks->pending = NULL;
    if (locks->exclusive == file) locks->exclusive = NULL;
    if (level == SQLITE_LOCK_NONE && locks->shared) locks->shared--;
    file->level = level;
}

bool ssf_locks_reserved(const ssf_file *file) {
    const ssf_locks *locks = &file->inode->locks;
    return locks->reserved || locks->pending || locks->exclusive;
}

// MARK: Shared memory

static ssf_shm *attach(ssf_file *file) {
    if (!file->shm) {
        if (!file->inode->shm) file->inode->shm = ssf_allocate(sizeof(ssf_shm));
        file->shm = file->inode->shm;
        file->shm->references++;
    }
    return file->shm;
}

// The first file to hold the memory finds nothing in it that it may trust.
static bool hold(ssf_file *file, ssf_shm *shm) {
    if (file->holdsShared) return true;
    if (shm->holders == 0) {
        if (file->readsShared) return false;
        for (int index = 0; index < shm->count; index++) {
            memset(shm->regions[index], 0, (size_t)shm->size);
        }
    }
    shm->holders++;
    file->holdsShared = true;
    return true;
}

int ssf_shm_map(ssf_file *file, int region, int size, int extend, void volatile **memory) {
    *memory = NULL;
    // A reader that may not make the -shm file has nothing to open.
    if (file->readsShared && !file->inode->hasShared) return SQLITE_CANTOPEN;
    if (!file->readsShared) file->inode->hasShared = true;
    ssf_shm *shm = attach(file);
    if (!hold(file, shm)) return SQLITE_READONLY_CANTINIT;
    if (region >= shm->count && extend && !file->readsShared) {
        if (shm->count && shm->size != size) return SQLITE_IOERR_SHMSIZE;
        shm->size = size;
        size_t count = (size_t)region + 1;
        shm->regions = ssf_reallocate(shm->regions, count * sizeof *shm->regions);
        while (shm->count <= region) shm->regions[shm->count++] = ssf_allocate((size_t)size);
    }
    if (region < shm->count) *memory = shm->regions[region];
    return file->readsShared ? SQLITE_READONLY : SQLITE_OK;
}

int ssf_shm_lock(ssf_file *file, int offset, int count, int flags) {
    ssf_shm *shm = file->shm;
    if (!shm || offset < 0 || count < 1 || offset + count > SSF_SHM_SLOTS) {
        return SQLITE_IOERR_SHMLOCK;
    }
    uint16_t mask = (uint16_t)(((1u << count) - 1) << offset);
    if (flags & SQLITE_SHM_UNLOCK) {
        for (int slot = offset; slot < offset + count; slot++) {
            if (file->sharedSlots & (1u << slot)) shm->shared[slot]--;
            if (file->exclusiveSlots & (1u << slot)) shm->exclusive[slot] = false;
        }
        file->sharedSlots &= (uint16_t)~mask;
        file->exclusiveSlots &= (uint16_t)~mask;
        return SQLITE_OK;
    }
    bool isShared = (flags & SQLITE_SHM_SHARED) != 0;
    for (int slot = offset; slot < offset + count; slot++) {
        unsigned own = (file->sharedSlots >> slot) & 1;
        bool ownsExclusive = (file->exclusiveSlots >> slot) & 1;
        if (shm->exclusive[slot] && !ownsExclusive) return SQLITE_BUSY;
        if (!isShared && shm->shared[slot] > own) return SQLITE_BUSY;
    }
    for (int slot = offset; slot < offset + count; slot++) {
        if (isShared) {
            if (!((file->sharedSlots >> slot) & 1)) shm->shared[slot]++;
        } else {
            shm->exclusive[slot] = true;
        }
    }
    if (isShared) {
        file->sharedSlots |= mask;
    } else {
        file->exclusiveSlots |= mask;
    }
    return SQLITE_OK;
}

void ssf_shm_unmap(ssf_file *file) {
    ssf_shm *shm = file->shm;
    if (!shm) return;
    for (int slot = 0; slot < SSF_SHM_SLOTS; slot++) {
        if (file->sharedSlots & (1u << slot)) shm->shared[slot]--;
        if (file->exclusiveSlots & (1u << slot)) shm->exclusive[slot] = false;
    }
    file->sharedSlots = 0;
    file->exclusiveSlots = 0;
    if (file->holdsShared) shm->holders--;
    file->holdsShared = false;
    file->shm = NULL;
    if (--shm->references) return;
    for (int index = 0; index < shm->count; index++) free(shm->regions[index]);
    free(shm->regions);
    // After a crash the inode may already have another one, or none.
    if (file->inode->shm == shm) file->inode->shm = NULL;
    free(shm);
}
