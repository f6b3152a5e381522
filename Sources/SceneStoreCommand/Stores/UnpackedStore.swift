#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store that is read from a ZIP archive: unpacked into a private folder, which goes when the
/// command ends.
///
/// Of an archive only a store's file, its log, its lock, its checksum and what is in the container's
/// folders are unpacked, each by the last parts of its name.
struct UnpackedStore {
    /// The largest archive, and the most that is unpacked of one, in bytes; both are read into memory.
    private static let limits = (archive: 256 << 20, files: 1 << 30)

    /// The folders of a container.
    private static let folders = ["backups", "quarantine", "operations"]

    /// The archive, as a path from the command line leads to it.
    let archive: String
    /// The container, or the file of a backup.
    let path: String
    let folder: String

    /// Unpacks the store at a path; nil if no archive is there.
    init?(_ given: String, _ context: CommandContext) throws {
        archive = given
        let place = StorePlace(archive)
        guard archive.lowercased().hasSuffix(".zip"), place.isLooseFile else {
            return nil
        }
        let shown = archive.quotedPath
        let bytes = try context.readFile(archive, limit: Self.limits.archive)
        var names: [String] = []
        let isArchive =
            ZipArchive.files(in: bytes, limit: Self.limits.files) { name in
                // What Finder puts beside each file of an archive is no store.
                if !Self.base(of: name).hasPrefix("._") {
                    names.append(name)
                }
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
        let parent = file.dropLast(Self.base(of: file).count)
        let wanted = [file, file + "-wal", file + ".xxh64", parent + "owner.lock"]
        /// The folder of the container that a file is in; nil for one that isn't unpacked.
        func subfolder(of name: String) -> String? {
            guard !wanted.contains(name) else {
                return ""
            }
            let parts = name.dropFirst(parent.count).split { "/\\".contains($0) }
            guard !stores.isEmpty, name.hasPrefix(parent), !name.hasSuffix("/"), parts.count == 2,
                Self.folders.contains(String(parts[0])), !parts[1].hasPrefix(".")
            else {
                return nil
            }
            return "/\(parts[0])"
        }
        guard
            let files = ZipArchive.files(
                in: bytes, limit: Self.limits.files,
                where: { subfolder(of: $0) != nil })
        else {
            throw CommandError(
                .damaged, "\(shown) is damaged, or holds more than 1 GiB",
                hint: "unpack it with another tool, and name the store's folder")
        }
        folder = try PrivateFolder.make()
        path = stores.isEmpty ? "\(folder)/\(Self.base(of: file))" : folder
        for (name, content, time) in files {
            let place = folder + (subfolder(of: name) ?? "")
            try? FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            attributes[.modificationDate] = Self.date(time)
            guard
                FileManager.default.createFile(
                    atPath: "\(place)/\(Self.base(of: name))", contents: Data(content),
                    attributes: attributes)
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

    /// The date of a file's time, which is that of a clock where it was archived.
    private static func date(_ time: Int) -> Date? {
        Calendar(identifier: .gregorian).date(
            from: DateComponents(
                year: 1980 + time >> 25, month: time >> 21 & 15, day: time >> 16 & 31,
                hour: time >> 11 & 31, minute: time >> 5 & 63, second: (time & 31) * 2))
    }

    private static func base(of name: String) -> String {
        name.split { "/\\".contains($0) }.last.map(String.init) ?? ""
    }
}

extension CommandContext {
    /// Lets a body read what a path from the command line names, out of an archive if it is one.
    func withUnpacked<Result>(
        _ given: String?, _ body: (CommandContext) throws -> Result
    ) throws -> Result {
        let unpacked = try UnpackedStore(storePath(given: given), self)
        defer { unpacked?.remove() }
        var context = self
        context.unpacked = unpacked ?? context.unpacked
        return try body(context)
    }

    /// Refuses to change the store of an archive.
    func refuseUnpacked() throws(CommandError) {
        if let unpacked {
            throw .usage(
                "\(unpacked.archive.quotedPath) is an archive, which is only read",
                hint: "unpack it, and name the store's folder")
        }
    }
}
