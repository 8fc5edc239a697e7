import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbHTTP

/// Tests requests to object stores with a verifier and a store by other authors.
@Suite(.enabled(if: VerifyingStore.isAvailable, "awssig and moto are not installed"))
struct S3VerificationTests {
    private static let permanent = S3Configuration.Credentials(accessKey: "AKEY", secretKey: "SKEY+/=")
    private static let temporary = S3Configuration.Credentials(
        accessKey: "TKEY", secretKey: "TSECRET", sessionToken: "TOKEN/+=")
    private static let keys = [
        "a.bin", "theme=base/a b+c*:(1)'!@$;,.bin", "å/日本/🙂.bin", "a//b/../c~_-.bin", "100%25.bin",
    ]
    private let folder = TemporaryFolder()

    private func options(
        _ store: VerifyingStore, _ credentials: S3Configuration.Credentials? = permanent
    ) -> ClientOptions {
        var options = ClientOptions(userAgent: .rhumb(version: "test"))
        options.objectStores.endpoint = store.url
        options.objectStores.credentials = credentials
        return options
    }

    private func uploader(
        _ store: VerifyingStore, _ credentials: S3Configuration.Credentials = permanent
    ) throws -> S3Uploader {
        try S3Uploader(options(store, credentials), partSize: 100, waits: [])
    }

    private func load(_ address: String, _ options: ClientOptions) async throws(HTTPFailure) -> [UInt8] {
        var request = HTTPRequest(HTTPAddress(address), expecting: .document)
        request.range = ByteRange(offset: 10, count: 5)
        return try await HTTPClient(options).load(request, retrying: .once).body
    }

    @Test(arguments: [permanent, temporary])
    func `uploads in one request and in parts, and reads, are signed correctly`(
        credentials: S3Configuration.Credentials
    ) async throws {
        let store = try VerifyingStore(), uploader = try uploader(store, credentials)
        for (number, key) in Self.keys.enumerated() {
            let bytes = picture(50 + number * 70, seed: UInt8(number)), path = folder.write(bytes, to: "map")
            let address = "s3://maps/\(key)"
            #expect(try uploader.upload(path, to: address, type: "application/x-map", .absent), "\(key)")
            #expect(try !uploader.upload(path, to: address, type: "application/x-map"), "\(key)")
            let object = try #require(try uploader.object(at: address), "\(key)")
            #expect(object.body == bytes, "\(key)")
            #expect(try await load(address, options(store, credentials)) == Array(bytes[10..<15]), "\(key)")
            let etag = try #require(object.etag)
            try uploader.put([1, 2, 3], to: address, type: "a/b; c=d", .unchanged(etag: etag))
            #expect {
                try uploader.put([4], to: address, type: "a/b", .unchanged(etag: etag))
            } throws: { if case .conflict? = $0 as? S3Uploader.Failure { true } else { false } }
        }
        #expect(store.requests.contains { $0.contains("uploadId=") } && store.rejections == 0)
    }

    @Test func `a query is signed, whatever its order and escapes`() async throws {
        let store = try VerifyingStore()
        try uploader(store).put(picture(50), to: "s3://maps/a.bin", type: "x/y")
        for query in ["versionId=null&response-content-type=a%2fb", "tagging", "z=1&a=+&A=*&a=%7e&b"] {
            let request = HTTPRequest(HTTPAddress("s3://maps/a.bin?\(query)"), expecting: .document)
            _ = try await HTTPClient(options(store)).load(request, retrying: .once)
        }
        #expect(store.rejections == 0, "\(store.requests)")
    }

    @Test func `an upload that fails is aborted with a correct signature`() throws {
        let store = try VerifyingStore(), path = folder.write(picture(850), to: "map")
        #expect(throws: S3Uploader.Failure.self) {
            try uploader(store).upload(path, to: "s3://maps/a", type: "x/y")
        }
        #expect(store.requests.last?.hasPrefix("accepted DELETE /maps/a?uploadId=") == true)
        #expect(store.rejections == 0, "\(store.requests)")
    }

    @Test(arguments: [
        S3Configuration.Credentials(accessKey: "AKEY", secretKey: "SKEY+/"),
        S3Configuration.Credentials(accessKey: "OTHER", secretKey: "SKEY+/="),
        S3Configuration.Credentials(accessKey: "TKEY", secretKey: "TSECRET"),
        S3Configuration.Credentials(accessKey: "TKEY", secretKey: "TSECRET", sessionToken: "OTHER"),
    ])
    func `wrong credentials are rejected, and not displayed`(
        credentials: S3Configuration.Credentials
    ) async throws {
        let store = try VerifyingStore()
        do throws(HTTPFailure) {
            _ = try await load("s3://maps/a.bin", options(store, credentials))
            Issue.record("no failure")
        } catch {
            #expect("\(error)".contains("the credentials are rejected"))
            #expect(!"\(error)".contains("KEY") && !"\(error)".contains("SECRET"))
        }
        #expect {
            try uploader(store, credentials).put([1], to: "s3://maps/a", type: "x/y")
        } throws: {
            "\($0)".contains("the credentials are rejected") && !"\($0)".contains("KEY")
        }
        #expect(store.rejections == 2)
    }

    @Test func `a presigned address is sent unchanged`() async throws {
        let store = try VerifyingStore(), bytes = picture(50)
        try uploader(store).put(bytes, to: "s3://maps/signed=1.bin", type: "x/y")
        #expect(try await load(store.presigned, options(store, nil)) == Array(bytes[10..<15]))
        let changed = store.presigned.replacing("X-Amz-Expires=3600", with: "X-Amz-Expires=3601")
        await #expect(throws: HTTPFailure.self) { try await load(changed, options(store, nil)) }
        #expect(store.rejections == 1)
    }
}
