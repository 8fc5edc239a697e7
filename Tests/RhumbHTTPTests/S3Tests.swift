import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbHTTP

struct S3Tests {
    private static let credentials = S3Configuration.Credentials(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    /// 2013-05-24, midnight.
    private static let date = UnixSeconds(1_369_353_600)

    // MARK: Signatures

    /// The examples of Amazon's specification.
    @Test(arguments: [
        (
            "/test.txt", "", ["range": "bytes=0-9"],
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        ("/", "lifecycle", [:], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        (
            "/", "prefix=J&max-keys=2", [:],
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ])
    func `requests are signed as in Amazon's examples`(
        path: String, query: String, fields: [String: String], signature: String
    ) throws {
        let signer = S3Signature(credentials: Self.credentials, region: "us-east-1", date: Self.date)
        let lines = try #require(
            signer.headers(
                host: "examplebucket.s3.amazonaws.com", path: S3Encoding.path(path),
                query: S3Encoding.query(query), fields: fields))
        let authorization = lines.first { $0.name == "Authorization" }?.value
        #expect(authorization?.hasSuffix("Signature=\(signature)") == true)
        #expect(lines.first { $0.name == "x-amz-date" }?.value == "20130524T000000Z")
    }

    @Test func `names with dot segments reach the store unchanged`() async throws {
        let server = try LoopbackServer {
            .part(of: Array("hello".utf8), $0, etag: "\"1\"", control: "max-age=60")
        }
        var request = HTTPRequest(HTTPAddress("s3://maps/a//b/../c"), expecting: .document)
        request.range = ByteRange(offset: 0, count: 3)
        _ = try await client(server).load(request, retrying: .once)
        #expect(server.record.requests.map(\.target) == ["/maps/a//b/../c"])
    }

    @Test(arguments: [
        ("/theme=base/a b+c:(1).pmtiles", "/theme%3Dbase/a%20b%2Bc%3A%281%29.pmtiles"),
        ("/theme%3dbase/%C3%A5.pmtiles", "/theme%3Dbase/%C3%A5.pmtiles"),
        ("/a//b/../c~_-.d", "/a//b/../c~_-.d"),
    ])
    func `names are encoded once, with digits in upper case`(path: String, encoded: String) {
        #expect(S3Encoding.path(path) == encoded)
    }

    @Test func `a query is sorted, and every item has a value`() {
        #expect(S3Encoding.query("versionId=a%2fb&acl&Z=1&a=") == "Z=1&a=&acl=&versionId=a%2Fb")
        #expect(S3Encoding.query(nil) == "")
    }

    @Test func `a session token is sent and signed`() throws {
        let temporary = S3Configuration.Credentials(accessKey: "A", secretKey: "B", sessionToken: "TOKEN")
        let lines = try #require(
            S3Signature(credentials: temporary, region: "r", date: Self.date)
                .headers(host: "h", path: "/", query: ""))
        #expect(lines.contains(HTTPHeaders.Line(name: "x-amz-security-token", value: "TOKEN")))
        #expect(
            lines.contains {
                $0.value.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,")
            })
    }

    // MARK: Addresses

    @Test(
        arguments: [
            ("s3://maps/a/b.pmtiles", nil, nil, "https://maps.s3.us-east-1.amazonaws.com/a/b.pmtiles"),
            ("s3://maps/b.pmtiles", nil, "eu-north-1", "https://maps.s3.eu-north-1.amazonaws.com/b.pmtiles"),
            ("s3://my.maps/b.pmtiles", nil, nil, "https://s3.us-east-1.amazonaws.com/my.maps/b.pmtiles"),
            ("s3://maps/b c", "http://nas:9000/", nil, "http://nas:9000/maps/b%20c"),
            ("s3://maps/b", "https://{bucket}.store.example/x", nil, "https://maps.store.example/x/b"),
            ("s3://maps/b?versionId=7", "http://nas:9000", nil, "http://nas:9000/maps/b?versionId=7"),
            ("gs://maps/b", "http://nas:9000", nil, "https://storage.googleapis.com/maps/b"),
        ] as [(String, String?, String?, String)])
    func `an address of an object store leads to its server`(
        address: String, endpoint: String?, region: String?, url: String
    ) {
        var configuration = S3Configuration()
        configuration.endpoint = endpoint
        configuration.region = region
        let request = S3Client(configuration).request(for: HTTPAddress(address), at: Self.date)
        #expect(request?.url == url && request?.headers.isEmpty == true)
    }

    @Test func `other addresses are unchanged`() {
        let client = S3Client(S3Configuration())
        #expect(client.request(for: HTTPAddress("https://maps.example/a"), at: Self.date) == nil)
    }

    @Test func `a presigned address is stored without its signature and times`() {
        let address = HTTPAddress(
            "https://maps.example/b.pmtiles?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AK%2F1"
                + "&X-Amz-Date=20261126T000000Z&X-Amz-Expires=60&X-Amz-Signature=abcdef0123&versionId=7")
        #expect(address.canonical == "https://maps.example/b.pmtiles?versionId=7")
        #expect(!address.description.contains("abcdef0123") && !address.description.contains("AK%2F1"))
    }

    @Test func `each store gets only its own credentials`() {
        let amazon = [
            "AWS_ACCESS_KEY_ID": "AKIDAMAZON", "AWS_SECRET_ACCESS_KEY": "S", "AWS_REGION": "eu-west-1",
        ]
        let google = ["GS_ACCESS_KEY_ID": "GOOGKEY", "GS_SECRET_ACCESS_KEY": "G"]
        func sent(_ address: String, _ environment: [String: String]) -> String {
            let request = S3Client(configuration(environment)).request(
                for: HTTPAddress(address), at: Self.date)
            return "\(request?.headers ?? [])"
        }
        #expect(sent("gs://maps/b", amazon) == "[]")
        #expect(sent("s3://maps/b", google) == "[]")
        let both = amazon.merging(google) { $1 }
        #expect(sent("gs://maps/b", both).contains("GOOGKEY/20130524/auto/"))
        #expect(!sent("gs://maps/b", both).contains("AKIDAMAZON"))
        #expect(sent("s3://maps/b", both).contains("AKIDAMAZON/20130524/eu-west-1/"))
        #expect(!sent("s3://maps/b", both).contains("GOOGKEY"))
    }

    @Test func `an expired token of a store is named`() async throws {
        let error = "<Error><Code>ExpiredToken</Code><Message>expired</Message></Error>"
        let fixture = try HTTPFixture { _ in LoopbackReply(400, Array(error.utf8)) }
        let client = try HTTPClient.forTests { options in
            options.objectStores.endpoint = fixture.server.url("")
            options.objectStores.credentials = Self.credentials
        }
        await #expect {
            try await client.send(HTTPRequest(HTTPAddress("s3://maps/b"), expecting: .document))
        } throws: {
            "\($0)".contains("HTTP 400, the session token has expired; get a new one")
        }
    }

    /// The store echoes the key in its header fields, in a document, and in an error that is cut within it.
    @Test(arguments: [200, 403])
    func `keys that a store echoes are neither stored nor shown`(status: Int) async throws {
        let key = "AKIAIOSFODNN7EXAMPLE", padding = String(repeating: "x", count: 4096 - 12)
        let text = status == 200 ? #"{"k":"\#(key)"}"# : "<Code>No\(key)</Code>" + padding + key
        let fixture = try HTTPFixture { _ in
            LoopbackReply(
                status, Array(text.utf8),
                headers: ["ETag": "\"\(key)\"", "Cache-Control": "max-age=9, x=\(key)"])
        }
        let client = try HTTPClient.forTests { options in
            options.objectStores.endpoint = fixture.server.url("")
            options.objectStores.credentials = Self.credentials
        }
        var seen = ""
        do throws(HTTPFailure) {
            let response = try await client.send(
                HTTPRequest(HTTPAddress("s3://maps/b"), expecting: .document))
            seen = "\(response.headers) " + String(decoding: response.body, as: UTF8.self)
        } catch {
            seen = "\(error.message) \(error.headers) " + String(decoding: error.body, as: UTF8.self)
        }
        #expect(!seen.isEmpty && !seen.contains("AKIAIO"))
    }

    // MARK: Configuration

    private func configuration(
        _ environment: [String: String], _ files: [String: String] = [:], endpoint: String? = nil
    ) -> S3Configuration {
        S3Configuration(environment: environment.merging(["HOME": "/home/u"]) { $1 }, endpoint: endpoint) {
            files[$0].map { Array($0.utf8) }
        }
    }

    private static let files = [
        "/home/u/.aws/credentials": """
        # Mine
        [default]
        aws_access_key_id = DA
        aws_secret_access_key=DS

        [field]
        aws_access_key_id = FA
        aws_secret_access_key = FS
        aws_session_token = FT
        """,
        "/home/u/.aws/config": """
        [default]
        region = eu-west-1
        s3 =
          endpoint_url = http://nested
        [profile field]
        region = eu-north-1
        endpoint_url = http://nas:9000
        """,
    ]

    @Test func `without credentials, requests are not signed`() {
        #expect(configuration([:]) == S3Configuration())
        #expect(configuration(["AWS_ACCESS_KEY_ID": "A"]).credentials == nil)
    }

    @Test func `the environment precedes the shared files`() {
        let environment = [
            "AWS_ACCESS_KEY_ID": "EA", "AWS_SECRET_ACCESS_KEY": "ES", "AWS_REGION": "ap-south-1",
        ]
        let found = configuration(environment, Self.files)
        #expect(found.credentials == S3Configuration.Credentials(accessKey: "EA", secretKey: "ES"))
        #expect(found.region == "ap-south-1" && found.endpoint == nil)
    }

    @Test func `a profile names credentials, region and endpoint`() {
        let found = configuration(["AWS_PROFILE": "field"], Self.files)
        let expected = S3Configuration.Credentials(accessKey: "FA", secretKey: "FS", sessionToken: "FT")
        #expect(found.credentials == expected)
        #expect(found.region == "eu-north-1" && found.endpoint == "http://nas:9000")
        let usual = configuration([:], Self.files)
        #expect(usual.credentials?.accessKey == "DA" && usual.region == "eu-west-1" && usual.endpoint == nil)
    }

    @Test func `an option precedes the variables of the endpoint`() {
        let environment = ["AWS_ENDPOINT_URL": "http://a", "AWS_ENDPOINT_URL_S3": "http://b"]
        #expect(configuration(environment).endpoint == "http://b")
        #expect(configuration(environment, endpoint: "http://c").endpoint == "http://c")
    }

    // MARK: Requests

    private func client(_ server: LoopbackServer, isSigned: Bool = true) -> HTTPClient {
        var options = ClientOptions(userAgent: .rhumb(version: "test"))
        options.objectStores.endpoint = server.url("")
        options.objectStores.credentials = isSigned ? Self.credentials : nil
        return HTTPClient(options)
    }

    private func load(_ client: HTTPClient) async throws(HTTPFailure) -> HTTPResponse {
        var request = HTTPRequest(HTTPAddress("s3://maps/a.bin"), expecting: .document)
        request.range = ByteRange(offset: 0, count: 3)
        return try await client.load(request, retrying: .once)
    }

    @Test func `a part of an object is requested with a signature`() async throws {
        let server = try LoopbackServer {
            .part(of: Array("hello".utf8), $0, etag: "\"1\"", control: "max-age=60")
        }
        let response = try await load(client(server))
        #expect(response.body == Array("hel".utf8))
        let request = try #require(server.record.requests.first)
        #expect(request.target == "/maps/a.bin")
        #expect(request.header("Authorization")?.contains("/us-east-1/s3/aws4_request") == true)
        #expect(request.header("x-amz-content-sha256") == S3Signature.emptyHash)
    }

    @Test func `an anonymous request has no signature`() async throws {
        let server = try LoopbackServer {
            .part(of: Array("hello".utf8), $0, etag: "\"1\"", control: "max-age=60")
        }
        _ = try await load(client(server, isSigned: false))
        #expect(server.record.requests.first?.header("Authorization") == nil)
    }

    @Test func `a bucket of another region is asked again, once, with a signature for it`() async throws {
        let server = try LoopbackServer { request in
            if request.header("Authorization")?.contains("/eu-north-1/") == true {
                return .part(of: Array("hello".utf8), request, etag: "\"1\"", control: "max-age=60")
            }
            return LoopbackReply(301, headers: ["x-amz-bucket-region": "eu-north-1"])
        }
        let client = client(server)
        _ = try await load(client)
        _ = try await load(client)
        #expect(server.requestCount == 3)
    }

    @Test func `requests at the same time all find the region of their bucket`() async throws {
        let gate = LoopbackGate(),
            server = try LoopbackServer { request in
                if request.header("Authorization")?.contains("/eu-north-1/") == true {
                    return .part(of: Array("hello".utf8), request, etag: "\"1\"", control: "max-age=60")
                }
                return LoopbackReply(400, headers: ["x-amz-bucket-region": "eu-north-1"]).with {
                    $0.gate = gate
                }
            }
        let client = client(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var request = HTTPRequest(HTTPAddress("s3://maps/\(number)"), expecting: .document)
                    request.range = ByteRange(offset: 0, count: 3)
                    _ = try await client.load(request, retrying: .once)
                }
            }
            #expect(await eventually { server.requestCount == 4 })
            gate.open()
            try await group.waitForAll()
        }
        #expect(server.requestCount == 8)
    }

    @Test(arguments: [301, 302, 307])
    func `a redirect to another server is not followed, so that it gets no keys`(status: Int) async throws {
        let other = try LoopbackServer { _ in LoopbackReply(200) }
        let server = try LoopbackServer { _ in
            LoopbackReply(status, headers: ["Location": other.url("/elsewhere")])
        }
        await #expect(throws: HTTPFailure.self) { try await load(client(server)) }
        #expect(other.requestCount == 0 && server.requestCount == 1)
    }

    @Test func `a server that names a new region each time is asked twice`() async throws {
        let server = try LoopbackServer { request in
            LoopbackReply(400, headers: ["x-amz-bucket-region": "region-\(request.time)"])
        }
        await #expect(throws: HTTPFailure.self) { try await load(client(server)) }
        #expect(server.requestCount == 2)
    }

    @Test(arguments: [
        ("AccessDenied", "access denied; check the object's name"),
        ("SignatureDoesNotMatch", "check the access key and the secret key"),
        ("ExpiredToken", "the session token has expired"),
        ("RequestTimeTooSkewed", "the clock of this computer is wrong"),
        ("Strange\u{1B}", "rejected by the object store (Strange"),
    ])
    func `a rejection names the reason, without the keys`(code: String, words: String) async throws {
        let body = "<Error><Code>\(code)</Code><AWSAccessKeyId>AKIAIOSFODNN7EXAMPLE</AWSAccessKeyId></Error>"
        let server = try LoopbackServer { _ in LoopbackReply(403, Array(body.utf8)) }
        do throws(HTTPFailure) {
            _ = try await load(client(server))
            Issue.record("no failure")
        } catch {
            let text = "\(error)"
            #expect(text.contains(words) && text.contains("s3://maps/a.bin"), "\(text)")
            #expect(!text.contains("AKIA") && !text.contains("\u{1B}"))
        }
    }
}
