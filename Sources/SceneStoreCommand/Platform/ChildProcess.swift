#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another process of this program, and how this one ends as processes in scenarios do.
enum ChildProcess {
    /// How a child ended.
    enum End: Equatable {
        case exited(Int32)
        case signaled(Int32)
        case notStarted
    }

    #if os(Windows)
        static func run(_ arguments: [String]) -> End { .notStarted }
        static func start(_ command: String, argument: String) -> Bool { false }
        static func dieWithoutAWord() {}
    #else
        /// Runs this program with other arguments, its streams shared, and waits for its end.
        static func run(_ arguments: [String]) -> End {
            run(executable, arguments)
        }

        private static func run(_ program: String, _ arguments: [String]) -> End {
            var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map {
                strdup($0)
            }
            words.append(nil)
            defer {
                for word in words {
                    free(word)
                }
            }
            var child = pid_t()
            guard posix_spawn(&child, program, nil, nil, words, environ) == 0 else {
                return .notStarted
            }
            var status: Int32 = 0
            while waitpid(child, &status, 0) == -1 {
                guard errno == EINTR else {
                    return .notStarted
                }
            }
            let signal = status & 0x7f
            return signal == 0 ? .exited((status >> 8) & 0xff) : .signaled(signal)
        }

        /// Starts a shell's command with one more word, its output shared, and does not wait for it:
        /// the shell that starts it ends at once, so that it is nobody's child here.
        static func start(_ command: String, argument: String) -> Bool {
            run("/bin/sh", ["-c", "\(command) \"$1\" &", "scenestore", argument]) == .exited(0)
        }

        /// Ends this process by SIGKILL: no handler runs, nothing is flushed or closed.
        static func dieWithoutAWord() {
            kill(getpid(), SIGKILL)
        }

        private static var executable: String {
            #if os(Linux)
                "/proc/self/exe"
            #else
                CommandLine.arguments.first ?? "scenestore"
            #endif
        }
    #endif
}
