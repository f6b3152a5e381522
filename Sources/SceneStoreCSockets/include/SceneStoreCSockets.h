#ifndef SCENESTORE_CSOCKETS_H
#define SCENESTORE_CSOCKETS_H

// Stream sockets between processes of one user, and the thread that serves them. A descriptor made
// here is closed on exec and, inside fork(), in the child: nobody keeps a dead owner's socket open.
// None blocks. Every function that can fail returns a negated errno.

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// How a name in a folder becomes an address, which holds about a hundred bytes.
typedef enum {
    // Through the descriptor of the folder, where the system has /proc.
    SCENESTORE_SOCKET_BY_DESCRIPTOR = 0,
    // By the path, where it is short enough.
    SCENESTORE_SOCKET_BY_PATH = 1,
    // Through a link to the folder, in a private folder that is removed again.
    SCENESTORE_SOCKET_BY_LINK = 2,
} scenestore_socket_way;

// The way that this system and this path allow.
scenestore_socket_way scenestore_socket_best_way(const char *folder, const char *name);

// Makes the socket's file, readable and writable by its owner alone, and listens: -EADDRINUSE when
// something stands at the name.
int scenestore_socket_listen(
    int directory, const char *folder, const char *name, scenestore_socket_way way);

// Connects, waiting some milliseconds at most for room in the listener's queue.
int scenestore_socket_connect(
    int directory, const char *folder, const char *name, scenestore_socket_way way,
    int milliseconds);

// The next one who connected: -EAGAIN when there is none.
int scenestore_socket_accept(int listener);

// Whether the process at the other end acts for this one's user: 0, or -EPERM.
int scenestore_socket_check_peer(int descriptor);

// Sends what fits now: -EAGAIN when nothing does, -EPIPE when nobody reads; no signal.
ssize_t scenestore_socket_send(int descriptor, const void *bytes, size_t count);

// Reads what is there: 0 at the end, -EAGAIN when there is nothing yet.
ssize_t scenestore_socket_receive(int descriptor, void *bytes, size_t count);

// Two sockets that are connected, to wake a thread that waits.
int scenestore_socket_pair(int ends[2]);

void scenestore_socket_close(int descriptor);

// Runs a function on a thread of its own, which takes no signals.
int scenestore_thread_start(void (*body)(void *context), void *context);

#endif
