#include "cbor_floor.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 64
#define BLOCK (64 * 1024)

/* Arena: a chain of blocks, newest first. */

typedef struct block {
    struct block *next;
    size_t used, size;
    uint8_t bytes[];
} block;

struct cbor_floor_arena {
    block *newest;
};

static block *new_block(block *next, size_t size) {
    block *made = malloc(sizeof(block) + size);
    if (made) {
        made->next = next;
        made->used = 0;
        made->size = size;
    }
    return made;
}

cbor_floor_arena *cbor_floor_arena_create(void) {
    cbor_floor_arena *arena = malloc(sizeof(*arena));
    if (!arena) return NULL;
    arena->newest = new_block(NULL, BLOCK);
    if (!arena->newest) {
        free(arena);
        return NULL;
    }
    return arena;
}

void cbor_floor_arena_reset(cbor_floor_arena *arena) {
    while (arena->newest->next) {
        block *old = arena->newest;
        arena->newest = old->next;
        free(old);
    }
    arena->newest->used = 0;
}

void cbor_floor_arena_destroy(cbor_floor_arena *arena) {
    while (arena->newest) {
        block *old = arena->newest;
        arena->newest = old->next;
        free(old);
    }
    free(arena);
}

static void *take(cbor_floor_arena *arena, size_t size) {
    size = (size + 7) & ~(size_t)7;
    block *newest = arena->newest;
    if (newest->size - newest->used < size) {
        newest = new_block(newest, size > BLOCK ? size : BLOCK);
        if (!newest) return NULL;
        arena->newest = newest;
    }
    void *taken = newest->bytes + newest->used;
    newest->used += size;
    return taken;
}

/* Decoding. */

typedef struct {
    cbor_floor_arena *arena;
    const uint8_t *next, *end;
    int depth;
} reader;

static uint64_t load(const uint8_t *bytes, unsigned width) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (width) {
    case 1: return *bytes;
    case 2: memcpy(&two, bytes, 2); return __builtin_bswap16(two);
    case 4: memcpy(&four, bytes, 4); return __builtin_bswap32(four);
    default: memcpy(&eight, bytes, 8); return __builtin_bswap64(eight);
    }
}

/* A head in its shortest form; floating point numbers keep their width in `info`. */
static int read_head(reader *in, unsigned *major, unsigned *info, uint64_t *argument) {
    if (in->next >= in->end) return 0;
    uint8_t first = *in->next++;
    *major = first >> 5;
    *info = first & 31;
    if (*info < 24) {
        *argument = *info;
        return 1;
    }
    if (*info > 27) return 0;
    unsigned width = 1u << (*info - 24);
    if ((size_t)(in->end - in->next) < width) return 0;
    *argument = load(in->next, width);
    in->next += width;
    if (*major == 7) return *info > 24;
    static const uint64_t least[4] = {24, 0x100, 0x10000, 0x100000000};
    return *argument >= least[*info - 24];
}

static int is_utf8(const uint8_t *text, size_t count) {
    size_t i = 0;
    while (count - i >= 8) {
        uint64_t word;
        memcpy(&word, text + i, 8);
        if (word & 0x8080808080808080u) break;
        i += 8;
    }
    while (i < count) {
        uint8_t c = text[i];
        if (c < 0x80) {
            i += 1;
            continue;
        }
        unsigned more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        if (c < 0xc2 || c > 0xf4 || count - i <= more) return 0;
        uint8_t d = text[i + 1];
        if ((d & 0xc0) != 0x80) return 0;
        if ((c == 0xe0 && d < 0xa0) || (c == 0xed && d > 0x9f) || (c == 0xf0 && d < 0x90)
            || (c == 0xf4 && d > 0x8f))
            return 0;
        for (unsigned k = 2; k <= more; k++)
            if ((text[i + k] & 0xc0) != 0x80) return 0;
        i += more + 1;
    }
    return 1;
}

static int read_bytes(reader *in, uint64_t count, cbor_floor_node *node) {
    if (count > (uint64_t)(in->end - in->next) || count > UINT32_MAX) return 0;
    uint8_t *copy = take(in->arena, count);
    if (!copy) return 0;
    memcpy(copy, in->next, count);
    in->next += count;
    node->count = (uint32_t)count;
    node->as.bytes = copy;
    return 1;
}

static int read_text(reader *in, uint64_t count, cbor_floor_node *node) {
    if (count > (uint64_t)(in->end - in->next)) return 0;
    if (!is_utf8(in->next, count)) return 0;
    node->kind = CBOR_FLOOR_TEXT;
    return read_bytes(in, count, node);
}

static double half_value(uint16_t bits) {
    uint64_t sign = (uint64_t)(bits & 0x8000) << 48, wide;
    unsigned exponent = (bits >> 10) & 31;
    uint64_t fraction = bits & 0x3ff;
    double value;
    if (exponent == 0) {
        value = (double)fraction * 0x1p-24;
        memcpy(&wide, &value, 8);
        wide |= sign;
    } else if (exponent == 31) {
        wide = sign | 0x7ff0000000000000u | fraction << 42;
    } else {
        wide = sign | (uint64_t)(exponent + 1008) << 52 | fraction << 42;
    }
    memcpy(&value, &wide, 8);
    return value;
}

/* The width of the shortest form in bytes, and its bits. */
static unsigned shortest(double value, uint64_t *bits) {
    uint64_t wide;
    memcpy(&wide, &value, 8);
    *bits = wide;
    if (wide & 0x1fffffff) return 8;
    uint32_t single;
    if ((wide & 0x7ff0000000000000u) == 0x7ff0000000000000u) {
        single = ((uint32_t)(wide >> 32) & 0x80000000u) | 0x7f800000u
            | ((uint32_t)(wide >> 29) & 0x7fffffu);
    } else {
        float narrow = (float)value;
        double back = narrow;
        uint64_t again;
        memcpy(&again, &back, 8);
        if (again != wide) return 8;
        memcpy(&single, &narrow, 4);
    }
    *bits = single;
    uint32_t sign = (single >> 16) & 0x8000, exponent = (single >> 23) & 0xff;
    uint32_t fraction = single & 0x7fffff;
    if (exponent == 0) {
        if (fraction) return 4;
        *bits = sign;
        return 2;
    }
    if (exponent >= 103 && exponent <= 112) {
        uint32_t shift = 126 - exponent, whole = fraction | 0x800000;
        if (whole & ((1u << shift) - 1)) return 4;
        *bits = sign | whole >> shift;
        return 2;
    }
    if ((exponent >= 113 && exponent <= 142) || exponent == 255) {
        if (fraction & 0x1fff) return 4;
        uint32_t narrow = exponent == 255 ? 31 : exponent - 112;
        *bits = sign | narrow << 10 | fraction >> 13;
        return 2;
    }
    return 4;
}

static int read_node(reader *in, cbor_floor_node *node);

static int read_items(reader *in, uint64_t count, int is_map, cbor_floor_node *node) {
    uint64_t items = is_map ? count * 2 : count;
    if (count > (uint64_t)(in->end - in->next) || items > (uint64_t)(in->end - in->next)) return 0;
    if (++in->depth > MAX_DEPTH) return 0;
    cbor_floor_node *nodes = take(in->arena, items * sizeof(*nodes));
    if (!nodes) return 0;
    const cbor_floor_node *previous = NULL;
    for (uint64_t i = 0; i < items; i++) {
        if (is_map && !(i & 1)) {
            unsigned major, info;
            uint64_t length;
            if (!read_head(in, &major, &info, &length) || major != 3) return 0;
            if (!read_text(in, length, &nodes[i])) return 0;
            if (previous
                && (previous->count > nodes[i].count
                    || (previous->count == nodes[i].count
                        && memcmp(previous->as.bytes, nodes[i].as.bytes, previous->count) >= 0)))
                return 0;
            previous = &nodes[i];
        } else if (!read_node(in, &nodes[i])) {
            return 0;
        }
    }
    in->depth--;
    node->kind = is_map ? CBOR_FLOOR_MAP : CBOR_FLOOR_ARRAY;
    node->count = (uint32_t)count;
    node->as.items = nodes;
    return 1;
}

static int read_node(reader *in, cbor_floor_node *node) {
    unsigned major, info;
    uint64_t argument;
    if (!read_head(in, &major, &info, &argument)) return 0;
    switch (major) {
    case 0:
    case 1:
        if (argument > INT64_MAX) return 0;
        node->kind = CBOR_FLOOR_INTEGER;
        node->as.integer = major ? ~(int64_t)argument : (int64_t)argument;
        return 1;
    case 2: node->kind = CBOR_FLOOR_DATA; return read_bytes(in, argument, node);
    case 3: return read_text(in, argument, node);
    case 4: return read_items(in, argument, 0, node);
    case 5: return read_items(in, argument, 1, node);
    case 6: {
        cbor_floor_node *content = take(in->arena, sizeof(*content));
        if (argument > UINT32_MAX || !content || ++in->depth > MAX_DEPTH || !read_node(in, content))
            return 0;
        in->depth--;
        node->kind = CBOR_FLOOR_TAG;
        node->count = (uint32_t)argument;
        node->as.items = content;
        return 1;
    }
    default: break;
    }
    if (info < 24) {
        if (argument < 20 || argument > 22) return 0;
        node->kind = argument == 20 ? CBOR_FLOOR_FALSE
            : argument == 21        ? CBOR_FLOOR_TRUE
                                    : CBOR_FLOOR_NULL;
        return 1;
    }
    node->kind = CBOR_FLOOR_DOUBLE;
    if (info == 25) {
        node->as.number = half_value((uint16_t)argument);
    } else if (info == 26) {
        uint32_t bits = (uint32_t)argument;
        float narrow;
        memcpy(&narrow, &bits, 4);
        node->as.number = narrow;
    } else {
        memcpy(&node->as.number, &argument, 8);
    }
    uint64_t bits;
    return shortest(node->as.number, &bits) == 1u << (info - 24);
}

const cbor_floor_node *cbor_floor_decode(
    cbor_floor_arena *arena, const uint8_t *bytes, size_t count) {
    reader in = {arena, bytes, bytes + count, 0};
    cbor_floor_node *root = take(arena, sizeof(*root));
    return root && read_node(&in, root) && in.next == in.end ? root : NULL;
}

/* Encoding. */

typedef struct {
    uint8_t *bytes;
    size_t count, size;
    int depth;
} writer;

static int reserve(writer *out, size_t more) {
    if (out->size - out->count >= more) return 1;
    size_t size = out->size * 2 > out->count + more ? out->size * 2 : out->count + more;
    uint8_t *larger = realloc(out->bytes, size);
    if (!larger) return 0;
    out->bytes = larger;
    out->size = size;
    return 1;
}

static void store(writer *out, uint64_t value, unsigned width) {
    uint8_t *at = out->bytes + out->count;
    uint16_t two = __builtin_bswap16((uint16_t)value);
    uint32_t four = __builtin_bswap32((uint32_t)value);
    uint64_t eight = __builtin_bswap64(value);
    switch (width) {
    case 1: *at = (uint8_t)value; break;
    case 2: memcpy(at, &two, 2); break;
    case 4: memcpy(at, &four, 4); break;
    default: memcpy(at, &eight, 8); break;
    }
    out->count += width;
}

static void write_head(writer *out, unsigned major, uint64_t argument) {
    unsigned info = argument < 24 ? (unsigned)argument
        : argument <= 0xff        ? 24
        : argument <= 0xffff      ? 25
        : argument <= 0xffffffff  ? 26
                                  : 27;
    out->bytes[out->count++] = (uint8_t)(major << 5 | info);
    if (info >= 24) store(out, argument, 1u << (info - 24));
}

static int write_node(writer *out, const cbor_floor_node *node) {
    uint64_t bits;
    unsigned width;
    switch (node->kind) {
    case CBOR_FLOOR_NULL:
    case CBOR_FLOOR_FALSE:
    case CBOR_FLOOR_TRUE:
        if (!reserve(out, 1)) return 0;
        out->bytes[out->count++] = node->kind == CBOR_FLOOR_NULL ? 0xf6
            : node->kind == CBOR_FLOOR_FALSE                     ? 0xf4
                                                                 : 0xf5;
        return 1;
    case CBOR_FLOOR_INTEGER:
        if (!reserve(out, 9)) return 0;
        if (node->as.integer >= 0)
            write_head(out, 0, (uint64_t)node->as.integer);
        else
            write_head(out, 1, (uint64_t)~node->as.integer);
        return 1;
    case CBOR_FLOOR_DOUBLE:
        if (!reserve(out, 9)) return 0;
        width = shortest(node->as.number, &bits);
        out->bytes[out->count++] = width == 2 ? 0xf9 : width == 4 ? 0xfa : 0xfb;
        store(out, bits, width);
        return 1;
    case CBOR_FLOOR_TEXT:
    case CBOR_FLOOR_DATA:
        if (!reserve(out, 9 + (size_t)node->count)) return 0;
        write_head(out, node->kind == CBOR_FLOOR_TEXT ? 3 : 2, node->count);
        memcpy(out->bytes + out->count, node->as.bytes, node->count);
        out->count += node->count;
        return 1;
    case CBOR_FLOOR_TAG:
        if (!reserve(out, 9)) return 0;
        write_head(out, 6, node->count);
        return write_node(out, node->as.items);
    default: break;
    }
    int is_map = node->kind == CBOR_FLOOR_MAP;
    if (!reserve(out, 9) || ++out->depth > MAX_DEPTH) return 0;
    write_head(out, is_map ? 5 : 4, node->count);
    size_t items = is_map ? (size_t)node->count * 2 : node->count;
    for (size_t i = 0; i < items; i++)
        if (!write_node(out, &node->as.items[i])) return 0;
    out->depth--;
    return 1;
}

uint8_t *cbor_floor_encode(const cbor_floor_node *root, size_t *count) {
    writer out = {malloc(1024), 0, 1024, 0};
    if (!out.bytes) return NULL;
    if (!write_node(&out, root)) {
        free(out.bytes);
        return NULL;
    }
    *count = out.count;
    return out.bytes;
}
