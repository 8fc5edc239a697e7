internal import RhumbCore
internal import RhumbEngine

/// Keeps a request's secrets out of what is stored of the answer: services write the key they were
/// asked with into the addresses of their documents.
struct SecretMask {
    /// Each secret with what stands for it.
    private let pairs: [(secret: [UInt8], mark: [UInt8])]

    /// Shorter secrets turn up in other words by chance.
    private static let shortest = 6

    init(_ secrets: [String]) {
        pairs = secrets.filter { $0.utf8.count >= SecretMask.shortest }.enumerated().map { place, secret in
            (Array(secret.utf8), Array("{rhumb-secret-\(place)}".utf8))
        }
    }

    /// The body without the secrets.
    func hidden(_ body: [UInt8]) -> [UInt8] {
        pairs.reduce(body) { $0.replacing($1.secret, with: $1.mark) }
    }

    /// The body with the secrets, those of now, where they were.
    func shown(_ body: [UInt8]) -> [UInt8] {
        pairs.reduce(body) { $0.replacing($1.mark, with: $1.secret) }
    }
}

extension WebResource {
    /// Archives are no documents, and stay as they are.
    var secretMask: SecretMask { SecretMask(expected == .document ? address.secrets : []) }
}
