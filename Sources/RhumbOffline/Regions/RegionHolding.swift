public import RhumbCore
public import RhumbStore

/// A tile as a region holds it.
public struct RegionHolding: Sendable, Equatable {
    /// The region that holds the tile.
    public let region: RegionRecord
    /// The source the tile is of.
    public let origin: TileOrigin
    /// The stored response.
    public let response: StoredResponse
}

extension RegionStore {
    /// The regions that hold a tile.
    /// - Parameter source: only of the source of this name or address.
    /// - Throws: `RegionStoreFailure`
    public func holdings(of tile: TileID, source: String? = nil) throws(RegionStoreFailure) -> [RegionHolding]
    {
        try regions().flatMap { region in
            region.covers.compactMap { origin, cover in
                guard source.map([origin.source, origin.address].contains) ?? true, cover.contains(tile),
                    let response = response(for: .tile(origin: origin, tile))
                else { return nil }
                return RegionHolding(region: region, origin: origin, response: response)
            }
        }
    }
}
