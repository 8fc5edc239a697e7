internal import RhumbBase

/// Heights along a line, with their attribution.
public struct AttributedHeights: Sendable, Equatable {
    /// Metres above sea level, one for each corner; NaN if unknown.
    public let metres: [Float]
    /// The source and its attribution, sanitised for terminals.
    public let credit: String

    /// Creates heights with a credit line. Sanitises both texts.
    /// - Parameters:
    ///   - name: Name of the map or engine that provided the heights.
    ///   - attribution: The source's attribution; may be empty.
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
    /// Sets heights from another source than the route's engine.
    public mutating func set(_ told: AttributedHeights) {
        heights = told.metres
        heightCredit = told.credit
    }
}

extension RouteAnswer {
    /// Returns the credit for the heights of a route: the engine's, unless the heights came from another
    /// source. Empty without heights.
    public func heightCredit(of route: Route) -> String {
        guard !route.heights.isEmpty else { return "" }
        return route.heightCredit.isEmpty
            ? AttributedHeights.credit(provider, attribution) : route.heightCredit
    }
}
