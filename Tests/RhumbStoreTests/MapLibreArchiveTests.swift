import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests archives of MapLibre Tiles.
struct MapLibreArchiveTests {
    private typealias Tile = MapLibreTileFixture

    private let folder = TemporaryFolder()
    private let bodies: [TileID: [UInt8]]

    init() {
        bodies = Dictionary(
            uniqueKeysWithValues: TileID.pyramid(0...2).map { tile in
                (tile, Tile.layer("roads", [Tile.points(1 + tile.x), Self.numbers(1 + tile.x, tile.y)]))
            })
    }

    private static func numbers(_ count: Int, _ value: Int) -> Tile.Column {
        ([18] + Tile.text("lanes"), Tile.numbers(0x10, [Int](repeating: value, count: count)))
    }

    /// Returns a PMTiles archive that declares its layer.
    private func fixture(_ bodies: [TileID: [UInt8]]) -> PMTilesFixture {
        var fixture = PMTilesFixture(bodies.map { ($0.key, Gzip.packed($0.value)) })
        fixture.metadata = Array(
            #"{"name":"A map","vector_layers":[{"id":"roads","fields":{"lanes":"Number"}}]}"#.utf8)
        fixture.patches = [(98, 2), (99, 6)]
        return fixture
    }

    private func open(_ fixture: PMTilesFixture) throws -> ArchiveInput {
        let path = folder.write(fixture.bytes, to: "map.pmtiles")
        return ArchiveInput(path, try Archive.open(path))
    }

    @Test func `an archive is shown, verified, measured and summarised like one of other vector tiles`()
        throws
    {
        let input = try open(fixture(bodies)), archive = input.archive
        #expect(archive.refusal?.reason == .vectorTiles && archive.declaredContent.kind == .mapLibre)
        #expect(try archive.tile(.world) == .bitmap(.encoded(#require(bodies[.world]))))
        let check = try archive.verify()
        #expect(check.unchecked == nil && check.tileCount == 21)
        #expect(check.groups.allSatisfy { $0.kind == .bounds }, "\(check.groups)")
        let schema = try archive.schema(of: input.path)
        #expect(schema.layers.map(\.name) == ["roads"] && schema.layers[0].fieldZooms["lanes"] == [0, 1, 2])
        #expect(
            schema.layers[0].summary.fields["lanes"]?.maximum == .number(3) && !schema.differsFromMetadata)
        var options = ArchiveStatistics.Options()
        options.measuresLayers = true
        let sizes = try archive.statistics(of: input.path, options)
        #expect(sizes.layers?.map(\.name) == ["roads"] && sizes.layers?[0].size.features == 47)
        #expect(try archive.value(of: .world, by: .features) == 1)
        #expect(try archive.inspect(checksContents: true).kinds.map(\.kind) == [.mapLibre])
    }

    @Test(arguments: ArchiveCopyTests.outputs)
    func `a converted archive has the same tiles and declares their format`(output: String) throws {
        let input = try open(fixture(bodies)), path = folder.path + "/" + output
        _ = try ArchiveCopy(of: input, to: path).convert()
        let copy = ArchiveInput(path, try Archive.open(path))
        #expect(copy.archive.refusal?.reason == .vectorTiles)
        #expect(copy.archive.declaredContent.kind == .mapLibre)
        #expect(try ArchiveDiff(input, copy).isEqual)
        for (tile, body) in bodies { #expect(try copy.archive.tile(tile) == .bitmap(.encoded(body))) }
        #expect(ArchiveMetadata(copy.archive).members["vector_layers"]?.array?.count == 1)
    }

    @Test(arguments: ["mlt", "application/vnd.maplibre-tile", "application/vnd.maplibre-vector-tile", "pbf"])
    func `MBTiles with any name of the format are read`(format: String) throws {
        let path = try MBTilesFixture(
            bodies.map { ($0.key, $0.value) }, metadata: [("name", "a"), ("format", format)]
        ).write(in: folder)
        let archive = try Archive.open(path)
        #expect(archive.refusal?.reason == .vectorTiles)
        let isDeclared = format != "pbf"
        #expect(try archive.verify().has(.format) == !isDeclared)
    }

    @Test func `tiles in another format than declared are reported`() throws {
        var other = bodies
        other[.world] = ArchiveFixture.vectorTile(.world)
        let input = try open(fixture(other)), found = try input.archive.verify()
        let faults = found.groups.first { $0.kind == .format }?.faults
        #expect(faults?.map(\.problem) == ["it is a vector tile, not a MapLibre tile"])
        #expect(faults?.map(\.location) == [.tile(.world)])
    }

    @Test func `layers of the experimental version are reported`() throws {
        var other = bodies
        other[.world]? += Tile.frame([1, 2, 3], tag: 2)
        let input = try open(fixture(other)), found = try input.archive.verify()
        let words = "1 layer in the experimental version 2 of MapLibre Tiles"
        #expect(
            found.groups.first { $0.kind == .content }?.faults.map(\.problem) == [
                "it has \(words), which Rhumb skips"
            ])
        #expect(try input.archive.schema(of: input.path).problems.examples.first?.contains(words) == true)
    }

    @Test func `archives of both formats are not merged`() throws {
        let input = try open(fixture(bodies))
        let other = try ArchiveFixture(vectorZooms: 0...1).write(.mbtiles, in: folder, as: "other")
        #expect(throws: ArchiveCopyFailure.self) {
            try ArchiveMerge(of: [input, other], to: folder.path + "/new.pmtiles", onDuplicate: .first).run()
        }
    }

    @Test func `an uncompressed tile that begins like zlib data is read`() throws {
        let text = String(repeating: "n", count: 0x78 - 1 - 12)
        let body = Tile.frame(Array(Tile.layer(text, [Tile.points(1)]).dropFirst(2)).prefix(0x77).map { $0 })
        #expect(body.starts(with: [0x78, 0x01]))
        #expect(!Gzip.isWrapped(body) && TileKind(of: body) == .mapLibre)
    }
}
