#ifndef SCENESTORE_REPLACING_H
#define SCENESTORE_REPLACING_H

// Whether this program's functions stand in front of the C library's: only where the GNU C library
// is linked dynamically, and without sanitizers, which do the same.

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)
#include <features.h>
#if defined(__GLIBC__)
#define REPLACES 1
#endif
#endif

#endif
