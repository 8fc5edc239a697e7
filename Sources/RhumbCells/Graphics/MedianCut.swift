/// Reduces the colours of a picture by median cut (Heckbert 1982). Similar colours are first counted in bins
/// of 5, 6 and 5 bits. The group with the largest squared error is split until the palette is full.
struct MedianCut {
    private var palette: [RGB] = []
    /// The palette's index of each bin.
    private var indices = [UInt8](repeating: 0, count: 1 << 16)

    /// The colours of one bin: their sum and their number.
    private struct Bin {
        var sum = SIMD3<UInt32>.zero
        var count: UInt32 = 0
    }

    /// A bin that has colours, by its mean.
    private struct Colour {
        let bin: Int
        let mean: SIMD3<Float>
        let weight: Float
    }

    /// Neighbouring colours that become one.
    private struct Group {
        let range: Range<Int>
        let mean: SIMD3<Float>
        /// The sum of the squared distances to the mean; 0 for a single colour.
        let error: Float
        /// The channel with the largest error.
        let channel: Int

        init(_ range: Range<Int>, of colours: [Colour]) {
            var sum = SIMD3<Float>.zero, weight: Float = 0
            for at in range {
                sum += colours[at].mean * colours[at].weight
                weight += colours[at].weight
            }
            let mean = sum / max(weight, 1)
            var error = SIMD3<Float>.zero
            for at in range {
                let away = colours[at].mean - mean
                error += away * away * colours[at].weight
            }
            self.range = range
            self.mean = mean
            self.error = range.count > 1 ? error.sum() : 0
            let isRed = error.x >= error.y && error.x >= error.z
            channel = isRed ? 0 : error.y >= error.z ? 1 : 2
        }
    }

    /// Chooses a palette.
    /// - Parameters:
    ///   - hues: The pixels as 0xRRGGBB.
    ///   - limit: The maximum number of colours, at most 256.
    init(_ hues: [UInt32], limit: Int) {
        var bins = [Bin](repeating: Bin(), count: 1 << 16)
        bins.withUnsafeMutableBufferPointer { bins in
            for hue in hues {
                let bin = Self.bin(hue)
                bins[bin].sum &+= SIMD3(hue >> 16 & 255, hue >> 8 & 255, hue & 255)
                bins[bin].count &+= 1
            }
        }
        var colours = bins.indices.filter { bins[$0].count > 0 }.map { at -> Colour in
            let weight = Float(bins[at].count)
            return Colour(bin: at, mean: SIMD3<Float>(bins[at].sum) / weight, weight: weight)
        }
        var groups = [Group(colours.indices, of: colours)]
        while groups.count < limit,
            let worst = groups.indices.max(by: { groups[$0].error < groups[$1].error }),
            groups[worst].error > 0
        {
            let (low, high) = Self.split(groups[worst], &colours)
            groups[worst] = low
            groups.append(high)
        }
        for (index, group) in groups.enumerated() {
            palette.append(RGB(group.mean))
            for at in group.range { indices[colours[at].bin] = UInt8(index) }
        }
    }

    /// Splits a group at its mean along the channel with the largest error.
    private static func split(_ group: Group, _ colours: inout [Colour]) -> (Group, Group) {
        let channel = group.channel
        let middle = group.mean[channel]
        var cut = colours[group.range].partition { $0.mean[channel] > middle }
        cut = min(max(cut, group.range.lowerBound + 1), group.range.upperBound - 1)
        return (
            Group(group.range.lowerBound..<cut, of: colours), Group(cut..<group.range.upperBound, of: colours)
        )
    }

    private static func bin(_ hue: UInt32) -> Int {
        Int(hue >> 19 & 31) << 11 | Int(hue >> 10 & 63) << 5 | Int(hue >> 3 & 31)
    }

    /// Returns the palette and the indices of the same pixels.
    func indexed(_ hues: [UInt32]) -> ([RGB], [UInt8]) { (palette, hues.map { indices[Self.bin($0)] }) }
}

extension RGB {
    fileprivate init(_ channels: SIMD3<Float>) {
        let whole = channels.rounded(.toNearestOrAwayFromZero)
        self.init(red: UInt8(whole.x), green: UInt8(whole.y), blue: UInt8(whole.z))
    }
}
