internal import RhumbDrawing
public import RhumbEngine

extension TileLayer {
    /// The same layer lying over a map: one of vector tiles has no ground of its own then.
    public var laidOver: TileLayer {
        var layer = self
        layer.isTransparent = true
        layer.info.isOverlay = true
        layer.role = .hybridOverlay
        layer.drawing = drawing?.withoutBackground
        return layer
    }
}
