#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another process of this program, with a pipe to its input and one from its output.
final class ChildProcess {
    /// How a child ended.
    enum End: Equatable {
        case exited(Int32)
        case signaled(Int32)
    }

    /// Why there is no child.
    struct NotStarted: Error {
        var code: Int32
    }

    static let alarmSignal = SIGALRM

    let identifier: pid_t
    private var input: Int32
    private var output: Int32
    private var pending: [UInt8] = []
    private var ending: End?

    init(_ arguments: [String]) throws {
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        #if os(Linux)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, childInput, 0)
        posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
        var words: [UnsafeMutablePointer<CChar>?] = ([Self.executable] + arguments).map {
            strdup($0)
        }
        words.append(nil)
        var identifier = pid_t()
        let code = posix_spawn(&identifier, Self.executable, &actions, nil, words, environ)
        for word in words {
            free(word)
        }
        close(childInput)
        close(childOutput)
        guard code == 0 else {
            close(input)
            close(output)
            throw NotStarted(code: code)
        }
        self.identifier = identifier
        self.input = input
        self.output = output
    }

    deinit {
        if ending == nil {
            kill(identifier, SIGKILL)
            _ = wait()
        }
        close(output)
        closeInput()
    }

    /// Ends inherited by no other child.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Darwin)
            let result = Darwin.pipe(&ends)
        #elseif canImport(Musl)
            let result = Musl.pipe(&ends)
        #else
            let result = Glibc.pipe(&ends)
        #endif
        guard result == 0 else {
            throw NotStarted(code: errno)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    private static var executable: String {
        #if os(Linux)
            "/proc/self/exe"
        #else
            CommandLine.arguments.first ?? "SceneStoreRigs"
        #endif
    }

    /// Ends the child's input, which is how a rig says "go on".
    func closeInput() {
        guard input >= 0 else {
            return
        }
        close(input)
        input = -1
    }

    func send(_ signal: Int32) {
        guard ending == nil else {
            return
        }
        kill(identifier, signal)
    }

    /// Waits for the end.
    func wait() -> End {
        if let ending {
            return ending
        }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) == -1 {
            guard errno == EINTR else {
                ending = .exited(-1)
                return .exited(-1)
            }
        }
        let signal = status & 0x7f
        let end: End = signal == 0 ? .exited((status >> 8) & 0xff) : .signaled(signal)
        ending = end
        return end
    }

    /// The lines that have come; waits for one as long as the timeout says (milliseconds, -1 for
    /// ever). Nil when the output has ended and all lines were taken.
    func lines(timeout: Int32) -> [Substring]? {
        var isOpen = true
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        if poll(&request, 1, timeout) > 0 {
            isOpen = fill()
        }
        let lines = takeLines()
        return lines.isEmpty && !isOpen ? nil : lines
    }

    /// Reads what is there; false at the end.
    private func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else {
            return count < 0 && errno == EINTR
        }
        pending += buffer[..<count]
        return true
    }

    private func takeLines() -> [Substring] {
        guard let last = pending.lastIndex(of: 0x0a) else {
            return []
        }
        let text = String(decoding: pending[...last], as: UTF8.self)
        pending.removeFirst(last + 1)
        return text.split(separator: "\n")
    }

    /// Waits until one of some children has said something or ended; its index.
    static func next(of children: [ChildProcess]) -> Int? {
        var requests = children.map {
            pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0)
        }
        while poll(&requests, nfds_t(requests.count), -1) < 0 {
            guard errno == EINTR else {
                return nil
            }
        }
        return requests.firstIndex { $0.revents != 0 }
    }
}
