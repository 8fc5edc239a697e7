import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbBrowser

/// Every panel as text, on a small and on a usual screen. `RHUMB_RENEW_GOLDENS=1` writes the files anew.
struct PanelGoldenTests {
    @Test(arguments: PanelScene.all) func `a panel looks as it did`(panel: PanelScene) throws {
        var lines: [String] = []
        for (columns, rows) in [(80, 24), (120, 40)] {
            var browser = PanelScene.browser(columns, rows)
            try panel.open(&browser)
            lines.append("\(panel.name), \(columns)x\(rows)")
            lines += browser.screen.lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        }
        let difference = Golden.difference(lines, from: "panels/\(panel.name).txt")
        #expect(difference.isEmpty, "\(difference.joined(separator: "\n"))")
    }

    @Test(arguments: PanelScene.all) func `a panel leaves room for the map and ends in its keys`(panel: PanelScene) throws {
        for (columns, rows) in [(80, 24), (120, 40)] {
            var browser = PanelScene.browser(columns, rows)
            try panel.open(&browser)
            let covered = browser.use(of: Scene(layers: []), hasBackdrop: false).covered.reduce(0) { $0 + $1.count }
            #expect(covered * 5 <= browser.viewport.columns * browser.viewport.rows * 3)
            #expect(browser.shows("Esc close") || panel.name == "confirmation")
        }
    }
}

/// A panel in a state worth looking at.
struct PanelScene: Sendable, CustomTestStringConvertible {
    let name: String
    let open: @Sendable (inout Browser) throws -> Void

    var testDescription: String { name }

    private init(_ name: String, _ open: @escaping @Sendable (inout Browser) throws -> Void) { (self.name, self.open) = (name, open) }

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
        PanelScene("traffic", keys("t")),
        PanelScene("messages") { browser in
            _ = browser.update(.trouble("the disk is full: /home/ada/.cache/rhumb/tiles.db"), at: .seconds(1))
            _ = browser.update(.saved(.success("rhumb-60.4500-22.2600-z12.png")), at: .seconds(2))
            browser.type(":messages")
            _ = browser.press(.enter)
        },
        PanelScene("sources") { browser in
            browser.type("m")
            _ = browser.press(.tab)
            var tomtom = SourceChoice(words: "tomtom", name: "TomTom", note: "z0–22")
            tomtom.missingKey = "TOMTOM_API_KEY"
            _ = browser.update(.sources([SourceChoice(words: "osm", name: "OpenStreetMap", note: "z0–19"), tomtom]), at: browser.now)
        },
        PanelScene("download") { browser in
            for case .region(.plan(let draft)) in browser.press(.character("d")) {
                _ = browser.update(.regionPlan(.success(try plan(draft, .allowed)), draft), at: browser.now)
            }
        },
        PanelScene("download-denied") { browser in
            let denied = PlanSource.Permission.denied(
                reason: "its provider does not allow downloading areas", policyURL: "https://policy.example",
                alternative: "use a source that allows it")
            for case .region(.plan(let draft)) in browser.press(.character("d")) {
                _ = browser.update(.regionPlan(.success(try plan(draft, denied)), draft), at: browser.now)
            }
        },
        PanelScene("regions") { browser in
            browser.type("r")
            _ = browser.update(.regions([region("turku", isUnderWay: true), region("monaco", isUnderWay: false)]), at: browser.now)
        },
        PanelScene("confirmation") { browser in
            browser.type("r")
            _ = browser.update(.regions([region("monaco", isUnderWay: false)]), at: browser.now)
            browser.type("x")
        },
        PanelScene("packages") { browser in
            browser.type("p")
            _ = browser.update(.packages(.list(PackageList(packages))), at: browser.now)
        },
        PanelScene("cache") { try open(cache: "1", &$0) },
        PanelScene("cache-sources") { try open(cache: "2", &$0) },
        PanelScene("cache-tiles") { try open(cache: "3", &$0) },
        PanelScene("cache-map") { try open(cache: "4", &$0) },
        PanelScene("search") { browser in
            let matches = places.map { SearchMatch.place(PlaceMatch(place: $0, otherName: nil)) }
            for case .search(let query) in "/turku".flatMap({ browser.press(.character($0)) }) {
                _ = browser.update(.found(.success(SearchResult(matches)), for: query), at: browser.now)
            }
        },
        PanelScene("styles") { browser in
            for case .listStyles(let question) in browser.press(.character("S")) {
                _ = browser.update(.styles([StyleItem(words: nil, name: "Rhumb"), StyleItem(words: "/b.json", name: "Bright")], question), at: browser.now)
            }
        },
    ]

    private static func plan(_ draft: RegionDraft, _ permission: PlanSource.Permission) throws -> RegionPlan {
        var counts = TileCounts(), sample = ByteSample()
        for zoom in draft.zooms { counts[zoom] = 1 << (2 * (zoom - 11)) }
        for size in [14_000, 18_000, 16_500] { sample.add(size) }
        let source = PlanSource(
            id: "osm", name: "osm", counts: counts, stored: [12: 2], samples: [14: sample], requestsPerSecond: 10, permission: permission)
        return RegionPlan(
            zooms: try ZoomRange(draft.zooms.lowerBound, draft.zooms.upperBound), sources: [source], freeDisk: 212_000_000_000)
    }

    private static func region(_ name: String, isUnderWay: Bool) -> RegionItem {
        RegionItem(
            id: name, name: name, state: isUnderWay ? "running" : "complete", reason: "", settled: isUnderWay ? 676 : 1109,
            tiles: isUnderWay ? 670 : 1100, absent: 6, planned: 1109, failed: 0, bytes: 18_200_000, age: "3 h ago", expiry: "fresh for 5 d",
            bounds: Bounds(west: 22, south: 60.3, east: 22.5, north: 60.6), zooms: 8...14, isUnderWay: isUnderWay, isFinished: !isUnderWay,
            pace: isUnderWay ? "12/s 36 s" : "")
    }

    private static let packages: [PackageItem] = [
        ("World", 0, PackageItem.Status.partial, true), ("Europe", 1, .partial, true), ("Finland", 2, .installed, false), ("Sweden", 2, .none, false),
    ].map { name, depth, status, hasChildren in
        PackageItem(
            key: PackageKey(name, of: "maps"), depth: depth, title: name, names: name.lowercased(), status: status, isBrokenOff: false,
            bytes: 1_000_000, isMeasured: status == .installed, edition: "2026-11", newer: 0, hasChildren: hasChildren, area: nil,
            map: hasChildren ? nil : "\(name).pmtiles")
    }

    private static let places: [NamedPlace] = ["Turku", "Turkuvaara"].enumerated().map { number, name in
        NamedPlace(
            number: number + 1, name: name, kind: .city, countryCode: "FI", country: "Finland", region: "Southwest Finland",
            coordinate: Coordinate(latitude: 60.45, longitude: 22.26 + Double(number)), population: 175_945 / (number * 90 + 1))
    }

    private static func open(cache page: String, _ browser: inout Browser) throws {
        browser.type("c\(page)")
        _ = browser.update(
            .cacheOverview(
                CacheOverview(
                    path: "/home/ada/.cache/rhumb/tiles.db", usedBytes: 41_200_000, quota: 50_000_000, fileBytes: 43_000_000,
                    counts: ["since start: hits 96.1 %, 118 fetched"], oldest: "12 d ago",
                    rows: [
                        .init(name: "osm", zoom: 11, entries: 212, absent: 2, bytes: 3_100_000, fresh: 100),
                        .init(name: "osm", zoom: 12, entries: 644, absent: 0, bytes: 9_800_000, fresh: 600),
                        .init(name: "tiles.example/{z}/{x}/{y}.png", zoom: 12, entries: 40, absent: 1, bytes: 400_000, fresh: 0),
                        .init(name: "documents", zoom: -1, entries: 3, absent: 0, bytes: 9000, fresh: 3),
                    ])), at: browser.now)
        let tile = try #require(TileID(zoom: 11, x: 1150, y: 592))
        let item = CacheItem(
            key: .tile(origin: TileOrigin(source: "osm", address: "{z}"), tile), name: "osm", state: "stale", age: "3 h", size: "18 kB",
            explanation: ["osm \(tile)", "ETag \"1\""])
        _ = browser.update(.cacheItems([item], for: .all), at: browser.now)
    }
}
