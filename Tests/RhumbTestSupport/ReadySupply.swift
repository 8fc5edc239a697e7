package import RhumbCore
package import RhumbEngine
package import RhumbOffline

/// A region's source that supplies every tile immediately.
package struct ReadySupply: RegionSupply {
    package let origin: TileOrigin
    private let picture: @Sendable (TileID) -> [UInt8]

    package var policy: SourcePolicy { .unlimited }
    package var batch: Int { 64 }

    /// - Parameter picture: Returns the picture of a tile. Regions store only valid images.
    package init(origin: TileOrigin, picture: @escaping @Sendable (TileID) -> [UInt8]) {
        self.origin = origin
        self.picture = picture
    }

    package func isCurrent(_ stored: StoredResponse) async -> Bool { true }

    package func load(_ items: [SupplyRequest], post: @escaping @Sendable (SupplyEvent) -> Void) async {
        for item in items {
            let freshness = Freshness(receivedAt: .now, initialAge: 0, lifetime: 3600)
            let response = StoredResponse(body: picture(item.tile), freshness: freshness)
            post(.loaded(item.tile, .success(.answer(response))))
        }
    }
}
