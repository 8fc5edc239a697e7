@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// A panel in a state that tests should examine.
struct PanelScene: Sendable, CustomTestStringConvertible {
    let name: String
    let open: @Sendable (inout Browser) throws -> Void

    var testDescription: String { name }

    private init(_ name: String, _ open: @escaping @Sendable (inout Browser) throws -> Void) {
        self.name = name
        self.open = open
    }

    private static func keys(_ keys: String) -> @Sendable (inout Browser) throws -> Void { { $0.type(keys) } }

    static func browser(_ columns: Int, _ rows: Int) -> Browser {
        .test(
            columns: columns, rows: rows, layers: [.test(RemoteSource(), id: "osm")],
            camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.26), zoom: 12))
    }

    static let all: [PanelScene] = [
        PanelScene("help", keys("?")),
        PanelScene("here", keys("i")),
        PanelScene("layers", keys("m")),
        PanelScene("tiles") { browser in
            let effects = browser.press(.character("b")) + browser.press(.character("b"))
            #expect(!effects.queries(TileValueQuery.self).isEmpty)
            for query in browser.press(.character("B")).queries(TileRankingQuery.self) {
                let listed = (0..<3).compactMap { TileID(zoom: 12, x: 2300 + $0, y: 1180) }
                let tiles = listed.map { ListedTile(tile: $0, text: "\(600 - $0.x % 100) kB") }
                _ = browser.update(.response(TileRanking(tiles: tiles), to: query), at: browser.map.now)
            }
        },
        PanelScene("traffic", keys("t")),
        PanelScene("messages") { browser in
            _ = browser.update(.problem("the disk is full: /home/ada/.cache/rhumb/tiles.db"), at: .seconds(1))
            _ = browser.update(.saved(.success("rhumb-60.4500-22.2600-z12.png")), at: .seconds(2))
            browser.type(":messages")
            _ = browser.press(.enter)
        },
        PanelScene("sources") { browser in
            browser.type("m")
            _ = browser.press(.tab)
            var tomtom = SourceChoice(specifier: "tomtom", name: "TomTom", note: "z0–22")
            tomtom.missingKey = "TOMTOM_API_KEY"
            _ = browser.update(
                .sources([SourceChoice(specifier: "osm", name: "OpenStreetMap", note: "z0–19"), tomtom]),
                at: browser.map.now)
        },
        PanelScene("download") { browser in
            for draft in browser.press(.character("d")).queries(RegionPlanQuery.self).map(\.draft) {
                _ = browser.update(
                    .regionPlan(.success(try plan(draft, .allowed)), draft), at: browser.map.now)
            }
        },
        PanelScene("download-denied") { browser in
            let denied = PlanSource.Permission.denied(
                reason: "its provider does not allow downloading areas", policyURL: "https://policy.example",
                alternative: "use a source that allows it")
            for draft in browser.press(.character("d")).queries(RegionPlanQuery.self).map(\.draft) {
                _ = browser.update(.regionPlan(.success(try plan(draft, denied)), draft), at: browser.map.now)
            }
        },
        PanelScene("regions") { browser in
            browser.type("r")
            _ = browser.update(
                .offline(.regions([region("turku", isUnderWay: true), region("monaco", isUnderWay: false)])),
                at: browser.map.now)
        },
        PanelScene("confirmation") { browser in
            browser.type("r")
            _ = browser.update(.offline(.regions([region("monaco", isUnderWay: false)])), at: browser.map.now)
            browser.type("x")
        },
        PanelScene("areas") { browser in
            browser.type("a")
            var area = try #require(MapArea(id: "hike"))
            area.regions = ["florence", "heights"]
            area.overlays = ["walk.gpx"]
            area.grid = "mgrs"
            let items = [
                AreaItem(area, map: nil, bounds: Bounds(west: 22, south: 60, east: 22.5, north: 60.6))
            ]
            _ = browser.update(.response(.success(items), to: AreaListQuery()), at: browser.map.now)
        },
        PanelScene("style-packs") { browser in
            browser.type(":packs")
            for query in browser.press(.enter).queries(StylePackListQuery.self) {
                _ = browser.update(.response(.success([.bright, .local]), to: query), at: browser.map.now)
            }
        },
        PanelScene("ready") { browser in
            browser.type(":ready")
            for query in browser.press(.enter).queries(ReadyQuery.self) {
                let items = [
                    ReadyItem("clock", .ready, "2026-11-27T08:00:00Z"),
                    ReadyItem(
                        "florence", .missing, "3 tiles missing, e.g. 9/256/255",
                        remedy: "rhumb region repair florence"),
                    ReadyItem(
                        "directions", .note, "no routing engine is running on this computer",
                        remedy: "rhumb route --help"),
                ]
                _ = browser.update(.response(.success(items), to: query), at: browser.map.now)
            }
        },
        PanelScene("packages") { browser in
            browser.type("p")
            _ = browser.update(.packageList(PackageList(packages)), at: browser.map.now)
        },
        PanelScene("cache") { try open(cache: "1", &$0) },
        PanelScene("cache-sources") { try open(cache: "2", &$0) },
        PanelScene("cache-tiles") { try open(cache: "3", &$0) },
        PanelScene("cache-map") { try open(cache: "4", &$0) },
        PanelScene("search", search),
        PanelScene("search-list") { browser in
            try search(&browser)
            browser.input.prompt = nil
        },
        PanelScene("bookmarks") { browser in
            let turku = Coordinate(latitude: 60.45, longitude: 22.26),
                zurich = Coordinate(latitude: 47.4, longitude: 8.5)
            _ = browser.update(
                .bookmarks([
                    Bookmark("a", "Turku, Southwest Finland", Camera(center: turku, zoom: 12)),
                    Bookmark("z", "", Camera(center: zurich, zoom: 9)),
                ]), at: browser.map.now)
            browser.type("'")
        },
        PanelScene("bookmarks-empty", keys("'")),
        PanelScene("measure") { browser in
            browser.type("M")
            for keys in ["\u{20}", "l\u{20}", "j\u{20}"] { browser.type(keys) }
        },
        PanelScene("share", keys("y")),
        PanelScene("manual", keys("m?")),
        PanelScene("package-plan") { browser in
            browser.type("p")
            _ = browser.update(.packageList(PackageList(packages)), at: browser.map.now)
            browser.type("jjj")
            for question in browser.press(.enter).queries(PackagePlanQuery.self) {
                let notes = [
                    "212 GB free", "The provider asks to show its attribution beside the map, in full.",
                ]
                let offer = PackageOffer([.init("Sweden", "up to 1 MB")], notes: notes, act: nil)
                _ = browser.update(.packagePlan(.success(offer), to: question), at: browser.map.now)
            }
        },
        PanelScene("pick") { browser in browser.begin(picking: try #require(PickRequest(.bbox))) },
        PanelScene("route-place", keys("R")),
        PanelScene("route-form") { browser in
            browser.type("R")
            _ = browser.press(.escape)
            browser.type("F")
        },
        PanelScene("route") { browser in
            browser.type("R60.46,22.3")
            for query in browser.press(.enter).queries(RouteQuery.self) {
                _ = browser.update(.response(.success(try route()), to: query), at: browser.map.now)
            }
        },
        PanelScene("track") { browser in
            let places = (0..<200).map { Coordinate(latitude: 60.4 + Double($0) * 0.0005, longitude: 22.26) }
            let path = OverlayPath(places, heights: (0..<200).map { Float(100 + $0) })
            let live = LiveLayer(id: "over.0", name: "walk.gpx", palette: OverlayPalette(0))
            live.index = OverlayIndex([OverlayFeature(.line([path]), name: "Morning walk", isTrack: true)])
            browser.map.layers.append(OverlayDrawing.layer(live))
            _ = browser.openProfile()
        },
        PanelScene("streets") { browser in
            browser.begin(
                streets: .undecided,
                offers: [ServiceOffer(id: "openfreemap", name: "OpenFreeMap", host: "tiles.openfreemap.org")])
            _ = browser.perform([browser.streetsQuestion])
        },
        PanelScene("styles") { browser in
            for question in browser.press(.character("S")).queries(StyleQuestion.self) {
                _ = browser.update(
                    .styles(
                        [
                            StyleItem(specifier: nil, name: "Rhumb"),
                            StyleItem(specifier: "/b.json", name: "Bright"),
                        ],
                        question), at: browser.map.now)
            }
        },
    ]

    private static func plan(_ draft: RegionDraft, _ permission: PlanSource.Permission) throws -> RegionPlan {
        var counts = TileCounts(), sample = ByteSample()
        for zoom in draft.zooms { counts[zoom] = 1 << (2 * (zoom - 11)) }
        for size in [14_000, 18_000, 16_500] { sample.add(size) }
        let source = PlanSource(
            id: "osm", name: "osm", counts: counts, stored: [12: 2], samples: [14: sample],
            requestsPerSecond: 10, permission: permission)
        return RegionPlan(
            zooms: try ZoomRange(draft.zooms.lowerBound, draft.zooms.upperBound), sources: [source],
            freeDisk: 212_000_000_000)
    }

    static func region(_ name: String, isUnderWay: Bool) -> RegionItem {
        RegionItem(
            id: name, name: name, state: isUnderWay ? "running" : "complete", reason: "",
            settled: isUnderWay ? 676 : 1109,
            tiles: isUnderWay ? 670 : 1100, absent: 6, planned: 1109, failed: 0, bytes: 18_200_000,
            age: "3 h ago", expiry: "fresh for 5 d",
            bounds: Bounds(west: 22, south: 60.3, east: 22.5, north: 60.6), zooms: 8...14,
            isUnderWay: isUnderWay, isFinished: !isUnderWay,
            pace: isUnderWay ? "12/s 36 s" : "")
    }

    private static let packages: [PackageItem] = [
        ("World", 0, PackageItem.Status.partial, true), ("Europe", 1, .partial, true),
        ("Finland", 2, .installed, false), ("Sweden", 2, .none, false),
    ].map { name, depth, status, hasChildren in
        PackageItem(
            key: PackageKey(name, of: "maps"), depth: depth, title: name, names: name.lowercased(),
            status: status, isBrokenOff: false,
            bytes: 1_000_000, isMeasured: status == .installed, edition: "2026-11", newer: 0,
            hasChildren: hasChildren, area: nil,
            map: hasChildren ? nil : "\(name).pmtiles")
    }

    private static let places: [NamedPlace] = ["Turku", "Turkuvaara"].enumerated().map { number, name in
        NamedPlace(
            number: number + 1, name: name, kind: .city, countryCode: "FI", country: "Finland",
            region: "Southwest Finland",
            coordinate: Coordinate(latitude: 60.45, longitude: 22.26 + Double(number)),
            population: 175_945 / (number * 90 + 1))
    }

    private static func search(_ browser: inout Browser) throws {
        let matches = places.map { SearchMatch.place(PlaceMatch(place: $0, otherName: nil)) }
        for query in "/turku".flatMap({ browser.press(.character($0)) }).queries(SearchMap.self).map(\.query)
        {
            _ = browser.update(.found(.success(SearchResult(matches)), for: query), at: browser.map.now)
        }
    }

    private static func route() throws -> FoundRoute {
        let line = [(60.45, 22.26), (60.455, 22.28), (60.46, 22.3)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        var steps = [
            RouteStep(Manoeuvre(.depart, bearing: 45), distance: 1200, duration: 90, corner: 0),
            RouteStep(Manoeuvre(.turn, .left), distance: 1300, duration: 100, corner: 1),
            RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: 2),
        ]
        steps[1].name = "Uudenmaankatu"
        let route = Route(
            line: line, legs: [RouteLeg(distance: 2500, duration: 190, steps: steps)], distance: 2500,
            duration: 190)
        let answer = RouteAnswer(
            RouteRequest(from: line[0], to: line[2]), [route], provider: "Example", attribution: "© Example",
            time: UnixSeconds(0),
            mayBeStored: true)
        return FoundRoute(answer, arrivals: ["17:04"], age: nil)
    }

    private static func open(cache page: String, _ browser: inout Browser) throws {
        browser.type("c\(page)")
        _ = browser.update(
            .cacheOverview(
                CacheOverview(
                    path: "/home/ada/.cache/rhumb/tiles.db", usedBytes: 41_200_000, quota: 50_000_000,
                    fileBytes: 43_000_000,
                    counts: ["since start: hits 96.1 %, 118 fetched"], oldest: "12 d ago",
                    rows: [
                        .init(name: "osm", zoom: 11, entries: 212, absent: 2, bytes: 3_100_000, fresh: 100),
                        .init(name: "osm", zoom: 12, entries: 644, absent: 0, bytes: 9_800_000, fresh: 600),
                        .init(
                            name: "tiles.example/{z}/{x}/{y}.png", zoom: 12, entries: 40, absent: 1,
                            bytes: 400_000, fresh: 0),
                        .init(name: "documents", zoom: -1, entries: 3, absent: 0, bytes: 9000, fresh: 3),
                    ])), at: browser.map.now)
        let tile = try #require(TileID(zoom: 11, x: 1150, y: 592))
        let item = CacheItem(
            key: .tile(origin: TileOrigin(source: "osm", address: "{z}"), tile), name: "osm", state: "stale",
            age: "3 h", size: "18 kB",
            explanation: ["osm \(tile)", "ETag \"1\""])
        _ = browser.update(.cacheItems([item], for: .all), at: browser.map.now)
    }
}
