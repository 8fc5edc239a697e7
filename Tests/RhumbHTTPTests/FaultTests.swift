import RhumbCore
import RhumbHTTP
import RhumbStore
import RhumbTestSupport
import Testing

struct FaultTests {
    @Test(
        arguments: [
            (
                "shorter than announced",
                LoopbackReply(200, picture()).with {
                    $0.framing = .announced(500)
                    $0.ending = .close(after: 100)
                }, .truncated
            ),
            (
                "reset in mid-body",
                LoopbackReply(200, picture(200_000)).with { $0.ending = .reset(after: 70_000) },
                nil
            ),
            (
                "chunks without an end",
                LoopbackReply(200, picture(5000)).with {
                    $0.framing = .chunked
                    $0.ending = .close(after: 2500)
                }, nil
            ),
            (
                "cut within the header fields",
                LoopbackReply(200).with { $0.ending = .closeInHeaders(before: 12) }, .truncated
            ),
            (
                "cut before the empty line",
                LoopbackReply(404).with { $0.ending = .closeInHeaders(before: 2) },
                .truncated
            ),
            ("no answer at all", LoopbackReply(200, picture()).with { $0.ending = .reset(after: 0) }, nil),
        ] as [(String, LoopbackReply, TransportFault?)])
    func `an incomplete body is a transient failure`(
        name: String, reply: LoopbackReply, fault: TransportFault?
    ) async throws {
        let fixture = try HTTPFixture { _ in reply }
        let failure = await fixture.failure("/1")
        #expect(failure?.failureClass == .transient)
        if let fault { #expect(failure?.fault == fault) }
    }

    @Test func `bytes beyond the announced length are not part of the response`() async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, picture(300)).with { $0.framing = .announced(100) }
        }
        #expect(try await fixture.send("/1").body.count == 100)
        #expect(try await fixture.send("/2").body.count == 100)
    }

    @Test func `chunked and unframed bodies arrive completely`() async throws {
        let fixture = try HTTPFixture { request in
            LoopbackReply(200, picture(5000)).with {
                $0.framing = request.target == "/chunked" ? .chunked : .none
            }
        }
        #expect(try await fixture.send("/chunked").body == picture(5000))
        #expect(try await fixture.send("/unframed").body == picture(5000))
    }

    @Test func `a server that sends slowly is abandoned after the time limit`() async throws {
        let fixture = try HTTPFixture({ $0.timeout = .milliseconds(300) }) { _ in
            LoopbackReply(200, picture(100_000)).with { $0.ending = .drip(milliseconds: 5) }
        }
        let failure = await fixture.failure("/1")
        #expect(failure?.fault == .timedOut && failure?.failureClass == .transient)
    }

    @Test func `a server that sends a few bytes a second is abandoned like a silent one`() async throws {
        let fixture = try HTTPFixture({
            $0.timeout = .seconds(600)
            $0.idleTimeout = .seconds(1)
        }) { _ in
            LoopbackReply(200, picture(100_000)).with { $0.ending = .drip(milliseconds: 500) }
        }
        #expect(await fixture.failure("/1")?.fault == .timedOut)
    }

    @Test func `a silent server is abandoned`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture({ $0.timeout = .milliseconds(200) }) { _ in
            LoopbackReply(200, picture()).with { $0.gate = gate }
        }
        #expect(await fixture.failure("/1")?.fault == .timedOut)
        gate.open()
    }

    @Test func `a login page with status 200 is not a tile`() async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, Array("<html>Log in</html>".utf8), headers: ["Content-Type": "image/png"])
        }
        let failure = await fixture.failure("/1")
        #expect(failure?.failureClass == .badContent)
        #expect(failure?.message.contains("an HTML page") == true)
    }

    @Test func `an empty image is not a tile`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, []) }
        #expect(await fixture.failure("/1")?.failureClass == .badContent)
    }

    @Test(arguments: [true, false])
    func `a body over the limit is aborted`(isAnnounced: Bool) async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, picture(6 << 20)).with { $0.framing = isAnnounced ? .length : .chunked }
        }
        let failure = await fixture.failure("/1")
        #expect(failure?.fault == .tooLarge && failure?.failureClass == .badContent)
        let document = fixture.request("/1", expecting: .document)
        #expect(try await fixture.client.send(document).body.count == 6 << 20)
    }

    @Test func `compressed bodies are decompressed`() async throws {
        let packed = Gzip.packed(picture(10_000))
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, packed, headers: ["Content-Encoding": "gzip"])
        }
        let response = try await fixture.send("/1")
        #expect(response.body == picture(10_000))
        #expect(response.wireBytes == packed.count)
    }

    @Test func `all members of a compressed body are read, and other bytes after them are not`()
        async throws
    {
        let whole = picture(10_000), half = whole.count / 2
        let packed = Gzip.packed(Array(whole[..<half])) + Gzip.packed(Array(whole[half...])) + [0, 0, 0]
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, packed, headers: ["Content-Encoding": "gzip"])
        }
        #expect(try await fixture.send("/1").body == whole)
    }

    @Test func `a compressed picture without Content-Encoding is a picture`() async throws {
        let packed = Gzip.packed(picture(10_000))
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, packed, headers: ["Content-Type": "image/png"])
        }
        #expect(try await fixture.send("/1").body == picture(10_000))
        let cut = try HTTPFixture { _ in LoopbackReply(200, Array(packed.dropLast(20))) }
        #expect(await cut.failure("/1")?.fault == .truncated)
    }

    @Test func `a small body that decompresses to a huge one is aborted`() async throws {
        let packed = Gzip.packed(picture(40 << 20))
        #expect(packed.count < 1 << 20)
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, packed, headers: ["Content-Encoding": "gzip"])
        }
        #expect(await fixture.failure("/1")?.fault == .tooLarge)
    }

    @Test(arguments: ["br", "zstd", "gzip, br"])
    func `a body compressed with a method that was not requested is refused`(coding: String) async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, picture(100), headers: ["Content-Encoding": "\(coding)"])
        }
        let failure = await fixture.failure("/1")
        #expect(failure?.fault == .unknownCoding)
        #expect(failure?.description.contains("was not requested") == true)
        let accepted = try #require(fixture.server.record.requests.first?.header("Accept-Encoding"))
        #expect(!accepted.contains("br") && !accepted.contains("zstd"))
    }

    @Test(arguments: ["aws-chunked", "utf-8", "binary", "identity", "none", "aws-chunked, UTF-8", ""])
    func `names that are no compressions are skipped`(coding: String) async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, picture(100), headers: ["Content-Encoding": "\(coding)"])
        }
        #expect(try await fixture.send("/1").body == picture(100))
    }

    @Test(arguments: ["gzip, gzip", "gzip,aws-chunked, gzip"])
    func `a list of compressions is undone in reverse`(coding: String) async throws {
        let packed = Gzip.packed(Gzip.packed(picture(10_000)))
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, packed, headers: ["Content-Encoding": "\(coding)"])
        }
        #expect(try await fixture.send("/1").body == picture(10_000))
    }

    @Test func `a damaged compressed body is a transient failure`() async throws {
        let packed = Gzip.packed(
            Array(picture(10_000).enumerated().map { UInt8(truncatingIfNeeded: $0.offset * 31) }))
        let fixture = try HTTPFixture { request in
            let body = request.target == "/cut" ? Array(packed.prefix(packed.count / 2)) : [1, 2, 3] + packed
            return LoopbackReply(200, body, headers: ["Content-Encoding": "gzip"])
        }
        for target in ["/cut", "/garbled"] {
            let request = fixture.request(target, expecting: .document)
            #expect(await fixture.failure(request)?.failureClass == .transient, "\(target)")
        }
    }

    @Test func `a server that was down is used again`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        _ = try await fixture.send("/1")
        fixture.server.stop()
        let failure = await fixture.failure("/2")
        #expect(failure?.failureClass == .transient)
        try fixture.server.start()
        #expect(try await fixture.send("/3").status == 200)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "not an address", ""])
    func `an address that is not a web address is not requested`(url: String) async throws {
        let client = try HTTPClient.forTests()
        await #expect { try await client.send(HTTPRequest(HTTPAddress(url))) } throws: {
            ($0 as? HTTPFailure)?.fault == .badAddress
        }
    }
}
