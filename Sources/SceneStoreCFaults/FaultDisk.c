#include "FaultDisk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: Life

static ssf_disk *create(uint64_t seed, bool memory) {
    if (sqlite3_initialize() != SQLITE_OK) return NULL;
    static atomic_ullong number;
    ssf_disk *disk = ssf_allocate(sizeof *disk);
    atomic_init(&disk->references, 1);
    pthread_mutex_init(&disk->mutex, NULL);
    snprintf(disk->name, sizeof disk->name, "scenestore-faults-%llu",
             (unsigned long long)atomic_fetch_add(&number, 1) + 1);
    disk->isMemory = memory;
    disk->seed = seed;
    disk->random.state = seed;
    // Noon of 1 January 2024: any moment will do, as long as it is the same in each run.
    disk->clock = 212570870400000 + 1;
    disk->generation = 1;
    disk->settings = (ssf_settings){
        .sectorSize = 512,
        .directory = SSF_DIRECTORY_EXT4,
        .powersafeOverwrite = true,
        .simulatesSleep = true,
        .capacity = UINT64_MAX,
    };
    if (memory) {
        disk->state = ssf_state_create(disk->settings);
        ssf_memory_prepare(disk);
    } else {
        disk->inner = sqlite3_vfs_find(NULL);
    }
    if (disk->inner) {
        ssf_layer_prepare(disk);
        if (sqlite3_vfs_register(&disk->outer, 0) == SQLITE_OK) return disk;
    }
    ssf_disk_release(disk);
    return NULL;
}

ssf_disk *ssf_disk_create(uint64_t seed, bool memory) { return create(seed, memory); }

ssf_disk *ssf_disk_with_state(uint64_t seed, ssf_state *state) {
    ssf_disk *disk = create(seed, true);
    if (!disk) {
        ssf_state_free(state);
        return NULL;
    }
    ssf_disk_lock(disk);
    ssf_disk_boot(disk, state);
    ssf_disk_unlock(disk);
    return disk;
}

ssf_disk *ssf_disk_retain(ssf_disk *disk) {
    atomic_fetch_add_explicit(&disk->references, 1, memory_order_relaxed);
    return disk;
}

// Drops one reference; the last one frees. Open files hold one each.
static void drop(ssf_disk *disk) {
    if (atomic_fetch_sub_explicit(&disk->references, 1, memory_order_acq_rel) != 1) return;
    ssf_state_free(disk->state);
    pthread_mutex_destroy(&disk->mutex);
    free(disk);
}

void ssf_disk_drop(ssf_disk *disk) { drop(disk); }

void ssf_disk_release(ssf_disk *disk) {
    if (!disk) return;
    sqlite3_vfs_unregister(&disk->outer);
    drop(disk);
}

const char *ssf_disk_name(const ssf_disk *disk) { return disk->name; }

void ssf_disk_lock(ssf_disk *disk) { pthread_mutex_lock(&disk->mutex); }

void ssf_disk_unlock(ssf_disk *disk) { pthread_mutex_unlock(&disk->mutex); }

// MARK: Settings, programme, counters

ssf_settings ssf_disk_settings(ssf_disk *disk) {
    ssf_disk_lock(disk);
    ssf_settings settings = disk->state ? disk->state->settings : disk->settings;
    ssf_disk_unlock(disk);
    return settings;
}

void ssf_disk_set_settings(ssf_disk *disk, ssf_settings settings) {
    if (settings.sectorSize != SSF_BLOCK_SIZE) settings.sectorSize = 512;
    if (settings.capacity != UINT64_MAX) settings.capacity = settings.capacity / 512 * 512;
    ssf_disk_lock(disk);
    disk->spent = 0;
    disk->settings = settings;
    if (disk->state) disk->state->settings = settings;
    ssf_disk_unlock(disk);
}

bool ssf_disk_set_program(ssf_disk *disk, const ssf_fault *faults, size_t count) {
    if (count > SSF_FAULT_LIMIT) return false;
    ssf_disk_lock(disk);
    disk->programCount = count;
    disk->fired = 0;
    for (size_t index = 0; index < count; index++) {
        disk->program[index] = (ssf_armed){.fault = faults[index]};
    }
    ssf_disk_unlock(disk);
    return true;
}

uint64_t ssf_disk_fired(ssf_disk *disk) {
    ssf_disk_lock(disk);
    uint64_t fired = disk->fired;
    ssf_disk_unlock(disk);
    return fired;
}

void ssf_disk_power_off_at(ssf_disk *disk, uint64_t operation) {
    ssf_disk_lock(disk);
    disk->powerOffAt = operation;
    disk->isOff = false;
    ssf_disk_unlock(disk);
}

void ssf_disk_counters(ssf_disk *disk, uint64_t *values, size_t count) {
    uint64_t all[SSF_COUNTER_COUNT];
    size_t used = 0;
    ssf_disk_lock(disk);
    for (int operation = 0; operation < SSF_OPERATION_COUNT; operation++) {
        for (int kind = 0; kind < SSF_KIND_COUNT; kind++) {
            all[used++] = disk->calls[operation][kind];
        }
    }
    for (int kind = 0; kind < SSF_KIND_COUNT; kind++) all[used++] = disk->bytesRead[kind];
    for (int kind = 0; kind < SSF_KIND_COUNT; kind++) all[used++] = disk->bytesWritten[kind];
    all[used++] = disk->frames;
    all[used++] = disk->state ? disk->state->directorySyncs : 0;
    all[used++] = disk->operations;
    ssf_disk_unlock(disk);
    memcpy(values, all, (count < used ? count : used) * sizeof *values);
}

void ssf_disk_reset_counters(ssf_disk *disk) {
    ssf_disk_lock(disk);
    memset(disk->calls, 0, sizeof disk->calls);
    memset(disk->bytesRead, 0, sizeof disk->bytesRead);
    memset(disk->bytesWritten, 0, sizeof disk->bytesWritten);
    disk->frames = 0;
    if (disk->state) disk->state->directorySyncs = 0;
    ssf_disk_unlock(disk);
}

// MARK: Worlds

void ssf_disk_boot(ssf_disk *disk, ssf_state *state) {
    state->directorySyncs = disk->state ? disk->state->directorySyncs : 0;
    ssf_state_free(disk->state);
    disk->state = state;
    disk->generation++;
    disk->powerOffAt = 0;
    disk->isOff = false;
}

ssf_disk *ssf_disk_copy(ssf_disk *disk) {
    if (!disk->isMemory) return NULL;
    ssf_disk_lock(disk);
    ssf_state *state = ssf_state_clone(disk->state);
    ssf_disk_unlock(disk);
    return ssf_disk_with_state(disk->seed, state);
}

ssf_disk *ssf_disk_power_cut(ssf_disk *disk, uint64_t seed, int mode) {
    if (!disk->isMemory) return NULL;
    ssf_disk_lock(disk);
    ssf_state *state = ssf_state_cut(disk->state, seed, mode);
    ssf_disk_unlock(disk);
    return ssf_disk_with_state(seed, state);
}

bool ssf_disk_reboot(ssf_disk *disk, uint64_t seed, int mode) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    ssf_disk_boot(disk, ssf_state_cut(disk->state, seed, mode));
    ssf_disk_unlock(disk);
    return true;
}

bool ssf_disk_crash(ssf_disk *disk) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    disk->generation++;
    disk->powerOffAt = 0;
    disk->isOff = false;
    for (size_t index = 0; index < disk->state->inodeCount; index++) {
        disk->state->inodes[index]->locks = (ssf_locks){0};
        disk->state->inodes[index]->shm = NULL; // the dead files still own theirs
    }
    ssf_disk_unlock(disk);
    return true;
}

bool ssf_disk_drop_cache(ssf_disk *disk) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    ssf_state_drop_cache(disk->state);
    ssf_disk_unlock(disk);
    return true;
}

// MARK: Files

bool ssf_disk_sync_directory(ssf_disk *disk, const char *path) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    if (!disk->state->settings.lies) ssf_state_sync_directory(disk->state, path);
    ssf_disk_unlock(disk);
    return true;
}

bool ssf_disk_rename(ssf_disk *disk, const char *from, const char *to) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    bool existed = ssf_state_rename(disk->state, from, to);
    ssf_disk_unlock(disk);
    return existed;
}

bool ssf_disk_remove(ssf_disk *disk, const char *path) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    bool existed = ssf_state_unlink(disk->state, path);
    ssf_disk_unlock(disk);
    return existed;
}

size_t ssf_disk_file_count(ssf_disk *disk) {
    if (!disk->isMemory) return 0;
    ssf_disk_lock(disk);
    size_t count = disk->state->cached.count;
    ssf_disk_unlock(disk);
    return count;
}

char *ssf_disk_file_name(ssf_disk *disk, size_t index) {
    if (!disk->isMemory) return NULL;
    ssf_disk_lock(disk);
    const ssf_directory *directory = &disk->state->cached;
    char *name =
        index < directory->count ? ssf_duplicate(directory->entries[index].name) : NULL;
    ssf_disk_unlock(disk);
    return name;
}

bool ssf_disk_file_size(ssf_disk *disk, const char *path, uint64_t *size) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    const ssf_inode *inode = ssf_state_lookup(disk->state, path);
    if (inode) *size = inode->cached.size;
    ssf_disk_unlock(disk);
    return inode != NULL;
}

size_t ssf_disk_export(ssf_disk *disk, const char *path, void *bytes, size_t length) {
    if (!disk->isMemory) return 0;
    ssf_disk_lock(disk);
    const ssf_inode *inode = ssf_state_lookup(disk->state, path);
    size_t count = inode ? ssf_content_read(&inode->cached, 0, bytes, length) : 0;
    ssf_disk_unlock(disk);
    return count;
}

bool ssf_disk_digest(ssf_disk *disk, const char *path, uint64_t *digest) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    const ssf_inode *inode = ssf_state_lookup(disk->state, path);
    if (inode) *digest = ssf_content_digest(&inode->cached);
    ssf_disk_unlock(disk);
    return inode != NULL;
}

bool ssf_disk_import(ssf_disk *disk, const char *path, const void *bytes, size_t length) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    bool fits = ssf_state_import(disk->state, path, bytes, length);
    ssf_disk_unlock(disk);
    return fits;
}

// MARK: Traces

bool ssf_disk_start_trace(ssf_disk *disk) {
    if (!disk->isMemory) return false;
    ssf_disk_lock(disk);
    ssf_trace_release(disk->state->trace);
    disk->state->trace = ssf_trace_create(disk->state);
    ssf_disk_unlock(disk);
    return true;
}

void ssf_disk_mark(ssf_disk *disk, uint64_t value) {
    if (!disk->isMemory) return;
    ssf_disk_lock(disk);
    ssf_trace_append(disk->state->trace, SSF_STEP_MARK, 0, value, NULL, NULL, NULL);
    ssf_disk_unlock(disk);
}

ssf_trace *ssf_disk_end_trace(ssf_disk *disk) {
    if (!disk->isMemory) return NULL;
    ssf_disk_lock(disk);
    ssf_trace *trace = disk->state->trace;
    disk->state->trace = NULL;
    ssf_disk_unlock(disk);
    return trace;
}

ssf_disk *ssf_replay_power_cut(ssf_replay *replay, uint64_t seed, int mode) {
    return ssf_disk_with_state(seed, ssf_replay_cut(replay, seed, mode));
}

bool ssf_replay_power_cut_into(ssf_replay *replay, uint64_t seed, int mode, ssf_disk *into) {
    if (!into->isMemory) return false;
    ssf_state *state = ssf_replay_cut(replay, seed, mode);
    ssf_disk_lock(into);
    ssf_disk_boot(into, state);
    ssf_disk_unlock(into);
    return true;
}
