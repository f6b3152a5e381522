#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "SceneStoreCSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { most = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t inbound = -1;
static pid_t watcher;
static int watched[most];
static struct sigaction before[most];
static int watched_count;

// Only what POSIX allows in a handler.
static void note(int number) {
    int kept = errno;
    if (getpid() != watcher) {
        // A forked child is not the app: the signal is its own.
        signal(number, SIG_DFL);
        raise(number);
    } else {
        unsigned char byte = (unsigned char)number;
        ssize_t written = write(inbound, &byte, 1);
        (void)written;
    }
    errno = kept;
}

static int make_pipe(int ends[2]) {
    if (pipe(ends) != 0) { return -errno; }
    for (int place = 0; place < 2; place++) { fcntl(ends[place], F_SETFD, FD_CLOEXEC); }
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    return 0;
}

static void restore(void) {
    for (int place = 0; place < watched_count; place++) {
        struct sigaction now;
        if (sigaction(watched[place], NULL, &now) == 0 && now.sa_handler == note) {
            sigaction(watched[place], &before[place], NULL);
        }
    }
    watched_count = 0;
}

static int watch(const int *signals, int count) {
    if (inbound >= 0 && watcher == getpid()) { return -EBUSY; }
    if (count > most) { return -EINVAL; }
    int ends[2];
    int failure = make_pipe(ends);
    if (failure != 0) { return failure; }
    watcher = getpid();
    inbound = ends[1];
    watched_count = 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (int place = 0; place < count; place++) {
        struct sigaction old;
        failure = sigaction(signals[place], NULL, &old);
        if (failure == 0 && old.sa_handler == SIG_IGN) { continue; }
        if (failure == 0) { failure = sigaction(signals[place], &action, NULL); }
        if (failure != 0) {
            failure = -errno;
            restore();
            inbound = -1;
            close(ends[0]);
            close(ends[1]);
            return failure;
        }
        watched[watched_count] = signals[place];
        before[watched_count] = old;
        watched_count++;
    }
    return ends[0];
}

int scenestore_signals_watch(const int *signals, int count) {
    pthread_mutex_lock(&lock);
    int result = watch(signals, count);
    pthread_mutex_unlock(&lock);
    return result;
}

int scenestore_signals_next(int descriptor) {
    unsigned char byte = 0;
    ssize_t count;
    do { count = read(descriptor, &byte, 1); } while (count < 0 && errno == EINTR);
    if (count == 1) { return byte; }
    close(descriptor);
    return 0;
}

void scenestore_signals_unwatch(void) {
    pthread_mutex_lock(&lock);
    int end = inbound;
    restore();
    inbound = -1;
    if (end >= 0) { close(end); }
    pthread_mutex_unlock(&lock);
}

void scenestore_signals_die(int number) {
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    // To the process, not to this thread, which may take none.
    kill(getpid(), number);
    // The first process of a container is not killed by its own signal.
    if (getpid() == 1) { _exit(128 + number); }
    for (;;) { pause(); }
}

int scenestore_is_main_thread(void) {
#ifdef __linux__
    return syscall(SYS_gettid) == getpid();
#else
    return pthread_main_np();
#endif
}
