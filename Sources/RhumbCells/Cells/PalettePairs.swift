/// Pairs of palette colours that draw eight cells well. Each colour of a pair is nearest to a part of the
/// cell, and each part is drawn in the nearer one.
struct PalettePairs {
    /// The patterns of the best pair and of the next best; 0 if all parts have the same colour.
    private(set) var patterns = SIMD8<Int32>.zero, otherPatterns = SIMD8<Int32>.zero
    private var least = SIMD8<Float>(repeating: .infinity), next = SIMD8<Float>(repeating: .infinity)

    /// The squared error up to which two pairs count as the same.
    private static let sameness: Float = 0.01
    /// The largest number of parts of a cell.
    private static let limit = 8

    /// - Parameters:
    ///   - changes: For each part, its colour minus the mean, × area, followed by its negative.
    ///   - count: The number of parts, at most 8.
    init(_ changes: UnsafePointer<Colours>, mean: Colours, count: Int) {
        withUnsafeTemporaryAllocation(of: Colours.self, capacity: Self.limit) { parts in
            withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: Self.limit * Self.limit) {
                guard let parts = parts.baseAddress, let distances = $0.baseAddress else { return }
                let scale = SIMD8(repeating: Float(count))
                for part in 0..<count { parts[part] = mean + changes[2 * part] * scale }
                for one in 0..<count {
                    let nearest = Palette256.nearest(parts[one])
                    for part in 0..<count {
                        distances[Self.limit * one + part] = (nearest - parts[part]).squared
                    }
                }
                for one in 1..<max(count, 1) {
                    for other in 0..<one {
                        offer(distances + Self.limit * one, distances + Self.limit * other, count)
                    }
                }
            }
        }
    }

    /// Offers a pair of colours, by the distances of all parts to each.
    @inline(__always)
    private mutating func offer(
        _ one: UnsafePointer<SIMD8<Float>>, _ other: UnsafePointer<SIMD8<Float>>, _ count: Int
    ) {
        var sum = SIMD8<Float>.zero
        for part in 0..<count {
            sum += one[part].exchanged(for: other[part], where: other[part] .< one[part])
        }
        let isLeast = sum .< least - Self.sameness
        let isNext = (sum .< next) .& ((sum .> least + Self.sameness) .| isLeast)
        guard any(isNext) else { return }
        var pattern = SIMD8<Int32>.zero
        for part in 0..<count {
            pattern |= SIMD8(repeating: Int32(truncatingIfNeeded: 1 << part)).only(
                where: one[part] .< other[part])
        }
        next = next.exchanged(for: sum, where: isNext).exchanged(for: least, where: isLeast)
        otherPatterns = otherPatterns.exchanged(for: pattern, where: isNext)
            .exchanged(for: patterns, where: isLeast)
        least = least.exchanged(for: sum, where: isLeast)
        patterns = patterns.exchanged(for: pattern, where: isLeast)
    }
}
