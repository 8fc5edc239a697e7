import RhumbCore
import RhumbEngine
import Testing

/// Tests the calls that users of other map SDKs write first.
struct FirstCallsTests {
    private struct Nothing: TileLayerDataSource {}

    @Test func `a configuration is made of a list of features, and always has the base map`() {
        var configuration = LayerConfiguration(enabledFeatures: [.detailRendering])
        #expect(configuration.enabledFeatures == [.rendering, .detailRendering])
        #expect(configuration.implicitlyPrefetchedFeatures.contains(.rendering))
        configuration.enabledFeatures = [.offlineSearch]
        #expect(configuration.enabledFeatures == [.rendering, .offlineSearch])
        let list: [LayerConfiguration.Feature] = [.terrain]
        let other = LayerConfiguration(
            enabledFeatures: list, implicitlyPrefetchedFeatures: list, passThroughFeatures: list)
        #expect(other.passThroughFeatures == [.terrain] && other.implicitlyPrefetchedFeatures == [.terrain])
    }

    @Test(arguments: [(128, 21), (256, 20), (512, 19)])
    func `the deepest zoom of a source depends on the size of its tiles`(pixels: Int, deepest: Int) throws {
        let size = try #require(TileSize(rawValue: pixels))
        #expect(TileSourceInfo(name: "a", tileSize: size).zooms == 0...deepest)
        #expect(TileLayer(source: Nothing(), tileSize: size).sourceZooms == 0...deepest)
    }

    @Test(arguments: [(128, 25), (256, 24), (512, 23), (4096, 20)])
    func `all zooms of a source are requested, up to the deepest zoom of the map`(
        pixels: Int, deepest: Int
    ) throws {
        let size = try #require(TileSize(rawValue: pixels))
        func layer(_ zooms: ClosedRange<Int>) -> TileLayer {
            TileLayer(
                id: "deep", source: Nothing(),
                info: TileSourceInfo(name: "deep", zooms: zooms, tileSize: size))
        }
        #expect(layer(17...TileID.maximumZoom).sourceZooms == 17...deepest)
        #expect(layer(17...20).sourceZooms == 17...20)
        #expect(layer(0...TileID.maximumZoom).nearestTileZoom(at: 24) == deepest)
    }

    @Test func `the size of tiles is a number, and the source of a layer can be set later`() {
        var layer = TileLayer(tileSize: 512)
        #expect(layer.tileSize == .pixels512 && !layer.source.hasTile(.world))
        layer.dataSource = Nothing()
        #expect(layer.source.hasTile(.world))
        #expect(TileSize(integerLiteral: 300) == .pixels256 && TileSize(integerLiteral: 0).rawValue == 64)
    }

    @Test func `pixels have names with their bits, too`() {
        #expect(PixelFormat.rgba8888 == .rgba && PixelFormat.rgb888.bytesPerPixel == 3)
    }

    @Test func `a template that leaves the size of tiles open is requested with 512 pixels`() throws {
        let open = try SourceDefinition(address: "https://tiles.example/{z}/{x}/{y}.png?tileSize={tileSize}")
        #expect(open.tileSize == .pixels512)
        #expect(try SourceDefinition(address: "https://tiles.example/{z}/{x}/{y}.png").tileSize == .pixels256)
    }
}
