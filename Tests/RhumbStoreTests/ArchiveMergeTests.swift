import Glibc
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

struct ArchiveMergeTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/all.pmtiles" }

    private func input(
        _ fixture: ArchiveFixture, _ format: ArchiveFixture.Format, _ name: String
    ) throws
        -> ArchiveInput
    {
        try fixture.write(format, in: folder, as: name)
    }

    /// Two archives that share zoom 2, with different bodies there.
    private func pair() throws -> [ArchiveInput] {
        let first = ArchiveFixture(zooms: 0...2)
        var second = ArchiveFixture(zooms: 2...3)
        for tile in second.tiles.keys where tile.zoom == 2 {
            second.tiles[tile] = blankPicture(RGB(0x123456))
        }
        second.name = "Another map"
        second.attribution = "© Others"
        second.bounds = [-10, -50, 90, 10]
        second.more["extra"] = "yes"
        return [try input(first, .mbtiles, "a"), try input(second, .folder, "b")]
    }

    private func merged() throws -> any TileArchive { try Archive.open(path, probe: imageProbe) }

    @Test func `the first or the last archive provides a tile that both have`() throws {
        let inputs = try pair(), shared = try #require(TileID(zoom: 2, x: 1, y: 3))
        for (rule, owner) in [(ArchiveMerge.DuplicateRule.first, 0), (.last, 1)] {
            let merge = try ArchiveMerge(of: inputs, to: path, onDuplicate: rule, isReplacing: true)
            let summary = try merge.run()
            #expect(summary.duplicates == 16 && summary.archive.tiles == 1 + 4 + 16 + 64)
            #expect(try merged().storedBody(shared) == inputs[owner].archive.storedBody(shared))
        }
    }

    @Test func `the archive that was changed last provides a tile`() throws {
        let inputs = try pair(), shared = try #require(TileID(zoom: 2, x: 1, y: 3))
        let file = try #require((inputs[1].archive as? TileFolder)?.file(of: shared))
        for (time, owner) in [(1_000_000_000, 0), (4_000_000_000, 1)] {
            var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
            utimes(file, &times)
            _ = try ArchiveMerge(of: inputs, to: path, onDuplicate: .newest, isReplacing: true).run()
            #expect(try merged().storedBody(shared) == inputs[owner].archive.storedBody(shared))
        }
    }

    @Test func `vector tiles are united with overlay, and images are refused`() throws {
        var trails = ArchiveFixture(vectorZooms: 1...2)
        for tile in trails.tiles.keys {
            trails.tiles[tile] = VectorTileFixture([("trails", [.init(.point, [9, 2, 2])])]).bytes
        }
        trails.more["vector_layers"] = [["id": "trails", "fields": [:]]]
        let base = try input(ArchiveFixture(vectorZooms: 0...1), .pmtiles, "base")
        let inputs = [base, try input(trails, .mbtiles, "trails")]
        let summary = try ArchiveMerge(of: inputs, to: path, onDuplicate: .overlay).run()
        #expect(summary.duplicates == 4 && summary.archive.tiles == 21)
        let archive = try merged(), found = try archive.verify()
        #expect(found.faultCount == 0, "\(found)")
        for (tile, names) in [(0, ["roads"]), (1, ["roads", "trails"]), (2, ["trails"])] {
            let place = try #require(TileID(zoom: tile, x: 0, y: 0))
            let body = try Gzip.unpacked(#require(try archive.storedBody(place)))
            #expect(try VectorTile(body).layerNames == names)
        }
        let pictures = try pair()
        #expect {
            try ArchiveMerge(of: pictures, to: path, onDuplicate: .overlay, isReplacing: true).run()
        } throws: {
            ($0 as? ArchiveCopyFailure)?.reason == .mixedInputs
        }
    }

    @Test func `layers of MapLibre Tiles are united unless different ones have one name`() throws {
        func layer(_ name: String, _ points: Int) -> [UInt8] {
            MapLibreTileFixture.layer(name, [MapLibreTileFixture.points(points)])
        }
        func inputs(_ second: [UInt8]) throws -> [ArchiveInput] {
            try [layer("roads", 2) + layer("water", 3), second].enumerated().map { at, body in
                var fixture = ArchiveFixture(vectorZooms: 0...0)
                fixture.tiles[.world] = body
                fixture.more["format"] = "mlt"
                return try input(fixture, at == 0 ? .pmtiles : .folder, "mlt\(body.count)")
            }
        }
        _ = try ArchiveMerge(
            of: inputs(layer("water", 3) + layer("trails", 1)), to: path, onDuplicate: .overlay
        ).run()
        let body = try Gzip.unpacked(#require(try merged().storedBody(.world)))
        #expect(body == layer("roads", 2) + layer("water", 3) + layer("trails", 1))
        let others = try inputs(layer("water", 4))
        #expect {
            try ArchiveMerge(of: others, to: path, onDuplicate: .overlay, isReplacing: true).run()
        } throws: {
            ($0 as? TileFailure)?.message.contains("different layers \"water\"") == true
        }
    }

    @Test func `a tile in two archives is an error by default, and nothing is left`() throws {
        let inputs = try pair()
        #expect { try ArchiveMerge(of: inputs, to: path).run() } throws: {
            let failure = $0 as? ArchiveCopyFailure
            return failure?.reason == .duplicate && failure?.problem.contains(inputs[0].path) == true
        }
        #expect(folder.names == ["a.mbtiles", "b"])
    }

    @Test func `the metadata of all archives is united`() throws {
        _ = try ArchiveMerge(of: try pair(), to: path, onDuplicate: .first).run()
        let archive = try merged()
        #expect(archive.info.name == "A map" && archive.info.attribution == "© Someone, © Others")
        #expect(archive.metadata["extra"] == "yes")
        #expect(archive.info.bounds == Bounds(west: -90, south: -50, east: 90, north: 60))
    }

    @Test func `the layers of vector tiles are united`() throws {
        let first = ArchiveFixture(vectorZooms: 0...1)
        var second = ArchiveFixture(vectorZooms: 2...2)
        second.more["vector_layers"] = [
            ["id": "water", "fields": [:]], ["id": "roads", "fields": ["oneway": "Boolean"], "minzoom": 2],
        ]
        let inputs = [try input(first, .pmtiles, "a"), try input(second, .mbtiles, "b")]
        _ = try ArchiveMerge(of: inputs, to: path).run()
        #expect(
            try merged().metadata["vector_layers"] == [
                ["id": "roads", "fields": ["name": "String", "oneway": "Boolean"], "minzoom": 0],
                ["id": "water", "fields": [:]],
            ])
        #expect(try merged().metadata["tilestats"] == nil)
    }

    @Test func `archives of different types or sizes are refused by name`() throws {
        let pictures = try input(ArchiveFixture(zooms: 0...1), .mbtiles, "a")
        let vectors = try input(ArchiveFixture(vectorZooms: 2...2), .mbtiles, "b")
        let large = try input(
            ArchiveFixture([.world: blankPicture(RGB(0), side: 512)]), .pmtiles, "large")
        let small = try input(ArchiveFixture([.world: blankPicture(RGB(0), side: 256)]), .pmtiles, "small")
        for inputs in [[pictures, vectors], [small, large]] {
            #expect { try ArchiveMerge(of: inputs, to: path, onDuplicate: .first).run() } throws: {
                let failure = $0 as? ArchiveCopyFailure
                return failure?.reason == .mixedInputs && failure?.file == inputs[1].path
                    && failure?.problem.contains(inputs[0].path) == true
            }
        }
        #expect(!folder.names.contains { $0.hasPrefix("all") })
    }

    @Test func `the output must not be an input`() throws {
        let inputs = try pair()
        #expect { try ArchiveMerge(of: inputs, to: inputs[0].path, isReplacing: true) } throws: {
            ($0 as? ArchiveCopyFailure)?.reason == .sameFile
        }
    }

    @Test func `parts of an archive merge to the whole`() throws {
        let fixture = ArchiveFixture(zooms: 0...5)
        let whole = try input(fixture, .pmtiles, "whole")
        let parts = try (0..<4).map { part in
            var some = fixture
            some.tiles = fixture.tiles.filter { ($0.key.x + $0.key.y) % 4 == part }
            return try input(some, ArchiveFixture.Format.allCases[part], "part\(part)")
        }
        _ = try ArchiveMerge(of: parts, to: path).run()
        let diff = try ArchiveDiff(whole, ArchiveInput(path, merged()))
        #expect(diff.zooms.allSatisfy { $0.added + $0.removed + $0.changed == 0 } && diff.zooms.count == 6)
    }
}
