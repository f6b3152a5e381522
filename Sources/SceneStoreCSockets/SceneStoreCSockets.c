#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCSockets.h"

#include "SceneStoreCForks.h"
#include "SceneStoreCSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// An address, and what has to be removed once it was used.
typedef struct {
    struct sockaddr_un value;
    char folder[64];
    char link[80];
} address;

static int fits(int written, size_t room) {
    return written > 0 && (size_t)written < room;
}

scenestore_socket_way scenestore_socket_best_way(const char *folder, const char *name) {
#if defined(__linux__)
    if (access("/proc/self/fd", X_OK) == 0) { return SCENESTORE_SOCKET_BY_DESCRIPTOR; }
#endif
    struct sockaddr_un value;
    return strlen(folder) + strlen(name) + 2 <= sizeof value.sun_path
        ? SCENESTORE_SOCKET_BY_PATH : SCENESTORE_SOCKET_BY_LINK;
}

static int make_link(address *made, const char *folder) {
    strcpy(made->folder, "/tmp/scenestore-socket.XXXXXX");
    // Private: nobody else can exchange the link.
    if (mkdtemp(made->folder) == NULL) {
        made->folder[0] = 0;
        return -errno;
    }
    snprintf(made->link, sizeof made->link, "%s/c", made->folder);
    if (symlink(folder, made->link) != 0) {
        int failure = -errno;
        rmdir(made->folder);
        made->folder[0] = 0;
        return failure;
    }
    return 0;
}

static int make_address(
    address *made, int directory, const char *folder, const char *name, scenestore_socket_way way
) {
    memset(made, 0, sizeof *made);
    made->value.sun_family = AF_UNIX;
    char *path = made->value.sun_path;
    size_t room = sizeof made->value.sun_path;
    switch (way) {
    case SCENESTORE_SOCKET_BY_DESCRIPTOR:
        return fits(snprintf(path, room, "/proc/self/fd/%d/%s", directory, name), room)
            ? 0 : -ENAMETOOLONG;
    case SCENESTORE_SOCKET_BY_PATH:
        return fits(snprintf(path, room, "%s/%s", folder, name), room) ? 0 : -ENAMETOOLONG;
    case SCENESTORE_SOCKET_BY_LINK: break;
    }
    int result = make_link(made, folder);
    if (result != 0) { return result; }
    if (fits(snprintf(path, room, "%s/%s", made->link, name), room)) { return 0; }
    return -ENAMETOOLONG;
}

static void drop_address(address *made) {
    if (made->folder[0] == 0) { return; }
    unlink(made->link);
    rmdir(made->folder);
}

static int set_up(int descriptor) {
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) { return -errno; }
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) { return -errno; }
#if defined(SO_NOSIGPIPE)
    int on = 1;
    if (setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) != 0) { return -errno; }
#endif
    return 0;
}

// Makes a descriptor by a call that does not wait, and lists it before any fork.
static int listed(int (*make)(int), int argument) {
    int watched = scenestore_fork_watch();
    if (watched != 0) { return watched; }
    scenestore_registry_lock();
    int result = scenestore_registry_reserve();
    if (result == 0) {
        result = make(argument);
        if (result >= 0) { scenestore_registry_add(result); }
    }
    scenestore_registry_unlock();
    return result;
}

static int make_socket(int unused) {
    (void)unused;
#if defined(SOCK_CLOEXEC)
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#else
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
#endif
    if (descriptor < 0) { return -errno; }
    int result = set_up(descriptor);
    if (result == 0) { return descriptor; }
    close(descriptor);
    return result;
}

static int accept_one(int listener) {
    for (;;) {
#if defined(__linux__)
        int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
#else
        int descriptor = accept(listener, NULL, NULL);
#endif
        if (descriptor < 0) {
            if (errno == EINTR) { continue; }
            // Whoever came has gone already.
            return errno == ECONNABORTED || errno == EWOULDBLOCK ? -EAGAIN : -errno;
        }
        int result = set_up(descriptor);
        if (result == 0) { return descriptor; }
        close(descriptor);
        return result;
    }
}

int scenestore_socket_accept(int listener) {
    return listed(accept_one, listener);
}

void scenestore_socket_close(int descriptor) {
    scenestore_registry_lock();
    if (scenestore_registry_remove(descriptor)) { close(descriptor); }
    scenestore_registry_unlock();
}

int scenestore_socket_listen(
    int directory, const char *folder, const char *name, scenestore_socket_way way
) {
    int descriptor = listed(make_socket, 0);
    if (descriptor < 0) { return descriptor; }
    address made;
    int result = make_address(&made, directory, folder, name, way);
#if defined(__linux__)
    // The file gets these bits, less the umask: nobody else's for a moment even.
    if (result == 0 && fchmod(descriptor, 0600) != 0) { result = -errno; }
#endif
    if (result == 0 && bind(descriptor, (struct sockaddr *)&made.value, sizeof made.value) != 0) {
        result = -errno;
    }
    drop_address(&made);
    if (result == 0 && fchmodat(directory, name, 0600, 0) != 0) { result = -errno; }
    if (result == 0 && listen(descriptor, 64) != 0) { result = -errno; }
    if (result == 0) { return descriptor; }
    scenestore_socket_close(descriptor);
    return result;
}

// A call that waits for room in the queue of the listener, where the system has such a wait.
static int connect_within(int descriptor, const address *made, int milliseconds) {
    int flags = fcntl(descriptor, F_GETFL);
    struct timeval limit = {milliseconds / 1000, (milliseconds % 1000) * 1000};
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0) { return -errno; }
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) {
        return -errno;
    }
    if (connect(descriptor, (const struct sockaddr *)&made->value, sizeof made->value) != 0) {
        return errno == EINTR ? -EAGAIN : -errno;
    }
    return fcntl(descriptor, F_SETFL, flags) == 0 ? 0 : -errno;
}

int scenestore_socket_connect(
    int directory, const char *folder, const char *name, scenestore_socket_way way,
    int milliseconds
) {
    int descriptor = listed(make_socket, 0);
    if (descriptor < 0) { return descriptor; }
    address made;
    int result = make_address(&made, directory, folder, name, way);
    if (result == 0) {
        result = connect_within(descriptor, &made, milliseconds < 1 ? 1 : milliseconds);
    }
    drop_address(&made);
    if (result == 0) { return descriptor; }
    scenestore_socket_close(descriptor);
    return result;
}

int scenestore_socket_check_peer(int descriptor) {
#if defined(__linux__)
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) { return -errno; }
    uid_t user = peer.uid;
#else
    uid_t user;
    gid_t group;
    if (getpeereid(descriptor, &user, &group) != 0) { return -errno; }
#endif
    return user == geteuid() ? 0 : -EPERM;
}

ssize_t scenestore_socket_send(int descriptor, const void *bytes, size_t count) {
#if defined(MSG_NOSIGNAL)
    int flags = MSG_NOSIGNAL;
#else
    int flags = 0;
#endif
    for (;;) {
        ssize_t sent = send(descriptor, bytes, count, flags);
        if (sent >= 0) { return sent; }
        if (errno != EINTR) { return errno == EWOULDBLOCK ? -EAGAIN : -errno; }
    }
}

ssize_t scenestore_socket_receive(int descriptor, void *bytes, size_t count) {
    for (;;) {
        ssize_t received = recv(descriptor, bytes, count, 0);
        if (received >= 0) { return received; }
        if (errno != EINTR) { return errno == EWOULDBLOCK ? -EAGAIN : -errno; }
    }
}

int scenestore_socket_pair(int ends[2]) {
    int watched = scenestore_fork_watch();
    if (watched != 0) { return watched; }
    scenestore_registry_lock();
    int result = scenestore_registry_reserve();
    if (result == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) { result = -errno; }
    if (result == 0) {
        scenestore_registry_add(ends[0]);
        result = scenestore_registry_reserve();
        if (result == 0) {
            scenestore_registry_add(ends[1]);
        } else {
            scenestore_registry_remove(ends[0]);
            close(ends[0]);
            close(ends[1]);
        }
    }
    scenestore_registry_unlock();
    if (result != 0) { return result; }
    for (int end = 0; end < 2 && result == 0; end += 1) { result = set_up(ends[end]); }
    if (result != 0) {
        scenestore_socket_close(ends[0]);
        scenestore_socket_close(ends[1]);
    }
    return result;
}

typedef struct {
    void (*body)(void *context);
    void *context;
} thread_work;

static void *run_thread(void *given) {
    thread_work work = *(thread_work *)given;
    free(given);
    work.body(work.context);
    return NULL;
}

int scenestore_thread_start(void (*body)(void *context), void *context) {
    thread_work *work = malloc(sizeof *work);
    if (work == NULL) { return -ENOMEM; }
    work->body = body;
    work->context = context;
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) {
        free(work);
        return -failure;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    // Signals are for the threads of the app.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    failure = pthread_create(&thread, &attributes, run_thread, work);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (failure != 0) { free(work); }
    return -failure;
}
