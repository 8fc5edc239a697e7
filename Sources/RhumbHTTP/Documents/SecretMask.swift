internal import RhumbCore
internal import RhumbEngine

/// Keeps a request's secrets out of what is stored of the answer: services write the key they were
/// asked with into the addresses of their documents.
struct SecretMask {
    /// Each secret with what stands for it.
    private let pairs: [(secret: [UInt8], mark: [UInt8], isTelling: Bool)]

    /// Shorter secrets turn up in other words by chance: they count as values in addresses alone.
    private static let telling = 6

    init(_ secrets: [String]) {
        pairs = secrets.filter { !$0.isEmpty }.enumerated().map { place, secret in
            let mark = "{rhumb-secret-\(place)}", isTelling = secret.utf8.count >= SecretMask.telling
            return (Array((isTelling ? secret : "=\(secret)").utf8), Array((isTelling ? mark : "=\(mark)").utf8), isTelling)
        }
    }

    /// The body without the secrets.
    func hidden(_ body: [UInt8]) -> [UInt8] {
        pairs.reduce(body) { body, pair in
            pair.isTelling ? body.replacing(pair.secret, with: pair.mark) : SecretMask.hidden(pair.secret, in: body, by: pair.mark)
        }
    }

    /// - Returns: the body with a value marked wherever nothing of the same word follows.
    private static func hidden(_ value: [UInt8], in body: [UInt8], by mark: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], rest = body[...]
        while let found = rest.firstRange(of: value) {
            let next = found.upperBound < body.endIndex ? body[found.upperBound] : 0
            let goesOn = (48...57).contains(next) || (65...90).contains(next) || (97...122).contains(next)
            result += rest[..<found.lowerBound] + (goesOn ? value : mark)
            rest = rest[found.upperBound...]
        }
        return result + rest
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
