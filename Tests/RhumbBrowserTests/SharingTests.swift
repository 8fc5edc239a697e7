import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests measuring, picking, sharing and bookmarking on the map.
struct SharingTests {
    private static let turku = Coordinate(latitude: 60.45, longitude: 22.27)

    private func browser(columns: Int = 80, rows: Int = 24, zoom: Double = 10) -> Browser {
        var browser = Browser.test(
            columns: columns, rows: rows, camera: Camera(center: Self.turku, zoom: zoom))
        _ = browser.send(.tick)
        return browser
    }

    private func text(_ effects: [Effect]) -> String? {
        for case .copy(let text) in effects { return text }
        return nil
    }

    // MARK: Measuring

    @Test(arguments: [(80, 24), (40, 12), (160, 50)])
    func `points are set in the middle, and the length to the mark is updated continuously`(
        columns: Int, rows: Int
    ) {
        var browser = browser(columns: columns, rows: rows)
        browser.type("M")
        #expect(browser.shows("Measure"))
        _ = browser.press(.enter)
        _ = browser.press(.arrow(.right, shift: false))
        #expect(browser.shows("to the cursor") && browser.shows("90."))
        _ = browser.press(.enter)
        let step = browser.pointing.trail.points
        #expect(
            step.count == 2 && step[0].metres(to: Self.turku) < 0.001
                && abs(browser.pointing.trail.metres - step[0].way(to: step[1]).metres) < 1e-6)
        #expect(browser.shows("2 points"))
    }

    @Test func `a click sets a point where it is, a drag sets none`() {
        var browser = browser()
        browser.type("M")
        _ = browser.press(.mouse(MouseEvent(.press, column: 20, row: 5)))
        _ = browser.press(.mouse(MouseEvent(.release, column: 20, row: 5)))
        #expect(
            browser.pointing.trail.points == [
                Mercator.coordinate(browser.map.viewport.world(column: 20.5, row: 5.5))
            ])
        _ = browser.press(.mouse(MouseEvent(.press, column: 20, row: 5)))
        _ = browser.press(.mouse(MouseEvent(.drag, column: 24, row: 6)))
        _ = browser.press(.mouse(MouseEvent(.release, column: 24, row: 6)))
        #expect(browser.pointing.trail.points.count == 1)
    }

    @Test func `closing shows the area, undoing opens it again and removes points one by one`() throws {
        var browser = browser()
        browser.type("M")
        for keys in [" ", "l ", "j "] { browser.type(keys) }
        #expect(browser.pointing.trail.points.count == 3 && !browser.shows("km²"))
        browser.type("c")
        #expect(
            browser.shows("area") && (browser.shows("km²") || browser.shows(" ha"))
                && browser.pointing.trail.isClosed)
        let closed = try #require(text(browser.press(.character("y")))),
            json = try JSON.parse(Array(closed.utf8))
        #expect(
            json["geometry"]?["type"]?.string == "Polygon"
                && json["geometry"]?["coordinates"]?.array?.first?.array?.count == 4)
        #expect(json["properties"]?["squareMetres"]?.double == browser.pointing.trail.squareMetres.rounded())
        _ = browser.press(.backspace)
        #expect(!browser.pointing.trail.isClosed && browser.pointing.trail.points.count == 3)
        for _ in 0..<4 { _ = browser.press(.backspace) }
        #expect(browser.pointing.trail.points.isEmpty)
        browser.type("c")
        #expect(!browser.pointing.trail.isClosed)
    }

    @Test func `measured points remain when the panel opens again, and x clears them`() {
        var browser = browser()
        browser.type("M ")
        browser.type("l ")
        _ = browser.press(.escape)
        #expect(browser.openPanel == nil)
        browser.type("M")
        #expect(browser.shows("2 points"))
        #expect(
            browser.press(.character("w")).queries(ExportText.self).contains {
                $0.name == "measured.geojson" && $0.text.contains("LineString")
            })
        browser.type("x")
        #expect(browser.pointing.trail.points.isEmpty && text(browser.press(.character("y"))) == nil)
    }

    @Test func `lines over the antimeridian take the short way`() {
        var trail = MeasuredPath()
        trail.add(Coordinate(latitude: 0, longitude: 179))
        trail.add(Coordinate(latitude: 0, longitude: -179))
        #expect(abs(trail.metres - 222_639) < 1)
        var browser = Browser.test(camera: Camera(center: Coordinate(latitude: 0, longitude: 180), zoom: 5))
        browser.type("Mhhh ")
        browser.type("llllll ")
        #expect((40..<80).contains(browser.screen.dotted.count))
    }

    @Test(arguments: [true, false]) func `a slanted line is drawn without gaps`(isUnicode: Bool) {
        var settings = Settings()
        settings.isUnicode = isUnicode
        let camera = Camera(center: Coordinate(latitude: 60, longitude: 22), zoom: 12)
        var browser = Browser(
            columns: 80, rows: 24, layers: [.test(BlankSource())], camera: camera, settings: settings)
        for (column, row) in [(10, 3), (70, 18)] {
            for action in [MouseEvent.Action.press, .release] {
                _ = browser.press(.mouse(MouseEvent(action, column: column, row: row)))
            }
        }
        let dotted = browser.screen.dotted
        #expect(Set(dotted.map { $0 % 80 }).isSuperset(of: 11..<70))
        #expect(Set(dotted.map { $0 / 80 }).isSuperset(of: 4..<18))
    }

    // MARK: Sharing

    @Test func `y lists the view in several notations, and copies one of them`() throws {
        var browser = browser()
        browser.type("y")
        #expect(browser.shows("6 geohash") && browser.shows("5 plus code"))
        #expect(
            browser.shows("rhumb") && browser.shows("geo:60.4500,22.2700?z=10")
                && browser.shows("openstreetmap.org"))
        #expect(
            text(browser.press(.character("3"))) == "geo:60.4500,22.2700?z=10" && browser.openPanel == nil)
        browser.type("y")
        let command = try #require(text(browser.press(.character("y"))))
        #expect(command.hasPrefix("rhumb ") && command.hasSuffix(" -c 60.4500,22.2700 -z 10"))
        browser.type("yj")
        #expect(
            text(browser.press(.enter))?.hasPrefix("https://www.openstreetmap.org/#map=10/60.4500/") == true)
    }

    @Test func `a copied command is understood after g, and one without a place is searched for`() {
        var browser = browser(zoom: 4)
        browser.settings(animates: false)
        browser.type("grhumb osm --over walk.gpx -c 47.4,8.5 -z 9.5")
        _ = browser.press(.enter)
        #expect(
            browser.map.viewport.camera.zoom == 9.5
                && abs(browser.map.viewport.camera.coordinate.latitude - 47.4) < 1e-6)
        browser.type("grhumb osm -z 3")
        _ = browser.press(.enter)
        #expect(browser.map.viewport.camera.zoom == 9.5 && browser.openPanel?.word == "search")
    }

    @Test func `characters special to a shell are quoted, and overlays are included`() {
        var layer = TileLayer.test(BlankSource())
        layer = layer.named("file:/tmp/my map's.pmtiles")
        var over = TileLayer.test(BlankSource()).named("file:walk.gpx")
        over.role = .hybridOverlay
        var browser = Browser.test(layers: [layer, over], camera: Camera(center: Self.turku, zoom: 10))
        browser.type("y")
        #expect(
            text(browser.press(.enter))
                == #"rhumb '/tmp/my map'\''s.pmtiles' --over walk.gpx -c 60.4500,22.2700 -z 10"#)
    }

    @Test
    func
        `features of files and addresses are named in the command, others and those that are hidden are not`()
    {
        func features(_ number: Int, _ words: String?, isVisible: Bool = true) -> TileLayer {
            var layer = OverlayDrawing.layer(
                LiveLayer(id: "over.\(number)", name: "own", palette: OverlayPalette(number)))
            layer.openedBy = words
            layer.isVisible = isVisible
            return layer
        }
        let layers = [
            .test(BlankSource()).named("world"), features(0, "my walk.gpx"), features(1, nil),
            features(2, "https://example.org/q.geojson"),
            features(3, "hidden.gpx", isVisible: false),
        ]
        var browser = Browser.test(layers: layers, camera: Camera(center: Self.turku, zoom: 10))
        browser.type("y")
        #expect(
            text(browser.press(.enter))
                == "rhumb --over 'my walk.gpx' --over https://example.org/q.geojson -c 60.4500,22.2700 -z 10")
    }

    @Test func `the notice says whether the terminal certainly copied the text`() {
        var browser = browser()
        _ = browser.send(.copied("geo:1,2", isSure: true))
        #expect(browser.shows("Copied geo:1,2"))
        var other = self.browser()
        _ = other.send(.copied("geo:3,4", isSure: false))
        #expect(other.shows("if your terminal allows it"))
    }

    // MARK: Bookmarks

    @Test func `two quotes and a letter save a view, and one quote and the letter return to it`() {
        var browser = browser()
        browser.type("''")
        #expect(browser.shows("Press a letter or digit to save this view"))
        let effects = browser.press(.character("t")), camera = browser.map.viewport.camera
        let bookmark = Bookmark("t", "", camera, map: browser.base?.specifier)
        #expect(effects.contains(.ask(BookmarkQuery(.set(bookmark)))) && browser.openPanel == nil)
        // The bookmark is available before it is written.
        #expect(browser.stored.bookmarks == [bookmark])
        _ = browser.send(
            .bookmarks([
                bookmark,
                Bookmark("z", "Zürich", Camera(center: Coordinate(latitude: 47.4, longitude: 8.5), zoom: 9)),
            ]))
        browser.settings(animates: false)
        browser.type("'z")
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 47.4) < 1e-6)
        browser.type("'t")
        #expect(browser.map.viewport.camera == camera)
        _ = browser.update(.key(.character("'")), at: .seconds(20))
        browser.type("w")
        #expect(browser.shows("No bookmark w") && browser.openPanel != nil)
        _ = browser.press(.arrow(.down, shift: false))
        browser.type("x")
        #expect(browser.shows("Remove bookmark z?") && browser.shows("y yes  n no  ? help"))
        #expect(browser.press(.character("y")).contains(.ask(BookmarkQuery(.remove("z")))))
    }

    @Test func `a bookmark of another map opens that map, and shows the place once it is loaded`() {
        var browser = browser()
        browser.settings(animates: false)
        let place = Camera(center: Coordinate(latitude: 47.4, longitude: 8.5), zoom: 9),
            before = browser.map.viewport.camera
        _ = browser.send(.bookmarks([Bookmark("z", "Zürich", place, map: "city.pmtiles")]))
        browser.type("'")
        #expect(browser.press(.character("z")) == [.open(source: "city.pmtiles", over: false)])
        #expect(browser.map.viewport.camera == before)
        _ = browser.send(.opened(.success([.test(BlankSource(), id: "file:city.pmtiles")]), over: false))
        #expect(
            abs(browser.map.viewport.camera.coordinate.latitude - 47.4) < 1e-6
                && browser.map.viewport.camera.zoom == 9)
        _ = browser.send(.opened(.success([.test(BlankSource())]), over: false))
        browser.type("'")
        _ = browser.press(.character("z"))
        _ = browser.update(.opened(.failure(Notice.Problem("gone")), over: false), at: .seconds(60))
        #expect(browser.shows("gone"))
    }

    @Test func `a bookmark whose letter is a panel key is reached by it`() {
        let zurich = Coordinate(latitude: 47.4, longitude: 8.5)
        let places = ["x", "q"].map { Bookmark($0, "", Camera(center: zurich, zoom: 9)) }
        for place in places {
            var browser = browser(zoom: 4)
            browser.settings(animates: false)
            _ = browser.send(.bookmarks([place]))
            browser.type("'\(place.letter)")
            #expect(browser.map.viewport.camera.zoom == 9 && browser.openPanel == nil)
        }
        var browser = browser()
        _ = browser.send(.bookmarks([places[0]]))
        browser.type("'")
        #expect(browser.shows("Del remove"))
        _ = browser.press(.delete)
        #expect(browser.press(.character("y")) == [.ask(BookmarkQuery(.remove("x")))])
    }

    @Test func `a bookmark that can't be saved is withdrawn`() {
        var browser = browser()
        browser.type("''")
        _ = browser.press(.escape)
        #expect(browser.shows("Bookmarks"))
        _ = browser.press(.escape)
        #expect(browser.openPanel == nil)
    }
}

extension Browser {
    fileprivate mutating func settings(animates: Bool) {
        type(animates ? ":animation on" : ":animation off"); _ = press(.enter)
    }
}
