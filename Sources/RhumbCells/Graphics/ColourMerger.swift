/// Replaces rare colours of a picture by similar, more frequent ones. Differences are small where the picture
/// is smooth, and larger at edges, where they are invisible. Fewer colours need far fewer bytes.
struct ColourMerger {
    private var colours: [Colour] = []
    /// The number of each pixel's colour.
    private var numbers: [Int32] = []

    private struct Colour {
        let channels: SIMD4<Int16>
        var count = 0
        /// The sum of the contrasts of its pixels with their neighbours.
        var contrast = 0

        /// Returns the largest difference of a channel.
        func distance(to other: Colour) -> Int16 {
            let away = channels &- other.channels
            return pointwiseMax(away, 0 &- away).max()
        }
    }

    /// The largest difference at edges.
    private static let most: Int16 = 24

    /// Counts the colours of a picture.
    /// - Parameter hues: The pixels as 0xRRGGBB.
    init(_ hues: [UInt32], width: Int) {
        let contrasts = Self.contrasts(hues, width)
        var known: [UInt32: Int32] = [:], last = UInt32.max, number: Int32 = 0
        numbers.reserveCapacity(hues.count)
        for at in hues.indices {
            if hues[at] != last {
                last = hues[at]
                number = known[last] ?? Int32(colours.count)
                if number == colours.count {
                    known[last] = number
                    colours.append(Colour(channels: last.channels))
                }
            }
            numbers.append(number)
            colours[Int(number)].count += 1
            colours[Int(number)].contrast += Int(contrasts[at])
        }
    }

    /// Returns the palette and the indices of the pixels.
    /// - Parameters:
    ///   - limit: The maximum number of colours, 1…256.
    ///   - tolerance: The largest difference of a channel where the picture is smooth. It is larger for a
    ///     picture with too many colours.
    func indexed(limit: Int, tolerance: UInt8) -> (palette: [RGB], pixels: [UInt8]) {
        let order = colours.indices.sorted { (colours[$1].count, $0) < (colours[$0].count, $1) }
        for tolerance in Int16(tolerance)...255 {
            guard let (chosen, indices) = choose(order, limit, tolerance) else { continue }
            let palette = chosen.map { number -> RGB in
                let channels = colours[number].channels
                return RGB(red: UInt8(channels.x), green: UInt8(channels.y), blue: UInt8(channels.z))
            }
            return (palette, numbers.map { indices[Int($0)] })
        }
        return ([RGB(0)], Array(repeating: 0, count: numbers.count))
    }

    /// Returns the colours of the palette, and the index of each colour; nil if there are too many.
    private func choose(_ order: [Int], _ limit: Int, _ tolerance: Int16) -> ([Int], [UInt8])? {
        var chosen: [Int] = [], indices = [UInt8](repeating: 0, count: colours.count)
        for number in order {
            let colour = colours[number]
            let most = max(min(Int16(colour.contrast / (2 * colour.count)), Self.most), tolerance)
            var best: (index: Int, distance: Int16)?
            for (index, other) in chosen.enumerated() {
                let distance = colour.distance(to: colours[other])
                guard distance <= most, distance < best?.distance ?? .max else { continue }
                best = (index, distance)
                if distance <= tolerance { break }
            }
            if best == nil {
                guard chosen.count < limit else { return nil }
                chosen.append(number)
            }
            indices[number] = UInt8(best?.index ?? chosen.count - 1)
        }
        return (chosen, indices)
    }

    /// Returns the largest difference of a channel between each pixel and its neighbours.
    private static func contrasts(_ hues: [UInt32], _ width: Int) -> [UInt8] {
        var contrasts = [UInt8](repeating: 0, count: hues.count)
        contrasts.withUnsafeMutableBufferPointer { contrasts in
            func compare(_ at: Int, _ next: Int) {
                guard hues[at] != hues[next] else { return }
                let away = hues[at].channels &- hues[next].channels
                let contrast = UInt8(pointwiseMax(away, 0 &- away).max())
                contrasts[at] = max(contrasts[at], contrast)
                contrasts[next] = max(contrasts[next], contrast)
            }
            for at in hues.indices {
                if (at + 1) % width > 0 { compare(at, at + 1) }
                if at + width < hues.count { compare(at, at + width) }
            }
        }
        return contrasts
    }
}

extension UInt32 {
    /// The channels of a colour 0xRRGGBB.
    @inline(__always) fileprivate var channels: SIMD4<Int16> {
        SIMD4(Int16(self >> 16 & 255), Int16(self >> 8 & 255), Int16(self & 255), 0)
    }
}
