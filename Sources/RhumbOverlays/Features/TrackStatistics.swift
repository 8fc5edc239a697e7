internal import RhumbGeo
public import RhumbVector

/// Figures of a track: how long, how high, how fast.
public struct TrackStatistics: Sendable, Equatable {
    /// Metres over the ground.
    public private(set) var distance = 0.0
    /// Metres up, small changes left out; nil where no heights are known.
    public private(set) var ascent: Double?
    /// Metres down, likewise.
    public private(set) var descent: Double?
    /// The least of the heights, in metres above the sea; nil where none is known.
    public private(set) var lowest: Double?
    /// The greatest of them.
    public private(set) var highest: Double?
    /// The first time, in seconds since 1970; nil where none is known.
    public private(set) var start: Double?
    /// The last time, likewise.
    public private(set) var end: Double?
    /// Seconds in which the position changed; nil where no times are known.
    public private(set) var movingTime: Double?
    /// Metres a second, over some seconds at least; nil where no times are known.
    public private(set) var highestSpeed: Double?
    /// The number of points.
    public private(set) var points = 0

    /// Heights count as up or down only when they change by more than that, in metres: less is noise of
    /// receivers.
    public static let heightStep = 5.0
    /// Slower than this counts as standing, in metres a second.
    private static let standing = 0.3
    /// The seconds over which speeds are averaged.
    private static let speedSpan = 5.0

    /// Seconds from the first point to the last; nil where no times are known.
    public var duration: Double? { start.flatMap { start in end.map { $0 - start } } }
    /// Metres a second over the whole time; nil where no times are known.
    public var meanSpeed: Double? { duration.flatMap { $0 > 0 ? distance / $0 : nil } }

    /// The figures of the parts of a track together.
    public init(_ paths: [OverlayPath]) {
        for path in paths { add(path, path.points.indices) }
    }

    /// The figures of a part of a track.
    public init(_ path: OverlayPath, _ part: Range<Int>) { add(path, part) }

    private mutating func add(_ path: OverlayPath, _ part: Range<Int>) {
        points += part.count
        addDistance(path, part)
        if !path.heights.isEmpty { addHeights(path.heights[part]) }
    }

    private mutating func addDistance(_ path: OverlayPath, _ part: Range<Int>) {
        guard let first = part.first else { return }
        let times = path.times
        var last = path.coordinate(first), lastTime = times.isEmpty ? Double.nan : times[first]
        var window = (distance: 0.0, start: lastTime)
        if !lastTime.isNaN { start = min(start ?? lastTime, lastTime) }
        for at in part.dropFirst() {
            let here = path.coordinate(at), leg = last.metres(to: here)
            distance += leg
            last = here
            guard !times.isEmpty, !times[at].isNaN else { continue }
            let time = times[at], seconds = time - lastTime
            if seconds > 0, leg / seconds > Self.standing { movingTime = (movingTime ?? 0) + seconds }
            start = min(start ?? time, time)
            end = max(end ?? time, time)
            window.distance += leg
            if window.start.isNaN { window = (0, time) }
            if time - window.start >= Self.speedSpan {
                highestSpeed = max(highestSpeed ?? 0, window.distance / (time - window.start))
                window = (0, time)
            }
            lastTime = time
        }
    }

    private mutating func addHeights(_ heights: ArraySlice<Float>) {
        var held = Double.nan
        for height in heights.lazy.map(Double.init) where !height.isNaN {
            lowest = min(lowest ?? height, height)
            highest = max(highest ?? height, height)
            if held.isNaN {
                held = height
                ascent = ascent ?? 0
                descent = descent ?? 0
            } else if height - held >= Self.heightStep {
                ascent = (ascent ?? 0) + height - held
                held = height
            } else if held - height >= Self.heightStep {
                descent = (descent ?? 0) + held - height
                held = height
            }
        }
    }
}

extension TrackStatistics {
    /// The figures in words, in metric units.
    public var attributes: [MapFeature.Attribute] {
        func metres(_ value: Double) -> String { "\(Int(value.rounded())) m" }
        var all = [MapFeature.Attribute("length", Self.length(distance))]
        if let ascent, let descent {
            all.append(.init("up and down", "\(metres(ascent)), \(metres(descent))"))
        }
        if let lowest, let highest { all.append(.init("heights", "\(metres(lowest)) to \(metres(highest))")) }
        if let duration, duration > 0 { all.append(.init("time", Self.clock(duration))) }
        if let meanSpeed { all.append(.init("mean speed", Self.speed(meanSpeed))) }
        if let highestSpeed { all.append(.init("highest speed", Self.speed(highestSpeed))) }
        return all
    }

    /// "850 m", "12.3 km".
    public static func length(_ metres: Double) -> String {
        metres < 1000 ? "\(Int(metres.rounded())) m" : "\((metres / 10).rounded() / 100) km"
    }

    /// "1:02:03".
    public static func clock(_ seconds: Double) -> String {
        let whole = Int(max(min(seconds, 1e9), 0).rounded())
        func pair(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(whole / 3600):\(pair(whole / 60 % 60)):\(pair(whole % 60))"
    }

    /// "12.3 km/h".
    public static func speed(_ metresPerSecond: Double) -> String {
        "\((metresPerSecond * 36).rounded() / 10) km/h"
    }
}
