import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Testing

@Suite("A catalogue kept in a form that is read at once")
struct PackedCatalogTests {
    private static let document = """
        {"rhumb-catalog": 1, "id": "test", "title": {"en": "Test", "fi": "Testi"}, "attribution": "© Someone", "packages": [
          {"id": "world"}, {"id": "land", "parent": "world", "title": "Land"},
          {"id": "box", "parent": "land", "area": [170, -20, -170, 20], "archive": "box.pmtiles",
           "editions": [{"version": "1.2", "bytes": 5}, {"version": "2026.47", "date": "2026-11-22", "bytes": 17179869184,
             "features": {"detailRendering": 4000000, "terrain": 7}, "hashes": "box.hashes"}]},
          {"id": "hole", "parent": "land", "level": "province", "title": {"en": "Hole", "ja": "穴"}, "zooms": [3, 9], "part-of": "all.pmtiles",
           "area": {"type": "Polygon", "coordinates": [[[0.1, 0], [9, 0], [9, 9.0000001], [0.1, 0]], [[2, 1], [3, 1], [3, 2], [2, 1]]]}},
          {"id": "two", "parent": "land", "source": "osm", "area": {"type": "MultiPolygon", "coordinates":
            [[[[0, 0], [1, 0], [1, 1], [0, 0]]], [[[-5.000000000001, 5], [6, 5], [6, 6], [-5.000000000001, 5]]]]}}]}
        """

    private static var catalog: PackageCatalog {
        get throws { try PackageCatalog(Array(document.utf8), at: "https://maps.example/catalog.json") }
    }

    @Test("it is the same catalogue")
    func same() throws {
        let catalog = try Self.catalog
        #expect(PackedCatalog.unpacked(PackedCatalog.packed(catalog, of: "it"), of: "it") == catalog)
    }

    @Test("of another document, cut off anywhere, or with any byte changed it is none")
    func damaged() throws {
        let bytes = PackedCatalog.packed(try Self.catalog, of: "it")
        #expect(PackedCatalog.unpacked(bytes, of: "another") == nil)
        #expect(bytes.indices.allSatisfy { PackedCatalog.unpacked(Array(bytes.prefix($0)), of: "it") == nil })
        #expect(
            bytes.indices.allSatisfy { at in
                var changed = bytes
                changed[at] ^= 1
                return PackedCatalog.unpacked(changed, of: "it") == nil
            })
    }

    @Test("what only its check vouches for is no catalogue either: sizes that lie, texts that end too late")
    func lying() {
        for content in [
            [0xFF], [1, 0x31, 5], Array(repeating: 0xFF, count: 40),
            [4, 0x6E, 0x6F, 0x6E, 0x65, 0xFF, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]] {
            let named = [2, 0x69, 0x74] + content, check = Array(ContentHash(named).description.utf8)
            #expect(
                PackedCatalog.unpacked(
                    Array("RhumbPC2".utf8) + [UInt8(check.count)] + check + named, of: "it") == nil)
        }
    }

    // MARK: The packed catalogue beside its document

    /// Returns the title of the northern country in a program that starts now.
    private func title(_ box: PackageFixture) async throws -> String {
        try await box.loader().package("north").englishTitle
    }

    private func key(_ box: PackageFixture) -> ResourceKey { .document(box.address + "#packages") }

    @Test(
        "a program that starts reads it instead of the document, which it must be of", .timeLimit(.minutes(1))
    )
    func read() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        #expect(try await title(box) == "North")
        let kept = try #require(box.box.cache.response(for: key(box))?.body)
        let told = "\(ContentHash(box.served("/catalog.json"))) \(box.address)"
        let catalog = try #require(PackedCatalog.unpacked(kept, of: told))
        let renamed = try PackageCatalog(
            id: catalog.id,
            packages: catalog.packages.map {
                CatalogPackage(
                    id: $0.id, parent: $0.parent, level: $0.level, titles: ["en": "Renamed"], area: $0.area,
                    content: $0.content)
            })
        put(PackedCatalog.packed(renamed, of: told), box)
        #expect(try await title(box) == "Renamed")
        put(PackedCatalog.packed(renamed, of: "another"), box)
        #expect(try await title(box) == "North")
    }

    @Test("torn or gone it is made of the document again", .timeLimit(.minutes(1)))
    func torn() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        _ = try await title(box)
        let whole = try #require(box.box.cache.response(for: key(box))?.body)
        put(Array(whole.prefix(whole.count / 2)), box)
        #expect(try await title(box) == "North")
        #expect(box.box.cache.response(for: key(box))?.body == whole)
        box.box.cache.forget(key(box))
        #expect(try await title(box) == "North")
        #expect(box.box.cache.response(for: key(box))?.body == whole)
    }

    @Test("a new document of the server is what counts", .timeLimit(.minutes(1)))
    func renewed() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        _ = try await title(box)
        box.publishCountries(edition: 2)
        _ = try await box.loader().checkForUpdate()
        #expect(try await box.loader().package("north").edition?.version == PackageVersion("2"))
    }

    @Test(
        "a catalogue that a key was needed for is not kept so, for addresses in it may hold the key",
        .timeLimit(.minutes(1)))
    func secret() async throws {
        let box = try PackageFixture()
        box.publishCountries()
        box.serve(box.served("/catalog.json"), at: "/catalog.json?key=s3cr3t-k3y-0f-m1n3")
        _ = try await box.loader(of: box.address + "?key=s3cr3t-k3y-0f-m1n3").rootPackage()
        #expect(box.box.cache.response(for: key(box)) == nil)
        #expect(box.box.cache.response(for: .document(box.address))?.body == box.served("/catalog.json"))
    }

    private func put(_ bytes: [UInt8], _ box: PackageFixture) {
        box.box.cache.store(
            StoredResponse(
                body: bytes, freshness: Freshness(receivedAt: box.box.now, initialAge: 0, lifetime: 0)),
            for: key(box))
    }
}
