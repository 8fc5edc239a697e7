public import RhumbBase
public import RhumbGeo
internal import RhumbWeb

/// The reason why there is no route.
public enum RouteFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The places are not connected, or the vehicle is too large for every connection.
    case noRoute
    /// The engine has no road near a place. The place is its index from 0, and the distance to the nearest
    /// road is in metres; both are nil if unknown.
    case noRoads(place: Int?, metres: Double?)
    /// The stored map has a gap that the route would cross, at this place.
    case notStored(Coordinate)
    /// Start and destination are the same.
    case samePlace
    /// The engine can't process the request, or no engine can. The text is a sentence.
    case unsupported(String)
    /// The feature that routing belongs to is disabled.
    case disabled(feature: String, wanted: String)
    /// The provider refused the request. The text is a sentence.
    case refused(String)
    /// The key is wrong or not valid for this service.
    case notEntitled(provider: String)
    /// The provider limits the request rate. The seconds until the next request are nil if unknown.
    case busy(provider: String, seconds: Int64?)
    /// The user has not accepted the provider's terms yet.
    case notAgreed(source: String, name: String, rules: String)
    /// Rhumb is in offline mode, so that this is not used.
    case offline(String)
    /// The host of the engine can't be found, as without a network.
    case noNetwork(host: String)
    /// No stored map contains the places, no engine is running locally, and none is configured.
    case noEngine
    /// The engine is unreachable or reports an error. The text is a sentence.
    case unreachable(String)
    /// The response is not a valid route. The text is a sentence.
    case nonsense(String)
    /// The request was cancelled.
    case cancelled

    public var description: String {
        switch self {
        case .noRoute: "no route between these places for this travel mode"
        case .noRoads(let place, let metres):
            "no roads known to the engine \(RouteFailure.place(place))"
                + (metres.map { "; the nearest is \(AmountText.metres($0)) away" } ?? "")
                + "; its map data may not cover this area"
        case .notStored(let place):
            "the stored map has a gap at \(place.latitudeFirst): no tiles with roads are stored there"
        case .samePlace: "start and destination are the same"
        case .unsupported(let sentence), .refused(let sentence), .unreachable(let sentence),
            .nonsense(let sentence):
            SafeText.sanitised(sentence, limit: 300)
        case .disabled(let feature, let wanted): "\(wanted) needs the feature \(feature), which is off"
        case .notEntitled(let provider):
            "\(provider) refused the key: wrong, used up, or not valid for routes"
        case .busy(let provider, let seconds):
            FailureClass.rateLimit(of: provider, seconds: seconds)
        case .notAgreed(_, let name, let rules): "\(name) is run by volunteers and has rules of use: \(rules)"
        case .offline(let what): "offline: \(what) is not used"
        case .noNetwork(let host): "can't reach \(host); check the network and the URL"
        case .noEngine: "no map of these places is stored, and no routing engine is running or configured"
        case .cancelled: "cancelled"
        }
    }

    /// The suggested fix: configure an engine, enable the feature, accept the terms or
    /// connect to a network.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .noEngine: .nameRouteEngine
        case .disabled: .enableFeature
        case .notStored(let place): .downloadMap(around: place.latitudeFirst)
        case .notAgreed(let source, _, _): .agreeToRules(source)
        case .noNetwork(let host): .connect(host: host)
        default: nil
        }
    }

    /// True if no server can be asked, so that a stored response is used.
    public var isOffline: Bool {
        switch self {
        case .offline, .noNetwork: true
        default: false
        }
    }

    private static func place(_ number: Int?) -> String { number.map { "near place \($0 + 1)" } ?? "there" }
}
