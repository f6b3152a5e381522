#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Shows standard output through another program: `PAGER`, else `less` where there is one, which
/// ends by itself when everything fits on the screen.
struct Pager {
    #if os(Windows)
        init?(environment: Environment) {
            nil
        }

        func finish() {}
    #else
        private let stream: UnsafeMutablePointer<FILE>

        /// Starts it and puts it in the place of standard output; nil when there is none.
        init?(environment: Environment) {
            let command = environment["PAGER"] ?? Self.less
            guard !command.isEmpty, command != "cat", environment["TERM"] != "dumb",
                let stream = popen(Self.withFallback(command), "w"), dup2(fileno(stream), 1) >= 0
            else {
                return nil
            }
            self.stream = stream
        }

        /// Ends the output and waits until the person has seen it.
        func finish() {
            close(1)
            pclose(stream)
        }

        /// A pager that isn't there, or can't be run, has read nothing: the output is shown as it is.
        static func withFallback(_ command: String) -> String {
            "\(command)\ncase $? in 126|127) exec cat ;; esac"
        }

        private static let less =
            "if command -v less >/dev/null 2>&1; then exec less -FRX; else exec cat; fi"
    #endif
}
