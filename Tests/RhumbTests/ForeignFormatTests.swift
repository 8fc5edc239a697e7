@testable import Rhumb
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests files that Rhumb names without reading them, and files without a coordinate system.
struct ForeignFormatTests {
    private let folder = TemporaryFolder()

    private func status(
        _ bytes: some Sequence<UInt8>, _ name: String
    ) async throws -> (OverlayFeed, OverlayStatus) {
        let path = folder.write(Array(bytes), to: name)
        let feed = OverlayFeed(
            try #require(OverlayOrigin(path), "\(name)"), number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        return (feed, status)
    }

    @Test(arguments: [
        ("Timeline.json", #"{"semanticSegments": [{"startTime": "2024"#, "Google's location history", "jq"),
        (
            "location-history.json", #"[{"endTime": "2024", "startTime": "2024", "visit": {}"#,
            "Google's location history", "jq"
        ),
        ("2023_MAY.json", #"{"timelineObjects": [{"placeVisit": {}"#, "Google's location history", "jq"),
        (
            "Records.json", #"{"locations": [{"latitudeE7": 437000000, "longitudeE7": 74000000"#,
            "Google's location history", "jq"
        ),
        (
            "q.json", #"{"version": 0.6, "generator": "Overpass API", "osm3s": {}, "elements": [{}]}"#,
            "Overpass", "osmtogeojson"
        ),
        ("land.json", #"{"type":"Topology","objects":{}}"#, "TopoJSON", "ogr2ogr"),
        ("esri.json", #"{"geometryType":"esriGeometryPoint","features":[]}"#, "Esri JSON", "ogr2ogr"),
        (
            "a.igc", "AXXX001\r\nHFDTE010524\r\nB1000004343000N00725000EA0010000100\r\n", "IGC",
            "gpsbabel -i igc"
        ),
        ("a.plt", "OziExplorer Track Point File Version 2.1\r\nWGS 84\r\n", "OziExplorer", "gpsbabel -i ozi"),
        (
            "a.rec",
            "2024-05-01T10:00:00Z\t*                 \t{\"_type\":\"location\",\"lat\":43.7,\"lon\":7.4}\n",
            "OwnTracks", "cut -f3"
        ),
        (
            "a.loc", "<?xml version=\"1.0\"?><loc version=\"1.0\" src=\"Groundspeak\"><waypoint/></loc>",
            "geocaches", "gpsbabel -i geo"
        ),
        ("a.xml", "<?xml version='1.0'?><rss version=\"2.0\"><channel/></rss>", "GeoRSS", "ogr2ogr"),
        ("a.gmt", "# @VGMT1.0 @GPOINT\n# @Je4326\n7.4 43.7\n", "GMT", "ogr2ogr"),
        ("walk.gpx.bz2", "BZh91AY&SY", "bzip2", "bunzip2"),
        ("a.gdb", "MsRcf\0\u{2}\0\0\0Dd", "Garmin MapSource", "gpsbabel -i gdb"),
        ("a.parquet", "PAR1\u{15}\u{4}", "Parquet", "ogr2ogr"),
        (
            "a.xml", "<?xml version='1.0'?><wfs:FeatureCollection xmlns:wfs='http://w'/>", "GML", ".gml"
        ),
        ("map.xml", "<?xml version='1.0'?><osm version=\"0.6\"></osm>", "OpenStreetMap", "ogr2ogr"),
    ])
    func `a known format is named with the program that converts it`(
        name: String, text: String, format: String, program: String
    ) async throws {
        let problem = try await status(text.utf8, name).1.problem ?? ""
        #expect(problem.contains(format) && problem.contains(program) && problem.contains(name), "\(problem)")
    }

    @Test(arguments: [
        #""name":"esriGeometryPoint""#, #""geometryType":"esriGeometryPoint""#, #""type":"Topology""#,
        #""timelineObjects":[]"#, #""semanticSegments":[]"#, #""locations":[{"latitudeE7":1}]"#,
    ])
    func `the members of the first object decide, not those nested in it`(member: String) async throws {
        let geometry = #""geometry":{"type":"Point","coordinates":[21,60]}"#
        let text =
            #"{"type":"FeatureCollection","features":[{"type":"Feature",\#(geometry),"properties":{\#(member)}}]}"#
        let (feed, status) = try await status(text.utf8, "a.geojson")
        #expect(feed.live.index.features.count == 1 && status.problem == nil, "\(status)")
    }

    @Test func `a known format is named in the output of a command, too`() async throws {
        let path = folder.write(Array("AXXX001\r\nHFDTE010524\r\n".utf8), to: "a.igc")
        let feed = OverlayFeed(
            try #require(OverlayOrigin("exec:60s:cat \(path)")), number: 0,
            overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        #expect(status.problem?.contains("is an IGC flight record") == true, "\(status)")
        #expect(feed.live.index.features.isEmpty)
    }

    @Test(arguments: ["track.gpx", "a/b.shp", "readme.txt"])
    func `a ZIP archive is named with the file to unpack`(name: String) async throws {
        let bytes = ZipFixture([(name, "x")]).bytes
        let problem = try await status(bytes, "a.zip").1.problem ?? ""
        #expect(problem.contains("ZIP archive") && problem.contains("unzip"), "\(problem)")
        #expect(name == "readme.txt" || problem.contains(name))
    }

    /// A shapefile with points.
    private static func shapefile(_ points: [(x: Double, y: Double)]) -> [UInt8] {
        func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        func little(_ value: Double) -> [UInt8] {
            (0..<8).map { UInt8(value.bitPattern >> (8 * UInt64($0)) & 255) }
        }
        let length = 50 + points.count * 14
        let box: [Double] = [
            points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0, points.map(\.x).max() ?? 0,
            points.map(\.y).max() ?? 0, 0, 0, 0, 0,
        ]
        var bytes = big(9994) + [UInt8](repeating: 0, count: 20) + big(length) + [0xE8, 3, 0, 0, 1, 0, 0, 0]
        bytes += box.flatMap(little)
        for (at, point) in points.enumerated() {
            bytes += big(at + 1) + big(10) + [1, 0, 0, 0] + little(point.x) + little(point.y)
        }
        return bytes
    }

    @Test(.enabled(if: OverlayFeedTests.program("ogr2ogr") != nil, "gdal-bin is not installed"))
    func `degrees on WGS 84 are assumed without a coordinate system, and metres are refused`() async throws {
        let (feed, status) = try await status(Self.shapefile([(7.4, 43.7), (7.5, 43.8)]), "a.shp")
        #expect(feed.live.index.features.count == 2 && status.problem == nil, "\(status)")
        #expect(status.remark?.contains("WGS 84") == true && status.faults.count == 0)
        let metres = try await self.status(Self.shapefile([(500_000, 4_800_000), (1, 2)]), "b.shp")
        #expect(metres.0.live.index.features.isEmpty && metres.1.problem?.contains("-a_srs") == true)
        #expect(!Files.exists(folder.path + "/a.shx"))
    }

    @Test(arguments: [
        (["[Content_Types].xml", "xl/workbook.xml"], "Excel"), (["mimetype", "content.xml"], "OpenDocument"),
    ])
    func `a spreadsheet is to be saved as CSV`(names: [String], format: String) {
        let text = ForeignFormat(zip: names).description
        #expect(text.contains(format) && text.contains("CSV"), "\(text)")
    }

    @Test(
        arguments: [
            ("a.fgb", "FlatGeobuf", [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]),
            ("a.shp", "shapefile", [0, 0, 0x27, 0x0A]),
            ("a.sqlite", "SQLite", Array("SQLite format 3\0".utf8)),
        ] as [(String, String, [UInt8])])
    func `a file that can only be read on this machine is to be saved if a server sends it`(
        name: String, format: String, bytes: [UInt8]
    ) async throws {
        let feed = OverlayFeed(
            try #require(OverlayOrigin("https://maps.example/\(name)")), number: 0,
            overlayTheme: LiveLayer.OverlayTheme(),
            load: { _, _ in
                var document = OverlayDocument(problem: "")
                document.body = bytes
                document.problem = nil
                return document
            })
        let problem = await feed.whole(within: .seconds(60)).problem ?? ""
        #expect(problem.contains(format) && problem.contains("save it"), "\(problem)")
        feed.stop()
    }
}
