/// The validators of a stored response, sent back byte for byte.
public struct Validators: Hashable, Sendable {
    /// The ETag, with `W/` and quotes if it has them.
    public var etag: String?
    /// The value of `Last-Modified`, as it was sent.
    public var lastModified: String?

    /// Creates validators.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Reads the validators of a response.
    public init(of headers: HTTPHeaders) {
        self.init(etag: headers.first("ETag"), lastModified: headers.first("Last-Modified"))
    }

    /// True if there are no validators.
    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The response fields that contain the validators.
    public var fields: HTTPHeaders {
        var headers = HTTPHeaders()
        if let etag { headers.append("ETag", etag) }
        if let lastModified { headers.append("Last-Modified", lastModified) }
        return headers
    }

    /// The fields that make a request conditional (RFC 9110, 13.1).
    public var conditions: HTTPHeaders {
        var headers = HTTPHeaders()
        if let etag { headers.append("If-None-Match", etag) }
        if let lastModified { headers.append("If-Modified-Since", lastModified) }
        return headers
    }
}
