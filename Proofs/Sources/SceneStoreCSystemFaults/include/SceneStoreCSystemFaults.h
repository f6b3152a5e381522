#ifndef SCENESTORE_C_SYSTEM_FAULTS_H
#define SCENESTORE_C_SYSTEM_FAULTS_H

// System calls on files that fail on purpose, for a rig's own process.
//
// The functions of the C library stand here a second time, in front of it. The dynamic linker
// finds the program's own ones first, for the library's calls and for those that SQLite makes, so
// that one programme hits both. They pass everything through until a thread arms them.
//
// Only where the GNU C library is linked dynamically, and without sanitizers, which do the same:
// elsewhere nothing is replaced and ssf_system_is_available says so.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What is asked of the system. A fault names a set of these as the mask `1 << call`.
enum {
    SSF_CALL_LOOK = 0, // status of a file, access
    SSF_CALL_OPEN,
    SSF_CALL_READ,
    SSF_CALL_WRITE,
    SSF_CALL_TRUNCATE,
    SSF_CALL_SYNC,
    SSF_CALL_RENAME,
    SSF_CALL_REMOVE,
    SSF_CALL_MAKE_FOLDER,
    SSF_CALL_LIST,
    SSF_CALL_PERMISSIONS,
    SSF_CALL_LOCK,
    SSF_CALL_MAP,
    SSF_CALL_COUNT
};

// What happens to the call that is hit.
enum {
    SSF_CALL_REFUSED = 0, // nothing is done, and it fails
    SSF_CALL_DONE,        // everything is done, and it fails all the same
    SSF_CALL_SHORT,       // half the bytes are read or written, which is no error
    SSF_CALL_CLOSED       // of a socket: half is done, and the connection is closed then
};

bool ssf_system_is_available(void);
// From now on the n-th call of this thread that matches (from 1) is hit, and all later ones when
// `permanent`.
void ssf_system_arm(uint32_t calls, uint64_t first, bool permanent, int effect, int error);
// Until then only what is written below this folder is hit, such as by a volume that is full.
void ssf_system_confine(const char *root);
// Ends that; answers how many calls were hit.
uint64_t ssf_system_disarm(void);
// The C function of the first call that was hit since the last `arm`; empty when there was none.
const char *ssf_system_name(void);

// What is asked of sockets: by the process that owns the container, or by one that asks it.
enum {
    SSF_SOCKET_LISTEN = 0,
    SSF_SOCKET_CONNECT,
    SSF_SOCKET_ACCEPT,
    SSF_SOCKET_ASK,        // the asker sends
    SSF_SOCKET_HEAR,       // the owner receives
    SSF_SOCKET_ANSWER,     // the owner sends
    SSF_SOCKET_LEARN,      // the asker receives
    SSF_SOCKET_COUNT
};

// From now on the n-th of these calls (from 1) that has something to do is hit, and some more, in
// any thread of this process. `ssf_system_is_available` says where there is such a thing, too.
void ssf_socket_arm(int call, uint64_t first, uint64_t times, int effect, int error);
// Ends that; answers how many calls were hit.
uint64_t ssf_socket_disarm(void);

// What a call changed that went well.
enum {
    SSF_EVENT_MAKE = 0,    // a file, under a name
    SSF_EVENT_WRITE,
    SSF_EVENT_TRUNCATE,    // also to make it longer
    SSF_EVENT_SYNC,        // of a file or a folder
    SSF_EVENT_RENAME,      // in place of what had the name
    SSF_EVENT_LINK,        // a second name
    SSF_EVENT_REMOVE,      // a name, of a file or a folder
    SSF_EVENT_MAKE_FOLDER
};

typedef struct ssf_event {
    int kind;
    uint64_t file;         // the inode that was changed, synced, made or named
    uint64_t folder;       // in which folder, an inode too, it has this name now
    char *name;
    uint64_t from_folder;  // and where it was before
    char *from_name;
    uint64_t offset;       // of a write; the size of a truncation
    size_t count;
    unsigned char *bytes;
} ssf_event;

// From now on this thread's calls that change files are noted, also those that are done and fail all
// the same, and what a short one did. What is written through a mapping is not.
void ssf_system_record(void);
// Ends that; false when something could not be noted. The events stay until they are forgotten.
bool ssf_system_stop(void);
// How many calls were noted, also while recording.
size_t ssf_system_event_count(void);
const ssf_event *ssf_system_event(size_t index);
void ssf_system_forget(void);

#ifdef __cplusplus
}
#endif

#endif
