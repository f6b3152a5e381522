import SceneStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a child of a rig does.
enum ChildMain {
    static func run(_ words: ArraySlice<String>) -> Never {
        if words.first == "saver" || words.first == "contender" {
            let rest = Array(words.dropFirst())
            exit(words.first == "saver" ? Saver.run(rest) : Contender.run(rest))
        }
        guard let job = Job(words) else {
            Terminal.complain("SceneStoreRigs: this is no job; see --help")
            exit(2)
        }
        if let limit = job.optional("limit") {
            alarm(UInt32(clamping: limit))
        }
        let report = JobReport()
        do {
            try job.rig.rig.run(job, report)
        } catch {
            report.violation("the rig itself failed: \(error)", replay: job)
        }
        report.finish()
        exit(report.hasViolation ? 1 : 0)
    }
}

/// Standard output and error, unbuffered: what was printed before a kill has been printed.
enum Terminal {
    static func print(_ text: String) { write(text, to: 1) }

    static func complain(_ text: String) { write(text, to: 2) }

    static func exit(_ status: Int32) -> Never {
        #if canImport(Glibc)
            Glibc.exit(status)
        #elseif canImport(Musl)
            Musl.exit(status)
        #else
            Darwin.exit(status)
        #endif
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer -> Int in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                #if canImport(Glibc)
                    return Glibc.write(descriptor, rest.baseAddress, rest.count)
                #elseif canImport(Musl)
                    return Musl.write(descriptor, rest.baseAddress, rest.count)
                #else
                    return Darwin.write(descriptor, rest.baseAddress, rest.count)
                #endif
            }
            guard count > 0 else {
                guard count < 0, errno == EINTR else {
                    return
                }
                continue
            }
            offset += count
        }
    }

    /// Waits until the parent closes the other end of the standard input.
    static func waitForParent() {
        var byte: UInt8 = 0
        while read(0, &byte, 1) < 0, errno == EINTR {}
    }

    static var processIdentifier: Int32 { getpid() }

    /// One digit behind the point.
    static func decimal(_ number: Double) -> String {
        let tenths = Int64((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
