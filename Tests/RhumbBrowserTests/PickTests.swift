import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests picking a place, a box, a polygon or a feature on the map.
struct PickTests {
    private func browser(
        _ kind: PickRequest.Kind, _ format: PickRequest.Format? = nil, columns: Int = 80, rows: Int = 24
    ) throws -> Browser {
        var browser = Browser.test(
            columns: columns, rows: rows,
            camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 10))
        browser.begin(picking: try #require(PickRequest(kind, format)))
        return browser
    }

    private func picked(_ effects: [Effect]) -> String?? {
        for case .picked(let text) in effects { return .some(text) }
        return nil
    }

    @Test(
        arguments: [
            (nil, "60.450000,22.270000"), (.lonlat, "22.270000,60.450000"),
            (.wkt, "POINT (22.270000 60.450000)"),
            (.geo, "geo:60.4500,22.2700?z=10"),
            (.osm, "https://www.openstreetmap.org/#map=10/60.4500/22.2700"), (.pluscode, "9GG2F700+"),
        ] as [(PickRequest.Format?, String)])
    func `a point is the middle of the map, in the requested format`(
        format: PickRequest.Format?, words: String
    ) throws {
        var browser = try browser(.point, format)
        let answer = try #require(picked(browser.press(.enter)) ?? nil)
        if format == .pluscode {
            #expect(answer.hasPrefix("9GG") && answer.contains("+"))
        } else {
            #expect(answer == words)
        }
    }

    @Test func `a box is the view, or between two corners`() throws {
        var browser = try browser(.bbox)
        let whole = try #require(picked(browser.press(.enter)) ?? nil).split(separator: ",").compactMap {
            Double($0)
        }
        #expect(
            whole.count == 4 && whole[0] < 22.27 && whole[1] < 60.45 && whole[2] > 22.27 && whole[3] > 60.45)
        browser.type(" ")
        #expect(browser.shows("opposite corner"))
        browser.type("ll")
        browser.type("j")
        let part = try #require(picked(browser.press(.enter)) ?? nil).split(separator: ",").compactMap {
            Double($0)
        }
        #expect(
            abs(part[0] - 22.27) < 1e-6 && abs(part[3] - 60.45) < 1e-6 && part[2] > part[0]
                && part[1] < part[3])
        _ = browser.press(.backspace)
        #expect(browser.shows("this view"))
    }

    @Test func `a box is also written in the formats of other programs`() throws {
        var swapped = try browser(.bbox, .swne), shape = try browser(.bbox, .wkt),
            json = try browser(.bbox, .geojson)
        let numbers = try #require(picked(swapped.press(.enter)) ?? nil).split(separator: ",").compactMap {
            Double($0)
        }
        #expect(numbers[0] < numbers[2] && numbers[0] > 50 && numbers[1] < 30)
        #expect(try #require(picked(shape.press(.enter)) ?? nil).hasPrefix("POLYGON (("))
        let feature = try JSON.parse(Array(try #require(picked(json.press(.enter)) ?? nil).utf8))
        #expect(feature["geometry"]?["type"]?.string == "Polygon")
    }

    @Test func `a polygon has at least three points`() throws {
        var browser = try browser(.polygon)
        browser.type(" ")
        #expect(picked(browser.press(.enter)) == nil && browser.shows("three points"))
        for keys in ["l ", "j "] { browser.type(keys) }
        let feature = try JSON.parse(Array(try #require(picked(browser.press(.enter)) ?? nil).utf8))
        #expect(feature["geometry"]?["type"]?.string == "Polygon")
        _ = browser.press(.backspace)
        #expect(picked(browser.press(.enter)) == nil)
    }

    @Test func `a picked feature is one of those at the mark`() throws {
        let source = BlankSource()
        var layer = TileLayer.test(source)
        layer.drawing = NamedTown()
        var browser = Browser.test(
            layers: [layer], camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 10))
        browser.begin(picking: try #require(PickRequest(.feature, .text)))
        #expect(picked(browser.press(.enter)) == nil)
        _ = browser.update(.tick, at: .seconds(1))
        let town = MapFeature(layer: "place", kind: .point, attributes: [.init("name", "Turku")])
        let river = MapFeature(layer: "water", kind: .line, attributes: [.init("name", "Aura")])
        _ = browser.update(
            .features(.success([town, river]), at: browser.map.viewport.camera.coordinate), at: .seconds(1))
        #expect(browser.shows("Turku") && browser.shows("Aura"))
        #expect(picked(browser.press(.enter)) == "Turku")
        _ = browser.press(.tab)
        #expect(picked(browser.press(.enter)) == "Aura")
    }

    @Test func `Esc exits without a choice, but only from the prompt itself`() throws {
        var browser = try browser(.point)
        browser.type("?")
        #expect(browser.openPanel?.word == "help")
        #expect(picked(browser.press(.escape)) == nil && browser.openPanel?.word == "pick")
        browser.type("m")
        _ = browser.press(.escape)
        #expect(browser.openPanel?.word == "pick")
        #expect(picked(browser.press(.escape)) == .some(nil))
    }

    @Test(arguments: [(24, 4), (40, 12), (80, 24), (200, 60)])
    func `the prompt and the mark are visible at any size`(columns: Int, rows: Int) throws {
        for kind in PickRequest.Kind.allCases {
            let browser = try browser(kind, columns: columns, rows: rows)
            if rows > 8 { #expect(browser.shows("Pick") && browser.shows("+")) }
        }
    }

    @Test func `formats that don't suit the kind are rejected`() {
        #expect(
            PickRequest(.bbox, .geohash) == nil && PickRequest(.point, .wsen) == nil
                && PickRequest(.feature, .wkt) == nil)
        for kind in PickRequest.Kind.allCases {
            #expect(PickRequest.formats(of: kind).allSatisfy { PickRequest(kind, $0) != nil })
        }
    }
}

/// A map with features that can be queried.
private struct NamedTown: TileDrawing {
    let dataZooms = 0...14
    let isDescribed = true
    let writesLabels = false
    func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile {
        throw TileFailure(.badContent, "")
    }
    func cachedTile(_ data: TileID) -> (any DrawnTile)? { nil }
    func forgetTiles() {}
}
