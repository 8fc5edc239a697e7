import RhumbCore
@testable import RhumbDemo
import RhumbHTTP
import RhumbTestSupport
import Testing

struct DemoServerTests {
    @Test(
        arguments: [
            ("GET /a?b=1 HTTP/1.1\r\nHost: x\r\nIf-None-Match:\t\"q\"", "/a?b=1", "\"q\""),
            ("GET / HTTP/1.0", "/", nil), ("GET /a HTTP/1.1\r\nnonsense", "/a", nil),
            ("GET a HTTP/1.1", nil, nil), ("GET /a HTTP/2", nil, nil), ("", nil, nil),
            ("\u{0}\u{FFFD}", nil, nil),
        ] as [(String, String?, String?)])
    func `a request's head is parsed, and other data rejected`(head: String, target: String?, etag: String?) {
        let request = DemoRequest(head: head)
        #expect(request?.target == target && request?.headers.first("if-none-match") == etag)
    }

    @Test func `the program of the demonstration serves tiles at the address that it prints`() async throws {
        let folder = TemporaryFolder()
        let program = ChildProgram(
            TestProducts.path("RhumbDemoTraffic"), [], environment: [:], errors: folder.path + "/errors")
        let line = try #require(program.readLine(), "\(folder.text("errors"))")
        let address = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") }).dropLast()
        let request = HTTPRequest(HTTPAddress(address + "/demo/model"), expecting: .document)
        #expect(try await DemoFixture.client().send(request).status == 200)
        program.kill()
    }

    @Test func `requests reuse connections until the server stops`() async throws {
        let server = try DemoServer { DemoReply(200, body: Array("{\"path\":\"\($0.target)\"}".utf8)) }
        let client = try DemoFixture.client()
        for path in ["/a", "/b?c=%20d"] {
            let request = HTTPRequest(HTTPAddress(server.address + path), expecting: .document)
            let body = try await client.send(request).body
            #expect(String(decoding: body, as: UTF8.self) == "{\"path\":\"\(path)\"}")
        }
        server.stop()
        await #expect(throws: HTTPFailure.self) {
            try await client.send(HTTPRequest(HTTPAddress(server.address + "/a"), expecting: .document))
        }
    }

    @Test func `a port in use is named`() throws {
        let server = try DemoServer { _ in DemoReply(200) }
        let port = try #require(UInt16(server.address.split(separator: ":").last ?? ""))
        do {
            _ = try DemoServer(port: port) { _ in DemoReply(200) }
            Issue.record("two servers on one port")
        } catch {
            #expect(
                error.description.contains("127.0.0.1:\(port)")
                    && error.description.contains("choose another one"))
        }
    }
}
