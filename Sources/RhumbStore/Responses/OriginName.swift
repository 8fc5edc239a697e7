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
}

extension TileOrigin {
    static let columns = "source, address, size, edition, addresses"

    /// Reads an origin from a row that has `columns`.
    init(row: Statement) {
        self.init(
            source: row.text("source") ?? "", address: row.text("address") ?? "", size: row.int("size") ?? 0,
            edition: TileEdition(version: row.text("edition") ?? "", addresses: row.text("addresses") ?? ""))
    }
}

extension Statement {
    /// Binds a source's identity, without its edition, to three parameters.
    func bind(source origin: TileOrigin, from first: Int) throws(StoreFailure) {
        try bind(first, origin.source)
        try bind(first + 1, origin.address)
        try bind(first + 2, origin.size)
    }

    /// Binds the values of `TileOrigin.columns` to five parameters.
    func bind(_ origin: TileOrigin, from first: Int) throws(StoreFailure) {
        try bind(source: origin, from: first)
        try bind(first + 3, origin.edition.version)
        try bind(first + 4, origin.edition.addresses)
    }
}
