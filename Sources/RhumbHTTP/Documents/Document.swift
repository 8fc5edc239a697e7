public import RhumbCore

/// A document as it came, or as it was kept.
public struct Document: Sendable, Equatable {
    /// How it was come by.
    public enum Standing: Sendable, Equatable {
        /// A server sent it just now.
        case sent
        /// A server said just now that what was kept still holds.
        case confirmed
        /// It was kept, and may be used without asking.
        case fresh
        /// It was kept and may be out of date; why no server was asked, or none gave an answer;
        /// nil: none was asked on purpose.
        case outdated(HTTPFailure?)
    }

    /// Unpacked.
    public let body: [UInt8]
    /// The fields worth keeping.
    public let headers: HTTPHeaders
    /// Whether it may be used as it is.
    public let standing: Standing
    /// Seconds since the server made it or last confirmed it.
    public let age: Int64
    /// Where it was found, without secrets; what is relative in it is relative to this.
    public let address: String
    /// The answer as it is kept: without secrets.
    package let stored: StoredResponse

    /// The body as JSON.
    /// - Throws: `DocumentFailure.unreadable`.
    public func json() throws(DocumentFailure) -> JSON {
        do throws(JSONFailure) {
            return try JSON.parse(body)
        } catch {
            throw .unreadable(address: address, error.description)
        }
    }
}

/// Why there is no usable document. No text holds a secret.
public enum DocumentFailure: Remediable, Equatable, Sendable, CustomStringConvertible {
    /// None is kept, and none could be fetched.
    case notFetched(HTTPFailure)
    /// The server says that there is none, and none is kept.
    case absent(address: String)
    /// It came, but it is not what it should be.
    case unreadable(address: String, String)

    public var description: String {
        switch self {
        case .notFetched(let failure): failure.message
        case .absent(let address):
            "\(SafeText.sanitised(address)): the server has no such document; check the URL"
        case .unreadable(let address, let problem):
            "\(SafeText.sanitised(address)): the document is \(SafeText.sanitised(problem, limit: 200)); check the URL"
        }
    }

    /// What helps against a failure of the network.
    public var remedy: Remedy? { if case .notFetched(let failure) = self { failure.remedy } else { nil } }
}
