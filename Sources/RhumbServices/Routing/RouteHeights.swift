internal import RhumbBase
public import RhumbGeo

/// Samples heights at some corners of a route and interpolates them for all corners.
public struct RouteHeights: Sendable {
    /// The sampled corners in order, including the first and the last.
    public let corners: [Int]
    private let distances: [Double]
    /// The maximum number of samples.
    public static let limit = 400

    /// Selects corners at about even distances along a line of at least two corners.
    public init(_ line: [Coordinate]) {
        // Skips corners at the same position, which have the same height.
        let distances = line.metresFromStart,
            grain = max((distances.last ?? 0) / Double(Self.limit - 2), 0.01)
        var corners: [Int] = []
        for at in distances.indices {
            guard let last = corners.last, at < distances.count - 1, distances[at] - distances[last] < grain
            else {
                corners.append(at)
                continue
            }
        }
        self.distances = distances
        self.corners = corners
    }

    /// Returns the height of each corner, interpolated between `corners`.
    /// - Parameter heights: Metres, one for each of `corners`; nil if unknown. Implausible ones count as
    ///   unknown.
    /// - Returns: NaN for unknown heights; empty if none is known.
    public func all(_ heights: [Double?]) -> [Float] {
        let heights = heights.map { $0?.plausibleHeight }
        guard heights.count == corners.count, heights.contains(where: { $0 != nil }) else { return [] }
        var all = [Float](repeating: .nan, count: distances.count)
        for (at, corner) in corners.enumerated() {
            guard let height = heights[at] else { continue }
            all[corner] = Float(height)
            guard at > 0, let before = heights[at - 1] else { continue }
            let first = corners[at - 1], span = distances[corner] - distances[first]
            for between in (first + 1)..<max(corner, first + 1) {
                all[between] = Float(
                    span > 0
                        ? before + (height - before) * (distances[between] - distances[first]) / span : height
                )
            }
        }
        return all
    }
}

extension [Coordinate] {
    /// Metres along the line from its start to each corner.
    var metresFromStart: [Double] {
        var metres: [Double] = [], sum = 0.0
        metres.reserveCapacity(count)
        for (at, place) in enumerated() {
            if at > 0 { sum += self[at - 1].metres(to: place) }
            metres.append(sum)
        }
        return metres
    }
}

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
