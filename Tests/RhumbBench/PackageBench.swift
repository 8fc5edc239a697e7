internal import Glibc
internal import Rhumb
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import RhumbTestSupport

/// Measures package catalogues: opening a stored one, and finding the package at a place.
enum PackageBench {
    private static let count = 10_000

    static func rows() async -> [BenchRow] {
        guard let catalog = try? catalog, let kept = try? KeptCatalog(catalog.json.text) else { return [] }
        return await opening(kept)
            + places(of: (try? PackageTree(catalog.packages)), "\(AmountText.count(count)) packages")
            + countries()
    }

    private static func opening(_ kept: KeptCatalog) async -> [BenchRow] {
        guard await kept.loader().tree() else { return [] }
        let times = await kept.times(runs: 20)
        return [
            BenchRow(
                name:
                    "tree of \(AmountText.count(count)) packages, from a stored catalogue of \(AmountText.bytes(kept.bytes))",
                value: times[0], unit: "ms",
                anchor: "at most 50; p95 \(Int(times[times.count * 95 / 100].rounded()))")
        ]
    }

    private static func places(of tree: PackageTree?, _ what: String) -> [BenchRow] {
        guard let tree else { return [] }
        var generator = SplitMix(seed: 14)
        let places = (0..<200).map { _ in
            Coordinate(
                latitude: .random(in: -80...80, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
        }
        let times = places.map { place in Timing(runs: 3) { _ = tree.at(place) }.best }.sorted()
        return [
            BenchRow(
                name: "package at a place, of \(what): the slowest of 200", value: times[199], unit: "ms",
                anchor: "at most 5; half of them \(Int(times[100] * 1000)) µs")
        ]
    }

    private static func countries() -> [BenchRow] {
        let make = { try? PackageCatalog.countries(of: "https://tiles.example/{z}/{x}/{y}.png") }
        let clock = ContinuousClock()
        var catalog: PackageCatalog?
        let time = clock.measure { catalog = make() }
        return [
            BenchRow(
                name: "the countries and provinces of the world, the first time",
                value: time / .milliseconds(1), unit: "ms", anchor: "")
        ] + places(of: catalog.flatMap { try? PackageTree($0.packages) }, "those")
    }

    // MARK: The catalogue

    /// A catalogue of continents, countries and provinces, each with an outline of 24 vertices.
    private static var catalog: PackageCatalog {
        get throws {
            var generator = SplitMix(seed: 10_000)
            var packages = [
                CatalogPackage(
                    id: "world", parent: nil, level: .world, titles: ["en": "World"], area: nil, content: nil)
            ]
            for at in 1...7 {
                packages.append(package("continent\(at)", in: "world", .continent, reach: nil, &generator))
            }
            for at in 1...250 {
                packages.append(
                    package("country\(at)", in: "continent\(at % 7 + 1)", .country, reach: 4, &generator))
            }
            for at in packages.count..<count {
                packages.append(
                    package("province\(at)", in: "country\(at % 250 + 1)", .province, reach: 0.8, &generator))
            }
            return try PackageCatalog(id: "bench", titles: ["en": "Bench"], packages: packages)
        }
    }

    private static func package(
        _ id: String, in parent: String, _ level: CatalogPackage.Level, reach: Double?,
        _ generator: inout SplitMix
    ) -> CatalogPackage {
        let place = Position(
            longitude: .random(in: -170...170, using: &generator),
            latitude: .random(in: -70...70, using: &generator))
        let editions = ["2026.45", "2026.46", "2026.47"].compactMap(PackageVersion.init).map {
            PackageEdition(
                $0, date: "2026-11-22", bytes: 123_456_789, featureBytes: ["detailRendering": 2_345_678])
        }
        return CatalogPackage(
            id: id, parent: parent, level: level,
            titles: ["en": "Package \(id)", "fi": "Paketti \(id)", "ja": "パッケージ\(id)"],
            area: reach.flatMap { PackageArea(polygons: [[ring(round: place, $0)]]) },
            content: reach.map { _ in .archive("https://maps.example/\(id).pmtiles") },
            editions: reach == nil ? [] : editions)
    }

    private static func ring(round place: Position, _ reach: Double) -> [Position] {
        (0..<24).map { corner in
            let turn = Double(corner) / 24 * 2 * Double.pi
            func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
            return Position(
                longitude: rounded(place.longitude + reach * cos(turn)),
                latitude: rounded(place.latitude + reach * sin(turn)))
        }
    }
}

/// A catalogue stored in a cache, opened by newly started programs.
private struct KeptCatalog {
    let bytes: Int
    private let folder = TemporaryFolder()
    private let server: LoopbackServer
    private let cache: SharedCache
    private let regions: Regions
    private let client: HTTPClient
    private let address: String

    init(_ text: String) throws {
        let document = Array(text.utf8)
        bytes = document.count
        server = try LoopbackServer { _ in
            LoopbackReply(200, document, headers: ["Cache-Control": "max-age=3600"])
        }
        var options = SharedCache.Options()
        options.quota = 1 << 30
        cache = try SharedCache.open(folder.path + "/tiles.db", options)
        regions = Regions(try RegionStore(folder.path + "/regions.db"), cache: nil)
        client = HTTPClient(ClientOptions(userAgent: .rhumb(version: "bench")))
        address = server.url("/catalog.json")
    }

    func loader() -> MapLoader {
        MapLoader(
            address, regions: regions,
            opener: WebSourceOpener(loader: DocumentLoader(client, store: cache), environment: { _ in nil }))
    }

    /// Returns the times in milliseconds, in ascending order.
    func times(runs: Int) async -> [Double] {
        cache.flush()
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<runs {
            let loader = loader()
            times.append(await clock.measure { _ = await loader.tree() } / .milliseconds(1))
        }
        return times.sorted()
    }
}

extension MapLoader {
    /// Returns true if the tree could be read.
    fileprivate func tree() async -> Bool { (try? await rootPackage()) != nil }
}
