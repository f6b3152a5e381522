#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreRecovery

/// Folders for the length of a test.
package enum TemporaryDirectory {
    /// Makes a folder that only this user can read, and answers its path.
    package static func make() throws(SceneStoreError) -> String {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "scenestore-\(UUID().uuidString)", directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw SceneStoreError(.ioError, "a temporary folder can't be made")
        }
        return folder.path(percentEncoded: false)
    }

    /// Removes a folder with all that is in it, also where a simulation has moved it aside.
    package static func remove(_ path: String) {
        for path in [path, aside(path)] {
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                // Gone already, which is what was wanted.
            }
        }
    }

    /// Where a container is that was moved away: beside its place.
    static func aside(_ path: String) -> String {
        (path.hasSuffix("/") ? String(path.dropLast()) : path) + ".moved"
    }
}

extension IdentifierSequence {
    /// The next identifier as a UUID.
    package func nextUUID() -> UUID {
        UUID(uuidString: next()) ?? UUID(uuid: noBytes)
    }

    private var noBytes: uuid_t {
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }
}

extension SceneSessionStore.Options {
    /// Options whose stores have the same identities and times in every run: those of a seed, which is
    /// the line that makes them, and of a clock that stands. A damaged store is salvaged.
    package static func seeded(_ seed: UInt64 = #line) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        let identities = IdentifierSequence(seed: seed)
        let clock = VirtualClock()
        options.makeUUID = { identities.nextUUID() }
        options.clock = { clock.now }
        options.corruption = .salvage
        return options
    }
}

extension SceneEnvironment {
    /// A machine that is the same in every run: its clock stands, and a seed makes its identifiers.
    package static func seeded(_ seed: UInt64 = #line) -> SceneEnvironment {
        let identities = IdentifierSequence(seed: seed)
        return SceneEnvironment(
            now: { VirtualClock.start }, makeIdentifier: { identities.next() },
            bootIdentifier: "boot", processIdentifier: 1)
    }
}
