import RhumbBrowser
import RhumbCore
import Testing

/// Tests the names of seas and landscapes in descriptions.
struct NaturalSurroundingsTests {
    private static func description(
        _ latitude: Double, _ longitude: Double, _ items: [PlaceDescription.Item]
    ) -> PlaceDescription {
        var found = PlaceDescription(Coordinate(latitude: latitude, longitude: longitude), radius: 1000)
        found.items = items
        found.addNature()
        return found
    }

    @Test(arguments: [
        (24.747, -110.365, "the Gulf of California"), (24.541, 54.139, "the Persian Gulf"),
        (36.697, 24.173, "the Sea of Crete"), (57.434, -0.380, "the North Sea"),
        (18.824, 114.412, "the South China Sea"), (-39, 160, "the Tasman Sea"), (-73, -45, "the Weddell Sea"),
        (1.5, 2.8, "the Gulf of Guinea"), (-34.2, 130.5, "the Great Australian Bight"),
        (59.8, -85.5, "Hudson Bay"), (-30, -20, "the South Atlantic Ocean"),
        (-35, 179.9, "the South Pacific Ocean"), (86, 0, "the Arctic Ocean"),
        (65.9, -169, "the Bering Strait"), (50.75, -1.3, "the Solent"), (35.5, 139.8, "Tokyo Bay"),
        (55.2, 21, "the Curonian Lagoon"),
    ])
    func `a place at sea is in the smallest sea that contains it`(
        latitude: Double, longitude: Double, name: String
    ) {
        let found = Self.description(latitude, longitude, [.init(.sea, "")])
        #expect(DescriptionText(found).lines().first == "At sea, in \(name).")
    }

    @Test(arguments: [
        (27.98, 86.925, "Himalayas", "Siwalik Hills"),
        (46.943, 97.354, "Hangayn Mountains", "Altai Mountains"),
        (46.5, 10, "Alps", "Apennines"), (43.35, 42.44, "Caucasus", "Pontic Steppe"),
    ])
    func `a place is in the landscapes that contain it and not in distant ones`(
        latitude: Double, longitude: Double, name: String, distant: String
    ) {
        let names = Self.description(latitude, longitude, []).all(.nature).map(\.name)
        #expect(names.first == name && !names.contains(distant), "\(names)")
    }

    @Test func `the known height of a peak is that of a place at its summit, and of no other peak`() {
        var found = Self.description(
            45.9766, 7.6586,
            [.init(.peak, "Matterhorn", metres: 20), .init(.peak, "Nameless Rock", metres: 30)])
        found.addKnownHeights()
        #expect(found.all(.peak).map(\.height) == [4478, nil] && found.height == 4478)
        #expect(DescriptionText(found).lines().contains("Height: 4,478 metres."))
        var other = Self.description(45.9766, 7.6586, [.init(.peak, "Matterhorn", metres: 400)])
        other.addKnownHeights()
        #expect(other.all(.peak).map(\.height) == [4478] && other.height == nil)
    }

    @Test func `on an island, landscapes across the sea are not nearby`() {
        let names = Self.description(12.5, -70, [.init(.island, "Aruba")]).all(.nature).map(\.name)
        #expect(names == [])
    }

    @Test(
        arguments: [
            (67.5, 38.0, [], "On the Kola Peninsula, 30 kilometres east of Kirovsk, Russia."),
            (43, 10, [.init(.island, "Elba")], "On the island Elba, 30 kilometres east of Kirovsk, Russia."),
            (43, 10, [.init(.island, "Ice Island")], "On Ice Island, 30 kilometres east of Kirovsk, Russia."),
            (43, 10, [.init(.island, "Russia")], "On the island Russia, 30 kilometres east of Kirovsk."),
            (
                43, 10, [.init(.island, "Elba"), .init(.street, "Via")],
                "Via, 30 kilometres east of Kirovsk, Russia."
            ),
        ] as [(Double, Double, [PlaceDescription.Item], String)])
    func `away from settlements and streets, the island or peninsula is named first`(
        latitude: Double, longitude: Double, items: [PlaceDescription.Item], text: String
    ) {
        let town = PlaceDescription.Item(.settlement, "Kirovsk", metres: 30_000, degrees: 270)
        let found = Self.description(latitude, longitude, items + [town, .init(.country, "Russia")])
        let lines = DescriptionText(found).lines()
        #expect(lines.first == text)
        #expect(lines.count { $0.contains("Elba") || $0.contains("Kola") } <= 1)
    }
}
