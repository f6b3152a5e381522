#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Standard output and error, and small files of the system.
enum Terminal {
    static func print(_ text: String) {
        write(text + "\n", to: 1)
    }

    static func complain(_ text: String) {
        write(text + "\n", to: 2)
    }

    /// One line that the next one takes the place of; nothing where nobody looks.
    static func progress(_ text: String) {
        if isatty(2) == 1 {
            write("\r\u{1b}[K" + text, to: 2)
        }
    }

    static func clearProgress() {
        progress("")
    }

    static func exit(_ status: Int32) -> Never {
        #if canImport(Darwin)
            Darwin.exit(status)
        #elseif canImport(Glibc)
            Glibc.exit(status)
        #else
            Musl.exit(status)
        #endif
    }

    /// Ends the process by the one system call that is left.
    static func exitAtOnce(_ status: Int32) -> Never {
        _exit(status)
    }

    /// Makes a file of a text.
    static func write(_ text: String, toFile path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BenchmarkFailure("\(path) cannot be written")
        }
        defer { close(descriptor) }
        write(text, to: descriptor)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let done = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
                #elseif canImport(Glibc)
                    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                #else
                    Musl.write(descriptor, bytes.baseAddress, bytes.count)
                #endif
            }
            guard done > 0 else {
                return
            }
            rest.removeFirst(done)
        }
    }

    /// The first 64 KiB of a file; files of `/proc` have no size.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return nil
        }
        defer { close(descriptor) }
        return read(descriptor, limit: 64 << 10)
    }

    /// What can be read until the end.
    static func read(_ descriptor: Int32, limit: Int) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = buffer.withUnsafeMutableBytes { bytes in
                #if canImport(Darwin)
                    Darwin.read(descriptor, bytes.baseAddress, bytes.count)
                #elseif canImport(Glibc)
                    Glibc.read(descriptor, bytes.baseAddress, bytes.count)
                #else
                    Musl.read(descriptor, bytes.baseAddress, bytes.count)
                #endif
            }
            guard count > 0 else {
                break
            }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
