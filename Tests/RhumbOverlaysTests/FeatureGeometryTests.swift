@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the areas of regions along tracks that the overlay reader reads.
struct FeatureGeometryTests {
    static let sound = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- <trk> in a comment -->
        <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="A &amp; B">
          <metadata><name>Round &lt;the&gt; lake &#x1B;[2J</name></metadata>
          <wpt lat='47.5' lon='9.5'><ele>400</ele><name>Start</name></wpt>
          <rte><name>R</name><rtept lat="47" lon="9"/><rtept lat="47.1" lon="9.1"/></rte>
          <trk><name>T</name>
            <trkseg><trkpt lat="1" lon="2"><ele>1</ele><time>2020-01-01T00:00:00Z</time></trkpt><trkpt lon="4" lat="3"/></trkseg>
            <trkseg><trkpt lat="5" lon="6"/></trkseg>
            <extensions><x:trkpt xmlns:x="urn:x" lat="80" lon="80"/><![CDATA[<trkpt lat="9" lon="9"/>]]></extensions>
          </trk>
        </gpx>

        """

    private func geometry(_ text: String) throws -> RegionGeometry {
        try RegionGeometry(ReadFeatures(text).features)
    }

    @Test func `tracks and routes are lines, and waypoints are points, exactly as written`() throws {
        let geometry = try geometry(Self.sound)
        #expect(
            geometry.shapes == [
                .point(Position(longitude: 9.5, latitude: 47.5)), .line(ring([(9, 47), (9.1, 47.1)])),
                .line(ring([(2, 1), (4, 3)])), .point(Position(longitude: 6, latitude: 5)),
            ])
        #expect(ReadFeatures(Self.sound).reader.title == "Round <the> lake [2J")
    }

    @Test func `a track makes a corridor, and a waypoint a circle of the same width`() throws {
        #expect(
            try geometry(Self.sound).widened(to: 1000).shapes == [
                .circle(center: Coordinate(latitude: 47.5, longitude: 9.5), radius: 500),
                .corridor(ring([(9, 47), (9.1, 47.1)]), halfWidth: 500),
                .corridor(ring([(2, 1), (4, 3)]), halfWidth: 500),
                .circle(center: Coordinate(latitude: 5, longitude: 6), radius: 500),
            ])
    }

    @Test func `a truncated track and one with decimal commas still have an area`() throws {
        let broken =
            "<gpx><trk><trkseg><trkpt lat=\"47,5\" lon=\"9\"/><trkpt lat=\"47.6\" lon=\"9\"/><trkpt lat=\"nan\" lon=\"9\"/><trkpt la"
        #expect(try geometry(broken).shapes == [.line(ring([(9, 47.5), (9, 47.6)]))])
    }

    @Test func `a track across the antimeridian stays within valid degrees`() throws {
        let track = "<gpx><rte><rtept lat=\"1\" lon=\"179.9\"/><rtept lat=\"2\" lon=\"-179.9\"/></rte></gpx>"
        #expect(try geometry(track).shapes == [.line(ring([(179.9, 1), (-179.9, 2)]))])
    }

    @Test(arguments: [
        "", "text", "<gpx/>", "<html/>", "<gpx><wpt lat=\"91\" lon=\"0\"/></gpx>",
        "<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>&a;</gpx>",
    ])
    func `a feature without a place has no area`(text: String) {
        #expect(throws: RegionGeometryFailure.self) { try geometry(text) }
    }

    @Test func `XML in no known format is rejected`() {
        #expect(ReadFeatures("<html><body/></html>").faults == ["line 1: the XML is not GPX, KML or TCX"])
        #expect(ReadFeatures("<gpx/>").faults == [])
    }

    @Test func `damaged input is either read or rejected`() {
        var random = SplitMix(seed: 11)
        for _ in 0..<3000 {
            var bytes = Array(Self.sound.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array("<>/&;\"'!".utf8).randomElement(using: &random)!, at: place)
                }
            }
            let features = ReadFeatures(bytes).features
            #expect(features.allSatisfy { feature in feature.paths.allSatisfy { !$0.points.isEmpty } })
            _ = try? RegionGeometry(features)
        }
    }
}
