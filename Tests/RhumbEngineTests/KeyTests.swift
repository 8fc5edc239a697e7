import RhumbCore
import RhumbEngine
import Testing

/// Tests which servers receive a key.
struct KeyTests {
    private static func source(_ url: String, kind: String = "tiles") throws -> SourceDefinition {
        let text =
            #"{"sources":[{"id":"x","kind":"\#(kind)","url":"\#(url)","keys":{"key":{"environment":"X_KEY"}}}]}"#
        return try #require(try SourceList.parse(Array(text.utf8)).first)
    }

    private static let everyKey: @Sendable (String) -> String? = { _ in "MARKER" }

    private static func refusal(_ source: SourceDefinition) -> KeyRefusal? {
        do throws(SourceFailure) {
            _ = try source.secrets(environment: everyKey, configuration: everyKey)
            return nil
        } catch {
            guard case .refusedKey(_, _, let refusal) = error else { return nil }
            return refusal
        }
    }

    @Test(arguments: [
        "https://t.example/{z}/{x}/{y}?key={key}", "http://127.0.0.1:9/{z}/{x}/{y}?key={key}",
        "http://localhost/{z}/{x}/{y}?key={key}",
        "https://{a,b}.t.example/{z}/{x}/{y}?key={key}",
    ])
    func `a definition's key goes to its own servers`(url: String) throws {
        #expect(try Self.source(url).secrets(environment: Self.everyKey) == ["key": "MARKER"])
    }

    @Test func `a key is sent over plain HTTP only to this machine, or if it was given for an http URL`()
        throws
    {
        #expect(Self.refusal(try Self.source("http://t.example/{z}/{x}/{y}?key={key}")) == .plain)
        #expect(Self.refusal(try Self.source("http://127.0.0.1:8080/{z}/{x}/{y}?key={key}")) == nil)
        let typed = RedactedURL("http://t.example/{z}/{x}/{y}?key=K")
        #expect(typed.keys.count == 1)
        #expect(try SourceDefinition(address: typed.text).secrets { typed.keys[$0] } == ["key": "K"])
        let other = RedactedURL("https://t.example/{z}/{x}/{y}?key=K")
        #expect(throws: SourceFailure.self) {
            try SourceDefinition(address: typed.text).secrets { other.keys[$0] }
        }
    }

    @Test(arguments: [
        "https://evil.example/{z}/{x}/{y}?key={key}", "http://t.example/{z}/{x}/{y}?key={key}",
        "https://t.example:444/{z}/{x}/{y}?key={key}",
        "https://a.t.example/{z}/{x}/{y}?key={key}", "https://t.example.evil.example/{z}/{x}/{y}?key={key}",
        "https://t.example@evil.example/{z}/{x}/{y}?key={key}",
        "https://{evil.example/,t.example}/{z}/{x}/{y}?key={key}",
    ])
    func `a document can't send a key to another server`(template: String) throws {
        let base = try Self.source("https://t.example/tiles.json?key={key}", kind: "tilejson")
        let document: JSON = ["tilejson": "3.0.0", "tiles": [.string(template)]]
        let source = try TileJSON.read(document, from: "https://t.example/tiles.json", id: "x", base: base)
        #expect(Self.refusal(source) == .otherServer(allowed: "https://t.example"))
        let text =
            "\(SourceFailure.refusedKey(source: "x", server: "https://evil.example", .otherServer(allowed: "https://t.example")))"
        #expect(
            text.contains(
                "the key is not sent to https://evil.example: the key is only for https://t.example"))
    }

    @Test(arguments: [
        "https://T.example./{z}/{x}/{y}?key={key}", "/{z}/{x}/{y}?key={key}",
        "https://t.example:443/{z}/{x}/{y}?key={key}",
    ])
    func `a document can direct a key to its own server`(template: String) throws {
        let base = try Self.source("https://t.example/tiles.json?key={key}", kind: "tilejson")
        let document: JSON = ["tilejson": "3.0.0", "tiles": [.string(template)]]
        let source = try TileJSON.read(document, from: "https://t.example/tiles.json", id: "x", base: base)
        #expect(try source.secrets(environment: Self.everyKey) == ["key": "MARKER"])
    }

    @Test(arguments: [
        ("https://api.maps.example/{z}/{x}/{y}?key={key}", "RHUMB_KEY_API_MAPS_EXAMPLE", "api.maps.example"),
        ("https://{a,b}.maps.example/{z}/{x}/{y}?key={key}", "RHUMB_KEY_MAPS_EXAMPLE", "maps.example"),
        (
            "https://api-maps.example:8443/{z}/{x}/{y}?token={token}",
            "RHUMB_KEY_API__MAPS_EXAMPLE_8443___TOKEN", "api-maps.example:8443/token"
        ),
        ("http://127.0.0.1:81/{z}/{x}/{y}?key={key}", "RHUMB_KEY_127_0_0_1_81", "127.0.0.1:81"),
        (
            "http://maps.example/{z}/{x}/{y}?key={key}", "RHUMB_KEY_HTTP_______MAPS_EXAMPLE",
            "http://maps.example"
        ),
        (
            "https://openai.evil.example/{z}/{x}/{y}?key={key}", "RHUMB_KEY_OPENAI_EVIL_EXAMPLE",
            "openai.evil.example"
        ),
    ])
    func `a key required by an address is named after its whole host`(
        address: String, variable: String, name: String
    ) throws {
        let key = try #require(try SourceDefinition(address: address).keys.first)
        #expect(key.environment == variable && key.configuration == name)
    }

    @Test func `no two hosts share a variable`() throws {
        let hosts = [
            "a.b.example", "a-b.example", "a_b.example", "a--b.example", "ab.example", "a.b-example",
        ]
        let variables = try hosts.map {
            try SourceDefinition(address: "https://\($0)/{z}/{x}/{y}?key={key}").keys.first?.environment
        }
        #expect(Set(variables).count == hosts.count)
    }

    @Test func `a missing key is reported with how to set it`() throws {
        let source = try SourceDefinition(address: "https://maps.example/{z}/{x}/{y}?key={key}")
        do throws(SourceFailure) {
            _ = try source.secrets(environment: { _ in nil })
            Issue.record("no key was needed")
        } catch {
            let text = error.description
            #expect(
                text.contains("RHUMB_KEY_MAPS_EXAMPLE") && text.contains(#""maps.example" under "keys""#)
                    && text.contains("enter its URL again"))
        }
    }

    @Test func `a stored definition reads no environment variables`() throws {
        let kept = try Self.source("https://evil.example/{z}/{x}/{y}?key={key}").storedForm
        #expect(kept.keys.map(\.environment) == ["RHUMB_KEY_EVIL_EXAMPLE"])
        let text =
            #"{"sources":[{"id":"x","url":"{base}/{z}/{x}/{y}?k={key}","keys":{"key":{"environment":"X"}},"#
            + #""replaceable":{"base":{"environment":"HOME","default":"https://h.example"}}}]}"#
        let moved = try #require(try SourceList.parse(Array(text.utf8)).first).storedForm
        #expect(moved.replaceable.isEmpty && moved.origins == ["https://h.example"])
    }
}
