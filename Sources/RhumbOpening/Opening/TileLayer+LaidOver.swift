internal import RhumbDrawing
public import RhumbEngine

extension TileLayer {
    /// The layer as an overlay on a map. Vector tiles are then drawn without a background.
    public var laidOver: TileLayer {
        var layer = self
        layer.isTransparent = true
        layer.info.isOverlay = true
        layer.role = .hybridOverlay
        layer.drawing = drawing?.withoutBackground
        return layer
    }
}
