#ifndef SCENESTORE_C_SIGNALS_H
#define SCENESTORE_C_SIGNALS_H

// Signals that ask the process to end, brought to a thread that waits for them. The handler writes one
// byte into a pipe and does nothing else. A signal that is ignored stays ignored; one that comes a
// second time does what it does by default.

// Begins to watch, once in a process; the descriptor to wait at, or a negated errno: EBUSY when
// signals are watched already, EINVAL when one can't be caught or there are more than eight; none is
// watched then.
int scenestore_signals_watch(const int *signals, int count);

// Waits for a signal and returns its number; 0 once nobody watches any more.
int scenestore_signals_next(int descriptor);

// Ends watching: signals do what they did before. The descriptor is closed by whoever waits at it.
void scenestore_signals_unwatch(void);

// Ends the process by a signal's default action.
void scenestore_signals_die(int signal);

// Whether the caller is on the process's first thread.
int scenestore_is_main_thread(void);

#endif
