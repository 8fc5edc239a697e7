@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct StreetLabelTests {
    /// Returns a map with streets through places given in cells from the centre.
    private func map(_ streets: [(String, [(Double, Double)])]) -> LabelledMap {
        var source = LabelledSource()
        let tile = TileID(zoom: 14, containing: LabelledMap.middle)
        for (name, cells) in streets {
            source.add(name, along: cells.map { LabelledMap.place($0.0, $0.1) }, in: tile)
        }
        return LabelledMap(source)
    }

    @Test(arguments: [3.0, 3.2, 3.5, 3.9])
    func `the distance of a line from the middle of its label's cells is known`(row: Double) throws {
        let box = CellBox(columns: 0..<40, rows: 0..<10)
        let line = [SIMD2(0, row), SIMD2(40, row)]
        let slot = try #require(LineLabelPlacement(line, width: 4, in: box).slots.first)
        #expect(slot.row == 3 && abs(Double(slot.row) + 0.5 + slot.shift - row) < 1e-9)
    }

    @Test func `a horizontal street has its name on it`() throws {
        let map = map([("Via Roma", [(-20, 0.5), (0, 0.7), (20, 0.4)])])
        let place = try #require(map.places(of: "Via Roma").first)
        #expect(place.y == 15 && (30..<62).contains(place.x))
    }

    @Test func `its direction doesn't matter`() {
        let cells = [(-20.0, 0.5), (0, 0.7), (20, 0.4)]
        #expect(
            map([("Via Roma", cells)]).places(of: "Via Roma")
                == map([("Via Roma", cells.reversed())]).places(of: "Via Roma"))
    }

    @Test func `a steep street has its name beside it`() throws {
        let map = map([("Via Maggio", [(0.5, -10), (0.5, 10)])])
        let place = try #require(map.places(of: "Via Maggio").first)
        #expect(place.x == 52)
    }

    @Test func `a street that bends has its name on the horizontal part`() throws {
        let map = map([("Via dei Neri", [(-5, -12), (-5, 4.5), (25, 4.5)])])
        let place = try #require(map.places(of: "Via dei Neri").first)
        #expect(place.y == 19 && place.x >= 44)
    }

    @Test func `a street shorter than its name isn't named`() {
        #expect(map([("Vicolo dell'Oro", [(0, 0), (5, 1)])]).places(of: "Vicolo").isEmpty)
    }

    @Test func `a long street repeats its name after a distance`() {
        let map = map([("Via Aretina", [(-49, 0.5), (49, 0.5)])])
        let places = map.places(of: "Via Aretina").map(\.x)
        #expect((2...3).contains(places.count))
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 40 })
    }

    @Test func `the pieces of a street are joined`() throws {
        let style = try Style([
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                [
                    "id": "s", "type": "symbol", "source": "v", "source-layer": "l",
                    "layout": ["text-field": "{name}", "symbol-placement": "line"],
                ]
            ],
        ])
        let name: [(String, VectorValue)] = [("name", .string("Via Romana"))]
        let pieces: [VectorTileFixture.Feature] = [
            .init(.line, through: [(0, 0), (100, 0)], name),
            .init(.line, through: [(300, 10), (200, 0)], name),
            .init(.line, through: [(100, 0), (200, 0)], name),
        ]
        let tile = try VectorTile(VectorTileFixture([("l", pieces)]).bytes)
        let labels = VectorTileLabels(tile, style: style, source: "v", zoom: 10).labels
        #expect(labels.count == 1)
        guard case .line(let line)? = labels.first?.anchor else { return }
        #expect(Set([line.first?.x, line.last?.x]) == [0, 300 / 4096] && line.count == 4)
    }
}
