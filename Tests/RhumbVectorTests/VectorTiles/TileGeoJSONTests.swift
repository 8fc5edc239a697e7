import RhumbCore
import RhumbTestSupport
import Testing

extension TileGeoJSON {
    /// The features in the text.
    fileprivate var features: [JSON] { (try? JSON.parse(text))?["features"]?.array ?? [] }
}

struct TileGeoJSONTests {
    private typealias Feature = VectorTileFixture.Feature

    private func decoded(
        _ features: [Feature], at position: TileID = .world, version: Int = 2
    ) throws -> TileGeoJSON {
        var fixture = VectorTileFixture([("l", features)])
        fixture.version = version
        return TileGeoJSON(try VectorTile(fixture.bytes), at: position)
    }

    /// Returns the positions of a ring.
    private func ring(_ value: JSON?) throws -> [SIMD2<Double>] {
        try #require(value?.array).map { position in
            SIMD2(try #require(position.array?[0].double), try #require(position.array?[1].double))
        }
    }

    /// Returns twice the area of a ring, positive if it is counterclockwise.
    private func doubleArea(_ ring: [SIMD2<Double>]) -> Double {
        zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
    }

    @Test func `tile units become longitude and latitude`() throws {
        let corners = [(0, 0), (2048, 2048), (4096, 4096)].map { Feature(.point, through: [$0]) }
        let decoded = try decoded(corners, at: try #require(TileID(zoom: 1, x: 1, y: 0)))
        let found = decoded.features.map { $0["geometry"] }
        #expect(found[0] == ["type": "Point", "coordinates": [0, 85.0511288]])
        #expect(found[1] == ["type": "Point", "coordinates": [90, 66.5132604]])
        #expect(found[2] == ["type": "Point", "coordinates": [180, 0]])
    }

    @Test func `points beyond the border of the tile are neither wrapped nor clamped`() throws {
        let decoded = try decoded([Feature(.line, through: [(4000, -64), (4160, -64)])])
        let line = try ring(decoded.features[0]["geometry"]?["coordinates"])
        #expect(line[0].x < 180 && line[1].x > 180 && line[0].y > Mercator.latitudeLimit)
    }

    @Test func `several parts become a Multi geometry, and one part does not`() throws {
        let decoded = try decoded([
            Feature(.point, [17, 10, 14, 3, 9]), Feature(.line, [9, 4, 4, 18, 0, 16, 16, 0]),
            Feature(.line, [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8]),
        ])
        let types = decoded.features.map { $0["geometry"]?["type"]?.string }
        #expect(types == ["MultiPoint", "LineString", "MultiLineString"])
    }

    /// The rings of two polygons, the second with a hole.
    private static let polygons: [UInt32] = [
        9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15, 9, 22, 2, 26, 18, 0, 0, 18, 17, 0, 15, 9, 4, 13, 26, 0, 8, 8, 0,
        0, 7, 15,
    ]

    @Test func `rings are closed, outer ones counterclockwise and holes clockwise`() throws {
        let decoded = try decoded([Feature(.polygon, Self.polygons)])
        let geometry = decoded.features[0]["geometry"]
        #expect(geometry?["type"] == "MultiPolygon")
        let polygons = try #require(geometry?["coordinates"]?.array)
        #expect(polygons.map { $0.array?.count } == [1, 2])
        for polygon in polygons {
            for (index, value) in (polygon.array ?? []).enumerated() {
                let ring = try ring(value)
                #expect(ring.count == 5 && ring.first == ring.last)
                #expect((doubleArea(ring) > 0) == (index == 0))
            }
        }
    }

    @Test func `a ring that repeats its first point is closed once`() throws {
        let decoded = try decoded([Feature(.polygon, through: [(0, 0), (10, 0), (10, 10), (0, 0)])])
        let rings = try #require(decoded.features[0]["geometry"]?["coordinates"]?.array)
        #expect(try ring(rings.first).count == 4)
    }

    @Test func `in version 1 the first ring of a polygon is outer in any direction`() throws {
        let decoded = try decoded(
            [Feature(.polygon, through: [(0, 0), (0, 10), (10, 10), (10, 0)])], version: 1)
        let rings = try #require(decoded.features[0]["geometry"]?["coordinates"]?.array)
        #expect(rings.count == 1)
        #expect(doubleArea(try ring(rings[0])) > 0)
    }

    @Test func `all attributes, the id and the layer are written`() throws {
        var feature = Feature(
            .point, through: [(1, 1)],
            [
                ("layer", .string("mine")), ("b", .bool(true)), ("whole", .number(3)), ("half", .number(0.5)),
                ("none", .number(.nan)),
            ])
        feature.id = 7
        let found = try decoded([feature]).features[0]
        #expect(found["id"] == 7 && found["type"] == "Feature")
        #expect(found["tippecanoe"] == ["layer": "l", "minzoom": 0, "maxzoom": 0])
        #expect(found["properties"]?.object?.names == ["layer", "b", "whole", "half", "none"])
        #expect(
            found["properties"]?.text == #"{"layer":"mine","b":true,"whole":3,"half":0.5,"none":null}"#)
    }

    @Test func `a feature without a readable shape has the geometry null`() throws {
        let decoded = try decoded([
            Feature(.point, [9, 0]), Feature(.unknown, [9, 0, 0]), Feature(.point, [9, 0, 0]),
            Feature(.polygon, through: [(0, 0), (4, 4), (8, 8)]),
        ])
        #expect(decoded.shapelessCount == 3)
        #expect(decoded.features.map { $0["geometry"] == .null } == [true, true, false, true])
    }

    @Test func `only the named layer is decoded, and damaged layers are reported`() throws {
        let sound = VectorTileFixture([("a", [Feature(.point, [9, 0, 0])])]).bytes
        let damaged = VectorTileFixture.message(
            3, VectorTileFixture.message(1, Array("b".utf8)) + [0x12, 0x7F])
        let tile = try VectorTile(sound + damaged)
        let all = TileGeoJSON(tile, at: .world)
        #expect(all.features.count == 1 && all.damagedLayers.map(\.name) == ["b"])
        #expect(TileGeoJSON(tile, at: .world, layer: "a").damagedLayers.isEmpty)
    }

    @Test func `the text is GeoJSON without control characters, one feature on each line`() throws {
        let feature = Feature(.point, [9, 0, 0], [("\u{1B}[2J", .string("\u{9B}31m\u{202E}"))])
        let text = String(decoding: try decoded([feature, feature]).text, as: UTF8.self)
        #expect(text.split(separator: "\n").count == 4)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
        let parsed = try JSON.parse(text)
        #expect(parsed["type"] == "FeatureCollection" && parsed["features"]?.array?.count == 2)
        #expect(try JSON.parse(try decoded([]).text)["features"] == [])
    }
}

struct LayerSummaryTests {
    private typealias Feature = VectorTileFixture.Feature

    private func tile(_ features: [Feature]) throws -> VectorTile {
        try VectorTile(VectorTileFixture([("l", features)]).bytes)
    }

    @Test func `fields have types, ranges and the first three values`() throws {
        let values: [VectorValue] = [
            .number(4), .string("x"), .number(-2.5), .number(4), .bool(true), .number(.infinity),
        ]
        var summary = LayerSummary()
        for value in values {
            let feature = Feature(.point, [9, 0, 0], [("v", value), ("w", .bool(false))])
            summary.merge(LayerSummary(try tile([feature, Feature(.line, [9, 0, 0])]).layer(at: 0)))
        }
        let field = try #require(summary.fields["v"])
        #expect(
            field.types == [.string, .number, .boolean] && field.minimum == .number(-2.5)
                && field.maximum == .number(4))
        #expect(field.samples == [.number(4), .string("x"), .number(-2.5)] && field.featureCount == 6)
        #expect(summary.fields["w"]?.minimum == nil && summary.fields["w"]?.samples == [.bool(false)])
        #expect(summary.featureCount == 12 && summary.kinds == [.point: 6, .line: 6])
    }

    @Test func `the number of fields is limited`() throws {
        let attributes = (0..<LayerSummary.fieldLimit + 5).map { ("k\($0)", VectorValue.bool(true)) }
        let summary = LayerSummary(try tile([Feature(.point, [9, 0, 0], attributes)]).layer(at: 0))
        #expect(summary.fields.count == LayerSummary.fieldLimit && summary.isTruncated)
    }

    @Test func `the size of a layer has features, vertices and attributes`() throws {
        let attributes = [("name", VectorValue.string("Quay"))]
        let tile = try tile([
            Feature(.line, through: [(0, 0), (9, 9), (9, 0)], attributes),
            Feature(.polygon, through: [(0, 0), (9, 0), (9, 9)], attributes), Feature(.point, [9, 0]),
        ])
        let size = try tile.size(ofLayer: 0)
        // The name and the value with their headers, and the tags of two features.
        #expect(size.attributeBytes == 6 + 8 + 2 * 4 && size.features == 3 && size.vertices == 6)
        #expect(size.bytes == tile.layerSizes[0].bytes)
        var sum = LayerSize()
        sum.add(size, times: 3)
        sum.add(size, times: .max)
        #expect(sum.features == .max)
    }
}
