import SceneStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// notes [notes:NAME…] [--editor NAME [--renamed OLD]]
//
// `--editor` and `--renamed` play an update that gives the editor's configuration another name.
// `--gapplication-service` is how the session bus starts it, and `--describe` prints what the running
// app shows.
var arguments = Array(CommandLine.arguments.dropFirst())

func takeOption(_ name: String, from arguments: inout [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
        return nil
    }
    defer { arguments.removeSubrange(index...(index + 1)) }
    return arguments[index + 1]
}

let editorName = takeOption("--editor", from: &arguments) ?? "Editor"
let renames = takeOption("--renamed", from: &arguments).map { [$0: editorName] } ?? [:]
let app = NotesApp(editorName: editorName, renames: renames)

switch arguments.first {
case "--describe":
    exit(app.run(asking: ["--describe"]))
case "--gapplication-service":
    // What it is to open comes by the bus.
    exit(app.run(isService: true))
default:
    do throws(SceneStoreError) {
        guard try app.start(arguments.map { OpenURLContext(url: $0) }) else {
            exit(0)
        }
    } catch {
        print("notes: \(error)")
        exit(1)
    }
    exit(app.run())
}
