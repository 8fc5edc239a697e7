internal import RhumbBase
public import RhumbGeo

/// The faults in the input of an overlay: their number, and the first of them.
public struct OverlayFaults: Sendable, Equatable {
    /// One thing that was wrong.
    public struct Fault: Sendable, Equatable, CustomStringConvertible {
        /// The line, counted from 1; 0 where there are no lines.
        public let line: Int
        /// The reason, safe for a terminal.
        public let reason: String

        public var description: String { line > 0 ? "line \(line): \(reason)" : reason }
    }

    /// The number of lines, records or points left out.
    public private(set) var count = 0
    /// The first of them.
    public private(set) var first: [Fault] = []
    private static let limit = 5

    /// Nothing was wrong.
    public init() {}

    /// Takes in one more; the reason may be any text, the line counts from 1, or is 0 where there are none.
    public mutating func add(_ reason: String, line: Int = 0) {
        count += 1
        guard first.count < Self.limit else { return }
        first.append(Fault(line: line, reason: SafeText.sanitised(reason, limit: 160)))
    }

    /// Adds the faults of another input.
    public mutating func add(_ other: OverlayFaults) {
        count += other.count
        first += other.first.prefix(max(Self.limit - first.count, 0))
    }
}

/// The features read so far.
struct FeatureSink {
    var features: [OverlayFeature] = []
    var faults = OverlayFaults()
    /// The title of the document, safe for a terminal.
    var title = ""
    /// Positions of the one who looks at the map, the newest last.
    var fixes: [PositionFix] = []
    /// The points that shapes may still have.
    private(set) var pointsLeft = FeatureSink.pointLimit
    /// The most points of all shapes in a file: a gigabyte of GPX or GeoJSON, some 500 MB in memory.
    static let pointLimit = 20_000_000

    static let tooManyPoints = "the file has more than \(AmountText.count(pointLimit)) points; split it"

    /// Counts points of a shape.
    /// - Returns: False if the file has too many.
    mutating func take(points: Int) -> Bool {
        guard pointsLeft >= points else { return false }
        pointsLeft -= points
        return true
    }
}

/// A position from a satellite receiver.
public struct PositionFix: Sendable, Equatable {
    /// The position; nil if the receiver has none.
    public var place: Coordinate?
    /// Metres that the position may be off; nil where unknown.
    public var accuracy: Double?
    /// The heading in degrees clockwise from north, at most a full turn; nil if unknown, as at rest.
    public var heading: Double?
    /// Metres a second; nil where unknown.
    public var speed: Double?
    /// Metres above the sea; nil where unknown.
    public var height: Double?
    /// Seconds since 1970; nil where unknown.
    public var time: Double?

    /// A position, or the report that there is none. An implausible heading, height or time counts as
    /// unknown.
    public init(
        place: Coordinate?, accuracy: Double? = nil, heading: Double? = nil, speed: Double? = nil,
        height: Double? = nil,
        time: Double? = nil
    ) {
        self.place = place
        self.accuracy = accuracy
        self.heading = heading?.plausibleBearing
        self.speed = speed
        self.height = height?.plausibleHeight
        self.time = time?.plausibleTime
    }
}
