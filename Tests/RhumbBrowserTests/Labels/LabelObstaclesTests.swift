@testable import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests that labels avoid panels over the map, and its edges.
struct LabelObstaclesTests {
    private func source(_ columns: [Double]) -> LabelledSource {
        var source = LabelledSource()
        for (number, column) in columns.enumerated() {
            source.add("Name \(number) of a town", at: LabelledMap.place(column, 4))
        }
        return source
    }

    @Test func `a name at the edge is moved inwards rather than truncated`() {
        let map = LabelledMap(source([-45, 45]))
        #expect(map.places(of: "Name 0 of a town").first?.x == 1)
        #expect(map.places(of: "Name 1 of a town").first.map { $0.x + 16 } == 99)
    }

    @Test func `a name under a panel moves beside it, and back when it is closed`() throws {
        var map = LabelledMap(source([18]), columns: 120)
        let before = try #require(map.places(of: "Name 0 of a town").first)
        map.press(.character("?"))
        map.send(.frame(map.browser.use(of: Scene(layers: []), hasBackdrop: false)))
        let beside = try #require(map.places(of: "Name 0 of a town").first)
        #expect(beside.x + 16 < before.x + 16 && beside.y == before.y)
        map.press(.escape)
        map.send(.frame(map.browser.use(of: Scene(layers: []), hasBackdrop: false)))
        #expect(map.places(of: "Name 0 of a town").count == 1)
    }

    @Test func `a mark that is set on a name moves the name aside, and back when it is removed`()
        throws
    {
        var map = LabelledMap(source([0]))
        let before = try #require(map.places(of: "Name 0 of a town").first)
        for action in [MouseEvent.Action.press, .release] {
            map.press(.mouse(MouseEvent(action, column: before.x + 5, row: before.y)))
        }
        let beside = try #require(map.places(of: "Name 0 of a town").first)
        #expect(beside != before && map.lines[before.y].contains("+"))
        map.press(.escape)
        #expect(map.places(of: "Name 0 of a town") == [before])
    }

    @Test func `the mark of a feature hides the name under it, and no other`() {
        var map = LabelledMap(source([-20, 20]))
        #expect(map.places(of: "Name 0 of a town").count == 1)
        let live = LiveLayer(id: "over.0", name: "ships", palette: OverlayPalette(0))
        live.index = OverlayIndex([OverlayFeature(.point(LabelledMap.place(-20, 4)))])
        map.send(.opened(.success([OverlayDrawing.layer(live)]), over: true))
        #expect(map.places(of: "Name 0 of a town").isEmpty)
        #expect(map.places(of: "Name 1 of a town").count == 1)
    }

    @Test func `a name under the crosshair of i moves aside, and back when i is closed`() throws {
        var source = LabelledSource()
        source.add("Name of a town", at: LabelledMap.place(0, 0))
        var map = LabelledMap(source)
        let before = try #require(map.places(of: "Name of a town").first),
            middle = map.browser.map.viewport.rows / 2
        #expect(before.y == middle)
        map.press(.character("i"))
        let beside = try #require(map.places(of: "Name of a town").first)
        #expect(beside != before && map.lines[middle].contains("+"))
        map.press(.escape)
        #expect(map.places(of: "Name of a town") == [before])
    }

    /// Keys that draw lines over the map: tile borders, a measured line, and the line between two clicks.
    static let lines: [[Key]] = [
        "bLJ".map { .character($0) }, "M LJ".map { .character($0) },
        [(20, 5), (70, 25)].flatMap { at in
            [MouseEvent.Action.press, .release].map { .mouse(MouseEvent($0, column: at.0, row: at.1)) }
        },
    ]

    @Test(arguments: lines) func `lines over the map don't break names`(keys: [Key]) throws {
        var random = SplitMix(seed: 3), source = LabelledSource()
        for number in 0..<600 {
            let place = LabelledMap.place(Double(random.next() % 200) - 100, Double(random.next() % 80) - 40)
            source.add("Town \(number)", at: place, layer: Int(random.next() % 5))
        }
        var map = LabelledMap(source)
        let before = map.browser.screen
        for key in keys { map.press(key) }
        map.send(.frame(map.browser.use(of: Scene(layers: []), hasBackdrop: false)))
        let screen = map.browser.screen, layout = try #require(map.browser.labels.layout)
        let drawn = screen.cells.count { "─│┌".unicodeScalars.contains($0.glyph) } + screen.dotted.count
        #expect(drawn > 20 && screen != before)
        let view = layout.grid.box(of: map.browser.map.viewport),
            seen = layout.placed.filter { $0.isWithin(view) }
        #expect(seen.count > 10)
        for label in seen {
            let row = label.row - view.rows.lowerBound
            let glyphs = label.columns.map { screen[row, $0 - view.columns.lowerBound].glyph }
            #expect(glyphs == Array(label.text.unicodeScalars))
        }
    }

    /// Returns the map after a search has gone to a place of this name, at the first label.
    private func map(showing name: String) throws -> (map: LabelledMap, found: SearchMatch) {
        var map = LabelledMap(source([0, 30]))
        let before = try #require(map.places(of: "Name 0 of a town").first)
        let place = Mercator.coordinate(LabelledMap.place(Double(before.x + 5) - 50, Double(before.y - 15)))
        let town = SearchMatch.place(
            PlaceMatch(
                place: NamedPlace(
                    number: 1, name: name, kind: .city, countryCode: "FI", country: "Finland", region: "",
                    coordinate: place, population: 9), otherName: nil))
        for letter in "/farma" { map.press(.character(letter)) }
        let query = MapSearchQuery(
            "farma", near: map.browser.map.viewport.camera.coordinate, area: .everywhere,
            limit: Browser.searchLimit)
        map.send(.found(.success(SearchResult([town])), for: query))
        map.press(.enter)
        return (map, town)
    }

    @Test func `names are beside found features, even after the map has moved`() throws {
        var (map, town) = try map(showing: "Farma")
        let sign = Character(MapSign(town).unicode)
        for _ in 0..<3 {
            #expect(map.lines.contains { $0.contains(sign) })
            #expect(
                map.places(of: "Name 0 of a town").count == 1 && map.places(of: "Name 1 of a town").count == 1
            )
            map.press(.arrow(.right, shift: false))
            map.tick(map.browser.map.now + .seconds(2))
        }
    }

    @Test func `the name at a found place is not repeated beside it`() throws {
        let (map, town) = try map(showing: "Name 0 of a town")
        #expect(map.lines.contains { $0.contains(MapSign(town).unicode + " Name 0 of a town") })
        #expect(map.places(of: "Name 0 of a town").count == 1)
    }

    @Test func `where a labelled map is empty, the gazetteer names the places below`() {
        var layer = TileLayer.test(BlankSource())
        layer.boundingBox = Bounds(west: 24.5, south: 60, east: 25.5, north: 60.4)
        var browser = Browser.test(
            columns: 100, rows: 30, layers: [layer],
            camera: Camera(center: Coordinate(latitude: 60.2, longitude: 24.9), zoom: 8))
        let scene = Scene(layers: [LayerScene(layer: layer, tileZoom: 8)])
        #expect(browser.use(of: scene, hasBackdrop: false).open == nil)
        let asked = browser.send(.frame(browser.use(of: scene, hasBackdrop: true)))
        #expect(!asked.queries(PlaceLabelQuery.self).isEmpty)
        func town(_ name: String, _ longitude: Double) -> NamedPlace {
            NamedPlace(
                number: 1, name: name, kind: .city, countryCode: "FI", country: "Finland", region: "",
                coordinate: Coordinate(latitude: 60.2, longitude: longitude), population: 500_000)
        }
        _ = browser.send(.placeLabels([town("Inside", 24.9), town("Outside", 24.45)]))
        #expect(browser.shows("Outside") && !browser.shows("Inside"))
    }

    @Test func `the path to a view doesn't affect its names when it rests`() {
        func names(_ keys: [Key]) -> [String] {
            var random = SplitMix(seed: 11), source = LabelledSource()
            for number in 0..<900 {
                let place = LabelledMap.place(
                    Double(random.next() % 400) - 200, Double(random.next() % 150) - 75)
                source.add(
                    "Town \(number)", at: place, layer: Int(random.next() % 5),
                    icon: number % 3 == 0 ? "city" : nil)
            }
            var map = LabelledMap(source, namesPlaces: true), time = Duration.zero
            for key in keys {
                map.press(key)
                time += .seconds(2)
                map.tick(time)
            }
            return map.lines
        }
        let right = Key.arrow(.right, shift: false)
        let left = Key.arrow(.left, shift: false)
        let down = Key.arrow(.down, shift: false)
        #expect(names([right, down]) == names([down, right]))
        #expect(names([right, down]) == names([right, right, left, down]))
    }
}
