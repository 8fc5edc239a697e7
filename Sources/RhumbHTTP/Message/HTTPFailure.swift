public import RhumbCore

/// Why there is no usable answer. Its text never holds a secret.
public struct HTTPFailure: Remediable, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong with a request.
    public enum Kind: Equatable, Sendable {
        case failed(FailureClass)
        /// Nobody wants it any more; not a failure of the server.
        case cancelled
    }

    /// What went wrong.
    public let kind: Kind
    /// The server's status, if it came to one.
    public let status: Int?
    /// What went wrong below HTTP, if it did.
    public let fault: TransportFault?
    /// One sentence: what, where, and what to do.
    public let message: String
    /// When asking again may help; nil if nothing is known.
    public let retryAfter: Duration?
    /// The headers of the server's answer, if there was one.
    public internal(set) var headers: HTTPHeaders = [:]
    /// The beginning of its body: what an error's body says, for who knows how to read it.
    public internal(set) var body: [UInt8] = []

    init(
        _ kind: Kind, status: Int? = nil, fault: TransportFault? = nil, retryAfter: Duration? = nil,
        _ message: String
    ) {
        self.kind = kind
        self.status = status
        self.fault = fault
        self.retryAfter = retryAfter
        self.message = message
    }

    /// What it means for asking again; nil if cancelled.
    public var failureClass: FailureClass? {
        if case .failed(let failureClass) = kind { failureClass } else { nil }
    }

    public var description: String { message }
    /// An authority may vouch for a server that is not trusted.
    public var remedy: Remedy? { fault == .certificate ? .nameAuthority : nil }

    package static let cancelled = HTTPFailure(.cancelled, "cancelled")

    static func fault(_ fault: TransportFault, _ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(fault.failureClass), fault: fault, "\(address): \(fault.explanation)")
    }

    static let offlineAdvice = "Rhumb is switched offline; switch it online to fetch"

    static func offline(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(.failed(.offline), fault: .noNetwork, "\(address): \(offlineAdvice)")
    }
}

extension TransportFault {
    /// What happened and what may help, for a person.
    var explanation: String {
        switch self {
        case .metered: "nothing is downloaded while the connection is metered; it goes on once it is not"
        case .noNetwork: "there is no network; what is stored is shown"
        case .nameNotFound: "the server's name is not known; check the address and the network"
        case .connectionRefused: "the server refuses connections; it may be down"
        case .connectionLost: "the connection was lost; it is tried again"
        case .timedOut: "the server did not answer in time; it is tried again"
        case .proxy: "the proxy is not known or lets nobody through; check https_proxy, http_proxy and NO_PROXY"
        case .tlsFailed: "no secure connection could be made"
        case .certificate: "the server's certificate can't be trusted; check the clock and the address"
        case .truncated: "the answer is incomplete or garbled; it is not kept"
        case .tooLarge: "the answer is larger than allowed; it is not kept"
        case .redirects: "the server redirects too often or to where it is not safe to follow"
        case .rangeIgnored: "the server sends whole files only; download the file instead"
        case .badAnswer: "what came is not what was asked for; is there a login page in between?"
        case .badAddress: "this is no http or https address; check the source's template"
        case .noLibrary: "libcurl.so.4 can't be loaded, so no server can be asked; install libcurl4. What is stored is shown"
        }
    }
}
