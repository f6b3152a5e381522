#ifndef SCENESTORE_C_FAULTS_H
#define SCENESTORE_C_FAULTS_H

// A SQLite VFS that fails on purpose, for the testing side of the package only.
//
// Two kinds of disk share one fault layer:
//   * memory: files live in process memory as what the kernel's cache shows and what a power cut
//     would leave. No real I/O, deterministic by seed.
//   * pass-through: the default VFS with the same fault programme in front of it.
//
// Every function may be called from any thread. Memory that runs out aborts the process: a rig
// without memory proves nothing. SQLite's own header is not needed to use this one.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "SceneStoreCFaultsRig.h"

#ifdef __cplusplus
extern "C" {
#endif

// What SQLite asked for. A fault names a set of these as the mask `1 << operation`.
enum {
    SSF_READ = 0,
    SSF_WRITE,
    SSF_TRUNCATE,
    SSF_SYNC,
    SSF_FILE_SIZE,
    SSF_OPEN,
    SSF_CLOSE,
    SSF_DELETE,
    SSF_ACCESS,
    SSF_LOCK,
    SSF_UNLOCK,
    SSF_CHECK_RESERVED,
    SSF_SHM_MAP,
    SSF_SHM_LOCK,
    SSF_SHM_UNMAP,
    SSF_OPERATION_COUNT
};

// What kind of file it asked for; `1 << kind` in a mask.
enum {
    SSF_MAIN = 0,
    SSF_JOURNAL,
    SSF_WAL,
    SSF_SHM,
    SSF_TEMPORARY,
    SSF_KIND_COUNT
};

// What happens to the operation that a fault hits.
enum {
    SSF_BEFORE = 0, // nothing is done and the error is returned
    SSF_AFTER,      // everything is done and the error is returned all the same
    SSF_SHORT,      // half the bytes are read or written
    SSF_SILENT,     // nothing is done and success is returned
    SSF_FORGET      // a sync only: error, and the kernel takes the dirty pages for clean
};

// Which directory changes a cut may undo.
enum {
    SSF_DIRECTORY_EXT4 = 0, // syncing a file makes its own creation durable, nothing more
    SSF_DIRECTORY_STRICT,   // only syncing the directory makes an entry durable
    SSF_DIRECTORY_IMMEDIATE // creations, deletions and renames are durable at once
};

// What a power cut makes of writes that were not synced.
enum {
    SSF_CUT_MIXED = 0, // the seed chooses one of the others
    SSF_CUT_SUBSET,    // each sector of each write is kept or lost
    SSF_CUT_TORN,      // the same, and some sectors are half old, half new, zero or junk
    SSF_CUT_REORDERED, // sectors were written in another order; the rest is lost
    SSF_CUT_PREFIX,    // an orderly disk: everything up to some moment, the last write in part
    SSF_CUT_LOSE_ALL,  // only what was synced
    SSF_CUT_KEEP_ALL   // everything that was written
};

typedef struct ssf_fault {
    uint32_t operations; // mask of operations
    uint32_t kinds;      // mask of file kinds
    uint64_t first;      // the n-th matching operation is hit, from 1
    bool permanent;      // and every later one
    int32_t effect;
    int32_t code;        // SQLite's extended code, 0 for the operation's usual one
} ssf_fault;

typedef struct ssf_settings {
    uint32_t sectorSize;      // what tears apart in a cut: 512 or 4096
    int32_t directory;        // SSF_DIRECTORY_…
    bool lies;                // a sync reports success and does nothing
    bool powersafeOverwrite;  // a cut never changes bytes beside those being written
    bool simulatesSleep;      // SQLite's busy waits advance a clock instead of waiting
    uint64_t capacity;        // bytes, in steps of 512; UINT64_MAX for no limit
} ssf_settings;

typedef struct ssf_disk ssf_disk;
typedef struct ssf_trace ssf_trace;
typedef struct ssf_replay ssf_replay;

// Makes a disk and registers its VFS under a name of its own; NULL when SQLite refuses.
ssf_disk *ssf_disk_create(uint64_t seed, bool memory);
// Unregisters the VFS. Files that are still open keep what they need until they are closed.
void ssf_disk_release(ssf_disk *disk);
const char *ssf_disk_name(const ssf_disk *disk);

ssf_settings ssf_disk_settings(ssf_disk *disk);
void ssf_disk_set_settings(ssf_disk *disk, ssf_settings settings);

// Replaces the fault programme (at most 16 faults) and starts its counts at nought.
// False when there are too many.
bool ssf_disk_set_program(ssf_disk *disk, const ssf_fault *faults, size_t count);
// How often any fault hit since the programme was set.
uint64_t ssf_disk_fired(ssf_disk *disk);
// From the n-th operation on (counted from 1 over the disk's life) all fail; 0 switches it off.
void ssf_disk_power_off_at(ssf_disk *disk, uint64_t operation);

// Fills `values` with: calls by operation and kind (operation * SSF_KIND_COUNT + kind), bytes
// read by kind, bytes written by kind, WAL frames, directory syncs, operations.
enum { SSF_COUNTER_COUNT = SSF_OPERATION_COUNT * SSF_KIND_COUNT + 2 * SSF_KIND_COUNT + 3 };
void ssf_disk_counters(ssf_disk *disk, uint64_t *values, size_t count);
void ssf_disk_reset_counters(ssf_disk *disk);

// System calls on a file, counted and failed like SQLite's own; all answer a result code. Writing
// creates the file. Nothing of it is durable before the sync, nor the name before the directory is
// synced.
int ssf_disk_write(
    ssf_disk *disk, const char *path, uint64_t offset, const void *bytes, size_t length);
int ssf_disk_truncate(ssf_disk *disk, const char *path, uint64_t size);
int ssf_disk_sync(ssf_disk *disk, const char *path);

// Everything below is for memory disks; a pass-through disk answers NULL, 0 or false.

// Another disk with the same caches and the same unsynced changes, and no open files.
ssf_disk *ssf_disk_copy(ssf_disk *disk);
// A disk as found after a power cut now. `disk` itself goes on.
ssf_disk *ssf_disk_power_cut(ssf_disk *disk, uint64_t seed, int mode);
// Power cut and boot in place: files that are open are dead, and can only be closed.
bool ssf_disk_reboot(ssf_disk *disk, uint64_t seed, int mode);
// The process was killed: open files are dead, locks and shared memory gone, caches stay.
bool ssf_disk_crash(ssf_disk *disk);
// Drops clean cached pages, as posix_fadvise(DONTNEED) does: forgotten writes show as lost.
bool ssf_disk_drop_cache(ssf_disk *disk);

// Makes the changes to the directory of `path` durable (NULL: of all directories).
bool ssf_disk_sync_directory(ssf_disk *disk, const char *path);
bool ssf_disk_rename(ssf_disk *disk, const char *from, const char *to);
bool ssf_disk_remove(ssf_disk *disk, const char *path);
size_t ssf_disk_file_count(ssf_disk *disk);
// The name of the file at `index`, to be given to ssf_free; NULL past the end.
char *ssf_disk_file_name(ssf_disk *disk, size_t index);
bool ssf_disk_file_size(ssf_disk *disk, const char *path, uint64_t *size);
// Copies at most `length` bytes from the start and returns how many.
bool ssf_disk_digest(ssf_disk *disk, const char *path, uint64_t *digest);
size_t ssf_disk_export(ssf_disk *disk, const char *path, void *bytes, size_t length);
// Replaces a file, durable at once; false when the file is larger than a file may be (1 GiB).
bool ssf_disk_import(ssf_disk *disk, const char *path, const void *bytes, size_t length);

// Records every change from now on; an earlier recording is dropped.
bool ssf_disk_start_trace(ssf_disk *disk);
// Notes a number in the recording, such as the save that was just acknowledged.
void ssf_disk_mark(ssf_disk *disk, uint64_t value);
// Ends the recording and hands it over; NULL when there was none.
ssf_trace *ssf_disk_end_trace(ssf_disk *disk);
void ssf_trace_release(ssf_trace *trace);
size_t ssf_trace_count(const ssf_trace *trace);

// Walks a recording from its start; a trace may have many walkers, on any thread.
ssf_replay *ssf_replay_create(ssf_trace *trace);
void ssf_replay_release(ssf_replay *replay);
size_t ssf_replay_position(const ssf_replay *replay);
// The last number marked before the position; 0 when there was none.
uint64_t ssf_replay_mark(const ssf_replay *replay);
// One change further; false at the end.
bool ssf_replay_advance(ssf_replay *replay);
// True when the next step is a mark: a cut behind it finds the same disk and promises more, so
// that one here would prove nothing new.
bool ssf_replay_is_before_mark(const ssf_replay *replay);
// The disk after a cut at this position, as a new disk or in place of what `into` held.
ssf_disk *ssf_replay_power_cut(ssf_replay *replay, uint64_t seed, int mode);
bool ssf_replay_power_cut_into(ssf_replay *replay, uint64_t seed, int mode, ssf_disk *into);

// The seed of one of many cuts.
uint64_t ssf_cut_seed(uint64_t seed, uint64_t position, uint64_t outcome);
void ssf_free(void *memory);

// For rig processes only. sqlite3_config is process-global, so no library may call these; they
// must come before anything else initialises SQLite. All answer an SQLite result code.

// Puts a failing allocator in front of SQLite's own.
int ssf_allocation_install(void);
// The n-th allocation of the calling thread fails, and all later ones when `permanent`.
void ssf_allocation_arm(uint64_t first, bool permanent);
// Ends that; answers how many allocations failed.
uint64_t ssf_allocation_disarm(void);
// How many allocations the calling thread asked for since the last `arm`.
uint64_t ssf_allocation_count(void);
// Switches SQLite's memory statistics off, whose lock keeps two cores from working side by side.
int ssf_configure_for_rigs(void);
// Seeds SQLite's own random numbers, so that WAL salts are the same in each run.
int ssf_seed_sqlite(uint32_t seed);

#ifdef __cplusplus
}
#endif

#endif
