internal import RhumbBase
public import RhumbGeo
public import RhumbVector

extension TrackStatistics {
    /// The statistics in words, in metric units.
    public var attributes: [MapFeature.Attribute] {
        func metres(_ value: Double) -> String { "\(Int(clamping: value)) m" }
        var all = [MapFeature.Attribute("length", Self.length(distance))]
        if let ascent, let descent {
            all.append(.init("up and down", "\(metres(ascent)), \(metres(descent))"))
        }
        if let lowest, let highest { all.append(.init("heights", "\(metres(lowest)) to \(metres(highest))")) }
        if let partWithoutHeights {
            all.append(.init("without heights", Self.length(partWithoutHeights)))
        }
        if let duration, duration > 0 { all.append(.init("time", Self.clock(duration))) }
        if let meanSpeed { all.append(.init("mean speed", Self.speed(meanSpeed))) }
        if let highestSpeed { all.append(.init("highest speed", Self.speed(highestSpeed))) }
        return all
    }
}
