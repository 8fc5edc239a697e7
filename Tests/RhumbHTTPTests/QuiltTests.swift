import RhumbCore
import RhumbDrawing
import RhumbEngine
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests several archives as one map.
struct QuiltTests {
    private let folder = TemporaryFolder()

    /// An archive whose tiles have one colour.
    private func archive(
        _ name: String, _ zooms: ClosedRange<Int>, _ colour: RGB, side: Int = 256,
        in area: TileID = .world, clearLeft: Bool = false, attribution: String = "",
        alsoAt deep: TileID? = nil
    ) throws -> any TileArchive {
        let raster = Raster(width: side, height: side, filledWith: colour)
        var pixels = raster.pixels
        if clearLeft {
            for at in 0..<side * side where at % side < side / 2 { pixels[at * 4 + 3] = 0 }
        }
        let body = try PNGEncoder.encode(#require(Raster(width: side, height: side, pixels: pixels)))
        let tiles = TileID.pyramid(zooms).filter { area.contains($0) } + (deep.map { [$0] } ?? [])
        let path = try MBTilesFixture(
            tiles.map { ($0, body) },
            metadata: [
                ("name", name), ("attribution", attribution), ("format", "png"),
                ("bounds", "-180,-85,180,85"),
            ]
        ).write(in: folder, name: name + ".mbtiles")
        return try TileProbes.open(path, isTMS: false)
    }

    private func colour(_ quilt: Quilt, _ tile: TileID, _ x: Int = 200, _ y: Int = 9) throws -> RGB? {
        guard case .bitmap(.raster(let raster))? = try quilt.tile(tile) else { return nil }
        let at = (y * 256 + x) * 4
        return raster.pixels[at + 3] == 0
            ? nil : RGB(red: raster.pixels[at], green: raster.pixels[at + 1], blue: raster.pixels[at + 2])
    }

    private static let (red, green, blue) = (RGB(0xFF0000), RGB(0x00FF00), RGB(0x0000FF))
    private static let west = TileID(zoom: 1, x: 0, y: 0)!
    private static let inside = TileID(zoom: 4, x: 3, y: 3)!, outside = TileID(zoom: 4, x: 12, y: 3)!

    @Test func `the finest archive whose zooms fit is on top, and coarser ones fill the rest`() throws {
        let quilt = Quilt([
            try archive("coast", 0...3, Self.green), try archive("harbour", 4...6, Self.red, in: Self.west),
        ])
        #expect(quilt.info.zooms == 0...6 && quilt.info.name == "harbour, coast")
        #expect(try colour(quilt, Self.inside) == Self.red)
        #expect(try colour(quilt, Self.outside) == Self.green, "enlarged")
        #expect(try colour(quilt, Self.inside.parent!) == Self.green, "too fine for this zoom")
        #expect(quilt.archives(in: Self.inside) == ["harbour"])
        #expect(quilt.archives(in: Self.outside) == ["coast"])
    }

    @Test func `the order of the archives does not matter, unless they are equally fine`() throws {
        let coast = try archive("coast", 0...3, Self.green), harbour = try archive("harbour", 2...6, Self.red)
        let twin = try archive("twin", 2...6, Self.blue)
        for order in [[coast, harbour], [harbour, coast]] {
            #expect(try colour(Quilt(order), Self.inside) == Self.red)
        }
        #expect(try colour(Quilt([coast, twin, harbour]), Self.inside) == Self.blue)
    }

    @Test func `transparent pixels show the archive below, of which all are named`() throws {
        let quilt = Quilt([
            try archive("coast", 0...4, Self.green, attribution: "© Coast"),
            try archive("harbour", 2...6, Self.red, clearLeft: true, attribution: "© Harbour"),
            try archive("again", 0...1, Self.blue, attribution: "© Coast"),
        ])
        #expect(try colour(quilt, Self.inside, 200) == Self.red)
        #expect(try colour(quilt, Self.inside, 20) == Self.green)
        #expect(quilt.archives(in: Self.inside) == ["harbour", "coast"])
        #expect(quilt.info.attribution == "© Harbour, © Coast")
    }

    @Test func `an own picture of a zoom precedes an enlarged one of a finer archive`() throws {
        let fine = try archive(
            "fine", 2...3, Self.red, alsoAt: TileID(zoom: 6, containing: WorldPoint(x: 0.9, y: 0.9)))
        let coarse = try archive("coarse", 0...4, Self.green)
        #expect(try colour(Quilt([fine, coarse]), Self.inside) == Self.green)
        #expect(try colour(Quilt([fine, coarse]), Self.inside.parent!) == Self.red)
    }

    @Test func `large tiles are cut, so that their pixels keep their size`() throws {
        let quilt = Quilt([
            try archive("large", 2...3, Self.red, side: 512), try archive("small", 3...3, Self.green),
        ])
        #expect(quilt.info.zooms == 3...4)
        #expect(try colour(quilt, Self.inside) == Self.red)
    }

    @Test func `a place without any archive is absent, and a damaged tile leaves the others`() throws {
        let west = try archive("west", 0...4, Self.red, in: Self.west)
        #expect(try Quilt([west]).tile(Self.outside) == .absent)
        let body = try PNGEncoder.encode(Raster(width: 256, height: 256, filledWith: Self.red))
        let path = try MBTilesFixture(
            [(Self.inside, Array(body.dropLast(60)))], metadata: [("name", "bad"), ("maxzoom", "9")]
        ).write(in: folder, name: "bad.mbtiles")
        let bad = try TileProbes.open(path, isTMS: false)
        #expect(throws: TileFailure.self) { try Quilt([bad]).tile(Self.inside) }
        let coast = try archive("coast", 0...3, Self.green)
        #expect(try colour(Quilt([bad, coast]), Self.inside) == Self.green)
    }

    @Test func `words name the archives, whatever their paths contain`() {
        let paths = ["/charts/a:b.mbtiles", "50%.tif", "x%3A.pmtiles", "dir"]
        #expect(QuiltSpecifier.paths(QuiltSpecifier.text(paths)) == paths)
        #expect(QuiltSpecifier.paths("quilts:a") == nil)
    }
}
