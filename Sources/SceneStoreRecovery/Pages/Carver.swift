import SceneStoreStorage
import SceneStoreValues

/// Finds rows in the pages of a damaged file and trusts their checksums alone.
///
/// Every page is looked at once: the current ones, those below the log, the free ones. Later passes
/// go to the cells that the first one found. Work is linear in the size of the file; memory in the
/// number of rows, payloads not counted.
package final class Carver {
    package let image: PageImage
    package let tree: PageTree
    /// The place in the list of sources, for reading payloads again.
    package let source: Int
    /// How many pages of long records a pass may still read. Honest files have each page in one
    /// record; in a crafted one every cell may claim the same long chain.
    private var budget = 0
    /// Where the first pass found cells, in the order of its visits.
    private var known: [Known]?
    /// The page of the last payload: the next one mostly lies there, too.
    private var last: (place: PagePlace, page: [UInt8])?
    private let progress: SalvageProgress?

    package init(_ image: PageImage, source: Int, progress: SalvageProgress? = nil) {
        self.image = image
        self.source = source
        self.progress = progress
        tree = PageTree(image)
    }

    private var pageCount: Int { Int(image.mainPages) + image.frames.count }
    private var fullBudget: Int { 4 * pageCount + 16_384 }

    /// Says how far a pass is; throws when it is to end.
    private func say(_ done: Int) throws(SceneStoreError) {
        guard done % 64 == 0, let progress else {
            return
        }
        guard progress(done, pageCount) else {
            throw WorkTeller.cancelled
        }
    }

    /// More cells than a page of honest rows has.
    private static let cellsOfPage = 300

    private typealias Known = (visit: Visit, cells: [(offset: Int, rank: CarvedRow.Rank)])

    /// A page of the rest of a long record.
    private func restPage(_ number: UInt32) -> [UInt8]? {
        guard budget > 0 else {
            return nil
        }
        budget -= 1
        return image.page(number)
    }

    /// A page that is looked at.
    private struct Visit {
        var number: UInt32
        var place: PagePlace
        var rank: CarvedRow.Rank
        /// The table whose tree leads here.
        var table: String?
        var sequence: Int
    }

    /// A cell with its record's header.
    private struct Found {
        var cell: LeafCell
        var header: RecordHeader
        var offset: Int
        /// The record as far as it lies in the page, or whole.
        var record: ArraySlice<UInt8>
        var rank: CarvedRow.Rank

        var isWhole: Bool { record.count == cell.size }
    }

    // MARK: - Identity

    /// The store's own rows, newest first; each proves itself, because the identity that its
    /// checksum is made with stands in it.
    func storeRows() throws(SceneStoreError) -> [CarvedRow] {
        var rows: [CarvedRow] = []
        try eachCell { found, visit in
            storeRow(found, visit).map { rows.append($0) }
        }
        return Self.newestFirst(rows)
    }

    /// The store's row that the file has first, which in most files is near its beginning.
    func firstStoreRow() throws(SceneStoreError) -> CarvedRow? {
        budget = fullBudget
        var first: CarvedRow?
        try eachPage { visit, page in
            eachCell(of: page, visit) { found in
                first = first ?? storeRow(found, visit)
            }
            return first == nil
        }
        return first
    }

    /// The store's own rows, newest first, and in the same pass the rows that bear the checksum of
    /// the first of them: a file mostly has the rows of one store.
    func storesAndRows() throws(SceneStoreError) -> (
        stores: [CarvedRow], found: (uuid: [UInt8], rows: CarvedRows)?
    ) {
        guard let uuid = try firstStoreRow()?.values[0].blob else {
            return ([], nil)
        }
        var stores: [CarvedRow] = []
        let rows = try rows(of: uuid) { found, visit in
            storeRow(found, visit).map { stores.append($0) }
        }
        return (Self.newestFirst(stores), (uuid, rows))
    }

    /// The same pages without what another store's log lays over them; nil if there is no such
    /// thing. Every commit writes the store's own row, so each tells whose it is, and the file whose it
    /// must be. A file's row that proves none of its rows is another store's page.
    func withoutForeignCommits(
        _ stores: [CarvedRow], _ progress: SalvageProgress?
    ) throws(SceneStoreError) -> Carver? {
        func without(_ commits: [CarvedRow]) -> Carver {
            var image = image
            image.leaveOutCommits(of: commits.map { $0.sequence - 1 })
            return Carver(image, source: source, progress: progress)
        }
        let logged = stores.filter { $0.sequence > 0 }
        var own = stores.first { $0.sequence == 0 }?["uuid"].blob
        guard logged.contains(where: { $0["uuid"].blob != own }) else {
            return nil
        }
        let alone = without(logged)
        var most = 0
        if let own { most = try alone.rows(of: own).count }
        if most == 0 {
            // The file's row is damaged. It is the store whose rows it has.
            let named = try alone.identitiesInJournal() + logged.compactMap { $0["uuid"].blob }
            for identity in Self.first(named) {
                let count = try alone.rows(of: identity).count
                if count > most {
                    (own, most) = (identity, count)
                }
            }
        }
        guard let own else {
            return nil
        }
        let foreign = logged.filter { $0["uuid"].blob != own }
        return foreign.isEmpty ? nil : without(foreign)
    }

    private func storeRow(_ found: Found, _ visit: Visit) -> CarvedRow? {
        let layout = StoreTable.store.description
        guard layout.recordColumns == found.header.columns.count, found.cell.id == 1,
            let values = values(layout, found), let uuid = values[0].blob,
            uuid.count == 16
        else {
            return nil
        }
        return row(layout, found, visit, values, RowSealer(uuid: uuid))
    }

    private static func newestFirst(_ rows: [CarvedRow]) -> [CarvedRow] {
        rows.sorted { left, right in
            let (first, second) = (left.number("generation"), right.number("generation"))
            if first != second {
                return first > second
            }
            return left.rank == right.rank
                ? left.sequence > right.sequence : left.rank < right.rank
        }
    }

    /// How many identities are tried, each in a pass of its own: a crafted file names any number
    /// (S-62).
    private static let mostIdentities = 16

    /// The identities that are tried, each once.
    static func first(_ identities: [[UInt8]]) -> [[UInt8]] {
        var tried: [[UInt8]] = []
        for identity in identities
        where tried.count < mostIdentities && !tried.contains(identity) {
            tried.append(identity)
        }
        return tried
    }

    /// Identities that the journal names, for a file whose own row is lost: entries of the kind
    /// `open` and `identity` hold it, and prove it by their checksum.
    func identitiesInJournal() throws(SceneStoreError) -> [[UInt8]] {
        var identities: [[UInt8]] = []
        let layout = StoreTable.event.description
        let kinds: Set = [StoreEvent.Kind.open.rawValue, StoreEvent.Kind.identity.rawValue]
        try eachCell { found, visit in
            guard identities.count < Self.mostIdentities,
                layout.recordColumns == found.header.columns.count,
                let values = values(layout, found), let kind = values[5].text,
                kinds.contains(kind),
                let uuid = values[7].text.flatMap(StoreIdentity.init(_:))?.bytes,
                !identities.contains(uuid)
            else {
                return
            }
            let sealer = RowSealer(uuid: uuid)
            if row(layout, found, visit, values, sealer) != nil {
                identities.append(uuid)
            }
        }
        return identities
    }

    // MARK: - Rows

    /// All rows that bear the checksum of a store, and those in use that do not.
    package func rows(of uuid: [UInt8]) throws(SceneStoreError) -> CarvedRows {
        try rows(of: uuid) { _, _ in }
    }

    private func rows(
        of uuid: [UInt8], _ each: (Found, Visit) -> Void
    ) throws(SceneStoreError) -> CarvedRows {
        let sealer = RowSealer(uuid: uuid)
        var rows = CarvedRows()
        rows.reserveCapacity(pages: pageCount)
        try eachCell { found, visit in
            each(found, visit)
            for layout in TableDescription.candidates(columns: found.header.columns.count) {
                guard layout.table != .store, let values = values(layout, found),
                    let row = row(layout, found, visit, values, sealer)
                else {
                    continue
                }
                rows.insert(row)
                if !row.isWhole, row.rank == .reached,
                    rows.damaged.count < CarvedRows.damagedCapacity
                {
                    rows.damaged.append(damaged(layout, found, "payload"))
                }
                return
            }
            note(found, visit, &rows)
        }
        return rows
    }

    /// Keeps what a tree leads to and what yet is no row of its table.
    private func note(_ found: Found, _ visit: Visit, _ rows: inout CarvedRows) {
        guard found.rank == .reached, rows.damaged.count < CarvedRows.damagedCapacity,
            let name = visit.table,
            let table = StoreTable.allCases.first(where: { $0.name == name }),
            table != .store, table != .migration
        else {
            return
        }
        let layout = table.description
        guard layout.recordColumns == found.header.columns.count else {
            return
        }
        let isTyped = values(layout, found) != nil
        rows.damaged.append(damaged(layout, found, isTyped ? "checksum" : "type"))
    }

    private func damaged(
        _ layout: TableDescription, _ found: Found, _ reason: String
    ) -> DamagedRecord {
        var columns: [ColumnValue] = [.integer(found.cell.id)]
        for index in found.header.columns.indices.dropFirst() {
            columns.append(found.header.value(index, in: found.record) ?? .null)
        }
        return DamagedRecord(
            table: layout.table, id: found.cell.id, reason: reason, columns: columns)
    }

    /// The columns between the number and the checksum, if they are of the layout's types.
    private func values(_ layout: TableDescription, _ found: Found) -> [ColumnValue]? {
        var values: [ColumnValue] = []
        values.reserveCapacity(layout.columns.count)
        for (index, column) in layout.columns.enumerated() {
            guard let value = found.header.value(index + 1, in: found.record),
                value.fits(column.kind)
            else {
                return nil
            }
            values.append(value)
        }
        return values
    }

    /// The row, if it bears its checksum.
    private func row(
        _ layout: TableDescription, _ found: Found, _ visit: Visit, _ values: [ColumnValue],
        _ sealer: RowSealer
    ) -> CarvedRow? {
        guard
            case .integer(let checksum) = found.header.value(
                layout.recordChecksum, in: found.record),
            checksum == sealer.checksum(layout, id: found.cell.id, values),
            layout.isPlausible(id: found.cell.id, values)
        else {
            return nil
        }
        var payload: CarvedRow.Payload?
        if layout.hasPayload, let index = layout.index("content_hash"),
            let hash = values[index].integer, found.isWhole,
            let bytes = Self.payload(found.header, found.record)
        {
            let isSame = bytes.withUnsafeBytes {
                Int64(bitPattern: ContentHash.hash($0)) == hash
            }
            if isSame {
                payload = CarvedRow.Payload(
                    source: source, place: visit.place, offset: found.offset,
                    count: bytes.count)
            }
        }
        return CarvedRow(
            table: layout.table, id: found.cell.id, values: values, checksum: checksum,
            payload: payload, rank: found.rank, sequence: visit.sequence)
    }

    /// A record's last column, if it is a blob and all of it is there.
    private static func payload(
        _ header: RecordHeader, _ record: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        guard let column = header.columns.last, column.type >= 12, column.type % 2 == 0,
            column.range.upperBound <= record.count
        else {
            return nil
        }
        let start = record.startIndex
        return record[start + column.range.lowerBound..<start + column.range.upperBound]
    }

    /// The bytes of a row's payload, proved once more; nil when they cannot be read any more.
    package func payload(of row: CarvedRow) -> [UInt8]? {
        guard let place = row.payload, place.source == source,
            let page = page(at: place.place), let cell = LeafCell(page, at: place.offset),
            let record = cell.record(page, image.page),
            let header = RecordHeader(record, size: cell.size),
            let bytes = Self.payload(header, record),
            let hash = row["content_hash"].integer
        else {
            return nil
        }
        let found = bytes.withUnsafeBytes { Int64(bitPattern: ContentHash.hash($0)) }
        return found == hash ? Array(bytes) : nil
    }

    private func page(at place: PagePlace) -> [UInt8]? {
        if let last, last.place == place {
            return last.page
        }
        guard let page = image.bytes(at: place) else {
            return nil
        }
        last = (place, page)
        return page
    }

    // MARK: - The index over configurations

    /// The role and name of each configuration as the index over them has them, for rows that are
    /// lost. No other index has entries of these types.
    func indexedConfigurations(
        epoch: Int64
    ) throws(SceneStoreError) -> [Int64: IndexedConfiguration] {
        var found: [Int64: IndexedConfiguration] = [:]
        try eachPage { visit, page in
            let newest = image.newest[visit.number]
            let kind = page.first
            guard newest == nil ? !visit.place.isInLog : newest == visit.place,
                !tree.free.contains(visit.number), kind == 0x0A || kind == 0x02
            else {
                return true
            }
            // An inner page has the number of another page before each entry.
            let (start, skipped) = kind == 0x0A ? (8, 0) : (12, 4)
            for index in 0..<min(page.bigEndian16(at: 3), (page.count - start) / 2) {
                var position = page.bigEndian16(at: start + 2 * index) + skipped
                guard let size = page.varint(at: &position).flatMap(Int.init(exactly:)),
                    size <= page.count - position
                else {
                    continue
                }
                let record = page[position..<position + size]
                guard let header = RecordHeader(record, size: size, isOfIndex: true),
                    header.columns.count == 4, header.value(0, in: record) == .integer(epoch),
                    let role = header.value(1, in: record)?.text,
                    let name = header.value(2, in: record), name.fits(.optionalText),
                    let id = header.value(3, in: record)?.integer
                else {
                    continue
                }
                found[id] = (role, name.text)
            }
            return true
        }
        return found
    }

    // MARK: - Pages

    /// Visits every page of the main file and every committed frame of the log, until the body is
    /// false.
    private func eachPage(
        _ body: (Visit, [UInt8]) -> Bool
    ) throws(SceneStoreError) {
        if let main = image.main {
            var number: UInt32 = 1
            while number <= image.mainPages {
                let offset = Int64(number - 1) * Int64(PageImage.pageSize)
                let place = PagePlace(isInLog: false, offset: offset)
                if let page = image.bytes(at: place) {
                    if page[0] == 0, page.allSatisfy({ $0 == 0 }) {
                        let data = main.nextData(from: offset)
                        if data >= offset + Int64(PageImage.pageSize) {
                            number = UInt32(clamping: data / Int64(PageImage.pageSize) + 1)
                            continue
                        }
                    }
                    let goesOn = body(
                        Visit(
                            number: number, place: place,
                            rank: rank(of: number, isCurrent: image.newest[number] == nil),
                            table: tree.leaves[number], sequence: 0), page)
                    guard goesOn else {
                        return
                    }
                }
                number += 1
                try say(Int(number))
            }
        }
        for (index, frame) in image.frames.enumerated() {
            guard let page = image.bytes(at: frame.place) else {
                continue
            }
            let isCurrent = image.newest[frame.page] == frame.place
            let goesOn = body(
                Visit(
                    number: frame.page, place: frame.place,
                    rank: rank(of: frame.page, isCurrent: isCurrent),
                    table: isCurrent ? tree.leaves[frame.page] : nil, sequence: index + 1),
                page)
            guard goesOn else {
                return
            }
            try say(Int(image.mainPages) + index)
        }
    }

    private func rank(of number: UInt32, isCurrent: Bool) -> CarvedRow.Rank {
        guard isCurrent, !tree.free.contains(number) else {
            return .old
        }
        if tree.leaves[number] != nil {
            return .reached
        }
        return tree.isWhole ? .old : .possible
    }

    // MARK: - Cells

    /// Finds the cells of every page, once; a later pass reads those that were found.
    private func eachCell(_ body: (Found, Visit) -> Void) throws(SceneStoreError) {
        try say(0)
        budget = fullBudget
        let most = pageCount * Self.cellsOfPage
        if let known {
            for (index, entry) in known.enumerated() {
                try say(index)
                guard let page = image.bytes(at: entry.visit.place) else {
                    continue
                }
                for place in entry.cells {
                    if let found = cell(at: place.offset, of: page, place.rank) {
                        body(found, entry.visit)
                    }
                }
            }
            return
        }
        var pages: [Known] = []
        var count = 0
        try eachPage { visit, page in
            var cells: [(offset: Int, rank: CarvedRow.Rank)] = []
            cells.reserveCapacity(16)
            eachCell(of: page, visit) { found in
                cells.append((found.offset, found.rank))
                body(found, visit)
            }
            count += cells.count
            if !cells.isEmpty, count <= most {
                pages.append((visit, cells))
            }
            return true
        }
        // A crafted file may look like a cell at almost every byte: it is looked through again.
        known = count <= most ? pages : nil
    }

    /// Finds the cells of a page: by its list of cells, and where that is not to be trusted, at
    /// every offset.
    private func eachCell(of page: [UInt8], _ visit: Visit, _ body: (Found) -> Void) {
        let start = visit.number == 1 && !page.isEmpty && page[0] == 0x53 ? 100 : 0
        var listed: [Int] = []
        var isListTrusted = false
        switch page.count > start ? page[start] : 0 {
        case 0x0D:
            let count = page.bigEndian16(at: start + 3)
            isListTrusted = count <= (page.count - 8) / 2
            for index in 0..<(isListTrusted ? count : 0) {
                let offset = page.bigEndian16(at: start + 8 + 2 * index)
                guard offset >= start + 8 + 2 * count,
                    let found = cell(at: offset, of: page, visit.rank)
                else {
                    isListTrusted = false
                    continue
                }
                listed.append(offset)
                body(found)
            }
        case 0x02, 0x05, 0x0A:
            // A page of another kind, unless its first byte is what was damaged.
            isListTrusted = page.bigEndian16(at: start + 3) <= (page.count - 8) / 2
        default:
            isListTrusted = page.allSatisfy { $0 == 0 }
        }
        guard !isListTrusted else {
            return
        }
        let rank = listed.isEmpty ? max(visit.rank, .possible) : .old
        let known = Set(listed)
        for offset in LeafCell.offsets(in: page) where !known.contains(offset) {
            if let found = cell(at: offset, of: page, rank) {
                body(found)
            }
        }
    }

    private func cell(
        at offset: Int, of page: [UInt8], _ rank: CarvedRow.Rank
    ) -> Found? {
        guard let cell = LeafCell(page, at: offset),
            let header = RecordHeader(page[cell.local], size: cell.size),
            !TableDescription.candidates(columns: header.columns.count).isEmpty
        else {
            return nil
        }
        // A long record is put together once its beginning looks like one of ours.
        let record = cell.record(page, restPage) ?? page[cell.local]
        return Found(cell: cell, header: header, offset: offset, record: record, rank: rank)
    }
}

/// A closure that gets how many pages a pass has read, of how many; false ends the work.
public typealias SalvageProgress = (_ done: Int, _ total: Int) -> Bool

/// Which store a file is, or was.
package struct StoreIdentity: Hashable, Sendable {
    package let bytes: [UInt8]
}

extension StoreIdentity {
    /// Reads 32 hexadecimal digits.
    fileprivate init?(_ text: String) {
        guard text.utf8.count == 32, let bytes = HexText.bytes(text) else {
            return nil
        }
        self.init(bytes: bytes)
    }
}

extension HexText {
    /// The bytes of hexadecimal digits; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else {
            return nil
        }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
