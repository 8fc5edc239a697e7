public import RhumbBase

/// Why a search service found nothing.
public enum OnlineSearchFailure: Remediable, Equatable, Sendable, CustomStringConvertible {
    /// None is configured, and none was agreed to.
    case noService
    /// It is not known or can't be asked; a sentence.
    case unsupported(String)
    /// Its rules have to be agreed to first.
    case notAgreed(source: String, name: String, rules: String)
    /// Rhumb is switched offline, or there is no network.
    case offline(String)
    /// It is asked too often; seconds until it may be asked again.
    case busy(provider: String, seconds: Int64?)
    /// It refuses; a sentence.
    case refused(String)
    /// It can't be reached or has trouble; a sentence.
    case unreachable(String)
    /// The response is invalid; a sentence.
    case nonsense(String)
    /// Nobody waits for it any more.
    case cancelled

    public var description: String {
        switch self {
        case .noService: "no search service is configured"
        case .unsupported(let sentence), .refused(let sentence), .unreachable(let sentence),
            .nonsense(let sentence):
            SafeText.sanitised(sentence, limit: 300)
        case .notAgreed(_, let name, let rules): "\(name) is run by volunteers and has rules of use: \(rules)"
        case .offline(let name): "offline: \(name) is not used"
        case .busy(let provider, let seconds):
            "\(provider) is rate-limiting; try again "
                + (seconds.map { "in \(AmountText.seconds(Double($0)))" } ?? "later")
        case .cancelled: "cancelled"
        }
    }

    /// A service may be configured, or its rules agreed to.
    public var remedy: Remedy? {
        switch self {
        case .noService: .nameSearchService
        case .notAgreed(let source, _, _): .agreeToSearch(source)
        default: nil
        }
    }
}
