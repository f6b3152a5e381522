import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files and folders as calls to the system change them, and what a power cut leaves of them.
///
/// Invariants, those of a disk that promises what POSIX does and no more:
/// 1. What was written to a file stays from its next sync on. Before that each sector of each write
///    is kept or lost.
/// 2. A name comes, goes or changes for good with the next sync of its folder. Before that the
///    changes of one folder are lost from some moment on.
/// 3. A rename is done or not, also from one folder to another.
package struct CutTree {
    /// What becomes of everything that was not synced.
    package enum Manner: CaseIterable, Sendable {
        case allLost
        /// Names are there, and what was written is not.
        case bytesLost
        case namesLost
        /// As the seed says.
        case mixed
    }

    /// Syncs of which the disk only says that they are done.
    package enum Lie: Sendable {
        case aboutFiles, aboutFolders
    }

    private enum Write {
        case bytes([UInt8], offset: Int)
        case size(Int)
    }

    private struct NameChange {
        /// The same for both folders of a rename.
        var number: Int
        var removed: String?
        var added: (name: String, node: Int)?
    }

    private struct Node {
        var isFolder: Bool
        var synced: [UInt8] = []
        var writes: [Write] = []
        var names: [String: Int] = [:]
        var nameChanges: [NameChange] = []
    }

    private static let sector = 512

    private var nodes = [Node(isFolder: true)]
    private var places: [UInt64: Int] = [:]
    /// Renames of which one of two folders was synced.
    private var committed: Set<Int> = []
    private var changeCount = 0
    private let lie: Lie?

    /// The files below a folder, all of them synced.
    package init(_ path: String, _ image: FileTree.Image, lie: Lie? = nil) throws {
        self.lie = lie
        places[try Self.inode(path)] = 0
        for (file, bytes) in image {
            var folder = 0
            var reached = path
            let parts = file.split(separator: "/")
            for (index, part) in parts.enumerated() {
                reached += "/" + part
                let isLast = index == parts.count - 1
                if let known = nodes[folder].names[String(part)] {
                    folder = known
                    continue
                }
                let isFolder = !isLast || file.hasSuffix("/")
                let node = add(
                    Node(isFolder: isFolder, synced: isFolder ? [] : bytes),
                    try Self.inode(reached))
                nodes[folder].names[String(part)] = node
                folder = node
            }
        }
    }

    private static func inode(_ path: String) throws -> UInt64 {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw FileTree.Failure(description: "the rig cannot look at a file")
        }
        return UInt64(status.st_ino)
    }

    private mutating func add(_ node: Node, _ inode: UInt64) -> Int {
        nodes.append(node)
        places[inode] = nodes.count - 1
        return nodes.count - 1
    }

    // MARK: - Calls

    /// Takes in what a call changed; what lies elsewhere is left out.
    package mutating func apply(_ change: SystemRecord.Change) {
        changeCount += 1
        switch change {
        case .made(let inode, let entry, let isFolder):
            guard let folder = places[entry.folder] else {
                return
            }
            let node = add(Node(isFolder: isFolder), inode)
            note(folder, removed: nil, added: (entry.name, node))
        case .written(let inode, let offset, let bytes):
            places[inode].map { nodes[$0].writes.append(.bytes(bytes, offset: offset)) }
        case .resized(let inode, let size):
            places[inode].map { nodes[$0].writes.append(.size(size)) }
        case .synced(let inode):
            places[inode].map { sync($0) }
        case .renamed(let inode, let source, let target):
            guard let node = places[inode] else {
                return
            }
            guard source.folder != target.folder else {
                places[source.folder].map {
                    note($0, removed: source.name, added: (target.name, node))
                }
                return
            }
            places[source.folder].map { note($0, removed: source.name, added: nil) }
            places[target.folder].map { note($0, removed: nil, added: (target.name, node)) }
        case .linked(let inode, let entry):
            guard let node = places[inode], let folder = places[entry.folder] else {
                return
            }
            note(folder, removed: nil, added: (entry.name, node))
        case .removed(let entry):
            places[entry.folder].map { note($0, removed: entry.name, added: nil) }
        }
    }

    private mutating func note(
        _ folder: Int, removed: String?, added: (name: String, node: Int)?
    ) {
        nodes[folder].nameChanges.append(
            NameChange(number: changeCount, removed: removed, added: added))
    }

    private mutating func sync(_ place: Int) {
        guard lie != (nodes[place].isFolder ? .aboutFolders : .aboutFiles) else {
            return
        }
        if nodes[place].isFolder {
            nodes[place].names = names(of: nodes[place], first: nodes[place].nameChanges.count)
            committed.formUnion(nodes[place].nameChanges.map(\.number))
            nodes[place].nameChanges = []
        } else {
            nodes[place].synced = Self.bytes(nodes[place].synced, nodes[place].writes)
            nodes[place].writes = []
        }
    }

    // MARK: - Cuts

    /// The files that are found after a power cut now, and folders, whose names end in a slash.
    package func files(_ manner: Manner, seed: UInt64) -> FileTree.Image {
        var random = SeededRandom(seed)
        let kept = keptNames(manner, &random)
        var image: FileTree.Image = [:]
        collect(0, "", kept, manner, &random, &image)
        return image
    }

    private func collect(
        _ folder: Int, _ path: String, _ kept: [Int], _ manner: Manner,
        _ random: inout SeededRandom, _ image: inout FileTree.Image
    ) {
        for (name, node) in names(of: nodes[folder], first: kept[folder]).sorted(by: {
            $0.key < $1.key
        }) {
            if nodes[node].isFolder {
                image[path + name + "/"] = []
                collect(node, path + name + "/", kept, manner, &random, &image)
            } else {
                image[path + name] = found(nodes[node], manner, &random)
            }
        }
    }

    private func names(of folder: Node, first count: Int) -> [String: Int] {
        folder.nameChanges.prefix(count).reduce(into: folder.names) { names, change in
            change.removed.map { names[$0] = nil }
            change.added.map { names[$0.name] = $0.node }
        }
    }

    /// How many of each folder's changes are kept.
    private func keptNames(_ manner: Manner, _ random: inout SeededRandom) -> [Int] {
        var least = nodes.map { node in
            (node.nameChanges.lastIndex { committed.contains($0.number) } ?? -1) + 1
        }
        var kept = nodes.indices.map { place in
            let count = nodes[place].nameChanges.count
            return switch manner {
            case .allLost, .namesLost: least[place]
            case .bytesLost: count
            case .mixed: least[place] + random.below(count - least[place] + 1)
            }
        }
        // A rename between two folders is done in both or in none.
        while let (more, fewer, place, other) = halfRename(kept) {
            if place >= least[more] {
                kept[more] = place
            } else {
                kept[fewer] = other + 1
                least[fewer] = max(least[fewer], other + 1)
            }
        }
        return kept
    }

    /// A folder that keeps its half of a rename, the one that doesn't, and where these stand.
    private func halfRename(_ kept: [Int]) -> (Int, Int, Int, Int)? {
        for more in nodes.indices {
            for (place, change) in nodes[more].nameChanges.prefix(kept[more]).enumerated() {
                for fewer in nodes.indices where fewer != more {
                    let rest = nodes[fewer].nameChanges.dropFirst(kept[fewer])
                    if let other = rest.firstIndex(where: { $0.number == change.number }) {
                        return (more, fewer, place, other)
                    }
                }
            }
        }
        return nil
    }

    private func found(
        _ file: Node, _ manner: Manner, _ random: inout SeededRandom
    ) -> [UInt8] {
        switch manner {
        case .allLost, .bytesLost: return file.synced
        case .namesLost: return Self.bytes(file.synced, file.writes)
        case .mixed: break
        }
        let whole = random.below(file.writes.count + 1)
        var writes = Array(file.writes.prefix(whole))
        let isOrderly = random.oneIn(2)
        for (index, write) in file.writes.dropFirst(whole).enumerated() {
            guard !isOrderly || index == 0 else {
                break
            }
            switch write {
            case .size: if random.oneIn(2) { writes.append(write) }
            case .bytes(let bytes, let offset):
                writes += Self.sectors(bytes, offset, isOrderly: isOrderly, &random)
            }
        }
        return Self.bytes(file.synced, writes)
    }

    /// What is kept of a write: its beginning, or some of its sectors.
    private static func sectors(
        _ bytes: [UInt8], _ offset: Int, isOrderly: Bool, _ random: inout SeededRandom
    ) -> [Write] {
        var kept: [Write] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sector - (offset + start) % sector)
            if random.oneIn(2) {
                kept.append(.bytes(Array(bytes[start..<end]), offset: offset + start))
            } else if isOrderly {
                break
            }
            start = end
        }
        return kept
    }

    private static func bytes(_ synced: [UInt8], _ writes: [Write]) -> [UInt8] {
        writes.reduce(into: synced) { bytes, write in
            switch write {
            case .size(let size):
                bytes = Array(bytes.prefix(size))
                bytes += repeatElement(0, count: max(0, size - bytes.count))
            case .bytes(let new, let offset):
                let end = offset + new.count
                bytes += repeatElement(0, count: max(0, end - bytes.count))
                bytes.replaceSubrange(offset..<end, with: new)
            }
        }
    }
}
