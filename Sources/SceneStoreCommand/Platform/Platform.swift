import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif os(Windows)
    import ucrt
    import WinSDK
#endif

/// Every call of the operating system that the command makes itself.
enum Platform {
    static let standardInput: Int32 = 0
    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    /// Raised by Ctrl-C, and by the signals that end a process.
    static let interruption = Atomic<Bool>(false)
    /// The signal that came, other than Ctrl-C; the handler touches nothing else.
    static let endingSignal = Atomic<Int32>(0)

    /// A variable of the environment.
    static func environmentValue(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Leaves the process.
    static func leave(_ status: ExitStatus) -> Never {
        exit(status.rawValue)
    }
}

#if os(Windows)
    extension Platform {
        static func isTerminal(_ descriptor: Int32) -> Bool {
            _isatty(descriptor) != 0
        }

        static func columns(of descriptor: Int32) -> Int? {
            nil
        }

        static var currentDirectory: String {
            var path = [CChar](repeating: 0, count: 32_768)
            guard _getcwd(&path, Int32(path.count)) != nil else {
                return "."
            }
            return String(
                decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }

        static func localOffset(at milliseconds: Int64) -> Int64 { 0 }

        static func millisecondsSince1970() -> Int64 {
            Int64(time(nil)) * 1_000
        }

        static func uptime() -> Duration {
            .milliseconds(Int64(clock()) * 1_000 / Int64(CLOCKS_PER_SEC))
        }

        static func sleep(_ duration: Duration) {
            Sleep(UInt32(max(duration / .milliseconds(1), 0)))
        }

        /// Writes what fits.
        static func write(
            _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
        ) -> Result<Int, OutputError> {
            let count = _write(descriptor, bytes.baseAddress, UInt32(min(bytes.count, 1 << 20)))
            if count >= 0 {
                return .success(Int(count))
            }
            return .failure(errno == EPIPE ? .closed : .failed(reason(errno)))
        }

        /// Reads what is there, at most `limit` bytes; empty at the end.
        static func read(_ descriptor: Int32, limit: Int) -> Result<[UInt8], ReadFailure> {
            var bytes = [UInt8](repeating: 0, count: limit)
            let count = _read(descriptor, &bytes, UInt32(limit))
            return count < 0
                ? .failure(.failed(reason(errno))) : .success(Array(bytes.prefix(Int(count))))
        }

        static func open(_ path: String) -> Result<Int32, ReadFailure> {
            let descriptor = _open(path, O_RDONLY | O_BINARY)
            return descriptor < 0 ? .failure(.failed(reason(errno))) : .success(descriptor)
        }

        static func isRegular(_ descriptor: Int32) -> Bool { false }

        static func takeFolder(_ path: String) -> Int32? { nil }

        static func endAsSignaled() {}

        /// There are no FIFOs among the files.
        static func waitsForWriter(_ descriptor: Int32) -> Bool { false }

        static func close(_ descriptor: Int32) {
            _ = _close(descriptor)
        }

        static func ignoreRefusedWrites() {}

        static func catchInterruption() {
            _ = signal(SIGINT) { _ in
                Platform.interruption.store(true, ordering: .relaxed)
            }
        }
    }
#else
    extension Platform {
        static func isTerminal(_ descriptor: Int32) -> Bool {
            isatty(descriptor) == 1
        }

        /// The columns of a terminal; nil when the descriptor is something else.
        static func columns(of descriptor: Int32) -> Int? {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
                return nil
            }
            return Int(size.ws_col)
        }

        static var currentDirectory: String {
            guard let path = getcwd(nil, 0) else {
                return "."
            }
            defer { free(path) }
            return String(cString: path)
        }

        /// The milliseconds from UTC to the local time at a moment.
        static func localOffset(at milliseconds: Int64) -> Int64 {
            var time = time_t(clamping: milliseconds / 1_000)
            var parts = tm()
            return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff) * 1_000
        }

        static func millisecondsSince1970() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        }

        static func uptime() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        }

        /// Waits; a signal ends it.
        static func sleep(_ duration: Duration) {
            let (seconds, attoseconds) = max(duration, .zero).components
            var time = timespec()
            time.tv_sec = .init(clamping: seconds)
            time.tv_nsec = .init(clamping: attoseconds / 1_000_000_000)
            _ = nanosleep(&time, nil)
        }

        /// Writes what fits; waits when the descriptor was left non-blocking.
        static func write(
            _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
        ) -> Result<Int, OutputError> {
            while true {
                var most = bytes.count
                if interruption.load(ordering: .relaxed) {
                    // What is complete goes out only as far as nobody has to wait for it: a pipe
                    // that takes anything takes 512 bytes (POSIX).
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    guard poll(&ready, 1, 0) > 0 else {
                        return .failure(.interrupted)
                    }
                    most = min(most, 512)
                }
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, bytes.baseAddress, most)
                #elseif canImport(Musl)
                    let count = Musl.write(descriptor, bytes.baseAddress, most)
                #else
                    let count = Darwin.write(descriptor, bytes.baseAddress, most)
                #endif
                if count >= 0 {
                    return .success(count)
                }
                switch errno {
                case EINTR where interruption.load(ordering: .relaxed):
                    return .failure(.interrupted)
                case EINTR: continue
                case EAGAIN:
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&wait, 1, -1)
                case EPIPE: return .failure(.closed)
                case let code: return .failure(.failed(reason(code)))
                }
            }
        }

        /// Reads what is there, at most `limit` bytes; empty at the end. Ctrl-C ends the wait.
        static func read(_ descriptor: Int32, limit: Int) -> Result<[UInt8], ReadFailure> {
            var bytes = [UInt8](repeating: 0, count: limit)
            while true {
                #if canImport(Glibc)
                    let count = Glibc.read(descriptor, &bytes, limit)
                #elseif canImport(Musl)
                    let count = Musl.read(descriptor, &bytes, limit)
                #else
                    let count = Darwin.read(descriptor, &bytes, limit)
                #endif
                if count >= 0 {
                    return .success(Array(bytes.prefix(count)))
                }
                switch errno {
                case EINTR where interruption.load(ordering: .relaxed):
                    return .failure(.interrupted)
                case EINTR: continue
                case EAGAIN:
                    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    _ = poll(&wait, 1, -1)
                case let code: return .failure(.failed(reason(code)))
                }
            }
        }

        /// The system's call, which has the name of ours.
        private static func open(_ path: String, _ flags: Int32) -> Int32 {
            #if canImport(Glibc)
                Glibc.open(path, flags)
            #elseif canImport(Musl)
                Musl.open(path, flags)
            #else
                Darwin.open(path, flags)
            #endif
        }

        /// Opens a file for reading. Never waits for a writer of a FIFO.
        static func open(_ path: String) -> Result<Int32, ReadFailure> {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            return descriptor < 0 ? .failure(.failed(reason(errno))) : .success(descriptor)
        }

        static func isRegular(_ descriptor: Int32) -> Bool {
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }

        /// Ends this process by the signal that ended its work, if one did.
        static func endAsSignaled() {
            let number = endingSignal.load(ordering: .relaxed)
            if number != 0 {
                _ = signal(number, SIG_DFL)
                kill(getpid(), number)
            }
        }

        /// Takes the lock of a folder of this user's, for as long as the descriptor is open here or in
        /// a child; nil when a living process has it.
        static func takeFolder(_ path: String) -> Int32? {
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else {
                if descriptor >= 0 {
                    close(descriptor)
                }
                return nil
            }
            return descriptor
        }

        /// Whether a descriptor is of a FIFO that nobody has written into yet.
        static func waitsForWriter(_ descriptor: Int32) -> Bool {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
                return false
            }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&ready, 1, 0) == 0
        }

        static func close(_ descriptor: Int32) {
            #if canImport(Glibc)
                _ = Glibc.close(descriptor)
            #elseif canImport(Musl)
                _ = Musl.close(descriptor)
            #else
                _ = Darwin.close(descriptor)
            #endif
        }

        /// A write that is refused answers with an error instead of killing: to a reader that went
        /// away, or beyond the limit for files.
        static func ignoreRefusedWrites() {
            _ = signal(SIGPIPE, SIG_IGN)
            _ = signal(SIGXFSZ, SIG_IGN)
        }

        /// The first Ctrl-C, `SIGTERM` or `SIGHUP` raises ``interruption`` and ends waiting calls; a
        /// second one kills.
        static func catchInterruption() {
            // Made before any signal can arrive, so that the handler only stores.
            interruption.store(false, ordering: .relaxed)
            endingSignal.store(0, ordering: .relaxed)
            let handler: @convention(c) (Int32) -> Void = { number in
                if number != SIGINT {
                    Platform.endingSignal.store(number, ordering: .relaxed)
                }
                Platform.interruption.store(true, ordering: .relaxed)
                _ = signal(number, SIG_DFL)
            }
            var action = sigaction()
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            // No SA_RESTART: a prompt must not go on waiting.
            sigaction(SIGINT, &action, nil)
            for number in [SIGTERM, SIGHUP] {
                // What the parent ignores, as nohup does, stays ignored.
                if signal(number, SIG_DFL).map({ unsafeBitCast($0, to: Int.self) }) == 1 {
                    _ = signal(number, SIG_IGN)
                } else {
                    sigaction(number, &action, nil)
                }
            }
            // A parent that keeps the signal from itself hands that on.
            var mask = sigset_t()
            sigemptyset(&mask)
            for number in [SIGINT, SIGTERM, SIGHUP] {
                sigaddset(&mask, number)
            }
            sigprocmask(SIG_UNBLOCK, &mask, nil)
        }
    }
#endif

extension Platform {
    /// Why nothing could be read.
    enum ReadFailure: Error, Equatable {
        case interrupted
        case failed(String)
    }

    /// The system's words for an error number, without capital.
    static func reason(_ code: Int32) -> String {
        guard let text = strerror(code) else {
            return "error \(code)"
        }
        let words = String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
