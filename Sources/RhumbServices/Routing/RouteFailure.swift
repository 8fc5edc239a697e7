public import RhumbBase

/// Why there is no route.
public enum RouteFailure: Remediable, Equatable, Sendable, CustomStringConvertible {
    /// The places are not connected, or nothing of that size gets through.
    case noRoute
    /// The engine has no road near a place: which one, from 0, and how far the nearest is in metres, where
    /// that is known.
    case noRoads(place: Int?, metres: Double?)
    /// From and to are the same.
    case samePlace
    /// The engine does not support the request; a sentence.
    case unsupported(String)
    /// The feature that the route belongs to is off.
    case disabled(feature: String, wanted: String)
    /// The provider refuses; a sentence.
    case refused(String)
    /// The key is wrong or not for this service.
    case notEntitled(provider: String)
    /// The provider is asked too often; seconds until it may be asked again.
    case busy(provider: String, seconds: Int64?)
    /// The provider's rules have to be agreed to first.
    case notAgreed(source: String, name: String, rules: String)
    /// Rhumb is switched offline, or there is no network.
    case offline(String)
    /// No engine is known that could be asked.
    case noEngine
    /// The engine can't be reached or has trouble; a sentence.
    case unreachable(String)
    /// The response contains no valid route; a sentence.
    case nonsense(String)
    /// Nobody waits for it any more.
    case cancelled

    public var description: String {
        switch self {
        case .noRoute: "no route between these places for this travel mode"
        case .noRoads(let place, let metres):
            "no roads known to the engine \(RouteFailure.place(place))"
                + (metres.map { "; the nearest is \(AmountText.metres($0)) away" } ?? "")
                + "; its map data may not cover this area"
        case .samePlace: "start and destination are the same"
        case .unsupported(let sentence), .refused(let sentence), .unreachable(let sentence),
            .nonsense(let sentence):
            SafeText.sanitised(sentence, limit: 300)
        case .disabled(let feature, let wanted): "\(wanted) needs the feature \(feature), which is off"
        case .notEntitled(let provider):
            "\(provider) refused the key: wrong, used up, or not valid for routes"
        case .busy(let provider, let seconds):
            "\(provider) is rate-limiting; try again "
                + (seconds.map { "in \(AmountText.seconds(Double($0)))" } ?? "later")
        case .notAgreed(_, let name, let rules): "\(name) is run by volunteers and has rules of use: \(rules)"
        case .offline(let what): "offline: \(what) is not used"
        case .noEngine: "no routing engine: none is running locally, and none is configured"
        case .cancelled: "cancelled"
        }
    }

    /// An engine may be named, or rules agreed to.
    public var remedy: Remedy? {
        switch self {
        case .noEngine: .nameRouteEngine
        case .disabled: .enableFeature
        case .notAgreed(let source, _, _): .agreeToRules(source)
        default: nil
        }
    }

    private static func place(_ number: Int?) -> String { number.map { "near place \($0 + 1)" } ?? "there" }
}

extension AmountText {
    /// A length on the ground: "80 m", "1.2 km", "340 km".
    public static func metres(_ metres: Double) -> String {
        guard metres.isFinite, metres >= 0 else { return "?" }
        if metres < 100 { return "\(Int((metres / 5).rounded()) * 5) m" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        if metres < 99_950 {
            let tenths = Int((metres / 100).rounded())
            return "\(tenths / 10).\(tenths % 10) km"
        }
        return "\(count(Int(clamping: metres / 1000))) km"
    }
}
