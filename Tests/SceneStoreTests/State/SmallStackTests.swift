import SceneStore
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// States of the deepest kind on a thread with a small stack, as macOS gives it to every thread but the first.
@Suite("small stacks")
struct SmallStackTests {
    /// What the thread does, and what came of it.
    private final class Work {
        let body: () throws -> Void
        var failure: (any Error)?
        var hasEnded = false

        init(_ body: @escaping () throws -> Void) {
            self.body = body
        }

        func run() {
            do {
                try body()
            } catch {
                failure = error
            }
            hasEnded = true
        }
    }

    /// Runs work on a thread whose stack has so many bytes, until it has ended.
    private func onThread(stack bytes: Int, _ body: @escaping () throws -> Void) throws {
        let work = Work(body)
        let context = Unmanaged.passRetained(work).toOpaque()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        try #require(pthread_attr_setstacksize(&attributes, bytes) == 0)
        #if canImport(Darwin)
            var thread: pthread_t?
            let made = pthread_create(
                &thread, &attributes,
                { context in
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context)
            let begun = try #require(made == 0 ? thread : nil)
        #else
            var begun = pthread_t()
            let made = pthread_create(
                &begun, &attributes,
                { context in
                    if let context {
                        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    }
                    return nil
                }, context)
            try #require(made == 0)
        #endif
        pthread_join(begun, nil)
        if let failure = work.failure {
            throw failure
        }
        #expect(work.hasEnded)
    }

    /// Arrays in arrays, so many levels with the dictionary around them.
    private func activity(levels: Int) throws -> UserActivity {
        var value = Value.string("innermost")
        for _ in 1..<levels {
            value = .array([value])
        }
        return try UserActivity(activityType: "com.example.deep", userInfo: ["deep": value])
    }

    @Test(
        "R-30 the deepest state is stored and read on a stack of 512 KB, and a deeper one refused")
    func deepest() throws {
        try onThread(stack: 512 << 10) {
            let store = try SceneSessionStore.open(at: .memory)
            let deepest = try self.activity(levels: Limits().depth)
            try store.saveActivity(deepest)
            #expect(throws: SceneStoreError(.limitExceeded, "")) {
                try store.saveActivity(try self.activity(levels: Limits().depth + 1))
            }
            #expect(try store.savedActivities().map(\.userInfo) == [deepest.userInfo])
            try store.close()
        }
    }
}
