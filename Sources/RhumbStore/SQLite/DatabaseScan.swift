internal import RhumbCore

/// A value of a row read by `DatabaseScan`.
enum ScannedValue: Equatable {
    case null
    case integer(Int)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}

/// A row read by `DatabaseScan`.
struct ScannedRow {
    /// The row's id; nil in an index or a table without row ids.
    let rowID: Int?
    /// The values before the first damage.
    let values: [ScannedValue]
    /// True if all values were read.
    let isWhole: Bool
}

/// Reads the rows of a damaged database from all pages that can be read, also those to which no page refers
/// any more.
///
/// Rows are found in three passes: by the references between pages that the pointer map confirms; then on
/// other pages whose table the map names; then by the remaining references. SQLite's own recovery works
/// alike, but isn't part of its library.
struct DatabaseScan {
    let pages: DatabasePages
    /// True if the database has a pointer map, which names the parent of each page.
    private let hasMap: Bool
    private var isVisited: [Bool]
    /// Children that the pointer map does not confirm.
    private var doubtful: [(page: Int, root: Int)] = []
    /// The number of pages, by root, that should have rows but can't be read.
    private(set) var unreadablePages: [Int: Int] = [:]

    init(_ pages: DatabasePages) {
        self.pages = pages
        isVisited = [Bool](repeating: false, count: pages.count + 1)
        let header = pages.page(1)
        hasMap = header.bigEndian(52, 4) != 0 || !header.starts(with: "SQLite format 3\0".utf8)
    }

    /// Returns the rows of the table of tables, whose root is page 1.
    mutating func schema() throws(StoreFailure) -> [ScannedRow] {
        var rows: [ScannedRow] = []
        try walk(1, of: 1) { _, row in rows.append(row) }
        return rows
    }

    /// Returns true if a page can be the root of a table or index.
    func isRoot(_ page: Int) -> Bool {
        page > 1 && page <= pages.count && (!hasMap || mapEntry(page).kind == .root)
    }

    /// The pages that are roots by the pointer map.
    var mappedRoots: [Int] { hasMap ? (2..<max(pages.count + 1, 2)).filter(isRoot) : [] }

    /// Reads the rows of tables and indexes, given by their roots.
    mutating func scan(
        _ roots: [Int], _ visit: (_ root: Int, ScannedRow) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        for root in roots { try walk(root, of: root, visit) }
        guard hasMap else { return }
        for page in 3..<max(pages.count + 1, 3) where !isVisited[page] && !isMapPage(page) {
            if let root = root(of: page), roots.contains(root) { try walk(page, of: root, visit) }
        }
        while let (page, root) = doubtful.popLast() {
            if mapEntry(page).kind != .free { try walk(page, of: root, visit) }
        }
    }

    // MARK: Pages

    private mutating func walk(
        _ start: Int, of root: Int, _ visit: (Int, ScannedRow) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        var open = [start]
        while let number = open.popLast() {
            guard number > 0, number < isVisited.count, !isVisited[number] else { continue }
            isVisited[number] = true
            guard let page = TreePage(pages.page(number), isFirst: number == 1) else {
                unreadablePages[root, default: 0] += 1
                continue
            }
            for cell in page.cells { if let row = row(cell, on: page) { try visit(root, row) } }
            for child in page.children {
                if !hasMap || mapEntry(child) == MapEntry(kind: .branch, parent: number) {
                    open.append(child)
                } else {
                    doubtful.append((child, root))
                }
            }
        }
    }

    /// Returns the root of a page by the pointer map; nil for a page without rows.
    private func root(of page: Int) -> Int? {
        var page = page
        for _ in 0..<20 {
            let entry = mapEntry(page)
            if entry.kind == .root { return page }
            guard entry.kind == .branch, (2...pages.count).contains(entry.parent) else { return nil }
            page = entry.parent
        }
        return nil
    }

    // MARK: Pointer map

    private struct MapEntry: Equatable {
        enum Kind: UInt8 { case none = 0, root, free, overflowStart, overflow, branch }
        let kind: Kind
        let parent: Int
    }

    /// The number of pages between two pages of the map, plus 1.
    private var mapInterval: Int { pages.size / 5 + 1 }

    private func mapPage(for page: Int) -> Int {
        let map = (page - 2) / mapInterval * mapInterval + 2
        // SQLite locks the bytes at 1 GiB, whose page is skipped.
        return map == (1 << 30) / pages.size + 1 ? map + 1 : map
    }

    private func isMapPage(_ page: Int) -> Bool { mapPage(for: page) == page }

    private func mapEntry(_ page: Int) -> MapEntry {
        guard page > 2, page <= pages.count, !isMapPage(page) else { return MapEntry(kind: .none, parent: 0) }
        let map = mapPage(for: page), bytes = mapCache.bytes(of: map, in: pages), at = 5 * (page - map - 1)
        guard at >= 0, at + 5 <= bytes.count else { return MapEntry(kind: .none, parent: 0) }
        return MapEntry(kind: MapEntry.Kind(rawValue: bytes[at]) ?? .none, parent: bytes.bigEndian(at + 1, 4))
    }

    private let mapCache = MapCache()

    /// The last page of the map that was read.
    private final class MapCache {
        private var number = 0
        private var bytes: [UInt8] = []

        func bytes(of page: Int, in pages: DatabasePages) -> [UInt8] {
            if page != number { (number, bytes) = (page, pages.page(page)) }
            return bytes
        }
    }

    // MARK: Rows

    /// Returns the row of a cell; nil if nothing of it can be read.
    private func row(_ cell: TreePage.Cell, on page: TreePage) -> ScannedRow? {
        let bytes = page.bytes, longest = pages.count * pages.size
        guard let (length, lengthSize) = bytes.varint(cell.payload), (1...longest).contains(length) else {
            return nil
        }
        var start = cell.payload + lengthSize, rowID: Int?
        if !page.isIndex {
            guard let (id, idSize) = bytes.varint(start) else { return nil }
            rowID = id
            start += idSize
        }
        let local = localLength(length, isIndex: page.isIndex)
        guard start + local <= bytes.count else { return nil }
        var payload = Array(bytes[start..<start + local])
        if local < length {
            var next = bytes.bigEndian(start + local, 4)
            payload.reserveCapacity(length)
            while payload.count < length, next > 1, next <= pages.count {
                let part = pages.page(next)
                payload += part[4..<min(pages.size, 4 + length - payload.count)]
                next = part.bigEndian(0, 4)
            }
        }
        return ScannedRow(rowID: rowID, payload, length: length)
    }

    /// Returns the number of bytes of a payload that are stored in its cell. The others are on overflow
    /// pages.
    private func localLength(_ length: Int, isIndex: Bool) -> Int {
        let longest = isIndex ? (pages.size - 12) * 64 / 255 - 23 : pages.size - 35
        guard length > longest else { return length }
        let shortest = (pages.size - 12) * 32 / 255 - 23
        let balanced = shortest + (length - shortest) % (pages.size - 4)
        return balanced <= longest ? balanced : shortest
    }
}

/// A page of a B-tree.
private struct TreePage {
    struct Cell {
        /// The offset of the payload's length.
        let payload: Int
    }

    let bytes: [UInt8]
    /// True for a page of an index or of a table without row ids.
    let isIndex: Bool
    /// The cells with rows.
    private(set) var cells: [Cell] = []
    private(set) var children: [Int] = []

    /// nil if the bytes are no such page.
    init?(_ bytes: [UInt8], isFirst: Bool) {
        let start = isFirst ? 100 : 0
        guard start < bytes.count, [0x02, 0x05, 0x0A, 0x0D].contains(bytes[start]) else { return nil }
        let isBranch = bytes[start] < 0x0A
        isIndex = bytes[start] == 0x02 || bytes[start] == 0x0A
        self.bytes = bytes
        let pointers = start + (isBranch ? 12 : 8), count = bytes.bigEndian(start + 3, 2)
        for at in 0..<min(count, (bytes.count - pointers) / 2) {
            let cell = bytes.bigEndian(pointers + 2 * at, 2)
            guard cell >= pointers, cell < bytes.count else { continue }
            if isBranch { children.append(bytes.bigEndian(cell, 4)) }
            if isIndex || !isBranch { cells.append(Cell(payload: isBranch ? cell + 4 : cell)) }
        }
        if isBranch { children.append(bytes.bigEndian(start + 8, 4)) }
    }
}

extension ScannedRow {
    /// Parses a record.
    /// - Parameter length: The length of the record. A damaged payload is only its beginning.
    fileprivate init?(rowID: Int?, _ payload: [UInt8], length: Int) {
        guard let (headerEnd, headerSize) = payload.varint(0), headerEnd <= payload.count else { return nil }
        var at = headerSize, offset = headerEnd, values: [ScannedValue] = [], isWhole = true
        while at < headerEnd, let (type, size) = payload.varint(at) {
            at += size
            guard let value = ScannedValue(type, in: payload, &offset) else {
                isWhole = false
                break
            }
            values.append(value)
        }
        guard !values.isEmpty else { return nil }
        self.init(rowID: rowID, values: values, isWhole: isWhole && payload.count == length)
    }
}

extension ScannedValue {
    /// Reads a value of a serial type, and advances the offset.
    fileprivate init?(_ type: Int, in payload: [UInt8], _ offset: inout Int) {
        let sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
        guard type >= 0, type != 10, type != 11 else { return nil }
        let size = type < 10 ? sizes[type] : (type - 12) / 2, start = offset
        guard size <= payload.count - start else { return nil }
        offset += size
        let bytes = payload[start..<offset]
        switch type {
        case 0: self = .null
        case 7: self = .real(Double(bitPattern: UInt64(bigEndian: bytes)))
        case 8, 9: self = .integer(type - 8)
        case 1...6:
            let negative = bytes.first.map { $0 >= 0x80 } ?? false
            let word = bytes.reduce(negative ? UInt64.max : 0) { $0 << 8 | UInt64($1) }
            self = .integer(Int(truncatingIfNeeded: word))
        default: self = type % 2 == 0 ? .blob(Array(bytes)) : .text(Array(bytes))
        }
    }
}
