import Glibc
import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

/// Tests contours from an archive: as GeoJSON, and on the map.
struct ContourJourneyTests {
    private let folder = TemporaryFolder()
    private static let peak = Coordinate(latitude: 46.5, longitude: 8)

    /// Creates an archive with one round hill, 1,000 m high by default, in a plain of 100 m.
    private func hill(rise: Double = 900) throws -> String {
        let top = Mercator.world(Self.peak), zoom = 9, side = 64
        let middle = TileID(zoom: zoom, containing: top)
        var tiles: [(tile: TileID, body: [UInt8]?)] = []
        for (dx, dy) in [(-1, 0), (0, 0), (1, 0), (-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)] {
            let tile = try #require(TileID(zoom: zoom, x: middle.x + dx, y: middle.y + dy))
            var pixels: [UInt8] = []
            for at in 0..<side * side {
                let place =
                    (SIMD2(Double(tile.x), Double(tile.y))
                        + (SIMD2(Double(at % side), Double(at / side)) + 0.5) / Double(side))
                    / Double(1 << zoom)
                let offset = (place - SIMD2(top.x, top.y)) * Double(1 << zoom) * 4
                let coded = Int((100 + rise * exp(-(offset * offset).sum()) + 10_000) * 10)
                pixels += [UInt8(coded >> 16), UInt8(coded >> 8 & 255), UInt8(coded & 255), 255]
            }
            let raster = try #require(Raster(width: side, height: side, pixels: pixels))
            tiles.append((tile, try PNGEncoder.encode(raster)))
        }
        let metadata = [(name: "name", value: "Hill"), ("format", "png"), ("encoding", "mapbox")]
        let name = "hill-\(Int(rise)).mbtiles"
        return try MBTilesFixture(tiles, metadata: metadata).write(in: folder, name: name)
    }

    private func run(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), words,
            environment: [
                "HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                "SWIFT_BACKTRACE": "enable=no",
            ])
    }

    @Test(arguments: [false, true])
    func `contours writes closed lines around a hill`(isInFeet: Bool) async throws {
        let file = folder.path + "/lines.geojson", distance = isInFeet ? 500.0 : 200
        let run = await run(
            "contours", try hill(), "-b", "7.6,46.2,8.4,46.8", "--interval", "\(Int(distance))", "-o", file,
            "--units", isInFeet ? "imperial" : "metric")
        #expect(run.status == 0, "\(run.errors)")
        let features = try JSON.parse(folder.bytes("lines.geojson"))["features"]?.array ?? []
        let heights = features.compactMap { $0["properties"]?["ele"]?.double }.sorted()
        let first = isInFeet ? 500.0 : 200, top = 1000 / (isInFeet ? 0.3048 : 1)
        #expect(heights == Array(stride(from: first, to: top - 1, by: distance)))
        for feature in features {
            let points = feature["geometry"]?["coordinates"]?.array ?? []
            #expect(points.count > 8 && points.first == points.last)
            for point in points {
                let x = try #require(point.array?.first?.double), y = try #require(point.array?.last?.double)
                #expect(abs(x - Self.peak.longitude) < 0.4 && abs(y - Self.peak.latitude) < 0.3)
            }
        }
    }

    @Test func `contours says what is missing`() async throws {
        let hill = try hill()
        let noBox = await run("contours", hill)
        #expect(noBox.status == 2 && noBox.errors.contains("--bbox"))
        let elsewhere = await run("contours", hill, "-b", "20,20,21,21")
        #expect(elsewhere.status == 1 && elsewhere.errors.contains("no heights in this box"))
        let flat = await run("contours", hill, "-b", "7.6,46.2,8.4,46.8", "--interval", "5000")
        #expect(flat.status == 0 && flat.errors.contains("no contours in this box"))
        #expect(!flat.errors.contains("%"))
        #expect(try JSON.parse(Array(flat.output.utf8))["features"]?.array?.isEmpty == true)
        let wide = await run("contours", hill, "-b", "6.5,45.5,9.5,47.5", "-o", folder.path + "/wide.geojson")
        #expect(wide.status == 3 && wide.errors.contains("% of the box has no heights"))
        let existing = folder.write([1], to: "there.geojson")
        let kept = await run("contours", hill, "-b", "7.6,46.2,8.4,46.8", "-o", existing)
        #expect(kept.status != 0 && folder.bytes("there.geojson") == [1])
    }

    @Test func `contours refuses other formats and too many lines`() async throws {
        let hill = try hill(), box = ["-b", "7.6,46.2,8.4,46.8"]
        for name in ["lines.pmtiles", "lines.mbtiles", "lines.gpx"] {
            let run = await run(["contours", hill] + box + ["-o", folder.path + "/" + name])
            #expect(run.status == 2 && run.errors.contains("GeoJSON"), "\(run.errors)")
            #expect(run.errors.contains("tippecanoe") == name.hasSuffix("tiles"))
            #expect(!folder.names.contains(name))
        }
        let steep = try self.hill(rise: 20_000)
        let fine = await run(["contours", steep, "-b", "7.2,45.9,8.8,47", "--interval", "0.1"])
        #expect(fine.status == 1 && fine.errors.contains("--interval"), "\(fine.errors)")
    }

    @Test func `contours and their heights are on the map, in every depth of colours`() async throws {
        let hill = try hill(), view = ["render", "-c", "46.5,8", "-z", "9", "--size", "80x24", "--offline"]
        let plain = await run(view + ["-f", "text", "--terrain", hill])
        let lines = await run(view + ["-f", "text", "--terrain", hill, "--contours", "20"])
        #expect(lines.status == 0, "\(lines.errors)")
        let dots = { (text: String) in text.unicodeScalars.count { (0x2801...0x28FF).contains($0.value) } }
        #expect(dots(lines.output) > dots(plain.output) + 50)
        // Names of places stay, and the heights come after them.
        #expect(lines.output.contains("700") && plain.output.contains("Jungfrau"))
        #expect(lines.output.contains("Jungfrau"))
        for colors in ["16", "256", "truecolor"] {
            let some = await run(
                view + ["-f", "ansi", "--colors", colors, "--terrain", hill, "--hills"])
            let none = await run(view + ["-f", "ansi", "--colors", colors, "--terrain", hill])
            #expect(some.status == 0 && some.output != none.output)
        }
        let wrong = await run(view + ["--contours", "many"])
        #expect(wrong.status == 2 && wrong.errors.contains("auto, off or a distance"))
    }

    @Test func `without stored heights the map is drawn without hills, which the exit status says`()
        async throws
    {
        let view = ["render", "-c", "46.5,8", "-z", "9", "--size", "60x16", "-f", "text", "--offline"]
        let plain = await run(view), hills = await run(view + ["--hills"])
        #expect(plain.status == 0 && hills.status == 3 && hills.output == plain.output)
        #expect(hills.errors.contains("No heights are stored here") && !hills.errors.contains("http"))
        let missing = await run(view + ["--hills", "--terrain", folder.path + "/none.mbtiles"])
        #expect(missing.status == 1)
    }

    @Test(arguments: [9.0, 10]) func `at night land has the same colours in pixels as in cells`(
        zoom: Double
    ) async throws {
        let view = ["-c", "48.5,10", "-z", "\(zoom)", "--style", "night", "--labels", "off", "--offline"]
        let file = folder.path + "/night.png"
        let pixels = await run(["render"] + view + ["--size", "20x10", "-o", file])
        #expect(pixels.status == 0, "\(pixels.errors)")
        let picture = try SniffingDecoder().decode(folder.bytes("night.png"), limits: .picture)
        let cells = await run(["render"] + view + ["--size", "20x10", "-f", "ansi", "--colors", "truecolor"])
        func mean(_ colours: [SIMD3<Double>]) -> SIMD3<Double> {
            colours.reduce(SIMD3(0, 0, 0), +) / Double(max(colours.count, 1))
        }
        let drawn = mean(
            stride(from: 0, to: picture.pixels.count, by: 4).map { at in
                SIMD3(
                    Double(picture.pixels[at]), Double(picture.pixels[at + 1]), Double(picture.pixels[at + 2])
                )
            })
        // The background of each cell: ESC [ … 48;2;R;G;B m
        let parts = cells.output.split(separator: "48;2;").dropFirst()
        let shown = mean(
            parts.compactMap { part in
                let numbers = part.prefix { $0.isNumber || $0 == ";" }.split(separator: ";").prefix(3)
                    .compactMap { Double($0) }
                return numbers.count == 3 ? SIMD3(numbers[0], numbers[1], numbers[2]) : nil
            })
        let difference = drawn - shown
        #expect((difference * difference).sum().squareRoot() < 12, "\(drawn) \(shown)")
    }

    @Test func `contours are visible over a bright picture without colours`() async throws {
        let tile = TileID(zoom: 9, containing: Mercator.world(Self.peak))
        let tiles = (-1...1).flatMap { dx in
            (-1...1).compactMap { TileID(zoom: 9, x: tile.x + dx, y: tile.y + $0) }
        }
        let bright = blankPicture(RGB(0xFFFFFF), side: 256)
        let base = try MBTilesFixture(
            tiles.map { (tile: $0, body: bright as [UInt8]?) },
            metadata: [("name", "Base"), ("format", "png")]
        ).write(in: folder, name: "base.mbtiles")
        let view = [
            "render", base, "-c", "46.5,8", "-z", "9", "--size", "60x16", "-f", "text", "--offline",
            "--terrain", try hill(),
        ]
        let plain = await run(view), lines = await run(view + ["--contours", "100"])
        #expect(lines.status == 0 && plain.status == 0, "\(lines.errors)")
        let gaps = { (text: String) in text.unicodeScalars.count { (0x2801..<0x28FF).contains($0.value) } }
        #expect(gaps(lines.output) > gaps(plain.output) + 50)
    }

    private func run(_ words: [String]) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), words,
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    }
}
