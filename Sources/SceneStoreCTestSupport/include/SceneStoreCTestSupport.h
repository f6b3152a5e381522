#ifndef SCENESTORE_CTESTSUPPORT_H
#define SCENESTORE_CTESTSUPPORT_H

// What tests need and Swift cannot do: fork, pseudo-terminals, a record of calls to the system, and
// something that happens between two of them.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Forks; the child runs the body, then leaves by _exit with its result. Returns the child's
// process identifier, or a negated errno.
pid_t scenestore_test_fork(int (*body)(void *context), void *context);

// A child as posix_spawn makes it before it runs its program: it has all descriptors, and no fork
// handler ran in it. It waits until it is killed. Its process identifier, or a negated errno
// (ENOSYS where only the system can make such a child).
pid_t scenestore_test_spawn_halfway(void);

// Gives this thread alone another effective user, and the rights of that: 0 or a negated errno (ENOSYS
// where a system can't do it).
int scenestore_test_become(uid_t user);

// Waits for a child: its exit status, or 1000 + the signal that ended it, or a negated errno.
int scenestore_test_wait(pid_t child);

// Makes a Unix domain socket at a path: 0 or a negated errno.
int scenestore_test_make_socket(const char *path);

// Opens a pseudo-terminal, both ends closed on exec: 0 or a negated errno.
int scenestore_test_open_terminal(int *master, int *terminal);

// Begins to record which files this thread syncs, renames, removes and drops from the cache; false
// where that can't be done (it needs glibc, and no sanitizer).
bool scenestore_test_record_calls(void);

// Ends the record, and answers it until the next one: a line a call, "sync PATH", "drop PATH",
// "rename NEW-NAME", "remove NAME".
const char *scenestore_test_recorded_calls(void);

// Has a body called once, before this thread opens the next file of a name in a folder; with a NULL
// body no more. False where that can't be done, as above.
bool scenestore_test_before_opening(
    const char *name, void (*body)(void *context), void *context);

#endif
