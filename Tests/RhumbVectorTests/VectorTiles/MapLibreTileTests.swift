import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbVector

/// Tests reading MapLibre Tiles (MLT). The files of the specification are in the folder RHUMB_TEST_DATA.
struct MapLibreTileTests {
    typealias Fixture = MapLibreTileFixture

    /// A feature in plain values.
    struct Feature: Equatable {
        var layer: String
        var kind: VectorFeature.Kind
        var id: UInt64?
        var attributes: [String: VectorValue]
        var parts: [[SIMD2<Int32>]]
    }

    static func features(_ tile: VectorTile) throws -> [Feature] {
        var features: [Feature] = [], reader = GeometryReader()
        for index in tile.layerNames.indices {
            let layer = try tile.layer(at: index)
            #expect(layer.damagedCount == 0)
            for feature in layer.features {
                let isRead = reader.read(feature, of: layer)
                #expect(isRead)
                let shape = reader.geometry
                features.append(
                    Feature(
                        layer: layer.name, kind: feature.kind, id: feature.id,
                        attributes: try #require(layer.attributes(of: feature)),
                        parts: (0..<shape.partCount).map { Array(shape.points[shape.part($0)]) }))
            }
        }
        return features
    }

    @Test func `all geometry types, attribute types and encodings are read`() throws {
        let tile = try VectorTile(Fixture.everything)
        #expect(tile.isMapLibre && tile.layerNames == ["all"] && tile.skippedParts == nil)
        let layer = try tile.layer(at: 0), found = try Self.features(tile)
        #expect(layer.extent == 4096 && tile.keys(ofLayer: 0) == layer.keys)
        #expect(found.map(\.kind) == [.point, .line, .polygon, .point, .line, .polygon])
        #expect(found.map(\.id) == [7, 8, 9, 10, nil, 11])
        let triangle: [SIMD2<Int32>] = [SIMD2(-2, -2), SIMD2(8, -2), SIMD2(8, 8)]
        #expect(
            found.map(\.parts) == [
                [[SIMD2(3, 4)]], [[SIMD2(-2, -2), SIMD2(8, 8)]],
                [
                    [SIMD2(-2, -2), SIMD2(8, -2), SIMD2(8, 8), SIMD2(-2, 8)],
                    [SIMD2(-2, -2), SIMD2(3, 4), SIMD2(8, -2)],
                ],
                [[SIMD2(8, -2)], [SIMD2(-2, 8)]],
                [[SIMD2(-2, -2), SIMD2(3, 4)], [SIMD2(8, -2), SIMD2(-2, 8)]],
                [triangle, triangle],
            ])
        func values(_ name: String) -> [VectorValue?] { found.map { $0.attributes[name] } }
        #expect(values("bool") == [true, false, true, false, true, false].map { .bool($0) })
        #expect(values("int") == [nil, .number(-7), .number(-7), .number(9), .number(9), .number(9)])
        #expect(values("uint") == (0..<6).map { .number(Double(1 << 31 + $0)) })
        #expect(values("long") == (0..<6).map { .number(Double(1 << 40 - $0)) })
        #expect(values("ulong") == [1 << 60, 2, 3, 4, 5, 6].map { .number(Double($0 as Int)) })
        #expect(values("float") == (0..<6).map { _ in .number(0.5) })
        #expect(values("double") == (0..<6).map { _ in .number(2.5) })
        #expect(values("plain") == ["a", "b", "c", "d", "e", "fg"].map { .string($0) })
        #expect(values("dictionary") == [.string("tw"), .string("one"), nil, nil, nil, nil])
        #expect(values("fsst") == (0..<6).map { .string($0 % 2 == 0 ? "abab" : "cdez") })
        #expect(values("name:de") == (0..<6).map { _ in .string("Stein") })
        #expect(values("name:en") == [nil, nil, nil, nil, nil, .string("Stone!")])
        let size = try tile.size(ofLayer: 0)
        #expect(size.features == 6 && size.vertices == 22 && size.bytes == Fixture.everything.count)
        #expect(size.attributeBytes > 200 && size.attributeBytes < size.bytes - 100)
        let check = try LayerCheck(tile, layer: 0)
        #expect(check.reversedCount == 0 && check.faults.isEmpty && check.violations == [])
        #expect(LayerSummary(layer).fields.count == 12)
    }

    @Test func `layers of other versions are skipped and named`() throws {
        let known = Fixture.layer("a", [Fixture.points(1)])
        for (tag, words) in [(2, "the experimental version 2"), (9, "an unknown version")]
            as [(UInt8, String)]
        {
            let tile = try VectorTile(known + Fixture.frame([1, 2, 3], tag: tag) + known)
            #expect(tile.layerNames == ["a", "a"])
            #expect(tile.skippedParts == "1 layer in \(words) of MapLibre Tiles")
        }
        let failure = #expect(throws: VectorTileFailure.self) {
            try VectorTile(Fixture.frame([1, 2, 3], tag: 2))
        }
        #expect(failure?.problem.contains("experimental version 2") == true)
    }

    @Test func `layers are left out without decoding`() throws {
        let a = Fixture.layer("a", [Fixture.points(1)]), b = Fixture.layer("b", [Fixture.points(2)])
        #expect(try VectorTile.bytes(a + b, without: { $0 == "a" }) == b)
        #expect(try VectorTile.bytes(a + b, without: { $0 == "c" }) == nil)
    }

    @Test func `layers are united unless different ones have one name`() throws {
        let a = Fixture.layer("a", [Fixture.points(1)]), b = Fixture.layer("b", [Fixture.points(2)])
        #expect(try VectorTile.union([a, b + a]) == a + b)
        let other = Fixture.layer("a", [Fixture.points(2)])
        #expect(throws: VectorTileFailure.self) { try VectorTile.union([a, other]) }
        let messages = VectorTileFixture([("c", [.init(.point, [9, 2, 2])])]).bytes
        #expect(throws: VectorTileFailure.self) { try VectorTile.union([a, messages]) }
    }

    @Test func `damage in a layer affects only that layer`() throws {
        let bad = Fixture.frame(Fixture.text("bad") + [0x80, 0x20, 9, 9]),
            good = Fixture.layer("good", [Fixture.points(1)])
        let tile = try VectorTile(bad + good)
        #expect(tile.layerNames == ["bad", "good"])
        #expect(throws: VectorTileFailure.self) { try tile.layer(at: 0) }
        #expect(try tile.layer(at: 1).features.count == 1)
    }

    @Test func `a feature with a point far outside can't be drawn, and the others can`() throws {
        let far = Int(GeometryReader.reach) + 1
        for corner in [SIMD2(far, 0), SIMD2(0, far), SIMD2(-far, 0), SIMD2(0, -far), SIMD2(far - 1, 1 - far)]
        {
            let numbers = [1, 1, corner.x, corner.y, 2, 2].map(Fixture.zigzag)
            let column = Fixture.geometry([
                Fixture.numbers(0x10, [0, 0, 0]), Fixture.stream(0x13, 2, 6, Fixture.varints(numbers)),
            ])
            let layer = try VectorTile(Fixture.layer("a", [column])).layer(at: 0)
            var reader = GeometryReader()
            let isNear = abs(corner.x) < far && abs(corner.y) < far
            #expect(layer.features.map { reader.read($0, of: layer) } == [true, isNear, true], "\(corner)")
            #expect(
                FeatureFaults(FeatureClasses(layer, by: StyleDependencies()))[.geometry] == (isNear ? 0 : 1))
        }
    }

    @Test func `a tile that claims too many values is rejected before its layers are decoded`() throws {
        func column(_ name: String, _ count: Int) -> Fixture.Column {
            (
                [18] + Fixture.text(name),
                Fixture.stream(0x10, 0b011_000_10, 1, [1, count], Fixture.varints([count, 7]))
            )
        }
        let most = Fixture.layer("a", [Fixture.points(1), column("n", 8 * VectorTile.itemLimit - 24)])
        #expect(try VectorTile(most).itemCount == VectorTile.itemLimit)
        #expect(throws: VectorTileFailure.self) { try VectorTile(most + most) }
        #expect(throws: VectorTileFailure.self) { try VectorTile(most).layer(at: 0) }
        let single = Fixture.layer("a", [Fixture.points(1), column("n", 8 * VectorTile.itemLimit + 1)])
        #expect(throws: VectorTileFailure.self) { try VectorTile(single).layer(at: 0) }
    }

    @Test(arguments: [0, 1, 255, 256, 257, 700, 70_000])
    func `FastPFOR is decoded with and without exceptions`(count: Int) {
        var random = SplitMix(seed: UInt64(count))
        for width in [0, 1, 5, 31, 32] {
            let values = (0..<count).map { at -> UInt32 in
                let bits = at % 60 == 3 ? min(width + 1 + at % 7, 32) : width
                return UInt32(truncatingIfNeeded: random.next() & (1 << UInt64(bits) - 1))
            }
            let packed = count == 0 ? [] : Fixture.fastPFOR(values, width: width)
            let found = packed.withUnsafeBufferPointer { FastPFOR.values($0, count: count) }
            #expect(found == values, "width \(width)")
            guard packed.count > 8 else { continue }
            let short = packed.dropLast(8).withUnsafeBufferPointer { FastPFOR.values($0, count: count) }
            #expect(short == nil)
        }
    }

    // MARK: Files of the specification

    @Test(.enabled(if: TestData.isPresent), arguments: 1...4)
    func `the vectors of FastPFOR are decoded`(number: Int) throws {
        func bytes(_ part: String) throws -> [UInt8] {
            try #require(TestData.bytes(of: "mlt/fixtures/fastpfor/vector\(number)_\(part).bin"))
        }
        let expected = try bytes("decoded"), packed = try bytes("encoded")
        let found = packed.withUnsafeBufferPointer { FastPFOR.values($0, count: expected.count / 4) }
        #expect(found?.flatMap(bigEndian) == expected)
    }

    @Test(
        .enabled(if: TestData.isPresent),
        arguments: [
            "simple/point-boolean", "simple/line-boolean", "simple/polygon-boolean",
            "simple/multipoint-boolean",
            "simple/multiline-boolean", "simple/multipolygon-boolean", "omt/10_531_684", "omt/11_1062_1368",
            "omt/12_2134_2734", "omt/13_4267_5468",
        ])
    func `a tile has the same features in both formats`(name: String) throws {
        let messages = try #require(TestData.bytes(of: "mlt/fixtures/\(name).mvt"))
        let columns = try #require(TestData.bytes(of: "mlt/expected/tag0x01/\(name).mlt"))
        var expected = try Self.features(VectorTile(messages)), found = try Self.features(VectorTile(columns))
        #expect(try VectorTile(columns).isMapLibre && !VectorTile(messages).isMapLibre && !found.isEmpty)
        // The encoder stored ids in 32 bits.
        for at in expected.indices { expected[at].id = expected[at].id.map { $0 & 0xFFFF_FFFF } }
        for at in found.indices { found[at].id = found[at].id.map { $0 & 0xFFFF_FFFF } }
        // It also sorted the features of some layers.
        func isBefore(_ one: Feature, _ other: Feature) -> Bool { "\(one)" < "\(other)" }
        #expect(expected.sorted(by: isBefore) == found.sorted(by: isBefore))
    }

    static let synthetic = TestData.names(in: "mlt/synthetic").filter { $0.hasSuffix(".mlt") }.sorted()

    @Test(.enabled(if: TestData.isPresent), arguments: synthetic)
    func `a synthetic tile has the expected features`(name: String) throws {
        let bytes = try #require(TestData.bytes(of: "mlt/synthetic/\(name)"))
        let stem = name.dropLast(4)
        let text = try #require(TestData.bytes(of: "mlt/synthetic/\(stem).json"))
        let expected = try JSON.parse(text)["features"]?.array ?? []
        let tile = try VectorTile(bytes)
        if stem.contains("extent_"), stem.contains("1073741824") {
            // Extents up to 1,048,576 are read.
            #expect(throws: VectorTileFailure.self) { try tile.layer(at: 0) }
            return
        }
        let found = try Self.features(tile), extent = try tile.layer(at: 0).extent
        #expect(found.count == expected.count)
        for (feature, document) in zip(found, expected) {
            var members = document["properties"]?.object ?? JSONObject()
            #expect(members["_extent"]?.int == extent && members["_layer"]?.string == feature.layer)
            members["_extent"] = nil
            members["_layer"] = nil
            #expect(document["id"]?.unsigned == feature.id)
            let names = members.names.filter { members[$0] != .null }
            #expect(Set(names) == Set(feature.attributes.keys))
            for name in names {
                #expect(Self.isEqual(members[name], feature.attributes[name]), "\(name)")
            }
            let isPolygon = feature.kind == .polygon
            #expect(Self.parts(document["geometry"]) == feature.parts.map { isPolygon ? $0.clockwise : $0 })
        }
    }

    /// Returns true if a value is the expected one, to the precision of its type.
    private static func isEqual(_ json: JSON?, _ value: VectorValue?) -> Bool {
        switch value {
        case .string(let text): json?.string == text
        case .bool(let flag): json == .bool(flag)
        case .integer, .unsigned, .nested: json == value?.json
        case .number where json?.unsigned != nil || json?.int != nil: json == value?.json
        case .number(let number):
            json?.double.map { $0 == number || Float($0) == Float(number) }
                ?? (json?.string == "f32::NEG_INFINITY" && number == -.infinity)
        case nil: false
        }
    }

    /// Returns the parts of a GeoJSON geometry in tile units, without the last points of rings.
    private static func parts(_ geometry: JSON?) -> [[SIMD2<Int32>]] {
        func point(_ json: JSON) -> SIMD2<Int32> {
            SIMD2(Int32(json.array?[0].double ?? 0), Int32(json.array?[1].double ?? 0))
        }
        func line(_ json: JSON) -> [SIMD2<Int32>] { (json.array ?? []).map(point) }
        func rings(_ json: JSON) -> [[SIMD2<Int32>]] {
            (json.array ?? []).map { Array(line($0).dropLast()).clockwise }
        }
        let coordinates = geometry?["coordinates"] ?? .null
        return switch geometry?["type"]?.string {
        case "Point": [[point(coordinates)]]
        case "MultiPoint": line(coordinates).map { [$0] }
        case "LineString": [line(coordinates)]
        case "MultiLineString": (coordinates.array ?? []).map(line)
        case "Polygon": rings(coordinates)
        case "MultiPolygon": (coordinates.array ?? []).flatMap(rings)
        default: []
        }
    }
}

extension [SIMD2<Int32>] {
    /// A ring from the same point, clockwise on screen. The format doesn't define the direction.
    fileprivate var clockwise: Self {
        var area = 0
        for (one, next) in zip(self, dropFirst() + prefix(1)) {
            area += Int(one.x) * Int(next.y) - Int(next.x) * Int(one.y)
        }
        return area < 0 ? prefix(1) + dropFirst().reversed() : self
    }
}
