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
        if complaint.isEmpty { return [] }
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

    /// Sets all options of this request on a handle.
    /// - Parameter stored: The request to the object store; nil for an address of another server.
    func configure(_ handle: EasyHandle, options: ClientOptions, stored: S3Client.WireRequest?) {
        self.handle = handle
        let context = Unmanaged.passUnretained(self).toOpaque()
        let url = stored?.url ?? proxy?.url(for: address) ?? address.url
        region = stored?.region
        systemProxy = SystemProxy.name(for: url)
        handle.set(CURLOPT_URL, url)
        // Names in object stores may contain "..", which the signature covers.
        handle.set(CURLOPT_PATH_AS_IS, stored == nil ? 0 : 1)
        setLimits(of: handle, options)
        let connectTimeout = proxy == nil ? options.connectTimeout : min(.seconds(2), options.connectTimeout)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.milliseconds)
        handle.set(CURLOPT_MAXFILESIZE, byteCeiling)
        // HTTP/2: waits for a connection that can be shared instead of opening another.
        handle.set(CURLOPT_PIPEWAIT, url.hasPrefix("https:") ? 1 : 0)
        handle.setHeaders(headerLines(adding: stored?.headers ?? []))
        handle.set(CURLOPT_HEADERDATA, context)
        handle.set(CURLOPT_WRITEDATA, context)
        handle.set(CURLOPT_OPENSOCKETDATA, context)
        handle.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            Transfer.from(context).receive(header: piece)
            return piece.count
        }
        handle.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count),
                transfer = Transfer.from(context)
            guard transfer.mayReceive?(piece.count) ?? true else { return Int(CURL_WRITEFUNC_PAUSE) }
            return transfer.receive(body: piece) ? piece.count : 0
        }
        handle.setOpenSocket { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            let transfer = Transfer.from(context)
            guard transfer.mayOpenSocket else {
                transfer.refuseSocket()
                return CURL_SOCKET_BAD
            }
            let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
            return socket(address.pointee.family, kind, address.pointee.protocol)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sets the limits of a handle. A download within a rate takes as long as the rate demands. Its pieces
    /// are small, so that it pauses often and briefly.
    private func setLimits(of handle: EasyHandle, _ options: ClientOptions) {
        let rate = mayReceive == nil ? nil : options.downloadRate,
            idle = max(1, options.idleTimeout.milliseconds / 1000)
        handle.set(
            CURLOPT_TIMEOUT_MS, rate == nil || request.timeout != nil ? timeout(options).milliseconds : 0)
        handle.set(CURLOPT_BUFFERSIZE, rate.map { min(max($0 / 10, 1 << 10), 1 << 16) } ?? 1 << 16)
        handle.set(CURLOPT_LOW_SPEED_TIME, rate == nil ? idle : idle * 4)
    }

    private func timeout(_ options: ClientOptions) -> Duration {
        let isTile = request.expected == .imageTile || request.expected == .vectorTile
        return request.timeout ?? (isTile ? options.timeout : options.timeout * 2)
    }

    private var byteCeiling: Int {
        request.range == nil ? request.expected.byteLimit : 0
    }
}

/// The proxy that curl takes from the environment. curl doesn't tell which one it used.
enum SystemProxy {
    /// Returns the proxy for a request, without its user and password; nil for none.
    static func name(for url: String, environment: (String) -> String? = variable) -> String? {
        // Most environments have no proxy, and the address of each request would be parsed for nothing.
        guard variables.contains(where: { environment($0) != nil }) else { return nil }
        let reference = URLReference(url)
        guard let scheme = reference.scheme, let host = reference.host, !isExempt(host, environment) else {
            return nil
        }
        // The environment of CGI programs has a variable HTTP_PROXY that a request can set.
        let names = ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["\(scheme)_proxy".uppercased()])
        let found = (names + ["all_proxy", "ALL_PROXY"]).firstNonNil(environment)
        return found.map { HTTPAddress($0.contains("://") ? $0 : "http://" + $0).description }
    }

    /// The variables that can name the proxy of a web address.
    private static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    private static func isExempt(_ host: String, _ environment: (String) -> String?) -> Bool {
        let list = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        return list.split { $0 == "," || $0 == " " }.contains { item in
            let name = item.lowercased().drop { $0 == "." }
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension TransportFault {
    /// Creates the fault for an error code of curl.
    /// - Parameter handle: The handle with the system's error of the connection and the proxy's response.
    init(_ code: CURLcode, _ handle: EasyHandle) {
        switch code {
        case _ where handle.proxyStatus >= 300: self = .proxy
        case CURLE_COULDNT_CONNECT: self = TransportFault(systemError: handle.systemError)
        case CURLE_COULDNT_RESOLVE_HOST: self = .nameNotFound
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: self = .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionLost
        case CURLE_SSL_CONNECT_ERROR: self = .tlsFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            self = .certificate
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
        case CURLE_URL_MALFORMAT: self = .badAddress
        default: self = .badAnswer
        }
    }

    private init(systemError: Int32) {
        switch systemError {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .noNetwork
        case ETIMEDOUT: self = .timedOut
        default: self = .connectionRefused
        }
    }
}
