import RhumbCore
import RhumbEngine
import Testing

struct SourceAddressTests {
    @Test(
        arguments: [
            ("https://h.example/{z}/{x}/{y}.png", .tiles), ("https://h.example/a.pmtiles", .archive),
            ("https://h.example/a.PMTiles?sig=1", .archive),
            ("pmtiles://https://h.example/a.pmtiles", .archive),
            ("PMTiles://https://h.example/a.pmtiles", .archive), ("https://h.example/a.tiff", .archive),
            ("https://h.example/tiles.json", .tilejson), ("https://h.example/planet", .tilejson),
            ("https://h.example/{z}/{x}/{y}.pmtiles", .tiles),
        ] as [(String, SourceDefinition.Kind)])
    func `an address returns the content at it`(address: String, kind: SourceDefinition.Kind) throws {
        #expect(SourceDefinition.isAddress(address))
        let source = try SourceDefinition(address: address)
        #expect(source.kind == kind && source.id == "h.example" && source.policy == SourcePolicy())
    }

    @Test(arguments: ["osm", "city.mbtiles", "/tmp/http.pmtiles", "ftp://h/{z}/{x}/{y}"])
    func `other words are not addresses`(words: String) { #expect(!SourceDefinition.isAddress(words)) }

    @Test(arguments: [
        ("https://h/a.mbtiles", "download"), ("https://h/a.GPKG", "download"),
        ("https://h/a.zip", "download"), ("https://h/{z}/{x}", "{y}"),
        ("https://h/{z}/{x}/{y", "brace"), ("https://h/{z}/{x}/{y}/{style}", "{style}"),
        ("https:///a.json", "web URL"),
    ])
    func `an address that can't be opened is reported with the reason`(address: String, hint: String) {
        do throws(SourceFailure) {
            _ = try SourceDefinition(address: address)
            Issue.record("opened: \(address)")
        } catch {
            #expect(error.description.contains(hint), "\(error)")
        }
    }

    @Test(arguments: [
        ("https://h/{z}/{x}/{y}{r}.png", "https://h/{z}/{x}/{y}@2x.png"),
        ("https://h/{tileSize}/{z}/{x}/{y}{ratio}", "https://h/512/{z}/{x}/{y}"),
    ])
    func `tiles of 512 pixels are requested where they are available`(
        address: String, canonical: String
    ) throws {
        var source = SourceDefinition(id: "x", name: "x", addresses: [address])
        source = try source.sized(.pixels512)
        #expect(try source.templates()[0].canonical == canonical)
    }

    @Test(arguments: [
        ("https://h/{z}/{x}/{y}{r}.png", "https://h/{z}/{x}/{y}@2x.png"),
        ("https://h/{z}/{x}/{y}{ratio}", "https://h/{z}/{x}/{y}@2x"),
        ("https://h/{z}/{x}/{y}@2x.png", "https://h/{z}/{x}/{y}@2x.png"),
        ("https://h/{z}/{x}/{y}?size={tileSize}", "https://h/{z}/{x}/{y}?size=512"),
        ("https://h/{tileSize}/{z}/{x}/{y}{r}", "https://h/512/{z}/{x}/{y}"),
    ])
    func `tiles with two pixels per map pixel are requested where they are available`(
        address: String, canonical: String
    ) throws {
        for size in [TileSize.pixels256, .pixels512] {
            var source = SourceDefinition(id: "x", name: "x", addresses: [address])
            source.tileSize = size
            source = try source.doubled()
            #expect(try source.templates()[0].canonical == canonical && source.tileSize == .pixels512)
        }
    }

    @Test(arguments: [
        "https://h/{z}/{x}/{y}.png", "https://h/{z}/{x}/{y}.pbf", "https://h/a.pmtiles",
        "https://2x/{z}/{x}/{y}",
    ])
    func `a source with a single scale reports that it has no other`(address: String) throws {
        let source = try SourceDefinition(address: address)
        #expect(throws: SourceFailure.oneScale(source: source.id)) { try source.doubled() }
        #expect(SourceFailure.oneScale(source: "h").remedy == .takeUsualScale)
    }

    @Test func `sizes that the address doesn't distinguish are not available`() throws {
        let ratio = try SourceDefinition(address: "https://h/{z}/{x}/{y}{r}.png")
        #expect(throws: SourceFailure.self) { try ratio.sized(.pixels128) }
        #expect(throws: SourceFailure.self) { try ratio.sized(#require(TileSize(rawValue: 1024))) }
        let sizes = try SourceDefinition(address: "https://h/{tileSize}/{z}/{x}/{y}.png")
        let large = try sizes.sized(#require(TileSize(rawValue: 1024)))
        #expect(try large.templates()[0].canonical == "https://h/1024/{z}/{x}/{y}.png")
    }

    @Test func `a source with a single size has no other`() throws {
        let source = try SourceDefinition(address: "https://h/{z}/{x}/{y}.png")
        var stated = source
        stated.isTileSizeAssumed = false
        #expect(try stated.sized(.pixels256) == stated)
        #expect(throws: SourceFailure.self) { try stated.sized(.pixels512) }
    }

    @Test func `a template that doesn't state its size has the one that the user states`() throws {
        let source = try SourceDefinition(address: "https://h/{z}/{x}/{y}.png")
        #expect(source.isTileSizeAssumed)
        let sized = try source.sized(.pixels512)
        #expect(sized.tileSize == .pixels512 && !sized.isTileSizeAssumed)
        #expect(try sized.templates() == source.templates())
    }

    @Test(arguments: [
        ("https://h/{z}/{x}/{y}.png", 256), ("https://h/{z}/{x}/{y}@2x.png", 512),
        ("https://h/{z}/{x}/{y}.png?tileSize=512", 512), ("https://h/{z}/{x}/{y}?a=1&tilesize=128&b", 128),
        ("https://h/tiles/512/{z}/{x}/{y}", 512), ("https://h/tiles/512/{z}/{x}/{y}@2x", 1024),
        ("https://h/tiles/700/{z}/{x}/{y}", 256), ("https://h/{z}/{x}/{y}.png?tileSize=0", 256),
    ])
    func `a template states the size of its tiles`(address: String, size: Int) throws {
        let typed = try SourceDefinition(address: address)
        #expect(typed.tileSize.rawValue == size)
        let listed = try SourceList.read(["sources": [["id": "x", "url": .string(address)]]])
        #expect(listed.map(\.tileSize) == [typed.tileSize] && listed.allSatisfy(\.isTileSizeAssumed))
        let kept = try SourceList.read(["sources": [listed[0].json]])
        #expect(kept[0].tileSize == typed.tileSize && kept[0].isTileSizeAssumed)
    }
}
