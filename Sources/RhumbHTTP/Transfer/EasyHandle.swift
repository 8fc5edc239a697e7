internal import CCurl
internal import Glibc

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

extension Duration {
    /// The duration in whole milliseconds, at least 1.
    var milliseconds: Int {
        let parts = components
        let (whole, overflow) = parts.seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? Int.max : Int(max(1, whole + parts.attoseconds / 1_000_000_000_000_000))
    }

    /// The duration in seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
