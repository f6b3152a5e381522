import SceneStoreStorage
import SceneStoreValues

/// Which pages of an image are in use, as far as its trees can be followed.
package struct PageTree {
    /// Leaves of tables that a tree leads to, with the table's name.
    package private(set) var leaves: [UInt32: String] = [:]
    /// Pages of the list of free pages.
    package private(set) var free: Set<UInt32> = []
    /// Whether every tree of a table was followed to its end: then what no tree leads to is old.
    package private(set) var isWhole = true
    /// Where a tree of a table leads to no page of a tree.
    package private(set) var gaps: [Gap] = []
    /// Pages that a tree leads to. Each counts in the tree that leads there first: a crafted schema may
    /// name one tree a thousand times (S-62).
    private var seen: Set<UInt32> = [1]

    /// A part of a table that its tree doesn't lead to.
    package struct Gap: Sendable {
        /// The table's name.
        package var table: String
        /// The numbers of the rows that may have been there.
        package var ids: ClosedRange<Int64>
    }

    package init(_ image: PageImage) {
        readFreePages(image)
        guard let first = image.page(1), let root = Node(first, isFirst: true) else {
            isWhole = false
            return
        }
        let schema = follow(root, number: 1, table: "sqlite_schema", image)
        guard !schema.isEmpty else {
            isWhole = false
            return
        }
        var names: Set<String> = []
        for (page, number) in schema {
            for (table, root) in Self.roots(page, number: number) {
                names.insert(table)
                guard seen.insert(root).inserted, let bytes = image.page(root),
                    let node = Node(bytes, isFirst: false)
                else {
                    isWhole = false
                    gaps.append(Gap(table: table, ids: .min ... .max))
                    continue
                }
                _ = follow(node, number: root, table: table, image)
            }
        }
        if !StoreTable.allCases.allSatisfy({ names.contains($0.name) }) {
            isWhole = false
        }
    }

    /// A page of a tree.
    private struct Node {
        var isLeaf: Bool
        var cells: Int
        var start: Int
        var bytes: [UInt8]

        init?(_ bytes: [UInt8], isFirst: Bool) {
            start = isFirst ? 100 : 0
            guard bytes.count > start + 12 else {
                return nil
            }
            switch bytes[start] {
            case 0x05: isLeaf = false
            case 0x0D: isLeaf = true
            default: return nil
            }
            cells = bytes.bigEndian16(at: start + 3)
            self.bytes = bytes
        }

        /// The pages below, each with the greatest number of a row that it may hold; nil when one of
        /// the pointers cannot be right.
        var children: [(page: UInt32, last: Int64)]? {
            var children: [(page: UInt32, last: Int64)] = []
            for index in 0..<cells {
                let offset = bytes.bigEndian16(at: start + 12 + 2 * index)
                guard offset >= start + 12, offset <= bytes.count - 4 else {
                    return nil
                }
                var position = offset + 4
                guard let last = bytes.varint(at: &position) else {
                    return nil
                }
                children.append((bytes.bigEndian32(at: offset), Int64(bitPattern: last)))
            }
            children.append((bytes.bigEndian32(at: start + 8), .max))
            return children
        }
    }

    /// Follows a tree and notes its leaves; answers them.
    private mutating func follow(
        _ root: Node, number: UInt32, table: String, _ image: PageImage
    ) -> [(bytes: [UInt8], number: UInt32)] {
        var result: [(bytes: [UInt8], number: UInt32)] = []
        var waiting: [(node: Node, number: UInt32, depth: Int, ids: ClosedRange<Int64>)] = [
            (root, number, 0, .min ... .max)
        ]
        while let (node, number, depth, ids) = waiting.popLast() {
            if node.isLeaf {
                leaves[number] = table
                if table == "sqlite_schema" {
                    result.append((node.bytes, number))
                }
                continue
            }
            guard depth < 20, let children = node.children else {
                isWhole = false
                gaps.append(Gap(table: table, ids: ids))
                continue
            }
            var upper = ids.upperBound
            for (index, (child, last)) in children.enumerated().reversed() {
                // Numbers out of order are damage, too: then all of the page's rows are meant.
                let before = index > 0 ? children[index - 1].last : ids.lowerBound
                let first = index > 0 && before < .max ? before + 1 : before
                let end = min(last, upper)
                let below = first <= end ? first...end : ids
                upper = end
                guard child > 1, seen.insert(child).inserted, !free.contains(child),
                    let bytes = image.page(child), let next = Node(bytes, isFirst: false)
                else {
                    isWhole = false
                    gaps.append(Gap(table: table, ids: below))
                    continue
                }
                waiting.append((next, child, depth + 1, below))
            }
        }
        return result
    }

    /// The tables and their root pages that a page of the schema names.
    private static func roots(_ page: [UInt8], number: UInt32) -> [(String, UInt32)] {
        let start = number == 1 ? 100 : 0
        var roots: [(String, UInt32)] = []
        for index in 0..<min(page.bigEndian16(at: start + 3), 1_000) {
            let offset = page.bigEndian16(at: start + 8 + 2 * index)
            // What is asked for lies in the page, however long the table's text is.
            guard let cell = LeafCell(page, at: offset),
                let columns = SchemaRecord(Array(page[cell.local])), columns.isTable
            else {
                continue
            }
            roots.append((columns.table, columns.root))
        }
        return roots
    }

    /// A row of `sqlite_schema`: type, name, table, root page, text.
    private struct SchemaRecord {
        var isTable: Bool
        var table: String
        var root: UInt32

        init?(_ record: [UInt8]) {
            var position = 0
            guard let length = record.varint(at: &position), length <= 64,
                Int(length) <= record.count
            else {
                return nil
            }
            var types: [UInt64] = []
            while position < Int(length), types.count < 5 {
                guard let type = record.varint(at: &position) else {
                    return nil
                }
                types.append(type)
            }
            guard types.count == 5, types[3] >= 1, types[3] <= 4 || types[3] == 9 else {
                return nil
            }
            var texts: [String] = []
            var offset = Int(length)
            for type in types.prefix(3) {
                guard type >= 13, type % 2 == 1, type < 128 else {
                    return nil
                }
                let end = offset + Int((type - 13) / 2)
                guard end <= record.count else {
                    return nil
                }
                texts.append(String(decoding: record[offset..<end], as: UTF8.self))
                offset = end
            }
            var number: UInt32 = types[3] == 9 ? 1 : 0
            for _ in 0..<(types[3] == 9 ? 0 : Int(types[3])) {
                guard offset < record.count else {
                    return nil
                }
                number = number << 8 | UInt32(record[offset])
                offset += 1
            }
            isTable = texts[0] == "table"
            table = texts[1]
            root = number
        }
    }

    /// The list of free pages, as far as it can be followed.
    private mutating func readFreePages(_ image: PageImage) {
        guard let first = image.page(1) else {
            return
        }
        var trunk = first.bigEndian32(at: 32)
        while trunk > 1, free.insert(trunk).inserted, let bytes = image.page(trunk) {
            let count = Int(bytes.bigEndian32(at: 4))
            guard count <= (PageImage.pageSize - 8) / 4 else {
                return
            }
            for index in 0..<count {
                free.insert(bytes.bigEndian32(at: 8 + 4 * index))
            }
            trunk = bytes.bigEndian32(at: 0)
        }
    }
}
