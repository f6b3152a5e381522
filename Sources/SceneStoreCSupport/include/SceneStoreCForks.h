#ifndef SCENESTORE_CFORKS_H
#define SCENESTORE_CFORKS_H

// The descriptors that a forked child must not keep; SceneStoreCSupport.c closes them inside fork().

#include <stdbool.h>

// No fork happens between these two.
void scenestore_registry_lock(void);
void scenestore_registry_unlock(void);

// Makes room for one more, or -ENOMEM. While it is locked.
int scenestore_registry_reserve(void);

// Lists a descriptor that was made since the registry was locked, and room was made.
void scenestore_registry_add(int descriptor);

// Takes a descriptor off the list; false when a fork has closed it already. While it is locked.
bool scenestore_registry_remove(int descriptor);

#endif
