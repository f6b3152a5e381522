#include "FaultRandom.h"
#include "FaultState.h"

#include <stdlib.h>

// A recording of every change to a disk from some state on. Walking it again costs a few
// microseconds a change, so that every cut point of a workload can be tried many times without
// running the workload again.

typedef struct step {
    int kind;
    uint64_t inode;
    uint64_t value;
    ssf_buffer *buffer;
    char *name, *target;
} step;

struct ssf_trace {
    atomic_uint references;
    ssf_state *base; // never changed: walkers on several threads clone it
    step *steps;
    size_t count, room;
};

struct ssf_replay {
    ssf_trace *trace;
    ssf_state *state;
    size_t position;
    uint64_t mark;
};

ssf_trace *ssf_trace_create(const ssf_state *base) {
    ssf_trace *trace = ssf_allocate(sizeof *trace);
    atomic_init(&trace->references, 1);
    trace->base = ssf_state_clone(base);
    return trace;
}

void ssf_trace_append(
    ssf_trace *trace, int kind, uint64_t inode, uint64_t value, ssf_buffer *buffer,
    const char *name, const char *target) {
    if (!trace) return;
    if (trace->count == trace->room) {
        trace->room = trace->room * 2 + 64;
        trace->steps = ssf_reallocate(trace->steps, trace->room * sizeof *trace->steps);
    }
    trace->steps[trace->count++] = (step){
        .kind = kind,
        .inode = inode,
        .value = value,
        .buffer = buffer ? ssf_buffer_retain(buffer) : NULL,
        .name = name ? ssf_duplicate(name) : NULL,
        .target = target ? ssf_duplicate(target) : NULL,
    };
}

void ssf_trace_release(ssf_trace *trace) {
    if (!trace
        || atomic_fetch_sub_explicit(&trace->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    for (size_t index = 0; index < trace->count; index++) {
        ssf_buffer_release(trace->steps[index].buffer);
        free(trace->steps[index].name);
        free(trace->steps[index].target);
    }
    free(trace->steps);
    ssf_state_free(trace->base);
    free(trace);
}

size_t ssf_trace_count(const ssf_trace *trace) { return trace->count; }

uint64_t ssf_cut_seed(uint64_t seed, uint64_t position, uint64_t outcome) {
    return ssf_seed(seed, 4, position, outcome);
}

// MARK: Walking

ssf_replay *ssf_replay_create(ssf_trace *trace) {
    ssf_replay *replay = ssf_allocate(sizeof *replay);
    atomic_fetch_add_explicit(&trace->references, 1, memory_order_relaxed);
    replay->trace = trace;
    replay->state = ssf_state_clone(trace->base);
    // What the settings made of each operation was recorded; it must not be applied again.
    if (replay->state->settings.directory == SSF_DIRECTORY_IMMEDIATE) {
        replay->state->settings.directory = SSF_DIRECTORY_STRICT;
    }
    return replay;
}

void ssf_replay_release(ssf_replay *replay) {
    if (!replay) return;
    ssf_state_free(replay->state);
    ssf_trace_release(replay->trace);
    free(replay);
}

size_t ssf_replay_position(const ssf_replay *replay) { return replay->position; }

uint64_t ssf_replay_mark(const ssf_replay *replay) { return replay->mark; }

ssf_state *ssf_replay_cut(const ssf_replay *replay, uint64_t seed, int mode) {
    ssf_state *state = ssf_state_cut(replay->state, seed, mode);
    state->settings = replay->trace->base->settings;
    return state;
}

bool ssf_replay_is_before_mark(const ssf_replay *replay) {
    return replay->position < replay->trace->count
           && replay->trace->steps[replay->position].kind == SSF_STEP_MARK;
}

bool ssf_replay_advance(ssf_replay *replay) {
    if (replay->position >= replay->trace->count) return false;
    const step *step = &replay->trace->steps[replay->position++];
    ssf_state *state = replay->state;
    // A file that was unlinked everywhere may still be written through its handle; a walk has no
    // handles, so such a file is gone here, and nothing of it could outlive a cut.
    ssf_inode *inode = step->inode ? ssf_state_find(state, step->inode) : NULL;
    switch (step->kind) {
    case SSF_STEP_MAKE:
        state->nextIdentifier = step->inode;
        ssf_state_make(state, step->name);
        break;
    case SSF_STEP_UNLINK:
        ssf_state_unlink(state, step->name);
        break;
    case SSF_STEP_RENAME:
        ssf_state_rename(state, step->name, step->target);
        break;
    case SSF_STEP_SYNC_DIRECTORY:
        ssf_state_sync_directory(state, step->name);
        break;
    case SSF_STEP_WRITE:
        if (inode) ssf_state_write(state, inode, step->value, step->buffer);
        break;
    case SSF_STEP_RESIZE:
        if (inode) ssf_state_resize(state, inode, step->value);
        break;
    case SSF_STEP_SYNC:
        if (inode) ssf_state_sync(state, inode);
        break;
    case SSF_STEP_SYNC_ENTRY:
        if (inode) ssf_state_sync_entry(state, inode);
        break;
    case SSF_STEP_FORGET:
        if (inode) ssf_state_forget(state, inode);
        break;
    case SSF_STEP_DROP_CACHE:
        ssf_state_drop_cache(state);
        break;
    default:
        replay->mark = step->value;
    }
    return true;
}
