#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCSupport.h"

#include "SceneStoreCForks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#endif
#endif

atomic_uint scenestore_fork_count_storage = 0;

// The descriptors that a child must not keep. The mutex is held across fork(), so a child never
// sees a descriptor that is open and not listed, and can use the list without waiting.
static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static int *registry = NULL;
static size_t registry_count = 0;
static size_t registry_capacity = 0;

static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static int watch_result = 0;

static void before_fork(void) {
    pthread_mutex_lock(&registry_mutex);
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&registry_mutex);
}

// Only calls that are safe between fork and exec: close and an atomic addition.
static void after_fork_in_child(void) {
    for (size_t index = 0; index < registry_count; index += 1) {
        close(registry[index]);
    }
    registry_count = 0;
    atomic_fetch_add_explicit(&scenestore_fork_count_storage, 1, memory_order_relaxed);
    pthread_mutex_unlock(&registry_mutex);
}

static void install_handlers(void) {
    watch_result = -pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

int scenestore_fork_watch(void) {
    pthread_once(&watch_once, install_handlers);
    return watch_result;
}

void scenestore_registry_lock(void) {
    pthread_mutex_lock(&registry_mutex);
}

void scenestore_registry_unlock(void) {
    pthread_mutex_unlock(&registry_mutex);
}

int scenestore_registry_reserve(void) {
    if (registry_count < registry_capacity) { return 0; }
    size_t capacity = registry_capacity == 0 ? 16 : registry_capacity * 2;
    int *grown = realloc(registry, capacity * sizeof(int));
    if (grown == NULL) { return -ENOMEM; }
    registry = grown;
    registry_capacity = capacity;
    return 0;
}

void scenestore_registry_add(int descriptor) {
    registry[registry_count] = descriptor;
    registry_count += 1;
}

bool scenestore_registry_remove(int descriptor) {
    for (size_t index = 0; index < registry_count; index += 1) {
        if (registry[index] == descriptor) {
            registry_count -= 1;
            registry[index] = registry[registry_count];
            return true;
        }
    }
    return false;
}

int scenestore_openat(int directory, const char *name, int flags, mode_t mode) {
    for (;;) {
        int descriptor = openat(directory, name, flags | O_CLOEXEC, mode);
        if (descriptor >= 0) { return descriptor; }
        if (errno != EINTR) { return -errno; }
    }
}

int scenestore_lock_open(int directory, const char *name, int flags) {
    int watched = scenestore_fork_watch();
    if (watched != 0) { return watched; }
    scenestore_registry_lock();
    int result = scenestore_registry_reserve();
    if (result == 0) {
        // O_NONBLOCK: a FIFO at this name answers at once instead of waiting for a peer.
        result = scenestore_openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (result >= 0) { scenestore_registry_add(result); }
    }
    scenestore_registry_unlock();
    return result;
}

#if defined(F_OFD_SETLK) && defined(__linux__)
static int lock_record(int descriptor, int command, short type, struct flock *record) {
    memset(record, 0, sizeof *record);
    record->l_type = type;
    record->l_whence = SEEK_SET;
    for (;;) {
        if (fcntl(descriptor, command, record) == 0) { return 0; }
        if (errno != EINTR) { return -errno; }
    }
}
#endif

// Lets go of the lock itself, not only of this descriptor: posix_spawn makes its child without
// the fork handlers, and until that child runs its program it has a copy that would keep the lock.
static void lock_release(int descriptor) {
#if defined(F_OFD_SETLK) && defined(__linux__)
    struct flock record;
    lock_record(descriptor, F_OFD_SETLK, F_UNLCK, &record);
#endif
    // Also where the other kind is used: a descriptor that only reads has this one.
    flock(descriptor, LOCK_UN);
}

void scenestore_lock_close(int descriptor) {
    scenestore_registry_lock();
    // The descriptor of a forked parent isn't listed here any more, and its number may belong to
    // somebody else by now: only a listed one is closed.
    if (scenestore_registry_remove(descriptor)) {
        lock_release(descriptor);
        close(descriptor);
    }
    scenestore_registry_unlock();
}

// flock is the fallback, and the lock of a descriptor that only reads: it is kept by the open file
// description, too.
static int flock_try(int descriptor, int kind) {
    for (;;) {
        if (flock(descriptor, kind | LOCK_NB) == 0) { return 0; }
        if (errno != EINTR) { return errno == EWOULDBLOCK ? -EAGAIN : -errno; }
    }
}

// 1 when somebody else's lock keeps this one from being taken, else 0, or -errno.
static int flock_probe(int descriptor, int kind) {
    int result = flock_try(descriptor, kind);
    if (result == 0) {
        flock(descriptor, LOCK_UN);
        return 0;
    }
    return result == -EAGAIN ? 1 : result;
}

// Takes it, also from somebody who only asks whose it is, which lasts a moment.
static int flock_take(int descriptor) {
    int result = flock_try(descriptor, LOCK_EX);
    if (result != -EAGAIN) { return result; }
    struct timespec moment = {0, 1000000};
    nanosleep(&moment, NULL);
    return flock_try(descriptor, LOCK_EX);
}

int scenestore_lock_take(int descriptor, bool reads) {
    if (reads) {
        int held = scenestore_lock_probe(descriptor);
        if (held != 0) { return held == 1 ? -EAGAIN : held; }
        return flock_take(descriptor);
    }
#if defined(F_OFD_SETLK) && defined(__linux__)
    // An owner that could only read the file has this kind. Before the other kind is taken: a network
    // file system may make one lock of both.
    if (flock_probe(descriptor, LOCK_SH) == 1) { return -EAGAIN; }
    struct flock record;
    int result = lock_record(descriptor, F_OFD_SETLK, F_WRLCK, &record);
    if (result == -EACCES) { return -EAGAIN; }
    // EINVAL: a kernel without these locks; there every process takes the other kind.
    if (result != -EINVAL) { return result; }
#endif
    return flock_take(descriptor);
}

int scenestore_lock_probe(int descriptor) {
#if defined(F_OFD_SETLK) && defined(__linux__)
    struct flock record;
    int result = lock_record(descriptor, F_OFD_GETLK, F_WRLCK, &record);
    if (result == 0) { return record.l_type == F_UNLCK ? 0 : 1; }
    if (result != -EINVAL) { return result; }
#endif
    return flock_probe(descriptor, LOCK_SH);
}

int scenestore_identity(int directory, const char *path, uint64_t *device, uint64_t *inode) {
    int base = directory < 0 ? AT_FDCWD : directory;
#if defined(__linux__) && defined(STATX_INO)
    struct statx status;
    if (statx(base, path, AT_SYMLINK_NOFOLLOW, STATX_INO, &status) == 0) {
        *device = makedev(status.stx_dev_major, status.stx_dev_minor);
        *inode = status.stx_ino;
        return 0;
    }
    // A sandbox that does not know the call answers EPERM.
    if (errno != ENOSYS && errno != EPERM) return -errno;
#endif
    struct stat plain;
    if (fstatat(base, path, &plain, AT_SYMLINK_NOFOLLOW) != 0) return -errno;
    *device = (uint64_t)plain.st_dev;
    *inode = (uint64_t)plain.st_ino;
    return 0;
}

#if defined(__APPLE__)
#define SCENESTORE_MODIFIED(status) (status).st_mtimespec
#else
#define SCENESTORE_MODIFIED(status) (status).st_mtim
#endif

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int scenestore_content(int directory, const char *path, int64_t *size, int64_t *modified) {
    struct stat status;
    int base = directory < 0 ? AT_FDCWD : directory;
    if (fstatat(base, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return -errno;
    *size = (int64_t)status.st_size;
    *modified = nanoseconds(SCENESTORE_MODIFIED(status));
    return 0;
}

int scenestore_settle_content(int directory, const char *path) {
    int base = directory < 0 ? AT_FDCWD : directory;
    int64_t size, modified;
    int code = scenestore_content(directory, path, &size, &modified);
    if (code != 0) return code;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -errno;
    // Systems date a change by their last tick, some every ten milliseconds. Some file systems keep
    // whole seconds, or every other one.
    int64_t tick = modified % 1000000000 == 0 ? 2020000000 : 20000000;
    if (nanoseconds(now) - modified > tick) return 0;
    struct timespec times[2];
    times[0].tv_sec = 0;
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_sec = (time_t)(modified / 1000000000 - 1);
    times[1].tv_nsec = (long)(modified % 1000000000);
    return utimensat(base, path, times, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : -errno;
}

int scenestore_rename_exclusive(
    int fromDirectory, const char *from, int toDirectory, const char *to
) {
#if defined(__APPLE__)
    if (renameatx_np(fromDirectory, from, toDirectory, to, RENAME_EXCL) == 0) { return 0; }
    if (errno != ENOTSUP && errno != EINVAL) { return -errno; }
#elif defined(SYS_renameat2)
    if (syscall(SYS_renameat2, fromDirectory, from, toDirectory, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) { return -errno; }
#endif
    // A file system that can't rename so: a link never replaces either.
    if (linkat(fromDirectory, from, toDirectory, to, 0) != 0) { return -errno; }
    if (unlinkat(fromDirectory, from, 0) != 0) {
        int failure = -errno;
        unlinkat(toDirectory, to, 0);
        return failure;
    }
    return 0;
}

int scenestore_sync(int descriptor) {
#if defined(__APPLE__)
    // fsync leaves the bytes in the drive's cache there; file systems that don't know the
    // stronger call answer ENOTSUP.
    if (fcntl(descriptor, F_FULLFSYNC) == 0) { return 0; }
    if (errno != ENOTSUP && errno != EINVAL && errno != ENOTTY) { return -errno; }
#endif
    for (;;) {
        if (fsync(descriptor) == 0) { return 0; }
        if (errno != EINTR) { return -errno; }
    }
}

int scenestore_drop_cache(int descriptor) {
#if defined(__APPLE__)
    // No call drops a file's pages there; reads that go around the cache are the nearest.
    return fcntl(descriptor, F_NOCACHE, 1) == 0 ? 0 : -errno;
#else
    return -posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
#endif
}

struct scenestore_lock {
    pthread_mutex_t mutex;
    atomic_uint fork_count;
};

static int make_mutex(scenestore_lock *lock) {
    atomic_store_explicit(&lock->fork_count, scenestore_fork_count(), memory_order_relaxed);
    return pthread_mutex_init(&lock->mutex, NULL);
}

// A child of fork() has one thread. What another thread of its parent holds is never given back there.
static void leave_parent_behind(scenestore_lock *lock) {
    if (atomic_load_explicit(&lock->fork_count, memory_order_relaxed) != scenestore_fork_count()) {
        make_mutex(lock);
    }
}

scenestore_lock *scenestore_lock_make(void) {
    scenestore_lock *lock = malloc(sizeof(scenestore_lock));
    if (lock != NULL && make_mutex(lock) != 0) {
        free(lock);
        lock = NULL;
    }
    return lock;
}

void scenestore_lock_free(scenestore_lock *lock) {
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
}

void scenestore_lock_enter(scenestore_lock *lock) {
    leave_parent_behind(lock);
    pthread_mutex_lock(&lock->mutex);
}

void scenestore_lock_leave(scenestore_lock *lock) {
    pthread_mutex_unlock(&lock->mutex);
}
