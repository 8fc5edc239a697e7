import Glibc
@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests files of other programs, and gpsd.
extension OverlayFeedTests {
    static func program(_ name: String) -> String? {
        ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    private static let track = """
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="60.1" lon="22.1"><name>W</name></wpt><trk><name>T</name><trkseg>
        <trkpt lat="60.0" lon="22.0"><ele>5</ele><time>2024-05-01T12:00:00Z</time></trkpt>
        <trkpt lat="60.001" lon="22.0"><ele>15</ele><time>2024-05-01T12:00:10Z</time></trkpt></trkseg></trk></gpx>
        """

    @Test(
        .enabled(if: program("gpsbabel") != nil, "gpsbabel is not installed"),
        arguments: [
            ("kml", "kml"), ("gtrnctr", "tcx"), ("garmin_fit", "fit"), ("gpx,gpxver=1.0", "gpx"),
            ("geojson", "geojson"),
        ])
    func `files written by gpsbabel are read`(format: String, ending: String) async throws {
        let source = write(Self.track, to: "source.gpx"), made = folder.path + "/made." + ending
        let run = await ProgramRun.of(
            try #require(Self.program("gpsbabel")),
            ["-t", "-i", "gpx", "-f", source, "-o", format, "-F", made], environment: nil)
        #expect(run.status == 0, "\(run.errors)")
        let feed = try feed(made)
        #expect(await feed.whole(within: .seconds(60)).problem == nil)
        let lines = feed.live.index.features.filter { $0.kind == .line }
        #expect(
            lines.contains { $0.paths[0].points.count == 2 && $0.paths[0].coordinate(1).latitude > 60.0009 },
            "\(format)")
        feed.stop()
    }

    @Test(
        .enabled(if: program("ogr2ogr") != nil, "gdal-bin is not installed"),
        arguments: [
            ("GPKG", "gpkg", "EPSG:4326"), ("GPKG", "gpkg", "EPSG:3857"), ("GPKG", "gpkg", "EPSG:3067"),
            ("KML", "kml", "EPSG:4326"),
            ("GeoJSONSeq", "geojsons", "EPSG:4326"), ("CSV", "csv", "EPSG:4326"),
            ("ESRI Shapefile", "shp", "EPSG:3067"),
            ("FlatGeobuf", "fgb", "EPSG:4326"),
        ])
    func `files written by GDAL are read, foreign formats with GDAL's program`(
        driver: String, ending: String, reference: String
    ) async throws {
        let source = write(
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":\"A\",\"lat\":60.25,\"lon\":22.5},"
                + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[22.5,60.25]}}]}", to: "source.geojson")
        let made = folder.path + "/made." + ending
        let run = await ProgramRun.of(
            try #require(Self.program("ogr2ogr")), ["-q", "-f", driver, "-t_srs", reference, made, source],
            environment: nil)
        #expect(run.status == 0, "\(run.errors)")
        let feed = try feed(made), status = await feed.whole(within: .seconds(60))
        let place = feed.live.index.features.first.map { Mercator.coordinate($0.middle) }
        #expect(
            status.problem == nil && feed.live.index.features.count == 1, "\(driver) \(reference): \(status)")
        #expect(
            abs((place?.latitude ?? 0) - 60.25) < 1e-5 && abs((place?.longitude ?? 0) - 22.5) < 1e-5,
            "\(driver) \(reference)")
        feed.stop()
    }

    @Test func `a failed status is never complete without its problem`() async throws {
        let feed = try feed("exec:60s:echo broken >&2; exit 3"), statuses = Mutex<[OverlayStatus]>([])
        feed.begin { status, _ in statuses.withLock { $0.append(status) } }
        #expect(await eventually { statuses.withLock { $0.contains { $0.isWhole } } })
        #expect(statuses.withLock { $0.filter(\.isWhole).allSatisfy { $0.problem != nil } })
        feed.stop()
    }

    @Test(
        .enabled(if: program("ogr2ogr") != nil, "gdal-bin is not installed"),
        arguments: ["fgb", "gml", "dxf", "osm.pbf"])
    func `a virtual file with another file extension reads no other file`(ending: String) async throws {
        let other = write("{\"type\":\"Point\",\"coordinates\":[22.5,60.25]}", to: "other.geojson")
        let virtual =
            "<OGRVRTDataSource><OGRVRTLayer name=\"other\"><SrcDataSource>\(other)</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
        let feed = try feed(write(virtual, to: "a." + ending)),
            status = await feed.whole(within: .seconds(60))
        #expect(status.problem != nil && feed.live.index.features.isEmpty, "\(status)")
        feed.stop()
    }

    @Test(arguments: [
        ("a.shp", "HTTP,FlatGeobuf,OGR_VRT,GPKG"), ("/b/A.FGB", "HTTP,ESRI Shapefile,OGR_VRT,GPKG"),
        ("-a", "HTTP,ESRI Shapefile,FlatGeobuf,OGR_VRT"),
    ])
    func `GDAL reads only the format of the file name, uses no network and sees no keys`(
        path: String, skipped: String
    ) {
        let formats = [
            "HTTP -raster,vector- (ro): HTTP", "ESRI Shapefile -vector- (rw+v): S",
            "GeoJSONSeq -vector- (rw+v): G",
            "FlatGeobuf -vector- (rw+v): F", "OGR_VRT -vector- (rov): Virtual - or not",
            "GPKG -raster,vector- (rw+vs): G (*.gpkg)",
        ]
        let environment = GDALConversion.environment {
            $0.contains("KEY") || $0 == "HOME" || $0 == "PROJ_NETWORK" ? "MARKER" : nil
        }
        let conversion = GDALConversion(
            path, formats: "Supported Formats:\n" + formats.map { "  \($0)\n" }.joined(),
            environment: environment)
        #expect(conversion.arguments.last == (path.hasPrefix("/") ? path : "./" + path))
        #expect(
            conversion.environment["GDAL_SKIP"] == skipped && conversion.environment["PROJ_NETWORK"] == "OFF")
        #expect(conversion.environment.filter { $0.value == "MARKER" }.keys.sorted() == ["HOME"])
    }

    @Test(.enabled(if: program("zip") != nil || program("python3") != nil, "nothing makes ZIP archives here"))
    func `KMZ is decompressed, or rejected if it becomes too large`() async throws {
        let kml = write(
            "<kml><Document><Placemark><name>P</name><Point><coordinates>22,60</coordinates></Point></Placemark></Document></kml>",
            to: "doc.kml")
        let script =
            "import zipfile;z=zipfile.ZipFile('\(folder.path)/a.kmz','w',zipfile.ZIP_DEFLATED);z.write('\(kml)','doc.kml');z.close();"
            + "z=zipfile.ZipFile('\(folder.path)/bomb.kmz','w',zipfile.ZIP_DEFLATED);z.writestr('doc.kml',b' '*(300<<20));z.close()"
        let made = await ProgramRun.of(
            try #require(Self.program("python3")), ["-c", script], environment: nil)
        #expect(made.status == 0, "\(made.errors)")
        #expect(try await read(folder.path + "/a.kmz").names == ["P"])
        #expect(try await read(folder.path + "/bomb.kmz").status.problem?.contains("larger than") == true)
        #expect(
            try await read(write([0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 100), to: "bad.kmz"))
                .status.problem?.contains("damaged") == true)
    }

    @Test(
        .enabled(
            if: program("gpsd") != nil && program("gpsfake") != nil, "gpsd and gpsfake are not installed"))
    func `a real gpsd reports a position`() async throws {
        let sentences = (0..<60).flatMap { second -> [String] in
            [
                "GPGGA,1200\(second < 10 ? "0" : "")\(second),6000.00\(second % 10),N,02200.000,E,1,08,0.9,5.4,M,46.9,M,,",
                "GPRMC,1200\(second < 10 ? "0" : "")\(second),A,6000.00\(second % 10),N,02200.000,E,010.0,000.0,010524,,",
            ]
        }
        let log = write(
            sentences.map { body in
                let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
                return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
            }.joined(), to: "boat.nmea")
        let port = 20_000 + Int.random(in: 0..<20_000)
        let gpsd = ChildProgram(
            "/usr/bin/timeout",
            [
                "-s", "KILL", "40", try #require(Self.program("gpsfake")), "-q", "-n", "-c", "0.1", "-P",
                "\(port)", log,
            ], errors: folder.path + "/log")
        // Also kills the two programs started by it. They belong to its process group, and neither reacts to
        // SIGTERM.
        defer { kill(-gpsd.process, SIGKILL) }
        let feed = try feed("gpsd:127.0.0.1:\(port)"), fixes = SharedCount()
        feed.begin { status, _ in fixes.add(status.fixes.filter { $0.place != nil }.count) }
        #expect(await eventually { fixes.count > 3 })
        feed.stop()
    }

    @Test(.enabled(if: program("ogr2ogr") != nil, "gdal-bin is not installed"))
    func `nodes and lines that an editor has added to OpenStreetMap are read`() async throws {
        let text = """
            <?xml version='1.0'?><osm version='0.6' generator='JOSM'>
            <node id='-1' lat='60.1' lon='22.1'/><node id='-2' lat='60.2' lon='22.2'/>
            <node id='-3' lat='60.3' lon='22.3'><tag k='name' v='New'/></node>
            <node id='7' lat='60.4' lon='22.4'><tag k='name' v='Old'/></node>
            <way id='-4'><nd ref='-1'/><nd ref='-2'/><nd ref='7'/><tag k='name' v='Path'/><tag k='highway' v='path'/></way>
            </osm>
            """
        let feed = try feed(write(text, to: "edited.osm"))
        #expect(await feed.whole(within: .seconds(60)).problem == nil)
        #expect(Set(feed.live.index.features.map(\.name)) == ["New", "Old", "Path"])
        #expect(feed.live.index.features.first { $0.name == "Path" }?.paths.first?.points.count == 3)
        feed.stop()
    }

    @Test(.enabled(if: program("ogr2ogr") != nil, "gdal-bin is not installed"))
    func `a file that GDAL's program can't open is reported without its list of drivers`() async throws {
        let feed = try feed(write("something else", to: "a.fgb"))
        let problem = await feed.whole(within: .seconds(60)).problem ?? ""
        #expect(problem.contains("no FlatGeobuf file") && !problem.contains("drivers"), "\(problem)")
        feed.stop()
    }
}
