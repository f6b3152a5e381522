#ifndef SCENESTORE_CSUPPORT_H
#define SCENESTORE_CSUPPORT_H

// What Swift can't say itself: a handler that runs inside fork(), and the variadic or
// platform-bound system calls of the container rules. Every function that can fail returns
// zero (or a descriptor) on success and a negated errno on failure.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Rises by one in each forked child, before fork() returns there.
extern atomic_uint scenestore_fork_count_storage;

// One load; cheap enough for every call into the store.
static inline uint32_t scenestore_fork_count(void) {
    return atomic_load_explicit(&scenestore_fork_count_storage, memory_order_relaxed);
}

// Installs the fork handlers once. Called before anything that must not outlive a fork.
int scenestore_fork_watch(void);

// Opens a file without following a link and remembers its descriptor: a child closes it inside
// fork(), so that a lock on it ends with its owner. No fork can happen between the two. For reading
// alone on a volume that can't be written.
int scenestore_lock_open(int directory, const char *name, int flags);

// Closes a descriptor of scenestore_lock_open, unless a fork has closed it already.
void scenestore_lock_close(int descriptor);

// Takes the exclusive lock without waiting: 0, -EAGAIN when another holds it, or -errno. A descriptor
// that only reads takes another kind; who takes the one looks at the other, too.
int scenestore_lock_take(int descriptor, bool reads);

// 1 when somebody else holds the lock, 0 when nobody does, or -errno. Takes nothing where the
// system can tell without.
int scenestore_lock_probe(int descriptor);

// Opens relative to a directory, closed on exec.
int scenestore_openat(int directory, const char *name, int flags, mode_t mode);

// The device and the inode of what stands at a path, of a link itself; relative to a directory,
// or to the working one when that is negative. Where the system allows it,
// no time is asked for: a file whose times were looked at has to note the next write more exactly,
// which costs that write as much as the look.
int scenestore_identity(int directory, const char *path, uint64_t *device, uint64_t *inode);

// What changes when another program writes into a file: its size, and when it was written last, in
// nanoseconds. Follows no link; -errno on failure.
int scenestore_content(int directory, const char *path, int64_t *size, int64_t *modified);

// Moves the time of a file's last change back by a second if it is so young that another change
// could bear the same one.
int scenestore_settle_content(int directory, const char *path);

// Renames without ever replacing: -EEXIST when the target exists.
int scenestore_rename_exclusive(
    int fromDirectory, const char *from, int toDirectory, const char *to);

// Hands a file or directory to the disk, as far as the system can promise it.
int scenestore_sync(int descriptor);

// Drops the clean cached pages of a file, so that the next read comes from the disk.
int scenestore_drop_cache(int descriptor);

// A lock between the threads of a process. Who waits sleeps at once, and who leaves hands it to
// nobody: a thread that comes back before the one that it woke takes it again. A child of fork()
// waits for no thread of its parent; what the lock guards may be half changed there, and is only
// asked whether it was made before the fork.
typedef struct scenestore_lock scenestore_lock;

// NULL when there is no memory.
scenestore_lock *scenestore_lock_make(void);
void scenestore_lock_free(scenestore_lock *lock);
void scenestore_lock_enter(scenestore_lock *lock);
void scenestore_lock_leave(scenestore_lock *lock);

#endif
