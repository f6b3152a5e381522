#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCSystemFaults.h"
#include "Replacing.h"
#include "SystemRecord.h"

#if defined(REPLACES)

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// One programme for each thread, so that a watchdog or another thread is never hit.
static _Thread_local struct {
    bool armed;
    bool permanent;
    uint32_t calls;
    int effect;
    int error;
    uint64_t first;
    uint64_t count;
    uint64_t hits;
    const char *name;
    // The folder below which writes are hit; empty: everywhere.
    char root[512];
} programme;

bool ssf_system_is_available(void) {
    return true;
}

void ssf_system_arm(uint32_t calls, uint64_t first, bool permanent, int effect, int error) {
    programme.calls = calls;
    programme.first = first;
    programme.permanent = permanent;
    programme.effect = effect;
    programme.error = error;
    programme.count = 0;
    programme.hits = 0;
    programme.name = "";
    programme.armed = true;
}

uint64_t ssf_system_disarm(void) {
    programme.armed = false;
    programme.root[0] = 0;
    return programme.hits;
}

void ssf_system_confine(const char *root) {
    size_t length = strlen(root);
    if (length < sizeof programme.root) { memcpy(programme.root, root, length + 1); }
}

const char *ssf_system_name(void) {
    return programme.name == NULL ? "" : programme.name;
}

bool ssf_hold_faults(void) {
    bool armed = programme.armed;
    programme.armed = false;
    return armed;
}

void ssf_resume_faults(bool armed) {
    programme.armed = armed;
}

static bool is_named_hit(int call, const char *name) {
    if (!programme.armed || (programme.calls & (1u << call)) == 0) { return false; }
    programme.count += 1;
    bool hit = programme.first != 0
        && (programme.permanent ? programme.count >= programme.first
                                : programme.count == programme.first);
    if (hit) {
        if (programme.hits == 0) { programme.name = name; }
        programme.hits += 1;
    }
    return hit;
}

#define is_hit(call) is_named_hit(call, __func__)

// Whether what is written is outside of the folder that is hit: a file, or a path in a folder.
static bool is_spared(int file, const char *path) {
    size_t length = strlen(programme.root);
    if (!programme.armed || length == 0) { return false; }
    char place[1024];
    if (path == NULL || path[0] != '/') {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        ssize_t count = readlink(link, place, sizeof place - 1);
        if (count < 0) { return false; }
        place[count] = 0;
        path = place;
    }
    return strncmp(path, programme.root, length) != 0;
}

// The function of the same name in the C library. The cast is POSIX's own: a data pointer from
// dlsym may be called.
#define REAL(name) \
    static __typeof__(&name) real; \
    if (real == NULL) { real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); }

#define NOTHING (void)0

// Makes the call, or not, as the programme says; then does something with its answer.
#define HIT_THEN(call, failure, invocation, then) \
    do { \
        if (is_hit(call)) { \
            if (programme.effect == SSF_CALL_DONE) { \
                __auto_type answer = (invocation); \
                (void)answer; \
                then; \
            } \
            errno = programme.error; \
            return failure; \
        } \
        __auto_type answer = (invocation); \
        then; \
        return answer; \
    } while (0)

#define HIT(call, failure, invocation) HIT_THEN(call, failure, invocation, NOTHING)

// The same for calls that change something: what goes well is noted.
#define HIT_NOTED(call, invocation, note) \
    HIT_THEN(call, -1, invocation, if (answer == 0 && ssf_is_recording()) { note; })

// The same for calls that a short transfer can hit.
#define HIT_BYTES(call, count, invocation, note) \
    do { \
        bool hit = is_hit(call); \
        if (hit && programme.effect == SSF_CALL_REFUSED) { \
            errno = programme.error; \
            return -1; \
        } \
        if (hit && programme.effect == SSF_CALL_SHORT) { count = count > 1 ? count / 2 : count; } \
        ssize_t done = (invocation); \
        if (done > 0 && ssf_is_recording()) { note; } \
        if (hit && programme.effect == SSF_CALL_DONE) { \
            errno = programme.error; \
            return -1; \
        } \
        return done; \
    } while (0)

// Opening, when it is to be done and to fail all the same: the descriptor must not leak.
#define HIT_OPEN(folder, path, flags, invocation) \
    do { \
        bool was_there = ssf_is_recording() && ssf_name_exists(folder, path); \
        if (is_hit(SSF_CALL_OPEN)) { \
            if (programme.effect == SSF_CALL_DONE) { \
                int opened = (invocation); \
                if (opened >= 0) { \
                    if (ssf_is_recording()) { \
                        ssf_note_open(opened, folder, path, flags, was_there); \
                    } \
                    close(opened); \
                } \
            } \
            errno = programme.error; \
            return -1; \
        } \
        int file = (invocation); \
        if (file >= 0 && ssf_is_recording()) { \
            ssf_note_open(file, folder, path, flags, was_there); \
        } \
        return file; \
    } while (0)

static mode_t mode_of(int flags, va_list rest) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? (mode_t)va_arg(rest, unsigned int) : 0;
}

#define MODE(flags) \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = mode_of(flags, rest); \
    va_end(rest)

int open(const char *path, int flags, ...) {
    REAL(open)
    MODE(flags);
    HIT_OPEN(AT_FDCWD, path, flags, real(path, flags, mode));
}

int open64(const char *path, int flags, ...) {
    REAL(open64)
    MODE(flags);
    HIT_OPEN(AT_FDCWD, path, flags, real(path, flags, mode));
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(openat)
    MODE(flags);
    HIT_OPEN(folder, path, flags, real(folder, path, flags, mode));
}

int openat64(int folder, const char *path, int flags, ...) {
    REAL(openat64)
    MODE(flags);
    HIT_OPEN(folder, path, flags, real(folder, path, flags, mode));
}

ssize_t read(int file, void *bytes, size_t count) {
    REAL(read)
    HIT_BYTES(SSF_CALL_READ, count, real(file, bytes, count), NOTHING);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
    REAL(pread)
    HIT_BYTES(SSF_CALL_READ, count, real(file, bytes, count, offset), NOTHING);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    REAL(pread64)
    HIT_BYTES(SSF_CALL_READ, count, real(file, bytes, count, offset), NOTHING);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write)
    if (is_spared(file, NULL)) { return real(file, bytes, count); }
    HIT_BYTES(
        SSF_CALL_WRITE, count, real(file, bytes, count),
        ssf_note_write_at_place(file, bytes, (size_t)done));
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite)
    if (is_spared(file, NULL)) { return real(file, bytes, count, offset); }
    HIT_BYTES(
        SSF_CALL_WRITE, count, real(file, bytes, count, offset),
        ssf_note_write(file, bytes, (size_t)done, offset));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64)
    if (is_spared(file, NULL)) { return real(file, bytes, count, offset); }
    HIT_BYTES(
        SSF_CALL_WRITE, count, real(file, bytes, count, offset),
        ssf_note_write(file, bytes, (size_t)done, offset));
}

int ftruncate(int file, off_t size) {
    REAL(ftruncate)
    if (is_spared(file, NULL)) { return real(file, size); }
    HIT_NOTED(SSF_CALL_TRUNCATE, real(file, size), ssf_note_truncate(file, size));
}

int ftruncate64(int file, off64_t size) {
    REAL(ftruncate64)
    if (is_spared(file, NULL)) { return real(file, size); }
    HIT_NOTED(SSF_CALL_TRUNCATE, real(file, size), ssf_note_truncate(file, size));
}

int fsync(int file) {
    REAL(fsync)
    if (is_spared(file, NULL)) { return real(file); }
    HIT_NOTED(SSF_CALL_SYNC, real(file), ssf_note_sync(file));
}

int fdatasync(int file) {
    REAL(fdatasync)
    if (is_spared(file, NULL)) { return real(file); }
    HIT_NOTED(SSF_CALL_SYNC, real(file), ssf_note_sync(file));
}

int renameat(int fromFolder, const char *from, int toFolder, const char *to) {
    REAL(renameat)
    if (is_spared(toFolder, to)) { return real(fromFolder, from, toFolder, to); }
    HIT_NOTED(
        SSF_CALL_RENAME, real(fromFolder, from, toFolder, to),
        ssf_note_move(SSF_EVENT_RENAME, fromFolder, from, toFolder, to));
}

int rename(const char *from, const char *to) {
    REAL(rename)
    if (is_spared(AT_FDCWD, to)) { return real(from, to); }
    HIT_NOTED(
        SSF_CALL_RENAME, real(from, to),
        ssf_note_move(SSF_EVENT_RENAME, AT_FDCWD, from, AT_FDCWD, to));
}

int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags) {
    REAL(linkat)
    HIT_NOTED(
        SSF_CALL_RENAME, real(fromFolder, from, toFolder, to, flags),
        ssf_note_move(SSF_EVENT_LINK, fromFolder, from, toFolder, to));
}

// The exclusive rename has no function of its own in every C library.
long syscall(long number, ...) {
    REAL(syscall)
    va_list rest;
    va_start(rest, number);
    long arguments[6];
    for (int index = 0; index < 6; index += 1) { arguments[index] = va_arg(rest, long); }
    va_end(rest);
#define INVOKE \
    real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5])
#if defined(SYS_renameat2)
    if (number == SYS_renameat2) {
        HIT_NOTED(
            SSF_CALL_RENAME, INVOKE,
            ssf_note_move(
                SSF_EVENT_RENAME, (int)arguments[0], (const char *)arguments[1], (int)arguments[2],
                (const char *)arguments[3]));
    }
#endif
    return INVOKE;
#undef INVOKE
}

int unlink(const char *path) {
    REAL(unlink)
    HIT_NOTED(SSF_CALL_REMOVE, real(path), ssf_note_remove(AT_FDCWD, path));
}

int unlinkat(int folder, const char *name, int flags) {
    REAL(unlinkat)
    HIT_NOTED(
        SSF_CALL_REMOVE, real(folder, name, flags), ssf_note_remove(folder, name));
}

int rmdir(const char *path) {
    REAL(rmdir)
    HIT_NOTED(SSF_CALL_REMOVE, real(path), ssf_note_remove(AT_FDCWD, path));
}

// A folder that is there is not made on a full disk either, and no system says that it has no room.
static bool needs_no_room(int folder, const char *path) {
    return programme.armed && programme.error == ENOSPC && ssf_name_exists(folder, path);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir)
    if (is_spared(AT_FDCWD, path)) { return real(path, mode); }
    if (needs_no_room(AT_FDCWD, path)) { return real(path, mode); }
    HIT_NOTED(
        SSF_CALL_MAKE_FOLDER, real(path, mode), ssf_note_folder(AT_FDCWD, path));
}

int mkdirat(int folder, const char *name, mode_t mode) {
    REAL(mkdirat)
    if (is_spared(folder, name)) { return real(folder, name, mode); }
    if (needs_no_room(folder, name)) { return real(folder, name, mode); }
    HIT_NOTED(
        SSF_CALL_MAKE_FOLDER, real(folder, name, mode), ssf_note_folder(folder, name));
}

char *mkdtemp(char *template) {
    REAL(mkdtemp)
    if (is_spared(AT_FDCWD, template)) { return real(template); }
    HIT(SSF_CALL_MAKE_FOLDER, NULL, real(template));
}

int fchmod(int file, mode_t mode) {
    REAL(fchmod)
    HIT(SSF_CALL_PERMISSIONS, -1, real(file, mode));
}

int fchmodat(int folder, const char *name, mode_t mode, int flags) {
    REAL(fchmodat)
    HIT(SSF_CALL_PERMISSIONS, -1, real(folder, name, mode, flags));
}

int stat(const char *path, struct stat *status) {
    REAL(stat)
    HIT(SSF_CALL_LOOK, -1, real(path, status));
}

int stat64(const char *path, struct stat64 *status) {
    REAL(stat64)
    HIT(SSF_CALL_LOOK, -1, real(path, status));
}

int lstat(const char *path, struct stat *status) {
    REAL(lstat)
    HIT(SSF_CALL_LOOK, -1, real(path, status));
}

int lstat64(const char *path, struct stat64 *status) {
    REAL(lstat64)
    HIT(SSF_CALL_LOOK, -1, real(path, status));
}

int fstat(int file, struct stat *status) {
    REAL(fstat)
    HIT(SSF_CALL_LOOK, -1, real(file, status));
}

int fstat64(int file, struct stat64 *status) {
    REAL(fstat64)
    HIT(SSF_CALL_LOOK, -1, real(file, status));
}

int fstatat(int folder, const char *name, struct stat *status, int flags) {
    REAL(fstatat)
    HIT(SSF_CALL_LOOK, -1, real(folder, name, status, flags));
}

int statx(
    int folder, const char *name, int flags, unsigned int mask, struct statx *status
) {
    REAL(statx)
    HIT(SSF_CALL_LOOK, -1, real(folder, name, flags, mask, status));
}

int access(const char *path, int mode) {
    REAL(access)
    HIT(SSF_CALL_LOOK, -1, real(path, mode));
}

char *realpath(const char *path, char *resolved) {
    REAL(realpath)
    HIT(SSF_CALL_LOOK, NULL, real(path, resolved));
}

struct dirent *readdir(DIR *folder) {
    REAL(readdir)
    HIT(SSF_CALL_LIST, NULL, real(folder));
}

DIR *fdopendir(int folder) {
    REAL(fdopendir)
    HIT(SSF_CALL_LIST, NULL, real(folder));
}

static bool takes_lock(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK
        || command == F_OFD_GETLK || command == F_GETLK;
}

// A lock that is given back is given back whatever is said.
static bool gives_back(int command, const void *argument) {
    return (command == F_SETLK || command == F_OFD_SETLK) && argument != NULL
        && ((const struct flock *)argument)->l_type == F_UNLCK;
}

#define CONTROL(name) \
    int name(int file, int command, ...) { \
        REAL(name) \
        va_list rest; \
        va_start(rest, command); \
        void *argument = va_arg(rest, void *); \
        va_end(rest); \
        if (takes_lock(command) && !gives_back(command, argument)) { \
            HIT(SSF_CALL_LOCK, -1, real(file, command, argument)); \
        } \
        return real(file, command, argument); \
    }

CONTROL(fcntl)
CONTROL(fcntl64)

// SQLite waits up to ten seconds for a lock on its log that it cannot get; no wait ends what a
// programme does.
int usleep(useconds_t microseconds) {
    REAL(usleep)
    return programme.armed ? 0 : real(microseconds);
}

void *mmap64(void *place, size_t length, int protection, int flags, int file, off64_t offset) {
    REAL(mmap64)
    if (file < 0) { return real(place, length, protection, flags, file, offset); }
    if (is_hit(SSF_CALL_MAP)) {
        errno = programme.error;
        return MAP_FAILED;
    }
    return real(place, length, protection, flags, file, offset);
}

#else

bool ssf_system_is_available(void) {
    return false;
}

void ssf_system_arm(uint32_t calls, uint64_t first, bool permanent, int effect, int error) {
    (void)calls;
    (void)first;
    (void)permanent;
    (void)effect;
    (void)error;
}

uint64_t ssf_system_disarm(void) {
    return 0;
}

void ssf_system_confine(const char *root) {
    (void)root;
}

const char *ssf_system_name(void) {
    return "";
}

bool ssf_hold_faults(void) {
    return false;
}

void ssf_resume_faults(bool armed) {
    (void)armed;
}

#endif
