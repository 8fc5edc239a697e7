import RhumbCore
import RhumbEngine
import Testing

struct SourceAddressTests {
    @Test(arguments: [
        ("https://h.example/{z}/{x}/{y}.png", .tiles), ("https://h.example/a.pmtiles", .pmtiles),
        ("https://h.example/a.PMTiles?sig=1", .pmtiles), ("pmtiles://https://h.example/a.pmtiles", .pmtiles),
        ("https://h.example/tiles.json", .tilejson), ("https://h.example/planet", .tilejson),
        ("https://h.example/{z}/{x}/{y}.pmtiles", .tiles),
    ] as [(String, SourceDefinition.Kind)])
    func `an address tells what lies there`(address: String, kind: SourceDefinition.Kind) throws {
        #expect(SourceDefinition.isAddress(address))
        let source = try SourceDefinition(address: address)
        #expect(source.kind == kind && source.id == "h.example" && source.policy == SourcePolicy())
    }

    @Test(arguments: ["osm", "city.mbtiles", "/tmp/http.pmtiles", "ftp://h/{z}/{x}/{y}"])
    func `other words are no address`(words: String) { #expect(!SourceDefinition.isAddress(words)) }

    @Test(arguments: [
        ("https://h/a.mbtiles", "download"), ("https://h/a.zip", "download"), ("https://h/{z}/{x}", "{y}"),
        ("https://h/{z}/{x}/{y", "brace"), ("https://h/{z}/{x}/{y}/{style}", "{style}"), ("https:///a.json", "web address"),
    ])
    func `what can't be opened by its address says why`(address: String, hint: String) {
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
    func `tiles of 512 pixels are asked for where they are offered`(address: String, canonical: String) throws {
        var source = SourceDefinition(id: "x", name: "x", addresses: [address])
        source = try source.sized(.pixels512)
        #expect(try source.templates()[0].canonical == canonical)
    }

    @Test func `a source of one size has no other`() throws {
        let source = try SourceDefinition(address: "https://h/{z}/{x}/{y}.png")
        #expect(try source.sized(.pixels256) == source)
        #expect(throws: SourceFailure.self) { try source.sized(.pixels512) }
    }
}
