#ifndef SCENESTORE_FAULT_DISK_H
#define SCENESTORE_FAULT_DISK_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "FaultRandom.h"
#include "FaultState.h"

// A disk is two VFSs, one behind the other:
//
//     SQLite -> outer: counts, fails on purpose -> inner: memory files, or the default VFS
//
// Only the outer one is registered. `mutex` guards everything below it; it is held for one
// operation at a time and never while SQLite is called, except for its leaf functions.

#define SSF_FAULT_LIMIT 16

typedef struct ssf_armed {
    ssf_fault fault;
    uint64_t seen;
} ssf_armed;

struct ssf_disk {
    sqlite3_vfs outer;
    sqlite3_vfs memory;   // the inner VFS of a memory disk
    sqlite3_vfs *inner;
    char name[48];
    atomic_uint references; // the owner and each open file
    pthread_mutex_t mutex;

    bool isMemory; // never changes
    ssf_state *state; // NULL for a pass-through disk
    uint64_t generation; // files of an earlier one are dead
    uint64_t seed;
    ssf_random random;
    int64_t clock; // milliseconds of the Julian day, as SQLite counts

    ssf_settings settings; // of a pass-through disk; a memory disk has them in its state
    uint64_t spent;        // bytes a pass-through disk has grown by

    ssf_armed program[SSF_FAULT_LIMIT];
    size_t programCount;
    uint64_t fired;
    uint64_t powerOffAt;
    bool isOff;

    uint64_t calls[SSF_OPERATION_COUNT][SSF_KIND_COUNT];
    uint64_t bytesRead[SSF_KIND_COUNT];
    uint64_t bytesWritten[SSF_KIND_COUNT];
    uint64_t frames;
    uint64_t operations;
};

// The file of the inner VFS of a memory disk.
typedef struct ssf_file {
    sqlite3_file base;
    ssf_disk *disk;
    ssf_inode *inode;
    uint64_t generation;
    char *name; // NULL for a transient file, the only kind that SQLite wants deleted on close
    int level;  // SQLITE_LOCK_…
    bool syncsDirectory; // the first sync of a new journal or WAL, as SQLite's unix VFS does
    bool keepsWAL;
    bool readsShared; // readonly_shm=1
    struct ssf_shm *shm;
    bool holdsShared; // counted among those that keep the shared memory valid
    uint16_t sharedSlots, exclusiveSlots;
} ssf_file;

// The shared memory of one database: never on the disk, gone with the last file that maps it.
#define SSF_SHM_SLOTS 8
typedef struct ssf_shm {
    unsigned references;
    unsigned holders;
    void **regions;
    int count;
    int size;
    unsigned shared[SSF_SHM_SLOTS];
    bool exclusive[SSF_SHM_SLOTS];
} ssf_shm;

ssf_disk *ssf_disk_retain(ssf_disk *disk);
void ssf_disk_drop(ssf_disk *disk);
void ssf_disk_lock(ssf_disk *disk);
void ssf_disk_unlock(ssf_disk *disk);
// Replaces the state; open files die. The disk is locked.
void ssf_disk_boot(ssf_disk *disk, ssf_state *state);
ssf_disk *ssf_disk_with_state(uint64_t seed, ssf_state *state);

// What the programme makes of an operation.
typedef struct ssf_verdict {
    int code;   // to be returned; SQLITE_OK: go on, unless the effect is SSF_SILENT
    int effect; // SSF_AFTER when there is nothing to alter
} ssf_verdict;

// Counts an operation and asks the programme.
ssf_verdict ssf_gate(ssf_disk *disk, int operation, int kind);
// True when the operation isn't to be carried out at all.
bool ssf_stops(ssf_verdict verdict);
// The code to return when the inner VFS has answered `code`.
int ssf_finish(const ssf_disk *disk, int code, ssf_verdict verdict);
// The errno of the calling thread's last failure, 0 when it is errno itself.
int ssf_injected_errno(void);
void ssf_note_full(void);

void ssf_layer_prepare(ssf_disk *disk);
void ssf_memory_prepare(ssf_disk *disk);
// The page cache takes the dirty pages of `file` for clean without writing them.
void ssf_memory_forget(sqlite3_file *file);

// Locks and shared memory of memory files; the disk is locked by the caller.
int ssf_locks_raise(ssf_file *file, int level);
void ssf_locks_lower(ssf_file *file, int level);
bool ssf_locks_reserved(const ssf_file *file);
int ssf_shm_map(ssf_file *file, int region, int size, int extend, void volatile **memory);
int ssf_shm_lock(ssf_file *file, int offset, int count, int flags);
void ssf_shm_unmap(ssf_file *file);

ssf_state *ssf_replay_cut(const ssf_replay *replay, uint64_t seed, int mode);

#endif
