internal import RhumbBase
public import RhumbGeo

/// The errors in the input of an overlay: their number, and the first ones.
public struct OverlayFaults: Sendable, Equatable {
    /// One error.
    public struct Fault: Sendable, Equatable, CustomStringConvertible {
        /// The line number, from 1; 0 if the format has no lines.
        public let line: Int
        /// The reason, sanitised for terminals.
        public let reason: String
        /// The number of equal errors of the line.
        public fileprivate(set) var number = 1

        public var description: String {
            let text = line > 0 ? "line \(line): \(reason)" : reason
            return number > 1 ? "\(text) (\(AmountText.count(number)) times)" : text
        }

        fileprivate func isEqual(to other: Fault) -> Bool { line == other.line && reason == other.reason }
    }

    /// The number of lines, records or points that were skipped.
    public private(set) var count = 0
    /// The first errors.
    public private(set) var first: [Fault] = []
    private static let limit = 5

    /// Creates an empty list.
    public init() {}

    /// Adds an error. Sanitises the reason. Equal errors of a line are listed once, with their number.
    /// - Parameters:
    ///   - line: Line number from 1; 0 if the format has no lines.
    ///   - number: The number of lines, records or points that are skipped.
    public mutating func add(_ reason: String, line: Int = 0, number: Int = 1) {
        count += number
        let fault = Fault(line: line, reason: SafeText.sanitised(reason, limit: 320))
        if let index = first.firstIndex(where: fault.isEqual) {
            first[index].number += 1
        } else if first.count < Self.limit {
            first.append(fault)
        }
    }

    /// True if all of the other errors are among these, such as those of an earlier part of the input.
    public func includes(_ other: OverlayFaults) -> Bool {
        count >= other.count && first.starts(with: other.first) { $0.isEqual(to: $1) }
    }

    /// Adds the errors of another input.
    public mutating func add(_ other: OverlayFaults) {
        count += other.count
        first += other.first.prefix(max(Self.limit - first.count, 0))
    }
}

/// The features read so far.
struct FeatureSink {
    var features: [OverlayFeature] = []
    var faults = OverlayFaults()
    /// The title of the document, sanitised for terminals.
    var title = ""
    /// Positions of the user, newest last.
    var fixes: [PositionFix] = []
    /// The number of features that have no positions, which is no error.
    var emptyFeatures = 0
    /// A sentence about data that is not shown, which is no error; nil for none.
    var remark: String?
    /// The ids of features that have ended, which are removed before `features` are added.
    var removals: [String] = []
    /// The addresses of linked documents, with their lines.
    var links: [(address: String, line: Int)] = []
    /// The number of points that further shapes may have.
    private(set) var pointsLeft = FeatureSink.pointLimit
    /// Maximum number of points in a file: a gigabyte of GPX or GeoJSON, about 500 MB in memory.
    static let pointLimit = 20_000_000

    static let tooManyPoints = "the file has more than \(AmountText.count(pointLimit)) points; split it"

    private var hasEncodingFault = false

    /// Reports a text that is neither UTF-8 nor probably windows-1252, once.
    mutating func checkEncoding(_ text: UnsafeBufferPointer<UInt8>, line: Int) {
        guard !hasEncodingFault, Windows1252.isDoubtful(text) else { return }
        hasEncodingFault = true
        faults.add(
            "not UTF-8, so that names may be wrong; convert the file with iconv -f ENCODING -t UTF-8",
            line: line)
    }

    /// Removes a feature.
    mutating func remove(id: String) {
        features.removeAll { $0.id == id }
        removals.append(id)
    }

    private var hasHeightFault = false

    /// Returns the height of a text in metres, or NaN. Reports the first one that isn't a number: its point
    /// is kept, but a profile would lack it without a word.
    mutating func height(_ text: UnsafeBufferPointer<UInt8>, line: Int) -> Double {
        let text = text.trimmed
        if let height = text.number(comma: true) { return height }
        if !text.isEmpty, !hasHeightFault {
            hasHeightFault = true
            let shown = SafeText.sanitised(text.text, limit: 40)
            faults.add("the height \(shown) is not a number of metres", line: line)
        }
        return .nan
    }

    private var hasTimeFault = false

    /// Returns the time of a text in seconds since 1970, or NaN. Reports the first one that isn't understood:
    /// its point is kept, but figures of speed and duration would be wrong without a word.
    mutating func time(_ text: UnsafeBufferPointer<UInt8>, line: Int) -> Double {
        let text = text.trimmed
        if let moment = text.moment { return moment }
        if !text.isEmpty, !hasTimeFault {
            hasTimeFault = true
            let shown = SafeText.sanitised(text.text, limit: 40)
            faults.add(
                "the time \(shown) is not understood; use a form such as 2024-05-01T12:00:00Z", line: line)
        }
        return .nan
    }

    /// Counts the points of a shape.
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
    /// Accuracy in metres; nil if unknown.
    public var accuracy: Double?
    /// The heading in degrees clockwise from north, at most a full turn; nil if unknown, for example at rest.
    public var heading: Double?
    /// Speed in metres per second; nil if unknown.
    public var speed: Double?
    /// Metres above sea level; nil if unknown.
    public var height: Double?
    /// Seconds since 1970; nil if unknown.
    public var time: Double?

    /// Creates a position, or the report that there is none. An implausible heading, height or time counts as
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
