internal import RhumbCore

/// The credentials, the region and the endpoint for addresses of S3-compatible object stores:
/// `s3://bucket/key`, and `gs://bucket/key` for Google Cloud Storage.
public struct S3Configuration: Sendable, Equatable {
    /// A pair of keys, with a token if they are temporary.
    public struct Credentials: Sendable, Equatable {
        let accessKey: String
        let secretKey: String
        let sessionToken: String?
        var parts: [String] { [accessKey, secretKey, sessionToken ?? ""] }

        /// Creates credentials.
        /// - Parameter sessionToken: The token of temporary keys.
        public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
            self.accessKey = accessKey
            self.secretKey = secretKey
            self.sessionToken = sessionToken
        }
    }

    /// The credentials for `s3://` addresses; nil for anonymous requests, which are not signed.
    public var credentials: Credentials?
    /// The HMAC keys for `gs://` addresses; nil for anonymous requests.
    var googleCredentials: Credentials?
    /// The region of the buckets; nil if unknown. A bucket in another region is found by its first response.
    public var region: String?
    /// The address of the object store; nil for Amazon's. Buckets are the first part of the path, or replace
    /// `{bucket}` in the address.
    public var endpoint: String?

    /// Creates a configuration for anonymous requests to Amazon's store.
    public init() {}

    /// Reads the environment and the shared files as Amazon's own tools do: `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_PROFILE`, `AWS_ENDPOINT_URL_S3`,
    /// `AWS_ENDPOINT_URL`, `~/.aws/credentials` and `~/.aws/config`; and the HMAC keys of Google Cloud
    /// Storage as GDAL does: `GS_ACCESS_KEY_ID` and `GS_SECRET_ACCESS_KEY`.
    /// - Parameters:
    ///   - endpoint: The address of the store, which precedes all others; nil if not given.
    ///   - read: Returns the contents of a file; nil if it can't be read.
    public init(environment: [String: String], endpoint: String? = nil, read: (_ path: String) -> [UInt8]?) {
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let home = (environment["HOME"] ?? "") + "/.aws/", profile = variable("AWS_PROFILE") ?? "default"
        func section(_ path: String, _ names: [String]) -> [String: String] {
            let sections =
                read(path).map { S3Configuration.sections(String(decoding: $0, as: UTF8.self)) } ?? [:]
            return names.firstNonNil { sections[$0] } ?? [:]
        }
        let shared = section(variable("AWS_SHARED_CREDENTIALS_FILE") ?? home + "credentials", [profile])
        let config = section(
            variable("AWS_CONFIG_FILE") ?? home + "config",
            profile == "default" ? ["default", "profile default"] : ["profile \(profile)"])
        credentials =
            Credentials(environment, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
            ?? [shared, config].firstNonNil {
                Credentials($0, "aws_access_key_id", "aws_secret_access_key", "aws_session_token")
            }
        googleCredentials = Credentials(environment, "GS_ACCESS_KEY_ID", "GS_SECRET_ACCESS_KEY")
        region = variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? config["region"]
        self.endpoint =
            endpoint ?? variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? config["endpoint_url"]
    }

    /// The texts that must never be shown.
    public var secrets: [String] {
        [credentials, googleCredentials].compactMap(\.self).flatMap {
            [$0.accessKey, $0.secretKey] + [$0.sessionToken].compactMap(\.self)
        }
    }

    /// Returns the credentials for an address: each store gets only its own.
    func credentials(for url: String) -> Credentials? {
        url.hasPrefix("gs://") ? googleCredentials : credentials
    }

    /// Returns the values of each section of an INI file by name. Nested values are left out.
    private static func sections(_ text: String) -> [String: [String: String]] {
        var sections: [String: [String: String]] = [:], name = ""
        for line in text.split(whereSeparator: \.isNewline) {
            guard let first = line.first, first != "#", first != ";", !first.isWhitespace else { continue }
            if first == "[" {
                name = line.dropFirst().prefix { $0 != "]" }.trimmed
            } else if let equals = line.firstIndex(of: "=") {
                let value = line[line.index(after: equals)...].trimmed
                if !value.isEmpty {
                    sections[name, default: [:]][line[..<equals].trimmed.lowercased()] = value
                }
            }
        }
        return sections
    }
}

extension S3Configuration.Credentials {
    /// Reads credentials; nil if one of the keys is missing.
    fileprivate init?(
        _ values: [String: String], _ accessKey: String, _ secretKey: String, _ token: String = ""
    ) {
        guard let access = values[accessKey], let secret = values[secretKey], !access.isEmpty, !secret.isEmpty
        else { return nil }
        let token = values[token] ?? ""
        self.init(accessKey: access, secretKey: secret, sessionToken: token.isEmpty ? nil : token)
    }
}
