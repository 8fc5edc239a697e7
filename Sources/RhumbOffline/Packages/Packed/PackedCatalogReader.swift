internal import RhumbCore
internal import RhumbStore

/// Reads a packed catalogue; see `PackedCatalog`.
struct PackedCatalogReader {
    private(set) var rest: Slice<UnsafeRawBufferPointer>
    private var versions: [PackageVersion] = []

    init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    mutating func catalog() throws -> PackageCatalog {
        versions = try list { try $0.version() }
        return try PackageCatalog(
            id: text(), titles: texts { try $0.text() }, attribution: text(),
            isSigned: number() == 1, expires: optional { try $0.text() }, packages: list { try $0.package() })
    }

    private mutating func version() throws -> PackageVersion {
        guard let version = PackageVersion(try text()) else { throw Varints.Failure.damaged }
        return version
    }

    private mutating func package() throws -> CatalogPackage {
        CatalogPackage(
            id: try text(), parent: try optional { try $0.text() }, level: try level(),
            titles: try texts { try $0.text() },
            area: try optional { try $0.area() }, content: try content(),
            zooms: try optional { try $0.zooms() },
            editions: try list { try $0.edition() })
    }

    private mutating func level() throws -> CatalogPackage.Level {
        guard let level = CatalogPackage.Level(rawValue: try text()) else { throw Varints.Failure.damaged }
        return level
    }

    private mutating func area() throws -> PackageArea {
        let polygons = try list { try $0.list { try $0.list { try $0.corner() } } }
        guard let area = PackageArea(polygons: polygons) else { throw Varints.Failure.damaged }
        return area
    }

    private mutating func corner() throws -> Position {
        Position(longitude: try double(), latitude: try double())
    }

    private mutating func content() throws -> PackageContent? {
        switch try number() {
        case 0: nil
        case 1: .archive(try text())
        case 2: .part(ofArchive: try text())
        case 3: .source(try text())
        default: throw Varints.Failure.damaged
        }
    }

    private mutating func zooms() throws -> ZoomRange { try ZoomRange(number(), number()) }

    private mutating func edition() throws -> PackageEdition {
        let version = try number()
        guard versions.indices.contains(version) else { throw Varints.Failure.damaged }
        return PackageEdition(
            versions[version], date: try optional { try $0.text() }, bytes: try number(),
            archiveBytes: try optional { try $0.number() },
            featureBytes: try texts { try $0.number() }, hashes: try optional { try $0.text() },
            sha256: try optional { try $0.text() }, archive: try optional { try $0.text() })
    }

    // MARK: Values

    mutating func text() throws -> String { String(decoding: try take(number()), as: UTF8.self) }

    private mutating func texts<Value>(
        _ value: (inout PackedCatalogReader) throws -> Value
    ) throws -> [String: Value] {
        var texts: [String: Value] = [:]
        for _ in 0..<(try count()) { texts[try text()] = try value(&self) }
        return texts
    }

    private mutating func optional<Value>(
        _ value: (inout PackedCatalogReader) throws -> Value
    ) throws -> Value? {
        try count() == 0 ? nil : try value(&self)
    }

    private mutating func list<Item>(_ item: (inout PackedCatalogReader) throws -> Item) throws -> [Item] {
        let count = try count()
        var items: [Item] = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try item(&self)) }
        return items
    }

    /// Reads the count of a list. Each item has at least one byte, which bounds the count.
    private mutating func count() throws -> Int {
        let count = try number()
        guard count <= rest.count else { throw Varints.Failure.damaged }
        return count
    }

    private mutating func number() throws -> Int {
        var value = 0, shift = 0
        while shift < 63, let byte = rest.popFirst() {
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw Varints.Failure.damaged
    }

    private mutating func double() throws -> Double {
        Double(bitPattern: UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self)))
    }

    private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw Varints.Failure.damaged }
        defer { rest.removeFirst(count) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    }
}
