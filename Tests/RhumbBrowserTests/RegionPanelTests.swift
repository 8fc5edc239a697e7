@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct RegionPanelTests {
    private func browser(_ layers: [TileLayer] = [.test(RemoteSource(), id: "osm")]) -> Browser {
        .test(
            columns: 120, rows: 40, layers: layers,
            camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.26), zoom: 12))
    }

    private func draft(_ effects: [Effect]) throws -> RegionDraft {
        try #require(
            effects.queries(RegionPlanQuery.self).map(\.draft).first)
    }

    private func plan(
        _ draft: RegionDraft, _ permission: PlanSource.Permission = .allowed
    ) throws -> RegionPlan {
        var counts = TileCounts()
        for zoom in draft.zooms { counts[zoom] = 10 }
        return RegionPlan(
            zooms: try ZoomRange(draft.zooms.lowerBound, draft.zooms.upperBound),
            sources: [PlanSource(id: "osm", name: "osm", counts: counts, permission: permission)])
    }

    @Test func `d plans the view, three zooms deep, and arrows change the depth`() throws {
        var browser = browser()
        let first = try draft(browser.press(.character("d")))
        #expect(first.zooms == 12...15 && first.layers == ["osm"])
        #expect(first.box.contains(browser.map.viewport.camera.coordinate))
        let deeper = try draft(browser.press(.arrow(.right, shift: false)))
        #expect(deeper.zooms == 12...16)
        #expect(try draft(browser.press(.character("<"))).zooms == 11...16)
    }

    @Test func `where the map ends, a download has lower zooms for overviews`() throws {
        var browser = browser([.test(RemoteSource(), id: "osm", zooms: 0...14)])
        browser.map.viewport = browser.map.viewport.with(browser.map.viewport.camera.zoomed(to: 16))
        #expect(try draft(browser.press(.character("d"))).zooms == 11...14)
    }

    @Test func `exactly the tiles in view are planned, and the surplus of whole packs is shown`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        #expect(asked.isExact)
        var source = try plan(asked).sources[0]
        source.packSurplus = 1_365
        let plan = RegionPlan(zooms: try ZoomRange(12, 15), packing: .exact, sources: [source])
        _ = browser.update(.regionPlan(.success(plan), asked), at: browser.map.now)
        #expect(
            browser.screen.lines.contains {
                $0.contains("[ ] whole packs") && $0.contains("1,365 more tiles")
            })
        let whole = try draft(browser.press(.character("w")))
        #expect(!whole.isExact)
        _ = browser.update(.regionPlan(.success(plan), whole), at: browser.map.now)
        #expect(browser.shows("[x] whole packs"))
    }

    @Test func `a start before the tiles are counted is explained`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        #expect(browser.press(.enter).queries(StartRegion.self).isEmpty)
        #expect(browser.map.notices.all.last?.text.contains("still being counted") == true)
        _ = browser.update(.regionPlan(.success(try plan(asked)), asked), at: browser.map.now)
        #expect(browser.press(.enter).queries(StartRegion.self).count == 1)
    }

    @Test func `h adds heights, and shows what they add`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        #expect(asked.hasHeights == nil)
        _ = browser.update(.regionPlan(.success(try plan(asked)), asked), at: browser.map.now)
        #expect(browser.shows("[ ] heights"))
        let high = try draft(browser.press(.character("h")))
        #expect(high.hasHeights == true)
        var counts = TileCounts()
        counts[12] = 10
        let plan = RegionPlan(
            zooms: try ZoomRange(7, 15),
            sources: try plan(high).sources + [
                PlanSource(
                    id: HeightSourceItem.standard.specifier, name: "Heights", counts: counts,
                    permission: .allowed
                )
            ])
        _ = browser.update(.regionPlan(.success(plan), high), at: browser.map.now)
        #expect(browser.shows("[x] heights"))
        #expect(
            plan.size(of: HeightSourceItem.standard.specifier).map {
                $0.bytes > 0 && $0.bytes < plan.size.bytes
            }
                == true)
        #expect(try draft(browser.press(.character("h"))).hasHeights == false)
    }

    /// A layer of shading made from heights on the web.
    private func hills(_ right: SourcePolicy.OfflineRight) throws -> TileLayer {
        let info = TileSourceInfo(name: "Alps", zooms: 0...12)
        let drawing = HillshadeDrawing(info, .terrarium, Hillshade(), decoder: ThreeByteDecoder())
        var layer = TileLayer(id: "source:alps", source: RemoteSource(), info: info).drawn(by: drawing)
        layer.policy.offline = right
        return try #require(ElevationModel(layer, StoredNothing())).shading
    }

    @Test(arguments: [SourcePolicy.OfflineRight.allowed, .ask, .denied])
    func `heights on the map are downloaded with it, unless their provider doesn't allow it`(
        right: SourcePolicy.OfflineRight
    ) throws {
        var browser = browser()
        let layers = browser.map.layers.map(\.id)
        browser.map.layers.append(try hills(right))
        let asked = try draft(browser.press(.character("d")))
        #expect(asked.layers == layers && asked.heights.specifier == "alps")
        #expect((asked.hasHeights == true) == (right == .allowed))
        browser.map.layers[browser.map.layers.count - 1].isVisible = false
        _ = browser.press(.escape)
        #expect(try draft(browser.press(.character("d"))).heights == .standard)
    }

    @Test func `over a map on this computer only the heights are downloaded`() throws {
        var browser = Browser.test(
            columns: 100, rows: 30, layers: [.test(BlankSource(), id: "file")],
            camera: Camera(center: Coordinate(latitude: 46.5, longitude: 8), zoom: 12))
        browser.map.layers.append(try hills(.allowed))
        let asked = try draft(browser.press(.character("d")))
        #expect(asked.isOfHeights && asked.heights.specifier == "alps" && asked.hasHeights == true)
        #expect(browser.shows("source") && browser.shows("alps"))
    }

    @Test func `heights that can't be reached leave the plan of the map`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        _ = browser.update(.regionPlan(.success(try plan(asked)), asked), at: browser.map.now)
        let high = try draft(browser.press(.character("h")))
        let failed = browser.update(
            .regionPlan(.failure(Notice.Problem("No network: heights.example can't be reached")), high),
            at: browser.map.now)
        let flat = try draft(failed)
        #expect(flat.hasHeights == false)
        _ = browser.update(.regionPlan(.success(try plan(flat)), flat), at: browser.map.now)
        #expect(browser.shows("heights.example") && browser.shows("total") && browser.shows("[ ] heights"))
        #expect(browser.press(.enter).queries(StartRegion.self).map(\.draft) == [flat])
    }

    @Test func `Enter tries a plan again that failed`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        _ = browser.update(.regionPlan(.failure(Notice.Problem("No network")), asked), at: browser.map.now)
        #expect(browser.shows("Enter try again"))
        #expect(try draft(browser.press(.enter)) == asked)
    }

    @Test func `a region that holds the view already is named in the plan`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        let there = RegionItem(
            id: "turku", name: "Turku", state: "complete", reason: "", settled: 40, tiles: 40, absent: 0,
            planned: 40, failed: 0, bytes: 1, age: "", expiry: "", bounds: asked.box, zooms: 10...15,
            isUnderWay: false, isFinished: true, pace: "")
        _ = browser.update(.offline(.regions([there])), at: browser.map.now)
        var source = try plan(asked).sources[0]
        source.stored = Dictionary(uniqueKeysWithValues: asked.zooms.map { ($0, 10) })
        let plan = RegionPlan(zooms: try ZoomRange(12, 15), sources: [source])
        _ = browser.update(.regionPlan(.success(plan), asked), at: browser.map.now)
        #expect(browser.shows("“Turku” holds this area"))
    }

    @Test func `t chooses among several sources of heights, and a file on this computer needs no download`()
        throws
    {
        var browser = browser()
        browser.stored.heightSources = [.standard, HeightSourceItem("/maps/alps.tif", isLocal: true)]
        let asked = try draft(browser.press(.character("d")))
        #expect(asked.heights == .standard)
        _ = browser.update(.regionPlan(.success(try plan(asked)), asked), at: browser.map.now)
        #expect(browser.shows("[ ] heights: mapterhorn") && browser.shows("t heights source"))
        let local = try draft(browser.press(.character("t")))
        #expect(local.heights.specifier == "/maps/alps.tif")
        _ = browser.update(.regionPlan(.success(try plan(local)), local), at: browser.map.now)
        #expect(browser.shows("[x] heights: alps.tif") && browser.shows("no download"))
        #expect(browser.press(.character("h")).queries(RegionPlanQuery.self).isEmpty)
        #expect(try draft(browser.press(.character("t"))).heights == .standard)
    }

    @Test func `a region is named after the settlement in view, with a number if the name exists`()
        throws
    {
        func turku(at longitude: Double) -> NamedPlace {
            NamedPlace(
                number: 1, name: "Turku", kind: .city, countryCode: "FI", country: "Finland", region: "",
                coordinate: Coordinate(latitude: 60.45, longitude: longitude), population: 190_000)
        }
        func name(_ place: NamedPlace, _ regions: [RegionItem] = []) throws -> String {
            var browser = browser()
            _ = browser.update(.tick, at: .seconds(1))
            let middle = browser.map.viewport.camera.coordinate
            _ = browser.update(.located(PlaceBearing(middle, from: place), at: middle), at: .seconds(1))
            _ = browser.update(.offline(.regions(regions)), at: .seconds(1))
            return try draft(browser.press(.character("d"))).name
        }
        #expect(try name(turku(at: 22.27)) == "Turku")
        #expect(try name(turku(at: 22.27), [item("t", name: "Turku")]) == "Turku 2")
        #expect(try name(turku(at: 22.33)) == "Turku")
        #expect(try name(turku(at: 25)) == "osm 60.45N 22.26E")
    }

    @Test func `y starts an allowed download, as it answers a question`() throws {
        var browser = browser()
        let draft = try draft(browser.press(.character("d")))
        _ = browser.update(.regionPlan(.success(try plan(draft)), draft), at: browser.map.now)
        #expect(browser.press(.character("y")) == [.ask(StartRegion(draft: draft))])
    }

    @Test func `the plan shows tiles by zoom, and Enter starts an allowed one`() throws {
        var browser = browser()
        let draft = try draft(browser.press(.character("d")))
        _ = browser.update(.regionPlan(.success(try plan(draft)), draft), at: browser.map.now)
        let text = browser.screen.lines.joined(separator: "\n")
        #expect(text.contains("Download this view") && text.contains("total"))
        #expect(browser.press(.enter) == [.ask(StartRegion(draft: draft))])
        #expect(browser.openPanel == nil)
    }

    @Test func `a denied plan does not start and states the reason`() throws {
        var browser = browser()
        let draft = try draft(browser.press(.character("d")))
        let denied = PlanSource.Permission.denied(
            reason: "no areas", policyURL: "https://policy", alternative: "another")
        _ = browser.update(.regionPlan(.success(try plan(draft, denied)), draft), at: browser.map.now)
        let effects = browser.press(.enter)
        #expect(!effects.contains(.ask(StartRegion(draft: draft))))
        #expect(browser.screen.lines.joined().contains("https://policy"))
    }

    @Test func `unclear terms require y before Enter has an effect`() throws {
        var browser = browser()
        let asked = try draft(browser.press(.character("d")))
        _ = browser.update(
            .regionPlan(.success(try plan(asked, .ask(policyURL: nil))), asked), at: browser.map.now)
        #expect(!browser.press(.enter).contains(.ask(StartRegion(draft: asked))))
        #expect(try draft(browser.press(.character("y"))).isPermitted)
    }

    @Test func `d on a local map says so and names the next step`() {
        var browser = browser([.test(BlankSource())])
        _ = browser.press(.character("d"))
        #expect(browser.openPanel == nil)
        #expect(browser.map.notices.all.last?.text.contains("needs no download") == true)
    }

    @Test func `D starts immediately with the defaults`() {
        var browser = browser()
        let effects = browser.press(.character("D"))
        #expect(effects.contains { $0.query(StartRegion.self)?.onlyIfAllowed == true })
    }

    @Test(arguments: ["", "m", "c", ":"])
    func `a plan that arrives after its panel was closed opens nothing`(keys: String) throws {
        var browser = browser()
        let draft = try draft(browser.press(.character("d"))),
            answer = Event.regionPlan(.success(try plan(draft)), draft)
        _ = browser.update(answer, at: browser.map.now)
        _ = browser.press(.enter)
        browser.type(keys)
        let panel = browser.openPanel
        _ = browser.update(answer, at: browser.map.now)
        #expect(browser.openPanel == panel && browser.map.notices.all.isEmpty)
    }

    @Test(
        arguments: [("", PanelEntry.download), ("m", .layers), ("l", nil), (":", nil)]
            as [(String, PanelEntry?)])
    func `a download that is refused opens its panel, but after another key it is only reported`(
        keys: String, panel: PanelEntry?
    ) throws {
        var browser = browser()
        let effects = browser.press(.character("D"))
        let draft = try #require(
            effects.queries(StartRegion.self).filter(\.onlyIfAllowed).map(\.draft)
                .first)
        browser.type(keys)
        let denied = PlanSource.Permission.denied(reason: "no areas", policyURL: nil, alternative: "another")
        _ = browser.update(.downloadRefused(.success(try plan(draft, denied)), draft), at: browser.map.now)
        #expect(browser.openPanel == panel)
        #expect(
            (browser.map.notices.all.last?.text.contains("Press d for details") == true)
                == (panel != .download))
    }

    @Test func `Tab edits the name, and its letters are no commands`() throws {
        var browser = browser()
        _ = try draft(browser.press(.character("d")))
        _ = browser.press(.tab)
        for _ in 0..<40 { _ = browser.press(.backspace) }
        browser.type("Turku q")
        #expect(try draft(browser.press(.enter)).name == "Turku q")
    }

    private func item(
        _ id: String, name: String? = nil, isUnderWay: Bool = false, state: String = "running",
        pace: String = "12/s 76 s"
    ) -> RegionItem {
        RegionItem(
            id: id, name: name ?? "Region \(id)", state: isUnderWay ? state : "complete", reason: "",
            settled: 61, tiles: 58, absent: 3,
            planned: 100, failed: 0, bytes: 1_000_000, age: "3 h ago", expiry: "fresh for 5 d",
            bounds: Bounds(west: 10, south: 50, east: 11, north: 51), zooms: 8...14, isUnderWay: isUnderWay,
            isFinished: !isUnderWay, pace: isUnderWay ? pace : "")
    }

    @Test(arguments: ["pausing", "paused"])
    func `a paused download is resumed by the same key, even before its last tiles arrived`(state: String) {
        var browser = browser()
        _ = browser.press(.character("r"))
        let paused = item("a", isUnderWay: true, state: state, pace: "")
        _ = browser.update(.offline(.regions([paused])), at: browser.map.now)
        #expect(browser.shows("P resume") && browser.shows("61 % \(state)"))
        #expect(browser.press(.character("P")) == [.ask(RegionAction(.resume, "a"))])
    }

    @Test func `the progress of a download is in the status line`() {
        var browser = browser()
        _ = browser.update(.offline(.regions([item("a", isUnderWay: true)])), at: browser.map.now)
        #expect(browser.screen.lines[38].contains("Region a 61 % 12/s 76 s"))
    }

    @Test func `a server that does not respond is named in the download and in the list of regions`() throws {
        var browser = browser()
        _ = browser.update(.silence(host: "tiles.example", seconds: 12), at: .zero)
        func panel() -> String {
            browser.screen.lines.prefix(38).flatMap { $0.split(separator: " ") }.joined(separator: " ")
        }
        _ = browser.press(.character("d"))
        #expect(panel().contains("no reply from tiles.example 12 s"))
        _ = browser.press(.character("r"))
        _ = browser.update(.offline(.regions([item("a", isUnderWay: true)])), at: browser.map.now)
        #expect(panel().contains("no reply from tiles.example 12 s"))
        _ = browser.update(.offline(.regions([item("a")])), at: browser.map.now)
        #expect(!panel().contains("no reply") && panel().contains("3 h ago"))
        _ = browser.update(.offline(.regions([item("a", isUnderWay: true, pace: "")])), at: browser.map.now)
        #expect(!panel().contains("3 h ago"))
    }

    @Test func `P on a complete region is explained, and the list counts its tiles and the absent ones`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        _ = browser.update(.offline(.regions([item("a")])), at: browser.map.now)
        #expect(browser.screen.lines.joined().contains("58 of 100 tiles, 3 absent"))
        #expect(!browser.press(.character("P")).contains { $0.query(RegionAction.self) != nil })
        #expect(browser.map.notices.all.last?.text.contains("Region a is complete") == true)
        _ = browser.update(.offline(.regions([item("a", isUnderWay: true)])), at: browser.map.now)
        #expect(browser.press(.character("P")) == [.ask(RegionAction(.pause, "a"))])
    }

    @Test func `an unfinished download is chosen first, and moves choose others`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        let paused = item("b", isUnderWay: true, state: "paused", pace: "")
        _ = browser.update(.offline(.regions([item("a"), paused])), at: browser.map.now)
        #expect(browser.press(.character("P")) == [.ask(RegionAction(.resume, "b"))])
        browser.type("k")
        #expect(browser.press(.character("R")) == [.ask(RegionAction(.refresh, "a"))])
    }

    @Test func `the list is loading until the regions are known, and only then empty`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        #expect(browser.shows("Loading …") && !browser.shows("No offline regions"))
        _ = browser.update(.offline(.regions([])), at: browser.map.now)
        #expect(browser.shows("No offline regions yet") && !browser.shows("Loading …"))
    }

    @Test func `the list acts on the chosen region, and removal needs a confirmation`() {
        var browser = browser()
        #expect(browser.press(.character("r")).contains(.ask(RegionListQuery())))
        _ = browser.update(.offline(.regions([item("a"), item("b")])), at: browser.map.now)
        browser.type("j")
        #expect(browser.press(.character("R")) == [.ask(RegionAction(.refresh, "b"))])
        browser.type("x")
        #expect(browser.screen.lines.joined().contains("Delete Region b and its tiles?"))
        #expect(browser.press(.enter) == [])
        browser.type("x")
        #expect(browser.press(.character("y")) == [.ask(RegionAction(.remove, "b"))])
    }
}
