#include "FaultDisk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The inner VFS of a memory disk: SQLite's file methods on a simulated state.

static ssf_disk *disk_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

// Locks the disk; false (unlocked) when the file is of a world that a cut or a kill ended.
static bool enter(ssf_file *file) {
    ssf_disk_lock(file->disk);
    if (file->generation == file->disk->generation) return true;
    ssf_disk_unlock(file->disk);
    return false;
}

static int leave(ssf_file *file, int code) {
    ssf_disk_unlock(file->disk);
    return code;
}

// MARK: Files

static int memory_close(sqlite3_file *base) {
    ssf_file *file = (ssf_file *)base;
    ssf_disk *disk = file->disk;
    ssf_disk_lock(disk);
    ssf_shm_unmap(file);
    if (file->generation == disk->generation) ssf_locks_lower(file, SQLITE_LOCK_NONE);
    file->inode->handles--;
    ssf_inode_release(file->inode);
    ssf_disk_unlock(disk);
    free(file->name);
    file->base.pMethods = NULL;
    return SQLITE_OK;
}

static int memory_read(sqlite3_file *base, void *bytes, int length, sqlite3_int64 offset) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_READ;
    size_t done =
        ssf_content_read(&file->inode->cached, (uint64_t)offset, bytes, (size_t)length);
    if (done < (size_t)length) {
        memset((uint8_t *)bytes + done, 0, (size_t)length - done);
        return leave(file, SQLITE_IOERR_SHORT_READ);
    }
    return leave(file, SQLITE_OK);
}

// How much of a write there is room for.
static size_t room_for(ssf_file *file, uint64_t offset, size_t length) {
    const ssf_state *state = file->disk->state;
    uint64_t size = file->inode->cached.size;
    uint64_t end = offset + length;
    uint64_t limit = SSF_FILE_LIMIT;
    if (state->settings.capacity != UINT64_MAX && end > size) {
        uint64_t used = ssf_state_used(state);
        uint64_t left =
            used < state->settings.capacity ? (state->settings.capacity - used) / 512 * 512 : 0;
        uint64_t allocated = (size + 511) / 512 * 512;
        if (left < limit && allocated + left < limit) limit = allocated + left;
    }
    if (end <= limit || end <= size) return length;
    return limit > offset ? (size_t)(limit - offset) : 0;
}

static int memory_write(
    sqlite3_file *base, const void *bytes, int length, sqlite3_int64 offset) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_WRITE;
    size_t fits = room_for(file, (uint64_t)offset, (size_t)length);
    ssf_buffer *buffer = ssf_buffer_create(bytes, fits);
    ssf_state_write(file->disk->state, file->inode, (uint64_t)offset, buffer);
    ssf_buffer_release(buffer);
    return leave(file, fits < (size_t)length ? SQLITE_FULL : SQLITE_OK);
}

static int memory_truncate(sqlite3_file *base, sqlite3_int64 size) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_TRUNCATE;
    uint64_t old = file->inode->cached.size;
    if (size < 0
        || ((uint64_t)size > old
            && room_for(file, old, (size_t)size - (size_t)old) < (size_t)size - (size_t)old)) {
        return leave(file, SQLITE_IOERR_TRUNCATE);
    }
    ssf_state_resize(file->disk->state, file->inode, (uint64_t)size);
    return leave(file, SQLITE_OK);
}

static int memory_sync(sqlite3_file *base, int flags) {
    (void)flags;
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_FSYNC;
    ssf_state *state = file->disk->state;
    if (state->settings.lies || !file->name) return leave(file, SQLITE_OK);
    ssf_state_sync(state, file->inode);
    if (state->settings.directory != SSF_DIRECTORY_STRICT) {
        ssf_state_sync_entry(state, file->inode);
    }
    if (file->syncsDirectory) {
        ssf_state_sync_directory(state, file->name);
        file->syncsDirectory = false;
    }
    return leave(file, SQLITE_OK);
}

void ssf_memory_forget(sqlite3_file *base) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return;
    ssf_state_forget(file->disk->state, file->inode);
    ssf_disk_unlock(file->disk);
}

static int memory_size(sqlite3_file *base, sqlite3_int64 *size) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_FSTAT;
    *size = (sqlite3_int64)file->inode->cached.size;
    return leave(file, SQLITE_OK);
}

static int memory_lock(sqlite3_file *base, int level) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_LOCK;
    return leave(file, ssf_locks_raise(file, level));
}

static int memory_unlock(sqlite3_file *base, int level) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_OK; // the lock went with its process
    ssf_locks_lower(file, level);
    return leave(file, SQLITE_OK);
}

static int memory_reserved(sqlite3_file *base, int *result) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
    *result = ssf_locks_reserved(file);
    return leave(file, SQLITE_OK);
}

static int memory_control(sqlite3_file *base, int operation, void *argument) {
    ssf_file *file = (ssf_file *)base;
    ssf_disk_lock(file->disk);
    int *number = argument;
    int code = SQLITE_OK;
    switch (operation) {
    case SQLITE_FCNTL_LOCKSTATE:
        *number = file->level;
        break;
    case SQLITE_FCNTL_PERSIST_WAL:
        if (*number < 0) {
            *number = file->keepsWAL;
        } else {
            file->keepsWAL = *number != 0;
        }
        break;
    case SQLITE_FCNTL_HAS_MOVED:
        *number = file->generation != file->disk->generation
                  || (file->name
                      && ssf_state_lookup(file->disk->state, file->name) != file->inode);
        break;
    default:
        code = SQLITE_NOTFOUND;
    }
    return leave(file, code);
}

static int memory_sector(sqlite3_file *base) {
    (void)base;
    return 4096; // what the unix VFS answers on Linux
}

static int memory_characteristics(sqlite3_file *base) {
    ssf_file *file = (ssf_file *)base;
    ssf_disk_lock(file->disk);
    bool powersafe = file->disk->state->settings.powersafeOverwrite;
    return leave(file, powersafe ? SQLITE_IOCAP_POWERSAFE_OVERWRITE : 0);
}

static int memory_shm_map(
    sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
    ssf_file *file = (ssf_file *)base;
    *memory = NULL;
    if (!enter(file)) return SQLITE_IOERR_SHMMAP;
    return leave(file, ssf_shm_map(file, region, size, extend, memory));
}

static int memory_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    ssf_file *file = (ssf_file *)base;
    if (!enter(file)) return flags & SQLITE_SHM_UNLOCK ? SQLITE_OK : SQLITE_IOERR_SHMLOCK;
    return leave(file, ssf_shm_lock(file, offset, count, flags));
}

static void memory_shm_barrier(sqlite3_file *base) {
    ssf_file *file = (ssf_file *)base;
    atomic_thread_fence(memory_order_seq_cst);
    ssf_disk_lock(file->disk);
    ssf_disk_unlock(file->disk);
}

static int memory_shm_unmap(sqlite3_file *base, int deletes) {
    ssf_file *file = (ssf_file *)base;
    ssf_disk_lock(file->disk);
    ssf_shm_unmap(file);
    if (deletes && !file->inode->shm) file->inode->hasShared = false;
    return leave(file, SQLITE_OK);
}

static const sqlite3_io_methods memory_methods = {
    .iVersion = 2,
    .xClose = memory_close,
    .xRead = memory_read,
    .xWrite = memory_write,
    .xTruncate = memory_truncate,
    .xSync = memory_sync,
    .xFileSize = memory_size,
    .xLock = memory_lock,
    .xUnlock = memory_unlock,
    .xCheckReservedLock = memory_reserved,
    .xFileControl = memory_control,
    .xSectorSize = memory_sector,
    .xDeviceCharacteristics = memory_characteristics,
    .xShmMap = memory_shm_map,
    .xShmLock = memory_shm_lock,
    .xShmBarrier = memory_shm_barrier,
    .xShmUnmap = memory_shm_unmap,
};

// MARK: The directory

static int memory_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *outFlags) {
    ssf_disk *disk = disk_of(vfs);
    ssf_file *file = (ssf_file *)base;
    memset(file, 0, sizeof *file);
    ssf_disk_lock(disk);
    ssf_inode *inode = name ? ssf_state_lookup(disk->state, name) : NULL;
    bool creates = !inode;
    if ((creates && name && !(flags & SQLITE_OPEN_CREATE))
        || (!creates && (flags & SQLITE_OPEN_EXCLUSIVE) && (flags & SQLITE_OPEN_CREATE))) {
        ssf_disk_unlock(disk);
        return SQLITE_CANTOPEN;
    }
    if (creates) inode = ssf_state_make(disk->state, name);
    file->inode = ssf_inode_retain(inode);
    inode->handles++;
    file->disk = disk;
    file->generation = disk->generation;
    file->name = name ? ssf_duplicate(name) : NULL;
    file->syncsDirectory =
        creates
        && (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL));
    file->readsShared = name && (flags & SQLITE_OPEN_MAIN_DB)
                        && sqlite3_uri_boolean(name, "readonly_shm", 0);
    ssf_disk_unlock(disk);
    file->base.pMethods = &memory_methods;
    if (outFlags) *outFlags = flags;
    return SQLITE_OK;
}

static int memory_delete(sqlite3_vfs *vfs, const char *name, int syncsDirectory) {
    ssf_disk *disk = disk_of(vfs);
    ssf_disk_lock(disk);
    bool existed = ssf_state_unlink(disk->state, name);
    if (existed && syncsDirectory && !disk->state->settings.lies) {
        ssf_state_sync_directory(disk->state, name);
    }
    ssf_disk_unlock(disk);
    return existed ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
}

static int memory_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    ssf_disk *disk = disk_of(vfs);
    ssf_disk_lock(disk);
    const ssf_inode *inode = ssf_state_lookup(disk->state, name);
    // The unix VFS takes an empty file for none when asked whether it exists.
    *result = inode && (flags != SQLITE_ACCESS_EXISTS || inode->cached.size > 0);
    ssf_disk_unlock(disk);
    return SQLITE_OK;
}

static int memory_full_path(sqlite3_vfs *vfs, const char *name, int room, char *path) {
    (void)vfs;
    size_t length = strlen(name) + 1;
    if (room < 0 || length > (size_t)room) return SQLITE_CANTOPEN;
    memcpy(path, name, length);
    return SQLITE_OK;
}

static int memory_randomness(sqlite3_vfs *vfs, int length, char *bytes) {
    ssf_disk *disk = disk_of(vfs);
    ssf_disk_lock(disk);
    for (int index = 0; index < length; index++) {
        bytes[index] = (char)(ssf_next(&disk->random) >> 56);
    }
    ssf_disk_unlock(disk);
    return length;
}

static int memory_sleep(sqlite3_vfs *vfs, int microseconds) {
    ssf_disk *disk = disk_of(vfs);
    ssf_disk_lock(disk);
    disk->clock += (microseconds + 999) / 1000;
    bool simulates = disk->state->settings.simulatesSleep;
    ssf_disk_unlock(disk);
    if (!simulates && microseconds > 0) usleep((unsigned)microseconds);
    return microseconds;
}

static int memory_time(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    ssf_disk *disk = disk_of(vfs);
    ssf_disk_lock(disk);
    *milliseconds = ++disk->clock;
    ssf_disk_unlock(disk);
    return SQLITE_OK;
}

static int memory_day(sqlite3_vfs *vfs, double *day) {
    sqlite3_int64 milliseconds = 0;
    memory_time(vfs, &milliseconds);
    *day = (double)milliseconds / 86400000.0;
    return SQLITE_OK;
}

static int memory_last_error(sqlite3_vfs *vfs, int length, char *text) {
    (void)vfs;
    if (length > 0) text[0] = 0;
    return 0;
}

void ssf_memory_prepare(ssf_disk *disk) {
    disk->memory = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = sizeof(ssf_file),
        .mxPathname = 1024,
        .zName = disk->name,
        .pAppData = disk,
        .xOpen = memory_open,
        .xDelete = memory_delete,
        .xAccess = memory_access,
        .xFullPathname = memory_full_path,
        .xRandomness = memory_randomness,
        .xSleep = memory_sleep,
        .xCurrentTime = memory_day,
        .xGetLastError = memory_last_error,
        .xCurrentTimeInt64 = memory_time,
    };
    disk->inner = &disk->memory;
}
