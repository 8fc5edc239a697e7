internal import RhumbCore
internal import RhumbEngine

/// The area that a source covers. A tile of a low zoom extends far beyond the bounds of a city map. That part
/// of the tile isn't drawn, because tiles have different amounts of data there, so that their edges would
/// show as steps.
struct CoveredGround: Sendable {
    /// The source's bounds, extended to whole tiles of its maximum zoom.
    private let box: WorldBox

    /// - Returns: nil if the source has no bounds, or they cross the antimeridian.
    init?(_ info: TileSourceInfo) {
        guard let boxes = info.bounds?.worldBoxes, boxes.count == 1, let box = boxes.first else { return nil }
        let tiles = Double(1 << info.zooms.upperBound)
        func down(_ share: Double) -> Double { (share * tiles).rounded(.down) / tiles }
        func up(_ share: Double) -> Double { (share * tiles).rounded(.up) / tiles }
        self.box = WorldBox(
            minX: down(box.minX), minY: down(box.minY), maxX: up(box.maxX), maxY: up(box.maxY))
    }

    /// Returns true if a tile extends beyond the area.
    func isLeft(by tile: TileID) -> Bool {
        let box = tile.box
        return box.minX < self.box.minX || box.minY < self.box.minY || box.maxX > self.box.maxX
            || box.maxY > self.box.maxY
    }

    /// Returns the pixels of a tile's raster that are inside the area.
    /// - Parameter side: Size of the raster in pixels.
    func pixels(of tile: TileID, side: Int) -> PixelBox {
        let tiles = Double(1 << tile.zoom)
        func pixel(_ share: Double, _ corner: Int) -> Int {
            Int(min(max((share * tiles - Double(corner)) * Double(side), 0), Double(side)).rounded())
        }
        return PixelBox(
            x: pixel(box.minX, tile.x)..<pixel(box.maxX, tile.x),
            y: pixel(box.minY, tile.y)..<pixel(box.maxY, tile.y))
    }
}
