import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests regions that are downloaded while the disk has no room for their index.
struct SearchDiskTests {
    private static func tile(_ tile: TileID) -> [UInt8] {
        let places = (0..<40).map { place in
            VectorTileFixture.Feature(
                .point, through: [(place * 90 + 9, 100)],
                [("name", .string("Bottega \(tile.x) di \(place)")), ("kind", .string("clothes"))])
        }
        return VectorTileFixture([("pois", places)]).bytes
    }

    private static func serve(_ host: TileHost) {
        host.answer { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, Gzip.packed(tile($0)), headers: ["Cache-Control": "max-age=600"])
            }
        }
    }

    @Test
    func
        `a region is downloaded completely while its index finds the disk full, and indexing continues later`()
        async throws
    {
        let box = try RegionFixture()
        Self.serve(box.host)
        let source = try box.source { $0.isVector = true },
            area = try require(Bounds(west: 0.1, south: 0.1, east: 1.3, north: 1.3))
        let definition = try RegionDefinition(
            id: RegionID("home"), geometry: .box(area), zooms: ZoomRange(7, 11), sources: ["web"],
            features: ["rendering", "offlineSearch"], packing: .exact)
        let path = OfflineSearchEngine.indexPath(of: box.store.path), index = SearchIndex(path),
            indexer = SearchIndexer(index, StoreTiles(box.store.path))
        let problem = Mutex<String?>(nil), isFull = Mutex(false), stored = StoreTiles(box.store.path)
        let thread = IndexingThread { isStopped in
            // After the first tile, there is room for only one page.
            guard (try? stored.sources().isEmpty) == false else { return false }
            if isFull.withLock({ was in
                defer { was = true }; return !was
            }) {
                try? Self.fill(index)
            }
            let isDone = indexer.work(isStopped: isStopped)
            if let new = indexer.progress.problem { problem.withLock { $0 = new } }
            return isDone
        }
        let record = try await box.download(definition, source), end = ContinuousClock.now + .seconds(60)
        while problem.withLock({ $0 }) == nil, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        thread.stop()
        #expect(problem.withLock { $0 }?.contains("the disk is full") == true)
        let tiles = try box.tiles(definition)
        #expect(record.state == .complete && tiles.count > 60)
        for tile in tiles {
            #expect(
                box.store.response(for: .tile(origin: source.origin, tile))?.body
                    == Gzip.packed(Self.tile(tile)))
        }
        let later = SearchIndexer(SearchIndex(path), StoreTiles(box.store.path)),
            last = try #require(tiles.max())
        #expect(later.work { false } && later.progress.isComplete)
        let found = try later.index.search(SearchQuestion("bottega \(last.x) di 39", near: nil, limit: 5))
        #expect(found.first?.feature.name == "Bottega \(last.x) di 39")
    }

    private static func fill(_ index: SearchIndex) throws {
        _ = try index.write { (writer) throws(StoreFailure) in
            try writer.connection.integer(
                "PRAGMA max_page_count = \(writer.connection.integer("PRAGMA page_count") + 1)")
        }
    }

    /// True if a test may mount a small disk on this machine.
    static let hasSmallDisks: Bool = {
        let child = ChildProgram(
            "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /mnt"],
            environment: ["PATH": "/usr/bin:/bin"], errors: "/dev/null")
        return child.wait() == 0
    }()

    @Test(.enabled(if: hasSmallDisks))
    func `the last free space belongs to the region: its index waits, says so, and is built with more room`()
        async throws
    {
        let box = try CommandFixture(), data = box.folder.path + "/data"
        Self.serve(box.host)
        let list: JSON = [
            "sources": [
                [
                    "id": "web", "url": .string(box.host.server.url("/{z}/{x}/{y}")), "vector": true,
                    "maxzoom": 11, "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        mkdir(data, 0o700)
        let places = box.places.joined(separator: " "), rhumb = CommandFixture.program
        let script = """
            mount -t tmpfs -o size=12m none \(data) || exit 9
            \(rhumb) region add home --source web \(CommandFixture.area.joined(separator: " ")) \(places) >&2; echo "added $?"
            \(rhumb) search "bottega 1024 di 39" --in home \(places); echo "searched $?"
            mount -o remount,size=100m \(data)
            \(rhumb) search "bottega 1024 di 39" --in home \(places); echo "again $?"
            """
        let run = await ProgramRun.of(
            "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script], environment: box.environment)
        let lines = run.output.split(separator: "\n")
        #expect(
            lines.first == "added 0" && lines.last == "again 0" && run.output.contains("Bottega 1024 di 39"),
            "\(run)")
        #expect(
            lines.dropFirst().first == "searched 1" && run.errors.contains("less than 16 MB free"), "\(run)")
    }
}
