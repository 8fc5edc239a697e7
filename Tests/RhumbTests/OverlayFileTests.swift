@testable import Rhumb
import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the reports about the content of files.
struct OverlayFileTests {
    private let folder = TemporaryFolder()

    private func read(_ bytes: [UInt8], _ name: String) async throws -> (names: [String], OverlayStatus) {
        let origin = try #require(OverlayOrigin(folder.write(bytes, to: name)))
        let feed = OverlayFeed(origin, number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        return (feed.live.index.features.map(\.name), status)
    }

    /// Reads a web document.
    private func read(
        _ bytes: [UInt8], from address: String
    ) async throws -> (
        names: [String], OverlayStatus
    ) {
        let feed = OverlayFeed(
            try #require(OverlayOrigin(address)), number: 0, overlayTheme: LiveLayer.OverlayTheme(),
            load: { _, _ in
                var document = OverlayDocument(problem: "")
                document.problem = nil
                document.body = bytes
                return document
            })
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        return (feed.live.index.features.map(\.name), status)
    }

    private func read(_ text: String, _ name: String) async throws -> (names: [String], OverlayStatus) {
        try await read(Array(text.utf8), name)
    }

    /// Returns the state of a GeoPackage with a point, a row without a geometry, and a reference system.
    private func geoPackage(
        _ code: Int, _ system: String, _ point: String
    ) async throws -> (feed: OverlayFeed, status: OverlayStatus) {
        let path = folder.path + "/\(code).gpkg", connection = try Connection(path, .readWrite)
        try connection.execute(
            """
            CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER);
            CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
            CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
            CREATE TABLE places (name TEXT, geom BLOB);
            INSERT INTO gpkg_spatial_ref_sys VALUES ('\(system)', \(code));
            INSERT INTO gpkg_contents VALUES ('places', 'features');
            INSERT INTO gpkg_geometry_columns VALUES ('places', 'geom', \(code));
            INSERT INTO places VALUES ('a', x'4750000100000000' || x'0101000000\(point)'), ('b', NULL);
            """, to: "make a file")
        let feed = OverlayFeed(
            try #require(OverlayOrigin(path)), number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        return (feed, status)
    }

    /// The bytes of 22 and 60, and of 500,000 and 4,800,000, as numbers in WKB.
    private static let degrees = "00000000000036400000000000004E40",
        metres = "0000000080841E4100000000804F5241"

    @Test(arguments: [(-1, "Undefined Cartesian"), (0, "Undefined geographic"), (99_999, "Undefined SRS")])
    func `degrees are assumed in a GeoPackage without a coordinate system`(
        code: Int, system: String
    ) async throws {
        let (feed, status) = try await geoPackage(code, system, Self.degrees)
        #expect(feed.live.index.features.map(\.name) == ["a"] && status.problem == nil, "\(status)")
        #expect(status.remark?.contains("WGS 84 are assumed") == true)
        #expect(status.remark?.contains("1 feature without a position") == true)
    }

    @Test func `metres in a GeoPackage without a coordinate system are refused`() async throws {
        let (feed, status) = try await geoPackage(-1, "Undefined Cartesian", Self.metres)
        #expect(feed.live.index.features.isEmpty)
        #expect(status.problem?.contains("its coordinates are not degrees") == true, "\(status)")
    }

    @Test(arguments: [
        (
            "a.geojson", "{\"type\":\"FeatureCollection\",\"features\":[]}",
            "it contains no positions or features"
        ),
        ("a.geojson", "{\"type\":\"Point\",\"coordinates\":[500,99]}", "line 1: 500.0, 99.0 is out of range"),
        ("a.ndjson", "", "it contains no positions or features"),
        ("a.csv", "lat,lon,name\n", "it contains no positions or features"),
        ("a.gpx", "<gpx><metadata/></gpx>", "it contains no waypoint, route or track"),
        ("a.gpx", "<gpx><trk>", "the file is truncated"),
        ("a.gpx", "<html/>", "line 1: the XML is not GPX, KML or TCX"),
        (
            "a.kml", "<kml><Placemark><name>x</name></Placemark></kml>",
            "it contains only 1 feature without a position"
        ),
        (
            "a.geojson", "{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}",
            "it contains only 1 feature without a position"
        ),
        ("a.csv", "POINT EMPTY\nPOINT EMPTY\n", "it contains only 2 features without a position"),
        ("a.tcx", "<TrainingCenterDatabase/>", "it contains no trackpoint with a position"),
    ])
    func `a file that shows nothing says why`(name: String, text: String, reason: String) async throws {
        let (names, status) = try await read(text, name)
        #expect(names.isEmpty && status.isEmpty)
        #expect(status.problem == "nothing to show in \(name): \(reason)")
        let (_, web) = try await read(Array(text.utf8), from: "https://maps.example/\(name)")
        #expect(web.isEmpty && web.problem == status.problem)
        let command = "exec:1000s:cat \(folder.path)/\(name)", feed = try #require(OverlayOrigin(command))
        let output = OverlayFeed(feed, number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let end = await output.whole(within: .seconds(60))
        output.stop()
        #expect(end.isEmpty && end.problem?.hasSuffix(reason) == true)
    }

    @Test func `a web document of an unsupported format says so`() async throws {
        let (_, status) = try await read(
            Array("<rss/>".utf8), from: "features:https://maps.example/a.xml")
        #expect(status.problem?.contains("GeoRSS") == true, "\(status)")
    }

    @Test(arguments: [
        (Array("PK\u{3}\u{4}".utf8), "KMZ"), (Array("SQLite format 3\0".utf8), "GeoPackage"),
    ])
    func `a packed file within gzip is named`(head: [UInt8], kind: String) async throws {
        let packed = Gzip.packed(head + [UInt8](repeating: 0, count: 200))
        let (_, status) = try await read(packed, "a.kmz.gz")
        #expect(status.problem?.contains(kind) == true && status.problem?.contains("gunzip") == true)
    }

    @Test func `features without positions beside others are no problem, and counted`() async throws {
        let empty = "<Placemark><name>x</name></Placemark>"
        let (names, status) = try await read(kml(place("A") + empty + empty), "a.kml")
        #expect(names == ["A"] && status.problem == nil && status.faults.count == 0)
        #expect(status.note == nil && status.remark == "not shown: 2 features without a position")
        let web = try await read(
            Array(kml(place("A") + empty + empty).utf8), from: "https://maps.example/a.kml")
        #expect(web.1.problem == nil && web.1.remark == status.remark)
    }

    @Test func `files in an archive that are not read are named`() async throws {
        let archive = ZipFixture([("a.gpx", "<gpx/>"), ("b.kml", kml(place("B")))])
        let (names, status) = try await read(archive.bytes, "a.zip")
        #expect(names == ["B"] && status.faults.count == 1)
        #expect(status.faults.first[0].reason.hasPrefix("a.gpx is not read; unpack"))
    }

    @Test func `features beyond the map's edge are counted, and the user is told`() async throws {
        let (names, status) = try await read("89,7,Near the pole\n60,7,Elsewhere\n", "a.csv")
        #expect(names.count == 2 && status.problem == nil && status.note?.contains("85.05°") == true)
    }

    // MARK: KMZ

    private func kml(_ body: String) -> String { "<kml><Document>\(body)</Document></kml>" }

    private func place(_ name: String) -> String {
        "<Placemark><name>\(name)</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    }

    private func link(_ address: String) -> String {
        "<NetworkLink><Link><href>\(address)</href></Link></NetworkLink>"
    }

    @Test func `the documents of an archive that link to each other are read once each`() async throws {
        let archive = ZipFixture([
            ("files/b c.kml", kml(place("B") + link("../doc.kml") + link("d.KML"))),
            ("doc.kml", kml(link("files/b%20c.kml") + place("A") + link("https://maps.example/x.kml"))),
            ("files/D.kml", kml(place("D") + link(".\\missing.kml"))), ("files/e.kml", kml(place("E"))),
        ])
        let (names, status) = try await read(archive.bytes, "a.kmz")
        #expect(names == ["A", "B", "D"])
        #expect(
            status.faults.first.map(\.reason).sorted() == [
                "NetworkLink to .\\missing.kml is not read",
                "NetworkLink to https://maps.example/x.kml is not read",
                "files/e.kml is not read, because doc.kml does not link to it",
            ])
    }

    @Test func `the files of macOS in an archive are no documents`() async throws {
        let archive = ZipFixture([("__MACOSX/._A.kml", "\u{0}\u{5}"), ("A.kml", kml(place("A")))])
        let (names, status) = try await read(archive.bytes, "a.kmz")
        #expect(names == ["A"] && status.faults.count == 0)
    }

    @Test func `an archive behind other bytes is read, and a damaged one is reported as such`() async throws {
        let bytes = ZipFixture([("doc.kml", kml(place("A")))]).bytes
        for start in ["x", "\r\n", "\u{FEFF}", "HTTP/1.1 200 OK\r\n\r\n"] {
            let (names, status) = try await read(Array(start.utf8) + bytes, "a.kmz")
            #expect(names == ["A"] && status.problem == nil, "\(start)")
        }
        for damaged in [Array(bytes.dropLast(30)), Array(bytes.dropFirst(9)), [0] + bytes.dropFirst()] {
            let problem = try await read(damaged, "a.kmz").1.problem
            #expect(problem?.contains("the ZIP archive is damaged") == true, "\(damaged.count) bytes")
        }
    }

    @Test func `the output of a command may be packed, and is read once it is complete`() async throws {
        let text = kml(place("A")), archive = ZipFixture([("doc.kml", text)])
        for (name, bytes) in [("a.kmz", archive.bytes), ("a.kml.gz", Gzip.packed(Array(text.utf8)))] {
            let path = folder.write(bytes, to: name)
            // The first bytes arrive one by one.
            let command = "head -c 1 \(path); sleep 0.1; tail -c +2 \(path)"
            let feed = OverlayFeed(
                .command(command, pace: 3600), number: 0, overlayTheme: LiveLayer.OverlayTheme())
            let status = await feed.whole(within: .seconds(60))
            feed.stop()
            #expect(feed.live.index.features.map(\.name) == ["A"], "\(name): \(status)")
        }
        let cut = folder.write(Array(archive.bytes.prefix(60)), to: "cut.kmz")
        let feed = OverlayFeed(
            .command("cat \(cut)", pace: 3600), number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        #expect(status.faults.first.map(\.reason) == ["the ZIP archive is damaged"], "\(status)")
    }

    @Test func `an archive with impossible sizes is damaged`() async throws {
        var archive = ZipFixture([("doc.kml", kml(place("A")))])
        #expect(try await read(archive.bytes, "a.kmz").names == ["A"])
        archive.declaredSize = 1 << 30
        #expect(
            try await read(archive.bytes, "a.kmz").1.problem?.contains("the ZIP archive is damaged") == true)
    }

    // MARK: Recognition

    @Test func `a packed file is recognised without an extension`() async throws {
        let packed = Gzip.packed(Array("<gpx><wpt lat=\"1\" lon=\"2\"><name>G</name></wpt></gpx>".utf8))
        #expect(try await read(packed, "walk").names == ["G"])
    }

    @Test func `an empty command is reported`() async {
        let feed = OverlayFeed(
            .command(" ", pace: 3600), number: 0, overlayTheme: LiveLayer.OverlayTheme())
        #expect(await feed.whole(within: .seconds(60)).problem?.contains("use exec:COMMAND") == true)
        feed.stop()
    }

    @Test func `a file is recognised behind long comments, names and properties`() async throws {
        let filler = String(repeating: "x", count: 70_000)
        let json =
            "{\"name\":\"\(filler)\",\"type\":\"Feature\",\"properties\":{\"name\":\"J\"},"
            + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"
        #expect(try await read(json, "a.json").names == ["J"])
        let gpx =
            "<?xml version=\"1.0\"?><!-- \(filler) --><a:gpx><a:wpt lat=\"1\" lon=\"2\"><a:name>G</a:name></a:wpt></a:gpx>"
        #expect(try await read(gpx, "a.xml").names == ["G"])
        #expect(
            try await read(gpx.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, "b").names
                == ["G"])
        let style = "{\"name\":\"\(filler)\",\"version\":8,\"sources\":{},\"layers\":[]}"
        #expect(OverlayOrigin(folder.write(Array(style.utf8), to: "style.json")) == nil)
    }
}
