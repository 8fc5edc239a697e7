@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TrafficTests {
    private static let fresh = TrafficStatus(
        age: TrafficAge(.seconds(40), isStale: false), isLoading: false, problem: nil,
        legend: FlowLegend(.relative0))

    private func browser(
        _ choice: TrafficChoice = TrafficChoice(flow: .relative0), columns: Int = 80, rows: Int = 24,
        _ change: (inout Browser) -> Void = { _ in }
    ) -> Browser {
        var browser = Browser.test(columns: columns, rows: rows)
        browser.begin(with: choice)
        change(&browser)
        _ = browser.update(.traffic(Self.fresh), at: .seconds(10))
        return browser
    }

    private func run(_ line: String, _ browser: inout Browser) -> [Effect] {
        browser.type(":" + line)
        return browser.press(.enter)
    }

    // MARK: Choosing traffic

    @Test
    func
        `the menu of t asks for no traffic before one is chosen, and offers every mode, incidents, both and none`()
    {
        var shown: [TrafficChoice] = []
        for row in 0..<TrafficChoice.menu.count {
            var browser = Browser.test(), effects = browser.press(.character("t"))
            for _ in 0..<row { effects += browser.press(.character("j")) }
            #expect(effects.isEmpty && browser.openPanel?.word == "traffic")
            effects = browser.press(.enter)
            #expect(
                browser.openPanel == nil
                    && effects.contains(.showTraffic(browser.traffic.choice))
                        == (browser.traffic.choice != .off)
            )
            shown.append(browser.traffic.choice)
        }
        #expect(Set(shown.compactMap(\.flow)) == Set(FlowMode.allCases))
        #expect(shown.suffix(3).map(\.kinds) == [[.incidents], [.flow, .incidents], []])
    }

    @Test func `the menu names the missing key, and shows no traffic without it`() {
        var browser = Browser.test(columns: 120, rows: 40)
        browser.begin(missingTrafficKey: { $0.isOff ? nil : "TOMTOM_API_KEY" })
        browser.type("t")
        #expect(browser.shows("– flow: speed") && browser.shows("needs a key: TOMTOM_API_KEY"))
        #expect(!browser.press(.enter).contains { if case .showTraffic = $0 { true } else { false } })
        #expect(browser.map.notices.all.last?.text.contains("Set TOMTOM_API_KEY") == true)
        #expect(browser.openPanel?.word == "traffic" && browser.traffic.choice.isOff)
    }

    @Test func `a row of the menu notes the missing key only where its title leaves room`() {
        var browser = Browser.test(columns: 40, rows: 40)
        browser.begin(missingTrafficKey: { $0.isOff ? nil : "TOMTOM_API_KEY" })
        browser.type("t")
        let rows = browser.screen.lines.filter { $0.contains("– ") }
        #expect(rows.contains { $0.contains("five levels, dark") && !$0.contains("needs") }, "\(rows)")
        #expect(rows.contains { $0.contains("incidents") && $0.contains("needs a key") }, "\(rows)")
    }

    @Test func `the menu begins at the shown traffic, which is not requested again`() {
        var browser = browser(TrafficChoice(flow: .relative, incidents: .night))
        browser.type("t")
        #expect(browser.screen.lines.contains { $0.contains("● flow and incidents") })
        #expect(browser.press(.enter).isEmpty && browser.traffic.choice.incidents == .night)
        browser.type(":traffic")
        _ = browser.press(.enter)
        #expect(browser.openPanel?.word == "traffic")
    }

    @Test(arguments: [
        ("flow", TrafficChoice(flow: .relative)), ("relative-delay", TrafficChoice(flow: .relativeDelay)),
        ("all", TrafficChoice(flow: .relative, incidents: .s0)), ("night", TrafficChoice(incidents: .night)),
        ("off", .off), ("vector", TrafficChoice(flow: .relative, incidents: .s0, isVector: true)),
        ("absolute vector", TrafficChoice(flow: .absolute, isVector: true)), ("vector off", .off),
    ])
    func `:traffic shows the named kinds`(words: String, choice: TrafficChoice) {
        var browser = browser()
        #expect(run("traffic \(words)", &browser).contains(.showTraffic(choice)))
        #expect(browser.traffic.choice == choice)
    }

    @Test func `the menu of t keeps vector tiles until v changes it`() {
        var browser = browser(TrafficChoice(incidents: .s0, isVector: true))
        func press(_ keys: Key...) { for key in keys { _ = browser.press(key) } }
        press(.character("t"), .arrow(.down, shift: false), .enter)
        #expect(browser.traffic.choice.kinds == [.flow, .incidents] && browser.traffic.choice.isVector)
        press(.character("t"), .character("v"))
        #expect(browser.traffic.choice.isVector)
        press(.enter)
        #expect(browser.traffic.choice.kinds == [.flow, .incidents] && !browser.traffic.choice.isVector)
    }

    @Test func `:traffic with an unknown word lists the valid ones`() {
        var browser = browser()
        let before = browser.traffic.choice
        _ = run("traffic jams", &browser)
        #expect(browser.traffic.choice == before)
        #expect(browser.screen.lines.joined().contains("traffic: expected flow, incidents"))
    }

    @Test func `without a key a single line names it, and traffic is off`() {
        var failure: SourceFailure?
        do throws(SourceFailure) {
            _ = try TrafficSources(environment: { _ in nil }).flow(.relative)
        } catch { failure = error }
        var browser = browser(columns: 160)
        _ = browser.update(.trafficRefused(Notice.Problem(failure.map { "\($0)" } ?? "")), at: .seconds(11))
        #expect(browser.shows("TOMTOM_API_KEY or HERE_API_KEY"))
        #expect(browser.traffic.choice == .off && !browser.screen.lines.joined().contains("40 s"))
    }

    // MARK: Messages

    @Test(arguments: 60...130)
    func `the age is always in the status line`(columns: Int) {
        #expect(browser(columns: columns).screen.lines[22].contains("40 s"))
    }

    @Test func `stale traffic is marked as stale`() {
        var browser = browser()
        let stale = TrafficStatus(
            age: TrafficAge(.seconds(360), isStale: true), isLoading: false, problem: nil)
        _ = browser.update(.traffic(stale), at: .seconds(11))
        #expect(browser.screen.lines[22].contains("stale 6 min"))
    }

    @Test func `a failure is reported once without a key`() {
        var browser = browser(columns: 160)
        let refused = TrafficStatus(
            age: nil, isLoading: false, problem: TrafficFailure(.tomtom, .badKey, status: 403))
        for second in 11...13 { _ = browser.update(.traffic(refused), at: .seconds(second)) }
        #expect(browser.map.notices.all.count == 1)
        #expect(browser.shows("TomTom traffic: key refused; check TOMTOM_API_KEY"))
        #expect(browser.screen.lines[22].contains("traffic paused"))
    }

    // MARK: Legend

    @Test(arguments: [ColorDepth.truecolor, .indexed256, .indexed16, .mono], [true, false])
    func `the legend shows each level as the map does`(depth: ColorDepth, isUnicode: Bool) {
        let browser = browser { ($0.map.settings.depth, $0.map.settings.isUnicode) = (depth, isUnicode) }
        let screen = browser.screen, ramp = TrafficRamp.standard
        let top = screen.lines.firstIndex { $0.hasPrefix(" five levels") }
        guard let top else {
            Issue.record("no legend")
            return
        }
        for (at, level) in TrafficLevel.allCases.enumerated() {
            let sign = screen[top + 1 + at, 1]
            let mark = ramp.mark(of: level, depth: depth, unicode: isUnicode)
            #expect(sign == (depth.needsGlyphs ? mark : ramp.swatch(of: level, depth: depth)))
            #expect(isUnicode || sign.glyph.isASCII)
        }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed16, .mono])
    func `the legend explains the letters of the incidents in view`(depth: ColorDepth) {
        var browser = browser(TrafficChoice(flow: .relative0, incidents: .s0, isVector: true), rows: 40) {
            $0.map.settings.depth = depth
        }
        var status = Self.fresh
        status.categories = [.accident, .roadClosed]
        _ = browser.update(.traffic(status), at: .seconds(11))
        let lines = browser.screen.lines
        #expect(
            lines.contains { $0.hasPrefix(" AA  accident") }
                && lines.contains { $0.hasPrefix(" XX  road closed") })
    }

    @Test func `without flow the legend explains only the letters`() {
        var browser = browser(TrafficChoice(incidents: .s0, isVector: true))
        var status = TrafficStatus(
            age: TrafficAge(.seconds(40), isStale: false), isLoading: false, problem: nil)
        status.categories = [.jam]
        _ = browser.update(.traffic(status), at: .seconds(11))
        let lines = browser.screen.lines
        #expect(lines.contains { $0.hasPrefix(" incidents") } && lines.contains { $0.hasPrefix(" JJ  jam") })
    }

    @Test func `omitted traffic is reported once, and under i`() {
        var browser = browser(columns: 120, rows: 40)
        var status = Self.fresh
        for count in 1...3 {
            status.leftOut = "traffic skipped: \(count) tiles damaged"
            _ = browser.update(.traffic(status), at: .seconds(10 + count))
        }
        #expect(browser.map.notices.all.map(\.text) == ["traffic skipped: 1 tiles damaged"])
        _ = browser.press(.character("i"))
        #expect(browser.screen.lines.joined().contains("traffic skipped: 3 tiles damaged"))
    }

    @Test func `i also queries the tiles of traffic`() {
        var browser = browser()
        var status = Self.fresh
        status.described = ["traffic.incidents.2", "traffic.flow.1"]
        _ = browser.update(.traffic(status), at: .seconds(20))
        let asked = browser.press(.character("i")).compactMap { effect in
            effect.query(FeatureQuery.self)?.question.layers
        }
        #expect(asked.first?.prefix(2) == ["traffic.incidents.2", "traffic.flow.1"])
    }

    @Test func `another choice of colours changes the legend`() {
        var browser = browser()
        _ = run("traffic-colors colourblind", &browser)
        let papers = Set(browser.screen.cells.map(\.paper))
        let ramp = TrafficRamp.colourBlind
        #expect(TrafficLevel.allCases.allSatisfy { papers.contains(.rgb(ramp.colour(of: $0))) })
    }

    @Test func `with too few rows or a panel over it there is no legend`() {
        #expect(!browser(rows: 10).screen.lines.joined().contains("five levels"))
        var other = browser()
        _ = other.press(.character("?"))
        #expect(!other.screen.lines.joined().contains("five levels"))
    }

    // MARK: Regions

    @Test(arguments: ["d", "D"])
    func `a download excludes traffic and says so`(key: Character) throws {
        let layer = TileLayer.test(RemoteSource(), id: "web")
        var browser = Browser.test(
            layers: [layer], camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 8))
        browser.begin(with: TrafficChoice(flow: .relative))
        let effects = browser.press(.character(key))
        let isAsked = effects.contains {
            $0.query(RegionPlanQuery.self) != nil || $0.query(StartRegion.self) != nil
        }
        #expect(
            isAsked
                && browser.map.notices.all.map(\.text) == ["Traffic is not downloaded: it can't be stored"])
    }
}
