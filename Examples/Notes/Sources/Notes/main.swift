#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// notes --container DIR [--editor NAME [--renamed OLD]] [notes:NAME…] [--describe]
//
// `--editor` and `--renamed` play an update that gives the editor's configuration another name.
var arguments = Array(CommandLine.arguments.dropFirst())

func takeOption(_ name: String, from arguments: inout [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
        return nil
    }
    defer { arguments.removeSubrange(index...(index + 1)) }
    return arguments[index + 1]
}

guard let container = takeOption("--container", from: &arguments) else {
    print("usage: Notes --container DIR [--editor NAME [--renamed OLD]] [notes:NAME…] [--describe]")
    exit(2)
}
let editorName = takeOption("--editor", from: &arguments) ?? "Editor"
var renames: [String: String] = [:]
if let old = takeOption("--renamed", from: &arguments) {
    renames[old] = editorName
}
let app = NotesApp(
    container: container, editorName: editorName, renames: renames,
    onlyAsks: arguments == ["--describe"])
exit(app.run([CommandLine.arguments[0]] + arguments))
