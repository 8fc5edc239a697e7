import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct LabelLayoutTests {
    private func map(_ fill: (inout LabelledSource) -> Void, zoom: Double = 14) -> LabelledMap {
        var source = LabelledSource()
        fill(&source)
        return LabelledMap(source, zoom: zoom)
    }

    @Test func `a name without a mark is centred on its place`() throws {
        let map = map { $0.add("Oltrarno", at: LabelledMap.place(0.5, 0.5)) }
        let place = try #require(map.places(of: "Oltrarno").first)
        #expect(abs(place.x + 4 - 50) <= 1 && abs(place.y - 15) <= 1)
    }

    @Test(arguments: [
        ("peak", "▲ Monte"), ("airport_11", "✈ Monte"), ("maki:hospital-15", "✚ Monte"),
        ("capital", "● Monte"),
        ("no-such-picture", "· Monte"), ("parking", "P Monte"),
    ])
    func `an icon is drawn as a character beside the name`(icon: String, drawn: String) {
        let map = map { $0.add("Monte", at: LabelledMap.place(0, 0), icon: icon) }
        #expect(map.lines.contains { $0.contains(drawn) })
    }

    @Test func `without Unicode, marks are plain letters`() {
        var source = LabelledSource()
        source.add("Monte", at: LabelledMap.middle, icon: "peak")
        var map = LabelledMap(source)
        var settings = Settings()
        settings.isUnicode = false
        map.browser = Browser(
            columns: 100, rows: 32, layers: map.browser.map.layers, camera: map.browser.map.viewport.camera,
            settings: settings)
        map.send(.tick)
        #expect(map.lines.contains { $0.contains("^ Monte") })
    }

    @Test func `of two names that collide, the one of the upper layer is shown`() {
        let map = map {
            $0.add("Bottega di Pasticceria", at: LabelledMap.place(1, 0), layer: 5)
            $0.add("FIRENZE", at: LabelledMap.place(0, 0), layer: 0)
        }
        #expect(map.places(of: "FIRENZE").count == 1 && map.places(of: "Bottega").isEmpty)
    }

    @Test func `a name uses the other side of its mark when one is occupied`() {
        let map = map {
            $0.add("Piazza del Duomo", at: LabelledMap.place(12, 0), layer: 0)
            $0.add("Museo", at: LabelledMap.place(0, 0), layer: 1, icon: "museum")
        }
        #expect(map.lines.contains { $0.contains("Museo ⌂") })
    }

    @Test(arguments: 1...8) func `no name overlaps another, however many there are`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed)), source = LabelledSource()
        for number in 0..<300 {
            let place = LabelledMap.place(Double(random.next() % 90) - 45, Double(random.next() % 28) - 14)
            source.add(
                "Name\(number)x", at: place, layer: Int(random.next() % 4),
                icon: random.next() % 2 == 0 ? "city" : nil)
        }
        let map = LabelledMap(source)
        var letters = 0
        for number in 0..<300 where !map.places(of: "Name\(number)x").isEmpty {
            letters += "Name\(number)x".count
        }
        let drawn = map.lines.joined().count { $0.isLetter || $0.isNumber }
        #expect(letters == drawn && drawn > 60)
    }

    @Test func `the same name appears once within a distance, even across tile edges`() {
        let border = 8705.0 / 16384, row = LabelledMap.middle.y
        let cell = 2 / (256.0 * 16384)
        let map = map {
            $0.add("Fiume Arno", at: WorldPoint(x: border - 4 * cell, y: row))
            $0.add("Fiume Arno", at: WorldPoint(x: border + 14 * cell, y: row))
        }
        var wide = map
        for _ in 0..<4 { wide.press(.arrow(.right, shift: false)) }
        #expect(wide.places(of: "Fiume Arno").count == 1)
    }

    @Test func `the name of a small area appears only when there is room for it`() {
        func named(_ breadth: Double) -> Bool {
            let tile = TileID(zoom: 14, containing: LabelledMap.middle)
            var source = LabelledSource()
            let rank = VectorLabel.Rank(layer: 0)
            source.labels[tile] = [
                VectorLabel(
                    text: "Giardino di Boboli", anchor: .point([0.5, 0.5]), rank: rank, layer: "a",
                    breadth: breadth)
            ]
            return !LabelledMap(source).places(of: "Giardino").isEmpty
        }
        #expect(named(0.2) && !named(0.01))
    }

    @Test(arguments: ["東京都庁", "e\u{301}cole", "القاهرة", "חיפה"])
    func `names in any script are complete and in their own order`(text: String) {
        let map = map { $0.add(text, at: LabelledMap.place(0, 0)) }
        #expect(map.places(of: text).count == 1)
    }

    @Test func `a name at the edge is moved inwards, or omitted if that is too far`() {
        func map(_ column: Double, _ text: String) -> LabelledMap {
            self.map { $0.add(text, at: LabelledMap.place(column, 0)) }
        }
        #expect(map(-49, "Lungarno").places(of: "Lungarno").first?.x == 1)
        #expect(map(-52, "Lungarno").places(of: "arno").isEmpty)
    }
}
