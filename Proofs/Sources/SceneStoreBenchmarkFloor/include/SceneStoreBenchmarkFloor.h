#ifndef SCENESTORE_BENCHMARK_FLOOR_H
#define SCENESTORE_BENCHMARK_FLOOR_H

// The floor that the store is measured against: what a careful C program with the same SQLite
// would do to write and read the very same rows. Statements are prepared once, numbers are the
// keys, nothing is read that is known already, and no column is copied that need not be.
//
// It takes no owner lock, looks at no file but through SQLite, keeps no journal of its own and
// trusts its caller: it exists to be compared with, and for nothing else. Every function that can
// fail answers so, and floor_error() says why.

#include <stddef.h>
#include <stdint.h>

#include "../cbor_floor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct floor_store floor_store;
typedef struct floor_skeleton floor_skeleton;
typedef struct floor_bare floor_bare;
typedef struct floor_merge floor_merge;

// What failed last.
const char *floor_error(void);

// MARK: Opening

// Opens a closed store as its next owner: the store's pragmas, its schema held against the digest,
// its own row and its migrations checked, and the owner's mark and the journal's entry written
// durably. `vfs` may be NULL; `now` is the time in milliseconds since 1970.
floor_store *floor_open(
    const char *path, const char *vfs, uint64_t schema_digest, int64_t now);
// Copies the log into the file, closes, and leaves one file.
int floor_close(floor_store *store);
// Commits are durable against a power cut from now on, or against the end of the process.
int floor_set_durable(floor_store *store, int durable);
// Copies the log into the file; the next write begins it anew.
int floor_checkpoint(floor_store *store);
// Frames in the log after the last commit.
int floor_frames(const floor_store *store);

// MARK: Saving

// One state of one session. With a root it is encoded first; else `payload` is what is stored,
// and has to stay where it is as long as the store is open.
typedef struct floor_state {
    int64_t session;
    const char *activity_type;
    const cbor_floor_node *root;
    const uint8_t *payload;
    size_t count;
} floor_state;

// Saves states in one transaction: hash, compare, one slot of the ring, the session's pointer, the
// store's row. Answers how many differed from the stored ones, or -1. All states that are in the
// store must have been saved within one hour: the floor's ring knows no hours and days.
int floor_save(floor_store *store, const floor_state *states, size_t count, int64_t saved_at);

// Appends open sessions, each with the state `payload` when its number is below `states`, and
// writes them as one transaction. `count` identifiers are made of `seed`.
int floor_fill(
    floor_store *store, size_t count, size_t states, uint64_t seed, const char *activity_type,
    const uint8_t *payload, size_t length, int64_t saved_at);

// MARK: Relaunching

// Every open session, checked and in the order in which sessions come back.
floor_skeleton *floor_read_skeleton(floor_store *store);
size_t floor_skeleton_count(const floor_skeleton *skeleton);
// A digest of the order: two sides that read the same sessions in the same order agree.
uint64_t floor_skeleton_digest(const floor_skeleton *skeleton);
void floor_skeleton_free(floor_skeleton *skeleton);
// Reads, checks and decodes the state of every session of a skeleton; `found` is the sum of the
// integer under `key` in each activity's "info". Answers how many states there were, or -1.
int64_t floor_decode_states(
    floor_store *store, const floor_skeleton *skeleton, const char *key, int64_t *found);

// The state of the session that was in front, found by index and nothing else: how soon a first
// window can be there. `found` is as above. 0 when there is none.
int floor_decode_front(floor_store *store, const char *key, int64_t *found);

// MARK: Upkeep

int floor_discard(floor_store *store, int64_t key, int64_t now);
int floor_reopen(floor_store *store, int64_t key, int64_t now);
int floor_reset(floor_store *store, int64_t now);
// Removes what is not open, in one transaction.
int floor_prune(floor_store *store);
// How many states a session has, each checked; -1 when one is damaged.
int64_t floor_history(floor_store *store, int64_t key);
// Checks pages, sessions and states; answers how many rows, or -1.
int64_t floor_verify(floor_store *store);
// Copies the store into a new file, durably.
int floor_backup(floor_store *store, const char *path);
// Collects the sessions of many stores in one file; answers how many of each, or -1.
floor_merge *floor_merge_open(const char *path);
int64_t floor_merge_add(floor_merge *merge, const char *path);
int floor_merge_close(floor_merge *merge);

// MARK: One bare row

// A file of one table with `count` rows, of which one is written over at a time.
floor_bare *floor_bare_open(const char *path, int durable, size_t count);
int floor_bare_save(floor_bare *bare, int64_t row, const uint8_t *payload, size_t count);
int floor_bare_checkpoint(floor_bare *bare);
int floor_bare_close(floor_bare *bare);

// MARK: Comparing

// Holds two closed stores against each other: schema, every row, every column, type and bytes.
// Answers how many rows are equal, or -1 when any is not; floor_error() says which.
int64_t floor_compare(const char *left, const char *right);
// The digest of the order that floor_skeleton_digest takes, for one more identifier.
uint64_t floor_order_digest(uint64_t digest, const char *identifier, size_t length);

// MARK: The machine

// Nanoseconds of a clock that only goes forward.
uint64_t floor_now(void);
// Nanoseconds that this thread had a processor.
uint64_t floor_processor_time(void);
// The C compiler, and whether it optimised this file.
const char *floor_compiler(void);
int floor_is_optimised(void);
const char *floor_sqlite_version(void);
// The median time of writing a page and making it durable, in nanoseconds; 0 when it fails.
uint64_t floor_flush_time(const char *path);
// From now on any system call but exit ends the process. 0 where that can't be asked for.
int floor_forbid_system_calls(void);
// Bytes that this process wrote to files and devices, or -1 where nobody counts them.
int64_t floor_written_bytes(void);
// Bytes that this process read from files and devices, or -1 where nobody counts them.
int64_t floor_read_bytes(void);
// The most memory that this process ever had, in bytes, or -1 where nobody counts it.
int64_t floor_peak_memory(void);
// Calls a body: the one function whose instructions are counted.
void floor_counted(void (*body)(void *), void *context);
// Bytes of memory that this process has asked for and not given back, or -1 where nobody counts.
int64_t floor_memory_in_use(void);

#ifdef __cplusplus
}
#endif

#endif
