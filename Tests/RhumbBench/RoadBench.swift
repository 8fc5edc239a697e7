internal import Rhumb
internal import RhumbStore
internal import RhumbTestSupport

/// Measures routes on stored tiles. Needs the map of Florence.
enum RoadBench {
    static func rows() -> [BenchRow] {
        guard let path = TestData.folder.map({ $0 + "/firenze-vector.pmtiles" }),
            let archive = try? Archive.open(path), let key = ArchiveTiles.key(path)
        else { return [] }
        let tiles = ArchiveTiles(), folder = TemporaryFolder(), index = folder.path + "/florence.search.db"
        tiles.add(archive, path: path)
        let clock = ContinuousClock(),
            stored = tiles.tiles(of: key).filter { $0.tile.zoom == 14 }
        var bytes = 0
        let time = clock.measure {
            for tile in stored {
                let roads =
                    tiles.body(tile.tile, of: key).flatMap { try? VectorTile($0) }.map { TileRoads($0) }
                    ?? TileRoads()
                for isMain in [true, false] { bytes += Gzip.packed(roads.packed(isMain: isMain)).count }
            }
        }
        let indexer = SearchIndexer(SearchIndex(index), tiles)
        while !indexer.work(isStopped: { false }), indexer.progress.problem == nil {}
        let size = Double((FileFacts(path)?.size).map { Int($0) } ?? 1)
        return [
            BenchRow(
                name: "5 km in Florence, index not built: p95", value: p95(tiles, nil), unit: "ms",
                anchor: "goal 300 ms"),
            BenchRow(
                name: "5 km in Florence, index built: p95", value: p95(tiles, index), unit: "ms",
                anchor: "goal 30 ms"),
            BenchRow(
                name: "roads in the index, of the tiles' bytes", value: Double(bytes) / size * 100, unit: "%",
                anchor: "goal 15 %"),
            BenchRow(
                name: "tiles whose roads are read and packed, a second",
                value: Double(stored.count) / (time / .seconds(1)), unit: "tiles", anchor: "goal 100"),
            long(),
        ].compactMap(\.self)
    }

    private static let start = Coordinate(latitude: 43.7750, longitude: 11.2500)

    /// The 95th percentile of routes across the city, each with tiles that are not in memory.
    private static func p95(_ tiles: ArchiveTiles, _ index: String?) -> Double {
        var random = SplitMix(seed: 65), times: [Double] = []
        let clock = ContinuousClock()
        while times.count < 60 {
            func place() -> Coordinate {
                Coordinate(
                    latitude: Double.random(in: 43.75...43.80, using: &random),
                    longitude: Double.random(in: 11.21...11.30, using: &random))
            }
            let request = RouteRequest(from: place(), to: place())
            guard (4000...6000).contains(request.places[0].metres(to: request.places[1])) else { continue }
            let roads = StoredRoads { [(tiles, index)] }
            times.append(clock.measure { _ = try? roads.routes(request) } / .milliseconds(1))
        }
        return times.sorted()[57]
    }

    /// A route of 200 km through repetitions of a tile with main roads and small streets; nil if there is
    /// none.
    private static func long() -> BenchRow? {
        let lines = (0..<24).map { number -> VectorTileFixture.Feature in
            let at = 170 + number / 2 * 340, isMain = number / 2 % 6 == 0
            let corners = [-64] + (0..<12).map { 170 + $0 * 340 } + [4160]
            let road: [(String, VectorValue)] = [("class", .string(isMain ? "secondary" : "minor"))]
            return .init(.line, through: corners.map { number % 2 == 0 ? ($0, at) : (at, $0) }, road)
        }
        guard let tile = try? VectorTile(VectorTileFixture([("transportation", lines)]).bytes) else {
            return nil
        }
        let roads = TileRoads(tile), main = roads.packed(isMain: true), others = roads.packed(isMain: false)
        let router = RoadRouter(zoom: 14) { _, isMainOnly in
            var copy = TileRoads()
            return copy.add(packed: main) && (isMainOnly || copy.add(packed: others)) ? copy : nil
        }
        let request = RouteRequest(from: start, to: Coordinate(latitude: 45.2, longitude: 12.8))
        guard let routes = try? router.routes(request), routes[0].distance > 200_000 else { return nil }
        let timing = Timing(runs: 2) { _ = try? router.routes(request) }
        return BenchRow(
            name: "200 km through repeated tiles", value: timing.best, unit: "ms", anchor: "goal 2,000 ms")
    }
}
