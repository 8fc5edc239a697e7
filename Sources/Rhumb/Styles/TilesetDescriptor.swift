public import RhumbCore

/// Which tiles of a style's sources a region needs; after Mapbox's TilesetDescriptor.
public struct TilesetDescriptor: Hashable, Sendable {
    /// The style's name, file or address.
    public let style: String
    /// The zooms of the map.
    public let zooms: ZoomRange
    /// Pixels of a tile for each of the map's: 1 or 2.
    public let pixelRatio: Int

    /// - Throws: `RegionDefinitionFailure.scale`
    public init(style: String, zooms: ZoomRange, pixelRatio: Int = 1) throws(RegionDefinitionFailure) {
        guard (1...2).contains(pixelRatio) else { throw .scale(pixelRatio) }
        (self.style, self.zooms, self.pixelRatio) = (style, zooms, pixelRatio)
    }
}

extension RegionQueue {
    /// A region about to be made of what descriptors ask for, with the packs of their styles: the zooms
    /// of all of them, at the largest pixel ratio.
    /// - Parameters:
    ///   - descriptors: at least one.
    ///   - features: the names of those that the region contains.
    /// - Throws: `RegionFailure`, also where a style can't be had.
    public func propose(
        _ id: RegionID, name: String = "", geometry: RegionGeometry, of descriptors: [TilesetDescriptor],
        features: [String]
    ) async throws(RegionFailure) -> RegionProposal {
        let places = descriptors.map { opener.place(ofStyle: $0.style) }, zooms = descriptors.map(\.zooms)
        let definition: RegionDefinition
        do {
            let manager = try OfflineManager(session, opener)
            for place in places { _ = try await manager.loadStylePack(place).pack() }
            definition = try RegionDefinition(
                id: id, name: name, geometry: geometry,
                zooms: ZoomRange(zooms.map(\.lowest).min() ?? 0, zooms.map(\.highest).max() ?? 0), sources: places,
                features: features, scale: descriptors.map(\.pixelRatio).max() ?? 1)
        } catch {
            throw RegionFailure(error)
        }
        return try await propose(definition)
    }
}
