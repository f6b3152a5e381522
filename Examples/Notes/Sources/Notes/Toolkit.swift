import CGtk
import SceneStore
import SceneStoreInstance

/// Signals of GObject, by the shapes of their handlers. The data is a Swift object, not retained:
/// it outlives what it listens to.
enum Signal {
    typealias Plain = @convention(c) (gpointer?, gpointer?) -> Void
    typealias Detailed = @convention(c) (gpointer?, gpointer?, gpointer?) -> Void
    typealias Response = @convention(c) (gpointer?, gint, gpointer?) -> Void
    typealias Question = @convention(c) (gpointer?, gpointer?) -> gboolean
    typealias Filter = @convention(c) (gpointer?, gpointer?, gpointer?) -> gboolean
    typealias Answering = @convention(c) (gpointer?, gpointer?, gpointer?) -> gint
    typealias Opening =
        @convention(c) (
            gpointer?, UnsafeMutablePointer<OpaquePointer?>?, gint, UnsafePointer<CChar>?, gpointer?
        ) -> Void

    static func connect<Handler>(
        _ source: UnsafeMutableRawPointer, _ name: String, _ object: AnyObject, _ handler: Handler
    ) {
        notes_connect(
            source, name, unsafeBitCast(handler, to: GCallback.self),
            Unmanaged.passUnretained(object).toOpaque())
    }
}

extension Optional where Wrapped == UnsafeMutableRawPointer {
    /// The Swift object that a handler was connected with.
    func object<Object: AnyObject>(_ type: Object.Type) -> Object? {
        self.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// GObject's casts, which are macros in C.
func cast<Target>(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Target> {
    pointer.assumingMemoryBound(to: Target.self)
}

/// Timers on GLib's main loop, which is where the app lives.
final class MainLoopScheduler: SceneScheduler {
    func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        g_timeout_add_full(
            G_PRIORITY_DEFAULT, guint(clamping: milliseconds),
            { data in
                data.object(ScheduledWork.self)?.perform()
                return 0
            }, Unmanaged.passRetained(scheduled).toOpaque(),
            { data in
                if let data {
                    Unmanaged<ScheduledWork>.fromOpaque(data).release()
                }
            })
        return scheduled
    }
}

extension ApplicationExecutor {
    private final class Work: Sendable {
        let perform: @Sendable () -> Void

        init(_ perform: @escaping @Sendable () -> Void) {
            self.perform = perform
        }
    }

    /// Performs on GLib's main loop what other threads ask for.
    static let mainLoop = ApplicationExecutor { work in
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { data in
                data.object(Work.self)?.perform()
                return 0
            }, Unmanaged.passRetained(Work(work)).toOpaque(),
            { data in
                if let data {
                    Unmanaged<Work>.fromOpaque(data).release()
                }
            })
    }
}
