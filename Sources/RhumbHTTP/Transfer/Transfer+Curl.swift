internal import CCurl
internal import Glibc
internal import RhumbCore

extension Transfer {
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
        let reference = URLReference(url)
        guard let scheme = reference.scheme, let host = reference.host, !isExempt(host, environment) else {
            return nil
        }
        // The environment of CGI programs has a variable HTTP_PROXY that a request can set.
        let names = ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["\(scheme)_proxy".uppercased()])
        let found = (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(environment).first
        return found.map { HTTPAddress($0.contains("://") ? $0 : "http://" + $0).description }
    }

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
