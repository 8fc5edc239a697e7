internal import RhumbCore
internal import RhumbEngine

/// The ground that a source's tiles tell of. A tile of a low zoom reaches far beyond the bounds of a map of a city;
/// to draw land there would be a guess.
struct CoveredGround: Sendable {
    /// The source's bounds, by whole tiles of its deepest zoom.
    private let box: WorldBox

    /// - Returns: nil where the source has no bounds, or they cross the antimeridian.
    init?(_ info: TileSourceInfo) {
        guard let boxes = info.bounds?.worldBoxes, boxes.count == 1, let box = boxes.first else { return nil }
        let tiles = Double(1 << info.zooms.upperBound)
        func down(_ share: Double) -> Double { (share * tiles).rounded(.down) / tiles }
        func up(_ share: Double) -> Double { (share * tiles).rounded(.up) / tiles }
        self.box = WorldBox(minX: down(box.minX), minY: down(box.minY), maxX: up(box.maxX), maxY: up(box.maxY))
    }

    /// Whether a tile reaches beyond it.
    func isLeft(by tile: TileID) -> Bool {
        let box = tile.box
        return box.minX < self.box.minX || box.minY < self.box.minY || box.maxX > self.box.maxX || box.maxY > self.box.maxY
    }

    /// The pixels of a tile's picture that show it.
    /// - Parameters:
    ///   - side: of the picture, in pixels.
    ///   - drawn: ground with things that are drawn: it is covered, too.
    func pixels(of tile: TileID, side: Int, and drawn: WorldBox?) -> PixelBox {
        let all = drawn.map { drawn in
            WorldBox(
                minX: min(box.minX, drawn.minX), minY: min(box.minY, drawn.minY), maxX: max(box.maxX, drawn.maxX),
                maxY: max(box.maxY, drawn.maxY))
        } ?? box
        let tiles = Double(1 << tile.zoom)
        func pixel(_ share: Double, _ corner: Int) -> Int {
            Int(min(max((share * tiles - Double(corner)) * Double(side), 0), Double(side)).rounded())
        }
        return PixelBox(
            x: pixel(all.minX, tile.x)..<pixel(all.maxX, tile.x), y: pixel(all.minY, tile.y)..<pixel(all.maxY, tile.y))
    }
}

extension DecodedTile {
    /// The box around all things of some layers, as far as they lie on the tile; nil where there are none.
    func box(of id: TileID, layers names: Set<String>) -> WorldBox? {
        var reader = GeometryReader(), low = SIMD2(repeating: Double.infinity), high = -low
        for layer in decodedLayers({ names.contains($0) || names.contains(Style.anyLayer) }) {
            for feature in layer.features where reader.read(feature, of: layer) {
                for point in reader.geometry.points {
                    let at = SIMD2(Double(point.x), Double(point.y)) / Double(layer.extent)
                    (low, high) = (pointwiseMin(low, at), pointwiseMax(high, at))
                }
            }
        }
        guard low.x <= high.x else { return nil }
        let corner = SIMD2(Double(id.x), Double(id.y)), tiles = Double(1 << id.zoom)
        low = (corner + low.clamped(lowerBound: .zero, upperBound: .one)) / tiles
        high = (corner + high.clamped(lowerBound: .zero, upperBound: .one)) / tiles
        return WorldBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }
}
