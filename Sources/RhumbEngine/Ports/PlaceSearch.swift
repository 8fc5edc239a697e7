public import RhumbCore

/// Finds places by name and by location. Safe to call from any thread; a call may take some milliseconds.
public protocol PlaceSearch: Sendable {
    /// Places by any of their names, whole or begun, in any language, without regard to accents;
    /// where few fit, also those that small typing mistakes may have meant. The best come first:
    /// by how well the name fits, by importance, and by nearness.
    /// - Parameters:
    ///   - near: where the person looks; nil: nearness doesn't count.
    ///   - limit: the most results.
    func places(
        matching text: String, near: Coordinate?, limit: Int
    ) throws(PlaceSearchFailure) -> [PlaceMatch]

    /// The settlement nearest to a point, of those that matter enough; nil where there is none
    /// within 2,000 km.
    func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing?

    /// The most important places in a box, most important first; the same box gives the same
    /// places in the same order.
    func places(
        in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace]
}

/// The reason why places can't be searched.
public enum PlaceSearchFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The feature that search belongs to is off.
    case disabled(FeatureFailure)
    /// The list of places is damaged or can't be read; a sentence about it.
    case unreadable(String)

    public var description: String {
        switch self {
        case .disabled(let failure): "\(failure)"
        case .unreadable(let sentence): sentence
        }
    }

    /// The feature that is off may be enabled.
    public var remedy: RecoverySuggestion? {
        if case .disabled(let failure) = self { failure.remedy } else { nil }
    }
}
