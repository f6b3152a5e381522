#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreSQLite

/// A store in a known state, as bytes, for a device or a directory.
///
/// A ``StoreFixtureBuilder`` or a ``Template`` makes it.
///
/// ```swift
/// let fixture = try StoreFixture(.threeWindows)
/// let device = try SimulatedDevice(fixture: fixture)
/// let names = fixture.files.map(\.name)
/// ```
///
/// The same template and seed give the same bytes on every run; for that, SceneStore makes the
/// salts of a write-ahead log equal, and the version of SQLite that a file names.
///
/// ## Topics
/// - ``init(_:seed:)``
/// - ``Template``
/// - ``StoreFixtureBuilder``
/// - ``write(to:)``
public struct StoreFixture: Sendable {
    /// A file of the container.
    public struct File: Hashable, Sendable {
        /// Its name in the container.
        public var name: String
        /// The contents of the file.
        public var bytes: [UInt8]
    }

    /// The files of the container.
    public internal(set) var files: [File]
    /// The options with which to launch the app on the fixture: manifest, version and renames.
    public internal(set) var options: SceneApplicationOptions
    /// The time at which the fixture ends, in milliseconds since 1970.
    package internal(set) var endTime: Int64
    /// The number of identifiers that its sessions were given.
    package internal(set) var identifierCount: Int
    /// The identifiers of its sessions, in the order in which they were made, including the
    /// discarded ones.
    public internal(set) var sessionIdentifiers: [SceneSession.ID]

    /// Takes what a device holds; a process that runs is killed.
    public init(of device: SimulatedDevice) throws(SceneStoreError) {
        device.kill()
        files = []
        for (path, name) in [
            (device.storePath, "scenes.sqlite"), (device.logPath, "scenes.sqlite-wal"),
        ] {
            if let bytes = try device.fileBytes(path), !bytes.isEmpty {
                files.append(File(name: name, bytes: bytes))
            }
        }
        options = device.options
        endTime = device.clock.now
        identifierCount = Int(clamping: device.identifiers.count)
        sessionIdentifiers = device.recorder.identifiersInOrder
        normalize()
    }

    /// Writes the files into a directory, and replaces the files of an existing store.
    ///
    /// A missing directory is created. Throws `SceneStoreError.Code.ioError` if the files can't be
    /// written.
    public func write(to directory: String) throws(SceneStoreError) {
        do {
            let manager = FileManager.default
            if !manager.fileExists(atPath: directory) {
                try manager.createDirectory(
                    atPath: directory, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            for name in Self.fileNames {
                let path = directory + "/" + name
                if manager.fileExists(atPath: path) {
                    try manager.removeItem(atPath: path)
                }
            }
            for file in files {
                try OutputFile.write(
                    file.bytes, to: directory + "/" + file.name, replacing: true,
                    protecting: nil)
            }
        } catch {
            throw SceneStoreError(.ioError, "the fixture can't be written")
        }
    }

    /// The files that a fixture may have, and the ones that a store makes beside them.
    package static let fileNames = [
        ContainerName.store, ContainerName.log, ContainerName.index, ContainerName.lock,
    ]
}

extension SimulatedDevice {
    func install(_ fixture: StoreFixture) throws(SceneStoreError) {
        if let disk {
            for file in fixture.files {
                disk.importFile(containerPath + "/" + file.name, bytes: file.bytes)
            }
        } else {
            try fixture.write(to: containerPath)
        }
        recorder.name(identifiers: fixture.sessionIdentifiers)
    }
}
