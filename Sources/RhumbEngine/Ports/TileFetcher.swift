public import RhumbCore

/// Fetches what a data source's URL answer names. A port: the HTTP client is behind it.
public protocol TileFetcher: Sendable {
    /// Fetches one address.
    /// - Returns: the encoded image, or `.absent` when the server says there is none.
    /// - Throws: `TileFailure`. A cancelled task ends soon.
    func fetch(_ url: String, for tile: TileID) async throws(TileFailure) -> TileAnswer
}
