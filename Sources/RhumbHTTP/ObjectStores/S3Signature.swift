internal import CCrypto
internal import RhumbCore

/// The signature of a request that reads from an S3-compatible object store: AWS Signature Version 4.
package struct S3Signature {
    let credentials: S3Configuration.Credentials
    let region: String
    let date: UnixSeconds

    /// The SHA-256 of an empty body.
    static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// Returns the header fields that sign a request; nil if libcrypto can't be loaded.
    /// - Parameters:
    ///   - host: The `Host` field, with the port if it is not the default one.
    ///   - path: The path as sent, see `S3Encoding.path`.
    ///   - query: The query as sent, see `S3Encoding.query`.
    ///   - fields: Further fields to sign, with names in lower case.
    func headers(
        host: String, path: String, query: String, fields: [String: String] = [:]
    ) -> [HTTPHeaders.Line]? {
        let time = date.basicISO8601, day = String(time.prefix(8))
        var own = ["x-amz-content-sha256": S3Signature.emptyHash, "x-amz-date": time]
        own["x-amz-security-token"] = credentials.sessionToken
        let signed = own.merging(fields) { $1 }.merging(["host": host]) { $1 }.sorted { $0.key < $1.key }
        let names = signed.map(\.key).joined(separator: ";")
        let request =
            (["GET", path, query] + signed.map { "\($0.key):\($0.value)" } + [
                "", names, S3Signature.emptyHash,
            ])
            .joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        guard let hash = S3Signature.sha256(Array(request.utf8)) else { return nil }
        let text = ["AWS4-HMAC-SHA256", time, scope, S3Signature.hex(hash)].joined(separator: "\n")
        var key: [UInt8]? = Array("AWS4\(credentials.secretKey)".utf8)
        for part in [day, region, "s3", "aws4_request", text] {
            key = key.flatMap { S3Signature.hmac(part, key: $0) }
        }
        guard let key else { return nil }
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(S3Signature.hex(key))"
        return (own.sorted { $0.key < $1.key } + [(key: "Authorization", value: authorization)])
            .map { HTTPHeaders.Line(name: $0.key, value: $0.value) }
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: 32)
        return rhumb_sha256(bytes, bytes.count, &result) ? result : nil
    }

    private static func hmac(_ text: String, key: [UInt8]) -> [UInt8]? {
        let bytes = Array(text.utf8)
        var result = [UInt8](repeating: 0, count: 32)
        return rhumb_hmac_sha256(key, key.count, bytes, bytes.count, &result) ? result : nil
    }

    package static func hex(_ bytes: [UInt8]) -> String { bytes.map { $0.digits(2, radix: 16) }.joined() }
}

/// The encoding of names in requests to object stores: once, with digits in upper case.
enum S3Encoding {
    /// Returns the path of an address, whose characters may be percent-encoded.
    static func path(_ path: String) -> String {
        PercentCoding.encoded(path: PercentCoding.decoded(path))
    }

    /// Returns the query of an address, sorted by name and value.
    static func query(_ query: String?) -> String {
        (query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                PercentCoding.encoded(PercentCoding.decoded(String($0)))
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
        .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }
}

extension UnixSeconds {
    /// The time in the basic format of ISO 8601, such as "20261122T180509Z".
    fileprivate var basicISO8601: String { iso8601.filter { $0 != "-" && $0 != ":" } }
}
