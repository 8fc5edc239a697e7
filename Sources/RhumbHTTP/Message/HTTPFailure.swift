public import RhumbCore

/// The reason why there is no usable response. Its text never contains a secret.
public struct HTTPFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Kind: Equatable, Sendable {
        case failed(FailureClass)
        /// The caller cancelled the request; the server did not fail.
        case cancelled
    }

    /// The kind.
    public let kind: Kind
    /// The server's status; nil if there was none.
    public let status: Int?
    /// The fault below HTTP; nil for none.
    public let fault: TransportFault?
    /// The host that can't be found, as without a network; nil for other failures.
    package let lostHost: String?
    /// A sentence with the problem, its location, and the next step.
    public let message: String
    /// The time after which a retry may help; nil if unknown.
    public let retryAfter: Duration?
    /// The headers of the server's response; empty if there was none.
    public internal(set) var headers: HTTPHeaders = [:]
    /// The beginning of the response's body, which may describe an error.
    public internal(set) var body: [UInt8] = []

    init(
        _ kind: Kind, status: Int? = nil, fault: TransportFault? = nil, lostHost: String? = nil,
        retryAfter: Duration? = nil, _ message: String
    ) {
        self.kind = kind
        self.status = status
        self.fault = fault
        self.lostHost = lostHost
        self.retryAfter = retryAfter
        self.message = message
        FailureLog.note("network", message)
    }

    /// The class of the failure, which decides about retries; nil if cancelled.
    public var failureClass: FailureClass? {
        if case .failed(let failureClass) = kind { failureClass } else { nil }
    }

    /// True if the request was not sent, because its address failed repeatedly a short time ago.
    package var isPaused: Bool {
        (failureClass == .transient || failureClass == .badContent) && retryAfter != nil
    }

    /// The words between a cause and the seconds of the pause that follows.
    static let pauseText = "; not asked again for "

    /// Returns the failure of a request that is not sent, because the same one failed repeatedly.
    /// - Parameter seconds: The time until it may be sent.
    func repeated(retryAfter seconds: Double) -> HTTPFailure {
        let cause =
            message.firstRange(of: HTTPFailure.pauseText).map { message[..<$0.lowerBound] } ?? message[...]
        var failure = HTTPFailure(
            kind, status: status, fault: fault, lostHost: lostHost, retryAfter: .seconds(seconds),
            "\(cause)\(HTTPFailure.pauseText)\(Int(clamping: seconds.rounded(.up))) s")
        failure.headers = headers
        failure.body = body
        return failure
    }

    /// True if the same request may succeed once the connection is back, or once the server takes requests
    /// again.
    package var isLostConnection: Bool {
        switch (failureClass, fault) {
        case (nil, _), (_, .metered): false
        case (.offline, _), (.rate, _): true
        case (_, .nameNotFound), (_, .connectionRefused), (_, .connectionLost), (_, .timedOut),
            (_, .tlsFailed):
            true
        default: fault == .truncated
        }
    }

    public var description: String { message }
    /// The suggestion to name a certificate authority for a server that is not trusted, or to connect to a
    /// network for a host that can't be found, or to switch the network on.
    public var remedy: RecoverySuggestion? {
        if failureClass == .offline, lostHost == nil { return .goOnline }
        return lostHost.map { .connect(host: $0) } ?? (fault == .certificate ? .nameAuthority : nil)
    }

    package static let cancelled = HTTPFailure(.cancelled, "cancelled")

    static func fault(_ fault: TransportFault, _ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(fault.failureClass), fault: fault,
            lostHost: fault == .nameNotFound || fault == .noNetwork ? address.host : nil,
            "\(address): \(fault.explanation)")
    }

    /// Returns the failure of a proxy that can't be reached, or refuses the request.
    /// - Parameters:
    ///   - proxy: The proxy's address, without secrets.
    ///   - cause: The reason in a few words.
    static func proxy(_ proxy: String, _ cause: String, _ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.transient), fault: .proxy,
            "\(address): the proxy \(proxy) \(cause); check https_proxy, http_proxy and NO_PROXY")
    }

    static let offlineAdvice = "Rhumb is offline; go online to fetch it"

    static func offline(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(.failed(.offline), fault: .noNetwork, "\(address): \(offlineAdvice)")
    }
}

extension TransportFault {
    /// The likely cause of a response of another kind, and the remedy.
    static let portalAdvice = "(captive portal?); log in to the network with a browser, or check the URL"

    /// The fault and its remedy in words.
    package var explanation: String {
        switch self {
        case .metered: "not downloaded, because the connection is metered"
        case .noNetwork: "no network; showing stored data"
        case .nameNotFound: "unknown host; check the URL and the network"
        case .connectionRefused: "connection refused; the server may be down"
        case .connectionLost: "connection lost; try again later"
        case .timedOut: "timed out; try again later"
        case .proxy: "proxy unknown or refused; check https_proxy, http_proxy and NO_PROXY"
        case .tlsFailed: "can't make a secure connection"
        case .certificate: "the server's certificate can't be verified; check the clock and the URL"
        case .truncated: "the response is incomplete or damaged and is not stored; try again later"
        case .tooLarge:
            "the response is too large: the limit is \(ExpectedContent.document.byteLimit >> 20) MiB for documents (\(ExpectedContent.unpackedLimit >> 20) MiB unpacked) and \(ExpectedContent.vectorTile.byteLimit >> 20) MiB for tiles"
        case .redirects: "too many redirects, or a redirect to an unsafe URL"
        case .rangeIgnored: "the server does not support range requests; download the file instead"
        case .wrongRange:
            "the server answers range requests wrongly: it sent another range than the requested one"
        case .codedRange:
            "the server answers range requests wrongly: it compressed the range, although that was not requested"
        case .webPage: "got an HTML page instead of the requested data \(Self.portalAdvice)"
        case .badAnswer: "invalid response \(Self.portalAdvice)"
        case .unknownCoding:
            "the server compresses its responses with a method that was not requested; it must respect Accept-Encoding"
        case .badAddress:
            "not an http or https URL; check the URL, and whether the server redirects to another one"
        case .noLibrary: "can't load libcurl.so.4, so there is no network access; install libcurl4"
        }
    }
}
