@testable import RhumbCore
import RhumbTestSupport
import Testing

struct GPXTests {
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

    @Test func `tracks, routes, waypoints and a name are read`() throws {
        let gpx = try GPX(Array(Self.sound.utf8))
        #expect(gpx.tracks == [ring([(2, 1), (4, 3)])])
        #expect(gpx.routes == [ring([(9, 47), (9.1, 47.1)])])
        #expect(gpx.waypoints == ring([(9.5, 47.5)]))
        #expect(gpx.name == "Round <the> lake [2J")
    }

    @Test func `a track makes a corridor, and a waypoint a circle as wide`() throws {
        let gpx = try GPX(Array(Self.sound.utf8))
        #expect(try gpx.geometry(width: 1000).shapes == [
            .corridor(gpx.tracks[0], halfWidth: 500), .corridor(gpx.routes[0], halfWidth: 500),
            .circle(center: Coordinate(latitude: 47.5, longitude: 9.5), radius: 500),
        ])
        #expect(try gpx.geometry().shapes.count == 3)
        let empty = try GPX(Array("<gpx/>".utf8))
        #expect(throws: RegionGeometryFailure.empty("the GPX file has no track, route or waypoint")) { try empty.geometry() }
    }

    static let wrong: [String] = [
        "", "text", "<", "<gpx", "<gpx>", "<gpx></trk>", "<gpx></gpx><gpx/>", "<gpx/>text", "<gpx a></gpx>",
        "<gpx a=b></gpx>", "<gpx a=\"b></gpx>", "<gpx>&nbsp;</gpx>", "<gpx>&#xD800;</gpx>", "<gpx>& </gpx>",
        "<gpx><!-- </gpx>", "<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>&a;</gpx>", "<gpx><![CDATA[ </gpx>", "</gpx>",
        "<html/>", "<gpx><wpt lat=\"1\"/></gpx>", "<gpx><wpt lat=\"91\" lon=\"0\"/></gpx>", "<gpx><wpt lat=\"nan\" lon=\"0\"/></gpx>",
        "<gpx><wpt lat=\"0\" lon=\"inf\"/></gpx>", "<gpx a=\"1\" / >", "<![CDATA[x]]><gpx/>", "\u{FEFF}",
    ]

    @Test(arguments: wrong)
    func `what is not GPX is refused`(text: String) {
        #expect(throws: RegionGeometryFailure.self) { try GPX(Array(text.utf8)) }
    }

    @Test func `nesting without end is refused`() {
        let text = String(repeating: "<gpx>", count: 100_000)
        #expect(throws: RegionGeometryFailure.text("not a sound GPX file: it is nested deeper than 64 at byte 320")) {
            try GPX(Array(text.utf8))
        }
    }

    @Test func `any damage is read or refused, never more`() {
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
            if let gpx = try? GPX(bytes) { #expect(gpx.tracks.allSatisfy { $0.count > 1 }) }
        }
    }
}
