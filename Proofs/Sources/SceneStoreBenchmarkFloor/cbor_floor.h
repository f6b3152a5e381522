/* The floor of the value codec: the same format, read into and written from an arena by plain C.
 *
 * It makes the same checks as the Swift decoder's strict mode for the kinds that a state is made
 * of (null, Booleans, integers, floating point numbers, text, data, arrays, maps with text keys,
 * and tags as pairs of number and content), and copies texts, as the Swift decoder does. It exists
 * to be compared with, and for nothing else. */
#ifndef SCENESTORE_CBOR_FLOOR_H
#define SCENESTORE_CBOR_FLOOR_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CBOR_FLOOR_NULL,
    CBOR_FLOOR_FALSE,
    CBOR_FLOOR_TRUE,
    CBOR_FLOOR_INTEGER,
    CBOR_FLOOR_DOUBLE,
    CBOR_FLOOR_TEXT,
    CBOR_FLOOR_DATA,
    CBOR_FLOOR_ARRAY,
    CBOR_FLOOR_MAP,
    CBOR_FLOOR_TAG
} cbor_floor_kind;

typedef struct cbor_floor_node {
    uint32_t kind;
    /* Bytes of a text or of data, elements, or pairs; the number of a tag. */
    uint32_t count;
    union {
        int64_t integer;
        double number;
        const uint8_t *bytes;
        /* Elements; keys and values in turn; a tag's content. */
        const struct cbor_floor_node *items;
    } as;
} cbor_floor_node;

typedef struct cbor_floor_arena cbor_floor_arena;

cbor_floor_arena *cbor_floor_arena_create(void);
/* Forgets everything and keeps the memory. */
void cbor_floor_arena_reset(cbor_floor_arena *arena);
void cbor_floor_arena_destroy(cbor_floor_arena *arena);

/* NULL when the bytes are not one value in the stored form. */
const cbor_floor_node *cbor_floor_decode(
    cbor_floor_arena *arena, const uint8_t *bytes, size_t count);

/* Writes into a new block that the caller frees; NULL when memory is out or the depth too great. */
uint8_t *cbor_floor_encode(const cbor_floor_node *root, size_t *count);

#endif
