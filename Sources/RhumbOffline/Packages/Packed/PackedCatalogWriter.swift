internal import RhumbCore
internal import RhumbStore

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

    private mutating func add(_ number: Int) { Varints.append(UInt64(number), to: &bytes) }

    private mutating func add(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
    }

    private mutating func add<Item>(list: [Item], _ body: (inout PackedCatalogWriter, Item) -> Void) {
        add(list.count)
        for item in list { body(&self, item) }
    }
}
