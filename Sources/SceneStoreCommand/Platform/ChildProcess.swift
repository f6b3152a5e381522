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
        static func start(_ command: String, argument: String) -> End { .notStarted }
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

        /// Starts a shell's command with one more word, its output shared, and waits a second at most:
        /// answers how it ended, or `exited(0)` when it goes on, as nobody's child here.
        static func start(_ command: String, argument: String) -> End {
            let script = """
                \(command) "$1" &
                child=$!
                for turn in 1 2 3 4 5 6 7 8 9 10; do
                    sleep 0.1
                    kill -0 $child 2>/dev/null || { wait $child; exit $?; }
                done
                exit 0
                """
            return run("/bin/sh", ["-c", script, "scenestore", argument])
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
