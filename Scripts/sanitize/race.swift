// The control of Scripts/sanitize.sh: what a lock guards must not be reported, and what none guards
// must be.
import Dispatch
import Synchronization

let guarded = Mutex(0)
nonisolated(unsafe) var unguarded = 0
let isRacing = CommandLine.arguments.count > 1
DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<20_000 {
        guarded.withLock { $0 += 1 }
        if isRacing {
            unguarded += 1
        }
    }
}
print(guarded.withLock { $0 } + unguarded)
