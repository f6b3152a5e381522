#ifndef SCENESTORE_FAULT_STATE_H
#define SCENESTORE_FAULT_STATE_H

#include "FaultContent.h"
#include "SceneStoreCFaults.h"

// A simulated disk without SQLite: a directory of files, each with what the cache shows (`cached`),
// what a cut certainly leaves (`durable`) and the changes that lie between the two.
//
//                 write, truncate                    sync
//     cached  <-------------------  application  -----------------> durable := cached
//                                                                    changes := none
//
// Invariants
//  1. durable with all changes applied in order equals cached, except forgotten blocks.
//  2. A forgotten block (its sync failed) differs from durable and is in no change; a later write
//     to any byte of it makes the whole block a change again, as a page cache would.
//  3. The cached directory is the durable one with all directory changes applied in order.
//  4. A state is changed by one thread at a time; the base of a trace is never changed at all.
//  5. An inode lives while an entry, a directory change or an open file refers to it.

typedef struct ssf_state ssf_state;

typedef struct ssf_change {
    uint64_t sequence;
    uint64_t offset;    // of a write, or the new size
    ssf_buffer *buffer; // NULL for a change of size
} ssf_change;

struct ssf_file;

// The five SQLite file locks of one file, within this process.
typedef struct ssf_locks {
    unsigned shared;
    const struct ssf_file *reserved, *pending, *exclusive;
} ssf_locks;

typedef struct ssf_inode {
    uint64_t identifier;
    ssf_state *state; // NULL once the state went and only open files are left
    unsigned references;
    unsigned handles;
    bool isTransient; // a temporary file: no name, and nothing of it outlives a cut
    ssf_content durable, cached;
    ssf_change *changes;
    size_t changeCount, changeRoom;
    uint8_t *forgotten; // one flag a block, NULL as long as there is none
    size_t forgottenCount;
    ssf_locks locks;
    struct ssf_shm *shm;
    bool hasShared; // there would be a -shm file: made by a writer, left behind by a kill
} ssf_inode;

typedef struct ssf_entry {
    char *name;
    ssf_inode *inode;
} ssf_entry;

typedef struct ssf_directory {
    ssf_entry *entries;
    size_t count, room;
} ssf_directory;

enum { SSF_LINK = 0, SSF_UNLINK, SSF_RENAME };

typedef struct ssf_directory_change {
    uint64_t sequence;
    int kind;
    char *name;
    char *target; // of a rename
    ssf_inode *inode;
} ssf_directory_change;

struct ssf_state {
    ssf_settings settings;
    ssf_directory cached, durable;
    ssf_directory_change *changes;
    size_t changeCount, changeRoom;
    ssf_inode **inodes;
    size_t inodeCount, inodeRoom;
    uint64_t nextIdentifier;
    uint64_t sequence;
    uint64_t directorySyncs;
    ssf_trace *trace; // where changes are recorded, or NULL
};

ssf_state *ssf_state_create(ssf_settings settings);
void ssf_state_free(ssf_state *state);
ssf_state *ssf_state_clone(const ssf_state *state);
// What a power cut leaves. `state` is as before when this returns.
ssf_state *ssf_state_cut(const ssf_state *state, uint64_t seed, int mode);

ssf_inode *ssf_state_lookup(const ssf_state *state, const char *name);
ssf_inode *ssf_state_find(const ssf_state *state, uint64_t identifier);
ssf_inode *ssf_state_make(ssf_state *state, const char *name); // NULL: a transient file
bool ssf_state_unlink(ssf_state *state, const char *name);
bool ssf_state_rename(ssf_state *state, const char *from, const char *to);
void ssf_state_sync_directory(ssf_state *state, const char *path);

void ssf_state_write(
    ssf_state *state, ssf_inode *inode, uint64_t offset, ssf_buffer *buffer);
void ssf_state_resize(ssf_state *state, ssf_inode *inode, uint64_t size);
void ssf_state_sync(ssf_state *state, ssf_inode *inode);
void ssf_state_sync_entry(ssf_state *state, ssf_inode *inode);
void ssf_state_forget(ssf_state *state, ssf_inode *inode);
void ssf_state_drop_cache(ssf_state *state);
uint64_t ssf_state_used(const ssf_state *state);
bool ssf_state_import(
    ssf_state *state, const char *name, const void *bytes, size_t length);

ssf_inode *ssf_inode_create(ssf_state *state);
ssf_inode *ssf_inode_retain(ssf_inode *inode);
void ssf_inode_release(ssf_inode *inode);
void ssf_inode_append(ssf_inode *inode, uint64_t sequence, uint64_t offset, ssf_buffer *buffer);
// Applies one change to a content.
void ssf_change_apply(const ssf_change *change, ssf_content *content);

ssf_inode *ssf_directory_lookup(const ssf_directory *directory, const char *name);
void ssf_directory_set(ssf_directory *directory, const char *name, ssf_inode *inode);
void ssf_directory_remove(ssf_directory *directory, const char *name);
void ssf_directory_clear(ssf_directory *directory);
void ssf_directory_apply(ssf_directory *directory, const ssf_directory_change *change);

// The steps of a recording; each is one call of the functions above.
enum {
    SSF_STEP_MAKE = 0,
    SSF_STEP_UNLINK,
    SSF_STEP_RENAME,
    SSF_STEP_SYNC_DIRECTORY,
    SSF_STEP_WRITE,
    SSF_STEP_RESIZE,
    SSF_STEP_SYNC,
    SSF_STEP_SYNC_ENTRY,
    SSF_STEP_FORGET,
    SSF_STEP_DROP_CACHE,
    SSF_STEP_MARK
};
// Does nothing when `trace` is NULL.
void ssf_trace_append(
    ssf_trace *trace, int kind, uint64_t inode, uint64_t value, ssf_buffer *buffer,
    const char *name, const char *target);
ssf_trace *ssf_trace_create(const ssf_state *base);

#endif
