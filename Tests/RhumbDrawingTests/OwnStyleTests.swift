import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

struct OwnStyleTests {
    private static func style(_ name: String) throws -> Style {
        try Style(try #require(TestFiles.bytes("Assets/styles/\(name).json")))
    }

    @Test(arguments: ["day", "night", "day-256", "night-256", "day-16", "night-16", "mono"])
    func `the built-in styles are fully supported`(name: String) throws {
        let style = try Self.style(name)
        #expect(style.findings.isEmpty, "\(style.findings.map(\.description))")
        for schema in TileSchema.allCases {
            #expect(style.source(for: schema) == schema.rawValue)
            #expect(style.layers.count { $0.source == schema.rawValue } >= 3)
        }
    }

    @Test(arguments: ["", "-16"]) func `day and night have the same layers`(colours: String) throws {
        let (day, night) = (try Self.style("day\(colours)"), try Self.style("night\(colours)"))
        #expect(
            Set(day.layers.map(\.id)).symmetricDifference(night.layers.map(\.id)).count
                <= (colours.isEmpty ? 0 : 8))
    }

    /// Returns every colour of the layers of these types in a style.
    private static func colours(_ name: String, _ kinds: Set<String>) throws -> Set<RGB> {
        let text = try #require(TestFiles.bytes("Assets/styles/\(name).json"))
        let document = try JSON.parse(text)
        let layers = (document["layers"]?.array ?? []).filter { kinds.contains($0["type"]?.string ?? "") }
        return Set(
            layers.flatMap { $0.strings(startingWith: "#") }.compactMap { UInt32($0.dropFirst(), radix: 16) }
                .map { RGB($0) })
    }

    @Test(arguments: ["day-256", "night-256"])
    func `all colours of the styles for 256 colours are in the palette`(
        name: String
    ) throws {
        let palette = Set((16...255).map(Palette256.colour))
        #expect(
            try Self.colours(name, ["background", "fill", "line", "circle", "symbol"]).isSubset(of: palette))
    }

    @Test(arguments: ["day-16", "night-16"])
    func
        `for sixteen colours everything has one of them, and areas one that every terminal has behind glyphs`(
            name: String
        ) throws
    {
        let papers = Set(Palette16.papers.map { Palette16.colour(UInt8($0)) })
        #expect(try Self.colours(name, ["background", "fill"]).isSubset(of: papers))
        #expect(
            try Self.colours(name, ["line", "symbol"]).isSubset(
                of: Set((0..<16).map { Palette16.colour($0) })))
    }

    @Test func `without colours areas are drawn by their edges, and only water is shaded`() throws {
        let filled = try Self.style("mono").layers.filter { $0.kind == .fill }
        #expect(!filled.isEmpty && filled.allSatisfy { $0.id.hasSuffix("-shade") })
        #expect(try Self.colours("mono", ["fill"]) == [RGB(0x00102A)])
        #expect(try Self.colours("mono", ["background"]) == [RGB(0)])
    }

    @Test(
        arguments: [
            (["water", "transportation", "place", "landuse"], .openMapTiles),
            (["earth", "roads", "water", "landuse"], .protomaps),
            (["ocean", "streets", "land", "buildings"], .shortbread),
            (["ocean", "lakes", "borders"], .world), (["cities"], .other), ([], .other),
            (["landuse"], .other),
        ] as [([String], TileSchema)])
    func `a schema is detected by its layers`(names: [String], schema: TileSchema) {
        #expect(TileSchema(layerNames: names) == schema)
    }

    @Test(
        arguments: [
            ["vector_layers": [["id": "roads"], ["id": "earth"]]],
            ["json": ["vector_layers": [["id": "roads"], ["id": "earth"]]]],
            ["tilestats": ["layers": [["layer": "roads"], ["layer": "earth"]]]],
        ] as [JSON])
    func `metadata names the layers in several places`(metadata: JSON) {
        #expect(TileSchema.layerNames(in: metadata) == ["roads", "earth"])
    }

    @Test func `a style of another source is used for any schema`() throws {
        let style = try Style([
            "version": 8,
            "sources": ["a": ["type": "raster"], "b": ["type": "vector"], "c": ["type": "vector"]],
            "layers": [["id": "x", "type": "fill", "source": "c", "source-layer": "l"]],
        ])
        #expect(style.source(for: .protomaps) == "c")
    }

    @Test(arguments: ["day", "night", "day-256", "night-256", "day-16", "night-16", "mono"])
    func `of tiles of an unknown schema, only points are drawn as dots`(name: String) throws {
        let text = try #require(TestFiles.bytes("Assets/styles/\(name).json"))
        /// Draws a feature in the style without one of its layers. Each layer has a line in the style.
        func picture(_ feature: VectorTileFixture.Feature, without left: String = "-") throws -> Raster? {
            let data = try VectorTile(VectorTileFixture([("unknown", [feature])]).bytes)
            let lines = text.split(separator: UInt8(ascii: "\n")).filter {
                !String(decoding: $0, as: UTF8.self).contains("\"id\":\"\(left)\"")
            }
            let painter = VectorPainter(
                try Style(Array(lines.joined(separator: [UInt8(ascii: "\n")]))),
                source: TileSchema.other.rawValue)
            return painter.draw(TilePart(.world, deepest: 30), side: 256, names: data.layerNames) { name in
                data.layer(named: name, by: painter.use(ofLayer: name))
            }
        }
        let corners = [(1000, 1000), (3000, 1000), (3000, 3000)]
        for kind in [VectorFeature.Kind.line, .polygon] {
            let feature = VectorTileFixture.Feature(kind, through: corners)
            #expect(try picture(feature) == picture(feature, without: "other-points"))
            #expect(try picture(feature) != picture(feature, without: "other-lines"))
        }
        let point = VectorTileFixture.Feature(.point, through: [(1000, 1000)])
        #expect(try picture(point) != picture(point, without: "other-points"))
    }

    /// Returns the colour of a layer at a zoom of the map.
    private static func colour(
        _ layer: String, _ property: StyleProperty, _ style: Style, zoom: Double
    ) throws -> RGB {
        var context = StyleContext(style, zoom: zoom - 1)
        return try #require(style.layers.first { $0.id == layer }).colour(property, &context).rgb
    }

    /// Returns the lightness of a layer's colour at a zoom of the map.
    private static func lightness(
        _ layer: String, _ property: StyleProperty, _ style: Style, zoom: Double
    ) throws -> Float {
        let colour = try colour(layer, property, style, zoom: zoom)
        return OKLab(red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue)).lightness
    }

    /// At night, all greens and browns of 256 colours that are dark enough for land are vivid.
    @Test func `with 256 colours the land of the world is no more vivid at night than in all colours`() throws
    {
        let (full, reduced) = (try Self.style("night"), try Self.style("night-256"))
        let layers = [500, 1000, 2000, 3500].map { ("world-height-\($0)", StyleProperty.fillColour) }
        var last: Float = 0
        for (layer, property) in [("land", StyleProperty.backgroundColour)] + layers {
            func lab(_ style: Style) throws -> OKLab {
                let colour = try Self.colour(layer, property, style, zoom: 5)
                return OKLab(red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue))
            }
            func chroma(_ lab: OKLab) -> Float {
                (lab.value.y * lab.value.y + lab.value.z * lab.value.z).squareRoot()
            }
            let shown = try lab(reduced)
            #expect(try chroma(shown) <= chroma(lab(full)), "\(layer)")
            #expect(shown.lightness > last, "\(layer)")
            last = shown.lightness
        }
    }

    /// Light and shade on ice are greys, so that the colour of level ice must be grey, too.
    @Test func `with 256 colours ice is grey at night`() throws {
        let ice = try Self.style("night-256").layers.map(\.id).filter {
            $0.hasSuffix("-ice") || $0.hasSuffix("-glacier")
        }
        #expect(ice.count == 7)
        for layer in ice {
            let colour = try Self.colour(layer, .fillColour, try Self.style("night-256"), zoom: 11)
            #expect(colour.red == colour.green && colour.green == colour.blue, "\(layer)")
        }
    }

    @Test(arguments: ["night", "night-256"], ["openmaptiles", "protomaps", "shortbread"])
    func `at night land, quarters, roads and the water of a city differ in lightness by a tenth`(
        name: String, schema: String
    ) throws {
        let style = try Self.style(name)
        for zoom in stride(from: 5.0, through: 16, by: 0.5) {
            func lightness(_ layer: String, _ property: StyleProperty) throws -> Float {
                try Self.lightness(layer, property, style, zoom: zoom)
            }
            let ground = try lightness("land", .backgroundColour),
                quarter = try lightness("\(schema)-quarter", .fillColour)
            #expect(quarter - ground >= 0.1, "\(zoom)")
            for road in ["motorway", "main", "second", "street"]
            where try #require(style.layers.first { $0.id == "\(schema)-\(road)" }).isShown(at: zoom - 1) {
                #expect(
                    try lightness("\(schema)-\(road)", .lineColour) - quarter >= 0.1, "\(road) at \(zoom)")
            }
            if zoom >= 12 {
                #expect(try lightness("\(schema)-water", .fillColour) - ground >= 0.1, "\(zoom)")
            }
        }
    }

    @Test(arguments: ["night", "day-256", "night-256"], ["openmaptiles", "protomaps", "shortbread"])
    func `land, quarters, parks and roads of a city differ visibly at zooms 11 to 13`(
        name: String, schema: String
    ) throws {
        let style = try Self.style(name)
        for zoom in [11.0, 12, 13] {
            func lab(_ layer: String, _ property: StyleProperty) throws -> OKLab? {
                guard try #require(style.layers.first { $0.id == layer }).isShown(at: zoom - 1) else {
                    return nil
                }
                let colour = try Self.colour(layer, property, style, zoom: zoom)
                return OKLab(red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue))
            }
            var areas = ["land": try #require(try lab("land", .backgroundColour))]
            for area in ["quarter", "green"] { areas[area] = try lab("\(schema)-\(area)", .fillColour) }
            for (area, colour) in areas {
                for (other, second) in areas where other > area {
                    #expect(colour.squaredDistance(to: second) >= 0.05 * 0.05, "\(area), \(other) at \(zoom)")
                }
                for road in ["motorway", "main", "second", "street"] {
                    guard let line = try lab("\(schema)-\(road)", .lineColour) else { continue }
                    #expect(line.squaredDistance(to: colour) >= 0.05 * 0.05, "\(road) on \(area) at \(zoom)")
                }
            }
        }
    }

    @Test(arguments: ["day", "night", "day-256", "night-256"], ["openmaptiles", "protomaps", "shortbread"])
    func `a river has one colour, whether it is an area or a line`(name: String, schema: String) throws {
        let style = try Self.style(name)
        for zoom in [12.0, 14, 16] {
            let area = try Self.colour("\(schema)-water", .fillColour, style, zoom: zoom)
            for line in ["river", "stream"] {
                #expect(try Self.colour("\(schema)-\(line)", .lineColour, style, zoom: zoom) == area)
            }
        }
    }

    @Test func `urban areas of the world differ from its land and lakes at night, and end after zoom 12`()
        throws
    {
        let style = try Self.style("night"),
            urban = try #require(style.layers.first { $0.id == "world-urban" })
        func lab(_ layer: String, _ property: StyleProperty) throws -> OKLab {
            let colour = try Self.colour(layer, property, style, zoom: 6)
            return OKLab(red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue))
        }
        let own = try lab("world-urban", .fillColour)
        #expect(try own.lightness - lab("land", .backgroundColour).lightness >= 0.1)
        // The third value is negative for blue.
        #expect(try own.value.z > 0 && lab("world-lake", .fillColour).value.z < 0)
        #expect(urban.isShown(at: 11) && !urban.isShown(at: 12))
    }

    @Test(arguments: ["day", "night", "day-256", "night-256"])
    func `urban areas near by are a faint tint or hidden, because their outlines are coarse`(
        name: String
    ) throws {
        let style = try Self.style(name)
        let areas = try #require(style.layers.first { $0.id == "world-urban" })
        for zoom in [7.0, 8, 9] where areas.isShown(at: zoom - 1) {
            var context = StyleContext(style, zoom: zoom - 1)
            #expect(areas.number(.fillOpacity, &context) <= 0.4)
        }
    }

    @Test(arguments: ["day", "night"])
    func `ice of the world fades near by, because its outlines are coarse`(name: String) throws {
        let style = try Self.style(name)
        let ice = try #require(style.layers.first { $0.id == "world-ice" })
        let shares = [6.0, 8, 10].map { zoom in
            var context = StyleContext(style, zoom: zoom - 1)
            return ice.number(.fillOpacity, &context)
        }
        #expect(shares[0] == 1 && shares[0] > shares[1] && shares[1] > shares[2])
    }

    @Test(arguments: ["night", "night-256", "night-16"])
    func `land is lighter than water on the first screen at night`(name: String) throws {
        let style = try Self.style(name)
        let land = try Self.lightness("land", .backgroundColour, style, zoom: 1)
        let sea = try Self.lightness("world-ocean", .fillColour, style, zoom: 1)
        #expect(abs(land - sea) >= 0.14)
    }

    /// Only the tints of woods may be green.
    @Test func `at night land of any height is grey or brown, as in deserts`() throws {
        let style = try Self.style("night")
        let heights = [200, 500, 1000, 2000, 3500].map { ("world-height-\($0)", StyleProperty.fillColour) }
        let tints = ["dry", "desert"].map { ("world-\($0)", StyleProperty.fillColour) }
        for (layer, property) in [("land", StyleProperty.backgroundColour)] + heights + tints {
            let colour = try Self.colour(layer, property, style, zoom: 5)
            let lab = OKLab(red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue))
            // The second value is negative for green.
            #expect(lab.value.y > -0.01, "\(layer)")
        }
    }

    @Test(arguments: ["openmaptiles", "protomaps", "shortbread"])
    func `pedestrian streets are drawn from zoom 12, as thin as minor streets until zoom 14`(
        schema: String
    ) throws {
        let style = try Self.style("night")
        let mall = try #require(style.layers.first { $0.id == "\(schema)-mall" })
        let street = try #require(style.layers.first { $0.id == "\(schema)-street" })
        #expect(mall.isShown(at: 11) && !mall.isShown(at: 10.9) && !street.isShown(at: 11.9))
        for (layer, zoom) in [(mall, 12.0), (mall, 14), (street, 13), (street, 14)] {
            var context = StyleContext(style, zoom: zoom - 1)
            #expect((0.5...1).contains(layer.number(.lineWidth, &context)))
        }
    }

    @Test(arguments: [
        (["water", "roads"], "base"), (["Traffic flow"], "flow"), (["unknown"], "base"), ([], "base"),
    ])
    func `a source of traffic contains only tiles of traffic, however many layers draw it`(
        names: [String], source: String
    ) throws {
        let flow: [JSON] = ["a", "b", "c"].map {
            ["id": .string($0), "type": "line", "source": "flow", "source-layer": "Traffic flow"]
        }
        let style = try Style([
            "version": 8, "sources": ["base": ["type": "vector"], "flow": ["type": "vector"]],
            "layers": .array(
                [["id": "w", "type": "fill", "source": "base", "source-layer": "water"]] + flow),
        ])
        #expect(style.source(for: .other, layerNames: names) == source)
    }

    /// The Arno flows through the tile, with Florence on both banks.
    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: [(13, "day"), (14, "night"), (16, "day")])
    func `Florence has a river, ground and roads`(zoom: Int, theme: String) throws {
        let path = try #require(TestData.folder) + "/firenze-vector.pmtiles"
        let archive = try PMTilesArchive(path)
        let schema = TileSchema(layerNames: TileSchema.layerNames(in: archive.metadata))
        #expect(schema == .protomaps)
        let style = try Self.style(theme)
        let painter = VectorPainter(style, source: try #require(style.source(for: schema)))
        let bridge = Mercator.world(Coordinate(latitude: 43.768, longitude: 11.2531))
        let data = TileID(zoom: min(zoom, 14), containing: bridge)
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(data) else {
            Issue.record("no tile")
            return
        }
        let tile = try VectorDrawing(archive.info, painters: [schema: painter]).tile(data, from: bytes)
        let raster = try tile.picture(of: TileID(zoom: zoom, containing: bridge), side: 512)
        var counts: [RGB: Int] = [:]
        for at in stride(from: 0, to: raster.pixels.count, by: 4) {
            counts[
                RGB(red: raster.pixels[at], green: raster.pixels[at + 1], blue: raster.pixels[at + 2]),
                default: 0] += 1
        }
        let water = RGB(theme == "day" ? 0x8CBADA : 0x205A82),
            street = RGB(theme == "day" ? 0xFFFFFF : 0x69747E)
        #expect(counts[water, default: 0] > 3000 && counts[street, default: 0] > 1000)
        #expect(zoom < 14 || tile.labels(at: 16, in: .local).contains { $0.text == "Ponte Vecchio" })
    }

    /// Tiles of older Protomaps editions have peaks beside seas and bays in one layer.
    @Test(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"))
    func `a hill near Florence has the icon of a peak`() throws {
        let archive = try PMTilesArchive(try #require(TestData.folder) + "/firenze-vector.pmtiles")
        let data = TileID(
            zoom: 13, containing: Mercator.world(Coordinate(latitude: 43.7361, longitude: 11.2501)))
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(data) else {
            Issue.record("no tile")
            return
        }
        let drawing = VectorDrawing(
            archive.info, painters: [.protomaps: VectorPainter(try Self.style("night"), source: "protomaps")])
        let hills = try drawing.tile(data, from: bytes).labels(at: 13, in: .local).filter {
            $0.text == "Monte Cuccioli"
        }
        #expect(hills.map(\.icon) == ["peak"])
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["osm-bright", "dark-matter", "maplibre-demo"])
    func `real styles draw real tiles`(name: String) throws {
        let style = try Style(try #require(TestData.bytes(of: "styles/\(name).json")))
        let archive = try MBTilesArchive(try #require(TestData.folder) + "/world_cities-vector.mbtiles")
        let painter = VectorPainter(style, source: try #require(style.source(for: .other)))
        guard case .bitmap(.encoded(let bytes)) = try archive.tile(.world) else {
            Issue.record("no tile")
            return
        }
        let drawing = VectorDrawing(archive.info, painters: [.other: painter])
        let picture = try drawing.tile(.world, from: bytes).picture(of: .world, side: 512)
        #expect(picture.pixels[(256 * 512 + 256) * 4 + 3] == 255)
    }
}

extension JSON {
    /// Returns all strings in the document with a prefix.
    fileprivate func strings(startingWith prefix: String) -> [String] {
        if let string { return string.hasPrefix(prefix) ? [string] : [] }
        let members = object.map { object in object.names.compactMap { object[$0] } }
        return (array ?? members ?? []).flatMap { $0.strings(startingWith: prefix) }
    }
}
