#include "FaultDisk.h"

#include <stdlib.h>
#include <string.h>

// System calls without SQLite: what a store does to files by itself, such as writing a backup. They
// go through the outer VFS, so that they are counted and fail like SQLite's own.

typedef struct open_file {
    sqlite3_file *file;
    char *name;
    int code;
} open_file;

static bool ends(const char *name, const char *tail) {
    size_t length = strlen(name), part = strlen(tail);
    return length >= part && !strcmp(name + length - part, tail);
}

static int flags_of(const char *name) {
    if (ends(name, "-wal")) return SQLITE_OPEN_WAL;
    return ends(name, "-journal") ? SQLITE_OPEN_MAIN_JOURNAL : SQLITE_OPEN_MAIN_DB;
}

static open_file open_path(ssf_disk *disk, const char *path, bool creates) {
    open_file open = {.code = SQLITE_NOMEM};
    // The VFS may look for URI parameters behind the name of a database.
    open.name = (char *)sqlite3_create_filename(path, "", "", 0, NULL);
    open.file = ssf_allocate((size_t)disk->outer.szOsFile);
    if (!open.name) return open;
    int flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0) | flags_of(path);
    open.code = disk->outer.xOpen(&disk->outer, open.name, open.file, flags, &flags);
    return open;
}

static int close_path(open_file open, int code) {
    if (!open.code) open.file->pMethods->xClose(open.file);
    free(open.file);
    sqlite3_free_filename(open.name);
    return code;
}

int ssf_disk_write(
    ssf_disk *disk, const char *path, uint64_t offset, const void *bytes, size_t length) {
    if (length > SSF_FILE_LIMIT || offset > SSF_FILE_LIMIT) return SQLITE_FULL;
    open_file open = open_path(disk, path, true);
    if (open.code) return close_path(open, open.code);
    int code = open.file->pMethods->xWrite(
        open.file, bytes, (int)length, (sqlite3_int64)offset);
    return close_path(open, code);
}

int ssf_disk_truncate(ssf_disk *disk, const char *path, uint64_t size) {
    if (size > SSF_FILE_LIMIT) return SQLITE_FULL;
    open_file open = open_path(disk, path, false);
    if (open.code) return close_path(open, open.code);
    return close_path(open, open.file->pMethods->xTruncate(open.file, (sqlite3_int64)size));
}

int ssf_disk_sync(ssf_disk *disk, const char *path) {
    open_file open = open_path(disk, path, false);
    if (open.code) return close_path(open, open.code);
    return close_path(open, open.file->pMethods->xSync(open.file, SQLITE_SYNC_NORMAL));
}
