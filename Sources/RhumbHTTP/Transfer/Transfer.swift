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
            if status >= 300 { complaint += piece.prefix(Transfer.complaintLimit - complaint.count) }
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
        // Some servers send compressed files of tiles without naming the compression.
        if request.expected == .imageTile, ContentKind(of: body) == .gzip {
            body = try ContentCoding.decoded(body, coding: "gzip")
        }
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

/// A request handle of curl, with the options that all requests share.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// Creates a handle; nil if memory is exhausted.
    init?(options: ClientOptions) {
        guard let pointer = rhumb_curl_easy_init() else { return nil }
        self.pointer = pointer
        configure(options)
    }

    /// The bytes per second below which a server counts as silent. A modem is a hundred times faster.
    private static let lowestSpeed = 16

    /// Sets the options that all requests share.
    func configure(_ options: ClientOptions) {
        set(CURLOPT_NOSIGNAL, 1)
        // A slow name lookup does not delay the end of the program.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // A proxy's own headers are not part of the response.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let file = options.authorities.file { set(CURLOPT_CAINFO, file) }
        if let folder = options.authorities.folder { set(CURLOPT_CAPATH, folder) }
        set(CURLOPT_USERAGENT, options.userAgent.description)
        set(CURLOPT_LOW_SPEED_LIMIT, EasyHandle.lowestSpeed)
    }

    deinit {
        rhumb_curl_slist_free_all(headerList)
        rhumb_curl_easy_cleanup(pointer)
    }

    func set(_ option: CURLoption, _ value: Int) { _ = rhumb_curl_set_long(pointer, option, value) }

    func set(_ option: CURLoption, _ text: String?) {
        if let text {
            _ = text.withCString { rhumb_curl_set_pointer(pointer, option, $0) }
        } else {
            _ = rhumb_curl_set_pointer(pointer, option, nil)
        }
    }

    func set(_ option: CURLoption, _ context: UnsafeMutableRawPointer?) {
        _ = rhumb_curl_set_pointer(pointer, option, context)
    }

    func set(_ option: CURLoption, _ callback: curl_write_callback?) {
        _ = rhumb_curl_set_write(pointer, option, callback)
    }

    func setOpenSocket(_ callback: curl_opensocket_callback?) {
        _ = rhumb_curl_set_opensocket(pointer, callback)
    }

    /// Sets the header fields. Lines that would break the request are left out.
    func setHeaders(_ lines: [String]) {
        let old = headerList
        headerList = nil
        for line in lines where line.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) {
            headerList = rhumb_curl_slist_append(headerList, line) ?? headerList
        }
        set(CURLOPT_HTTPHEADER, headerList.map(UnsafeMutableRawPointer.init))
        rhumb_curl_slist_free_all(old)
    }

    /// The proxy's status for a tunnel; 0 if none was requested.
    var proxyStatus: Int { rhumb_curl_get_long(pointer, CURLINFO_HTTP_CONNECTCODE) }
    var status: Int { rhumb_curl_get_long(pointer, CURLINFO_RESPONSE_CODE) }
    /// The system's error of the last failed connection attempt.
    var systemError: Int32 { Int32(clamping: rhumb_curl_get_long(pointer, CURLINFO_OS_ERRNO)) }
}
