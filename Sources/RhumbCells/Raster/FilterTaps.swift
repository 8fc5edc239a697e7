internal import Glibc

/// The source pixels that make up each sub-cell along one axis, with their weights.
///
/// Weights are in 256ths of a sub-cell. The weights of one sub-cell add up to the part of it that the drawn
/// rectangle covers, never more than 256.
struct FilterTaps {
    /// The first sub-cell that is touched.
    let start: Int
    /// The first source pixel of each sub-cell, from `start` on.
    private(set) var sources: [Int] = []
    /// The index of each sub-cell's first weight, followed by the number of weights.
    private(set) var offsets: [Int] = [0]
    private(set) var weights: [UInt16] = []

    /// The number of sub-cells touched.
    var count: Int { sources.count }

    /// The source pixels read.
    private(set) var reach: Range<Int> = 0..<0

    /// - Parameters:
    ///   - cut: The division of cells along this axis.
    ///   - target: The range to fill, in 65536ths of a cell.
    ///   - source: The part of the raster, in 65536ths of a pixel.
    ///   - size: The number of pixels of the raster along this axis.
    ///   - limit: The number of sub-cells of the picture along this axis.
    init(cut: CellSubdivision, target: Range<Int>, source: Range<Int>, size: Int, limit: Int) {
        let span = cut.position(target.lowerBound)..<cut.position(target.upperBound)
        let first = max(span.lowerBound >> 8, 0)
        let last = min((span.upperBound + 255) >> 8, limit)
        start = first
        guard first < last else { return }
        // Clearly enlarged pictures are drawn smoothly, others by exact areas.
        if target.count * cut.count > source.count * 9 / 8 {
            appendSmooth(first..<last, cut: cut, target: target, source: source, size: size)
        } else {
            appendAreas(first..<last, cut: cut, target: target, source: source)
        }
        let ends = sources.indices.map { sources[$0] + offsets[$0 + 1] - offsets[$0] }
        reach = (sources.min() ?? 0)..<(ends.max() ?? 0)
    }

    /// Appends each source pixel, weighted by the area it shares with the sub-cell. The middle counts a
    /// little more than the edges.
    private mutating func appendAreas(
        _ range: Range<Int>, cut: CellSubdivision, target: Range<Int>, source: Range<Int>
    ) {
        let first = source.lowerBound >> 16
        let last = (source.upperBound + 0xFFFF) >> 16
        let edges = (first...last).map { pixel in
            let position = min(max(pixel << 16, source.lowerBound), source.upperBound)
            let along = (position - source.lowerBound) * target.count / source.count
            return cut.position(target.lowerBound + along)
        }
        var pixel = 0
        for index in range {
            let from = index << 8
            let to = from + 256
            while pixel + 2 < edges.count && edges[pixel + 1] <= from { pixel += 1 }
            sources.append(first + pixel)
            var next = pixel
            while next + 1 < edges.count, edges[next] < to {
                let begin = max(edges[next], from) - from
                let end = max(min(edges[next + 1], to) - from, begin)
                weights.append(UInt16(FilterTaps.window[end] - FilterTaps.window[begin]))
                next += 1
            }
            offsets.append(weights.count)
        }
    }

    /// The cumulative weight up to a position in a sub-cell, both in 256ths. Uniform weights make a picture
    /// look dull from a distance; 3 % more in the middle compensates for it.
    private static let window: [Int] = (0...256).map { position in
        let angle = Double(position) * 2 * .pi / 256
        return Int((Double(position) - sin(angle) * 256 * middleWeight / (2 * .pi)).rounded())
    }
    private static let middleWeight = 0.03

    /// Appends a blend of the two source pixels around the middle of the covered part of each sub-cell. At
    /// the edge, the last pixel of the raster continues.
    private mutating func appendSmooth(
        _ range: Range<Int>, cut: CellSubdivision, target: Range<Int>, source: Range<Int>, size: Int
    ) {
        let span = cut.position(target.lowerBound)..<cut.position(target.upperBound)
        for index in range {
            let covered = span.clamped(to: (index << 8)..<((index + 1) << 8)).count
            let from = max(cut.edge(index), target.lowerBound) - target.lowerBound
            let to = min(cut.edge(index + 1), target.upperBound) - target.lowerBound
            let middle = (from + to) * source.count / (2 * target.count) + source.lowerBound
            let position = min(max(middle - FixedPointRect.one / 2, 0), (size - 1) << 16)
            let second = ((position & 0xFFFF) * covered + 0x8000) >> 16
            sources.append(position >> 16)
            weights.append(UInt16(covered - second))
            if position >> 16 < size - 1 { weights.append(UInt16(second)) }
            offsets.append(weights.count)
        }
    }
}
