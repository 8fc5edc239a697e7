import RhumbCore
@testable import RhumbEngine
import Testing

/// Tests that policies of providers apply to their hosts, regardless of the name of a source.
struct ProvidersTests {
    private static func providers(own: String = "") throws -> Providers {
        let shipped = #"""
            {"sources":[
            {"id":"street","url":"https://tile.street.example/{z}/{x}/{y}.png","policy":{"offline":"denied","connections":2,"lookAhead":true,"minimumCacheSeconds":600}},
            {"id":"topo","url":"https://{a,b,c}.tile.topo.example/{z}/{x}/{y}.png","policy":{"offline":"denied"}},
            {"id":"free","url":"https://free.example/{z}/{x}/{y}.png","policy":{"offline":"allowed","archives":true,"lookAhead":true,"connections":9,"packLimit":null}},
            {"id":"keyed","url":"{base}/{z}/{x}/{y}.png?key={key}","keys":{"key":{"environment":"KEYED_KEY","config":"keyed"}},
             "replaceable":{"base":{"environment":"KEYED_URL","default":"https://api.keyed.example"}}}]}
            """#
        return Providers(
            shipped: try SourceList.parse(Array(shipped.utf8)),
            own: try SourceList.parse(Array(#"{"sources":[\#(own)]}"#.utf8)))
    }

    @Test(arguments: [
        "https://tile.street.example/{z}/{x}/{y}.png", "https://a.tile.street.example/{z}/{x}/{y}.png",
        "https://{a,b,c}.tile.street.example/{z}/{x}/{y}.png", "https://tile.street.example./{z}/{x}/{y}.png",
        "https://TILE.Street.EXAMPLE/{z}/{x}/{y}.png", "https://tile.street.example:443/{z}/{x}/{y}.png",
        "http://tile.street.example/{z}/{x}/{y}.png", "https://me:pw@tile.street.example/{z}/{x}/{y}.png",
        "https://tile.str%65et.example/{z}/{x}/{y}.png", "https://{x}.tile.street.example/{z}/{x}/{y}.png",
        "https://{free,tile.street}.example/{z}/{x}/{y}.png", "https://b.tile.topo.example/{z}/{x}/{y}.png",
        "https://tile.topo.example/{z}/{x}/{y}.png",
    ])
    func `a provider's denial applies to every spelling of its host`(address: String) throws {
        var source = try SourceDefinition(address: address)
        let providers = try Self.providers()
        #expect(providers.governed(source).policy.offline == .denied)
        source.policy = .unlimited
        #expect(providers.governed(source).policy.offline == .denied)
        source.policy.connections = 12
        #expect(providers.governed(source).policy.offline == .denied)
    }

    @Test(arguments: [
        "https://street.example/{z}/{x}/{y}.png", "https://xtile.street.example/{z}/{x}/{y}.png",
        "https://tile.street.example.org/{z}/{x}/{y}.png",
    ])
    func `other hosts keep the conservative limits`(address: String) throws {
        #expect(try Self.providers().governed(SourceDefinition(address: address)).policy == SourcePolicy())
    }

    @Test func `a document on another host has the rules of the tiles' host`() throws {
        let document: JSON = [
            "tilejson": "3.0.0", "tiles": ["https://a.tile.street.example/{z}/{x}/{y}.png"],
        ]
        var base = try SourceDefinition(address: "https://mine.example/tiles.json")
        base.policy.offline = .allowed
        let source = try TileJSON.read(document, from: "https://mine.example/tiles.json", id: "x", base: base)
        let policy = try Self.providers().governed(source).policy
        #expect(
            policy.offline == .denied && policy.connections == 2 && policy.minimumCacheSeconds == 600
                && !policy.lookAhead)
    }

    @Test func `the provider's rules replace unstated ones, even if they are less strict`() throws {
        let policy = try Self.providers().governed(
            SourceDefinition(address: "https://free.example/{z}/{x}/{y}.png")
        ).policy
        #expect(
            policy.offline == .allowed && policy.archives && policy.lookAhead && policy.connections == 9
                && policy.packLimit == nil)
        let mixed = try SourceDefinition(address: "https://{free,other}.example/{z}/{x}/{y}.png")
        #expect(try Self.providers().governed(mixed).policy.offline == .ask)
    }

    @Test func `your own source definition can't override a provider's denial`() throws {
        let own =
            #"{"id":"street","url":"https://tile.street.example/{z}/{x}/{y}.png","policy":{"offline":"allowed","connections":40}}"#
        let providers = try Self.providers(own: own)
        let mine = try #require(try SourceList.parse(Array(#"{"sources":[\#(own)]}"#.utf8)).first)
        let policy = providers.governed(mine).policy
        #expect(policy.offline == .denied && policy.connections == 2)
    }

    @Test func `the user's own rules apply to addresses of the same host`() throws {
        let own = #"{"id":"mine","url":"http://127.0.0.1:9/{z}/{x}/{y}.png","policy":{"offline":"denied"}}"#
        let source = try SourceDefinition(address: "http://127.0.0.1:9/tiles.json")
        #expect(source.policy == .ownServer && source.policy.packLimit == SourcePolicy.usualPackLimit)
        #expect(try Self.providers(own: own).governed(source).policy.offline == .denied)
        #expect(try Self.providers().governed(source).policy == .ownServer)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8912", true), ("http://127.0.0.1:8911", false), ("http://10.0.0.7:8912", false),
        ("http://127.0.0.1", false),
    ])
    func `servers on one private address are told apart by their ports`(
        origin: String, isDenied: Bool
    ) throws {
        let own =
            #"{"id":"mine","url":"http://127.0.0.1:8912/{z}/{x}/{y}.png","policy":{"offline":"denied"}}"#
        let source = try SourceDefinition(address: origin + "/{z}/{x}/{y}.png")
        #expect((try Self.providers(own: own).governed(source).policy.offline == .denied) == isDenied)
    }

    @Test func `the hosts of a provider count as one`() throws {
        let providers = try Self.providers()
        #expect(providers.domain(ofOrigin: "https://a.tile.topo.example") == "tile.topo.example")
        #expect(providers.domain(ofOrigin: "https://c.tile.topo.example") == "tile.topo.example")
        #expect(providers.domain(ofOrigin: "https://topo.example") == nil)
    }

    @Test func `a server keeps its provider's rules after requests to many others`() throws {
        let providers = try Self.providers(), origin = "https://a.tile.topo.example"
        let policy = try #require(providers.policy(ofOrigin: origin))
        for number in 0..<250 { #expect(providers.policy(ofOrigin: "https://\(number).example") == nil) }
        #expect(providers.policy(ofOrigin: origin) == policy)
        #expect(providers.domain(ofOrigin: origin) == "tile.topo.example")
    }

    @Test(arguments: [
        ("https://api.keyed.example/other/{z}/{x}/{y}?k={key}", "KEYED_KEY"),
        ("https://api.keyed.example./{z}/{x}/{y}?k={key}", "KEYED_KEY"),
        ("https://keyed.example/{z}/{x}/{y}?k={key}", "RHUMB_KEY_KEYED_EXAMPLE"),
        ("https://api.keyed.evil.example/{z}/{x}/{y}?k={key}", "RHUMB_KEY_API_KEYED_EVIL_EXAMPLE"),
        ("http://api.keyed.example/{z}/{x}/{y}?k={key}", "RHUMB_KEY_HTTP_______API_KEYED_EXAMPLE"),
        ("https://{api.keyed,evil}.example/{z}/{x}/{y}?k={key}", "RHUMB_KEY_EXAMPLE"),
    ])
    func `a placeholder is replaced by a provider's key only for the provider's host`(
        address: String, variable: String
    ) throws {
        let source = try Self.providers().governed(SourceDefinition(address: address))
        #expect(source.keys.map(\.environment) == [variable])
    }
}
