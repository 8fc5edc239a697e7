@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the online search in the panel, which is queried by Enter on its line and never while typing.
struct OnlineSearchPanelTests {
    private static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world

    private func browser(columns: Int = 120, rows: Int = 30, service: String? = "Finder") -> Browser {
        var browser = Browser.test(
            columns: columns, rows: rows, camera: Camera(center: Self.tile.center, zoom: 16))
        _ = browser.press(.character("/"))
        let answer: Result<String, Notice.Problem> =
            service.map { .success($0) } ?? .failure(Notice.Problem("none is configured"))
        _ = browser.update(.onlineService(answer), at: .zero)
        return browser
    }

    private func query(_ browser: Browser, _ words: String = "oste") -> MapSearchQuery {
        MapSearchQuery(words, near: browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
    }

    private func stored(_ name: String) -> SearchMatch {
        .feature(
            FeatureMatch(IndexedFeature(name, .food, at: SIMD2(2000, 2000)), in: Self.tile).seen(
                from: Self.tile.center))
    }

    private func found(_ name: String) -> OnlineSearchAnswer {
        var feature = FeatureMatch(IndexedFeature(name, .food, at: SIMD2(900, 900)), in: Self.tile)
        feature.provider = "Finder"
        feature.whereabouts = "Firenze"
        return OnlineSearchAnswer([feature], provider: "Finder", attribution: "© somebody")
    }

    /// Returns a browser after a search for typed words, with these local results.
    private func searched(_ browser: Browser, _ matches: [SearchMatch]) -> (browser: Browser, asked: [Effect])
    {
        var browser = browser, asked: [Effect] = []
        for letter in "oste" { asked += browser.press(.character(letter)) }
        asked += browser.update(.found(.success(SearchResult(matches)), for: query(browser)), at: .zero)
        return (browser, asked.filter(\.isOnline))
    }

    @Test func `nothing is requested while typing, and one request on Enter on the service's line`() {
        var (browser, asked) = searched(browser(), [stored("Osteria Uno")])
        #expect(
            asked.isEmpty
                && browser.screen.lines.contains { $0.contains("◇ ask Finder") && $0.contains("online") })
        _ = browser.press(.arrow(.up, shift: false))
        asked = browser.press(.enter).filter(\.isOnline)
        #expect(asked == [.onlineSearch(query(browser))])
        #expect(
            browser.screen.lines.contains { $0.contains("Asking Finder …") }
                && !browser.screen.lines.contains { $0.contains("ask Finder ") })
        #expect(browser.press(.enter).filter(\.isOnline).isEmpty)
    }

    @Test func `the service is offered once the stored results are known`() {
        var browser = browser()
        browser.type("oste")
        #expect(
            !browser.screen.lines.contains { $0.contains("ask Finder") }
                && browser.screen.lines.contains { $0.contains("…") })
    }

    @Test func `without stored results Enter queries the service`() {
        var (browser, _) = searched(browser(), [])
        #expect(browser.press(.enter).filter(\.isOnline) == [.onlineSearch(query(browser))])
        _ = browser.update(
            .onlineAnswer(
                .success(OnlineSearchAnswer([], provider: "Finder", attribution: "")),
                for: query(browser)), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("No results from Finder") })
    }

    @Test func `while the index grows, the service is offered but not selected`() {
        var browser = browser()
        browser.type("oste")
        let part = SearchResult([], isDownloadedHere: false, indexedShare: 0.4)
        _ = browser.update(.found(.success(part), for: query(browser)), at: .zero)
        #expect(browser.shows("Indexing: 40 %") && browser.shows("ask Finder"))
        #expect(!browser.shows("This is an image map") && !browser.shows("No match"))
        #expect(browser.press(.enter).filter(\.isOnline).isEmpty)
        let whole = SearchResult([stored("Osteria Uno")])
        _ = browser.update(.found(.success(whole), for: query(browser)), at: .seconds(1))
        #expect(browser.openPanel == nil)
    }

    @Test func `results are listed with provider and attribution, marked, and reachable`() {
        var (browser, _) = searched(browser(), [stored("Hosteria")])
        _ = browser.press(.arrow(.down, shift: false))
        _ = browser.press(.enter)
        _ = browser.update(.onlineAnswer(.success(found("Osteria Due")), for: query(browser)), at: .zero)
        let lines = browser.screen.lines
        #expect(
            lines.contains { $0.contains("Osteria Due") && $0.contains("Finder") }
                && lines.contains { $0.contains("Hosteria") && !$0.contains("Finder") })
        #expect(lines.contains { $0.contains("Search everywhere · © somebody") })
        _ = browser.press(.enter)
        #expect(
            browser.openPanel == nil
                && browser.map.notices.all.last?.text.hasPrefix("Osteria Due, restaurant, ") == true)
        #expect(browser.map.notices.all.last?.text.hasSuffix("Firenze, Finder") == true)
    }

    @Test func `if the service found only stored features, it says so`() {
        var (browser, _) = searched(browser(), [stored("Osteria Due")])
        _ = browser.press(.arrow(.up, shift: false))
        _ = browser.press(.enter)
        var same = FeatureMatch(IndexedFeature("Osteria Due", .food, at: SIMD2(2000, 2000)), in: Self.tile)
        same.provider = "Finder"
        let answer = OnlineSearchAnswer([same], provider: "Finder", attribution: "© somebody")
        _ = browser.update(.onlineAnswer(.success(answer), for: query(browser)), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("No other results from Finder") })
        #expect(
            browser.screen.lines.count { $0.contains("Osteria Due") } == 1
                && !browser.screen.lines.contains { $0.contains("© somebody") })
    }

    @Test func `in ASCII the attribution is in ASCII, too`() {
        var settings = Settings()
        settings.isUnicode = false
        var browser = Browser(
            columns: 80, rows: 24, layers: [.test(BlankSource())],
            camera: Camera(center: Self.tile.center, zoom: 16), settings: settings)
        _ = browser.press(.character("/"))
        _ = browser.update(.onlineService(.success("Finder")), at: .zero)
        (browser, _) = searched(browser, [])
        _ = browser.press(.enter)
        _ = browser.update(.onlineAnswer(.success(found("Osteria Due")), for: query(browser)), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("Search everywhere, (c) somebody") })
    }

    @Test
    func
        `coordinates are asked about: their house and street are listed, and a service is asked where that is wanted`()
    {
        var browser = browser(),
            spot = FeatureMatch(
                IndexedFeature("Via dei Neri 12", .address, at: SIMD2(2000, 2000)), in: Self.tile)
        browser.type("43.77,11.25")
        var query = query(browser, "43.77,11.25")
        query.spot = Coordinate(latitude: 43.77, longitude: 11.25)
        query.near = query.spot
        _ = browser.update(.found(.success(SearchResult([.feature(spot)])), for: query), at: .zero)
        #expect(
            browser.screen.lines.contains { $0.contains("coordinates") }
                && browser.screen.lines.contains { $0.contains("Via dei Neri 12") })
        _ = browser.press(.arrow(.up, shift: false))
        #expect(browser.press(.enter).filter(\.isOnline) == [.onlineSearch(query)])
        spot.name = "Via Larga 3"
        spot.provider = "Finder"
        _ = browser.update(
            .onlineAnswer(
                .success(OnlineSearchAnswer([spot], provider: "Finder", attribution: "© somebody")),
                for: query), at: .zero)
        let lines = browser.screen.lines
        #expect(
            lines.contains { $0.contains("Via dei Neri 12") }
                && lines.contains { $0.contains("Via Larga 3") && $0.contains("Finder") })
    }

    @Test func `a place without stored data is reported`() {
        var browser = browser(service: nil)
        browser.type("43.77,11.25")
        var query = query(browser, "43.77,11.25")
        query.spot = Coordinate(latitude: 43.77, longitude: 11.25)
        query.near = Coordinate(latitude: 43.77, longitude: 11.25)
        _ = browser.update(.found(.success(SearchResult([], isDownloadedHere: false)), for: query), at: .zero)
        #expect(
            browser.screen.lines.contains { $0.contains("No street data offline for this area") }
                && !browser.screen.lines.contains { $0.contains("Press d") })
    }

    @Test func `a failure is reported, and can be retried`() {
        var (browser, _) = searched(browser(), [])
        _ = browser.press(.enter)
        let problem = Notice.Problem("rate-limited by Finder; try again in 60 s")
        _ = browser.update(.onlineAnswer(.failure(problem), for: query(browser)), at: .zero)
        #expect(
            browser.screen.lines.contains { $0.contains("rate-limited by") }
                && browser.screen.lines.contains { $0.contains("ask Finder") })
        #expect(!browser.press(.enter).filter(\.isOnline).isEmpty)
    }

    @Test func `if stored data can't be searched, the online search is still available`() {
        var browser = browser()
        for letter in "oste" { _ = browser.press(.character(letter)) }
        _ = browser.update(
            .found(.failure(Notice.Problem("the index can't be read")), for: query(browser)), at: .zero)
        #expect(!browser.press(.enter).filter(\.isOnline).isEmpty)
        _ = browser.update(.onlineAnswer(.success(found("Osteria Due")), for: query(browser)), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("Osteria Due") })
    }

    @Test func `Enter before the online search is offered doesn't query it`() {
        var browser = browser()
        for letter in "oste" { _ = browser.press(.character(letter)) }
        _ = browser.press(.enter)
        let effects = browser.update(.found(.success(SearchResult([])), for: query(browser)), at: .zero)
        #expect(effects.filter(\.isOnline).isEmpty)
    }

    @Test func `a response for earlier words is ignored`() {
        var (browser, _) = searched(browser(), [])
        _ = browser.press(.enter)
        _ = browser.update(.onlineAnswer(.success(found("Late")), for: query(browser, "ost")), at: .zero)
        #expect(!browser.screen.lines.contains { $0.contains("Late") })
    }

    @Test func `while offline the line is not offered, and an empty result explains why`() {
        var offline = browser()
        _ = offline.press(.escape)
        _ = offline.press(.character("o"))
        _ = offline.press(.character("/"))
        _ = offline.update(.onlineService(.success("Finder")), at: .zero)
        var (browser, _) = searched(offline, [])
        #expect(
            !browser.screen.lines.contains { $0.contains("ask Finder") }
                && browser.screen.lines.contains { $0.contains("Offline: Finder is not used") })
        #expect(browser.press(.enter).filter(\.isOnline).isEmpty)
    }

    @Test func `without a service online search is not offered, and an empty result says how to add one`() {
        let (empty, _) = searched(browser(service: nil), []),
            (some, _) = searched(browser(service: nil), [stored("Osteria Uno")])
        #expect(empty.screen.lines.contains { $0.contains("Offline results only") })
        #expect(!some.screen.lines.contains { $0.contains("web") })
    }

    @Test func `within a region only stored data is searched`() {
        var browser = browser()
        browser.stored.regions = [PanelScene.region("Turku", isUnderWay: false)]
        _ = browser.press(.tab)
        _ = browser.press(.tab)
        let (asked, _) = searched(browser, [])
        #expect(!asked.screen.lines.contains { $0.contains("ask Finder") })
    }

    @Test func `a service is chosen and accepted by commands`() {
        var browser = Browser.test()
        func effects(_ words: String) -> [Effect] {
            browser.type(":\(words)")
            return browser.press(.enter).filter(\.isOnline)
        }
        #expect(
            effects("online photon=http://127.0.0.1:2322") == [
                .ask(ChooseSearchService(service: "photon=http://127.0.0.1:2322", acceptsTerms: false))
            ])
        let usual = ChooseSearchService(service: "", acceptsTerms: false)
        #expect(effects("online") == [.ask(usual)])
        _ = browser.update(
            .response(.success(ServiceOffer(id: "", name: "Finder", isAccepted: true)), to: usual), at: .zero)
        #expect(browser.map.notices.all.last?.text.hasPrefix("Online search: Finder.") == true)
        let other = ChooseSearchService(service: "other", acceptsTerms: false)
        _ = browser.update(.response(.failure(Notice.Problem("no such service")), to: other), at: .zero)
        #expect(browser.map.notices.all.last?.text == "no such service")
        browser.type("/oste")
        #expect(browser.search.service.isEmpty)
        _ = browser.update(
            .response(.success(ServiceOffer(id: "other", name: "Other", isAccepted: true)), to: other),
            at: .zero)
        #expect(browser.search.service == "other")
    }

    /// A service that the user has not accepted yet.
    private static let stranger = ServiceOffer(
        id: "finder", name: "Finder", host: "finder.example", rules: "https://finder.example/rules",
        isAccepted: false)

    @Test func `a service that was never used asks first, and then answers the search`() {
        var (browser, _) = searched(browser(), [])
        _ = browser.update(
            .response(.success(Self.stranger), to: OnlineServiceQuery(service: "")), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("◇ ask Finder") && $0.contains("asks first") })
        #expect(browser.press(.enter).filter(\.isOnline).isEmpty)
        let lines = browser.screen.lines.joined(separator: " ")
        #expect(lines.contains("Search the web with Finder?") && lines.contains("finder.example"))
        #expect(browser.press(.character("x")).isEmpty)
        let accepted = browser.press(.character("y"))
        let choice = ChooseSearchService(service: "finder", acceptsTerms: true)
        #expect(accepted == [.ask(choice)])
        let usable = ServiceOffer(id: "finder", name: "Finder", isAccepted: true)
        let asked = browser.update(.response(.success(usable), to: choice), at: .zero)
        #expect(!asked.compactMap { $0.query(OnlineServiceQuery.self) }.isEmpty)
        let sent = browser.update(
            .response(.success(usable), to: OnlineServiceQuery(service: "finder")), at: .zero)
        #expect(sent.filter(\.isOnline).count == 1)
    }

    @Test(arguments: [Key.enter, .escape, .character("n")])
    func `the safe answers send nothing`(key: Key) {
        var (browser, _) = searched(browser(), [])
        _ = browser.update(
            .response(.success(Self.stranger), to: OnlineServiceQuery(service: "")), at: .zero)
        _ = browser.press(.enter)
        #expect(browser.press(key).isEmpty && browser.panels.top is SearchPanel)
    }

    @Test func `after a search that was not sent to the web, the search line is empty`() {
        var (browser, _) = searched(browser(), [])
        _ = browser.update(
            .response(.success(Self.stranger), to: OnlineServiceQuery(service: "")), at: .zero)
        _ = browser.press(.enter)
        _ = browser.press(.escape)
        browser.type("/Turku")
        #expect(browser.input.prompt?.line.string == "Turku")
    }

    @Test func `naming a service that was never used asks first`() {
        var browser = Browser.test()
        browser.type(":online finder")
        _ = browser.press(.enter)
        let choice = ChooseSearchService(service: "finder", acceptsTerms: false)
        _ = browser.update(.response(.success(Self.stranger), to: choice), at: .zero)
        #expect(browser.search.service.isEmpty)
        #expect(
            browser.press(.character("y"))
                == [.ask(ChooseSearchService(service: "finder", acceptsTerms: true))])
    }

    @Test(arguments: [(24, 4), (40, 12), (80, 24), (200, 60)])
    func `the online search is drawn on any screen`(columns: Int, rows: Int) {
        var (browser, _) = searched(browser(columns: columns, rows: rows), [])
        _ = browser.press(.enter)
        _ = browser.update(.onlineAnswer(.success(found("Osteria Due")), for: query(browser)), at: .zero)
        #expect(browser.screen.lines.count == rows)
    }

    @Test func `kinds are named in the user's language`() {
        var settings = Settings()
        settings.language = "de"
        var browser = Browser(
            columns: 120, rows: 30, layers: [.test(BlankSource())],
            camera: Camera(center: Self.tile.center, zoom: 16), settings: settings)
        _ = browser.press(.character("/"))
        var bakery = FeatureMatch(IndexedFeature("", .shop, at: SIMD2(9, 9)), in: Self.tile)
        bakery.kind = "bakery"
        let (shown, _) = searched(browser, [.feature(bakery), stored("Osteria Uno")])
        #expect(shown.screen.lines.contains { $0.contains("Bäckerei") })
    }
}

extension Effect {
    /// True if the effect queries or chooses a search service.
    fileprivate var isOnline: Bool {
        query(OnlineSearchQuery.self) != nil || query(ChooseSearchService.self) != nil
    }
}
