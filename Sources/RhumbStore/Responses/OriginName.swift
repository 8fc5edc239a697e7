internal import RhumbCore

/// The lookup key of a row of `origins`.
enum OriginName: Hashable {
    case tiles(TileOrigin)
    /// A document's address. The edition distinguishes copies that several regions store; empty in the cache.
    case document(String, edition: String)

    init(_ key: ResourceKey) {
        switch key {
        case .tile(let origin, _): self = .tiles(origin)
        case .document(let address): self = .document(address, edition: "")
        }
    }
}

/// The key of an entry: an origin's id, and a tile's zoom, column and row, or (−1, 0, 0) for a document.
struct EntryKey: Hashable, Sendable {
    let origin, z, x, y: Int
}

extension EntryKey {
    init(origin: Int, _ key: ResourceKey) {
        switch key {
        case .tile(_, let tile): self.init(origin: origin, z: tile.zoom, x: tile.x, y: tile.y)
        case .document: self.init(document: origin)
        }
    }

    init(document origin: Int) { self.init(origin: origin, z: -1, x: 0, y: 0) }

    /// SQL for the entry with this key.
    static let condition = "origin = @origin AND z = @z AND x = @x AND y = @y"

    var values: SQLValues { ["origin": origin, "z": z, "x": x, "y": y] }
}

extension TileOrigin {
    static let columns = "source, address, size, edition, addresses"
    static let parameters = "@source, @address, @size, @edition, @addresses"
    /// SQL for the rows of all editions of a source.
    static let isEdition = "(source, address, size) = (@source, @address, @size)"

    /// Reads an origin from a row that has `columns`.
    init(row: Statement) {
        self.init(
            source: row.text("source") ?? "", address: row.text("address") ?? "", size: row.int("size") ?? 0,
            edition: TileEdition(version: row.text("edition") ?? "", addresses: row.text("addresses") ?? ""))
    }

    /// The values of the parameters of `isEdition`.
    var sourceValues: SQLValues { ["source": source, "address": address, "size": size] }

    /// The values of `parameters`.
    var values: SQLValues {
        [
            "source": source, "address": address, "size": size, "edition": edition.version,
            "addresses": edition.addresses,
        ]
    }
}
