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

    private func options(
        _ store: VerifyingStore, _ credentials: S3Configuration.Credentials? = permanent
    ) -> ClientOptions {
        var options = ClientOptions(userAgent: .rhumb(version: "test"))
        options.objectStores.endpoint = store.url
        options.objectStores.credentials = credentials
        return options
    }

    private func load(_ address: String, _ options: ClientOptions) async throws(HTTPFailure) -> [UInt8] {
        var request = HTTPRequest(HTTPAddress(address), expecting: .document)
        request.range = ByteRange(offset: 10, count: 5)
        return try await HTTPClient(options).load(request, retrying: .once).body
    }

    @Test(arguments: [permanent, temporary])
    func `objects whose keys have any characters are read with a correct signature`(
        credentials: S3Configuration.Credentials
    ) async throws {
        let objects = Dictionary(
            uniqueKeysWithValues: Self.keys.enumerated().map { number, key in
                (key, picture(50 + number * 70, seed: UInt8(number)))
            })
        // Keys in addresses may be percent-encoded.
        let store = try VerifyingStore(
            objects: Dictionary(uniqueKeysWithValues: objects.map { (PercentCoding.decoded($0), $1) }))
        for (key, bytes) in objects {
            let read = try await load("s3://maps/\(key)", options(store, credentials))
            #expect(read == Array(bytes[10..<15]), "\(key)")
        }
        #expect(store.rejections == 0, "\(store.requests)")
    }

    @Test func `a query is signed, whatever its order and escapes`() async throws {
        let store = try VerifyingStore(objects: ["a.bin": picture(50)])
        for query in ["versionId=null&response-content-type=a%2fb", "tagging", "z=1&a=+&A=*&a=%7e&b"] {
            let request = HTTPRequest(HTTPAddress("s3://maps/a.bin?\(query)"), expecting: .document)
            _ = try await HTTPClient(options(store)).load(request, retrying: .once)
        }
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
        let store = try VerifyingStore(objects: [:])
        do throws(HTTPFailure) {
            _ = try await load("s3://maps/a.bin", options(store, credentials))
            Issue.record("no failure")
        } catch {
            #expect("\(error)".contains("the credentials are rejected"))
            #expect(!"\(error)".contains("KEY") && !"\(error)".contains("SECRET"))
        }
        #expect(store.rejections == 1)
    }

    @Test func `a presigned address is sent unchanged`() async throws {
        let bytes = picture(50), store = try VerifyingStore(objects: ["signed=1.bin": bytes])
        #expect(try await load(store.presigned, options(store, nil)) == Array(bytes[10..<15]))
        let changed = store.presigned.replacing("X-Amz-Expires=3600", with: "X-Amz-Expires=3601")
        await #expect(throws: HTTPFailure.self) { try await load(changed, options(store, nil)) }
        #expect(store.rejections == 1)
    }
}
