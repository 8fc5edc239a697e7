import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbHTTP

/// Tests local files, which respond like servers.
struct LocalFileTests {
    private let folder = TemporaryFolder()
    private let client: HTTPClient

    init() throws { client = try .forTests() }

    private func request(_ path: String, _ range: ByteRange? = nil) -> HTTPRequest {
        var request = HTTPRequest(
            HTTPAddress(URLReference.file(path), isLocal: true), expecting: .archiveRange)
        request.range = range
        return request
    }

    private func failure(_ request: HTTPRequest) async -> HTTPFailure? {
        do throws(HTTPFailure) {
            _ = try await client.load(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file is returned completely, in parts, and as unchanged, even offline`() async throws {
        client.isOffline = true
        let path = folder.write(Array("0123456789".utf8), to: "50 % #1.bin")
        let whole = try await client.load(request(path))
        #expect(whole.status == 200 && whole.body == Array("0123456789".utf8))
        let part = try await client.load(request(path, ByteRange(offset: 8, count: 9)))
        #expect(
            part.status == 206 && part.body == Array("89".utf8)
                && part.headers["Content-Range"] == "bytes 8-9/10")
        var again = request(path)
        again.validators = whole.validators
        #expect(try await client.load(again).isNotModified)
        folder.write(Array("01234567890".utf8), to: "50 % #1.bin")
        #expect(try await client.load(again).body.count == 11)
    }

    @Test func `a missing file is absent, and a directory is rejected`() async throws {
        #expect(try await client.load(request(folder.path + "/none")).isAbsent)
        #expect(try await client.load(request(folder.path + "/none/none")).isAbsent)
        #expect("\(try #require(await failure(request(folder.path))))".hasSuffix("not a file"))
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect("\(try #require(await failure(request(pipe))))".hasSuffix("not a file"))
        let path = folder.write([1, 2, 3], to: "three")
        #expect(await failure(request(path, ByteRange(offset: 3, count: 1)))?.status == 416)
    }

    @Test(arguments: ["file://server/etc/passwd", "file:etc", "file:///a%00b", "ftp:///etc/passwd"])
    func `only an absolute path on this machine is accepted`(address: String) async throws {
        #expect(HTTPAddress(address, isLocal: true).localPath == nil)
    }

    @Test(arguments: ["/a b/c", "/ä%/#?{z}", "/"]) func `a path and its address are equivalent`(path: String)
    {
        #expect(HTTPAddress(URLReference.file(path), isLocal: true).localPath == path)
    }
}
