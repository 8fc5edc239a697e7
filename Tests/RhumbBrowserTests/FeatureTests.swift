import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct FeatureTests {
    private typealias Question = (layers: [String], place: Coordinate, zoom: Int, reach: Double)

    private func question(_ effects: [Effect]) -> Question? {
        effects.queries(FeatureQuery.self).first.map {
            ($0.question.layers, $0.question.place, $0.question.zoom, $0.reach)
        }
    }

    private func opened() -> (map: LabelledMap, question: Question?) {
        var map = LabelledMap(LabelledSource(), columns: 120, rows: 40)
        _ = map.browser.update(.tick, at: .seconds(5))
        let asked = question(map.browser.press(.character("i")))
        return (map, asked)
    }

    private func answered(
        _ answer: Result<[MapFeature], Notice.Problem>, onSecondPage: Bool = true
    ) throws -> String {
        var (map, asked) = opened()
        if onSecondPage { _ = map.browser.press(.tab) }
        let place = try #require(asked).place
        map.send(.features(answer, at: place))
        return map.browser.screen.lines.joined(separator: "\n")
    }

    @Test func `i queries features at the point, within about a cell`() throws {
        let asked = try #require(opened().question)
        let middle = Mercator.coordinate(LabelledMap.middle)
        #expect(
            abs(asked.place.latitude - middle.latitude) < 0.001 && asked.layers == ["named"]
                && asked.zoom == 14)
        #expect((1...8).contains(asked.reach * 256 * 16384))
    }

    @Test func `over images nothing is requested or shown`() {
        var browser = Browser.test(columns: 120, rows: 40)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(question(browser.press(.character("i"))) == nil)
        #expect(!browser.screen.lines.joined().contains("On the map"))
    }

    @Test func `the panel shows name, layer and attributes`() throws {
        let screen = try answered(
            .success([
                MapFeature(
                    layer: "roads", kind: .line,
                    attributes: [.init("name", "Via Roma"), .init("kind", "major")])
            ]))
        #expect(screen.contains("Via Roma: roads") && screen.contains("kind major"))
    }

    @Test(arguments: [
        ("roads", "highway", "pedestrian", "pedestrian street or square"),
        ("landuse", "landuse", "residential", "residential area"), ("pois", "tourism", "hostel", "hostel"),
    ])
    func `a kind that tells nothing gives way to another attribute`(
        layer: String, name: String, value: String, kind: String
    ) throws {
        let feature = MapFeature(
            layer: layer, kind: .line,
            attributes: [.init("kind", "other"), .init("pmap:kind", "other"), .init(name, value)])
        let page = try answered(.success([feature]), onSecondPage: false)
        #expect(page.contains(" \(kind) ") && !page.contains(" other "))
    }

    @Test func `the first page has neither attributes nor tiles, and the second one has`() throws {
        let street = MapFeature(
            layer: "roads", kind: .line,
            attributes: [.init("name", "Via Roma"), .init("class", "pedestrian"), .init("oneway", "1")])
        let first = try answered(.success([street]), onSecondPage: false)
        #expect(first.contains("Via Roma, pedestrian street") && !first.contains("oneway"))
        #expect(!first.contains("TMS row") && !first.contains("drawn by"))
        let second = try answered(.success([street]))
        #expect(second.contains("oneway 1") && second.contains("TMS row"))
    }

    @Test func `the panel shows the style's layers that draw it`() throws {
        func screen(_ layers: [String]) throws -> String {
            try answered(
                .success([
                    MapFeature(
                        layer: "roads", kind: .line, attributes: [.init("name", "Via Roma")],
                        styleLayers: layers)
                ]))
        }
        #expect(try screen(["road", "road-casing"]).contains("drawn by road, road-casing"))
        #expect(try screen([]).contains("not drawn in this style"))
    }

    @Test func `empty results and failures are shown too`() throws {
        #expect(try answered(.success([])).contains("Nothing named here"))
        #expect(
            try answered(.failure(Notice.Problem("the tile is\u{1B} damaged"))).contains(
                "the tile is damaged"))
    }

    @Test func `a search result is named, although the map has no feature there`() throws {
        var map = LabelledMap(LabelledSource(), columns: 120, rows: 40)
        map.browser.type("/mont")
        let peak = NamedPlace(
            number: 1, name: "Mont Blanc", kind: .peak, countryCode: "", country: "", region: "",
            coordinate: Coordinate(latitude: 45.8326, longitude: 6.8652), population: 0)
        let query = MapSearchQuery(
            "mont", near: map.browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
        map.send(
            .found(
                .success(SearchResult([.place(PlaceMatch(place: peak, otherName: nil))], indexedShare: 1)),
                for: query))
        _ = map.browser.press(.enter)
        map.tick(.seconds(20))
        let first = question(map.browser.press(.character("i")))
        // The panel queries once the map has been at rest.
        let asked = try #require(first ?? question(map.browser.update(.tick, at: .seconds(30))))
        map.send(.features(.success([]), at: asked.place))
        let screen = map.browser.screen.lines.joined(separator: "\n")
        #expect(screen.contains("Mont Blanc, peak, 4807 m") && !screen.contains("Nothing named here"))
    }

    @Test func `a response for another point is not shown`() {
        var (map, _) = opened()
        map.send(
            .features(
                .success([MapFeature(layer: "x", kind: .point, attributes: [])]),
                at: Coordinate(latitude: 1, longitude: 1)))
        #expect(map.browser.screen.lines.joined().contains("…"))
    }
}
