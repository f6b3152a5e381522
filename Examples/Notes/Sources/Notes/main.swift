import SceneStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// notes [notes:NAME…] [--safe] [--tray] [--first COUNT] [--editor NAME [--renamed OLD]]
//     [--crash-at NAME]
//
// `--gapplication-service` is how the session bus starts it, and `--describe` prints what the running
// app shows.
var arguments = Array(CommandLine.arguments.dropFirst())
let app = NotesApp(LaunchArguments(taking: &arguments))

switch arguments.first {
case "--describe":
    exit(app.run(asking: ["--describe"]))
case "--gapplication-service":
    // What it is to open comes by the bus.
    exit(app.run(isService: true))
default:
    do throws(SceneStoreError) {
        guard try app.begin(arguments.map { OpenURLContext(url: $0) }) else {
            exit(0)
        }
    } catch {
        print("notes: \(error)")
        exit(1)
    }
    exit(app.run())
}
