internal import RhumbBase

/// A fault below HTTP, before the response was complete.
public enum TransportFault: String, Error, CaseIterable {
    /// There is no route or interface, or Rhumb is switched offline.
    case noNetwork
    /// Downloads are off while the connection is metered.
    case metered
    case nameNotFound
    case connectionRefused
    /// The connection was lost or reset before the response was complete.
    case connectionLost
    case timedOut
    /// The proxy is unknown or refuses access.
    case proxy
    /// The secure connection could not be made.
    case tlsFailed
    /// The server's certificate can't be trusted.
    case certificate
    /// The body is shorter than announced, or its coding is broken.
    case truncated
    case tooLarge
    case redirects
    /// The server ignored a range and started to send the whole file.
    case rangeIgnored
    /// The server sent another range of the file than the requested one.
    case wrongRange
    /// The server sent a part of a file with a content coding, so that its bytes are not those of the file.
    case codedRange
    /// The server sent a web page, such as a login page, instead of a part of a file.
    case webPage
    /// The response is not HTTP, or not the expected one.
    case badAnswer
    /// The body is compressed with a method that was not requested.
    case unknownCoding
    /// The address is invalid.
    case badAddress
    /// The library for HTTP requests can't be loaded.
    case noLibrary

    /// The class of the failure, which decides about retries.
    public var failureClass: FailureClass {
        switch self {
        case .noNetwork, .metered: .offline
        case .nameNotFound, .connectionRefused, .connectionLost, .timedOut, .proxy, .tlsFailed, .truncated:
            .transient
        case .tooLarge, .wrongRange, .codedRange, .webPage, .badAnswer, .unknownCoding: .badContent
        case .certificate, .redirects, .rangeIgnored, .badAddress, .noLibrary: .permanent
        }
    }
}

/// The class of a failure, which decides about retries.
public enum FailureClass: String, Sendable, CaseIterable {
    /// The same request will fail again.
    case permanent
    /// The key was refused or its quota is used up. The whole source pauses.
    case refused
    /// The rate limit was exceeded, or the host fails. It gets no requests for a while.
    case rate
    /// A retry may succeed.
    case transient
    /// There is no network.
    case offline
    /// The response is not the expected one, such as the page of a captive portal.
    case badContent

    /// Creates the class of an HTTP status; nil for the usable responses 200, 203, 204, 206, 304, 404 and
    /// 410.
    /// - Parameter isRateLimit: True if the response describes a rate limit.
    public init?(status: Int, isRateLimit: Bool = false) {
        switch status {
        case 200, 203, 204, 206, 304, 404, 410: return nil
        case 403 where isRateLimit, 503 where isRateLimit: self = .rate
        // 498 and 499 are Esri's for a token that is invalid or missing.
        case 401, 402, 403, 498, 499: self = .refused
        case 420, 429: self = .rate
        case 408, 425: self = .transient
        case 501, 505, 596: self = .permanent
        case 400...499: self = .permanent
        case 500...: self = .transient
        default: self = .badContent
        }
    }

    /// Returns the cause of a request that a rate limit rejects, such as "rate-limited by OSRM".
    /// - Parameter server: The name of the server or its provider.
    public static func rateLimit(of server: String) -> String { "rate-limited by \(server)" }

    /// Returns the cause and the next step, such as "rate-limited by OSRM; try again in 30 s".
    /// - Parameter seconds: The time until the next request; nil if unknown.
    public static func rateLimit(of server: String, seconds: Int64?) -> String {
        "\(rateLimit(of: server)); try again "
            + (seconds.map { "in \(AmountText.seconds(Double($0)))" } ?? "later")
    }
}
