import RhumbCore
import RhumbTestSupport
import Testing

/// Uses areas and the check for offline use in the program.
struct AreaJourneyTests {
    private let home = TemporaryFolder()

    private func journey(_ words: [String] = []) throws -> Journey {
        let place = ["-c", "47,8", "-z", "6"]
        let journey = try Journey(words + place, columns: 120, rows: 40, environment: ["HOME": home.path])
        try journey.see("World")
        return journey
    }

    @Test func `an area is created from the view, opened again, checked and removed`() throws {
        let track = home.write(
            Array(
                """
                <gpx version="1.1"><trk><name>Walk</name><trkseg>
                <trkpt lat="47" lon="8"/><trkpt lat="47.5" lon="8.5"/></trkseg></trk></gpx>
                """.utf8), to: "walk.gpx")
        let first = try journey(["--over", track, "--grid", "mgrs"])
        try first.type("a")
        try first.see("No areas yet")
        try first.type("n")
        try first.see("area:")
        try first.type("a/b\r")
        try first.see("is no name")
        // The wrong name stays to be corrected.
        try first.type("\u{15}hike\r")
        try first.see("1 overlay, mgrs")
        #expect(try first.quit() == .exited(0))

        let second = try journey()
        try second.type("a")
        try second.see("1 overlay, mgrs")
        try second.type("\r")
        try second.see("World +1")
        try second.type("a")
        try second.see("1 overlay, mgrs")
        try second.type("c")
        try second.see("Offline use of hike")
        try second.see("✓ overlay")
        home.remove("walk.gpx")
        try second.type("c")
        try second.see("! overlay")
        try second.type("\u{1B}")
        try second.type("a")
        try second.see("1 overlay, mgrs")
        try second.type("x")
        try second.see("Remove the area?")
        try second.type("y")
        try second.see("No areas yet")
        #expect(try second.quit() == .exited(0))
    }

    @Test func `without anything stored, the check says that the world needs no network`() throws {
        let journey = try journey()
        try journey.type(":ready\r")
        try journey.see("Offline use")
        try journey.see("Ready: works without a network")
        #expect(try journey.quit() == .exited(0))
    }
}
