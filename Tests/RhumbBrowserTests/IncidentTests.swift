import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct IncidentTests {
    private func opened(_ choice: TrafficChoice = TrafficChoice(incidents: .s0)) -> (Browser, [Effect]) {
        var browser = Browser.test(
            columns: 120, rows: 40, camera: Camera(center: Coordinate(latitude: 60, longitude: 22), zoom: 12))
        browser.begin(with: choice)
        _ = browser.update(.tick, at: .seconds(5))
        let effects = browser.press(.character("i"))
        return (browser, effects)
    }

    private func question(_ effects: [Effect]) -> (place: Coordinate, radius: Double)? {
        effects.queries(IncidentQuery.self).first.map { ($0.place, $0.radius) }
    }

    private func answered(_ answer: Result<[TrafficIncident], Notice.Problem>) throws -> String {
        var (browser, effects) = opened()
        let asked = try #require(question(effects))
        #expect(browser.screen.lines.joined().contains("Loading …"))
        _ = browser.update(.incidents(answer, around: asked.place), at: .seconds(6))
        return browser.screen.lines.joined(separator: "\n")
    }

    @Test func `i queries incidents around the point, within a few cells`() throws {
        let asked = try #require(question(opened().1))
        #expect(abs(asked.place.latitude - 60) < 0.01 && abs(asked.place.longitude - 22) < 0.01)
        #expect((50...2000).contains(asked.radius))
    }

    @Test func `without incidents on the map nothing is requested`() {
        #expect(question(opened(TrafficChoice(flow: .relative)).1) == nil)
    }

    @Test func `the panel lists incidents without their control characters`() throws {
        var jam = TrafficIncident(id: "1")
        jam.category = .jam
        jam.from = "Turku\u{1B}[2J"
        jam.to = "Salo"
        jam.delay = 240
        let screen = try answered(.success([jam]))
        #expect(screen.contains("jam, Turku") && screen.contains("(4 min)") && !screen.contains("\u{1B}"))
    }

    @Test func `a long list of incidents is truncated`() throws {
        let many = (0..<9).map { TrafficIncident(id: "\($0)") }
        #expect(try answered(.success(many)).contains("and 4 more"))
    }

    @Test func `unavailable data is reported instead`() throws {
        let problem = Notice.Problem(TrafficFailure(.tomtom, .serverTrouble, status: 503).description)
        let screen = try answered(.failure(problem))
        #expect(screen.contains("TomTom traffic: ") && screen.contains("503"))
    }

    @Test func `an empty result is shown too`() throws {
        #expect(try answered(.success([])).contains("No incidents nearby"))
    }

    @Test func `a response for another point is not shown`() {
        var (browser, _) = opened()
        let there = Coordinate(latitude: 1, longitude: 1)
        _ = browser.update(.incidents(.success([]), around: there), at: .seconds(6))
        #expect(browser.screen.lines.joined().contains("Loading …"))
    }

    @Test func `after the view has moved, it is queried once, when it rests`() {
        var (browser, _) = opened()
        var moves: [Effect] = []
        for _ in 0..<5 {
            moves += browser.press(.character("l")) + browser.update(.tick, at: browser.map.now)
        }
        #expect(question(moves) == nil)
        let later = browser.update(.tick, at: browser.map.now + .seconds(2))
        #expect(question(later) != nil)
        #expect(question(browser.update(.tick, at: browser.map.now + .seconds(2))) == nil)
    }
}
