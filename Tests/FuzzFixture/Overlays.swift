import Rhumb
import RhumbBrowser
import RhumbTestSupport

/// Targets that read and draw features in all formats: lines of receivers, tables, XML, GeoJSON and FIT.
extension FuzzTarget {
    static let overlayTargets = [
        FuzzTarget("receivers", texts: [receivers]) { read($0) },
        FuzzTarget("features", texts: [table, collection, kml, tcx, wellKnownText]) { read($0) },
        FuzzTarget("fit", [fit]) { read($0) },
        FuzzTarget("mesh", [mesh]) { read($0, .meshtastic) },
        FuzzTarget("wkb", geometries) { bytes in
            for reference in [WKBReader.Reference.degrees, .mercator] {
                var reader = WKBReader(bytes, reference)
                guard let shapes = try? reader.geoPackageShapes() else { continue }
                draw(shapes.map { OverlayFeature($0) })
            }
        },
    ]

    /// Draws features on a small screen.
    private static func draw(_ features: [OverlayFeature]) {
        let live = LiveLayer(id: "over", name: "fuzz", palette: OverlayPalette(0))
        live.index = OverlayIndex(features)
        let world = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 0), columns: 60, rows: 20)
        let camera = live.index.box?.bounds.map { world.fitted(to: $0, margin: 0.85) }
        let browser = Browser(columns: 60, rows: 20, layers: [OverlayDrawing.layer(live)], camera: camera)
        let scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers)
        _ = browser.view(scene, map: CellGrid(columns: 60, rows: 20))
    }

    /// Reads the bytes as a file and, in pieces, as a live feed.
    private static func read(_ bytes: [UInt8], _ format: FeatureReader.Format? = nil) {
        for isLive in [false, true] {
            var reader = FeatureReader(isLive: isLive, format: format), features: [OverlayFeature] = []
            for start in stride(from: 0, to: bytes.count, by: 61) {
                reader.read(bytes[start..<min(start + 61, bytes.count)])
                features += reader.takeFeatures()
                for fix in reader.takeFixes() { precondition(abs(fix.heading ?? 0) <= 360) }
            }
            reader.finish()
            features += reader.takeFeatures()
            // Drawing takes a hundred times as long as parsing.
            if FuzzTarget.drawsAll || bytes.count.isMultiple(of: 16) { draw(features) }
            let index = OverlayIndex(features)
            _ = index.features(at: WorldPoint(x: 0.5, y: 0.3), reach: 0.01)
            for measure in ["speed", "height", "time"] {
                _ = OverlayStyling(by: measure).styled(index.features)
            }
            for feature in features {
                precondition(feature.heading.isNaN || abs(feature.heading) <= 360)
                _ = (feature.attributes.pairs, TrackStatistics(feature.paths).attributes)
                for axis in [TrackProfile.Axis.distance, .time] {
                    _ = TrackProfile(feature.paths, axis: axis)?.columns(40)
                }
            }
            _ = try? RegionGeometry(features)
        }
    }

    private static let receivers = """
        !AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A
        \\s:rx*0A\\!AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP06,0*4C
        $GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A
        N0CALL-9>APRS,TCPIP*:!4903.50N/07201.75W-Test /A=001234
        N0CALL>APRS:=/5L!!<*e7>7P[
        N0CALL>S32UVT,WIDE1:`(_fn"Oj/]TEST=
        GATE>APRS:}N0CALL>APRS:;LEADER   *092345z4903.50N/07201.75W>
        MSG,3,1,1,4CA2D6,1,2024/05/01,12:00:00.000,2024/05/01,12:00:00.000,,37000,,,60.1,22.2,,,,,,0
        {"class":"TPV","mode":3,"lat":60.1,"lon":22.2,"track":45.0}
        polyline5:_p~iF~ps|U_ulLnnqC_mqNvxq`@,tour,red

        """

    private static let wellKnownText = """
        POINT Z (22 60 5)
        MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0), (0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1)), EMPTY)
        SRID=4326;GEOMETRYCOLLECTION (LINESTRING (179 1, -179 -1), MULTIPOINT ((1 2), 3 4), LINESTRING M EMPTY)

        """

    /// A FIT file with a definition and two records. Its checksum is wrong, which is only reported.
    private static let fit: [UInt8] = {
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var body: [UInt8] = [0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84]
        for record in UInt32(0)..<2 {
            body += [0] + word(1_000_000_000 + record) + word(700_000_000 + record) + word(260_000_000)
            body += [0xC4, 0x09]
        }
        return [14, 0x10, 0, 0] + word(UInt32(body.count)) + Array(".FIT".utf8) + [0, 0] + body + [0, 0]
    }()

    private static let mesh: [UInt8] =
        MeshtasticFixture.node(7, name: "Ada", latitude: 600_000_000, longitude: 220_000_000, time: 9)
        + MeshtasticFixture.position(
            7, latitude: 610_000_000, longitude: 230_000_000, time: 10, precision: 13)
        + MeshtasticFixture.end

    private static let table =
        "name,lat,lon,id,colour,time\n\"A, B\",60.1,22.2,7,#f00,2024-05-01T12:00:00Z\nx,61,23,,,\n"

    private static let collection = """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "id": 7, "properties": {"stroke": "#f00", "n": [1, {"a": "é"}]},
        "geometry": {"type": "GeometryCollection", "geometries": [{"type": "LineString", "coordinates": [[179.5, 1, 5], [-179.5, -1, 6]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}]}}]}
        """

    private static let kml = """
        <kml><Document><Style id="s"><LineStyle><color>7f0000ff</color></LineStyle></Style><Placemark><name>T</name><styleUrl>#s</styleUrl>
        <gx:Track><when>2020-01-01T00:00:00Z</when><when>2020-01-01T00:00:10Z</when><gx:coord>1 2 3</gx:coord><gx:coord>1.1 2 4</gx:coord></gx:Track>
        </Placemark></Document></kml>
        """

    private static let tcx = """
        <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>a</Id><Lap><Track><Trackpoint><Time>2020-01-01T00:00:00Z</Time>
        <Position><LatitudeDegrees>60</LatitudeDegrees><LongitudeDegrees>22</LongitudeDegrees></Position></Trackpoint></Track></Lap></Activity>
        </Activities></TrainingCenterDatabase>
        """

    /// A point, and a line with two points.
    private static let geometries: [[UInt8]] = {
        func bytes(_ value: Double) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
        }
        let head: [UInt8] = [0x47, 0x50, 0, 1, 0, 0, 0, 0, 1]
        return [
            head + [1, 0, 0, 0] + bytes(22) + bytes(60),
            head + [2, 0, 0, 0, 2, 0, 0, 0] + [22, 60, 23, 61].flatMap { bytes($0) },
        ]
    }()
}
