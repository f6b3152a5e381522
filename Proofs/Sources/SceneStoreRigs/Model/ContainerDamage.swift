import SceneStore
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is done to one file or folder of a container.
struct ContainerDamage {
    enum Kind: UInt64, CaseIterable {
        case missing, empty, zeroed, firstPageZeroed, junk
        /// Cut off at a sector, at a page, or anywhere.
        case cutAtSector, cutAtPage, cut
        /// One bit, anywhere, and where it says most: in headers, in the schema, in the lock's words.
        case bit, telltaleBit
        /// A bit of the schema's text, of a frame's header, or a digit of the lock.
        case innerBit
        /// What another store has there, and what the same one had there before.
        case other, earlier
        case folder, fifo, link, looseLink
    }

    var name: String
    var kind: Kind
    /// What lies there afterwards; nil if that is no file.
    private var bytes: [UInt8]?
    private(set) var detail = ""

    /// The damage of a kind; nil if it can't be done to that file.
    init?(
        _ kind: Kind, of name: String, in story: ContainerStory, other: [FileTree.Image],
        _ random: inout SeededRandom
    ) {
        self.name = name
        self.kind = kind
        let own = story.files[name]
        switch kind {
        case .missing:
            guard own != nil else { return nil }
        case .folder, .fifo, .link, .looseLink: break
        case .empty: bytes = []
        case .other, .earlier:
            let sources = (kind == .other ? other : story.earlier).compactMap { $0[name] }
                .filter { $0 != own }
            guard !name.hasSuffix("/"), !sources.isEmpty else { return nil }
            let index = random.below(sources.count)
            bytes = sources[index]
            detail = " \(index)"
        case .junk:
            let count = own.map { max($0.count, 1) } ?? 4_096
            bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        default:
            guard let own, !own.isEmpty else { return nil }
            change(own, &random)
        }
    }

    private mutating func change(_ own: [UInt8], _ random: inout SeededRandom) {
        var changed = own
        switch kind {
        case .zeroed: changed = [UInt8](repeating: 0, count: own.count)
        case .firstPageZeroed:
            let end = min(own.count, 4_096)
            changed.replaceSubrange(0..<end, with: repeatElement(0, count: end))
        case .cutAtSector, .cutAtPage, .cut:
            let step = kind == .cut ? 1 : kind == .cutAtPage ? 4_096 : 512
            let start = kind == .cutAtPage && name == ContainerName.log ? 32 : 0
            let size = kind == .cutAtPage && name == ContainerName.log ? 4_120 : step
            let length = start + random.below(max((own.count - start + size - 1) / size, 1)) * size
            changed.removeLast(own.count - min(length, own.count))
            detail = " at \(changed.count)"
        default:
            let offset = place(own, &random)
            changed[offset] ^= 1 << UInt8(random.below(8))
            detail = " at \(offset)"
        }
        bytes = changed
    }

    /// Where a bit is flipped.
    private func place(_ own: [UInt8], _ random: inout SeededRandom) -> Int {
        switch (kind, name) {
        case (.telltaleBit, ContainerName.lock), (.innerBit, ContainerName.lock):
            let words = own.indices.filter { own[$0] > 0x20 }
            let digits = words.filter { (0x30...0x39).contains(own[$0]) }
            let chosen = kind == .innerBit && !digits.isEmpty ? digits : words
            return chosen.isEmpty ? 0 : chosen[random.below(chosen.count)]
        case (.telltaleBit, ContainerName.log): return random.below(min(32, own.count))
        case (.innerBit, ContainerName.log):
            let frames = max((own.count - 32) / 4_120, 1)
            return min(32 + random.below(frames) * 4_120 + random.below(24), own.count - 1)
        case (.telltaleBit, _): return random.below(min(100, own.count))
        case (.innerBit, ContainerName.store):
            // The pages of the schema are the first ones that are made.
            let text = own.indices.prefix(40_960).filter { (0x20...0x7e).contains(own[$0]) }
            return text.isEmpty ? 0 : text[random.below(text.count)]
        default: return random.below(own.count)
        }
    }

    var description: String { "\(name) \(kind)\(detail)" }

    /// Does it to the files below a folder; `away` is a folder beside it.
    func apply(_ folder: String, away: String) throws {
        let path = folder + "/" + (name.hasSuffix("/") ? String(name.dropLast()) : name)
        let moved = away + "/moved"
        remove(path, moved)
        switch kind {
        case .missing: break
        case .folder: try FileTree.put([], name + (name.hasSuffix("/") ? "" : "/"), in: folder)
        case .fifo: mkfifo(path, 0o600)
        case .looseLink: symlink(away + "/nothing", path)
        case .link: symlink(moved, path)
        default:
            try FileTree.put(
                bytes ?? [], name.hasSuffix("/") ? String(name.dropLast()) : name, in: folder)
        }
    }

    /// Moves what lies there away.
    private func remove(_ path: String, _ moved: String) {
        TemporaryDirectory.remove(moved)
        rename(path, moved)
    }

    /// Whether one bit was flipped.
    var isFlip: Bool { kind == .bit || kind == .telltaleBit || kind == .innerBit }

    /// Whether what is damaged follows from the seed alone. The salts of a log and the process in a lock
    /// differ between runs, and with them which digit a flipped bit meets.
    var isSteady: Bool {
        !isFlip || name == ContainerName.store || name.contains("/")
    }

    /// Whether no file is left, or an empty one, or something that a person moves away.
    var isLost: Bool { bytes == nil || bytes?.isEmpty == true }

    /// Whether an earlier file is there, or another store's.
    var isExchanged: Bool { kind == .earlier || kind == .other }
}
