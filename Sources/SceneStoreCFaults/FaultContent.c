#include "FaultContent.h"

#include <stdlib.h>
#include <string.h>

#include "SceneStoreCFaults.h"

void *ssf_allocate(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory) abort();
    return memory;
}

void *ssf_reallocate(void *memory, size_t size) {
    void *result = realloc(memory, size ? size : 1);
    if (!result) abort();
    return result;
}

char *ssf_duplicate(const char *text) {
    size_t length = strlen(text) + 1;
    return memcpy(ssf_allocate(length), text, length);
}

void ssf_free(void *memory) { free(memory); }

ssf_buffer *ssf_buffer_create(const void *bytes, size_t length) {
    ssf_buffer *buffer = ssf_reallocate(NULL, sizeof *buffer + length);
    atomic_init(&buffer->references, 1);
    buffer->length = length;
    if (length) memcpy(buffer->bytes, bytes, length);
    return buffer;
}

ssf_buffer *ssf_buffer_retain(ssf_buffer *buffer) {
    atomic_fetch_add_explicit(&buffer->references, 1, memory_order_relaxed);
    return buffer;
}

void ssf_buffer_release(ssf_buffer *buffer) {
    if (buffer
        && atomic_fetch_sub_explicit(&buffer->references, 1, memory_order_acq_rel) == 1) {
        free(buffer);
    }
}

static ssf_block *retain(ssf_block *block) {
    if (block) atomic_fetch_add_explicit(&block->references, 1, memory_order_relaxed);
    return block;
}

static void release(ssf_block *block) {
    if (block
        && atomic_fetch_sub_explicit(&block->references, 1, memory_order_acq_rel) == 1) {
        free(block);
    }
}

static ssf_block *create(void) {
    ssf_block *block = ssf_reallocate(NULL, sizeof *block);
    atomic_init(&block->references, 1);
    atomic_init(&block->digest, 0);
    return block;
}

static void set_count(ssf_content *content, size_t count) {
    while (content->count > count) release(content->blocks[--content->count]);
    if (count > content->room) {
        size_t room = content->room * 2 > count ? content->room * 2 : count + 4;
        content->blocks = ssf_reallocate(content->blocks, room * sizeof *content->blocks);
        content->room = room;
    }
    while (content->count < count) content->blocks[content->count++] = NULL;
}

// A block that nobody else sees, for writing. `whole` spares the copy that would be overwritten.
static uint8_t *writable(ssf_content *content, size_t index, bool whole) {
    ssf_block *block = content->blocks[index];
    if (block && atomic_load_explicit(&block->references, memory_order_acquire) == 1) {
        atomic_store_explicit(&block->digest, 0, memory_order_relaxed);
        return block->bytes;
    }
    ssf_block *own = create();
    if (!whole) {
        if (block) {
            memcpy(own->bytes, block->bytes, SSF_BLOCK_SIZE);
        } else {
            memset(own->bytes, 0, SSF_BLOCK_SIZE);
        }
    }
    release(block);
    content->blocks[index] = own;
    return own->bytes;
}

void ssf_content_clone(ssf_content *into, const ssf_content *from) {
    into->count = from->count;
    into->room = from->count;
    into->size = from->size;
    into->blocks = NULL;
    if (!from->count) return;
    into->blocks = ssf_reallocate(NULL, from->count * sizeof *into->blocks);
    for (size_t index = 0; index < from->count; index++) {
        into->blocks[index] = retain(from->blocks[index]);
    }
}

void ssf_content_clear(ssf_content *content) {
    set_count(content, 0);
    free(content->blocks);
    *content = (ssf_content){0};
}

void ssf_content_resize(ssf_content *content, uint64_t size) {
    uint64_t old = content->size;
    set_count(content, (size_t)((size + SSF_BLOCK_SIZE - 1) / SSF_BLOCK_SIZE));
    size_t tail = (size_t)(size % SSF_BLOCK_SIZE);
    // What is cut off must read as zeros when the file grows again.
    if (size < old && tail && content->blocks[content->count - 1]) {
        uint8_t *bytes = writable(content, content->count - 1, false);
        memset(bytes + tail, 0, SSF_BLOCK_SIZE - tail);
    }
    content->size = size;
}

size_t ssf_content_read(
    const ssf_content *content, uint64_t offset, void *bytes, size_t length) {
    if (offset >= content->size) return 0;
    if (length > content->size - offset) length = (size_t)(content->size - offset);
    uint8_t *to = bytes;
    for (size_t done = 0; done < length;) {
        size_t inside = (size_t)((offset + done) % SSF_BLOCK_SIZE);
        size_t part = SSF_BLOCK_SIZE - inside;
        if (part > length - done) part = length - done;
        const ssf_block *block = content->blocks[(offset + done) / SSF_BLOCK_SIZE];
        if (block) {
            memcpy(to + done, block->bytes + inside, part);
        } else {
            memset(to + done, 0, part);
        }
        done += part;
    }
    return length;
}

void ssf_content_write(
    ssf_content *content, uint64_t offset, const void *bytes, size_t length) {
    if (!length) return;
    if (offset + length > content->size) ssf_content_resize(content, offset + length);
    const uint8_t *from = bytes;
    for (size_t done = 0; done < length;) {
        size_t inside = (size_t)((offset + done) % SSF_BLOCK_SIZE);
        size_t part = SSF_BLOCK_SIZE - inside;
        if (part > length - done) part = length - done;
        size_t index = (size_t)((offset + done) / SSF_BLOCK_SIZE);
        uint8_t *to = writable(content, index, part == SSF_BLOCK_SIZE);
        memcpy(to + inside, from + done, part);
        done += part;
    }
}

static uint64_t mixed(uint64_t value) {
    value ^= value >> 31;
    value *= UINT64_C(0x7fb5d329728ea185);
    value ^= value >> 27;
    value *= UINT64_C(0x81dadef4bc2dd44d);
    return value ^ value >> 33;
}

static uint64_t block_digest(ssf_block *block) {
    uint64_t known = atomic_load_explicit(&block->digest, memory_order_relaxed);
    if (known) return known;
    uint64_t lanes[4] = {1, 2, 3, 4};
    for (size_t offset = 0; offset < SSF_BLOCK_SIZE; offset += sizeof lanes) {
        uint64_t words[4];
        memcpy(words, block->bytes + offset, sizeof words);
        for (size_t lane = 0; lane < 4; lane++) {
            lanes[lane] = (lanes[lane] ^ words[lane]) * UINT64_C(0x9e3779b97f4a7c15);
            lanes[lane] ^= lanes[lane] >> 29;
        }
    }
    known = mixed(lanes[0] ^ mixed(lanes[1] ^ mixed(lanes[2] ^ mixed(lanes[3])))) | 1;
    atomic_store_explicit(&block->digest, known, memory_order_relaxed);
    return known;
}

uint64_t ssf_content_digest(const ssf_content *content) {
    uint64_t digest = mixed(content->size + 1);
    for (size_t index = 0; index < content->count; index++) {
        ssf_block *block = content->blocks[index];
        digest = mixed(digest + (block ? block_digest(block) : 2) + index);
    }
    return digest;
}

void ssf_content_share(ssf_content *into, const ssf_content *from, size_t index) {
    if (index >= into->count) set_count(into, index + 1);
    ssf_block *block = index < from->count ? retain(from->blocks[index]) : NULL;
    release(into->blocks[index]);
    into->blocks[index] = block;
}
