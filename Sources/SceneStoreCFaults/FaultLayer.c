#include "FaultDisk.h"

#include <string.h>

// The outer VFS: counts each operation, asks the programme whether it shall fail, and hands it to
// the inner VFS. The file of the inner VFS follows the outer one in the same allocation.

typedef struct layer_file {
    sqlite3_file base;
    ssf_disk *disk;
    int kind;
} layer_file;

// The inner file is aligned as malloc would.
#define HEADER ((int)((sizeof(layer_file) + 15) / 16 * 16))

static sqlite3_file *inner_of(layer_file *file) {
    return (sqlite3_file *)((char *)file + HEADER);
}

static layer_file *layer_of(sqlite3_file *base) { return (layer_file *)base; }
static ssf_disk *disk_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

static void count_bytes(ssf_disk *disk, uint64_t *counter, int length) {
    ssf_disk_lock(disk);
    *counter += (uint64_t)length;
    ssf_disk_unlock(disk);
}

// MARK: Files

static int layer_close(sqlite3_file *base) {
    layer_file *file = layer_of(base);
    ssf_disk *disk = file->disk;
    ssf_gate(disk, SSF_CLOSE, file->kind); // counted only: SQLite ignores what close answers
    int code = inner_of(file)->pMethods->xClose(inner_of(file));
    file->base.pMethods = NULL;
    ssf_disk_drop(disk);
    return code;
}

static int layer_read(sqlite3_file *base, void *bytes, int length, sqlite3_int64 offset) {
    layer_file *file = layer_of(base);
    sqlite3_file *inner = inner_of(file);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_READ, file->kind);
    if (verdict.code && verdict.effect == SSF_SHORT) {
        int part = length / 2;
        if (part) inner->pMethods->xRead(inner, bytes, part, offset);
        memset((char *)bytes + part, 0, (size_t)(length - part));
        return verdict.code;
    }
    if (ssf_stops(verdict)) {
        memset(bytes, 0, (size_t)length);
        return verdict.code;
    }
    int code = inner->pMethods->xRead(inner, bytes, length, offset);
    if (!code) count_bytes(file->disk, &file->disk->bytesRead[file->kind], length);
    return ssf_finish(file->disk, code, verdict);
}

// A pass-through disk with a limit: how many bytes of a write fit. The disk pays for growth only,
// and gets nothing back for files that are deleted.
static int room_for(layer_file *file, int length, sqlite3_int64 offset) {
    ssf_disk *disk = file->disk;
    sqlite3_file *inner = inner_of(file);
    sqlite3_int64 size = 0;
    if (disk->isMemory) return length;
    ssf_disk_lock(disk);
    bool isLimited = disk->settings.capacity != UINT64_MAX;
    ssf_disk_unlock(disk);
    if (!isLimited || inner->pMethods->xFileSize(inner, &size)) return length;
    uint64_t old = ((uint64_t)size + 511) / 512;
    uint64_t new = ((uint64_t)offset + (uint64_t)length + 511) / 512;
    if (new <= old) return length;
    ssf_disk_lock(disk);
    uint64_t left = (disk->settings.capacity - disk->spent) / 512;
    uint64_t growth = new - old < left ? new - old : left;
    disk->spent += growth * 512;
    ssf_disk_unlock(disk);
    if (growth == new - old) return length;
    sqlite3_int64 end = (sqlite3_int64)((old + growth) * 512);
    return end > offset ? (int)(end - offset) : 0;
}

static int layer_write(
    sqlite3_file *base, const void *bytes, int length, sqlite3_int64 offset) {
    layer_file *file = layer_of(base);
    sqlite3_file *inner = inner_of(file);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_WRITE, file->kind);
    int part = verdict.code && verdict.effect == SSF_SHORT ? length / 2 : length;
    if (ssf_stops(verdict) && part == length) return verdict.code;
    int fits = room_for(file, part, offset);
    int code = fits ? inner->pMethods->xWrite(inner, bytes, fits, offset) : SQLITE_OK;
    if (!code && fits < part) {
        ssf_note_full();
        return SQLITE_FULL;
    }
    if (!code) {
        ssf_disk *disk = file->disk;
        ssf_disk_lock(disk);
        disk->bytesWritten[file->kind] += (uint64_t)fits;
        // SQLite writes each frame as a header of 24 bytes and a page, behind 32 bytes of file
        // header (https://www.sqlite.org/fileformat2.html#walformat).
        if (file->kind == SSF_WAL && length == 24 && offset >= 32) disk->frames++;
        ssf_disk_unlock(disk);
    }
    return ssf_finish(file->disk, code, verdict);
}

static int layer_truncate(sqlite3_file *base, sqlite3_int64 size) {
    layer_file *file = layer_of(base);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_TRUNCATE, file->kind);
    if (ssf_stops(verdict)) return verdict.code;
    int code = inner_of(file)->pMethods->xTruncate(inner_of(file), size);
    return ssf_finish(file->disk, code, verdict);
}

static int layer_sync(sqlite3_file *base, int flags) {
    layer_file *file = layer_of(base);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_SYNC, file->kind);
    if (verdict.code && verdict.effect == SSF_FORGET && file->disk->isMemory) {
        ssf_memory_forget(inner_of(file));
    }
    if (ssf_stops(verdict)) return verdict.code;
    int code = inner_of(file)->pMethods->xSync(inner_of(file), flags);
    return ssf_finish(file->disk, code, verdict);
}

static int layer_size(sqlite3_file *base, sqlite3_int64 *size) {
    layer_file *file = layer_of(base);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_FILE_SIZE, file->kind);
    if (verdict.code) return verdict.code;
    int code = inner_of(file)->pMethods->xFileSize(inner_of(file), size);
    return ssf_finish(file->disk, code, verdict);
}

// A lock that is taken although an error is returned would never be given back, so locks know only
// SSF_BEFORE; for the same reason unlocking is done whatever it answers.

static int layer_lock(sqlite3_file *base, int level) {
    layer_file *file = layer_of(base);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_LOCK, file->kind);
    if (verdict.code) return verdict.code;
    int code = inner_of(file)->pMethods->xLock(inner_of(file), level);
    return ssf_finish(file->disk, code, verdict);
}

static int layer_unlock(sqlite3_file *base, int level) {
    layer_file *file = layer_of(base);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_UNLOCK, file->kind);
    int code = inner_of(file)->pMethods->xUnlock(inner_of(file), level);
    return ssf_finish(file->disk, code, verdict);
}

static int layer_reserved(sqlite3_file *base, int *result) {
    layer_file *file = layer_of(base);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_CHECK_RESERVED, file->kind);
    if (verdict.code) return verdict.code;
    return inner_of(file)->pMethods->xCheckReservedLock(inner_of(file), result);
}

static int layer_control(sqlite3_file *base, int operation, void *argument) {
    layer_file *file = layer_of(base);
    if (operation == SQLITE_FCNTL_VFSNAME) {
        *(char **)argument = sqlite3_mprintf("%s", file->disk->name);
        return SQLITE_OK;
    }
    return inner_of(file)->pMethods->xFileControl(inner_of(file), operation, argument);
}

static int layer_sector(sqlite3_file *base) {
    sqlite3_file *inner = inner_of(layer_of(base));
    return inner->pMethods->xSectorSize(inner);
}

static int layer_characteristics(sqlite3_file *base) {
    sqlite3_file *inner = inner_of(layer_of(base));
    return inner->pMethods->xDeviceCharacteristics(inner);
}

static int layer_shm_map(
    sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
    layer_file *file = layer_of(base);
    sqlite3_file *inner = inner_of(file);
    ssf_verdict verdict = ssf_gate(file->disk, SSF_SHM_MAP, SSF_SHM);
    if (verdict.code) {
        *memory = NULL;
        return verdict.code;
    }
    int code = inner->pMethods->xShmMap(inner, region, size, extend, memory);
    return ssf_finish(file->disk, code, verdict);
}

static int layer_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    layer_file *file = layer_of(base);
    sqlite3_file *inner = inner_of(file);
    if (flags & SQLITE_SHM_LOCK) {
        ssf_verdict verdict = ssf_gate(file->disk, SSF_SHM_LOCK, SSF_SHM);
        if (verdict.code) return verdict.code;
    }
    return inner->pMethods->xShmLock(inner, offset, count, flags);
}

static void layer_shm_barrier(sqlite3_file *base) {
    sqlite3_file *inner = inner_of(layer_of(base));
    inner->pMethods->xShmBarrier(inner);
}

static int layer_shm_unmap(sqlite3_file *base, int deletes) {
    layer_file *file = layer_of(base);
    ssf_gate(file->disk, SSF_SHM_UNMAP, SSF_SHM);
    return inner_of(file)->pMethods->xShmUnmap(inner_of(file), deletes);
}

// Version 2: no memory-mapped reads, which no programme could count or fail.
#define COMMON_METHODS                                                                         \
    .xClose = layer_close, .xRead = layer_read, .xWrite = layer_write,                         \
    .xTruncate = layer_truncate, .xSync = layer_sync, .xFileSize = layer_size,                 \
    .xLock = layer_lock, .xUnlock = layer_unlock, .xCheckReservedLock = layer_reserved,        \
    .xFileControl = layer_control, .xSectorSize = layer_sector,                                \
    .xDeviceCharacteristics = layer_characteristics

static const sqlite3_io_methods methods_without_shm = {.iVersion = 1, COMMON_METHODS};
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    COMMON_METHODS,
    .xShmMap = layer_shm_map,
    .xShmLock = layer_shm_lock,
    .xShmBarrier = layer_shm_barrier,
    .xShmUnmap = layer_shm_unmap,
};

// MARK: The directory

static int kind_of_flags(int flags) {
    if (flags & SQLITE_OPEN_MAIN_DB) return SSF_MAIN;
    if (flags & SQLITE_OPEN_WAL) return SSF_WAL;
    if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) return SSF_JOURNAL;
    return SSF_TEMPORARY;
}

static bool ends(const char *name, const char *tail) {
    size_t length = strlen(name), part = strlen(tail);
    return length >= part && !strcmp(name + length - part, tail);
}

static int kind_of_name(const char *name) {
    if (ends(name, "-wal")) return SSF_WAL;
    if (ends(name, "-shm")) return SSF_SHM;
    return ends(name, "-journal") || strstr(name, "-mj") ? SSF_JOURNAL : SSF_MAIN;
}

static int layer_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *outFlags) {
    ssf_disk *disk = disk_of(vfs);
    layer_file *file = layer_of(base);
    memset(file, 0, (size_t)vfs->szOsFile);
    file->disk = disk;
    file->kind = kind_of_flags(flags);
    ssf_verdict verdict = ssf_gate(disk, SSF_OPEN, file->kind);
    if (verdict.effect == SSF_SILENT) verdict.code = SQLITE_CANTOPEN;
    if (ssf_stops(verdict)) return verdict.code;
    sqlite3_file *inner = inner_of(file);
    int code = disk->inner->xOpen(disk->inner, name, inner, flags, outFlags);
    code = ssf_finish(disk, code, verdict);
    if (code) {
        if (inner->pMethods) inner->pMethods->xClose(inner);
        return code;
    }
    ssf_disk_retain(disk);
    bool sharesMemory = inner->pMethods->iVersion >= 2 && inner->pMethods->xShmMap;
    file->base.pMethods = sharesMemory ? &methods : &methods_without_shm;
    return SQLITE_OK;
}

static int layer_delete(sqlite3_vfs *vfs, const char *name, int syncsDirectory) {
    ssf_disk *disk = disk_of(vfs);
    ssf_verdict verdict = ssf_gate(disk, SSF_DELETE, kind_of_name(name));
    if (ssf_stops(verdict)) return verdict.code;
    int code = disk->inner->xDelete(disk->inner, name, syncsDirectory);
    return ssf_finish(disk, code, verdict);
}

static int layer_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    ssf_disk *disk = disk_of(vfs);
    ssf_verdict verdict = ssf_gate(disk, SSF_ACCESS, kind_of_name(name));
    *result = 0;
    if (verdict.code) return verdict.code;
    int code = disk->inner->xAccess(disk->inner, name, flags, result);
    return ssf_finish(disk, code, verdict);
}

static int layer_full_path(sqlite3_vfs *vfs, const char *name, int room, char *path) {
    sqlite3_vfs *inner = disk_of(vfs)->inner;
    return inner->xFullPathname(inner, name, room, path);
}

// No extension is loaded through a disk that fails on purpose.

static void *layer_load(sqlite3_vfs *vfs, const char *name) {
    (void)vfs, (void)name;
    return NULL;
}

static void layer_load_error(sqlite3_vfs *vfs, int length, char *text) {
    (void)vfs;
    sqlite3_snprintf(length, text, "a fault disk loads no extensions");
}

static void (*layer_symbol(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
    (void)vfs, (void)library, (void)symbol;
    return NULL;
}

static void layer_unload(sqlite3_vfs *vfs, void *library) { (void)vfs, (void)library; }

static int layer_randomness(sqlite3_vfs *vfs, int length, char *bytes) {
    sqlite3_vfs *inner = disk_of(vfs)->inner;
    return inner->xRandomness(inner, length, bytes);
}

static int layer_sleep(sqlite3_vfs *vfs, int microseconds) {
    sqlite3_vfs *inner = disk_of(vfs)->inner;
    return inner->xSleep(inner, microseconds);
}

static int layer_day(sqlite3_vfs *vfs, double *day) {
    sqlite3_vfs *inner = disk_of(vfs)->inner;
    return inner->xCurrentTime(inner, day);
}

static int layer_time(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    sqlite3_vfs *inner = disk_of(vfs)->inner;
    if (inner->iVersion >= 2 && inner->xCurrentTimeInt64) {
        return inner->xCurrentTimeInt64(inner, milliseconds);
    }
    double day = 0;
    int code = inner->xCurrentTime(inner, &day);
    *milliseconds = (sqlite3_int64)(day * 86400000.0);
    return code;
}

static int layer_last_error(sqlite3_vfs *vfs, int length, char *text) {
    int injected = ssf_injected_errno();
    if (length > 0) text[0] = 0;
    if (injected) return injected;
    sqlite3_vfs *inner = disk_of(vfs)->inner;
    return inner->xGetLastError ? inner->xGetLastError(inner, length, text) : 0;
}

void ssf_layer_prepare(ssf_disk *disk) {
    disk->outer = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = HEADER + disk->inner->szOsFile,
        .mxPathname = disk->inner->mxPathname,
        .zName = disk->name,
        .pAppData = disk,
        .xOpen = layer_open,
        .xDelete = layer_delete,
        .xAccess = layer_access,
        .xFullPathname = layer_full_path,
        .xDlOpen = layer_load,
        .xDlError = layer_load_error,
        .xDlSym = layer_symbol,
        .xDlClose = layer_unload,
        .xRandomness = layer_randomness,
        .xSleep = layer_sleep,
        .xCurrentTime = layer_day,
        .xGetLastError = layer_last_error,
        .xCurrentTimeInt64 = layer_time,
    };
}
