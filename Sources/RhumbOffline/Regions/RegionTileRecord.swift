public import RhumbCore
public import RhumbStore

/// A tile stored for a region.
public struct RegionTileRecord: Sendable, Equatable {
    /// The region that stores the tile.
    public let region: RegionRecord
    /// The source of the tile.
    public let origin: TileOrigin
    /// The stored response.
    public let response: StoredResponse
}

extension RegionStore {
    /// Returns the regions that store a tile.
    /// - Parameter source: The name or address of the source; nil for all sources.
    /// - Throws: `RegionStoreFailure`
    public func holdings(
        of tile: TileID, source: String? = nil
    ) throws(RegionStoreFailure) -> [RegionTileRecord] {
        try regions().flatMap { region in
            region.covers.compactMap { origin, cover in
                guard source.map([origin.source, origin.address].contains) ?? true, cover.contains(tile),
                    let response = response(for: .tile(origin: origin, tile))
                else { return nil }
                return RegionTileRecord(region: region, origin: origin, response: response)
            }
        }
    }
}
