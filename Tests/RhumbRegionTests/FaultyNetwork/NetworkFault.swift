import RhumbCore
@testable import RhumbHTTP
import RhumbTestSupport

/// A fault of a network, or of a server.
enum NetworkFault: Sendable, CaseIterable {
    /// No response arrives.
    case refused, unknownHost, lost, timedOut
    /// The body breaks off: with a reset, before its announced length, or unnoticed.
    case reset, short, shortUnannounced
    /// More bytes arrive than announced, or than requested.
    case long, longUnannounced
    case damagedCoding
    case serverError, overloaded, tooManyRequests, denied
    /// A captive portal sends its own page.
    case portal
    /// The range differs from the requested one, has another length, or is not stated.
    case otherRange, otherCount, unstatedRange
    case wholeFile, unrequestedRange
    case unrequested304
    /// A 304 or a range with the validators of another version.
    case other304, otherTag
    case noValidators
    /// An earlier response for the same address is sent again.
    case duplicate
    /// The response takes hours.
    case late

    /// The faults that can affect a request.
    static func all(for request: HTTPRequest) -> [NetworkFault] {
        let common: [NetworkFault] = [
            .refused, .unknownHost, .lost, .timedOut, .reset, .short, .long, .damagedCoding, .serverError,
            .overloaded, .tooManyRequests, .denied, .duplicate, .late,
        ]
        let conditional: [NetworkFault] = [request.validators.isEmpty ? .unrequested304 : .other304]
        guard request.range != nil else {
            return common + conditional + conditional + [
                .shortUnannounced, .shortUnannounced, .portal, .unrequestedRange,
            ]
        }
        let ranges: [NetworkFault] = [
            .reset, .reset, .short, .shortUnannounced, .longUnannounced, .otherRange, .otherCount,
            .unstatedRange, .wholeFile, .otherTag,
        ]
        // Without validators, a whole resource has no version.
        return common + conditional + ranges + (request.receiver == nil ? [] : [.noValidators])
    }

    /// The faults that a range is requested again after, with a real wait in between.
    static let retriedRanges: Set<NetworkFault> = [
        .refused, .unknownHost, .lost, .timedOut, .reset, .short, .damagedCoding, .serverError, .overloaded,
        .tooManyRequests,
    ]

    /// True if a tile that arrives with it must be used. A late or a duplicate response is valid: its age is
    /// known.
    var isHarmless: Bool { [.long, .duplicate, .late, .shortUnannounced].contains(self) }
}

/// The way in which a response arrives.
struct Delivery {
    /// The response; nil if none arrives.
    var response: WireResponse?
    /// The fault below HTTP that ends it.
    var end: TransportFault?
    /// The number of bytes of the body that arrive; nil for all.
    var bytes: Int?
    /// The time between the response and its arrival.
    var delay = Duration.zero

    /// - Parameter earlier: The previous response for the same address; nil if there was none.
    init(
        _ fault: NetworkFault?, of response: WireResponse, to request: HTTPRequest, earlier: WireResponse?,
        using generator: inout SplitMix
    ) {
        self.response = response
        switch fault {
        case .refused: lose(.connectionRefused)
        case .unknownHost: lose(.nameNotFound)
        case .lost: lose(.connectionLost)
        case .timedOut: lose(.timedOut)
        case .reset, .short, .shortUnannounced: breakOff(fault, using: &generator)
        case .damagedCoding where response.body.isEmpty: lose(.connectionLost)
        case .duplicate: self.response = earlier ?? response
        case .late: delay = .seconds(Int.random(in: 1...20_000, using: &generator))
        case nil: break
        case let fault?: self.response?.damage(fault, request, using: &generator)
        }
    }

    private mutating func lose(_ fault: TransportFault) { (response, end) = (nil, fault) }

    private mutating func breakOff(_ fault: NetworkFault?, using generator: inout SplitMix) {
        let count = response?.body.count ?? 0
        bytes = count > 0 ? Int.random(in: 0..<count, using: &generator) : 0
        if fault == .reset { end = .connectionLost }
        if fault == .shortUnannounced { response?.set("Content-Length", nil) }
        // A response without a body has arrived once its headers have.
        if count == 0 { end = .connectionLost }
    }
}

extension WireResponse {
    fileprivate mutating func damage(
        _ fault: NetworkFault, _ request: HTTPRequest, using generator: inout SplitMix
    ) {
        let size = max(body.count, 1), other = Int.random(in: 1...3, using: &generator)
        switch fault {
        case .long: body += [UInt8](repeating: 7, count: other)
        case .longUnannounced:
            body += [UInt8](repeating: 7, count: other)
            set("Content-Length", nil)
        case .damagedCoding: set("Content-Encoding", Bool.random(using: &generator) ? "gzip" : "deflate")
        case .serverError: become([500, 502, 504].randomElement(using: &generator) ?? 500)
        case .overloaded: become(503, retryAfter: Int.random(in: 0...90, using: &generator))
        case .tooManyRequests:
            become(
                429, retryAfter: Bool.random(using: &generator) ? .random(in: 0...90, using: &generator) : nil
            )
        case .denied: become(403)
        case .portal:
            become(200)
            body = Array("<!DOCTYPE html><title>Log in</title>".utf8)
            set("Content-Type", Bool.random(using: &generator) ? "text/html" : nil)
        case .otherRange:
            body = body.dropFirst(other) + [UInt8](repeating: 7, count: min(other, body.count))
            stateRange(at: (request.range?.offset ?? 0) + UInt64(other), size)
        case .otherCount:
            body.removeLast(min(other, body.count))
            set("Content-Length", "\(body.count)")
            stateRange(at: request.range?.offset ?? 0, max(body.count, 1))
        case .unstatedRange: set("Content-Range", nil)
        case .wholeFile: status = 200
        case .unrequestedRange:
            status = 206
            stateRange(at: 0, size)
        case .unrequested304, .other304: confirmOther(other, request)
        case .otherTag: set("ETag", "\"other\(other)\"")
        case .noValidators:
            set("ETag", nil)
            set("Last-Modified", nil)
        default: break
        }
    }

    private mutating func become(_ status: Int, retryAfter: Int? = nil) {
        self.status = status
        headers = ["Date": headers["Date"] ?? ""]
        body = Array("error".utf8)
        set("Retry-After", retryAfter.map { "\($0)" })
    }

    private mutating func stateRange(at offset: UInt64, _ count: Int) {
        set("Content-Range", "bytes \(offset)-\(offset + UInt64(count) - 1)/\(offset + UInt64(count) + 5)")
    }

    /// Turns it into a 304 for another version than the requested one.
    private mutating func confirmOther(_ number: Int, _ request: HTTPRequest) {
        let requested = request.validators
        status = 304
        body = []
        set("Content-Length", nil)
        set("Content-Type", nil)
        set("ETag", requested.etag.map { String($0.dropLast()) + "-\(number)\"" })
        guard requested.etag == nil, requested.lastModified != nil else { return }
        set("Last-Modified", HTTPDate.text(of: UnixSeconds(Int64(number) * 1000)))
    }
}
