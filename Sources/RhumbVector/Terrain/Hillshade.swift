internal import Glibc
internal import RhumbBase
public import RhumbCells
public import RhumbGeo

/// Hillshading as defined for hillshade layers in the style specification.
public struct Hillshade: Sendable, Hashable {
    /// The direction of the light source, in degrees clockwise from north.
    public var direction = 335.0
    /// The strength of the shading, 0…1.
    public var exaggeration = 0.5
    /// The colour of slopes that face away from the light.
    public var shadow = StyleColour.black
    /// The colour of slopes that face the light.
    public var highlight = StyleColour(red: 1, green: 1, blue: 1)
    /// The colour of steep slopes in any direction.
    public var accent = StyleColour.black

    /// Creates hillshading with light from the north-west, the specification's default.
    public init() {}

    /// Renders the shading of a tile on a transparent background.
    /// - Parameters:
    ///   - grid: The heights of the tile `data`, which is `tile` or an ancestor of it, or of a part of it
    ///     with a border.
    ///   - side: Size of the image in pixels, 1 or more.
    ///   - size: The numbers of columns and rows of `data`; nil for those of the grid.
    ///   - corner: The first column and row of the grid, counted from the first sample of `data`.
    public func picture(
        of tile: TileID, from data: TileID, _ grid: ElevationGrid, side: Int, size: SIMD2<Int>? = nil,
        corner: SIMD2<Int> = SIMD2(0, 0)
    ) -> Raster? {
        let parts = Double(1 << max(tile.zoom - data.zoom, 0)), size = size ?? SIMD2(grid.width, grid.height)
        let part = SIMD2(Double(tile.x) - Double(data.x) * parts, Double(tile.y) - Double(data.y) * parts)
        let step = SIMD2(Double(size.x), Double(size.y)) / (parts * Double(side))
        let shades = Shades(self)
        var pixels = [UInt8](repeating: 0, count: side * side * 4)
        for row in 0..<side {
            let y = (Double(row) + 0.5 + part.y * Double(side)) * step.y
            let scale = Hillshade.scale(of: data, cells: size.x, south: y / Double(size.y))
            for column in 0..<side {
                let x = (Double(column) + 0.5 + part.x * Double(side)) * step.x
                guard
                    let rise = grid.rise(
                        x: x - 0.5 - Double(corner.x), y: y - 0.5 - Double(corner.y))
                else { continue }
                let shade = shades.colour(east: rise.east * scale, south: rise.south * scale)
                write(shade, to: &pixels, (row * side + column) * 4)
            }
        }
        return Raster(width: side, height: side, pixels: pixels)
    }

    /// Returns the factor from the rise over a tile's cells to the slope. Exaggerates slopes at low zooms,
    /// where hills would be invisible otherwise.
    /// - Parameter south: The position in the tile, 0…1. One factor for the tile would be a step at its
    ///   southern border.
    static func scale(of tile: TileID, cells: Int, south: Double) -> Double {
        let zoom = Double(tile.zoom)
        let stretch = zoom < 2 ? 0.4 : zoom < 4.5 ? 0.35 : 0.3
        let lift = zoom < 15 ? (zoom - 15) * stretch : 0
        let place = WorldPoint(x: 0, y: (Double(tile.y) + south) / exp2(zoom))
        let latitude = Mercator.coordinate(place).latitude * .pi / 180
        return Double(cells) / exp2(lift + 28.2562 - zoom) / cos(latitude)
    }

    /// Returns the shade of a slope from its rise to the east and to the south.
    public func colour(east: Double, south: Double) -> StyleColour {
        let shade = Shades(self).colour(east: east, south: south)
        guard shade.w > 0 else { return .clear }
        return StyleColour(
            red: shade.x / shade.w, green: shade.y / shade.w, blue: shade.z / shade.w, alpha: shade.w)
    }

    /// Writes a pixel.
    /// - Parameter shade: Red, green and blue times alpha, and alpha.
    private func write(_ shade: SIMD4<Double>, to pixels: inout [UInt8], _ at: Int) {
        let alpha = shade.w
        guard alpha > 0 else { return }
        for channel in 0..<3 { pixels[at + channel] = Self.byte(shade[channel] / alpha) }
        pixels[at + 3] = Self.byte(alpha)
    }

    private static func byte(_ value: Double) -> UInt8 {
        value > 0 ? UInt8(min(value, 1) * 255 + 0.5) : 0
    }
}

/// The shades of slopes, with everything computed that all pixels share.
private struct Shades {
    private let strength: Double
    /// The light's direction in half turns, with the offset that the specification adds.
    private let turn: Double
    /// The colours: red, green and blue times alpha, and alpha.
    private let shadow: SIMD4<Double>
    private let contrast: SIMD4<Double>
    private let accent: SIMD4<Double>

    init(_ hills: Hillshade) {
        func multiplied(_ colour: StyleColour) -> SIMD4<Double> {
            SIMD4(SIMD3(colour.red, colour.green, colour.blue) * colour.alpha, colour.alpha)
        }
        strength = min(max(hills.exaggeration, 0), 1)
        turn = hills.direction / 180 + 1.5
        shadow = multiplied(hills.shadow)
        contrast = multiplied(hills.highlight) - shadow
        accent = multiplied(hills.accent)
    }

    /// Returns red, green and blue times alpha, and alpha.
    func colour(east: Double, south: Double) -> SIMD4<Double> {
        let tilt = tilt(0.625 * (east * east + south * south).squareRoot()), amount = min(1, 2 * strength)
        let aspect = east != 0 ? atan2(south, -east) : south > 0 ? .pi / 2 : -.pi / 2
        let turned = aspect / .pi + turn
        let share = abs(turned - 2 * (turned / 2).rounded(.down) - 1)
        let above = (shadow + contrast * share) * (tilt.sine * amount)
        return accent * ((1 - tilt.cosine) * amount) * (1 - above.w) + above
    }

    /// Returns the sine and the cosine of the exaggerated angle of a slope.
    private func tilt(_ slope: Double) -> (sine: Double, cosine: Double) {
        if strength == 0.5 {
            // The angle is not exaggerated.
            let cosine = 1 / (1 + slope * slope).squareRoot()
            return (slope * cosine, cosine)
        }
        let base = 1.875 - 1.75 * strength
        let angle = (pow(base, atan(slope)) - 1) / (pow(base, .pi / 2) - 1) * .pi / 2
        return (sin(angle), cos(angle))
    }
}
