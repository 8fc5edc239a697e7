import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct SourceListTests {
    private func list(_ entry: String) throws -> SourceDefinition? {
        try SourceList.parse(Array("{\"sources\":[\(entry)]}".utf8)).first
    }

    @Test func `a definition contains everything that a layer and the fetcher need`() throws {
        let source = try #require(
            try list(
                #"""
                {"id":"x.1","name":"A <b>map</b>","url":"{base}/{z}/{x}/{y}?k={key}&s={tileSize}&d={day}",
                 "replaceable":{"base":{"environment":"X_URL","default":"https://x.example"}},
                 "values":{"day":"2026"},"keys":{"key":{"environment":"X_KEY","config":"xx"}},
                 "headers":{"X-A":"1"},"tileSize":512,"minzoom":2,"maxzoom":9,"bounds":[1,2,3,4],
                 "attribution":"&copy; <a href='x'>Me</a>","feature":"terrain","overlay":true,
                 "policy":{"offline":"denied","lookAhead":true,"connections":2,"requestsPerSecond":1.5,
                           "minimumCacheSeconds":60,"archives":true,"policyURL":"https://p"}}
                """#))
        #expect(source.name == "A map" && source.attribution == "© Me" && source.feature == .terrain)
        #expect(source.zooms == 2...9 && source.tileSize == .pixels512 && source.isOverlay)
        #expect(source.bounds == Bounds(west: 1, south: 2, east: 3, north: 4))
        #expect(source.policy.offline == .denied && source.policy.connections == 2)
        #expect(source.policy.requestsPerSecond == 1.5 && source.policy.minimumCacheSeconds == 60)
        let template = try #require(try source.templates().first)
        #expect(template.canonical == "https://x.example/{z}/{x}/{y}?s=512&d=2026")
        let moved = try source.templates { $0 == "X_URL" ? "http://127.0.0.1:80/" : nil }.first
        #expect(moved?.canonical.hasPrefix("http://127.0.0.1:80/{z}/") == true)
        #expect(
            try source.secrets(environment: { _ in "" }, configuration: { $0 == "xx" ? "s" : nil }) == [
                "key": "s"
            ])
    }

    @Test func `a URL that ends in .pmtiles is an archive unless the kind states otherwise`() throws {
        for url in ["https://h/world.pmtiles", "https://h/World.PMTILES?v=2"] {
            #expect(try list(#"{"id":"x","url":"\#(url)"}"#)?.kind == .archive)
            #expect(try list(#"{"id":"x","kind":"tilejson","url":"\#(url)"}"#)?.kind == .tilejson)
        }
        #expect(try list(#"{"id":"x","url":"https://h/{z}/{x}/{y}.pmtiles"}"#)?.kind == .tiles)
    }

    @Test func `missing members have conservative defaults`() throws {
        let source = try #require(try list(#"{"id":"x","url":"https://h/{z}/{x}/{y}"}"#))
        #expect(source.policy.offline == .ask && !source.policy.lookAhead && !source.policy.archives)
        #expect(source.name == "x" && source.tileSize == .pixels256 && source.feature == .rendering)
    }

    @Test(arguments: [
        (#"{"url":"https://h/{z}/{x}/{y}"}"#, "id"), (#"{"id":"a b","url":"x"}"#, "id"),
        (#"{"id":"x"}"#, "url"), (#"{"id":"x","url":"https://h/a.mbtiles"}"#, "download it"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{nope}"}"#, "{nope}"),
        (#"{"id":"x","url":"https://h/style.json"}"#, "open a style by its address"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","tileSize":300}"#, "tileSize"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","minzoom":9,"maxzoom":3}"#, "minzoom"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","maxzoom":99}"#, "maxzoom"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","bounds":[1,2,3]}"#, "bounds"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","policy":{"offline":"yes"}}"#, "denied, ask, allowed"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","policy":{"connections":0}}"#, "connections"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","policy":{"requestsPerSecond":-1}}"#, "requestsPerSecond"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","keys":{"key":"K"}}"#, "keys.key"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","kind":"wms"}"#, "tilejson"),
        (#"{"id":"x","url":"https://h/{z}/{x}/{y}","feature":"terain"}"#, "terain"),
        ("7", "id"), ("", ""),
    ])
    func `an invalid definition is rejected by name`(entry: String, word: String) {
        do {
            guard entry.isEmpty == false else { return #expect(try list("") == nil) }
            _ = try list(entry)
            Issue.record("not refused: \(entry)")
        } catch {
            #expect("\(error)".contains(word), "\(error)")
        }
    }

    @Test(arguments: ["", "{", "[]", "{\"sources\":{}}", "nul"])
    func `a document that is not a list is rejected`(text: String) {
        #expect(throws: SourceFailure.self) { try SourceList.parse(Array(text.utf8)) }
    }

    @Test(arguments: [
        (
            #"{"id":"x","url":"u","maxZoom":9}"#,
            #"source x: unknown member "maxZoom"; did you mean "maxzoom"?"#
        ),
        (
            #"{"id":"x","policy":{"ofline":"ask"}}"#,
            #"source x: unknown member "policy.ofline"; did you mean "offline"?"#
        ),
        (
            #"{"id":"x","keys":{"k":{"environment":"E","conf":"c"}}}"#,
            #"source x: unknown member "keys.k.conf"; did you mean "config"?"#
        ),
        (
            #"{"id":"x","replaceable":{"base":{"standard":"s"}}}"#,
            #"source x: unknown member "replaceable.base.standard"; expected one of environment, default"#
        ),
    ])
    func `an unknown member of a user's source is named`(source: String, message: String) throws {
        let list = try JSON.parse(Array(#"{"sources":[{"id":"right","url":"u"},\#(source)]}"#.utf8))
        let failure = #expect(throws: SourceFailure.self) { try SourceList.checkMembers(list) }
        #expect(failure?.description == message)
    }

    @Test func `the user's own sources replace those of the same name and extend the list`() throws {
        let ours = ["a", "b"].map { SourceDefinition(id: $0, name: "ours", addresses: ["x"]) }
        let theirs = ["b", "c"].map { SourceDefinition(id: $0, name: "theirs", addresses: ["x"]) }
        let merged = SourceList.merged(ours, with: theirs)
        #expect(merged.map(\.id) == ["a", "b", "c"] && merged.map(\.name) == ["ours", "theirs", "theirs"])
    }
}

struct ShippedSourcesTests {
    private static let sources =
        TestFiles.bytes("Assets/sources.json").flatMap { try? SourceList.parse($0) } ?? []

    @Test func `the built-in list is valid`() throws {
        #expect(Self.sources.count == 27)
        #expect(Set(Self.sources.map(\.id)).count == Self.sources.count)
        for source in Self.sources {
            _ = try source.templates()
            #expect(!source.attribution.isEmpty && source.policy.policyURL?.hasPrefix("https://") == true)
        }
    }

    @Test func `OpenStreetMap's binding rules are obeyed`() throws {
        let osm = try #require(Self.sources.first { $0.id == "osm" })
        #expect(osm.addresses == ["https://tile.openstreetmap.org/{z}/{x}/{y}.png"])
        #expect(osm.policy.offline == .denied && osm.policy.connections == 2 && !osm.policy.archives)
        #expect(osm.policy.minimumCacheSeconds >= 604_800)
        #expect(osm.attribution == "© OpenStreetMap contributors")
    }

    @Test(arguments: ["nominatim", "photon"])
    func `search services are requested only with the user's consent, at most once a second`(
        id: String
    ) throws {
        let source = try #require(Self.sources.first { $0.id == id })
        #expect(
            source.kind.searching?.rawValue == id && !source.kind.isMap && source.feature == .onlineSearch)
        #expect(
            source.policy.needsAgreement && source.policy.requestsPerSecond == 1
                && source.policy.connections == 1)
    }

    @Test(arguments: ["tomtom", "tomtom-night", "tomtom-hybrid", "here"])
    func `the tile size is always sent, 512 unless chosen, and part of the key`(id: String) throws {
        var source = try #require(Self.sources.first { $0.id == id })
        #expect(try source.templates()[0].canonical.contains("=512"))
        source.tileSize = .pixels256
        #expect(try source.templates()[0].canonical.contains("=256"))
    }

    @Test(arguments: [("tomtom", "RHUMB_TOMTOM_URL"), ("here", "RHUMB_HERE_URL")])
    func `a provider's address can be replaced`(id: String, name: String) throws {
        let source = try #require(Self.sources.first { $0.id == id })
        let template = try source.templates { $0 == name ? "http://127.0.0.1:9" : nil }[0]
        #expect(template.canonical.hasPrefix("http://127.0.0.1:9/"))
    }

    @Test func `row-first templates and subdomains are supported`() throws {
        let tile = try #require(TileID(zoom: 3, x: 1, y: 5))
        func url(_ id: String) throws -> String {
            try #require(try Self.sources.first { $0.id == id }?.templates().first).address(for: tile).url
        }
        #expect(try url("usgs-topo").hasSuffix("/tile/3/5/1"))
        #expect(try url("gibs-modis").hasSuffix("_Level9/3/5/1.jpg"))
        #expect(try url("opentopomap") == "https://a.tile.opentopomap.org/3/1/5.png")
    }
}
