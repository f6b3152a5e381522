#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCSystemFaults.h"
#include "Replacing.h"

#if defined(REPLACES)

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

// One programme for the process: both ends of a conversation are in it, on several threads. Only
// calls that have something to do are counted, so that the n-th one is the same in every run,
// however the threads take turns. An owner's end that fails waits first until the asker has sent its
// request: whether it has is no chance either.
static struct {
    bool armed;
    int call;
    int effect;
    int error;
    uint64_t first;
    uint64_t last;
    uint64_t count;
    uint64_t hits;
    // Which end a descriptor is.
    unsigned char ends[1024];
} programme;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { END_NONE = 0, END_ASKER, END_OWNER };

void ssf_socket_arm(int call, uint64_t first, uint64_t times, int effect, int error) {
    pthread_mutex_lock(&lock);
    memset(&programme, 0, sizeof programme);
    programme.call = call;
    programme.first = first;
    programme.last = first + times - 1;
    programme.effect = effect;
    programme.error = error;
    programme.armed = true;
    pthread_mutex_unlock(&lock);
}

uint64_t ssf_socket_disarm(void) {
    pthread_mutex_lock(&lock);
    programme.armed = false;
    uint64_t hits = programme.hits;
    pthread_mutex_unlock(&lock);
    return hits;
}

// Whether a call is hit that would do something.
static bool is_hit(int call) {
    pthread_mutex_lock(&lock);
    bool hit = false;
    if (programme.armed && programme.call == call) {
        programme.count += 1;
        hit = programme.count >= programme.first && programme.count <= programme.last;
        if (hit) { programme.hits += 1; }
    }
    pthread_mutex_unlock(&lock);
    return hit;
}

static int end_of(int file) {
    pthread_mutex_lock(&lock);
    int end = programme.armed && file >= 0 && (size_t)file < sizeof programme.ends
        ? programme.ends[file] : END_NONE;
    pthread_mutex_unlock(&lock);
    return end;
}

static void note_end(int file, int end) {
    pthread_mutex_lock(&lock);
    if (file >= 0 && (size_t)file < sizeof programme.ends) {
        programme.ends[file] = (unsigned char)end;
    }
    pthread_mutex_unlock(&lock);
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (real == NULL) { real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); }

#define FAIL \
    do { \
        errno = programme.error; \
        return -1; \
    } while (0)

// Waits until the other end has sent something, or is gone.
static void wait_for_peer(int file) {
    struct pollfd waiting = {.fd = file, .events = POLLIN, .revents = 0};
    while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {}
}

int listen(int file, int room) {
    REAL(listen)
    if (!is_hit(SSF_SOCKET_LISTEN)) { return real(file, room); }
    if (programme.effect == SSF_CALL_DONE) { real(file, room); }
    FAIL;
}

int connect(int file, const struct sockaddr *address, socklen_t length) {
    REAL(connect)
    bool hit = is_hit(SSF_SOCKET_CONNECT);
    if (hit && (programme.effect == SSF_CALL_REFUSED || programme.effect == SSF_CALL_SHORT)) {
        FAIL;
    }
    int result = real(file, address, length);
    if (result != 0) { return result; }
    note_end(file, END_ASKER);
    if (hit && programme.effect == SSF_CALL_DONE) { FAIL; }
    if (hit) { shutdown(file, SHUT_RDWR); }
    return result;
}

int accept4(int file, struct sockaddr *address, socklen_t *length, int flags) {
    REAL(accept4)
    struct pollfd waiting = {.fd = file, .events = POLLIN, .revents = 0};
    bool hit = poll(&waiting, 1, 0) == 1 && is_hit(SSF_SOCKET_ACCEPT);
    if (hit && (programme.effect == SSF_CALL_REFUSED || programme.effect == SSF_CALL_SHORT)) {
        FAIL;
    }
    int peer = real(file, address, length, flags);
    if (peer < 0) { return peer; }
    if (hit) { wait_for_peer(peer); }
    if (hit && programme.effect == SSF_CALL_DONE) {
        close(peer);
        FAIL;
    }
    note_end(peer, END_OWNER);
    if (hit) { shutdown(peer, SHUT_RDWR); }
    return peer;
}

static size_t half(size_t count) { return count > 1 ? count / 2 : count; }

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    REAL(send)
    int end = end_of(file);
    if (end == END_NONE || !is_hit(end == END_ASKER ? SSF_SOCKET_ASK : SSF_SOCKET_ANSWER)) {
        return real(file, bytes, count, flags);
    }
    switch (programme.effect) {
    case SSF_CALL_REFUSED: FAIL;
    case SSF_CALL_DONE: real(file, bytes, count, flags); FAIL;
    case SSF_CALL_SHORT: return real(file, bytes, half(count), flags);
    default: {
        ssize_t sent = real(file, bytes, half(count), flags);
        shutdown(file, SHUT_RDWR);
        return sent;
    }
    }
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
    REAL(recv)
    int end = end_of(file);
    char one;
    if (end == END_NONE || real(file, &one, 1, MSG_PEEK | MSG_DONTWAIT) != 1
        || !is_hit(end == END_ASKER ? SSF_SOCKET_LEARN : SSF_SOCKET_HEAR)) {
        return real(file, bytes, count, flags);
    }
    if (programme.effect == SSF_CALL_REFUSED) { FAIL; }
    // What is there is less than a buffer, as a rule.
    ssize_t there = real(file, bytes, count, MSG_PEEK | MSG_DONTWAIT);
    switch (programme.effect) {
    case SSF_CALL_DONE: real(file, bytes, count, flags); FAIL;
    case SSF_CALL_SHORT: return real(file, bytes, half((size_t)there), flags);
    default: {
        ssize_t received = real(file, bytes, half((size_t)there), flags);
        shutdown(file, SHUT_RDWR);
        return received;
    }
    }
}

#else

void ssf_socket_arm(int call, uint64_t first, uint64_t times, int effect, int error) {
    (void)call;
    (void)first;
    (void)times;
    (void)effect;
    (void)error;
}

uint64_t ssf_socket_disarm(void) {
    return 0;
}

#endif
