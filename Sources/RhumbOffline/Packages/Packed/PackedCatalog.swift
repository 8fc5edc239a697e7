internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// A binary form of a catalogue that loads quickly, cached beside its document. If it is missing, damaged or
/// made from another document, it is created again from the document.
///
///     "RhumbPC4"
///     check       content hash of everything that follows: a text
///     document    its hash and address: a text
///     versions    of editions, without duplicates: texts
///     catalogue   id, titles, attribution, signed, expires; its packages: id, parent, level, titles, area,
///                 content, zooms, editions
///
/// Counts and other numbers are unsigned LEB128. A text is its count of bytes, followed by UTF-8. A list
/// begins with its count; an optional value is a list of at most one. Coordinates are 8-byte IEEE 754 numbers
/// in little-endian order.
struct PackedCatalog {
    /// The cache of the binary form; nil for none.
    private let store: (any ResponseStore)?
    private let key: ResourceKey

    private static let mark = Array("RhumbPC4".utf8)

    /// - Parameters:
    ///   - address: The address of the stored document.
    ///   - store: The cache of the binary form; nil if it may not be stored.
    init(of address: String, in store: (any ResponseStore)?) {
        key = .document(address + "#packages")
        self.store = store
    }

    /// Returns the catalogue of a document.
    /// - Parameter address: The document's address; relative addresses in it are resolved against it.
    /// - Throws: `PackageCatalogFailure`
    func catalog(_ document: [UInt8], at address: String) throws(PackageCatalogFailure) -> PackageCatalog {
        let name = "\(ContentHash(document)) \(address)"
        if let cached = store?.response(for: key)?.body,
            let catalog = PackedCatalog.unpacked(cached, of: name)
        {
            return catalog
        }
        let catalog = try PackageCatalog(document, at: address)
        let life = Freshness(receivedAt: .now, initialAge: 0, lifetime: 0)
        store?.store(StoredResponse(body: PackedCatalog.packed(catalog, of: name), freshness: life), for: key)
        return catalog
    }

    /// - Parameter document: The document's hash and address.
    static func packed(_ catalog: PackageCatalog, of document: String) -> [UInt8] {
        var content = PackedCatalogWriter()
        content.add(document)
        content.add(catalog)
        var head = PackedCatalogWriter()
        head.add(ContentHash(content.bytes).description)
        return mark + head.bytes + content.bytes
    }

    /// Returns a catalogue from its binary form; nil if that is damaged or made from another document.
    static func unpacked(_ bytes: [UInt8], of document: String) -> PackageCatalog? {
        guard bytes.starts(with: mark) else { return nil }
        return bytes.withUnsafeBytes { memory in
            var reader = PackedCatalogReader(memory[mark.count...])
            guard let check = try? reader.text(), check == ContentHash(Array(reader.rest)).description,
                (try? reader.text()) == document
            else { return nil }
            return try? reader.catalog()
        }
    }
}

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

/// Writes a packed catalogue; see `PackedCatalog`.
struct PackedCatalogWriter {
    private(set) var bytes: [UInt8] = []
    private var versions: [PackageVersion: Int] = [:]

    mutating func add(_ catalog: PackageCatalog) {
        addVersions(of: catalog)
        add(catalog.id)
        add(catalog.titles)
        add(catalog.attribution)
        add(catalog.isSigned ? 1 : 0)
        add(catalog.expires)
        add(list: catalog.packages) { $0.add($1) }
    }

    private mutating func addVersions(of catalog: PackageCatalog) {
        let all = Set(catalog.packages.flatMap { $0.editions.map(\.version) }).sorted()
        versions = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
        add(list: all) { $0.add($1.description) }
    }

    private mutating func add(_ package: CatalogPackage) {
        add(package.id)
        add(package.parent)
        add(package.level.rawValue)
        add(package.titles)
        add(list: package.area.map { [$0.polygons] } ?? []) { writer, polygons in
            writer.add(list: polygons) { $0.add(list: $1) { $0.add(ring: $1) } }
        }
        add(package.content)
        add(list: package.zooms.map { [$0] } ?? []) {
            $0.add($1.lowest); $0.add($1.highest)
        }
        add(list: package.editions) { $0.add($1) }
    }

    private mutating func add(ring: [Position]) {
        add(list: ring) { writer, corner in
            writer.add(corner.longitude)
            writer.add(corner.latitude)
        }
    }

    private mutating func add(_ content: PackageContent?) {
        switch content {
        case nil: add(0)
        case .archive(let address)?: add(1); add(address)
        case .part(let address)?: add(2); add(address)
        case .source(let specifier)?: add(3); add(specifier)
        }
    }

    private mutating func add(_ edition: PackageEdition) {
        add(versions[edition.version] ?? 0)
        add(edition.date)
        add(edition.bytes)
        add(list: edition.archiveBytes.map { [$0] } ?? []) { $0.add($1) }
        add(list: edition.featureBytes.sorted { $0.key < $1.key }) {
            $0.add($1.key); $0.add($1.value)
        }
        add(edition.hashes)
        add(edition.sha256)
        add(edition.archive)
    }

    // MARK: Values

    mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes += text.utf8
    }

    private mutating func add(_ text: String?) { add(list: text.map { [$0] } ?? []) { $0.add($1) } }

    private mutating func add(_ titles: [String: String]) {
        add(list: titles.sorted { $0.key < $1.key }) {
            $0.add($1.key); $0.add($1.value)
        }
    }

    private mutating func add(_ number: Int) { bytes.append(varint: UInt64(number)) }

    private mutating func add(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
    }

    private mutating func add<Item>(list: [Item], _ body: (inout PackedCatalogWriter, Item) -> Void) {
        add(list.count)
        for item in list { body(&self, item) }
    }
}
