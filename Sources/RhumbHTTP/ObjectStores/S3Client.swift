package import RhumbCore

/// Translates addresses of object stores into requests to their servers. It belongs to the transfer thread.
struct S3Client {
    /// A request to a server.
    struct WireRequest: Equatable {
        var url: String
        /// The region in which its server is expected.
        var region: String
        var headers: [HTTPHeaders.Line] = []
    }

    private let configuration: S3Configuration
    /// The regions of buckets that differ from the configured one, by the address of the bucket.
    private var regions: [String: String] = [:]
    private static let usualRegion = "us-east-1"

    init(_ configuration: S3Configuration) { self.configuration = configuration }

    /// Returns true for an address of an object store.
    static func isAddress(_ url: String) -> Bool {
        prefixes.contains(where: url.hasPrefix)
    }

    private static let prefixes = URLReference.storeSchemes.map { $0 + "://" }

    /// Returns the request for an address, signed if there are credentials; nil if it isn't an address of an
    /// object store.
    func request(for address: HTTPAddress, at date: UnixSeconds) -> WireRequest? {
        guard S3Client.isAddress(address.url) else { return nil }
        let reference = URLReference(address.url), bucket = address.host
        let isGoogle = reference.scheme == "gs"
        let region =
            regions[address.origin]
            ?? (isGoogle ? "auto" : configuration.region ?? S3Client.usualRegion)
        let endpoint = isGoogle ? "https://storage.googleapis.com" : endpoint(of: bucket, in: region)
        let isInHost = endpoint.contains("{bucket}")
        let server = URLReference(endpoint.replacing("{bucket}", with: bucket))
        var wire = server
        wire.path = S3Encoding.path(
            server.path.withoutFinalSlash + (isInHost ? "" : "/" + bucket) + reference.path)
        let query = S3Encoding.query(reference.query)
        wire.query = query.isEmpty ? nil : query
        guard let credentials = configuration.credentials(for: address.url) else {
            return WireRequest(url: wire.description, region: region)
        }
        let origin = wire.origin, host = String(origin.drop { $0 != "/" }.dropFirst(2))
        let signature = S3Signature(credentials: credentials, region: region, date: date)
        let headers = signature.headers(host: host, path: wire.path, query: query)
        return WireRequest(url: wire.description, region: region, headers: headers ?? [])
    }

    /// Amazon's certificates don't cover names with dots below its host.
    private func endpoint(of bucket: String, in region: String) -> String {
        if let endpoint = configuration.endpoint { return endpoint }
        let host = "s3.\(region).amazonaws.com"
        return bucket.contains(".") ? "https://\(host)" : "https://{bucket}.\(host)"
    }

    /// Notes the region that a response names for a bucket.
    /// - Parameter expected: The region of the request; nil for another server.
    /// - Returns: True if it is another one, so that the request must be repeated.
    mutating func notesRegion(
        of address: HTTPAddress, expected: String?, _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]
    ) -> Bool {
        guard let expected, [301, 307, 400, 403].contains(status) else { return false }
        let text = String(decoding: body, as: UTF8.self)
        guard let region = headers.first("x-amz-bucket-region") ?? S3Problem.element("Region", of: text),
            region.utf8.count < 64, region.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
            region != expected
        else { return false }
        regions[address.origin] = region
        return true
    }

    /// Returns the reason why an object store rejects a request; nil for other servers.
    func problem(of address: HTTPAddress, _ body: [UInt8], now: UnixSeconds) -> String? {
        guard S3Client.isAddress(address.url) else { return nil }
        let isSigned = configuration.credentials(for: address.url) != nil
        return S3Problem.sentence(
            body, now: now, isSigned: isSigned, isGoogle: address.url.hasPrefix("gs://"))
    }
}

/// The reason why an object store rejects a request.
package enum S3Problem {
    /// Returns a sentence about the body of an error; nil if it is not one of an object store.
    /// - Parameter body: The body, without secrets.
    package static func sentence(
        _ body: [UInt8], now: UnixSeconds, isSigned: Bool, isGoogle: Bool = false
    ) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        guard let code = element("Code", of: text) else { return nil }
        let name = SafeText.sanitised(code, limit: 40)
        switch code {
        case "AccessDenied":
            let store = isGoogle ? "GS" : "AWS"
            return isSigned
                ? "access denied; check the object's name and the permissions of the credentials"
                : "access denied; check the object's name, or set \(store)_ACCESS_KEY_ID and \(store)_SECRET_ACCESS_KEY"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken":
            return "the credentials are rejected (\(name)); check the access key and the secret key"
        case "ExpiredToken", "TokenRefreshRequired": return "the session token has expired; get a new one"
        case "RequestTimeTooSkewed":
            let server =
                element("ServerTime", of: text).map { " (server: \(SafeText.sanitised($0, limit: 30)))" }
                ?? ""
            return "the clock of this computer is wrong: it shows \(now.iso8601)\(server); correct it"
        case "NoSuchBucket": return "there is no such bucket; check its name and the endpoint"
        default: return "rejected by the object store (\(name))"
        }
    }

    /// Returns a sentence about a bucket in another region, which the response names; nil for others.
    /// - Parameter body: The body, without secrets.
    package static func redirect(_ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        let isRedirect = ["PermanentRedirect", "TemporaryRedirect"].contains(element("Code", of: text))
        let stated = headers.first("x-amz-bucket-region")
        guard isRedirect || status == 301 && stated != nil else { return nil }
        let region = (stated ?? element("Region", of: text)).map { SafeText.sanitised($0, limit: 40) }
        let endpoint =
            element("Endpoint", of: text).map { SafeText.sanitised($0, limit: 120) }
            ?? region.map { "s3.\($0).amazonaws.com" }
        guard let endpoint else { return "the bucket is in another region; use the endpoint of its region" }
        return
            "the bucket is \(region.map { "in the region \($0)" } ?? "elsewhere"); use the endpoint \(endpoint)"
    }

    /// Returns the text of the first element of a name.
    static func element(_ name: String, of text: String) -> String? {
        guard let start = text.firstRange(of: "<\(name)>")?.upperBound,
            let end = text[start...].firstRange(of: "</\(name)>")?.lowerBound
        else { return nil }
        return String(text[start..<end])
    }
}
