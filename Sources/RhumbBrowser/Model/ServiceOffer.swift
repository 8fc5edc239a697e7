/// A service on the web, as shown before the first request to it.
public struct ServiceOffer: Equatable, Sendable {
    /// The id in the list of sources, or the words that select the service.
    public let id: String
    /// The name shown to users.
    public let name: String
    /// The host that receives the requests, or several with "and"; empty if none does.
    public let host: String
    /// The address of the rules of use; empty if there are none.
    public let rules: String
    /// True if requests need no further consent.
    public let isAccepted: Bool

    /// Creates an offer.
    public init(id: String, name: String, host: String = "", rules: String = "", isAccepted: Bool = false) {
        self.id = id
        self.name = name
        self.host = host
        self.rules = rules
        self.isAccepted = isAccepted
    }

    /// Returns the facts for a `Consent`.
    /// - Parameter sent: The data that the host receives, besides the IP address.
    func facts(sent: String) -> [String] { [self].facts(sent: sent) }
}

extension [ServiceOffer] {
    /// Returns the facts for a `Consent`.
    /// - Parameter sent: The data that each host receives, besides the IP address.
    func facts(sent: String) -> [String] {
        let hosts = flatMap { offer in
            offer.host.isEmpty ? [offer.name] : offer.host.split(separator: " and ").map(String.init)
        }
        let verb = hosts.count > 1 ? "receive" : "receives"
        return ["\(hosts.inWords) \(verb) \(sent) and your IP address."]
            + compactMap { offer in
                let subject = count > 1 ? offer.name : "It"
                return offer.rules.isEmpty
                    ? nil : "\(subject) is run by volunteers, with rules of use: \(offer.rules)"
            } + ["Rhumb asks only once; the answer is stored on this computer."]
    }
}

extension [String] {
    /// The words as a list in a sentence: "a, b and c".
    var inWords: String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}

/// A query that stores the hosts that the user agreed to contact.
public struct StoreAgreement: Query {
    /// The hosts.
    public let hosts: [String]

    public static var scheduling: QueryScheduling { .files }

    public typealias Response = Never
}
