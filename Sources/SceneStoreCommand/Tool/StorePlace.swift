#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTesting

/// Where a path leads that should be a store's.
struct StorePlace {
    /// The name of a store's file in its container.
    static let storeName = "scenes.sqlite"
    /// The largest file that is copied, in bytes. `salvage` reads larger ones.
    static let maximumCopy = 2 << 30

    let path: String
    let exists: Bool
    let isFolder: Bool

    init(_ given: String) {
        path = Self.followed(given)
        var isFolder = false
        exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        self.isFolder = isFolder
    }

    /// Where a path leads when it is a symbolic link, else the path itself: the one way in which all
    /// commands take the name of a store.
    ///
    /// The link `scenes.sqlite` in a container is not followed: the app refuses that store.
    static func followed(_ given: String) -> String {
        let link = trimmed(given)
        let suffix = "/" + storeName
        guard !link.hasSuffix(suffix) || link.count == suffix.count else {
            return followed(String(link.dropLast(suffix.count))) + suffix
        }
        guard linkTarget(link) != nil, FileManager.default.fileExists(atPath: link) else {
            return given
        }
        return trimmed(
            URL(filePath: link).resolvingSymlinksInPath().path(percentEncoded: false))
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Where a link leads; nil for what is none.
    private static func linkTarget(_ path: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    /// Whether it is a file that is no container's, such as a backup.
    var isLooseFile: Bool { exists && !isFolder && !path.hasSuffix("/" + Self.storeName) }

    /// The folder that the store's file is in.
    var folder: String {
        isFolder ? path : path.utf8.lastIndex(of: 0x2F).map { String(path[..<$0]) } ?? "."
    }

    /// The file of the store.
    var file: String { isFolder ? "\(path)/\(Self.storeName)" : path }

    /// What is where the file of the store should be.
    enum Kind {
        case missing
        case file
        /// A symbolic link, and where it leads.
        case link(to: String)
        /// A folder, or something else that is no file.
        case other
    }

    /// What is in the place of the store's file.
    var kind: Kind {
        if let target = Self.linkTarget(file) {
            return .link(to: target.hasPrefix("/") ? target : "\(folder)/\(target)")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard let type = attributes?[.type] as? FileAttributeType else {
            return .missing
        }
        return type == .typeRegular ? .file : .other
    }

    /// The file's bytes and those that its header counts, if the end is missing. With a log beside it,
    /// the end may be in there.
    var cutOff: (bytes: Int, whole: Int)? {
        func size(_ path: String) -> Int? {
            let values = try? FileManager.default.attributesOfItem(atPath: path)
            return (values?[.size] as? UInt).map { Int(clamping: $0) }
        }
        guard let bytes = size(file), size(file + "-wal") ?? 0 == 0,
            case .success(let descriptor) = Platform.open(file)
        else {
            return nil
        }
        defer { Platform.close(descriptor) }
        guard case .success(let head) = Platform.read(descriptor, limit: 100), head.count == 100,
            head.starts(with: "SQLite format 3\0".utf8)
        else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
        // A page size of 1 means 65 536 bytes.
        let page = number(16..<18) == 1 ? 65_536 : number(16..<18)
        let whole = page * number(28..<32)
        return bytes < whole ? (bytes, whole) : nil
    }

    /// What could be salvaged of a store whose file is no longer one: nil when it is missing, or
    /// never was a store.
    func salvageable() -> SalvageReport? {
        exists ? try? SceneSessionStore.salvageable(in: file) : nil
    }
}

extension SceneSessionStore.Location {
    /// The container that a path of a person names: its directory, or the file in it.
    static func container(path: String) -> Self {
        guard path != StorePlace.storeName else {
            return .directory(".")
        }
        let suffix = "/" + StorePlace.storeName
        guard path.utf8.count > suffix.utf8.count,
            path.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else {
            return .directory(path.isEmpty ? "." : path)
        }
        return .directory(
            String(decoding: path.utf8.dropLast(suffix.utf8.count), as: UTF8.self))
    }
}
