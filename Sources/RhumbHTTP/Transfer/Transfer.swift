internal import CCurl
internal import Glibc
internal import RhumbCore

/// A request in flight, and all callers that wait for it. It belongs to the transfer thread.
final class Transfer {
    let number: UInt64
    let request: HTTPRequest
    let identity: HTTPRequest.Identity
    private let mask: SecretMask
    /// The mask of the credentials of object stores.
    private let storeMask: SecretMask
    let origin: String
    let inbox: Inbox
    var waiters: [Waiter]
    /// The current address; redirects change it.
    private(set) var address: HTTPAddress
    private(set) var hasLeftHost = false
    private(set) var redirects: [HTTPHeaders] = []
    /// The number of requests of each address.
    private var visits: [String: Int] = [:]
    /// The region in which its object store is expected; nil for another server.
    var region: String?
    /// The caching proxy that the current request is sent to; nil for none.
    var proxy: CacheProxy?
    /// The proxy of the environment that the current request goes through; nil for none.
    var systemProxy: String?
    /// The status with which that proxy answered a request for a tunnel; 0 for none.
    var proxyStatus = 0
    /// True if the request was repeated without its caching proxy.
    var isDirect = false
    /// True if the request was repeated for the region that its object store named.
    var hasChangedRegion = false
    private(set) var requestedAt = UnixSeconds(0)
    var handle: EasyHandle?

    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    /// The body of a vector tile before decompression, if it was gzip; nil otherwise.
    private(set) var packedBody: [UInt8]?
    /// The start of an error's body, unchanged.
    private var complaint: [UInt8] = []
    /// The reason why Rhumb itself aborted it.
    private(set) var ownFault: TransportFault?
    private var status = 0
    /// True if the empty line after the header fields was received. Without it the response is incomplete
    /// (RFC 9112, 8), but curl reports success if the connection ends within the fields.
    private(set) var hasAllHeaders = false
    /// The number of received bytes of the body, before decompression.
    private(set) var received = 0
    /// True if the server sent something since this was last false.
    var hasNewBytes = false
    /// The number of bytes of the body passed on as they arrived.
    private(set) var delivered = 0

    /// - Parameters:
    ///   - identity: The identity of the waiter's request.
    ///   - mask: The mask of the request's secrets, including those of object stores.
    ///   - storeMask: The mask of the credentials of object stores.
    init(
        _ waiter: Waiter, _ identity: HTTPRequest.Identity, _ mask: SecretMask, _ storeMask: SecretMask,
        inbox: Inbox
    ) {
        number = waiter.number
        self.identity = identity
        request = waiter.request
        self.mask = mask
        self.storeMask = storeMask
        address = request.address
        origin = request.address.origin
        self.inbox = inbox
        waiters = [waiter]
    }

    /// True if it may use the network now.
    var mayOpenSocket: Bool { request.passesThrough || !inbox.isOffline }

    /// The start of an error's body, decompressed, without the request's secrets. These are removed before
    /// any text is cut, because a part of a key would not be recognised.
    var maskedComplaint: [UInt8] {
        let plain = try? ContentCoding.decoded(complaint, coding: headers["Content-Encoding"])
        return mask.removed(plain ?? [], isCut: complaint.count >= Transfer.complaintLimit)
    }
    /// The fields of the response without the request's secrets.
    var maskedHeaders: HTTPHeaders { mask.hidden(headers) }
    /// True if all its waiters are downloads, which share a rate.
    var isDownload: Bool { waiters.allSatisfy { $0.request.priority == .download } }
    /// Returns true if a number of bytes may be received now; otherwise the transfer pauses. nil for no
    /// limit.
    var mayReceive: ((Int) -> Bool)?

    /// Resets the transfer for its next request.
    func begin(at now: UnixSeconds) {
        requestedAt = now
        visits[address.url, default: 0] += 1
        headers = HTTPHeaders()
        body = []
        packedBody = nil
        complaint = []
        ownFault = nil
        status = 0
        hasAllHeaders = false
        received = 0
        delivered = 0
    }

    /// The maximum number of redirects, and of requests of one address.
    private static let redirectLimit = 5

    /// Follows a redirect.
    /// - Returns: The fault that forbids it, or nil.
    func follow(_ location: String) -> TransportFault? {
        guard redirects.count < Transfer.redirectLimit else { return .redirects }
        do throws(TransportFault) {
            address = try address.redirected(to: location)
        } catch {
            return error
        }
        guard visits[address.url, default: 0] < Transfer.redirectLimit else { return .redirects }
        hasLeftHost = hasLeftHost || address.origin != origin
        redirects.append(maskedHeaders)
        return nil
    }

    /// Returns the header lines to send, with secret ones only for the host that they belong to.
    func headerLines(adding more: [HTTPHeaders.Line]) -> [String] {
        var fields = request.fields
        if hasLeftHost {
            (["Authorization", "Cookie"] + request.secretHeaders).forEach { fields.removeAll($0) }
        } else {
            fields = mask.shown(fields)
        }
        return (fields.lines + more).map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    }

    func receive(header line: UnsafeRawBufferPointer) {
        hasNewBytes = true
        if line.starts(with: "HTTP/".utf8) {
            headers = HTTPHeaders()
            hasAllHeaders = false
            let code = line.split(separator: 0x20).dropFirst().first?.prefix(3)
            status = code.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            return
        }
        if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { hasAllHeaders = true }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x0D && $0 != 0x0A }
        headers.append(
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// The maximum number of stored bytes of an error's body.
    private static let complaintLimit = 4096

    /// Stores a piece of the body: only the beginning of an error's body, and nothing of other failed
    /// responses.
    /// - Returns: True if more may be received.
    func receive(body piece: UnsafeRawBufferPointer) -> Bool {
        hasNewBytes = true
        received += piece.count
        if request.range != nil && !request.acceptsWholeFile && (status == 200 || status == 203) {
            let isPage =
                ContentKind(of: Array(piece.prefix(64))) == .html
                || headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            ownFault = isPage ? .webPage : .rangeIgnored
            return false
        }
        guard received <= byteLimit else {
            ownFault = .tooLarge
            return false
        }
        guard (200...299).contains(status) else {
            if status >= 400 { complaint += piece.prefix(Transfer.complaintLimit - complaint.count) }
            return true
        }
        if let fault = rangeFault {
            ownFault = fault
            return false
        }
        if request.receiver != nil { return deliver(piece) }
        if body.isEmpty {
            let announced = headers.first("Content-Length").flatMap { Int($0) } ?? 0
            body.reserveCapacity(min(max(announced, 0), byteLimit))
        }
        body.append(contentsOf: piece)
        return true
    }

    /// The fault of a response whose bytes are not those of the requested range; nil for others.
    private var rangeFault: TransportFault? {
        guard let range = request.range, status == 206 || request.receiver != nil else { return nil }
        if !ContentCoding.list(headers["Content-Encoding"]).isEmpty { return .codedRange }
        guard status == 206 else { return nil }
        return range.isAnswered(byContentRange: headers["Content-Range"]) ? nil : .wrongRange
    }

    /// Passes on a piece of the requested range.
    private func deliver(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard status == 206 || status == 200 && request.acceptsWholeFile else {
            ownFault = .badAnswer
            return false
        }
        delivered += piece.count
        let part = HTTPResponse(
            status: status, headers: maskedHeaders, body: Array(piece), requestedAt: requestedAt,
            receivedAt: requestedAt,
            wireBytes: piece.count, redirects: redirects)
        for waiter in waiters { waiter.request.receiver?.parts.yield(part) }
        return true
    }

    /// Decompresses the whole body.
    func decodeBody() throws(TransportFault) {
        guard !body.isEmpty else { return }
        let codings = ContentCoding.list(headers["Content-Encoding"])
        let isKept = request.expected == .vectorTile && (codings == ["gzip"] || codings == ["x-gzip"])
        packedBody = isKept ? body : nil
        body = try ContentCoding.decoded(body, coding: headers["Content-Encoding"])
        // Binary data has no secrets. The request's own ones are masked by those who store the document.
        if request.expected == .document, request.range == nil { body = storeMask.removed(body) }
    }

    /// The maximum size of the body; a requested range may have its full length.
    private var byteLimit: Int {
        max(request.expected.byteLimit, request.range.map { Int(clamping: $0.count) } ?? 0)
    }

    func refuseSocket() { ownFault = .noNetwork }
}
