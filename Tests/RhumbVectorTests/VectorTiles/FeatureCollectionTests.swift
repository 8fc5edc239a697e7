@testable import RhumbVector
import RhumbCore
import Testing

struct FeatureCollectionTests {
    private static func feature(_ type: String, _ coordinates: JSON, _ properties: JSON = [:]) -> JSON {
        [
            "type": "Feature", "id": 7, "properties": properties,
            "geometry": ["type": .string(type), "coordinates": coordinates],
        ]
    }

    private func layer(_ features: [JSON], _ tile: TileID = .world) throws -> VectorLayer {
        let collection = try FeatureCollection(["type": "FeatureCollection", "features": .array(features)])
        return try #require(try VectorTile(collection.tile(tile)).layer(named: FeatureCollection.layerName))
    }

    @Test func `points, lines and areas become features with their attributes`() throws {
        let properties: JSON = ["name": "a", "rank": 2, "open": true, "none": nil, "list": [1]]
        let square: JSON = [
            [[0, 0], [90, 0], [90, 60], [0, 60], [0, 0]], [[10, 10], [10, 20], [20, 20], [10, 10]],
        ]
        let layer = try layer([
            Self.feature("Point", [0, 0], properties), Self.feature("LineString", [[-90, 0], [90, 0]]),
            Self.feature("Polygon", square), Self.feature("MultiPoint", [[1, 1], [2, 2]]),
        ])
        #expect(layer.features.map(\.kind) == [.point, .line, .polygon, .point, .point])
        #expect(
            layer.attributes(of: layer.features[0]) == [
                "name": .string("a"), "rank": .number(2), "open": .bool(true), "none": .nested(nil),
                "list": .nested([1]),
            ])
        #expect(layer.features[0].id == 7)
        var reader = GeometryReader()
        #expect(reader.read(layer.features[0], of: layer) && reader.geometry.points == [SIMD2(2048, 2048)])
        #expect(
            reader.read(layer.features[1], of: layer)
                && reader.geometry.points == [SIMD2(1024, 2048), SIMD2(3072, 2048)])
        #expect(reader.read(layer.features[2], of: layer) && reader.geometry.polygons.map(\.count) == [2])
    }

    @Test(
        arguments: [
            (["get", "k", ["get", "o"]], .number(5)), (["has", "k", ["get", "o"]], .bool(true)),
            (["length", ["get", "a"]], .number(3)), (["index-of", 3, ["get", "a"]], .number(2)),
            (["in", 2, ["get", "a"]], .bool(true)), (["typeof", ["get", "o"]], .string("object")),
            (["typeof", ["get", "a"]], .string("array<number, 3>")), (["has", "z"], .bool(true)),
            (["get", "z"], .null),
        ] as [(JSON, StyleValue)])
    func `expressions read the lists and objects of properties`(expression: JSON, value: StyleValue) throws {
        let layer = try layer([Self.feature("Point", [0, 0], ["a": [1, 2, 3], "o": ["k": 5], "z": nil])])
        let style = try StyleFixture.layer("symbol", layout: ["text-field": ["to-string", expression]])
        var context = StyleContext(style, zoom: 0)
        context.enter(layer)
        let isEntered = context.enter(layer.features[0])
        try #require(isEntered)
        #expect(style.layers.first?.text(.textField, &context) == value.text)
    }

    @Test func `a tile contains only the features on it`() throws {
        let collection = try FeatureCollection(Self.feature("Point", [100, 50]))
        let there = TileID(zoom: 12, containing: Mercator.world(Coordinate(latitude: 50, longitude: 100)))
        #expect(!collection.tile(there).isEmpty)
        #expect(collection.tile(try #require(TileID(zoom: 12, x: 0, y: 0))).isEmpty)
    }

    @Test func `the bounds of a collection contain all its features`() throws {
        let collection = try FeatureCollection(Self.feature("LineString", [[-10, -20], [30, 40]]))
        let bounds = try #require(collection.bounds)
        #expect(abs(bounds.west + 10) < 1e-9 && abs(bounds.east - 30) < 1e-9)
        #expect(abs(bounds.south + 20) < 1e-9 && abs(bounds.north - 40) < 1e-9)
    }

    @Test func `a damaged feature is omitted and counted`() throws {
        let collection = try FeatureCollection([
            "type": "FeatureCollection",
            "features": [
                Self.feature("Point", [1]), Self.feature("Point", [1, 2]), Self.feature("Blob", [1, 2]), 5,
                nil,
            ],
        ])
        #expect(collection.count == 1 && collection.damagedCount == 4)
    }

    @Test(
        arguments: [nil, [], "x", 3, [:], ["type": "FeatureCollection", "features": [["type": "Feature"]]]]
            as [JSON])
    func `data that is not GeoJSON is rejected`(document: JSON) {
        #expect(throws: RegionGeometryFailure.self) { _ = try FeatureCollection(document) }
    }

    @Test func `the largest shapes at the deepest zoom stay in the number range of a tile`() throws {
        let collection = try FeatureCollection(
            Self.feature("Polygon", [[[-180, -85], [180, -85], [180, 85], [-180, 85], [-180, -85]]]))
        let deep = TileID(zoom: FeatureCollection.deepestZoom, containing: WorldPoint(x: 0.3, y: 0.3))
        let tile = try VectorTile(collection.tile(deep))
        let layer = try #require(try tile.layer(named: FeatureCollection.layerName))
        var reader = GeometryReader()
        #expect(reader.read(layer.features[0], of: layer) && reader.geometry.points.count == 4)
    }
}
