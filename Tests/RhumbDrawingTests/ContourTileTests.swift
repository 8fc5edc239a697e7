import Glibc
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// Contours of tiles, made from a source of heights that are a function of the position.
struct ContourTileTests {
    /// Heights in Terrarium tiles, above a flat sea in the west.
    final class Heights: TileLayerDataSource {
        let side: Int
        /// Tiles that are damaged, missing, of another size, or only available from a server.
        let damaged: Set<TileID>, missing: Set<TileID>, smaller: Set<TileID>, remote: Set<TileID>
        let isAbsurd: Bool

        init(
            side: Int, damaged: Set<TileID> = [], missing: Set<TileID> = [], smaller: Set<TileID> = [],
            remote: Set<TileID> = [], isAbsurd: Bool = false
        ) {
            self.side = side
            self.damaged = damaged
            self.missing = missing
            self.smaller = smaller
            self.remote = remote
            self.isAbsurd = isAbsurd
        }

        func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
            remote.contains(tile) ? nil : answer(tile)
        }

        func url(for tile: TileID) -> String? {
            remote.contains(tile) ? "https://heights.example/\(tile)" : nil
        }

        func answer(_ tile: TileID) -> TileAnswer {
            if missing.contains(tile) { return .absent }
            if damaged.contains(tile) { return .bitmap(.encoded([1, 2, 3])) }
            let side = smaller.contains(tile) ? self.side / 2 : self.side
            var pixels: [UInt8] = []
            for row in 0..<side {
                for column in 0..<side {
                    let count = Double(1 << tile.zoom)
                    let x = (Double(tile.x) + (Double(column) + 0.5) / Double(side)) / count
                    let y = (Double(tile.y) + (Double(row) + 0.5) / Double(side)) / count
                    let spike = isAbsurd && (row * side + column) % 97 == 5
                    let coded = spike ? 0xFFFFFF : Int((Self.metres(x, y) + 32768) * 256)
                    pixels += [UInt8(coded >> 16), UInt8(coded >> 8 & 255), UInt8(coded & 255), 255]
                }
            }
            let raster = Raster(width: side, height: side, pixels: pixels)
            return raster.flatMap { try? PNGEncoder.encode($0) }.map { .bitmap(.encoded($0)) } ?? .absent
        }

        static func metres(_ x: Double, _ y: Double) -> Double {
            1200 + 700 * sin(x * 41_000) * cos(y * 37_000) + 150 * sin(x * 130_000 + y * 150_000)
        }
    }

    private struct Fetcher: TileFetcher {
        let heights: Heights
        var isDown = false

        func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
            guard !isDown else { throw TileFailure(.offline, "heights: no network") }
            return .new(heights.answer(want.tile), .current)
        }
    }

    static let zoom = 12
    static let first = TileID(
        zoom: zoom, containing: Mercator.world(Coordinate(latitude: 46.5, longitude: 8)))

    func source(
        _ heights: Heights, isDown: Bool = false, _ spacing: ContourSpacing = ContourSpacing(),
        zoomsAhead: Int = 0
    ) throws -> (contours: ContourTileSource, layer: TileLayer) {
        let size: TileSize = heights.side == 512 ? .pixels512 : .pixels256
        let info = TileSourceInfo(name: "Heights", zooms: 0...12, tileSize: size)
        let drawing = HillshadeDrawing(info, .terrarium, Hillshade(), decoder: SniffingDecoder())
        let layer = TileLayer(id: "heights", source: heights, info: info).drawn(by: drawing, size: size)
        let model = try #require(ElevationModel(layer, Fetcher(heights: heights, isDown: isDown)))
        let contours = ContourTileSource(model, spacing, zoomsAhead: zoomsAhead)
        return (contours, TileLayer(id: "contours", source: contours, info: contours.info))
    }

    func made(_ heights: Heights) throws -> TileAnswer? {
        let (contours, layer) = try source(heights)
        return try contours.tile(Self.first, of: layer)
    }

    /// The lines of a tile, in its units, with their heights.
    func lines(_ answer: TileAnswer?, of tile: TileID) throws -> [(ele: Double, [SIMD2<Double>])] {
        guard case .bitmap(.encoded(let bytes))? = answer, !bytes.isEmpty else { return [] }
        let document = try JSON.parse(TileGeoJSON(try VectorTile(bytes), at: tile).text)
        return (document["features"]?.array ?? []).map { feature in
            let points = (feature["geometry"]?["coordinates"]?.array ?? []).map { point in
                let world = Mercator.world(
                    Coordinate(
                        latitude: point.array?.last?.double ?? 0, longitude: point.array?.first?.double ?? 0))
                let count = Double(1 << tile.zoom)
                return (SIMD2(world.x, world.y) * count - SIMD2(Double(tile.x), Double(tile.y))) * 4096
            }
            return (feature["properties"]?["ele"]?.double ?? .nan, points)
        }
    }

    /// The positions at which lines cross a vertical or a horizontal line, by height.
    func crossings(
        _ lines: [(ele: Double, points: [SIMD2<Double>])], at place: Double, isVertical: Bool
    ) -> [Double: [Double]] {
        var found: [Double: [Double]] = [:]
        for line in lines {
            for (a, b) in zip(line.points, line.points.dropFirst()) {
                let (p, q) = isVertical ? (a, b) : (SIMD2(a.y, a.x), SIMD2(b.y, b.x))
                guard (p.x < place) != (q.x < place) else { continue }
                let other = p.y + (q.y - p.y) * (place - p.x) / (q.x - p.x)
                if (0...4096).contains(other) { found[line.ele, default: []].append(other) }
            }
        }
        return found.mapValues { $0.sorted() }
    }

    func distance(_ point: SIMD2<Double>, _ line: [SIMD2<Double>]) -> Double {
        zip(line, line.dropFirst()).map { a, b in
            let way = b - a, length = (way * way).sum()
            let share = length > 0 ? min(max((way * (point - a)).sum() / length, 0), 1) : 0
            let rest = point - a - way * share
            return (rest * rest).sum().squareRoot()
        }.min() ?? .infinity
    }

    @Test func `finer tiles for pixels end at the same zoom of the map as those for cells`() throws {
        let heights = Heights(side: 256), cells = try source(heights).contours
        let pixels = try source(heights, zoomsAhead: 1).contours
        #expect(pixels.info.zooms.upperBound == cells.info.zooms.upperBound + 1)
        #expect(pixels.inCells.info.zooms == cells.info.zooms)
    }

    // MARK: Joins

    @Test(arguments: [256, 512], [10, 12, 13, 15])
    func `lines of neighbouring tiles meet within a pixel`(side: Int, zoom: Int) throws {
        let (contours, layer) = try source(Heights(side: side))
        let levels = zoom - Self.zoom
        let base =
            levels > 0
            ? try #require(
                TileID(zoom: zoom, x: Self.first.x << levels + 1, y: Self.first.y << levels + 1))
            : try #require(Self.first.ancestor(levels: -levels))
        let mine = try lines(try contours.tile(base, of: layer), of: base)
        #expect(!mine.isEmpty)
        for (isVertical, dx, dy) in [(true, 1, 0), (false, 0, 1)] {
            let beside = try #require(TileID(zoom: zoom, x: base.x + dx, y: base.y + dy))
            let others = try lines(try contours.tile(beside, of: layer), of: beside)
            let here = crossings(mine, at: 4096, isVertical: isVertical)
            var pairs = 0
            for (ele, places) in here {
                for place in places where (40...4056).contains(place) {
                    let point = isVertical ? SIMD2(0, place) : SIMD2(place, 0)
                    let nearest = others.filter { $0.ele == ele }.map { distance(point, $0.1) }.min()
                    #expect(nearest ?? .infinity <= 8, "\(ele) m at \(place)")
                    pairs += 1
                }
            }
            #expect(pairs > 0)
        }
    }

    // MARK: Spacing

    @Test func `lines follow the zoom and the units, and every fifth is heavy`() throws {
        for (isInFeet, zoom, distance) in [(false, 12, 100.0), (false, 14, 20), (true, 12, 200)] {
            let spacing = ContourSpacing(isInFeet: isInFeet)
            let (contours, layer) = try source(Heights(side: 256), spacing)
            let tile = try #require(
                TileID(
                    zoom: zoom, x: Self.first.x << (zoom - Self.zoom), y: Self.first.y << (zoom - Self.zoom)))
            let answer = try contours.tile(tile, of: layer)
            guard case .bitmap(.encoded(let bytes))? = answer else { return #expect(Bool(false)) }
            let document = try JSON.parse(TileGeoJSON(try VectorTile(bytes), at: tile).text)
            let found = (document["features"]?.array ?? []).compactMap { $0["properties"] }
            #expect(!found.isEmpty)
            for properties in found {
                let ele = try #require(properties["ele"]?.double)
                #expect(ele.remainder(dividingBy: distance) == 0)
                #expect(
                    (properties["index"]?.bool == true) == (ele.remainder(dividingBy: distance * 5) == 0))
                #expect(properties["unit"]?.string == (isInFeet ? "ft" : "m"))
            }
        }
    }

    @Test func `no contours are made at zooms of whole countries`() throws {
        #expect(try source(Heights(side: 256)).layer.sourceZooms.lowerBound == ContourSpacing.firstZoom)
    }

    // MARK: Bad input

    @Test(arguments: [256, 512])
    func `a damaged, missing or smaller neighbour only changes the border`(side: Int) throws {
        let around = (-1...1).flatMap { y in
            (-1...1).compactMap {
                TileID(zoom: Self.zoom - (side == 512 ? 1 : 0), x: data(side).x + $0, y: data(side).y + y)
            }
        }
        let others = Set(around).subtracting([data(side)])
        let whole = try lines(try made(Heights(side: side)), of: Self.first)
        for heights in [
            Heights(side: side, damaged: others), Heights(side: side, missing: others),
            Heights(side: side, smaller: others),
        ] {
            let found = try lines(try made(heights), of: Self.first)
            let (a, b) = (
                crossings(found, at: 2048, isVertical: true), crossings(whole, at: 2048, isVertical: true)
            )
            #expect(Set(a.keys) == Set(b.keys))
            for (ele, places) in a { #expect(places.count == b[ele]?.count) }
        }
    }

    private func data(_ side: Int) -> TileID {
        side == 512 ? Self.first.parent ?? Self.first : Self.first
    }

    @Test func `absurd heights are unknown`() throws {
        let found = try lines(
            try made(Heights(side: 256, isAbsurd: true)), of: Self.first)
        #expect(!found.isEmpty && found.allSatisfy { (300...2100).contains($0.ele) })
    }

    // MARK: Shading

    private func shading(_ heights: Heights, isDown: Bool = false) throws -> TileLayer {
        let size: TileSize = heights.side == 512 ? .pixels512 : .pixels256
        let info = TileSourceInfo(name: "Heights", zooms: 0...12, tileSize: size)
        let drawing = HillshadeDrawing(info, .terrarium, Hillshade(), decoder: SniffingDecoder())
        let layer = TileLayer(id: "heights", source: heights, info: info).drawn(by: drawing, size: size)
        return try #require(ElevationModel(layer, Fetcher(heights: heights, isDown: isDown))).shading
    }

    /// The opacity of the shade at each pixel of a tile, dark shades as negative numbers.
    private func shades(_ answer: TileAnswer?) throws -> (side: Int, values: [Int]) {
        guard case .bitmap(.raster(let raster))? = answer else { throw TileFailure(.badContent, "none") }
        let pixels = raster.pixels
        return (
            raster.width,
            stride(from: 0, to: pixels.count, by: 4).map {
                pixels[$0] > 127 ? Int(pixels[$0 + 3]) : -Int(pixels[$0 + 3])
            }
        )
    }

    /// The mean difference of shades between neighbouring columns (or rows) of two tiles in a row, at their
    /// border, and the median of the other differences.
    private func step(_ first: TileID, isAcross: Bool, _ layer: TileLayer) throws -> (Double, Double) {
        let second = try #require(
            TileID(zoom: first.zoom, x: first.x + (isAcross ? 1 : 0), y: first.y + (isAcross ? 0 : 1)))
        let both = try [first, second].map { try shades(layer.source.tile($0, of: layer)) }
        let side = both[0].side
        func value(_ along: Int, _ other: Int) -> Int {
            let at = along % side
            return both[along / side].values[isAcross ? other * side + at : at * side + other]
        }
        let means = (1..<2 * side).map { along in
            (0..<side).map { Double(abs(value(along, $0) - value(along - 1, $0))) }.reduce(0, +)
                / Double(side)
        }
        return (means[side - 1], means.sorted()[side - 1])
    }

    @Test(arguments: [256, 512], [12, 13])
    func `shading has no step at the borders of tiles`(side: Int, zoom: Int) throws {
        let layer = try shading(Heights(side: side)), levels = zoom - Self.zoom
        let tile = try #require(
            TileID(zoom: zoom, x: (Self.first.x + 1) << levels - 1, y: (Self.first.y + 1) << levels - 1))
        for isAcross in [true, false] {
            let (border, usual) = try step(tile, isAcross: isAcross, layer)
            #expect(border < usual * 1.3 + 0.5, "\(border), otherwise \(usual)")
        }
    }

    @Test func `a neighbour without heights, or of another size, makes no wall`() throws {
        let beside = try #require(TileID(zoom: Self.zoom, x: Self.first.x + 1, y: Self.first.y))
        for heights in [Heights(side: 256, missing: [beside]), Heights(side: 256, smaller: [beside])] {
            let layer = try shading(heights), whole = try shading(Heights(side: 256))
            let (side, values) = try shades(layer.source.tile(Self.first, of: layer))
            let others = try shades(whole.source.tile(Self.first, of: whole)).values
            let last = (0..<side).map { $0 * side + side - 1 }
            let mean = last.map { Double(abs(values[$0] - others[$0])) }.reduce(0, +) / Double(side)
            #expect(mean < 10, "\(mean)")
            #expect(values.indices.allSatisfy { $0 % side == side - 1 || values[$0] == others[$0] })
        }
    }

    @Test func `shading of heights on a server waits for the neighbours, and does without those that fail`()
        async throws
    {
        let beside = try #require(TileID(zoom: Self.zoom, x: Self.first.x + 1, y: Self.first.y))
        for isDown in [false, true] {
            let layer = try shading(Heights(side: 256, remote: [beside]), isDown: isDown)
            #expect(try layer.source.tile(Self.first, of: layer) == nil)
            let answer = try await withCheckedContinuation { continuation in
                let request = TileRequest(tile: Self.first, of: layer) { continuation.resume(returning: $0) }
                #expect(layer.source.begin(request))
            }.get()
            let whole = try shading(Heights(side: 256))
            #expect((try whole.source.tile(Self.first, of: whole) == answer) != isDown)
        }
    }

    @Test func `the heights of shading and contours are those of the map`() throws {
        let layer = try shading(Heights(side: 256)), ground = try #require(layer.hillGround)
        let place = SIMD2((Double(Self.first.x) + 0.5) / 4096, (Double(Self.first.y) + 0.5) / 4096)
        let model = try #require(ElevationModel(layer, Fetcher(heights: Heights(side: 256))))
        #expect(ground.heights(at: [place]) == model.heights(at: [place]))
        #expect(abs(Double(model.heights(at: [place])[0]) - Heights.metres(place.x, place.y)) < 5)
        #expect(try source(Heights(side: 256)).layer.hillGround != nil)
    }

    // MARK: Numbers

    @Test func `the same tile has other lines in pixels than for the labels of a deeper zoom`() throws {
        let (contours, layer) = try source(Heights(side: 256))
        var pixels = layer
        pixels.detail = ContourTileSource.detail + 2
        let tile = Self.first.children[0].children[0]
        #expect(try contours.tile(tile, of: pixels) != contours.tile(tile, of: layer))
        let painter = VectorPainter(try Style.contours(.night, .truecolor), source: Style.contourSource)
        let drawing = VectorDrawing(contours.info, layerNames: ["contours"], painters: [.other: painter])
        func named(_ layer: TileLayer) throws -> [String] {
            let features = try #require(LayerFeatures(layer, Fetcher(heights: Heights(side: 256))))
            return try (features.labels(of: tile, at: tile.zoom, in: .local) ?? []).map(\.text).sorted()
        }
        let fine = pixels.drawn(by: drawing), plain = layer.drawn(by: drawing)
        _ = try named(fine)
        let after = try named(plain)
        drawing.forgetTiles()
        #expect(try named(plain) == after && !after.isEmpty)
    }

    @Test func `a tile without index lines has one number`() throws {
        let metres = (0..<64 * 64).map { Float($0 % 64) * 4 + 510 }
        let grid = ElevationGrid(width: 64, height: 64, metres: metres)
        let bytes = ContourSpacing().tile(grid, zoom: 11, origin: SIMD2(0, 0), step: SIMD2(1 / 64, 1 / 64))
        let document = try JSON.parse(TileGeoJSON(try VectorTile(bytes), at: Self.first).text)
        let features = document["features"]?.array ?? []
        #expect(features.count == 2)
        #expect(features.allSatisfy { $0["properties"]?["index"]?.bool == false })
        #expect(features.count { $0["properties"]?["named"]?.bool == true } == 1)
    }

    // MARK: Servers

    private func outcome(
        _ contours: ContourTileSource, _ layer: TileLayer
    ) async -> Result<
        TileAnswer, TileFailure
    > {
        await withCheckedContinuation { continuation in
            let request = TileRequest(tile: Self.first, of: layer) { continuation.resume(returning: $0) }
            #expect(contours.begin(request))
        }
    }

    @Test func `heights on a server are requested, and the contours are the same`() async throws {
        let around = Set(
            (-1...1).flatMap { y in
                (-1...1).compactMap { TileID(zoom: Self.zoom, x: Self.first.x + $0, y: Self.first.y + y) }
            })
        let (contours, layer) = try source(Heights(side: 256, remote: around))
        #expect(try contours.tile(Self.first, of: layer) == nil)
        let fetched = try await outcome(contours, layer).get()
        #expect(fetched == (try made(Heights(side: 256))))
    }

    @Test func `without a network, stored heights have contours, and others are a failure`() async throws {
        let beside = try #require(TileID(zoom: Self.zoom, x: Self.first.x + 1, y: Self.first.y))
        let (contours, layer) = try source(Heights(side: 256, remote: [beside]), isDown: true)
        let made = try await outcome(contours, layer).get()
        #expect(try !lines(made, of: Self.first).isEmpty)
        // Labels are read without a request.
        #expect(try contours.tile(Self.first, of: layer) == made)
        let (far, farLayer) = try source(
            Heights(side: 256, remote: Self.line(of: Self.first)), isDown: true)
        await #expect(throws: TileFailure.self) { try await outcome(far, farLayer).get() }
        let (near, nearLayer) = try source(Heights(side: 256, remote: [Self.first]), isDown: true)
        #expect(try !lines(await outcome(near, nearLayer).get(), of: Self.first).isEmpty)
    }
}
