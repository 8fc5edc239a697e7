public import RhumbCore

/// A query for the height of the ground at a place, from stored data.
public struct PlaceHeightQuery: Query {
    /// The place.
    public let place: Coordinate

    public static var isDrawnAtOnce: Bool { true }

    /// The height in metres; nil if it is unknown.
    public typealias Response = Double?
}

extension HerePanel {
    /// Queries the height at the point.
    mutating func askHeight(_ browser: Browser) -> [Action] {
        guard browser.isAtRest else { return [] }
        let query = PlaceHeightQuery(place: browser.pointedPlace)
        return height.ask(query, at: browser.map.now) ? [.ask(query)] : []
    }

    /// The height at a place in metres; nil if it is unknown.
    func metres(at place: Coordinate) -> Double? {
        height.asked?.place == place ? height.current.flatMap(\.self) : nil
    }
}
