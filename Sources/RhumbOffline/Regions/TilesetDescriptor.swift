public import RhumbCore
internal import RhumbOpening

/// The tiles of a style's sources in a range of zooms; modelled after Mapbox's TilesetDescriptor.
public struct TilesetDescriptor: Hashable, Sendable {
    /// The style's name, file or address.
    public let style: String
    /// The zooms of the map.
    public let zooms: ZoomRange
    /// The number of tile pixels per map pixel: 1 or 2.
    public let pixelRatio: Int
    /// Arbitrary JSON, stored with the region.
    public var metadata = JSON.null
    /// True if a download accepts stored tiles regardless of their age.
    public var acceptsExpired = false

    /// Creates a descriptor.
    /// - Throws: `RegionDefinitionFailure.scale`
    public init(style: String, zooms: ZoomRange, pixelRatio: Int = 1) throws(RegionDefinitionFailure) {
        guard (1...2).contains(pixelRatio) else { throw .scale(pixelRatio) }
        self.style = style
        self.zooms = zooms
        self.pixelRatio = pixelRatio
    }
}

extension RegionQueue {
    /// Plans a region of several tilesets, each with its own zooms and pixel ratio. Stores nothing; the start
    /// creates the region and the style packs.
    /// - Parameters:
    ///   - descriptors: The tilesets, at least one.
    ///   - features: The names of the features that the region contains.
    ///   - isPermitted: True if the user confirms that the providers allow the download.
    /// - Throws: `OfflineFailure`, also if a style can't be opened.
    public func plan(
        _ id: RegionID, name: String = "", geometry: RegionGeometry, of descriptors: [TilesetDescriptor],
        features: [String], isPermitted: Bool = false
    ) async throws(OfflineFailure) -> RegionProposal {
        let definition: RegionDefinition
        do throws(RegionDefinitionFailure) {
            let tilesets = try descriptors.map { descriptor throws(RegionDefinitionFailure) in
                try ZoomTileset(
                    source: opener.location(ofStyle: descriptor.style), zooms: descriptor.zooms,
                    scale: descriptor.pixelRatio,
                    metadata: descriptor.metadata, acceptsExpired: descriptor.acceptsExpired)
            }
            definition = try RegionDefinition(
                id: id, name: name, geometry: geometry, tilesets: tilesets, features: features)
        } catch {
            throw .definition(error)
        }
        var plan = try await plan(definition, isPermitted: isPermitted)
        plan.stylePacks = definition.sources
        return plan
    }
}
