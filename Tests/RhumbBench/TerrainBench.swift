internal import Glibc
internal import RhumbCore

/// Measures contours of a view.
enum TerrainBench {
    static func rows() -> [BenchRow] {
        // A view of 200 × 60 cells has 1600 × 960 map pixels, and contours take two pixels as one sample.
        let width = 800, height = 480
        let metres = (0..<width * height).map { at -> Float in
            let x = Double(at % width), y = Double(at / width)
            var sum = 900.0, size = 160.0, strength = 420.0
            for octave in 0..<6 {
                let turn = Double(octave) * 1.3
                sum += strength * sin(x / size + turn + cos(y / size * 0.7)) * cos(y / size * 1.1 - turn)
                size /= 2
                strength /= 2.2
            }
            return Float(sum)
        }
        // A view at zoom 14 shows a quarter of the slopes of one at zoom 12.
        return [(12, Float(1)), (14, 0.25)].flatMap { zoom, share -> [BenchRow] in
            let grid = ElevationGrid(width: width, height: height, metres: metres.map { $0 * share })
            let spacing = ContourSpacing(), distance = spacing.distance(at: zoom)
            let lines = Timing(runs: 30) { _ = ContourLines(of: grid, every: distance) }
            let tile = Timing(runs: 30) {
                _ = spacing.tile(
                    grid, zoom: zoom, origin: SIMD2(0, 0), step: SIMD2(1.0 / 800, 1.0 / 800))
            }
            return [
                BenchRow(
                    name: "contours of 200 × 60 cells every \(Int(distance)) m", value: lines.best,
                    unit: "ms",
                    anchor: "goal 6 ms"),
                BenchRow(
                    name: "the same, simplified and as a vector tile", value: tile.best, unit: "ms",
                    anchor: ""),
            ]
        }
    }
}
