@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the names of the embedded world as a reader of an atlas expects them.
struct WorldNameTests {
    /// A view, and the names that it must have.
    struct View: Sendable, CustomTestStringConvertible {
        let name: String
        let latitude: Double
        let longitude: Double
        let zoom: Double

        init(_ name: String, _ latitude: Double, _ longitude: Double, _ zoom: Double) {
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.zoom = zoom
        }

        var testDescription: String { "\(name) at zoom \(zoom)" }
        var camera: Camera {
            Camera(center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom)
        }
    }

    private let world: NamedWorld

    init() throws { world = try NamedWorld() }

    private func labels(_ view: View) async throws -> [LabelLayout.Placed] {
        try await world.frame(view.camera, .night, .truecolor, columns: 120, rows: 40).labels
    }

    @Test(
        arguments: [
            View("Red Sea", 20, 38, 5), View("Red Sea", 20, 38, 7), View("Red Sea", 26, 35, 7),
            View("Persian Gulf", 26.5, 51.5, 8), View("North Sea", 54.5, 4, 7),
            View("Caribbean Sea", 15, -70, 5), View("Caribbean Sea", 13, -66, 7),
            View("Mediterranean Sea", 34, 20, 6), View("Mediterranean Sea", 40, 6, 7),
            View("Bay of Biscay", 45, -4, 6),
        ])
    func `a sea is named in its visible part, wherever its centre is`(view: View) async throws {
        let found = try await labels(view).filter { $0.text == view.name }
        #expect(found.count == 1 && found.first?.ink == .water)
    }

    @Test(arguments: [7, 19, 40] as [UInt64])
    func `a view has no sea, river or landscape twice, and a blank between two names`(
        seed: UInt64
    ) async throws {
        for camera in try world.cameras(12, seed: seed) {
            let frame = try await world.frame(camera, .night, .truecolor, columns: 120, rows: 40)
            let once = frame.labels.filter { $0.ink == .water || $0.ink == .landscape }.map(\.key)
            #expect(Set(once).count == once.count, "\(camera): \(once.sorted())")
            let parts = frame.labels.flatMap(\.parts)
            for (row, others) in Dictionary(grouping: parts, by: \.row) {
                let columns = others.map(\.columns).sorted { $0.lowerBound < $1.lowerBound }
                let touching = zip(columns, columns.dropFirst()).filter { $0.upperBound >= $1.lowerBound }
                #expect(touching.isEmpty, "row \(row) of \(camera)")
            }
        }
    }

    @Test func `names that a move brings into view don't touch the others`() async throws {
        for camera in try world.cameras(12, seed: 3) {
            let frame = try await world.frame(camera, .night, .truecolor)
            let layout = try #require(frame.browser.labels.layout)
            let view = layout.grid.box(of: frame.browser.map.viewport)
            let outside = layout.placed.filter { $0.isOutside(view) }
            for inside in frame.labels.flatMap(\.parts) {
                let near = outside.flatMap(\.parts).filter {
                    $0.row == inside.row
                        && $0.columns.lowerBound <= inside.columns.upperBound
                        && inside.columns.lowerBound <= $0.columns.upperBound
                }
                #expect(near.isEmpty, "\(inside) at \(camera)")
            }
        }
    }

    @Test func `the name of a landscape is on land`() async throws {
        let views = [
            View("Egypt", 27, 33, 5), View("Patagonia", -45, -68, 4), View("Horn of Africa", 8, 45, 4),
            View("Gulf", 27, 51, 5), View("Antarctica", -75, -80, 2),
        ]
        for view in views {
            let frame = try await world.frame(view.camera, .night, .truecolor, columns: 120, rows: 40)
            let land = try #require(frame.browser.labels.layout?.land)
            for label in frame.labels where label.ink == .landscape && label.sign == nil {
                let share = Double(land.count(row: label.row, label.columns)) / Double(label.columns.count)
                #expect(share >= 0.65, "\(label.text) in \(view.name)")
            }
        }
    }

    @Test(
        arguments: [
            View("Alice Springs", -25, 134, 4), View("Fairbanks", 63, -150, 4), View("Nuuk", 66, -45, 4),
            View("Longyearbyen", 78, 16, 4), View("Yokohama", 35.5, 138, 5),
            View("Tuxpan", 21, -98, 7), View("Kōchi", 33.6, 133.5, 7), View("Lhasa", 31, 92, 5),
        ])
    func `a city or a remote town is named by its usual name`(view: View) async throws {
        let texts = try await labels(view).map(\.text)
        #expect(texts.contains(view.name), "\(texts)")
    }

    @Test func `a ward of Tokyo is not named elsewhere in Japan`() async throws {
        let texts = try await labels(View("Shikoku", 33.6, 133.5, 7)).map(\.text)
        #expect(!texts.contains("Shinagawa"))
    }

    @Test(
        arguments: [
            View("Dominica", 15, -61, 6), View("Saint Lucia", 14, -61, 7), View("Kiribati", 0, 175, 4),
            View("Kiribati", 0, 180, 3),
        ])
    func `an island that is a country is named as a country`(view: View) async throws {
        let label = try #require(try await labels(view).first { $0.text == view.name })
        #expect(label.ink == .country && label.isBold)
    }

    @Test func `a territory of another country is not named as a country`() {
        func label(_ code: String) -> MapLabel {
            let place = NamedPlace(
                number: 1, name: "Place", kind: .country, countryCode: code, country: "", region: "",
                coordinate: Coordinate(latitude: 0, longitude: 0), population: 5000)
            return MapLabel(place, order: 0, in: .usual, zoom: 6)
        }
        #expect(label("MS").ink == .plain && !label("MS").isBold)
        #expect(label("DM").ink == .country && label("DM").isBold)
    }

    @Test func `a metropolis is bold, and its suburbs are not`() async throws {
        let labels = try await labels(View("New York", 40.7, -74, 8))
        let city = try #require(labels.first { $0.text.hasPrefix("New York") })
        #expect(city.isBold)
        let others = labels.filter { $0.sign != nil && $0.text != city.text && $0.isBold }
        #expect(others.isEmpty, "\(others.map(\.text))")
    }

    @Test(
        arguments: [
            View("Rotterdam", 51.9, 4.2, 9), View("Busan", 35, 129, 8), View("Oslo", 59.5, 10.5, 9),
        ])
    func `no sign of a port is without a name`(view: View) async throws {
        #expect(try await labels(view).allSatisfy { !$0.text.isEmpty })
    }
}
