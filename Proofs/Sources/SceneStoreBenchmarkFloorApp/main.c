#include <SceneStoreBenchmarkFloor.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The process in C that the benchmarks hold the least app against: it opens the same store as its
// next owner, decodes the state of the window in front, or of all, and closes.
//
//     SceneStoreBenchmarkFloorApp STORE front|all SCHEMA-DIGEST

int main(int count, char **arguments) {
    if (count != 4) return 2;
    floor_store *store =
        floor_open(arguments[1], NULL, strtoull(arguments[3], NULL, 10), 1767225600000);
    int64_t sum = 0, scenes = 1;
    uint64_t first = 0;
    int is_done = store && floor_decode_front(store, "serial", &sum);
    if (is_done) first = floor_now();
    if (is_done && !strcmp(arguments[2], "all")) {
        floor_skeleton *skeleton = floor_read_skeleton(store);
        scenes = skeleton ? floor_decode_states(store, skeleton, "serial", &sum) : -1;
        floor_skeleton_free(skeleton);
    }
    uint64_t all = floor_now();
    if (!is_done || scenes < 0 || !floor_close(store)) {
        fprintf(stderr, "failed: %s\n", floor_error());
        return 1;
    }
    fprintf(
        stderr, "first=%" PRIu64 " all=%" PRIu64 " scenes=%" PRId64 " sum=%" PRId64
        " read=%" PRId64 " peak=%" PRId64 "\n",
        first, all, scenes, sum, floor_read_bytes(), floor_peak_memory());
    return 0;
}
