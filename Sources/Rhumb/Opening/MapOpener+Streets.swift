public import RhumbCore
public import RhumbEngine

extension MapOpener {
    /// The lowest map zoom that shows streets. Below it a map of the world has all the detail that fits, and no tile
    /// is fetched.
    public static let lowestStreetZoom = 6

    /// Opens a map that continues a map of the world at deep zooms.
    /// - Parameters:
    ///   - words: Name, file or address of the map, as `open` takes it.
    ///   - theme: Theme of vector tiles.
    /// - Returns: Its layers, shown from `lowestStreetZoom` on and drawn above the base map.
    /// - Throws: `MapOpenFailure` if the map can't be opened.
    public func openStreets(_ words: String, theme: MapTheme) async throws(MapOpenFailure) -> [TileLayer] {
        try await open(words, theme: theme).map { layer in
            var layer = layer
            layer.refinesBase = true
            layer.visibleZooms = ZoomSet(Self.lowestStreetZoom...30)
            layer.zIndex += 1
            if layer.role <= .rasterBase { layer.role = .rasterBase }
            return layer
        }
    }
}
