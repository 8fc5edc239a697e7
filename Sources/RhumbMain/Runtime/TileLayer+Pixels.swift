internal import Glibc
internal import Rhumb

extension TileLayer {
    /// The cell width from which a pixel of the screen is half a pixel of the map.
    static let fineWidth = 14

    /// Returns the layer with tiles for a map in pixels instead of cells.
    /// - Parameter cellWidth: The width of a cell in pixels.
    func drawn(cellWidth: Int) -> TileLayer {
        var layer = self
        // Cells show drawings at twice the resolution of their glyphs.
        let isDoubled = drawing != nil && detail >= 1, isFine = cellWidth >= Self.fineWidth
        layer.detail += log2(Double(cellWidth) / Viewport.pixelsPerColumn) - (isDoubled != isFine ? 1 : 0)
        return layer.ahead(by: max(Int(clamping: (layer.detail - detail).rounded()), 0))
    }
}
