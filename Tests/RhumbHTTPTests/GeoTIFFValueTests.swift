import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbTestSupport
import Testing

/// Tests the values of GeoTIFF files, and the bands that are shown.
struct GeoTIFFValueTests {
    private let folder = TemporaryFolder()

    private func archive(_ fixture: GeoTIFFFixture) throws -> GeoTIFFArchive {
        try GeoTIFFArchive(folder.write(fixture.bytes, to: "a.tif"), name: "values")
    }

    private func pixels(_ fixture: GeoTIFFFixture) throws -> [UInt8] {
        guard case .bitmap(.raster(let raster))? = try archive(fixture).tile(GeoTIFFFixture.tile) else {
            return []
        }
        return raster.pixels
    }

    /// The XML text of GDAL with items of bands, such as ("scale", 0, "0.1").
    private func metadata(_ items: [(role: String, band: Int, text: String)]) -> String {
        let lines = items.map {
            #"<Item name="\#($0.role.uppercased())" sample="\#($0.band)" role="\#($0.role)">\#($0.text)</Item>"#
        }
        return "<GDALMetadata>\(lines.joined())</GDALMetadata>"
    }

    private func values(_ bits: Int, _ format: Int, _ value: @escaping (Int) -> Double) -> GeoTIFFFixture {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = bits
        fixture.format = format
        fixture.photometric = 1
        fixture.sample = { x, _, _ in value(x) }
        return fixture
    }

    @Test func `legend and properties state values with the scale and offset of their band`() throws {
        var fixture = values(16, 1) { Double($0 * 100) }
        fixture.metadata = metadata([("scale", 0, "0.1"), ("offset", 0, "-40")])
        let archive = try archive(fixture)
        // The 2nd and the 98th percentile of 0 to 25,500 in steps of 100.
        #expect(archive.facts.first { $0.key == "stretch" }?.text == "10.0 to 2460.0")
        let words = archive.layer(id: "a").legend?.entries.map(\.text)
        #expect(words == ["10", "623", "1235", "1848", "2460"])
    }

    @Test func `a negative scale turns the colours round`() throws {
        let plain = try pixels(values(16, 1) { Double(255 - $0) })
        var fixture = values(16, 1) { Double($0) }
        fixture.metadata = metadata([("scale", 0, "-1"), ("offset", 0, "255")])
        #expect(try pixels(fixture) == plain)
    }

    @Test(
        arguments: [
            (64, 3, 1, 1e9), (32, 1, 1, 1_700_000_000), (64, 1, 1, 9e15), (64, 2, 1, -9e15),
            (64, 3, 1e40, -5e41), (64, 3, 7e305, -1.7e308), (64, 3, 1e-44, 0),
        ] as [(Int, Int, Double, Double)])
    func `small differences of large numbers, and numbers beyond single precision have all colours`(
        bits: Int, format: Int, factor: Double, first: Double
    ) throws {
        func colours(_ fixture: GeoTIFFFixture) throws -> Set<[UInt8]> {
            let pixels = try pixels(fixture)
            return Set((0..<pixels.count / 4).map { Array(pixels[$0 * 4..<$0 * 4 + 4]) })
        }
        let small = try colours(values(64, 3) { Double($0) })
        let large = try colours(values(bits, format) { first + Double($0) * factor })
        #expect(small.count > 200 && abs(large.count - small.count) <= 4, "\(large.count)")
    }

    @Test func `the properties have the stretch of each band, also as numbers`() throws {
        var fixture = GeoTIFFFixture()
        fixture.bits = 16
        fixture.noData = "0"
        fixture.sample = { x, _, band in Double((band + 1) * 1000 + x % 2) }
        let archive = try GeoTIFFArchive(folder.write(fixture.bytes, to: "a.tif"), name: "a")
        let text = archive.facts.filter { $0.key == "stretch" }.map(\.text)
        #expect(text == ["1000.0 to 1001.0, 2000.0 to 2001.0, 3000.0 to 3001.0"])
        func figure(_ key: String) -> JSON? { archive.figures.first { $0.key == key }?.value }
        #expect(figure("stretches") == [[1000.0, 1001.0], [2000.0, 2001.0], [3000.0, 3001.0]])
        #expect(figure("levelSizes") == [[256, 256]] && figure("noDataValue") == 0.0)
        #expect(figure("found")?["maxZoom"] == 4)
    }

    @Test(arguments: [8, 16])
    func `the roles that a file states decide which bands are red, green and blue`(bits: Int) throws {
        var plain = GeoTIFFFixture()
        plain.bits = bits
        plain.sample = { x, y, band in Double(x * (band + 1) % 256 + y % 3) }
        let expected = try pixels(plain), sample = plain.sample
        var mixed = plain
        mixed.photometric = 1
        mixed.metadata = metadata([
            ("colorinterp", 0, "Blue"), ("colorinterp", 1, "Green"), ("colorinterp", 2, "Red"),
        ])
        mixed.sample = { x, y, band in sample(x, y, 2 - band) }
        #expect(try pixels(mixed) == expected)
        // Bands without a role are not shown, with red, green and blue before them or between them.
        var more = plain
        more.samples = 5
        more.sample = { x, y, band in band < 3 ? sample(x, y, band) : 7 }
        #expect(try pixels(more) == expected)
        more.photometric = 1
        more.metadata = metadata([
            ("colorinterp", 1, "Red"), ("colorinterp", 2, "Green"), ("colorinterp", 4, "Blue"),
            ("colorinterp", 0, "Undefined"), ("colorinterp", 3, "Alpha"),
        ])
        more.sample = { x, y, band in
            switch band {
            case 0: 9
            case 3: bits == 8 ? 255 : 65_535
            default: sample(x, y, band == 4 ? 2 : band - 1)
            }
        }
        #expect(try pixels(more) == expected)
    }
}
