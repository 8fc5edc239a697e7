/// Zooms that are downloaded together: 0–5, 6–10, 11–14, 15–16, and pairs above (17–18, …).
public struct ZoomGroup: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The lowest zoom of the group.
    public let lowest: Int
    /// The highest zoom of the group.
    public let highest: Int

    /// All groups, the lowest zooms first.
    public static let all: [ZoomGroup] = {
        let upper = stride(from: 15, to: TileID.maximumZoom, by: 2).map { ZoomGroup($0, $0 + 1) }
        return [ZoomGroup(0, 5), ZoomGroup(6, 10), ZoomGroup(11, 14)] + upper
    }()

    private init(_ lowest: Int, _ highest: Int) {
        self.lowest = lowest
        self.highest = highest
    }

    /// Creates the group of a zoom. Zooms out of range belong to the nearest group.
    public init(containing zoom: Int) {
        let group = ZoomGroup.all.first { zoom <= $0.highest }
        self = group ?? ZoomGroup.all[ZoomGroup.all.count - 1]
    }

    /// Returns the groups with any of these zooms.
    public static func covering(_ zooms: ClosedRange<Int>) -> [ZoomGroup] {
        all.filter { $0.zooms.overlaps(zooms) }
    }

    /// The zooms, as a range.
    public var zooms: ClosedRange<Int> { lowest...highest }

    /// The zooms as text, such as "11-14".
    public var description: String { "\(lowest)-\(highest)" }

    public static func < (a: ZoomGroup, b: ZoomGroup) -> Bool { a.lowest < b.lowest }
}
