#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store that is read from a ZIP archive: unpacked into a private folder, which goes when the
/// command ends.
///
/// Of an archive only a store's file, its log, its lock and its checksum are unpacked, each by the last
/// part of its name.
struct UnpackedStore {
    /// The largest archive, and the largest file in one, in bytes; both are read into memory.
    private static let limits = (archive: 256 << 20, file: 1 << 30)

    /// The archive, as a path from the command line leads to it.
    let archive: String
    /// The container, or the file of a backup.
    let path: String
    private let folder: String

    /// Unpacks the store that a command line names; nil if it names no archive.
    init?(_ invocation: Invocation, _ context: CommandContext) throws {
        archive = context.storePath(invocation)
        let place = StorePlace(archive)
        guard archive.lowercased().hasSuffix(".zip"), place.isLooseFile else {
            return nil
        }
        let shown = archive.quotedPath
        let bytes = try context.readFile(archive, limit: Self.limits.archive)
        var names: [String] = []
        let isArchive =
            ZipArchive.files(in: bytes, limit: Self.limits.file) { name in
                names.append(name)
                return false
            } != nil
        let stores = names.filter { Self.base(of: $0) == StorePlace.storeName }
        let found = stores.isEmpty ? names.filter { $0.hasSuffix(".sqlite") } : stores
        guard found.count == 1, let file = found.first else {
            guard !names.contains("export.ndjson") || !names.contains("report.html") else {
                throw CommandError(
                    .noStore,
                    "\(shown) is an archive of 'support', which has no store in it, by design",
                    hint:
                        "unpack it: report.html shows the store as one page, doctor.ndjson what is "
                        + "wrong, and README.txt lists the other files")
            }
            throw CommandError(
                .noStore,
                isArchive
                    ? "\(shown) has \(NumberText.counted(found.count, "store")), not one"
                    : "\(shown) is no ZIP archive that can be read",
                hint: "unpack it, and name the store's folder")
        }
        let wanted = [
            file, file + "-wal", file + ".xxh64",
            file.dropLast(Self.base(of: file).count) + "owner.lock",
        ]
        guard
            let files = ZipArchive.files(
                in: bytes, limit: Self.limits.file, where: { wanted.contains($0) })
        else {
            throw CommandError(
                .damaged, "\(shown) is damaged, or holds a file of more than 1 GiB",
                hint: "unpack it with another tool, and name the store's folder")
        }
        folder = try PrivateFolder.make()
        path = stores.isEmpty ? "\(folder)/\(Self.base(of: file))" : folder
        for (name, content) in files {
            guard
                FileManager.default.createFile(
                    atPath: "\(folder)/\(Self.base(of: name))", contents: Data(content),
                    attributes: [.posixPermissions: 0o600])
            else {
                remove()
                throw CommandError.usage(
                    "the store in \(shown) can't be unpacked into the temporary folder",
                    hint: "set TMPDIR to a folder with more room")
            }
        }
    }

    func remove() {
        PrivateFolder.remove(folder)
    }

    private static func base(of name: String) -> String {
        name.split { "/\\".contains($0) }.last.map(String.init) ?? ""
    }
}

extension CommandContext {
    /// Refuses to change the store of an archive.
    func refuseUnpacked() throws(CommandError) {
        if let unpacked {
            throw .usage(
                "\(unpacked.archive.quotedPath) is an archive, which is only read",
                hint: "unpack it, and name the store's folder")
        }
    }
}
