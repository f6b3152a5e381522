#ifndef SCENESTORE_FAULT_CONTENT_H
#define SCENESTORE_FAULT_CONTENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes of a file as blocks that are shared until one side writes. Cloning a disk costs a
// pointer and a count for each block, which is what makes a power cut cheap.

#define SSF_BLOCK_SIZE 4096u
// A hostile database can make SQLite write far out; past this a write is out of space.
#define SSF_FILE_LIMIT ((uint64_t)1 << 30)

typedef struct ssf_block {
    atomic_uint references;
    // Of the bytes, 0 until somebody asks and after each write.
    _Atomic uint64_t digest;
    uint8_t bytes[SSF_BLOCK_SIZE];
} ssf_block;

typedef struct ssf_content {
    ssf_block **blocks; // NULL stands for a block of zeros
    size_t count;
    size_t room;
    uint64_t size;
} ssf_content;

// The bytes of one write, shared by the list of unsynced changes and the recording.
typedef struct ssf_buffer {
    atomic_uint references;
    size_t length;
    uint8_t bytes[];
} ssf_buffer;

// Zeroed memory, or the end of the process.
void *ssf_allocate(size_t size);
void *ssf_reallocate(void *memory, size_t size);
char *ssf_duplicate(const char *text);

ssf_buffer *ssf_buffer_create(const void *bytes, size_t length);
ssf_buffer *ssf_buffer_retain(ssf_buffer *buffer);
void ssf_buffer_release(ssf_buffer *buffer);

void ssf_content_clone(ssf_content *into, const ssf_content *from);
void ssf_content_clear(ssf_content *content);
void ssf_content_resize(ssf_content *content, uint64_t size);
// Copies what there is and returns how much; the rest of `bytes` is left alone.
size_t ssf_content_read(const ssf_content *content, uint64_t offset, void *bytes, size_t length);
void ssf_content_write(
    ssf_content *content, uint64_t offset, const void *bytes, size_t length);
// A number that differs, except by chance, whenever the bytes do. Shared blocks are read
// once for all who share them.
uint64_t ssf_content_digest(const ssf_content *content);
// Makes one block of `into` the block of `from`, growing the list but not the size.
void ssf_content_share(ssf_content *into, const ssf_content *from, size_t index);

#endif
