import Foundation
import SceneStoreCTestSupport

@testable import SceneStoreCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The command as a process that runs beside the test, with its standard error in view.
final class RunningCommand {
    /// Where one of its streams goes.
    enum Target {
        case pipe
        /// A terminal of 80 columns.
        case terminal
        case nowhere
    }

    private let process = Process()
    /// The test's end of the streams; -1 where there is none.
    private let outputEnd: Int32
    private let errorEnd: Int32
    /// How often it is still stopped for a moment.
    private var stops: Int
    private(set) var output: [UInt8] = []
    private(set) var errors: [UInt8] = []

    /// - Parameter isSlow: Whether the machine has little time for it: it takes most of a second
    ///   longer, so that what shows after half a second shows in a small store, too.
    init(
        _ words: [String], output: Target = .nowhere, errors: Target = .terminal,
        isSlow: Bool = false, temporaryFolder: String? = nil
    ) throws {
        stops = isSlow ? 10 : 0
        let (outputHere, outputThere) = try Self.ends(output)
        let (errorsHere, errorsThere) = try Self.ends(errors)
        (outputEnd, errorEnd) = (outputHere, errorsHere)
        process.executableURL = CommandProcess.path.map { URL(filePath: $0) }
        process.arguments = words
        process.environment = ["COLUMNS": "80", "TERM": "xterm", "PATH": "/usr/bin:/bin"]
            .merging(CommandProcess.inherited) { $1 }
            .merging(temporaryFolder.map { ["TMPDIR": $0] } ?? [:]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputThere
        process.standardError = errorsThere
        try process.run()
        for handle in [outputThere, errorsThere] where handle !== FileHandle.nullDevice {
            try handle.close()
        }
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for end in [outputEnd, errorEnd] where end >= 0 {
            close(end)
        }
    }

    private static func ends(_ target: Target) throws -> (here: Int32, there: FileHandle) {
        var pair: [Int32] = [-1, -1]
        switch target {
        case .nowhere: return (-1, FileHandle.nullDevice)
        case .pipe:
            guard pipe(&pair) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        case .terminal:
            var (master, terminal): (Int32, Int32) = (-1, -1)
            guard scenestore_test_open_terminal(&master, &terminal) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
            pair = [master, terminal]
        }
        // Other processes that tests spawn must not hold it open.
        _ = fcntl(pair[0], F_SETFD, FD_CLOEXEC)
        return (pair[0], FileHandle(fileDescriptor: pair[1], closeOnDealloc: true))
    }

    var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// Presses Ctrl-C.
    func interrupt() {
        kill(process.processIdentifier, SIGINT)
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Reads standard error until it holds a text; false when it ends first.
    func waitForErrors(_ text: String) -> Bool {
        while !errorText.contains(text) {
            guard let bytes = readErrors() else {
                return false
            }
            errors += bytes
        }
        return true
    }

    /// Reads some of standard error; nil at its end. A slow command stands still for most of the
    /// time, and runs for as long as it takes to do a part of its work.
    private func readErrors() -> [UInt8]? {
        guard stops > 0, process.isRunning else {
            return Self.read(errorEnd)
        }
        stops -= 1
        kill(process.processIdentifier, SIGSTOP)
        let bytes = Self.read(errorEnd, within: 80)
        kill(process.processIdentifier, SIGCONT)
        return bytes?.isEmpty == true ? Self.read(errorEnd, within: 10) : bytes
    }

    /// Reads some of standard output; false when it ends first.
    func waitForOutput() -> Bool {
        while let bytes = Self.read(outputEnd) {
            output += bytes
            if !bytes.isEmpty {
                return true
            }
        }
        return false
    }

    /// What is there within a tenth of a second, or as many milliseconds; nil at the end.
    private static func read(_ end: Int32, within milliseconds: Int32 = 100) -> [UInt8]? {
        var ready = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, milliseconds) > 0 else {
            return []
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        // A terminal whose other end is closed answers with an error.
        let count = Platform.read(end, limit: bytes.count)
        bytes = (try? count.get()) ?? []
        return bytes.isEmpty ? nil : bytes
    }

    /// Waits for its end, reading all; nil when a signal ended it.
    func wait(readsOutput: Bool = true) -> Int32? {
        if readsOutput, outputEnd >= 0 {
            while let bytes = Self.read(outputEnd) {
                output += bytes
            }
        }
        if errorEnd >= 0 {
            while let bytes = readErrors() {
                errors += bytes
            }
        }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
