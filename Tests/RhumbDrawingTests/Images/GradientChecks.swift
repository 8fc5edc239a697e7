import RhumbCore
import Testing

/// Returns the red, green, blue and alpha values of a pixel.
func pixel(_ raster: Raster, _ x: Int, _ y: Int) -> [Int] {
    let at = (y * raster.width + x) * 4
    return raster.pixels[at..<at + 4].map(Int.init)
}

/// Expects every pixel to be within `tolerance` of the expected colour of its row.
func expect(
    _ raster: Raster, side: Int, within tolerance: Int, row colour: (Int) -> [Int],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(raster.width == side && raster.height == side, sourceLocation: sourceLocation)
    for y in 0..<raster.height {
        for x in 0..<raster.width {
            let distance = zip(pixel(raster, x, y), colour(y)).map { abs($0 - $1) }.max() ?? 255
            #expect(distance <= tolerance, "at \(x), \(y)", sourceLocation: sourceLocation)
        }
    }
}

/// Returns the expected pixel of a row of `Gradient`.
func gradientRow(_ y: Int) -> [Int] { [255 - 17 * y, 0, 17 * y, 255] }

/// Returns the expected pixel of a row of `Fade`.
func fadeRow(_ y: Int) -> [Int] { [255, 0, 0, (255 * (7 - y) + 3) / 7] }
