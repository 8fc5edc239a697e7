import RhumbCore
import RhumbTestSupport
import Testing

struct GeoJSONTests {
    private func read(_ text: String) throws -> RegionGeometry {
        try RegionGeometry(geoJSONText: Array(text.utf8))
    }

    static let triangle = "[[0,0],[10,0],[0,10],[0,0]]"

    static let sound: [(String, [RegionShape])] = [
        (#"{"type":"Point","coordinates":[13,52,120]}"#, [.point(Position(longitude: 13, latitude: 52))]),
        (
            #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
            [.point(Position(longitude: 1, latitude: 2)), .point(Position(longitude: 3, latitude: 4))]
        ),
        (#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, [.line(ring([(1, 2), (3, 4)]))]),
        (
            #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#,
            [.line(ring([(1, 2), (3, 4)])), .line(ring([(5, 6), (7, 8)]))]
        ),
        (
            #"{"type":"Polygon","coordinates":[\#(triangle),[[1,1],[2,1],[1,2],[1,1]]]}"#,
            [.polygon(outer: ring([(0, 0), (10, 0), (0, 10)]), holes: [ring([(1, 1), (2, 1), (1, 2)])])]
        ),
        (
            #"{"type":"MultiPolygon","coordinates":[[\#(triangle)]]}"#,
            [.polygon(outer: ring([(0, 0), (10, 0), (0, 10)]), holes: [])]
        ),
        (
            #"{"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}}"#,
            [.point(Position(longitude: 1, latitude: 2))]
        ),
        (
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{}},{"type":"Feature","properties":{"width":3},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#,
            [.point(Position(longitude: 1, latitude: 2))]
        ),
    ]

    @Test(arguments: sound)
    func `every type of geometry is read`(text: String, shapes: [RegionShape]) throws {
        #expect(try read(text).shapes == shapes)
    }

    static let wrong: [(String, RegionGeometryFailure)] = [
        ("[1,2]", .type("the document is not a JSON object")),
        ("{}", .type("the document has no \"type\"")),
        (#"{"type":"Circle","coordinates":[]}"#, .type("the type of the document is \"Circle\"")),
        (#"{"type":"Topology"}"#, .type("the type of the document is \"Topology\"")),
        (
            #"{"type":"MultiTopology","coordinates":[]}"#,
            .type("the type of the document is \"MultiTopology\"")
        ),
        (#"{"type":"Polygon"}"#, .type("the document has no \"coordinates\"")),
        (#"{"type":"Polygon","coordinates":[]}"#, .empty("the document has no ring")),
        (#"{"type":"Polygon","coordinates":[[]]}"#, .empty("ring 0 has fewer than three corners")),
        (
            #"{"type":"Point","coordinates":["1","2"]}"#,
            .type("a position of the document is not two numbers")
        ),
        (#"{"type":"Point","coordinates":[]}"#, .type("a position of the document is not two numbers")),
        (#"{"type":"Point","coordinates":[2]}"#, .type("a position of the document is not two numbers")),
        (
            #"{"type":"Point","coordinates":{"lon":1}}"#,
            .type("the coordinates of the document are not an array")
        ),
        (#"{"type":"Point","coordinates":[1e999,2]}"#, .text("x")),
        (#"{"type":"Feature"}"#, .type("the document has no \"geometry\"")),
        (
            #"{"type":"FeatureCollection","features":{}}"#,
            .type("\"features\" of the document is not an array")
        ),
        (#"{"type":"FeatureCollection","features":[]}"#, .empty("the GeoJSON has no geometry")),
        (
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point"}}]}"#,
            .type("the geometry of features[0] has no \"coordinates\"")
        ),
        (
            #"{"type":"Feature","properties":{"rhumb-shape":"circle"},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
            .type("the document is marked as circle, but is not one")
        ),
        (
            #"{"type":"Feature","bbox":[1],"properties":{"rhumb-shape":"box"},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
            .type("the document is marked as box, but is not one")
        ),
        ("{", .text("x")), ("", .text("x")),
    ]

    @Test(arguments: wrong)
    func `data that is not GeoJSON is rejected with the position`(
        text: String, failure: RegionGeometryFailure
    ) {
        #expect {
            try read(text)
        } throws: { error in
            if case (.text, .text)? = (error as? RegionGeometryFailure).map({ ($0, failure) }) { return true }
            if case .text = failure { return error is RegionGeometryFailure }
            return error as? RegionGeometryFailure == failure
        }
    }

    @Test func `written GeoJSON is read back unchanged`() throws {
        let geometry = try RegionGeometry([
            .box(#require(Bounds(west: 170, south: -20, east: -170, north: -10))),
            .box(#require(Bounds(west: 1.5, south: -20, east: 3, north: -10.25))),
            .circle(center: Coordinate(latitude: 52.5, longitude: 13.4), radius: 1234.5),
            .corridor(ring([(1, 2), (3, 4), (5, 4.5)]), halfWidth: 250),
            .polygon(outer: ring([(0, 0), (10, 0), (0, 10)]), holes: [ring([(1, 1), (2, 1), (1, 2)])]),
            .line(ring([(179, 2), (-179, 4)])), .point(Position(longitude: 7, latitude: -7)),
        ])
        #expect(try RegionGeometry(geoJSONText: Array(geometry.geoJSON.text.utf8)) == geometry)
        for shape in geometry.shapes {
            let single = try RegionGeometry([shape])
            #expect(single.geoJSON["type"] == "Feature")
            #expect(try RegionGeometry(geoJSON: JSON.parse(single.geoJSON.indentedText)) == single)
        }
    }

    @Test func `other programs see a box across the antimeridian in two parts`() throws {
        let box = try RegionGeometry.box(#require(Bounds(west: 170, south: -20, east: -170, north: -10)))
        let geometry = try #require(box.geoJSON["geometry"])
        #expect(geometry["type"] == "MultiPolygon" && geometry["coordinates"]?.array?.count == 2)
        let parts = RegionTileSet(try RegionGeometry(geoJSON: geometry), zooms: try ZoomRange(0, 8))
        #expect(parts.counts() == RegionTileSet(box, zooms: try ZoomRange(0, 8)).counts())
    }
}
