internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore
internal import RhumbTestSupport

/// Measures the search in stored tiles: building the index of a city, its size, and the share of searches
/// whose first result is the expected one.
enum SearchBench {
    @Sendable static func rows() -> [BenchRow] {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let real = (TestData.folder ?? "") + "/firenze-vector.pmtiles", isReal = access(real, R_OK) == 0
        let path = isReal ? real : SyntheticCity.write(into: folder), city = isReal ? "Florence" : "a city"
        guard let archive = try? PMTilesArchive(path) else { return [] }
        let names = folding
        let index = SearchIndex(folder.path + "/city.search.db", names: names), archives = ArchiveTiles(),
            withoutRoads = SearchIndex(folder.path + "/names.search.db", names: names)
        archives.add(archive, path: path)
        let start = ContinuousClock.now
        guard SearchIndexer(index, archives).work(isStopped: { false }) else { return [] }
        let seconds = start.duration(to: .now) / .seconds(1)
        guard SearchIndexer(withoutRoads, archives, wantsRoads: { _ in false }).work(isStopped: { false })
        else { return [] }
        let bytes = max(storedBytes(of: archive), 1)
        let wanted = RandomNames(archive, count: 100)
        return [
            BenchRow(name: "\(city): indexing all tiles", value: seconds, unit: "s", anchor: ""),
            BenchRow(
                name: "\(city): index of names, of the tiles' bytes",
                value: 100 * Double(withoutRoads.bytesOnDisk) / bytes, unit: "%", anchor: "at most 20"),
            BenchRow(
                name: "\(city): the same with the roads for routes",
                value: 100 * Double(index.bytesOnDisk) / bytes, unit: "%", anchor: ""),
            BenchRow(
                name: "\(city): 100 random names, first", value: wanted.first(in: index) { $0 }, unit: "",
                anchor: "at least 97"),
            BenchRow(
                name: "\(city): the same with one slip, first",
                value: wanted.first(in: index, RandomNames.slip), unit: "", anchor: "at least 90"),
            BenchRow(
                name: "\(city): asked from beside, that one", value: wanted.beside(in: index), unit: "%",
                anchor: ""),
        ]
    }

    /// Returns the bytes of all tiles as stored. In the file, equal tiles are stored once.
    private static func storedBytes(of archive: PMTilesArchive) -> Double {
        var sum = 0
        try? archive.eachTile { sum += try archive.storedBody($0)?.count ?? 0 }
        return Double(sum)
    }

    /// The folding of the gazetteer.
    private static var folding: NameFolding {
        (try? Gazetteer(file: "Assets/places.db"))?.folding ?? NameFolding()
    }

    // MARK: Five million features

    @Sendable static func largeRows() -> [BenchRow] {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let index = SearchIndex(folder.path + "/large.search.db", names: folding)
        let start = ContinuousClock.now
        guard SearchIndexer(index, ManyTiles()).work(isStopped: { false }) else { return [] }
        let minutes = start.duration(to: .now) / .seconds(60)
        let here = SyntheticCity.place
        func question(_ text: String) -> SearchQuestion { SearchQuestion(text, near: here, limit: 20) }
        let words = ["trattoria bellini", "via dei cedri", "museo", "farmacia galli"]
        let begun = words.flatMap { word in (1...word.count).map { String(word.prefix($0)) } }
        let opened = SearchIndex(index.path, names: folding)
        opened.prepare()
        let first = begun.map { text in milliseconds { _ = try? opened.search(question(text)) } }
        let again = begun.map { text in milliseconds { _ = try? opened.search(question(text)) } }
        let slips = ["tratoria belini", "vai dei cedri", "farmcia"].map { text in
            milliseconds { _ = try? opened.search(question(text)) }
        }
        let kinds = ["pharmacy", "museum", "restaurant", "peak"].map { word in
            milliseconds {
                var asked = question("")
                asked.kind = SearchKind(word: word)
                _ = try? opened.search(asked)
            }
        }
        return [
            BenchRow(name: "5 million things: indexing", value: minutes, unit: "min", anchor: ""),
            BenchRow(
                name: "bytes of the index for each",
                value: Double(index.bytesOnDisk) / Double(ManyTiles.things), unit: "B", anchor: ""),
            BenchRow(
                name: "slowest key, just opened, processor", value: first.max() ?? 0, unit: "ms",
                anchor: "at most 20"),
            BenchRow(
                name: "slowest key, in use, processor", value: again.max() ?? 0, unit: "ms",
                anchor: "at most 20"),
            BenchRow(
                name: "slowest word with a typing mistake, processor", value: slips.max() ?? 0, unit: "ms",
                anchor: "at most 20"),
            BenchRow(
                name: "nearest of a kind, slowest of four, processor", value: kinds.max() ?? 0, unit: "ms",
                anchor: "at most 10"),
        ]
    }

    /// Returns the processor time of this thread in milliseconds, which doesn't depend on the load of the
    /// machine.
    private static func milliseconds(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        body()
        return now() - start
    }
}

/// Names drawn at random from the tiles of an archive, with measurements of how well they are found.
private struct RandomNames {
    private let chosen: [FeatureMatch]

    init(_ archive: PMTilesArchive, count: Int) {
        var all: [FeatureMatch] = []
        try? archive.eachTile { tile in
            guard tile.zoom == archive.info.zooms.upperBound,
                case .bitmap(.encoded(let bytes))? = try archive.tile(tile),
                let read = try? VectorTile(bytes)
            else { return }
            all += TileFeatures(read, at: tile).features.filter { $0.name.count > 2 }.map {
                FeatureMatch($0, in: tile)
            }
        }
        var random = SplitMix(seed: 17)
        all.sort {
            ($0.name, $0.coordinate.latitude, $0.coordinate.longitude) < (
                $1.name, $1.coordinate.latitude, $1.coordinate.longitude
            )
        }
        chosen = (0..<min(count, all.count)).map { _ in all[Int(random.next() % UInt64(all.count))] }
    }

    /// Returns the share of searches whose first result has the expected name and kind.
    func first(in index: SearchIndex, _ change: (String) -> String) -> Double {
        let hits = chosen.count { wanted in
            let question = SearchQuestion(change(wanted.name), near: SyntheticCity.place, limit: 10)
            guard let first = try? index.search(question).first?.feature else { return false }
            let isNamed =
                (first.name == wanted.name || first.otherName == wanted.name)
                && (first.category == wanted.category || [.building, .other].contains(wanted.category))
            if !isNamed, getenv("RHUMB_BENCH_MISSES") != nil {
                print("      \(change(wanted.name)) (\(wanted.category)): \(first.name) (\(first.category))")
            }
            return isNamed
        }
        return Double(hits)
    }

    /// Returns the share of searches from nearby whose first result is exactly the expected feature.
    func beside(in index: SearchIndex) -> Double {
        let hits = chosen.count { wanted in
            let question = SearchQuestion(wanted.name, near: wanted.coordinate, limit: 10)
            let first = try? index.search(question).first?.feature
            return first.map {
                $0.coordinate.metres(to: wanted.coordinate) < 400
                    || $0.category == .street && $0.name == wanted.name
            } ?? false
        }
        return 100 * Double(hits) / Double(max(chosen.count, 1))
    }

    /// Returns the name with a letter in the middle swapped with the next one.
    static func slip(_ name: String) -> String {
        var letters = Array(name)
        let places = letters.indices.dropLast().filter {
            letters[$0].isLetter && letters[$0 + 1].isLetter && letters[$0] != letters[$0 + 1]
        }
        guard !places.isEmpty else { return name }
        let at = places[places.count / 2]
        letters.swapAt(at, at + 1)
        return String(letters)
    }
}

/// Tiles throughout a country, each with the same number of features, named from a few hundred words.
private struct ManyTiles: SearchableTiles {
    private static let side = 100
    private static let thingsOfTile = 500
    static var things: Int { side * side * thingsOfTile }
    private static let middle = TileID(zoom: 14, containing: Mercator.world(SyntheticCity.place))
    private static let kinds = [
        "restaurant", "pharmacy", "museum", "clothes", "school", "hotel", "bank", "parking", "church",
        "bus_stop",
    ]
    private static let first = [
        "Trattoria", "Farmacia", "Museo", "Via dei", "Via", "Piazza", "Scuola", "Albergo", "Bottega",
        "Chiesa di",
    ]
    private static let syllables = [
        "ce", "dri", "bel", "li", "ni", "gal", "ros", "si", "man", "to", "va", "le", "pin", "co", "ra", "fio",
    ]

    func sources() -> [(key: String, state: Int)] { [("many", 1)] }

    func tiles(of source: String) -> [StoredTile] {
        (0..<ManyTiles.side).flatMap { x in
            (0..<ManyTiles.side).compactMap { y in
                TileID(
                    zoom: 14, x: ManyTiles.middle.x + x - ManyTiles.side / 2,
                    y: ManyTiles.middle.y + y - ManyTiles.side / 2
                ).map { StoredTile($0, body: 1) }
            }
        }
    }

    func body(_ tile: TileID, of source: String) -> [UInt8]? {
        var writer = VectorTileWriter(layer: "pois", extent: 4096),
            random = SplitMix(seed: UInt64(tile.x << 20 | tile.y))
        func pick(_ list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }
        for _ in 0..<ManyTiles.thingsOfTile {
            let at = Int(random.next() % 10),
                place = VectorGeometry.Point(Int32(random.next() % 4096), Int32(random.next() % 4096))
            let name =
                "\(ManyTiles.first[at]) \(pick(ManyTiles.syllables))\(pick(ManyTiles.syllables))\(pick(ManyTiles.syllables))"
            writer.add(.point, [[place]], [("name", .string(name)), ("kind", .string(ManyTiles.kinds[at]))])
        }
        return writer.bytes
    }

    func isDamaged(_ tile: TileID, of source: String) -> Bool { false }

    func isGone(_ source: String) -> Bool { false }
}
