// Tells the thread sanitizer of the locks of Swift's Synchronization. The quick path of `Mutex` is
// compiled into each module, where the sanitizer sees its atomic operations; the path that waits is
// in a library of the toolchain, where it sees nothing and reports what the lock guards. These two
// functions stand before the library's own, do what they do, and say what they mean.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Absent in a program that was not built for the sanitizer.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void Lock(uint32_t, __attribute__((swift_context)) void *);
typedef __attribute__((swiftcall)) void Unlock(__attribute__((swift_context)) void *);

Lock lock_slow __asm__(LOCK);
Unlock unlock_slow __asm__(UNLOCK);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        abort();
    }
    return function;
}

__attribute__((swiftcall)) void
lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((Lock *)next(LOCK))(thread, mutex);
    if (__tsan_acquire) {
        __tsan_acquire(mutex);
    }
}

__attribute__((swiftcall)) void
unlock_slow(__attribute__((swift_context)) void *mutex) {
    if (__tsan_release) {
        __tsan_release(mutex);
    }
    ((Unlock *)next(UNLOCK))(mutex);
}
