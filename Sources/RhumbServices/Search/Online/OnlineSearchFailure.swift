public import RhumbBase
internal import RhumbWeb

/// The reason why an online search failed.
public enum OnlineSearchFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// No service is configured, and the user has accepted none.
    case noService
    /// The service is unknown or doesn't support the query. The text is a sentence.
    case unsupported(String)
    /// The user has not accepted the service's terms yet.
    case notAgreed(source: String, name: String, rules: String)
    /// Rhumb is in offline mode, so that this service is not used.
    case offline(String)
    /// The host of the service can't be found, as without a network.
    case noNetwork(host: String)
    /// The service limits the request rate. The seconds until the next request are nil if unknown.
    case busy(provider: String, seconds: Int64?)
    /// The service refused the request. The text is a sentence.
    case refused(String)
    /// The service is unreachable or reports an error. The text is a sentence.
    case unreachable(String)
    /// The response is invalid. The text is a sentence.
    case nonsense(String)
    /// The search was cancelled.
    case cancelled

    public var description: String {
        switch self {
        case .noService: "no search service is configured"
        case .unsupported(let sentence), .refused(let sentence), .unreachable(let sentence),
            .nonsense(let sentence):
            SafeText.sanitised(sentence, limit: 300)
        case .notAgreed(_, let name, let rules): "\(name) is run by volunteers and has rules of use: \(rules)"
        case .offline(let name): "offline: \(name) is not used"
        case .noNetwork(let host): "can't reach \(host); check the network and the URL"
        case .busy(let provider, let seconds):
            FailureClass.rateLimit(of: provider, seconds: seconds)
        case .cancelled: "cancelled"
        }
    }

    /// The suggested fix: configure a service, accept its terms or connect to a network.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .noService: .nameSearchService
        case .notAgreed(let source, _, _): .agreeToSearch(source)
        case .noNetwork(let host): .connect(host: host)
        default: nil
        }
    }
}
