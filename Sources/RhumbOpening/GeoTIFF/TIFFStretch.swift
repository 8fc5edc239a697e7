internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The range of values that is stretched to colours.
struct TIFFStretch: Equatable, Sendable {
    /// The range of each band.
    let ranges: [ClosedRange<Double>]

    /// The colours of a single band, from low to high values.
    static let ramp = [0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725].map { RGB(UInt32($0)) }

    /// Creates the ranges between the 2nd and the 98th percentile.
    /// - Parameter values: The finite values of each band.
    init(_ values: [[Double]]) {
        ranges = values.map { values in
            let sorted = values.sorted()
            guard let first = sorted.first, let last = sorted.last else { return 0...1 }
            let low = sorted[sorted.count * 2 / 100], high = sorted[(sorted.count - 1) * 98 / 100]
            if first < last { return low < high ? low...high : first...last }
            // Large numbers have no neighbour at a distance of 1.
            return first.nextUp.isFinite ? first...max(first + 1, first.nextUp) : first.nextDown...first
        }
    }

    /// Returns the share of a value in the range of its band: 0…1 within it, other numbers beyond it.
    func share(_ value: Double, _ band: Int) -> Float {
        let range = ranges[min(band, ranges.count - 1)], width = range.upperBound - range.lowerBound
        // The width of the widest ranges exceeds Double's maximum.
        guard width.isFinite else {
            return Float((value / 2 - range.lowerBound / 2) / (range.upperBound / 2 - range.lowerBound / 2))
        }
        return Float((value - range.lowerBound) / width)
    }

    /// Returns the colour of a share, 0…1.
    static func colour(_ share: Double) -> RGB {
        let position = share * Double(ramp.count - 1)
        let index = min(Int(clamping: position.rounded(.down)), ramp.count - 2)
        let low = ramp[index], high = ramp[index + 1], part = position - Double(index)
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8(clamping: Double(a) + (Double(b) - Double(a)) * part)
        }
        return RGB(
            red: mix(low.red, high.red), green: mix(low.green, high.green), blue: mix(low.blue, high.blue))
    }

    /// Returns the legend of a single band; nil if there is none.
    func legend(_ title: String) -> OverlayLegend? {
        guard let range = ranges.first else { return nil }
        let last = Double(TIFFStretch.ramp.count - 1), width = range.upperBound - range.lowerBound
        return OverlayLegend(
            title: title,
            entries: TIFFStretch.ramp.enumerated().map { at, ink in
                let share = Double(at) / last
                let value = range.lowerBound * (1 - share) + range.upperBound * share
                return .init(ink: ink, text: TIFFStretch.text(value, step: width / last))
            })
    }

    /// Returns a value with the decimals that distinguish it from values at a distance of `step`.
    private static func text(_ value: Double, step: Double) -> String {
        let digits = min(max(Int(clamping: (-log10(step)).rounded(.up) + 1), 0), 15)
        let factor = pow(10, Double(digits)), rounded = (value * factor).rounded() / factor
        guard rounded.isFinite else { return "\(value)" }
        let isWhole = rounded == rounded.rounded() && abs(rounded) < 1e15
        return isWhole ? "\(Int(clamping: rounded))" : "\(rounded)"
    }
}

extension GeoTIFF {
    /// The blocks from which the stretch is computed: some of the coarsest level.
    var sampleBlocks: [BlockID] {
        guard meaning == .values else { return [] }
        let last = levels.count - 1, level = levels[last], all = level.columns * level.rows
        let step = max(all / 16, 1)
        return stride(from: step / 2, to: all, by: step).prefix(16).map {
            BlockID(level: last, column: $0 % level.columns, row: $0 / level.columns)
        }
    }

    /// Returns the values of a block that the stretch is computed from, and their opacity if there is an
    /// alpha band; empty for a block without data.
    /// - Parameter raw: The bytes of its sections; nil for those without data.
    func sampledValues(_ raw: [[UInt8]?], _ block: BlockID) throws(TIFFProblem) -> [Double] {
        guard let found = try unpacked(raw, block) else { return [] }
        // 50,000 pixels of each block suffice.
        return values(found, each: max(found.pixels / 50_000, 1)) { value, _ in value }
    }

    /// Returns the stretch of sampled values; nil if there are no blocks to sample.
    func stretch(_ blocks: [[Double]]) -> TIFFStretch? {
        guard !blocks.isEmpty else { return nil }
        var values = [[Double]](repeating: [], count: bands.count)
        for all in blocks {
            for at in stride(from: 0, to: all.count - valueStep + 1, by: valueStep) {
                if alpha != nil, all[at + bands.count] == 0 { continue }
                for band in bands.indices where all[at + band].isFinite {
                    values[band].append(all[at + band])
                }
            }
        }
        return TIFFStretch(values)
    }
}
