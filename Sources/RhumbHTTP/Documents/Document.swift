public import RhumbCore

/// A document from a server or a store.
public struct Document: Sendable, Equatable {
    /// The origin of a document.
    public enum Standing: Sendable, Equatable {
        /// Sent by the server just now.
        case sent
        /// Stored, and confirmed by the server just now.
        case confirmed
        /// Stored and fresh.
        case fresh
        /// Stored and expired, with the reason why the server did not confirm it; nil if it was not asked.
        case outdated(HTTPFailure?)
    }

    /// The unpacked body.
    public let body: [UInt8]
    /// The header fields that are stored with the document.
    public let headers: HTTPHeaders
    /// The origin.
    public let standing: Standing
    /// The seconds since the server created or last confirmed it.
    public let age: Int64
    /// The address without secrets, to which relative addresses in the document refer.
    public let address: String
    /// The response in the form in which it is stored: without secrets.
    package let stored: StoredResponse
    /// False if the server forbids storing the document.
    package let isStorable: Bool

    init(_ response: CachedResponse, age: Int64, address: String) {
        body = response.body ?? []
        headers = response.headers
        standing = Standing(response)
        self.age = age
        self.address = address
        stored = response.stored
        isStorable = response.isStorable
    }

    /// The body as JSON.
    /// - Throws: `DocumentFailure.unreadable`.
    public func json() throws(DocumentFailure) -> JSON {
        return try converting(JSON.parse(body)) { (error: JSONFailure) in
            DocumentFailure.unreadable(address: address, error.description)
        }
    }
}

extension Document.Standing {
    fileprivate init(_ response: CachedResponse) {
        switch (response.origin, response.validity) {
        case (.server, _): self = .sent
        case (.revalidated, _), (.carriedOver, _): self = .confirmed
        case (.stored, .fresh): self = .fresh
        case (.stored, _): self = .outdated(response.failure)
        }
    }
}

/// The reason why there is no usable document. No text contains a secret.
public enum DocumentFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// No copy is stored, and the request failed.
    case notFetched(HTTPFailure)
    /// The server has no such document, and no copy is stored.
    case absent(address: String)
    /// The response is not the expected document.
    case unreadable(address: String, String)
    /// The response has features, which are no map.
    case features(address: String)
    /// The server forbids storing the document, which a region needs.
    case notStorable(address: String)

    public var description: String {
        switch self {
        case .notFetched(let failure): failure.message
        case .absent(let address):
            "\(SafeText.sanitised(address)): the server has no such document; check the URL"
        case .unreadable(let address, let problem):
            "\(SafeText.sanitised(address)): the document is \(SafeText.sanitised(problem, limit: 200)); check the URL"
        case .features(let address):
            "\(SafeText.sanitised(address)): the document has features and is no map; lay them over a map as "
                + "features:\(SafeText.sanitised(address))"
        case .notStorable(let address):
            "\(SafeText.sanitised(String(address.prefix { $0 != "#" }))): the server forbids storing it (no-store), "
                + "so that it can't be downloaded; ask its owner"
        }
    }

    /// The remedy for a failure of the network; nil for none.
    public var remedy: RecoverySuggestion? {
        if case .notFetched(let failure) = self { failure.remedy } else { nil }
    }
}
