internal import RhumbBase

/// The zooms of a region, from the lowest to the highest, inclusive.
public struct ZoomRange: Hashable, Sendable, CustomStringConvertible {
    /// The lowest zoom: 0…`TileID.maximumZoom`, at most `highest`.
    public let lowest: Int
    /// The highest zoom.
    public let highest: Int

    /// Creates a range of zooms.
    /// - Throws: `ZoomRangeFailure.reversed`, `.noZoom`
    public init(_ lowest: Int, _ highest: Int) throws(ZoomRangeFailure) {
        guard (0...TileID.maximumZoom).contains(lowest) else { throw .noZoom(lowest) }
        guard (0...TileID.maximumZoom).contains(highest) else { throw .noZoom(highest) }
        guard lowest <= highest else { throw .reversed(lowest, highest) }
        self.lowest = lowest
        self.highest = highest
    }

    /// The zooms, as a range.
    public var zooms: ClosedRange<Int> { lowest...highest }

    /// Returns the part of the range that a source has.
    /// - Parameter isAssumed: True if nothing states the zooms of the source.
    /// - Throws: `ZoomRangeFailure.beyondSource` or `.beyondAssumption` if it has none.
    public func limited(
        to available: ClosedRange<Int>, source: String, isAssumed: Bool = false
    ) throws(ZoomRangeFailure) -> ZoomRange {
        guard zooms.overlaps(available) else {
            let source = SafeText.sanitised(source)
            throw isAssumed
                ? .beyondAssumption(asked: self, source: source, has: available)
                : .beyondSource(asked: self, source: source, has: available)
        }
        let shared = zooms.clamped(to: available)
        return try ZoomRange(shared.lowerBound, shared.upperBound)
    }

    /// The zooms as text, such as "8-14".
    public var description: String { "\(lowest)-\(highest)" }
}

/// The reason why a range of zooms is invalid.
public enum ZoomRangeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case reversed(Int, Int)
    case noZoom(Int)
    case beyondSource(asked: ZoomRange, source: String, has: ClosedRange<Int>)
    /// Nothing states the zooms of the source, such as an address with braces.
    case beyondAssumption(asked: ZoomRange, source: String, has: ClosedRange<Int>)

    public var description: String {
        switch self {
        case .reversed(let lowest, let highest):
            "the zooms \(lowest)-\(highest) are reversed; use \(highest)-\(lowest)"
        case .noZoom(let zoom):
            "zoom \(zoom) is out of range (0-\(TileID.maximumZoom))"
        case .beyondSource(let asked, let source, let has):
            "\(source) has only zooms \(has.lowerBound)-\(has.upperBound), not \(asked); choose some of those"
        case .beyondAssumption(let asked, let source, let has):
            "\(source) states no zooms, so it counts as one of zooms \(has.lowerBound)-\(has.upperBound), not \(asked); "
                + "add it as a source with \"maxzoom\""
        }
    }
}
