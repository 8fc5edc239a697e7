internal import RhumbBase

/// Heights along a line, and whose they are.
public struct ToldHeights: Sendable, Equatable {
    /// In metres above the sea, one for each corner; NaN where unknown.
    public let metres: [Float]
    /// The provider and its attribution, safe for a terminal.
    public let credit: String

    /// - Parameters:
    ///   - name: of the map or engine that told them; text from outside is made harmless.
    ///   - attribution: who must be thanked; likewise. May be empty.
    public init(_ metres: [Float], by name: String, attribution: String) {
        self.metres = metres
        credit = Self.credit(name, attribution)
    }

    static func credit(_ name: String, _ attribution: String) -> String {
        let parts = [name, attribution].map { SafeText.sanitised($0, limit: 120) }.filter { !$0.isEmpty }
        return parts.joined(separator: ", ")
    }
}

extension Route {
    /// Replaces the heights by those of another provider.
    public mutating func set(_ told: ToldHeights) { (heights, heightCredit) = (told.metres, told.credit) }
}

extension RouteAnswer {
    /// Whose the heights of a route are, where it has any: its engine's unless others were taken in. Empty
    /// without heights.
    public func heightCredit(of route: Route) -> String {
        guard !route.heights.isEmpty else { return "" }
        return route.heightCredit.isEmpty ? ToldHeights.credit(provider, attribution) : route.heightCredit
    }
}
