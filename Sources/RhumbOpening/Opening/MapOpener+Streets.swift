public import RhumbCore
public import RhumbEngine
public import RhumbStore

extension MapOpener {
    /// The lowest map zoom that shows streets. Below it, the world map has all the detail that fits, and no
    /// tile is fetched.
    public static let lowestStreetZoom = 6

    /// Opens a map that adds streets to a world map at high zooms.
    /// - Parameters:
    ///   - specifier: The name, file or address of the map, as in `open`.
    ///   - theme: The theme of vector tiles.
    /// - Returns: The map's layers, shown from `lowestStreetZoom` on and drawn above the base map.
    /// - Throws: `MapOpenFailure` if the map can't be opened.
    public func openStreets(_ specifier: String, theme: MapTheme) async throws(MapOpenFailure) -> [TileLayer]
    {
        try await open(specifier, theme: theme).map { $0.asStreets(above: 2) }
    }

    /// Opens the base maps in stored regions and packages, as layers over a world map. Sends no requests, and
    /// neither do the layers.
    /// - Parameter theme: The theme of vector tiles.
    /// - Returns: One layer for each source of a region, within the region's bounds, drawn above other
    ///   streets, or below them if it has pictures. Sources whose documents can't be read have none, and so
    ///   have regions that end before the zooms of streets.
    public func openStoredStreets(_ regions: [RegionRecord], theme: MapTheme) async -> [TileLayer] {
        var layers: [TileLayer] = [], opened: [(definition: SourceDefinition, layer: TileLayer?)] = []
        for region in regions {
            guard let bounds = region.definition?.geometry.bounds,
                let deepest = region.definition?.zooms.highest, deepest >= MapOpener.lowestStreetZoom
            else { continue }
            for case var definition? in region.parts.map(\.editionDefinition) {
                definition.policy.viewing = false
                if !opened.contains(where: { $0.definition == definition }) {
                    opened.append((definition, try? await openStored(definition, theme: theme)))
                }
                guard var layer = opened.first(where: { $0.definition == definition })?.layer,
                    layer.feature == .rendering, !layer.isTransparent
                else { continue }
                layer = layer.asStreets(above: layer.drawing == nil ? 1 : 3).named("\(layer.id).\(region.id)")
                layer.boundingBox = bounds
                layer.info.bounds = bounds
                if layer.info.name != region.name { layer.info.name += " · \(region.name)" }
                layers.append(layer)
            }
        }
        return layers
    }
}

extension TileLayer {
    /// Returns the layer as streets over a world map.
    /// - Parameter level: The order among streets; higher levels are drawn above lower ones.
    fileprivate func asStreets(above level: Int) -> TileLayer {
        var layer = self
        layer.refinesBase = true
        layer.visibleZooms = ZoomSet(MapOpener.lowestStreetZoom...30)
        layer.zIndex += level
        if layer.role <= .rasterBase { layer.role = .rasterBase }
        return layer
    }
}
