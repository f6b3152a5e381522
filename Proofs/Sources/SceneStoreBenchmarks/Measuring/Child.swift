#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Another process, waited for.
enum Child {
    struct Outcome {
        /// The status that it exited with; nil when a signal ended it.
        var status: Int32?
        /// What it wrote to standard error, or to standard output where that was asked for.
        var errors: String
    }

    /// The path of this program.
    static var ownPath: String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else {
            return CommandLine.arguments.first ?? ""
        }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Runs a program that is found along the path, and waits for it; nil when there is none.
    static func run(
        _ program: String, _ arguments: [String], readsOutput: Bool = false
    ) throws -> Outcome? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw BenchmarkFailure("no pipe can be made")
        }
        defer { close(ends[0]) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, readsOutput ? 2 : 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], readsOutput ? 1 : 2)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, program, &actions, nil, &words, environ)
        close(ends[1])
        guard code == 0 else {
            return nil
        }
        let errors = Terminal.read(ends[0], limit: 1 << 20)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let hasExited = status & 0x7f == 0
        return Outcome(status: hasExited ? (status >> 8) & 0xff : nil, errors: errors)
    }
}
