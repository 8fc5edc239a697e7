import Glibc
import Rhumb
import RhumbTestSupport
import Testing

/// A session with a cache in its own folder, and an archive of a small town.
private struct SearchedTown {
    let folder = TemporaryFolder()
    let session: MapSession
    static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world

    init() async throws {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)"))
        options.isOffline = true
        options.cache = folder.path + "/tiles.db"
        session = await MapSession.open(options)
    }

    var engine: OfflineSearchEngine { session.offlineSearch }

    @discardableResult
    func open() async throws -> String {
        typealias Feature = VectorTileFixture.Feature
        let tile = VectorTileFixture([
            (
                "roads",
                [
                    Feature(
                        .line, through: [(200, 2000), (3800, 2000)],
                        [("name", .string("Via dei Neri")), ("kind", .string("minor_road"))]),
                    Feature(
                        .line, through: [(200, 2600), (3800, 2600)],
                        [("name", .string("Via Larga")), ("kind", .string("minor_road"))]),
                ]
            ),
            (
                "pois",
                [
                    Feature(
                        .point, through: [(300, 300)],
                        [("name", .string("Farmacia Molteni")), ("kind", .string("pharmacy"))]),
                    Feature(
                        .point, through: [(600, 300)],
                        [("kind", .string("charging_station")), ("socket:type2", .number(4))]),
                    Feature(
                        .point, through: [(900, 300)],
                        [("kind", .string("truck_stop")), ("maxheight", .string("4.2"))]),
                    Feature(
                        .point, through: [(300, 3700)],
                        [("name", .string("Casino Grande di Larga")), ("kind", .string("attraction"))]),
                    Feature(
                        .point, through: [(3500, 3500)],
                        [("name", .string("Paris Palace")), ("kind", .string("attraction"))]),
                ]
            ),
            (
                "buildings",
                [
                    Feature(
                        .point, through: [(2000, 2030)],
                        [("addr_housenumber", .string("12")), ("addr_street", .string("Via dei Neri"))])
                ]
            ),
        ])
        var fixture = PMTilesFixture([(Self.tile, tile.bytes)])
        // Changes the header to uncompressed vector tiles.
        fixture.patches = [(98, 1), (99, 1)]
        let path = folder.write(fixture.bytes, to: "town.pmtiles")
        _ = try await session.opener.open(path)
        engine.catchUp { false }
        return path
    }

    static func place(_ x: Double, _ y: Double) -> Coordinate {
        let side = Double(1 << tile.zoom)
        return Mercator.coordinate(
            WorldPoint(x: (Double(tile.x) + x / 4096) / side, y: (Double(tile.y) + y / 4096) / side))
    }
}

struct OfflineSearchTests {
    private struct NoPlaces: PlaceSearch {
        func places(
            matching text: String, near: Coordinate?, limit: Int, forgives: Bool
        ) throws(PlaceSearchFailure) -> [PlaceMatch] { [] }
        func nearest(
            to point: Coordinate, minimumImportance: Double
        ) throws(PlaceSearchFailure) -> PlaceBearing? { nil }
        func places(
            in bounds: Bounds, minimumImportance: Double, limit: Int
        ) throws(PlaceSearchFailure) -> [NamedPlace] { [] }
    }

    /// Returns an engine with the gazetteer, which has indexed an archive.
    private func engine(_ town: SearchedTown, withPlacesAnd path: String) throws -> OfflineSearchEngine {
        let places = LazyPlaceSearch({ LayerConfiguration() }) { () throws(PlaceSearchFailure) in
            try Gazetteer(file: TestFiles.path("Assets/places.db"))
        }
        let engine = OfflineSearchEngine(places, regions: nil, cache: town.folder.path + "/tiles.db") {
            LayerConfiguration()
        }
        let archive: any TileArchive =
            path.hasSuffix(".mbtiles") ? try MBTilesArchive(path) : try PMTilesArchive(path)
        engine.add(archive, path: path)
        engine.catchUp { false }
        return engine
    }

    /// Returns an engine for the same stores, with an empty list of places.
    private func engine(
        _ town: SearchedTown, _ configuration: LayerConfiguration = LayerConfiguration()
    ) -> OfflineSearchEngine {
        OfflineSearchEngine(
            LazyPlaceSearch({ configuration }, open: { NoPlaces() }), regions: nil,
            cache: town.folder.path + "/tiles.db"
        ) { configuration }
    }

    @Test func `an opened archive is searched, and its index is written next to the cache`()
        async throws
    {
        let town = try await SearchedTown()
        try await town.open()
        let result = try engine(town).search(MapSearchQuery("farmacia", near: SearchedTown.tile.center))
        #expect(
            result.features.map(\.name) == ["Farmacia Molteni"] && result.isDownloadedHere
                && result.indexedShare == 1)
        #expect(access(town.folder.path + "/tiles.search.db", F_OK) == 0)
        town.session.close()
    }

    @Test func `a search is rejected while its feature is off, even at run time`() async throws {
        let town = try await SearchedTown()
        try town.session.configuration.enable(exactly: [.rendering])
        #expect(throws: SearchFailure.disabled(.disabled(.offlineSearch, wanted: "searching"))) {
            try town.engine.search(MapSearchQuery("a"))
        }
        #expect(throws: SearchFailure.disabled(.disabled(.offlineSearch, wanted: "searching"))) {
            try town.engine.describe(SearchedTown.tile.center)
        }
        town.session.close()
    }

    @Test func `without stored data a kind can't be searched, and a name is reported as not downloaded`()
        async throws
    {
        let town = try await SearchedTown()
        try await town.open()
        let far = Coordinate(latitude: -40, longitude: 100)
        var query = MapSearchQuery("", near: far, kind: SearchKind(.museum))
        #expect(throws: SearchFailure.layersNotDownloaded) { try engine(town).search(query) }
        query = MapSearchQuery("nowhere", near: far)
        #expect(try engine(town).search(query) == SearchResult([], isDownloadedHere: false))
        town.session.close()
    }

    @Test func `a search in a cancelled task is cancelled`() async throws {
        let town = try await SearchedTown()
        try await town.open()
        let engine = engine(town)
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { try engine.search(MapSearchQuery("farmacia")) }
        }.value
        #expect(throws: SearchFailure.cancelled) { try outcome.get() }
        town.session.close()
    }

    @Test func `a place has its street and house number`() async throws {
        let town = try await SearchedTown()
        try await town.open()
        let spot = try engine(town).describe(SearchedTown.place(2010, 2060))
        #expect(
            spot.address == "Via dei Neri 12" && spot.street?.name == "Via dei Neri" && spot.isDownloadedHere)
        #expect(try engine(town).describe(SearchedTown.place(3000, 2590)).address == "Via Larga")
        #expect(try engine(town).describe(Coordinate(latitude: 1, longitude: 1)).isDownloadedHere == false)
        town.session.close()
    }

    @Test func `a query for a place finds the features there, followed by those with its name`()
        async throws
    {
        let town = try await SearchedTown()
        try await town.open()
        var query = MapSearchQuery("via larga")
        query.spot = SearchedTown.place(2010, 2060)
        let found = try engine(town).search(query)
        #expect(
            found.features.map(\.name) == ["Via dei Neri 12", "Via dei Neri", "Via Larga"]
                && found.isDownloadedHere)
        query.limit = 1
        #expect(try engine(town).search(query).features.map(\.name) == ["Via dei Neri 12"])
        query = MapSearchQuery("")
        query.spot = Coordinate(latitude: 1, longitude: 1)
        #expect(try engine(town).search(query) == SearchResult([], isDownloadedHere: false))
        town.session.close()
    }

    @Test
    func `with a typing mistake, a nearby feature comes before a similar country far away`()
        async throws
    {
        let town = try await SearchedTown(), path = try await town.open()
        let engine = try engine(town, withPlacesAnd: path)
        let found = try engine.search(MapSearchQuery("farmcia", near: SearchedTown.tile.center, limit: 5))
            .matches.map { $0.title() }
        #expect(found.first == "Farmacia Molteni" && found.contains("France"), "\(found)")
        #expect(
            try engine.search(MapSearchQuery("helsnki", near: SearchedTown.tile.center)).matches.first?
                .title() == "Helsinki")
        town.session.close()
    }

    @Test(arguments: [("casino", "Casino Grande di Larga"), ("paris", "Paris"), ("london", "London")])
    func `a sight of the open map comes before a small town far away, but not before a city`(
        text: String, first: String
    ) async throws {
        let town = try await SearchedTown(), path = try await town.open()
        let engine = try engine(town, withPlacesAnd: path)
        let found = try engine.search(MapSearchQuery(text, near: SearchedTown.tile.center, limit: 5)).matches
            .map { $0.title() }
        #expect(found.first == first && found.count > 1, "\(found)")
        town.session.close()
    }

    @Test(arguments: [
        ("via dei neri, florence", "Via dei Neri"), ("Via dei Neri, Firenze", "Via dei Neri"),
        ("via dei neri 12, 50122 Firenze, Italia", "Via dei Neri 12"),
        ("via dei neri firenze", "Via dei Neri"), ("firenze via dei neri", "Via dei Neri"),
        ("50122 via dei neri", "Via dei Neri"), ("Firenze, Via dei Neri", "Via dei Neri"),
        ("12, via dei neri, firenze", "Via dei Neri 12"), ("farmacia molteni firenze", "Farmacia Molteni"),
    ])
    func `a street is found with its town or postal code`(text: String, name: String) async throws {
        let town = try await SearchedTown(), path = try await town.open()
        let engine = try engine(town, withPlacesAnd: path)
        for area in [MapSearchArea.everywhere, .archive(path)] {
            let found = try engine.search(MapSearchQuery(text, area: area))
            #expect(found.matches.first?.title() == name && found.note == nil, "\(found)")
            #expect(found.features.first?.metres == nil)
        }
        let far = Coordinate(latitude: 60, longitude: 22)
        let metres = try engine.search(MapSearchQuery(text, near: far)).features.first?.metres
        #expect(metres.map { $0 > 1_000_000 } == true)
        town.session.close()
    }

    @Test func `a street is not found in a town far away from it`() async throws {
        let town = try await SearchedTown(), path = try await town.open()
        let engine = try engine(town, withPlacesAnd: path)
        for text in ["via larga, helsinki", "via larga helsinki"] {
            #expect(try engine.search(MapSearchQuery(text)).features.isEmpty)
        }
        let unknown = try engine.search(MapSearchQuery("via larga, xyzzyville"))
        #expect(unknown.features.map(\.name) == ["Via Larga"])
        #expect(unknown.note == "no town named xyzzyville is known; showing via larga")
        town.session.close()
    }

    @Test(arguments: ["via dei neri 99", "via dei neri 99 b, firenze"])
    func `an unknown house number is named, and the street found`(text: String) async throws {
        let town = try await SearchedTown(), path = try await town.open()
        let found = try engine(town, withPlacesAnd: path).search(MapSearchQuery(text))
        #expect(found.features.first?.name == "Via dei Neri")
        #expect(found.note?.hasPrefix("Via dei Neri: the map has no house 99") == true)
        town.session.close()
    }

    struct RealMap {
        let file: String
        let town: String
        let center: Coordinate
        /// The number of tested names.
        static let sampleCount = 12
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: [
            RealMap(
                file: "monaco-omt.mbtiles", town: "Monaco",
                center: Coordinate(latitude: 43.735, longitude: 7.42)),
            RealMap(
                file: "firenze-vector.pmtiles", town: "Firenze",
                center: Coordinate(latitude: 43.77, longitude: 11.25)),
        ])
    func `streets of real maps are found under their names, alone and with the town`(
        map: RealMap
    ) async throws {
        let town = try await SearchedTown()
        let path = try #require(TestData.folder) + "/" + map.file
        let engine = try engine(town, withPlacesAnd: path)
        let all = try engine.search(
            MapSearchQuery("", near: map.center, kind: SearchKind(.street), limit: 20_000))
        let names = Set(all.features.map(\.name).filter { !$0.isEmpty }).sorted()
        #expect(names.count > 100)
        for index in stride(from: 0, to: names.count, by: max(names.count / RealMap.sampleCount, 1)) {
            let name = names[index]
            for text in [name, "\(name), \(map.town)", "\(name) \(map.town)"] {
                let found = try engine.search(MapSearchQuery(text, near: map.center, limit: 40))
                #expect(
                    found.features.contains { [$0.name, $0.otherName].contains(name) },
                    "\(text): \(found.matches.map { $0.title() })")
            }
        }
        town.session.close()
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: [
            "Boulevard Albert 1er 25 bis", "Quai Jean-Charles Rey 34 b", "Avenue de Monte-Carlo 7;9",
            "Avenue de Monte-Carlo 7;9, Monaco",
        ])
    func `a house is found under the address that Rhumb shows for it`(text: String) async throws {
        let town = try await SearchedTown()
        let path = try #require(TestData.folder) + "/monaco-omt.mbtiles"
        let engine = try engine(town, withPlacesAnd: path)
        let found = try engine.search(MapSearchQuery(text)).features.first?.name
        #expect(found == text.replacing(", Monaco", with: ""))
        town.session.close()
    }

    @Test func `if the index can't be read, places are still found and the problem is reported`()
        async throws
    {
        let town = try await SearchedTown()
        mkdir(town.folder.path + "/tiles.search.db", 0o700)
        let places = LazyPlaceSearch({ LayerConfiguration() }) { () throws(PlaceSearchFailure) in
            try Gazetteer(file: TestFiles.path("Assets/places.db"))
        }
        let engine = OfflineSearchEngine(places, regions: nil, cache: town.folder.path + "/tiles.db") {
            LayerConfiguration()
        }
        let found = try engine.search(MapSearchQuery("helsinki", near: SearchedTown.tile.center))
        #expect(
            found.matches.first?.title() == "Helsinki" && found.problem?.contains("tiles.search.db") == true)
        #expect(throws: SearchFailure.self) {
            try engine.search(MapSearchQuery("zzzzqqq", near: SearchedTown.tile.center))
        }
        town.session.close()
    }

    @Test func `a named archive is searched alone, and a missing one is unknown`()
        async throws
    {
        let town = try await SearchedTown()
        let path = try await town.open()
        let engine = engine(town)
        #expect(try engine.search(MapSearchQuery("via larga", area: .archive(path))).features.count == 1)
        #expect(throws: SearchFailure.unknownArea("/none.pmtiles")) {
            try engine.search(MapSearchQuery("a", area: .archive("/none.pmtiles")))
        }
        #expect(throws: SearchFailure.unknownArea("nowhere")) {
            try engine.search(MapSearchQuery("a", area: .region("nowhere")))
        }
        town.session.close()
    }

    @Test func `stored maps far from the view are searched only with offlineSearchGlobal`() async throws {
        let town = try await SearchedTown()
        try await town.open()
        var configuration = LayerConfiguration()
        let global = try Feature.named("offlineSearchGlobal"), far = Coordinate(latitude: -40, longitude: 100)
        try configuration.enable(exactly: configuration.enabledFeatures.subtracting([global]))
        let local = engine(town, configuration)
        #expect(
            try local.search(MapSearchQuery("farmacia", near: SearchedTown.tile.center)).features.count == 1)
        #expect(try local.search(MapSearchQuery("farmacia", near: far)).features.isEmpty)
        #expect(throws: SearchFailure.disabled(.disabled(global, wanted: "searching beyond the view"))) {
            try local.search(MapSearchQuery("farmacia"))
        }
        try configuration.enable(exactly: [.rendering, global])
        #expect(
            try engine(town, configuration).search(MapSearchQuery("farmacia", near: far)).features.count == 1)
        town.session.close()
    }

    @Test func `charging plugs are shown if their feature is enabled`() async throws {
        let town = try await SearchedTown()
        try await town.open()
        let query = MapSearchQuery("charging", near: SearchedTown.tile.center)
        #expect(try engine(town).search(query).features.first?.details == [])
        var configuration = LayerConfiguration()
        try configuration.enable(exactly: configuration.enabledFeatures.union([.ev]))
        #expect(try engine(town, configuration).search(query).features.first?.details == ["socket:type2=4"])
        town.session.close()
    }

    @Test func `the heights of truck stops are shown if their feature is enabled`() async throws {
        let town = try await SearchedTown()
        try await town.open()
        let query = MapSearchQuery("truck stop", near: SearchedTown.tile.center)
        #expect(try engine(town).search(query).features.first?.details == [])
        var configuration = LayerConfiguration()
        try configuration.enable(
            exactly: configuration.enabledFeatures.union([.truckServiceAttributes]))
        #expect(try engine(town, configuration).search(query).features.first?.details == ["maxheight=4.2"])
        town.session.close()
    }
}
