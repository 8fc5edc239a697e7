import RhumbCore
import RhumbTestSupport
import Testing

/// A search on a terminal of 80 columns: as one types, on the map, on the web.
struct SearchJourneyTests {
    private let folder = TemporaryFolder()
    private static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
    private static let list =
        #"[{"lat":"43.77","lon":"11.25","name":"Osteria Lontana","display_name":"Osteria Lontana, Firenze","type":"restaurant"}]"#

    private func town() -> String {
        let body = VectorTileFixture([
            (
                "roads",
                [
                    .init(
                        .line, through: [(100, 2000), (3900, 2000)],
                        [("name", .string("Via dei Neri")), ("kind", .string("minor_road"))])
                ]
            ),
            (
                "pois",
                [
                    .init(
                        .point, through: [(2000, 1000)],
                        [("name", .string("Molteni")), ("kind", .string("pharmacy"))])
                ]
            ),
        ]).bytes
        var archive = PMTilesFixture([(Self.tile, body)])
        archive.metadata = Array(#"{"name":"Town","vector_layers":[{"id":"roads"},{"id":"pois"}]}"#.utf8)
        archive.patches = [(98, 1), (99, 1)]
        return folder.write(archive.bytes, to: "town.pmtiles")
    }

    @Test func `a street, a kind in the user's language, and an accepted service`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(200, Array(Self.list.utf8), headers: ["Content-Type": "application/json"])
        }
        let variables = ["HOME": folder.path, "RHUMB_NOMINATIM_URL": server.url(""), "LC_ALL": "C.UTF-8"]
        let center = Self.tile.center
        let journey = try Journey(
            [town(), "-c", "\(center.latitude),\(center.longitude)", "-z", "15"], columns: 80, rows: 24,
            environment: variables.merging(["LC_ALL": "", "LANG": "de_DE.UTF-8", "LC_CTYPE": "C.UTF-8"]) {
                $1
            })
        try journey.see("Town")
        try journey.type("/via dei ne")
        try journey.see("Via dei Neri")
        try journey.type("\u{15}apotheke")
        try journey.see("Molteni")
        try journey.see("Apotheke")
        try journey.type("\u{1b}")
        try journey.program.read { !$0.text.contains("search: ") }
        try journey.type(":online agree nominatim\r")
        try journey.see("Online search: Nominatim")
        try journey.type("/osteria lontana")
        try journey.see("ask Nominatim")
        #expect(server.requestCount == 0)
        try journey.type("\r")
        try journey.see("OpenStreetMap")
        #expect(journey.program.screen.text.contains("Osteria Lontana") && server.requestCount == 1)
        try journey.type("\r")
        try journey.see("Firenze, Nominatim")
        #expect(try journey.quit() == .exited(0))
    }
}
