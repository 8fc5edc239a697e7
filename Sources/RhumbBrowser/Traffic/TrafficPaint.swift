internal import RhumbCore
internal import RhumbEngine

/// The flow tiles in the user's colours. Tiles arrive in the default colours. Recoloured tiles are cached,
/// because recolouring takes longer than a frame.
struct TrafficPaint: Sendable {
    private static let limit = 64
    private var colours = TrafficColours.standard
    private var drawn: [TileKey: Raster] = [:]

    /// Returns the raster to draw for a picture of a layer.
    mutating func raster(
        of picture: LayerScene.Picture, in layer: TileLayer, _ colours: TrafficColours
    ) -> Raster {
        guard layer.feature == .trafficFlow, colours != .standard else { return picture.raster }
        if self.colours != colours || drawn.count >= TrafficPaint.limit { drawn = [:] }
        self.colours = colours
        let key = TileKey(layer: layer.id, tile: picture.tile.tile)
        if let known = drawn[key] { return known }
        let made = FlowColours(TrafficRamp.standard).recoloured(picture.raster, with: colours.ramp)
        drawn[key] = made
        return made
    }
}
