internal import RhumbBase

/// Statistics of a track: lengths, heights, times and speeds.
public struct TrackStatistics: Sendable, Equatable {
    /// Length in metres over the ground.
    public private(set) var distance = 0.0
    /// Length in metres of the segments without a height at one or both ends.
    public private(set) var distanceWithoutHeights = 0.0
    /// Total ascent in metres, without small changes; nil if no heights are known.
    public private(set) var ascent: Double?
    /// Total descent in metres, without small changes; nil if no heights are known.
    public private(set) var descent: Double?
    /// Minimum height in metres above sea level; nil if no heights are known.
    public private(set) var lowest: Double?
    /// Maximum height in metres above sea level; nil if no heights are known.
    public private(set) var highest: Double?
    /// The first time, in seconds since 1970; nil if no times are known.
    public private(set) var start: Double?
    /// The last time, in seconds since 1970; nil if no times are known.
    public private(set) var end: Double?
    /// Seconds in motion; nil if no times are known.
    public private(set) var movingTime: Double?
    /// Maximum speed in metres per second, averaged over at least `speedSpan` or the whole track; nil if no
    /// times are known.
    public private(set) var highestSpeed: Double?
    /// The number of points.
    public private(set) var points = 0

    /// The change in metres above which a climb or a descent begins. Smaller ones are noise of the receiver.
    static let heightStep = 5.0
    /// Minimum speed in motion, in metres per second.
    private static let standing = 0.3
    /// Time in seconds over which speeds are averaged.
    private static let speedSpan = 5.0

    /// Seconds from the first point to the last; nil if no times are known.
    public var duration: Double? { start.flatMap { start in end.map { $0 - start } } }
    /// Seconds of the paths, without the gaps between them; nil if no times are known.
    public var recordedTime: Double? { timedSeconds > 0 ? timedSeconds : duration }
    /// Mean speed over the recorded time, in metres per second; nil if no times are known.
    public var meanSpeed: Double? {
        recordedTime.flatMap { $0 > 0 ? timedDistance / $0 : nil }
    }
    /// The length between points with times, and the sum of the paths' durations.
    private var timedDistance = 0.0, timedSeconds = 0.0

    /// Computes the statistics of all parts of a track.
    public init(_ paths: [OverlayPath]) {
        for path in paths { add(path, path.points.indices) }
    }

    /// Computes the statistics of a range of points.
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
        var window = (distance: 0.0, start: lastTime), whole = (distance: 0.0, start: lastTime, end: lastTime)
        // The length since the last point with a time.
        var way = 0.0
        for at in part.dropFirst() {
            let here = path.coordinate(at), leg = last.metres(to: here)
            distance += leg
            if path.heights.isEmpty || path.heights[at - 1].isNaN || path.heights[at].isNaN {
                distanceWithoutHeights += leg
            }
            way += leg
            last = here
            guard !times.isEmpty, !times[at].isNaN else { continue }
            let time = times[at], seconds = time - lastTime
            defer { (lastTime, way) = (time, 0) }
            guard !lastTime.isNaN else {
                (window, whole) = ((0, time), (0, time, time))
                continue
            }
            if seconds > 0, way / seconds > Self.standing { movingTime = (movingTime ?? 0) + seconds }
            whole = (whole.distance + way, min(whole.start, time), max(whole.end, time))
            window.distance += way
            if time - window.start >= Self.speedSpan {
                highestSpeed = max(highestSpeed ?? 0, window.distance / (time - window.start))
                window = (0, time)
            }
        }
        guard !whole.start.isNaN else { return }
        start = min(start ?? whole.start, whole.start)
        end = max(end ?? whole.end, whole.end)
        let seconds = whole.end - whole.start
        timedDistance += whole.distance
        timedSeconds += seconds
        guard seconds > 0 else { return }
        movingTime = movingTime ?? 0
        highestSpeed = max(highestSpeed ?? 0, whole.distance / seconds)
    }

    /// Adds the climbs between the extremes of heights. A change of direction counts once it is larger than
    /// errors of measurement, and then from the extreme on.
    private mutating func addHeights(_ heights: ArraySlice<Float>) {
        var low = Double.nan, high = Double.nan, up = 0.0, down = 0.0, isClimbing: Bool?
        for height in heights.lazy.map(Double.init) where !height.isNaN {
            lowest = min(lowest ?? height, height)
            highest = max(highest ?? height, height)
            if low.isNaN { (low, high) = (height, height) }
            if isClimbing != true, height - low > Self.heightStep {
                up += height - low
                isClimbing = true
                high = height
            } else if isClimbing != false, high - height > Self.heightStep {
                down += high - height
                isClimbing = false
                low = height
            } else if isClimbing == true, height > high {
                up += height - high
            } else if isClimbing == false, height < low {
                down += low - height
            }
            if isClimbing != false { high = max(high, height) }
            if isClimbing != true { low = min(low, height) }
        }
        guard !low.isNaN else { return }
        ascent = (ascent ?? 0) + up
        descent = (descent ?? 0) + down
    }

    /// Length in metres without heights, of a track that has heights elsewhere; nil if there is none.
    public var partWithoutHeights: Double? {
        lowest != nil && distanceWithoutHeights > 0 ? distanceWithoutHeights : nil
    }

    /// Formats a length: "850 m", "12.3 km".
    public static func length(_ metres: Double) -> String {
        if metres < 1000 { return "\(Int(clamping: metres)) m" }
        return metres < 1_000_000 ? "\((metres / 1000).rounded(2)) km" : "\((metres / 1000).grouped(0)) km"
    }

    /// Formats a duration: "1:02:03".
    public static func clock(_ seconds: Double) -> String {
        let whole = Int(clamping: max(min(seconds, 1e9), 0))
        return "\(whole / 3600):\((whole / 60 % 60).digits(2)):\((whole % 60).digits(2))"
    }

    /// Formats a speed: "12.3 km/h".
    public static func speed(_ metresPerSecond: Double) -> String {
        "\((metresPerSecond * 3.6).decimals(1)) km/h"
    }
}
