import RhumbCore
import RhumbTestSupport
import Testing

/// The colours of a sprite's pictures, for the signs in their place.
struct IconColourTests {
    private static func label(_ icon: String) throws -> VectorLabel {
        let symbols: JSON = [
            "id": "s", "type": "symbol", "source": "v", "source-layer": "poi",
            "layout": ["icon-image": "{kind}", "text-field": "{name}"],
        ]
        var style = try Style([
            "version": 8, "sprite": "x", "sources": ["v": ["type": "vector"]], "layers": [symbols],
        ])
        style.images = [
            "hospital": StyleImage(Raster(width: 4, height: 4, filledWith: RGB(0xC02020))),
            "shield": StyleImage(Raster(width: 4, height: 4, filledWith: RGB(0x808488))),
        ]
        let point = VectorTileFixture.Feature(
            .point, through: [(100, 100)], [("kind", .string(icon)), ("name", .string("X"))])
        let tile = try VectorTile(VectorTileFixture([("poi", [point])]).bytes)
        return try #require(VectorTileLabels(tile, style: style, source: "v", zoom: 14).labels.first)
    }

    @Test(arguments: [("hospital", RGB(0xC02020)), ("shield", nil), ("unknown", nil)] as [(String, RGB?)])
    func `a sign has the colour of its picture, if that is known and distinctive`(
        icon: String, colour: RGB?
    ) throws {
        let label = try Self.label(icon)
        #expect(label.icon == icon && label.iconColour == colour)
    }
}
