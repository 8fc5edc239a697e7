public import RhumbCore

/// Finds places by name and by location. Safe to call from any thread; a call may take some milliseconds.
public protocol PlaceSearch: Sendable {
    /// Returns places by any of their names, complete or partial, in any language and without regard to
    /// accents. The best matches come first: by name, by importance, and by nearness.
    /// - Parameters:
    ///   - near: The position around which the user searches; nil to ignore nearness.
    ///   - limit: The maximum number of results.
    ///   - forgives: If true and nothing matches, also returns places that small typing mistakes may have
    ///     meant. This takes ten times as long.
    func places(
        matching text: String, near: Coordinate?, limit: Int, forgives: Bool
    ) throws(PlaceSearchFailure) -> [PlaceMatch]

    /// Returns the nearest settlement of sufficient importance; nil if there is none within 2,000 km.
    func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing?

    /// Returns the most important places in a box, the most important first. The same box gives the same
    /// places in the same order.
    func places(
        in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace]

    /// Returns the most important places of some kinds in a box, the most important first.
    func places(
        of kinds: Set<NamedPlace.Kind>, in bounds: Bounds, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace]
}

extension PlaceSearch {
    /// Returns places by any of their names, best first; if nothing matches, those that small typing mistakes
    /// may have meant.
    public func places(
        matching text: String, near: Coordinate?, limit: Int
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        try places(matching: text, near: near, limit: limit, forgives: true)
    }

    /// The number of places among which those of a kind are looked for.
    private static var examined: Int { 2000 }

    /// Returns the most important places of some kinds in a box, from its most important places.
    public func places(
        of kinds: Set<NamedPlace.Kind>, in bounds: Bounds, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        let all = try places(in: bounds, minimumImportance: 0, limit: Self.examined)
        return Array(all.filter { kinds.contains($0.kind) }.prefix(max(limit, 0)))
    }
}

/// The reason why places can't be searched.
public enum PlaceSearchFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The feature that search belongs to is off.
    case disabled(FeatureFailure)
    /// The gazetteer is damaged or can't be read, for the reason in a sentence.
    case unreadable(String)

    public var description: String {
        switch self {
        case .disabled(let failure): "\(failure)"
        case .unreadable(let sentence): sentence
        }
    }

    /// The suggestion to enable the feature that is off; nil for other failures.
    public var remedy: RecoverySuggestion? {
        if case .disabled(let failure) = self { failure.remedy } else { nil }
    }
}
